// The kernels of one level. The includer defines LEVEL, LANES (values of a vector), and the register tile of
// the matrix product: TILE_ROWS rows of TILE_VECTORS vectors.

#include "../level_list.h"

#define JOIN_(a, b) netconv_##a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

// Contracts a * b + c to one instruction where the level has one.
#pragma STDC FP_CONTRACT ON

/// A vector at any address.
typedef float vector __attribute__((ext_vector_type(LANES), aligned(4)));
/// The masks that comparisons of vectors give.
typedef int mask __attribute__((ext_vector_type(LANES), aligned(4)));

#define INLINE static inline __attribute__((always_inline))
/// Before a loop over an array of vectors: they can only be in registers once no index is a variable.
#define UNROLL _Pragma("clang loop unroll(full)")

#include "gemm.inc.h"
#include "peak.inc.h"
#include "pooling.inc.h"
#include "depthwise.inc.h"
#include "part.inc.h"
#include "exponential.inc.h"
#include "activation.inc.h"
#include "softmax.inc.h"
#include "elementwise.inc.h"
#include "correlation.inc.h"
#include "filters.inc.h"

const netconv_level JOIN(level, LEVEL) = {
  .name = TEXT(LEVEL),
  .tile_rows = TILE_ROWS,
  .tile_columns = TILE_COLUMNS,
  .gemm = gemm,
  .max_pool = max_pool,
  .average_pool = average_pool,
  .depthwise = depthwise,
  .activate = activate,
  .softmax = softmax,
  .softmax_part = softmax_part,
  .combine = combine,
  .affine = affine,
  .correlate = correlate,
  .mix = mix,
  .scale = scale_pixels,
  .sample_rows = sample_rows,
  .sample_columns = sample_columns,
  .premultiply = premultiply,
  .unpremultiply = unpremultiply,
  .is_opaque = is_opaque,
  .peak = peak,
};
