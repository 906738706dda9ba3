// The depthwise convolution of one level: a few vectors of channels at a time, all taps of a window before the
// next.

/// The taps of a window that lie within the image, and the pixel under tap 0, which may lie outside.
typedef struct {
  ptrdiff_t first, end, start;
} spread_taps;

INLINE spread_taps spread_taps_of(netconv_window window, ptrdiff_t dilation, ptrdiff_t index) {
  const ptrdiff_t start = index * window.stride - window.before;
  const ptrdiff_t first = start < 0 ? (dilation - 1 - start) / dilation : 0;
  const ptrdiff_t end = window.input > start ? (window.input - start + dilation - 1) / dilation : 0;
  return (spread_taps){first, end < window.size ? end : window.size, start};
}

/// `vectors` vectors of channels of one output pixel, a constant wherever this is called.
INLINE void depthwise_channels(
  const int vectors, const netconv_depthwise *job, const float *x, float *y, ptrdiff_t c,
  spread_taps rows, spread_taps columns
) {
  const ptrdiff_t channels = job->channels;
  vector sum[POOL_VECTORS];
  UNROLL for (int v = 0; v < vectors; v++) sum[v] = *(const vector *)(job->bias + c + v * LANES);
  for (ptrdiff_t i = rows.first; i < rows.end; i++) {
    const float *row = x + (rows.start + i * job->row_dilation) * job->columns.input * channels + c;
    const float *kernel = job->kernel + i * job->columns.size * channels + c;
    for (ptrdiff_t j = columns.first; j < columns.end; j++) {
      const float *pixel = row + (columns.start + j * job->column_dilation) * channels;
      UNROLL for (int v = 0; v < vectors; v++)
        sum[v] += *(const vector *)(pixel + v * LANES)
                  * *(const vector *)(kernel + j * channels + v * LANES);
    }
  }
  UNROLL for (int v = 0; v < vectors; v++)
    *(vector *)(y + c + v * LANES) = clamp(sum[v], job->lowest, job->highest);
}

/// One channel of one output pixel.
INLINE float depthwise_channel(
  const netconv_depthwise *job, const float *x, ptrdiff_t c, spread_taps rows, spread_taps columns
) {
  const ptrdiff_t channels = job->channels;
  float sum = job->bias[c];
  for (ptrdiff_t i = rows.first; i < rows.end; i++)
    for (ptrdiff_t j = columns.first; j < columns.end; j++)
      sum += x[((rows.start + i * job->row_dilation) * job->columns.input + columns.start
                + j * job->column_dilation) * channels + c]
             * job->kernel[(i * job->columns.size + j) * channels + c];
  sum = job->lowest > sum ? job->lowest : sum;
  return job->highest < sum ? job->highest : sum;
}

static void depthwise(const netconv_depthwise *job) {
  const ptrdiff_t channels = job->channels;
  const ptrdiff_t image_size = job->rows.input * job->columns.input * channels;
  float *y = job->y;
  for (ptrdiff_t image = 0; image < job->images; image++) {
    const float *x = job->x + image * image_size;
    for (ptrdiff_t h = 0; h < job->rows.output; h++) {
      const spread_taps rows = spread_taps_of(job->rows, job->row_dilation, h);
      for (ptrdiff_t w = 0; w < job->columns.output; w++, y += channels) {
        const spread_taps columns = spread_taps_of(job->columns, job->column_dilation, w);
        ptrdiff_t c = 0;
        for (; c + POOL_VECTORS * LANES <= channels; c += POOL_VECTORS * LANES)
          depthwise_channels(POOL_VECTORS, job, x, y, c, rows, columns);
        for (; c + LANES <= channels; c += LANES)
          depthwise_channels(1, job, x, y, c, rows, columns);
        for (; c < channels; c++) y[c] = depthwise_channel(job, x, c, rows, columns);
      }
    }
  }
}
