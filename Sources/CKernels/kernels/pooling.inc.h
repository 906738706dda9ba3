// Poolings of one level: a few vectors of channels at a time, all taps of a window before the next.

/// The taps of a window that lie within the image.
typedef struct {
  ptrdiff_t first, end;
} taps;

INLINE taps taps_of(netconv_window window, ptrdiff_t index) {
  const ptrdiff_t first = index * window.stride - window.before, end = first + window.size;
  return (taps){first > 0 ? first : 0, end < window.input ? end : window.input};
}

/// The larger of two; a NaN on either side wins.
INLINE vector larger(vector best, vector x) {
  const vector chosen = x > best ? x : best;
  // A mask is all ones where x is a NaN, and all ones are a NaN.
  return (vector)((mask)chosen | (x != x));
}

INLINE float larger_value(float best, float x) { return x > best || x != x ? x : best; }

/// Vectors of channels that a window reduces at once, to spread the cost of walking over its taps.
enum { POOL_VECTORS = 4 };

/// The largest of `vectors` vectors of channels, a constant wherever this is called.
INLINE void max_channels(
  const int vectors, const float *x, float *y, ptrdiff_t width, ptrdiff_t channels, taps rows,
  taps columns
) {
  vector best[POOL_VECTORS];
  UNROLL for (int v = 0; v < vectors; v++) best[v] = -__builtin_inff();
  for (ptrdiff_t row = rows.first; row < rows.end; row++)
    for (ptrdiff_t column = columns.first; column < columns.end; column++)
      UNROLL for (int v = 0; v < vectors; v++)
        best[v] = larger(best[v], *(const vector *)(x + (row * width + column) * channels + v * LANES));
  UNROLL for (int v = 0; v < vectors; v++) *(vector *)(y + v * LANES) = best[v];
}

/// The largest of each channel under a window; `x` is the image, `y` the output pixel.
INLINE void max_window(
  const float *x, float *y, ptrdiff_t width, ptrdiff_t channels, taps rows, taps columns
) {
  ptrdiff_t c = 0;
  for (; c + POOL_VECTORS * LANES <= channels; c += POOL_VECTORS * LANES)
    max_channels(POOL_VECTORS, x + c, y + c, width, channels, rows, columns);
  for (; c + LANES <= channels; c += LANES)
    max_channels(1, x + c, y + c, width, channels, rows, columns);
  for (; c < channels; c++) {
    float best = -__builtin_inff();
    for (ptrdiff_t row = rows.first; row < rows.end; row++)
      for (ptrdiff_t column = columns.first; column < columns.end; column++)
        best = larger_value(best, x[(row * width + column) * channels + c]);
    y[c] = best;
  }
}

/// The mean of `vectors` vectors of channels, a constant wherever this is called.
///
/// Rows are summed apart, which keeps the rounding error of large windows small.
INLINE void average_channels(
  const int vectors, const float *x, float *y, ptrdiff_t width, ptrdiff_t channels, taps rows,
  taps columns, float count
) {
  vector sum[POOL_VECTORS];
  UNROLL for (int v = 0; v < vectors; v++) sum[v] = 0;
  for (ptrdiff_t row = rows.first; row < rows.end; row++) {
    vector part[POOL_VECTORS];
    UNROLL for (int v = 0; v < vectors; v++) part[v] = 0;
    for (ptrdiff_t column = columns.first; column < columns.end; column++)
      UNROLL for (int v = 0; v < vectors; v++)
        part[v] += *(const vector *)(x + (row * width + column) * channels + v * LANES);
    UNROLL for (int v = 0; v < vectors; v++) sum[v] += part[v];
  }
  UNROLL for (int v = 0; v < vectors; v++) *(vector *)(y + v * LANES) = sum[v] / count;
}

/// The mean of each channel under a window.
INLINE void average_window(
  const float *x, float *y, ptrdiff_t width, ptrdiff_t channels, taps rows, taps columns
) {
  const float count = (float)((rows.end - rows.first) * (columns.end - columns.first));
  ptrdiff_t c = 0;
  for (; c + POOL_VECTORS * LANES <= channels; c += POOL_VECTORS * LANES)
    average_channels(POOL_VECTORS, x + c, y + c, width, channels, rows, columns, count);
  for (; c + LANES <= channels; c += LANES)
    average_channels(1, x + c, y + c, width, channels, rows, columns, count);
  for (; c < channels; c++) {
    float sum = 0;
    for (ptrdiff_t row = rows.first; row < rows.end; row++) {
      float part = 0;
      for (ptrdiff_t column = columns.first; column < columns.end; column++)
        part += x[(row * width + column) * channels + c];
      sum += part;
    }
    y[c] = sum / count;
  }
}

/// The loop over output pixels, with the window reduced by `window_function`.
#define POOL(window_function)                                                                  \
  const ptrdiff_t image_size = job->rows.input * job->columns.input * job->channels;           \
  float *y = job->y + first_row * job->columns.output * job->channels;                         \
  for (ptrdiff_t row = first_row; row < end_row; row++) {                                      \
    const float *const x = job->x + row / job->rows.output * image_size;                       \
    const taps rows = taps_of(job->rows, row % job->rows.output);                              \
    for (ptrdiff_t w = 0; w < job->columns.output; w++, y += job->channels)                    \
      window_function(                                                                         \
        x, y, job->columns.input, job->channels, rows, taps_of(job->columns, w));              \
  }

static void max_pool(const netconv_pooling *job, ptrdiff_t first_row, ptrdiff_t end_row) {
  POOL(max_window)
}

static void average_pool(const netconv_pooling *job, ptrdiff_t first_row, ptrdiff_t end_row) {
  POOL(average_window)
}
