#ifndef NETCONV_CKERNELS_LEVELS_H
#define NETCONV_CKERNELS_LEVELS_H

#include "activation.h"
#include "depthwise.h"
#include "elementwise.h"
#include "filters.h"
#include "gemm.h"
#include "pooling.h"

/// The kernels built for one set of vector instructions.
typedef struct {
  /// What NETCONV_CPU calls it.
  const char *name;
  /// Rows and columns of the tile that the matrix product keeps in registers.
  ptrdiff_t tile_rows, tile_columns;
  /// Computes rows [first_row, end_row) of panels [first_panel, end_panel).
  void (*gemm)(
    const netconv_gemm *job, ptrdiff_t first_row, ptrdiff_t end_row, ptrdiff_t first_panel,
    ptrdiff_t end_panel);
  /// Poolings compute rows [first_row, end_row) of the output; an image's rows follow those of the one before.
  void (*max_pool)(const netconv_pooling *job, ptrdiff_t first_row, ptrdiff_t end_row);
  void (*average_pool)(const netconv_pooling *job, ptrdiff_t first_row, ptrdiff_t end_row);
  /// Computes the first `rows` rows of the output.
  void (*depthwise)(const netconv_depthwise *job, ptrdiff_t rows);
  /// Applies a function to `count` values of `x`; `y` may be the same memory.
  void (*activate)(
    const netconv_activation *activation, const float *x, float *y, ptrdiff_t count);
  /// The softmax of each column of `count` matrices of `rows` by `columns` values; `y` may be the same memory.
  void (*softmax)(
    const float *x, float *y, ptrdiff_t count, ptrdiff_t rows, ptrdiff_t columns);
  /// Continues the softmax of a row with `count` further values; see the kernel.
  float (*softmax_part)(float *x, ptrdiff_t count, float *largest, float *sum);
  void (*combine)(const netconv_combine *job);
  void (*affine)(const netconv_affine *job);
  /// Computes rows [first_row, end_row); `scratch` has as many values as netconv_correlation_scratch says.
  void (*correlate)(
    const netconv_correlation *job, float *scratch, ptrdiff_t first_row, ptrdiff_t end_row);
  void (*mix)(const netconv_mixture *job, ptrdiff_t first_pixel, ptrdiff_t end_pixel);
  void (*scale)(const netconv_scaling *job, ptrdiff_t first_pixel, ptrdiff_t end_pixel);
  /// Rows [first_row, end_row) of `count` values each from those of `x`.
  void (*sample_rows)(
    const netconv_sampling *job, ptrdiff_t count, ptrdiff_t first_row, ptrdiff_t end_row);
  /// All pixels of rows [first_row, end_row): `width` of them from `input_width`.
  void (*sample_columns)(
    const netconv_sampling *job, ptrdiff_t input_width, ptrdiff_t width, ptrdiff_t channels,
    ptrdiff_t first_row, ptrdiff_t end_row);
  /// Multiplies the colours of pixels with their last channel, which goes up to 255, or divides them by it.
  void (*premultiply)(const float *x, float *y, ptrdiff_t channels, ptrdiff_t pixels);
  void (*unpremultiply)(float *x, ptrdiff_t channels, ptrdiff_t pixels);
  /// Whether the last channel is 255 everywhere.
  int (*is_opaque)(const float *x, ptrdiff_t channels, ptrdiff_t pixels);
  /// Multiplies and adds in registers only; returns the number of floating-point operations done.
  double (*peak)(ptrdiff_t iterations);
} netconv_level;

/// The levels that this CPU can run, best first; `index` 0 exists on every CPU, NULL marks the end.
const netconv_level *netconv_available_level(int index);

/// What NETCONV_CPU asks for, or NULL.
const char *netconv_requested_level(void);

/// Cores that this process may use, at least 1.
int netconv_core_count(void);

#endif
