/* An oracle of Hexapawn: search every move, with a memo of whole positions.

   Written from the rules, independently of the solver, without bounds, mirror images or move ordering.  A board is its
   text, row by row from the top: 'P' white, which moves towards the first row, 'p' black, ' ' empty. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char board[64];
    int8_t white_moves, value, taken;
} entry;

static entry *map;
static size_t room, held;
static int rows, columns;

static entry *find(const char *board, int white_moves)
{
    uint64_t hash = (uint64_t)white_moves + 1;
    size_t at;
    int i;
    for (i = 0; i < rows * columns; i++)
        hash = (hash ^ (uint64_t)board[i]) * 0x9E3779B97F4A7C15u;
    for (at = (hash ^ hash >> 32) % room; map[at].taken; at = (at + 1) % room)
        if (map[at].white_moves == white_moves && !memcmp(map[at].board, board, (size_t)(rows * columns)))
            break;
    return &map[at];
}

static void remember(const char *board, int white_moves, int value)
{
    entry *old = map, *new;
    size_t i, before = room;
    if (2 * ++held > room) {
        room = 2 * room + 1;
        map = calloc(room, sizeof(entry));
        if (!map)
            abort();
        for (i = 0; i < before; i++)
            if (old[i].taken)
                *find(old[i].board, old[i].white_moves) = old[i];
        free(old);
    }
    new = find(board, white_moves);
    memcpy(new->board, board, (size_t)(rows * columns));
    new->white_moves = (int8_t)white_moves;
    new->value = (int8_t)value;
    new->taken = 1;
}

/* The value for the side to move. */
static int search(const char *board, int white_moves)
{
    const char own = white_moves ? 'P' : 'p', other = white_moves ? 'p' : 'P';
    const char *far = board + (white_moves ? (rows - 1) * columns : 0); /* the row that the other side wants to reach */
    char after[64];
    int row, column, to_row, side, value;
    int moves = 0, lost_after = 0, slowest = 0, quickest = -128;
    entry *known;
    if (memchr(far, other, (size_t)columns))
        return 0;
    known = find(board, white_moves);
    if (known->taken)
        return known->value;
    for (row = 0; row < rows; row++)
        for (column = 0; column < columns; column++)
            for (side = -1; side <= 1; side++) {
                to_row = row + (white_moves ? -1 : 1);
                if (board[row * columns + column] != own || to_row < 0 || to_row >= rows)
                    continue;
                if (column + side < 0 || column + side >= columns)
                    continue;
                if (board[to_row * columns + column + side] != (side ? other : ' '))
                    continue;
                memcpy(after, board, (size_t)(rows * columns));
                after[row * columns + column] = ' ';
                after[to_row * columns + column + side] = own;
                value = search(after, !white_moves);
                moves++;
                if (value > 0 && value > slowest)
                    slowest = value; /* the other side wins: the later, the better */
                if (value <= 0)
                    lost_after = 1;
                if (value <= 0 && value > quickest)
                    quickest = value; /* the other side loses: the sooner, the better */
            }
    value = !moves ? 0 : lost_after ? -(quickest - 1) : -(slowest + 1);
    remember(board, white_moves, value);
    return value;
}

/* The value for the side to move of a board of height x width squares, as text without line breaks.  The memo is kept
   for the next call of the same size. */
int hexapawn_value(const char *board, int height, int width, int white_moves)
{
    if (height != rows || width != columns) {
        free(map);
        rows = height;
        columns = width;
        room = 1021;
        held = 0;
        map = calloc(room, sizeof(entry));
        if (!map)
            abort();
    }
    return search(board, white_moves);
}
