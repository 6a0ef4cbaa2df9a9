/* The templates of rows for each element type: rows_i16 and rows_folding_i16, and so for i32, i64 and f64. */
#ifndef GAMECORE_ROWS_TEMPLATES_H
#define GAMECORE_ROWS_TEMPLATES_H

#include "bits.h"
#include "rows_element.h"
#include "rows_vec.h"

#define T int16_t
#define ELEMENT i16
#define LANES (ROWS_BYTES / 2)
#define IS_WHOLE 1
#define HAS_TABLE 0
#define HAS_ROUNDS 0
#include "rows_template.h"

#define T int32_t
#define ELEMENT i32
#define LANES (ROWS_BYTES / 4)
#define IS_WHOLE 1
#define HAS_TABLE 1
#define HAS_ROUNDS (ROWS_BYTES > 16 || ROWS_NEON)
#include "rows_template.h"

#define T int64_t
#define ELEMENT i64
#define LANES (ROWS_BYTES / 8)
#define IS_WHOLE 1
#define HAS_TABLE 1
#define HAS_ROUNDS (ROWS_BYTES > 32)
#include "rows_template.h"

#define T double
#define ELEMENT f64
#define LANES (ROWS_BYTES / 8)
#define IS_WHOLE 0
#define HAS_TABLE 1
#define HAS_ROUNDS 0
#include "rows_template.h"

#endif
