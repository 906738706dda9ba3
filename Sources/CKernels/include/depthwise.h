#ifndef NETCONV_CKERNELS_DEPTHWISE_H
#define NETCONV_CKERNELS_DEPTHWISE_H

#include "pooling.h"

/// A depthwise convolution of channels-last images with one output channel for each input channel.
typedef struct {
  const float *x;
  float *y;
  /// [rows.size][columns.size][channels].
  const float *kernel;
  /// One value per channel.
  const float *bias;
  ptrdiff_t images, channels;
  netconv_window rows, columns;
  /// The distance of two taps.
  ptrdiff_t row_dilation, column_dilation;
  /// Results are kept within these bounds; a NaN stays one.
  float lowest, highest;
} netconv_depthwise;

#endif
