/* An oracle of the open-hand card duel: search every play, with a memo of whole positions.

   Written from the rules, independently of the solver, without bounds, tests or equivalent cards. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t mover, other;
    int16_t last, value;
} entry; /* free if both hands are empty */

static entry *map;
static size_t room, held;

static int suit(int card) { return card / 13; }
static int number(int card) { return card % 13 + 1; }
static int fits(int card, int last) { return suit(card) == suit(last) || number(card) == number(last); }

static int points(uint64_t hand)
{
    int card, sum = 0;
    for (card = 0; card < 52; card++)
        if (hand >> card & 1)
            sum += number(card);
    return sum;
}

static entry *find(uint64_t mover, uint64_t other, int last)
{
    uint64_t hash =
        (mover * 0x9E3779B97F4A7C15u ^ other) * 0xC2B2AE3D27D4EB4Fu + (uint64_t)(last + 1) * 0x165667B19E3779F9u;
    size_t at = (hash ^ hash >> 29) % room;
    while ((map[at].mover || map[at].other) &&
           (map[at].mover != mover || map[at].other != other || map[at].last != last))
        at = (at + 1) % room;
    return &map[at];
}

static void remember(uint64_t mover, uint64_t other, int last, int value)
{
    entry *old = map, new = {mover, other, (int16_t)last, (int16_t)value};
    size_t i, before = room;
    if (2 * ++held > room) {
        room = 2 * room + 1;
        map = calloc(room, sizeof(entry));
        if (!map)
            abort();
        for (i = 0; i < before; i++)
            if (old[i].mover || old[i].other)
                *find(old[i].mover, old[i].other, old[i].last) = old[i];
        free(old);
    }
    *find(mover, other, last) = new;
}

/* The value for the mover: points won, below 0 points paid.  last: the card to match, -1 if any card may be played. */
static int search(uint64_t mover, uint64_t other, int last)
{
    entry *known = find(mover, other, last);
    int card, value, best = 0, found = 0;
    if (known->mover || known->other)
        return known->value;
    for (card = 0; card < 52; card++) {
        uint64_t rest = mover & ~((uint64_t)1 << card);
        if (rest == mover || (last >= 0 && !fits(card, last)))
            continue;
        value = rest ? -search(other, rest, card) : points(other); /* an empty hand ends the game */
        if (!found || value > best)
            best = value;
        found = 1;
    }
    if (!found) /* no card fits: a pass, and the other may play any card */
        best = -search(other, mover, -1);
    remember(mover, other, last, best);
    return best;
}

static int card_of(const char *text)
{
    return 13 * (int)(strchr("CDHS", text[0]) - "CDHS") + (int)(strchr("A23456789TJQK", text[1]) - "A23456789TJQK");
}

static uint64_t hand_of(const char *text)
{
    uint64_t hand = 0;
    for (; *text; text += 2)
        hand |= (uint64_t)1 << card_of(text);
    return hand;
}

/* The value for the mover.  Hands are cards without separators ("DQH2"), not empty; last is a card or "". */
int duel_value(const char *mover, const char *other, const char *last)
{
    int value;
    room = 1021;
    held = 0;
    map = calloc(room, sizeof(entry));
    if (!map)
        abort();
    value = search(hand_of(mover), hand_of(other), *last ? card_of(last) : -1);
    free(map);
    return value;
}
