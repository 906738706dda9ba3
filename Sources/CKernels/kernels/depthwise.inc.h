// The depthwise convolution of one level.
//
// Some channels at a time go through all rows, so that the few rows under a window stay in the L1 cache however
// many channels there are. A tile of PIXELS neighbouring pixels by CHANNEL_VECTORS vectors of channels is summed
// in registers over all taps: a value of the kernel is loaded once for the tile.

enum {
  PIXELS = 4,
  /// 8 sums and 2 vectors of the kernel fit 16 registers.
  CHANNEL_VECTORS = 2,
};

/// `pixels` pixels of `vectors` vectors of channels; both are constants wherever this is called.
///
/// `x`, `kernel`, `bias` and `y` point to what belongs to the tile's first pixel and channel.
INLINE void depthwise_tile(
  const int pixels, const int vectors, const netconv_depthwise *job, const float *x,
  const float *kernel, const float *bias, float *y
) {
  const ptrdiff_t channels = job->channels, tap_stride = job->tap_stride;
  const ptrdiff_t window_columns = job->window_columns;
  vector sum[PIXELS * CHANNEL_VECTORS];
  UNROLL for (int i = 0; i < pixels * vectors; i++)
    sum[i] = *(const vector *)(bias + i % vectors * LANES);
  // One pointer for each pixel and one offset for all: more would not fit the registers.
  const float *pixel[PIXELS];
  UNROLL for (int p = 0; p < pixels; p++) pixel[p] = x + p * job->pixel_stride;
  for (ptrdiff_t i = 0; i < job->window_rows; i++) {
    ptrdiff_t offset = i * job->tap_row_stride;
#pragma clang loop unroll(disable)
    for (ptrdiff_t j = 0; j < window_columns; j++, offset += tap_stride, kernel += channels) {
      vector factor[CHANNEL_VECTORS];
      UNROLL for (int v = 0; v < vectors; v++) factor[v] = *(const vector *)(kernel + v * LANES);
      UNROLL for (int i = 0; i < pixels * vectors; i++)
        sum[i] += *(const vector *)(pixel[i / vectors] + offset + i % vectors * LANES)
                  * factor[i % vectors];
    }
  }
  UNROLL for (int i = 0; i < pixels * vectors; i++)
    *(vector *)(y + i / vectors * channels + i % vectors * LANES) =
      clamp(sum[i], job->lowest, job->highest);
}

/// Some rows of `vectors` vectors of channels from `c` on, a constant wherever this is called.
INLINE void depthwise_rows(
  const int vectors, const netconv_depthwise *job, ptrdiff_t rows, ptrdiff_t c
) {
  const ptrdiff_t columns = job->columns, channels = job->channels;
  const float *const kernel = job->kernel + c, *const bias = job->bias + c;
  for (ptrdiff_t row = 0; row < rows; row++) {
    const float *const x = job->x + row * job->row_stride + c;
    float *const y = job->y + row * columns * channels + c;
    for (ptrdiff_t w = 0; w < columns && columns >= PIXELS; w += PIXELS) {
      // The last tile computes some pixels again, which is sooner done than each of the rest alone.
      const ptrdiff_t first = w + PIXELS <= columns ? w : columns - PIXELS;
      depthwise_tile(
        PIXELS, vectors, job, x + first * job->pixel_stride, kernel, bias, y + first * channels);
    }
    for (ptrdiff_t w = 0; w < columns && columns < PIXELS; w++)
      depthwise_tile(1, vectors, job, x + w * job->pixel_stride, kernel, bias, y + w * channels);
  }
}

/// Channel after channel, for pixels that have fewer of them than a vector.
static void depthwise_channels(const netconv_depthwise *job, ptrdiff_t rows) {
  const ptrdiff_t channels = job->channels;
  for (ptrdiff_t row = 0; row < rows; row++)
    for (ptrdiff_t w = 0; w < job->columns; w++)
      for (ptrdiff_t c = 0; c < channels; c++) {
        const float *x = job->x + row * job->row_stride + w * job->pixel_stride + c;
        const float *kernel = job->kernel + c;
        float sum = job->bias[c];
        for (ptrdiff_t i = 0; i < job->window_rows; i++)
          for (ptrdiff_t j = 0; j < job->window_columns; j++, kernel += channels)
            sum += x[i * job->tap_row_stride + j * job->tap_stride] * *kernel;
        sum = job->lowest > sum ? job->lowest : sum;
        job->y[(row * job->columns + w) * channels + c] = job->highest < sum ? job->highest : sum;
      }
}

static void depthwise(const netconv_depthwise *job, ptrdiff_t rows) {
  const ptrdiff_t channels = job->channels, wide = CHANNEL_VECTORS * LANES;
  if (channels < LANES) {
    depthwise_channels(job, rows);
    return;
  }
  ptrdiff_t c = 0;
  for (; c + wide <= channels; c += wide) depthwise_rows(CHANNEL_VECTORS, job, rows, c);
  for (; c + LANES <= channels; c += LANES) depthwise_rows(1, job, rows, c);
  // The last vector computes some channels again.
  if (c < channels) depthwise_rows(1, job, rows, channels - LANES);
}
