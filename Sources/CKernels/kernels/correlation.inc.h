// A separable correlation of one level: both axes in one sweep.
//
// A strip of columns goes down the picture. Of a few rows at a time the sums along the columns are made into
// scratch memory, which stays in the L1 cache, and from there the sums along the rows. The rows under the taps are
// read again for each few rows; of a strip they stay in the L2 cache.

enum {
  /// Rows that share what is loaded of the picture: 4 by 2 sums fit 16 registers.
  SWEEP_ROWS = NETCONV_STRIP_ROWS,
  SWEEP_VECTORS = 2,
};

/// Scratch memory of one row, with room for whole vectors behind the values.
INLINE ptrdiff_t sweep_stride(ptrdiff_t channels, ptrdiff_t radius) {
  return NETCONV_STRIP + 2 * radius * channels + NETCONV_STRIP_SLACK;
}

/// Sums along the columns of SWEEP_ROWS rows, `vectors` vectors wide; the last one may be there in part.
///
/// `rows` has 2 · radius + SWEEP_ROWS addresses, of the first row under the taps and so on.
INLINE void sweep_columns(
  const int vectors, const float *const *rows, ptrdiff_t place, ptrdiff_t part, const float *taps,
  ptrdiff_t count, float *y, ptrdiff_t stride
) {
  vector sum[SWEEP_ROWS * SWEEP_VECTORS];
  UNROLL for (int i = 0; i < SWEEP_ROWS * vectors; i++) sum[i] = 0;
  for (ptrdiff_t j = 0; j < count + SWEEP_ROWS - 1; j++) {
    vector x[SWEEP_VECTORS];
    UNROLL for (int v = 0; v < vectors; v++)
      x[v] = part > 0 ? load_part(rows[j] + place, part) : load(rows[j] + place + v * LANES);
    if (j >= SWEEP_ROWS - 1 && j < count) {
      UNROLL for (int i = 0; i < SWEEP_ROWS * vectors; i++)
        sum[i] += taps[j - i / vectors] * x[i % vectors];
    } else {
      // A row that is not under the taps adds nothing, not even a NaN.
      UNROLL for (int i = 0; i < SWEEP_ROWS * vectors; i++)
        if (j - i / vectors >= 0 && j - i / vectors < count)
          sum[i] += taps[j - i / vectors] * x[i % vectors];
    }
  }
  UNROLL for (int i = 0; i < SWEEP_ROWS * vectors; i++)
    store(sum[i], y + i / vectors * stride + i % vectors * LANES);
}

/// Sums along one row of scratch memory, `vectors` vectors from `x` on.
INLINE void sweep_row(
  const int vectors, const float *x, const float *taps, ptrdiff_t count, ptrdiff_t channels,
  float *y, ptrdiff_t part
) {
  vector sum[8];
  UNROLL for (int v = 0; v < vectors; v++) sum[v] = 0;
  for (ptrdiff_t k = 0; k < count; k++, x += channels) {
    const vector tap = taps[k] - (vector){};
    UNROLL for (int v = 0; v < vectors; v++) sum[v] += tap * load(x + v * LANES);
  }
  if (part > 0) {
    store_part(sum[0], y, part);
    return;
  }
  UNROLL for (int v = 0; v < vectors; v++) store(sum[v], y + v * LANES);
}

/// Fills scratch memory with the sums along the columns [first, end) of the rows from `row` on; what lies beyond
/// the edges of the picture is its edge.
static void sweep_strip(
  const netconv_correlation *job, float *scratch, ptrdiff_t row, ptrdiff_t first, ptrdiff_t end
) {
  const ptrdiff_t radius = job->radius, channels = job->channels, count = 2 * radius + 1;
  const ptrdiff_t values = job->width * channels, stride = sweep_stride(channels, radius);
  const float **rows = (const float **)(void *)(scratch + SWEEP_ROWS * stride);
  for (ptrdiff_t j = 0; j < count + SWEEP_ROWS - 1; j++) {
    ptrdiff_t place = row + j - radius;
    place = place < 0 ? 0 : place >= job->height ? job->height - 1 : place;
    rows[j] = job->x + place * values;
  }
  const ptrdiff_t wanted = first - radius * channels, last = end + radius * channels;
  const ptrdiff_t from = wanted < 0 ? 0 : wanted, to = last > values ? values : last;
  float *const y = scratch - wanted;
  ptrdiff_t i = from;
  for (; i + SWEEP_VECTORS * LANES <= to; i += SWEEP_VECTORS * LANES)
    sweep_columns(SWEEP_VECTORS, rows, i, 0, job->taps, count, y + i, stride);
  for (; i + LANES <= to; i += LANES)
    sweep_columns(1, rows, i, 0, job->taps, count, y + i, stride);
  if (i < to) sweep_columns(1, rows, i, to - i, job->taps, count, y + i, stride);
  for (int r = 0; r < SWEEP_ROWS; r++) {
    float *const line = y + r * stride;
    for (ptrdiff_t i = from - 1; i >= wanted; i--) line[i] = line[i + channels];
    for (ptrdiff_t i = to; i < last; i++) line[i] = line[i - channels];
  }
}

static void correlate(
  const netconv_correlation *job, float *scratch, ptrdiff_t first_row, ptrdiff_t end_row
) {
  enum { WIDE = 4 };
  const ptrdiff_t channels = job->channels, count = 2 * job->radius + 1;
  const ptrdiff_t values = job->width * channels, stride = sweep_stride(channels, job->radius);
  for (ptrdiff_t first = 0; first < values; first += NETCONV_STRIP) {
    const ptrdiff_t end = first + NETCONV_STRIP < values ? first + NETCONV_STRIP : values;
    for (ptrdiff_t row = first_row; row < end_row; row += SWEEP_ROWS) {
      sweep_strip(job, scratch, row, first, end);
      for (ptrdiff_t r = 0; r < SWEEP_ROWS && row + r < end_row; r++) {
        const float *const x = scratch + r * stride;
        float *const y = job->y + (row + r) * values + first;
        const ptrdiff_t width = end - first;
        ptrdiff_t i = 0;
        for (; i + WIDE * LANES <= width; i += WIDE * LANES)
          sweep_row(WIDE, x + i, job->taps, count, channels, y + i, 0);
        for (; i + LANES <= width; i += LANES)
          sweep_row(1, x + i, job->taps, count, channels, y + i, 0);
        if (i < width) sweep_row(1, x + i, job->taps, count, channels, y + i, width - i);
      }
    }
  }
}
