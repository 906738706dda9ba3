#ifndef NETCONV_CKERNELS_FILTERS_H
#define NETCONV_CKERNELS_FILTERS_H

#include <stddef.h>

/// A picture that is correlated with the same taps along both axes; beyond an edge lies the edge.
typedef struct {
  /// [height][width][channels].
  const float *x;
  float *y;
  ptrdiff_t height, width, channels;
  /// 2 · radius + 1 of them.
  const float *taps;
  ptrdiff_t radius;
} netconv_correlation;

/// Pixels that become sums of their colours: y[o] = bias[o] + sum over i of matrix[o][i] · x[i].
typedef struct {
  const float *x;
  /// Not the memory of `x`.
  float *y;
  /// Colours, at most 4, and values of a pixel, of which those behind the colours are copied.
  ptrdiff_t inputs, input_values, outputs, output_values;
  /// [outputs][inputs].
  const float *matrix;
  const float *bias;
} netconv_mixture;

/// Pixels whose values are multiplied and shifted, each channel by its own numbers.
typedef struct {
  const float *x;
  float *y;
  ptrdiff_t channels;
  const float *scale, *shift;
} netconv_scaling;

/// Pixels of a row, or rows, that are weighted sums of some that follow each other.
typedef struct {
  const float *x;
  float *y;
  /// Of each result, the first place that it is made from, and how many there are.
  const ptrdiff_t *first, *count;
  /// Of each result, `most` weights.
  const float *weights;
  ptrdiff_t most;
} netconv_sampling;

enum {
  /// Values of a row that a correlation goes down the picture with, and rows that it makes at a time.
  NETCONV_STRIP = 1024,
  NETCONV_STRIP_ROWS = 4,
  /// Room behind the values of a row for what is computed beyond them, of the widest vectors.
  NETCONV_STRIP_SLACK = 128,
};

/// Values of scratch memory that a correlation takes in each thread.
ptrdiff_t netconv_correlation_scratch(ptrdiff_t channels, ptrdiff_t radius);

#endif
