/* A team of threads on one row: the cells of a stage in one chunk a thread. The owner of the row runs its kernel.
   Before each long stage it opens the stage, computes the first chunk and then free chunks, and waits for the helpers'
   chunks. A helper that comes late, or never, costs time only. One word holds the state, `open`: NOT_YET, OVER, or the
   number of the stage and the next free chunk. */
#ifndef GAMECORE_ROWS_TEAM_H
#define GAMECORE_ROWS_TEAM_H

#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif

#define ROWS_TEAM_NOT_YET ((int64_t)-1)
#define ROWS_TEAM_OVER ((int64_t)-2)
#define ROWS_TEAM_CELLS 8192 /* a stage of fewer cells takes less time than sharing it */

typedef struct {
    int64_t open;    /* stage << 8 | next free chunk, while there are stages */
    int64_t at_work; /* helpers that may be reading or writing cells */
    int64_t done;    /* chunks of this stage that helpers have finished */
    int64_t chunks;  /* at most 255 */
    /* The stage; written by the owner while it is not open. */
    int mode, status;
    int64_t n, L, steps;
    const void *x, *from;
    void *to;
} rows_team;

#if defined(__GNUC__) || defined(__clang__)
static int64_t rows_team_load(const int64_t *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static void rows_team_store(int64_t *p, int64_t a) { __atomic_store_n(p, a, __ATOMIC_SEQ_CST); }
static void rows_team_add(int64_t *p, int64_t a) { __atomic_fetch_add(p, a, __ATOMIC_SEQ_CST); }
static int rows_team_swap(int64_t *p, int64_t old, int64_t a)
{
    return __atomic_compare_exchange_n(p, &old, a, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#define ROWS_TEAM_WORKS 1
#else /* no atomics that we know: the owner works alone */
static int64_t rows_team_load(const int64_t *p) { return *p; }
static void rows_team_store(int64_t *p, int64_t a) { *p = a; }
static void rows_team_add(int64_t *p, int64_t a) { *p += a; }
static int rows_team_swap(int64_t *p, int64_t old, int64_t a) { return (void)old, *p = a, 1; }
#define ROWS_TEAM_WORKS 0
#endif

static void rows_team_pause(void)
{
#if defined(__unix__) || defined(__APPLE__)
    sched_yield();
#endif
}

static void rows_team_start(rows_team *team, int64_t threads)
{
    memset(team, 0, sizeof *team);
    team->chunks = threads;
    team->open = ROWS_TEAM_NOT_YET;
}

/* End the stages; return when no helper uses the cells. */
static void rows_team_close(rows_team *team)
{
    rows_team_store(&team->open, ROWS_TEAM_OVER);
    while (rows_team_load(&team->at_work) > 0)
        rows_team_pause();
}

/* Take a chunk of the open stage; -1 if there is none. A helper is at_work while it may have one. */
static int64_t rows_team_take(rows_team *team)
{
    int64_t open = rows_team_load(&team->open);
    while (open >= 0 && (open & 255) < team->chunks) {
        if (rows_team_swap(&team->open, open, open + 1))
            return open & 255;
        open = rows_team_load(&team->open);
    }
    return -1;
}

#endif
