/* The cells of one row of an O(n^2) game, from the shortest intervals to longer ones, by one thread or a team.

   A stage is a number of passes over stripes with one S (see rows_steps.h).  Between stages the array stands in plain
   order, which is where the line of play takes its checkpoints.  Rows too short for stages go on in plain order.

   A team splits the cells of a stage into as many chunks as it has threads.  The owner of the row runs its kernel as
   ever; before each long stage it opens the stage, takes the first chunk, then whatever chunk nobody has taken, and
   waits for those that others have.  A helper that comes late, or never, costs time only.  Everything is decided by
   one word, `open`: NOT_YET, OVER, or the number of the stage and the next free chunk. */
#ifndef GAMECORE_ROWS_STAGES_H
#define GAMECORE_ROWS_STAGES_H

#include <stdatomic.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sched.h>
#endif
#include "rows_element.h"
#include "rows_marks.h"
#include "rows_vec.h"

#define ROWS_STAGE_LANES (ROWS_BYTES == 64 ? 64 : 16) /* vectors of cells from which a stage pays */
#define ROWS_STAGE_PARTS 24  /* a stage's double steps are 1/24 of its cells: waste past the end against restriping */
#define ROWS_TEAM_CELLS 8192 /* below so many cells a stage is shorter than handing it round */

enum { ROWS_TEAM_NOT_YET = -1, ROWS_TEAM_OVER = -2 };

typedef struct {
    rows_row row;
    int64_t L, steps; /* from the cells of length L to those of length L + 2 * steps */
    const char *from; /* the cells of length L */
    char *to;         /* may be `from` where one thread runs the stage */
} rows_stage;

typedef struct {
    _Atomic int64_t open;    /* stage << 8 | next free chunk, while there are stages */
    _Atomic int64_t at_work; /* helpers that may be reading or writing cells */
    _Atomic int64_t done;    /* chunks of this stage that helpers have finished */
    _Atomic int status;
    int64_t chunks;   /* at most 255 */
    rows_stage stage; /* written by the owner while it is not open */
} rows_team;

/* --- one stage ------------------------------------------------------------------------------------------------ */

/* How many double steps the stage from length L makes; 0 where a stage does not pay. */
static int64_t rows_stage_steps(const rows_row *row, int64_t L, int64_t target)
{
    int64_t cells = row->n - L + 1, steps = cells / ROWS_STAGE_PARTS / ROWS_K * ROWS_K;
    if (cells < row->element->lanes * ROWS_STAGE_LANES || (target - L) / 2 < steps)
        return 0;
    return steps;
}

/* Scratch memory of a stage. */
static void *rows_stage_room(const rows_stage *stage)
{
    int64_t lanes = stage->row.element->lanes, width = (stage->row.n - stage->L + 1) / lanes + 2 * ROWS_K + 2 + lanes;
    return rows_alloc((size_t)((3 * width + 2 * stage->steps + 2) * ROWS_BYTES));
}

/* Whether a stage has to end before the next pass, which costs `work` cells.  Helpers of a team have no watch. */
static int rows_stage_stopped(gc_watch *watch, const rows_team *team, int64_t work)
{
    if (!watch)
        return team->open == ROWS_TEAM_OVER;
    return work ? gc_watch_spend(watch, (uint64_t)work) : gc_watch_look(watch);
}

/* Run a stage.  count: cells of length L whose work the watch counts, 0: none of it. */
static int rows_run_stage(const rows_stage *stage, char *room, int64_t count, gc_watch *watch, const rows_team *team)
{
    const rows_element *element = stage->row.element;
    const char *x = stage->row.x;
    int64_t n = stage->row.n, L = stage->L, steps = stage->steps, lanes = element->lanes;
    int64_t S = (n - L + 1 - 2 * ROWS_K + lanes - 1) / lanes, width = S + 2 * ROWS_K, q;
    char *D = room, *X = D + (width + lanes) * ROWS_BYTES, *J = X + (width + lanes) * ROWS_BYTES;
    element->stripe(stage->from, S, width, n - L + 1, D);
    element->stripe(x, S, width, n, X);
    element->stripe(x + L * element->size, S, width + 2 * steps + 1, n - L, J);
    for (q = 0; q < steps; q += ROWS_K) {
        if (rows_stage_stopped(watch, team, count ? ROWS_K * (count - 1 - 2 * q - ROWS_K) : 0))
            return ROWS_STOPPED;
        if (q) /* the halo: the next lane's first vectors, one lane down */
            memcpy(D + S * ROWS_BYTES, D + element->size, 2 * ROWS_K * ROWS_BYTES);
        element->pass(stage->row.mode, ROWS_K, D, X, J + 2 * q * ROWS_BYTES, width);
    }
    element->unstripe(D, S, n - L - 2 * steps + 1, stage->to);
    return ROWS_DONE;
}

/* --- a team --------------------------------------------------------------------------------------------------- */

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

/* No stage comes any more; returns when no helper touches the cells. */
static void rows_team_close(rows_team *team)
{
    team->open = ROWS_TEAM_OVER;
    while (team->at_work > 0)
        rows_team_pause();
}

/* A chunk of the open stage that is this thread's now, or -1.  A helper is at_work while it may have one. */
static int64_t rows_team_take(rows_team *team)
{
    int64_t open = team->open;
    while (open >= 0 && (open & 255) < team->chunks)
        if (atomic_compare_exchange_strong(&team->open, &open, open + 1))
            return open & 255;
    return -1;
}

/* Run one chunk of a team's stage: the cells of a part of the row, a little longer to the right. */
static int rows_team_chunk(const rows_team *team, int64_t chunk, char *room, int64_t count, gc_watch *watch)
{
    rows_stage part = team->stage;
    int64_t cells = part.row.n - part.L - 2 * part.steps + 1, size = part.row.element->size;
    int64_t a = chunk * cells / team->chunks, b = (chunk + 1) * cells / team->chunks;
    part.row.x += a * size;
    part.from += a * size;
    part.to += a * size;
    part.row.n = b - a + 2 * part.steps + part.L - 1;
    return rows_run_stage(&part, room, count, watch, team);
}

/* The owner's part of a stage by a team. */
static int rows_team_stage(const rows_stage *stage, char *room, gc_watch *watch, rows_team *team, int64_t number)
{
    int64_t chunk, others = 0;
    int status;
    team->stage = *stage;
    team->done = 0;
    team->open = number << 8 | 1;
    status = rows_team_chunk(team, 0, room, stage->row.n - stage->L + 1, watch);
    while (!status && (chunk = rows_team_take(team)) >= 0) {
        others++;
        status = rows_team_chunk(team, chunk, room, 0, watch);
    }
    while (!status && team->done + others < team->chunks - 1) {
        rows_team_pause();
        if (gc_watch_look(watch))
            status = ROWS_STOPPED;
    }
    return status ? status : team->status;
}

/* A helper's part of all stages: until the owner says that it is over. */
static void rows_team_help(rows_team *team)
{
    int64_t chunk, open;
    char *room = NULL;
    while ((open = team->open) != ROWS_TEAM_OVER) {
        if (open < 0 || (open & 255) >= team->chunks) {
            rows_team_pause();
            continue;
        }
        team->at_work++;
        chunk = rows_team_take(team);
        if (chunk >= 0) {
            if (!room) /* the first stage needs most */
                room = rows_stage_room(&team->stage);
            if (room)
                rows_team_chunk(team, chunk, room, 0, NULL);
            else
                team->status = ROWS_NO_MEMORY;
            team->done++;
        }
        team->at_work--;
    }
    rows_free(room);
}

/* --- a row ---------------------------------------------------------------------------------------------------- */

/* Stages, as long as they pay, from the cells d of length *L on; checkpoints before each if marks are wanted. */
static int rows_stages(const rows_row *row, char *d, int64_t *L, int64_t target, rows_marks *marks, gc_watch *watch,
                       rows_team *team)
{
    rows_stage stage = {*row, *L, rows_stage_steps(row, *L, target), d, d};
    int64_t number = 0;
    int status = ROWS_DONE;
    char *room, *other = NULL; /* a team's stage has its cells in turn in d and in other */
    if (!stage.steps)
        return ROWS_DONE;
    room = rows_stage_room(&stage); /* the first stage needs most */
    if (team && row->n - *L + 1 >= ROWS_TEAM_CELLS)
        other = rows_alloc((size_t)((row->n + ROWS_PAD) * row->element->size));
    else
        team = NULL;
    if (!room || (team && !other))
        status = ROWS_NO_MEMORY;
    while (stage.steps && !status) {
        if (marks)
            status = rows_mark(marks, row, stage.L, stage.from);
        if (!status && team && row->n - stage.L + 1 >= ROWS_TEAM_CELLS) {
            stage.to = stage.from == d ? other : d;
            status = rows_team_stage(&stage, room, watch, team, number++);
        } else if (!status)
            status = rows_run_stage(&stage, room, row->n - stage.L + 1, watch, NULL);
        stage.from = stage.to;
        stage.L += 2 * stage.steps;
        stage.steps = rows_stage_steps(row, stage.L, target);
    }
    if (team)
        rows_team_close(team);
    if (stage.from != d)
        memcpy(d, stage.from, (size_t)((row->n - stage.L + 1) * row->element->size));
    *L = stage.L;
    rows_free(other);
    rows_free(room);
    return status;
}

/* From the cells d of length L to those of length target (same parity), leaving checkpoints if marks are wanted, with
   the help of a team if there is one.  d has ROWS_PAD elements more, which mean nothing. */
static int rows_advance(const rows_row *row, void *d, int64_t L, int64_t target, rows_marks *marks, gc_watch *watch,
                        rows_team *team)
{
    const rows_element *element = row->element;
    int64_t n = row->n, since = ROWS_TRIANGLE; /* double steps since the last checkpoint */
    int status = rows_stages(row, d, &L, target, marks, watch, team);
    while (L < target && !status) {
        int steps = n - L >= element->lanes && target - L >= 4 ? 2 : 1;
        if (marks && since >= ROWS_TRIANGLE - 1) {
            status = rows_mark(marks, row, L, d);
            since = 0;
        }
        if (gc_watch_spend(watch, (uint64_t)(steps * (n - L - steps))))
            return ROWS_STOPPED;
        if (steps == 2)
            element->shift_pass(row->mode, row->x, d, n, L);
        else
            element->double_step(row->mode, row->x, d, n, L);
        L += 2 * steps;
        since += steps;
    }
    return status;
}

#endif
