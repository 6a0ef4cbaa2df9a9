/* A memo of whole positions: a hash table of keys of KEY bytes, a multiple of 8, which the including oracle defines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char key[KEY];
    int value, taken;
} entry;

static entry *map;
static size_t room, held;

static entry *find(const void *key)
{
    uint64_t words[KEY / 8], hash = 0;
    size_t at, i;
    memcpy(words, key, KEY);
    for (i = 0; i < KEY / 8; i++)
        hash = (hash ^ words[i] ^ hash >> 29) * 0x9E3779B97F4A7C15u;
    at = (hash ^ hash >> 32) % room;
    while (map[at].taken && memcmp(map[at].key, key, KEY))
        at = (at + 1) % room;
    return &map[at];
}

/* Begin with this many free slots. */
static void allocate(size_t slots)
{
    room = slots;
    map = calloc(room, sizeof(entry));
    if (!map)
        abort();
}

static void remember(const void *key, int value)
{
    entry *old = map, *slot;
    size_t i, before = room;
    if (2 * ++held > room) {
        allocate(2 * room + 1);
        for (i = 0; i < before; i++)
            if (old[i].taken)
                *find(old[i].key) = old[i];
        free(old);
    }
    slot = find(key);
    memcpy(slot->key, key, KEY);
    slot->value = value;
    slot->taken = 1;
}

/* Forget everything. */
static void empty(void)
{
    free(map);
    held = 0;
    allocate(1021);
}
