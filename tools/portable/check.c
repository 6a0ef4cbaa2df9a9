/* The C of pyx/simd by itself: any compiler, any processor, no Python.

       check                         run each vector kernel against its scalar twin and print a checksum of the answers
       check KERNEL TYPE N REPEAT    run one kernel so often, for counting its instructions; "none": only prepare

   Every build prints the same checksums, whatever the compiler, the processor or the width of its vectors; a kernel
   that disagrees with its twin ends the program with status 1.  tools/portable.py builds and runs it. */
#include <stdio.h>
#include "bits.h"
#include "cpu.h"
#include "duel_cards.h"
#include "duel_columns.h"
#include "duel_sum.h"
#include "hearts_avx512.h"
#include "hexapawn.h"
#include "pages.h"
#include "rows.h"

static uint64_t state, sum;

static uint64_t next_word(void)
{
    uint64_t x = (state += 0x9E3779B97F4A7C15ULL);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

static void note(const void *data, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)data;
    size_t i;
    for (i = 0; i < bytes; i++)
        sum = (sum ^ p[i]) * 0x100000001B3ULL;
}

static void start(uint64_t seed)
{
    state = seed;
    sum = 0xCBF29CE484222325ULL;
}

static void tell(const char *name) { printf("%-14s %016llx\n", name, (unsigned long long)sum); }

static void fail(const char *what, long long n)
{
    fprintf(stderr, "check: %s: the twins differ at n = %lld\n", what, n);
    exit(1);
}

static void *need(size_t bytes)
{
    void *p = calloc(1, bytes);
    if (!p)
        exit(2);
    return p;
}

static void watch_none(gc_watch *watch)
{
    gc_watch_open(watch);
    gc_watch_start(watch, -1.0, 0);
}

/* rows: one row by the kernel and by its twin; `wide` is what a value may be, so that sums fit. */
#define ROWS_OF(T, S, WIDE)                                                                                            \
    static T *row_##S(int64_t n)                                                                                       \
    {                                                                                                                  \
        T *x = (T *)need((size_t)(n + ROWS_PAD) * sizeof(T));                                                          \
        int64_t i;                                                                                                     \
        for (i = 0; i < n; i++)                                                                                        \
            x[i] = (T)((int64_t)(next_word() % (2 * (WIDE))) - (WIDE));                                                \
        return x;                                                                                                      \
    }                                                                                                                  \
    static void cells_##S(int mode, const T *x, T *d, int64_t n, int64_t length, int plain)                            \
    {                                                                                                                  \
        gc_watch watch;                                                                                                \
        int64_t L = begin_##S(x, d, n, length);                                                                        \
        watch_none(&watch);                                                                                            \
        if (plain)                                                                                                     \
            advance_plain_##S(mode, x, d, n, L, length);                                                               \
        else                                                                                                           \
            advance_##S(mode, x, d, n, L, length, NULL, &watch, NULL);                                                 \
    }                                                                                                                  \
    static void check_rows_##S(void)                                                                                   \
    {                                                                                                                  \
        int64_t n, count;                                                                                              \
        int mode;                                                                                                      \
        start(sizeof(T));                                                                                              \
        for (n = 1; n < 1500; n += n < 70 ? 1 : 197)                                                                   \
            for (mode = 0; mode < 3; mode++) {                                                                         \
                T *x = row_##S(n), *d = (T *)need((size_t)(n + ROWS_PAD) * sizeof(T)),                                 \
                  *e = (T *)need((size_t)(n + ROWS_PAD) * sizeof(T));                                                  \
                cells_##S(mode, x, d, n, n, 0);                                                                        \
                cells_##S(mode, x, e, n, n, 1);                                                                        \
                if (memcmp(d, e, sizeof(T)))                                                                           \
                    fail("rows " #S, n);                                                                               \
                note(d, sizeof(T));                                                                                    \
                free(x), free(d), free(e);                                                                             \
            }                                                                                                          \
        for (n = 1, count = 37; n < 60; n += 3)                                                                        \
            for (mode = 0; mode < 3; mode++) {                                                                         \
                T *x = row_##S(n * count), *mine = (T *)need(2 * (size_t)count * sizeof(T));                           \
                gc_watch watch;                                                                                        \
                watch_none(&watch);                                                                                    \
                batch_##S(mode, x, count, n, n & 1, mine, mine + count, &watch);                                       \
                note(mine, 2 * (size_t)count * sizeof(T));                                                             \
                free(x), free(mine);                                                                                   \
            }                                                                                                          \
        tell("rows " #S);                                                                                              \
    }

ROWS_OF(int16_t, i16, 20)
ROWS_OF(int32_t, i32, 1000)
ROWS_OF(int64_t, i64, 1000000)
ROWS_OF(double, f64, 1000)

static int64_t fold_of(const int32_t *x, int64_t n, int64_t *stack, int plain)
{
    rows_fold_state folding;
    gc_watch watch;
    watch_none(&watch);
    memset(&folding, 0, sizeof folding);
    folding.patience = 1;
    return plain ? push_i32(stack, 0, x, n) : fold_i32(x, n, stack, 0, &folding, &watch);
}

static void check_folding(void)
{
    int64_t n, i, k;
    int shape;
    start(7);
    for (n = 1; n < 9000; n = n * 3 / 2 + 1)
        for (shape = 0; shape < 4; shape++) {
            int32_t *x = row_i32(n);
            int64_t *stack = (int64_t *)need((size_t)(n + 1) * sizeof(int64_t)), value;
            for (i = 0; shape && i < n; i++)
                x[i] = shape == 1 ? x[i] & 1 : shape == 2 ? (int32_t)i / 3 : (int32_t)(i > n / 2 ? x[i] : i);
            k = fold_of(x, n, stack, 0);
            value = valley_i64(stack, k);
            k = fold_of(x, n, stack, 1);
            if (valley_i64(stack, k) != value)
                fail("folding", n);
            note(&value, sizeof value);
            free(x), free(stack);
        }
    tell("folding");
}

static void check_words(void)
{
    uint64_t a, b, m;
    int i, shift;
    start(11);
    for (i = 0; i < 20000; i++) {
        a = next_word(), b = next_word(), m = next_word();
        shift = (int)(m & 7);
        m = gc_deposit64(a, b) ^ gc_extract64(a, b) ^ gc_bswap64(a);
        m ^= (uint64_t)(gc_popcount64(a) + 64 * gc_ctz64(a | 1ULL << 63) + 4096 * gc_msb64(b | 1));
        note(&m, sizeof m);
        gc_mirror_rows(a, b, shift, &a, &b);
        note(&a, sizeof a), note(&b, sizeof b);
        gc_ternary_rows(a & ~b, b, 6561, &a, &b);
        note(&a, sizeof a), note(&b, sizeof b);
    }
    tell("words");
}

static void check_duel(void)
{
    gc_duel_renaming renaming;
    gc_duel_hash words[256], hash;
    uint64_t hands[2], signs[256];
    uint8_t columns[16];
    unsigned bits;
    int i, k;
    start(13);
    for (i = 0; i < 256; i++)
        words[i].index = next_word(), words[i].check = next_word(), signs[i] = next_word();
    for (i = 0; i < 5000; i++) {
        for (k = 0; k < 16; k++)
            renaming.to[k] = (uint8_t)((k & 3) << 2 | k >> 2);
        hands[0] = next_word() >> 12, hands[1] = (next_word() >> 12) & ~hands[0];
        gc_duel_join(gc_duel_rename(gc_duel_spread(hands[0]), &renaming), gc_duel_spread(hands[1]), columns);
        note(columns, 13);
        hash = gc_duel_sum(words, columns, &words[hands[0] & 255], &words[hands[1] & 255]);
        gc_duel_add(&hash, &words[columns[0]]);
        note(&hash, sizeof hash);
        bits = gc_duel_comparisons(gc_duel_signatures(signs, columns));
        note(&bits, sizeof bits);
    }
    tell("duel");
}

static gch_series hearts_series(void)
{
    static const unsigned char cycle[4] = {0, 1, 2, 3};
    gch_series t;
    memset(&t, 0, sizeof t);
    t.breakers = GCH_HEARTS;
    t.first_lead = GCH_C2;
    t.key = next_word();
    t.cycle = cycle;
    t.period = 4;
    return t;
}

static void check_hearts(void)
{
    int8_t points[4 * 1003];
    gch_series t;
    start(17);
    t = hearts_series();
    gch_random_rounds(points, 1003, 5, &t);
    note(points, sizeof points);
    tell("hearts");
}

static void check_pages(void)
{
    size_t sizes[3] = {100, 70000, (size_t)3 << 20}, i, k;
    start(19);
    for (i = 0; i < 3; i++) {
        unsigned char *p = (unsigned char *)gc_pages_alloc(sizes[i]);
        if (!p || ((uintptr_t)p & 63))
            fail("pages", (long long)sizes[i]);
        for (k = 0; k < sizes[i]; k += 61)
            sum += p[k], p[k] = 1;
        gc_pages_free(p, sizes[i]);
    }
    tell("pages");
}

/* For counting: the kernel named, `repeat` times on one input of size n. */
#define COUNT_ROWS(T, S)                                                                                               \
    if (!strcmp(type, #S)) {                                                                                           \
        T *x = row_##S(n), *d = (T *)need((size_t)(n + ROWS_PAD) * sizeof(T)), *mine = (T *)need(4096 * sizeof(T));    \
        for (; repeat > 0; repeat--) {                                                                                 \
            gc_watch watch;                                                                                            \
            watch_none(&watch);                                                                                        \
            if (!strcmp(kernel, "greedy") || !strcmp(kernel, "greedy-plain"))                                          \
                cells_##S(ROWS_GREEDY, x, d, n, n, kernel[6] != 0);                                                    \
            else if (!strcmp(kernel, "both") || !strcmp(kernel, "both-plain"))                                         \
                cells_##S(ROWS_COOPERATIVE, x, d, n, n, kernel[4] != 0);                                               \
            else if (!strcmp(kernel, "batch"))                                                                         \
                batch_##S(ROWS_GREEDY, x, n / 52, 52, 0, mine, mine + 2048, &watch);                                   \
        }                                                                                                              \
        note(d, sizeof(T)), note(mine, sizeof(T));                                                                     \
        free(x), free(d), free(mine);                                                                                  \
        return;                                                                                                        \
    }

static void count(const char *kernel, const char *type, int64_t n, long repeat)
{
    start(23);
    if (!strncmp(kernel, "fold", 4)) {
        int32_t *x = row_i32(n);
        int64_t *stack = (int64_t *)need((size_t)(n + 1) * sizeof(int64_t)), k = 0;
        for (; repeat > 0; repeat--)
            k += fold_of(x, n, stack, kernel[4] != 0);
        note(&k, sizeof k);
        free(x), free(stack);
        return;
    }
    if (!strcmp(kernel, "mirror")) {
        uint64_t a = next_word(), b = next_word();
        for (n *= repeat; n > 0; n--)
            gc_mirror_rows(a, b, 1, &a, &b);
        note(&a, sizeof a), note(&b, sizeof b);
        return;
    }
    if (!strcmp(kernel, "hearts")) {
        int8_t *points = (int8_t *)need(4 * (size_t)n);
        gch_series t = hearts_series();
        for (; repeat > 0; repeat--)
            gch_random_rounds(points, n, 5, &t);
        note(points, 4);
        free(points);
        return;
    }
    COUNT_ROWS(int16_t, i16)
    COUNT_ROWS(int32_t, i32)
    COUNT_ROWS(int64_t, i64)
    COUNT_ROWS(double, f64)
}

int main(int argc, char **argv)
{
    if (argc == 5) {
        count(argv[1], argv[2], strtoll(argv[3], NULL, 10), strtol(argv[4], NULL, 10));
        tell(argv[1]);
        return 0;
    }
    check_words();
    check_duel();
    check_hearts();
    check_rows_i16();
    check_rows_i32();
    check_rows_i64();
    check_rows_f64();
    check_folding();
    check_pages();
    return 0;
}
