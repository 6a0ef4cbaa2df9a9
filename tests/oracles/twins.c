/* The portable twins of pyx/simd/hexapawn.h, or this processor's versions, as the compiler is called. */
#include "hexapawn.h"

void mirror(uint64_t *words, int shift) { gc_mirror_rows(words[0], words[1], shift, words, words + 1); }
void ternary(uint64_t *words, int base) { gc_ternary_rows(words[0], words[1], base, words, words + 1); }
