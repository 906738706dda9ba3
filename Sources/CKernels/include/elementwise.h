#ifndef NETCONV_CKERNELS_ELEMENTWISE_H
#define NETCONV_CKERNELS_ELEMENTWISE_H

#include <stddef.h>

/// Functions of two values a and b, with a number s. A NaN on either side wins.
typedef enum {
  NETCONV_SUM,
  /// a + s · b.
  NETCONV_SCALED_SUM,
  NETCONV_DIFFERENCE,
  NETCONV_PRODUCT,
  NETCONV_QUOTIENT,
  /// (a + b) / s.
  NETCONV_MEAN,
  NETCONV_LARGEST,
  NETCONV_SMALLEST,
  /// b · a below 0, a above.
  NETCONV_SLOPE,
  /// a / (1 + e^-b).
  NETCONV_GATE,
} netconv_combination;

/// Two rows of values combined. Either may be the result's own memory; otherwise they lie apart from it.
typedef struct {
  netconv_combination combination;
  float s;
  const float *a, *b;
  /// Whether a row has the same value at all places, and so only one in memory.
  int a_is_constant, b_is_constant;
  float *y;
  ptrdiff_t count;
} netconv_combine;

/// Pixels whose channels are each shifted and scaled: y = (x - mean) · scale + shift.
typedef struct {
  /// [pixels][channels]; may be the result's own memory.
  const float *x;
  float *y;
  /// One value per channel.
  const float *mean, *scale, *shift;
  ptrdiff_t channels, pixels;
} netconv_affine;

#endif
