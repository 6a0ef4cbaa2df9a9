/* An oracle of Hexapawn: search every move, with a memo of whole positions.

   Written from the rules, independently of the solver, without bounds, mirror images or move ordering.  A board is its
   text, row by row from the top: 'P' white, which moves towards the first row, 'p' black, ' ' empty. */
#define KEY 72 /* the squares, and the side to move */
#include "memo.h"

static int rows, columns;

/* Wins come before losses; of wins the sooner, of losses (0 and less) the later is better. */
static int better(int a, int b) { return (a > 0) == (b > 0) ? a < b : a > 0; }

/* The value for the side to move. */
static int search(const char *board, int white_moves)
{
    const char own = white_moves ? 'P' : 'p', other = white_moves ? 'p' : 'P';
    const char *far = board + (white_moves ? (rows - 1) * columns : 0); /* the row that the other side wants to reach */
    char after[64], key[KEY] = {0};
    int row, column, to_row, side, value, moves = 0, best = 0;
    if (memchr(far, other, (size_t)columns))
        return 0;
    memcpy(key, board, (size_t)(rows * columns));
    key[64] = (char)white_moves;
    if (find(key)->taken)
        return find(key)->value;
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
                value = value > 0 ? -value - 1 : 1 - value;
                if (!moves++ || better(value, best))
                    best = value;
            }
    remember(key, best);
    return best;
}

/* The value for the side to move of a board of height x width squares, as text without line breaks.  The memo is kept
   for the next call of the same size. */
int hexapawn_value(const char *board, int height, int width, int white_moves)
{
    if (height != rows || width != columns) {
        rows = height;
        columns = width;
        empty();
    }
    return search(board, white_moves);
}
