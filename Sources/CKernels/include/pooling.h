#ifndef NETCONV_CKERNELS_POOLING_H
#define NETCONV_CKERNELS_POOLING_H

#include <stddef.h>

/// A window that slides along one axis of an image.
typedef struct {
  /// Input and output pixels.
  ptrdiff_t input, output;
  /// Taps of a window, the distance of two windows, and the padding before the first pixel.
  ptrdiff_t size, stride, before;
} netconv_window;

/// A pooling of channels-last images.
typedef struct {
  const float *x;
  float *y;
  ptrdiff_t channels;
  netconv_window rows, columns;
} netconv_pooling;

#endif
