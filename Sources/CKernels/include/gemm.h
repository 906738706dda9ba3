#ifndef NETCONV_CKERNELS_GEMM_H
#define NETCONV_CKERNELS_GEMM_H

#include <stddef.h>

/// A matrix product whose left rows are gathered from an image: a convolution or a dense layer.
///
/// Row r stands for one output pixel:
/// c[r, n] = clamp(bias[n] + addend[r, n] + sum over k of a[row(r) + offsets[k]] * b[k, n]).
/// Since the offsets of the taps are the same for every pixel, no matrix of patches is ever built.
typedef struct {
  /// The value under the first tap of the first pixel.
  const float *a;
  /// Output pixels in a row of an image, and in a whole image.
  ptrdiff_t row_pixels, image_pixels;
  /// The distance in `a` of neighbouring pixels, rows and images, in values.
  ptrdiff_t pixel_stride, row_stride, image_stride;
  /// Where the values that are summed lie, relative to the first tap; `depth` of them.
  const ptrdiff_t *offsets;
  ptrdiff_t depth;
  /// The right side in panels of the level's `tile_columns`: [columns / tile_columns][depth][tile_columns], the
  /// last one filled up with zeros.
  const float *b;
  /// One value per column, filled up with zeros to whole panels.
  const float *bias;
  /// What is added to the result, with its distance of rows, or NULL; may be the result's own memory.
  const float *addend;
  /// The result, its distance of rows, and its columns.
  float *c;
  ptrdiff_t c_stride;
  ptrdiff_t columns;
  /// Results are kept within these bounds; a NaN stays one.
  float lowest, highest;
} netconv_gemm;

#endif
