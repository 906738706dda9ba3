// What one level does value by value with two inputs, or with numbers for each channel.

/// The smaller of two; a NaN on either side wins.
INLINE vector smaller(vector best, vector x) {
  const vector chosen = x < best ? x : best;
  // A mask is all ones where x is a NaN, and all ones are a NaN.
  return (vector)((mask)chosen | (x != x));
}

/// `combination` is a constant wherever this is called.
INLINE vector combined(const netconv_combination combination, vector a, vector b, float s) {
  switch (combination) {
  case NETCONV_SUM: return a + b;
  case NETCONV_SCALED_SUM: return a + s * b;
  case NETCONV_DIFFERENCE: return a - b;
  case NETCONV_PRODUCT: return a * b;
  case NETCONV_QUOTIENT: return a / b;
  case NETCONV_MEAN: return (a + b) / s;
  case NETCONV_LARGEST: return larger(a, b);
  case NETCONV_SMALLEST: return smaller(a, b);
  case NETCONV_SLOPE: return a < 0 ? b * a : a;
  case NETCONV_GATE: return a * sigmoid(b);
  }
}

/// `combination` and what is constant are constants wherever this is called.
INLINE void combine_rows(
  const netconv_combination combination, const int a_is_constant, const int b_is_constant,
  const netconv_combine *job
) {
  const ptrdiff_t count = job->count;
  const float *const a = job->a, *const b = job->b, s = job->s;
  const vector a_value = *a, b_value = *b;
  float *const y = job->y;
  ptrdiff_t i = 0;
  for (; i + LANES <= count; i += LANES)
    store(
      combined(
        combination, a_is_constant ? a_value : load(a + i), b_is_constant ? b_value : load(b + i),
        s),
      y + i);
  const ptrdiff_t rest = count - i;
  if (rest == 0) return;
  const vector a_rest = a_is_constant ? a_value : load_part(a + i, rest);
  const vector b_rest = b_is_constant ? b_value : load_part(b + i, rest);
  store_part(combined(combination, a_rest, b_rest, s), y + i, rest);
}

static void combine(const netconv_combine *job) {
#define COMBINE(name)                                                                          \
  case name:                                                                                   \
    if (!job->a_is_constant && !job->b_is_constant)                                            \
      combine_rows(name, 0, 0, job);                                                           \
    else if (!job->a_is_constant)                                                              \
      combine_rows(name, 0, 1, job);                                                           \
    else if (!job->b_is_constant)                                                              \
      combine_rows(name, 1, 0, job);                                                           \
    else                                                                                       \
      combine_rows(name, 1, 1, job);                                                           \
    break;
  switch (job->combination) {
    COMBINE(NETCONV_SUM)
    COMBINE(NETCONV_SCALED_SUM)
    COMBINE(NETCONV_DIFFERENCE)
    COMBINE(NETCONV_PRODUCT)
    COMBINE(NETCONV_QUOTIENT)
    COMBINE(NETCONV_MEAN)
    COMBINE(NETCONV_LARGEST)
    COMBINE(NETCONV_SMALLEST)
    COMBINE(NETCONV_SLOPE)
    COMBINE(NETCONV_GATE)
  }
#undef COMBINE
}

static void affine(const netconv_affine *job) {
  const ptrdiff_t channels = job->channels;
  const float *const mean = job->mean, *const scale = job->scale, *const shift = job->shift;
  for (ptrdiff_t pixel = 0; pixel < job->pixels; pixel++) {
    const float *const x = job->x + pixel * channels;
    float *const y = job->y + pixel * channels;
    ptrdiff_t c = 0;
    for (; c + LANES <= channels; c += LANES)
      store((load(x + c) - load(mean + c)) * load(scale + c) + load(shift + c), y + c);
    for (; c < channels; c++) y[c] = (x[c] - mean[c]) * scale[c] + shift[c];
  }
}
