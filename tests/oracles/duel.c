/* An oracle of the open-hand card duel: search every play, with a memo of whole positions.

   Written from the rules, independently of the solver, without bounds, tests or equivalent cards. */
#define KEY 24
#include "memo.h"

typedef struct {
    uint64_t mover, other;
    int64_t last;
} position;

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

/* The value for the mover: points won, below 0 points paid.  last: the card to match, -1 if any card may be played. */
static int search(uint64_t mover, uint64_t other, int last)
{
    const position key = {mover, other, last};
    int card, value, best = 0, found = 0;
    if (find(&key)->taken)
        return find(&key)->value;
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
    remember(&key, best);
    return best;
}

/* The value for the mover.  Hands have a bit for each card, and are not empty. */
int duel_value(uint64_t mover, uint64_t other, int last)
{
    empty();
    return search(mover, other, last);
}
