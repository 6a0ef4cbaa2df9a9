/* Hearts from its rules in words, for tests: every play of an ending is tried, to the last card.

   Written independently of the engine, and slow on purpose: cards are numbers from 0 to 51 in the order clubs,
   diamonds, spades, hearts and by rank, nothing is remembered, and points are counted from the cards that each seat has
   taken. */
#include <string.h>

enum { NO_PTS_ON_FIRST_TRICK, CAN_LEAD_ANY_CLUB, MUST_BREAK_HEARTS, QS_BREAKS_HEARTS };
enum { CAN_LEAD_HEARTS_INSTEAD_OF_QS = 4, JACK_OF_DIAMONDS, AVOID_ALL_TRICKS_BONUS, MOON_SHOOTER, NO_MOON };
enum { CLUBS, DIAMONDS, SPADES, HEARTS };
enum { C2 = 0, DJ = 13 + 9, SQ = 26 + 10 };

typedef struct {
    const int *rules;
    int holder[52], taker[52]; /* seats, -1 for nobody */
    int trick[4], in_trick, leader, played, broken;
} position;

static int suit(int card) { return card / 13; }
static int costs(int card) { return card == SQ ? 13 : suit(card) == HEARTS; }
static int mover(const position *p) { return (p->leader + p->in_trick) % 4; }

/* Whether the seat to move may play a card that it holds. */
static int may_play(const position *p, int card)
{
    int other, me = mover(p), follows = 0, harmless = 0, beside_hearts = 0, only_the_queen = 1;
    for (other = 0; other < 52; other++)
        if (p->holder[other] == me) {
            follows |= p->in_trick && suit(other) == suit(p->trick[0]);
            harmless |= !costs(other);
            beside_hearts |= suit(other) != HEARTS;
            only_the_queen &= suit(other) == HEARTS || other == SQ;
        }
    if (p->in_trick && follows)
        return suit(card) == suit(p->trick[0]);
    if (p->in_trick) /* the first trick is free of points, as far as the hand allows */
        return !(p->played < 4 && p->rules[NO_PTS_ON_FIRST_TRICK] && costs(card) && harmless);
    if (p->played == 0)
        return card == C2 || (p->rules[CAN_LEAD_ANY_CLUB] && suit(card) == CLUBS);
    if (suit(card) != HEARTS || p->broken || !p->rules[MUST_BREAK_HEARTS])
        return 1;
    return !beside_hearts || (only_the_queen && p->rules[CAN_LEAD_HEARTS_INSTEAD_OF_QS]);
}

static void play(position *p, int card)
{
    int i, best = 0;
    p->holder[card] = -1;
    p->trick[p->in_trick++] = card;
    p->played++;
    p->broken |= suit(card) == HEARTS || (card == SQ && p->rules[QS_BREAKS_HEARTS]);
    if (p->in_trick < 4)
        return;
    for (i = 1; i < 4; i++)
        if (suit(p->trick[i]) == suit(p->trick[0]) && p->trick[i] > p->trick[best])
            best = i;
    p->leader = (p->leader + best) % 4; /* who takes the trick leads the next one */
    for (i = 0; i < 4; i++)
        p->taker[p->trick[i]] = p->leader;
    p->in_trick = 0;
}

/* The score of a round that is over. */
static void count(const position *p, int *points)
{
    int card, seat, cards[4] = {0}, moon = -1;
    memset(points, 0, 4 * sizeof(int));
    for (card = 0; card < 52; card++) {
        points[p->taker[card]] += costs(card);
        cards[p->taker[card]]++;
    }
    for (seat = 0; seat < 4; seat++)
        if (points[seat] == 26 && !p->rules[NO_MOON])
            moon = seat;
    for (seat = 0; seat < 4; seat++) {
        if (moon >= 0 && p->rules[MOON_SHOOTER])
            points[seat] = seat == moon ? -26 : 0;
        else if (moon >= 0)
            points[seat] = seat == moon ? 0 : 26;
        else if (p->rules[AVOID_ALL_TRICKS_BONUS] && cards[seat] == 0)
            points[seat] -= 5;
        if (p->rules[JACK_OF_DIAMONDS] && p->taker[DJ] == seat)
            points[seat] -= 10;
    }
}

/* Points of the four seats.  me < 0: each seat plays for the fewest points of its own, and of equally good cards the
   first; else: seat `me` plays for the fewest points of its own, and the others for as many of those as they can. */
static void value(const position *p, int me, int *points)
{
    int card, result[4], who = mover(p), found = 0, better;
    if (p->played == 52) {
        count(p, points);
        return;
    }
    for (card = 0; card < 52; card++) {
        position next = *p;
        if (p->holder[card] != who || !may_play(p, card))
            continue;
        play(&next, card);
        value(&next, me, result);
        better = me < 0 ? result[who] < points[who] : who == me ? result[me] < points[me] : result[me] > points[me];
        if (!found || better)
            memcpy(points, result, sizeof(result));
        found = 1;
    }
}

/* A round: 52 cards as dealt, by seats; the three that each passes `direction` seats on (none for 0); plays. */
static void set_up(position *p, const int *rules, const char *deal, int direction, const char *passed,
                   const char *played, int plays)
{
    int i;
    memset(p, 0, sizeof(*p));
    p->rules = rules;
    for (i = 0; i < 52; i++) {
        p->holder[(int)deal[i]] = i / 13;
        p->taker[i] = -1;
    }
    for (i = 0; direction && i < 12; i++)
        p->holder[(int)passed[i]] = (i / 3 + direction) % 4;
    p->leader = p->holder[C2];
    for (i = 0; i < plays; i++)
        play(p, played[i]);
}

/* The legal cards, in order, and how many; with `max_n` also the values after each: 4 points, and the mover's paranoid
   ones.  Of a round that is over: none, and its score in `max_n`. */
int hearts_moves(const int *rules, const char *deal, int direction, const char *passed, const char *played, int plays,
                 int *seat, int *cards, int *max_n, int *paranoid)
{
    position p;
    int card, found = 0, points[4];
    set_up(&p, rules, deal, direction, passed, played, plays);
    *seat = mover(&p);
    if (p.played == 52)
        count(&p, max_n);
    for (card = 0; card < 52; card++) {
        position next = p;
        if (p.holder[card] != *seat || !may_play(&p, card))
            continue;
        if (max_n) {
            play(&next, card);
            value(&next, -1, max_n + 4 * found);
            value(&next, *seat, points);
            paranoid[found] = points[*seat];
        }
        cards[found++] = card;
    }
    return found;
}
