/* A memo of whole positions: a hash table of keys of KEY bytes, a multiple of 8, which the including oracle defines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct entry {
    char key[KEY];
    int value, taken;
} *map;
static size_t room, held;

/* The place of a key: its entry, or the free one where it belongs. */
static struct entry *find(const void *key)
{
    uint64_t words[KEY / 8], hash = 0;
    memcpy(words, key, KEY);
    for (size_t i = 0; i < KEY / 8; i++)
        hash = (hash ^ words[i] ^ hash >> 29) * 0x9E3779B97F4A7C15u;
    size_t at = (hash ^ hash >> 32) % room;
    while (map[at].taken && memcmp(map[at].key, key, KEY))
        at = (at + 1) % room;
    return &map[at];
}

/* Change the number of slots; the entries are kept. */
static void resize(size_t slots)
{
    struct entry *old = map, *end = map + room;
    room = slots;
    map = calloc(room, sizeof(*map));
    if (!map)
        abort();
    for (struct entry *each = old; each < end; each++)
        if (each->taken)
            *find(each->key) = *each;
    free(old);
}

static void remember(const void *key, int value)
{
    if (2 * ++held > room)
        resize(2 * room + 1);
    struct entry *slot = find(key);
    memcpy(slot->key, key, KEY);
    slot->value = value;
    slot->taken = 1;
}

/* Forget everything. */
static void empty(void)
{
    room = held = 0;
    resize(1021);
}
