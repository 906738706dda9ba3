#ifndef NETCONV_CKERNELS_DEPTHWISE_H
#define NETCONV_CKERNELS_DEPTHWISE_H

#include <stddef.h>

/// A depthwise convolution of channels-last pixels with one output channel for each input channel.
///
/// All windows lie within the input: images are surrounded by zeros where they need it.
typedef struct {
  /// The value under the first tap of the first pixel.
  const float *x;
  float *y;
  /// [window_rows][window_columns][channels].
  const float *kernel;
  /// One value per channel.
  const float *bias;
  ptrdiff_t channels;
  /// Taps.
  ptrdiff_t window_rows, window_columns;
  /// Output pixels in a row.
  ptrdiff_t columns;
  /// The distance in `x` of what neighbouring pixels and rows of the output start with, in values.
  ptrdiff_t pixel_stride, row_stride;
  /// The distance in `x` of neighbouring taps and rows of taps.
  ptrdiff_t tap_stride, tap_row_stride;
  /// Results are kept within these bounds; a NaN stays one.
  float lowest, highest;
} netconv_depthwise;

#endif
