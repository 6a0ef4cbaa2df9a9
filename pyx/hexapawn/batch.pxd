# Solve many positions of one board size in one call, to avoid a Python call per position.
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from common.watch cimport INTERRUPTED, Watch, look, now_ns
from hexapawn.search cimport Engine
from hexapawn.table cimport BUCKET_BYTES, table_clear
from hexapawn.value cimport Proof, solve_position

cdef struct Positions:
    const uint64_t* white
    const uint64_t* black
    const uint8_t* black_to_move
    int64_t count

cdef struct Proofs:
    # Output arrays of a batch, one item a position.
    int8_t* winner
    int16_t* least
    int16_t* most
    int64_t* nodes
    int64_t* nanoseconds
    int64_t* table_bytes
    int64_t* replacements
    int64_t* line_end              # end of each position's line in `line`
    uint8_t* line                  # two bytes a move: source, target; grows as needed, freed by the caller
    int64_t line_room


cdef inline void forget(Engine* e) noexcept nogil:
    # Clear all that was learnt from other positions: the table, the histories, the estimates.
    table_clear(&e.table)
    memset(e.history.patterns, 0, (<size_t>1 << (64 - e.history.pattern_shift)) * sizeof(int16_t))
    if e.estimates.is_trained:  # clearing a large board's millions of weights takes longer than most searches
        e.estimates.is_trained = False
        memset(e.estimates.weights, 0, (<size_t>1 << (64 - e.estimates.shift)) * sizeof(int16_t))
    memset(e.history.replies, 0, e.history.codes * e.history.codes * sizeof(int16_t))


cdef inline bint append_line(Proofs* out, int64_t at, const Proof* proof) noexcept nogil:
    # False if there is no memory.
    cdef int64_t k, room
    cdef void* more
    if at + 2 * proof.plies > out.line_room:
        room = 2 * out.line_room + 2 * proof.plies + 4096
        more = realloc(out.line, room)
        if more == NULL:
            return False
        out.line = <uint8_t*>more
        out.line_room = room
    for k in range(proof.plies):
        out.line[at + 2 * k] = <uint8_t>proof.line[k].source
        out.line[at + 2 * k + 1] = <uint8_t>proof.line[k].target
    return True


cdef inline bint solve_positions(Engine* e, Watch* pace, const Positions* positions, double seconds, uint64_t nodes,
                                 int want_line, bint afresh, Proofs* out) noexcept nogil:
    # Solve the positions in order, each within the limits; False if there is no memory.  `afresh`: forget before each.
    # Stops early if `pace`, the batch's watch, says so (the engine's watch restarts with each position).  If a signal
    # handler raised, one of the two watches is INTERRUPTED.
    cdef Proof proof
    cdef int64_t i, begun, ended, replaced, at = 0
    cdef bint appended
    begun = now_ns()
    for i in range(positions.count):
        if look(pace):
            return True
        if afresh:
            forget(e)
        replaced = <int64_t>e.table.replacements
        if not solve_position(e, positions.white[i], positions.black[i], positions.black_to_move[i], seconds, nodes,
                              want_line, &proof):
            return False
        appended = append_line(out, at, &proof)
        free(proof.line)
        if not appended:
            return False
        if e.watch.stop == INTERRUPTED:
            return True
        at += 2 * proof.plies
        out.winner[i] = <int8_t>proof.winner
        out.least[i] = <int16_t>proof.least
        out.most[i] = <int16_t>proof.most
        out.nodes[i] = <int64_t>e.watch.nodes
        out.table_bytes[i] = <int64_t>((e.table.mask + 1) * BUCKET_BYTES)
        out.replacements[i] = <int64_t>e.table.replacements - replaced
        out.line_end[i] = at
        ended = now_ns()
        out.nanoseconds[i] = ended - begun
        begun = ended
    return True
