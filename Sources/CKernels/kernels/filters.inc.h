// What one level does with pixels one by one, and with rows and columns of weights.

/// The numbers of values are constants wherever this is called.
INLINE void mix_pixels(
  const int inputs, const int input_values, const int outputs, const int output_values,
  const netconv_mixture *job, ptrdiff_t first, ptrdiff_t end
) {
  const float *restrict x = job->x + first * input_values;
  float *restrict y = job->y + first * output_values;
  float matrix[16], bias[4];
  for (int i = 0; i < inputs * outputs; i++) matrix[i] = job->matrix[i];
  for (int i = 0; i < outputs; i++) bias[i] = job->bias[i];
  for (ptrdiff_t p = 0; p < end - first; p++) {
    UNROLL for (int o = 0; o < outputs; o++) {
      float sum = bias[o];
      UNROLL for (int i = 0; i < inputs; i++)
        sum += matrix[o * inputs + i] * x[p * input_values + i];
      y[p * output_values + o] = sum;
    }
    UNROLL for (int i = inputs; i < input_values; i++)
      y[p * output_values + i - inputs + outputs] = x[p * input_values + i];
  }
}

static void mix(const netconv_mixture *job, ptrdiff_t first, ptrdiff_t end) {
  // Gray and colour, each with alpha or without.
  const int has_more = job->input_values > job->inputs;
  switch (4 * job->inputs + job->outputs) {
  case 4 * 1 + 1:
    has_more ? mix_pixels(1, 2, 1, 2, job, first, end) : mix_pixels(1, 1, 1, 1, job, first, end);
    break;
  case 4 * 1 + 3:
    has_more ? mix_pixels(1, 2, 3, 4, job, first, end) : mix_pixels(1, 1, 3, 3, job, first, end);
    break;
  case 4 * 3 + 1:
    has_more ? mix_pixels(3, 4, 1, 2, job, first, end) : mix_pixels(3, 3, 1, 1, job, first, end);
    break;
  default:
    has_more ? mix_pixels(3, 4, 3, 4, job, first, end) : mix_pixels(3, 3, 3, 3, job, first, end);
  }
}

/// The number of channels is a constant wherever this is called, or 0.
INLINE void scale_channels(
  const int channels, const netconv_scaling *job, ptrdiff_t first, ptrdiff_t end
) {
  const ptrdiff_t count = channels > 0 ? channels : job->channels;
  const float *restrict x = job->x + first * count;
  float *restrict y = job->y + first * count;
  const float *restrict scale = job->scale, *restrict shift = job->shift;
  for (ptrdiff_t p = 0; p < end - first; p++)
    for (ptrdiff_t c = 0; c < count; c++) y[p * count + c] = x[p * count + c] * scale[c] + shift[c];
}

static void scale_pixels(const netconv_scaling *job, ptrdiff_t first, ptrdiff_t end) {
  switch (job->channels) {
  case 1: scale_channels(1, job, first, end); break;
  case 2: scale_channels(2, job, first, end); break;
  case 3: scale_channels(3, job, first, end); break;
  case 4: scale_channels(4, job, first, end); break;
  default: scale_channels(0, job, first, end); break;
  }
}

static void sample_rows(
  const netconv_sampling *job, ptrdiff_t count, ptrdiff_t first_row, ptrdiff_t end_row
) {
  for (ptrdiff_t row = first_row; row < end_row; row++) {
    const float *const x = job->x + job->first[row] * count;
    const float *const weights = job->weights + row * job->most;
    float *const y = job->y + row * count;
    ptrdiff_t i = 0;
    for (; i + LANES <= count; i += LANES) {
      vector sum = load(x + i) * weights[0];
      for (ptrdiff_t k = 1; k < job->count[row]; k++) sum += load(x + k * count + i) * weights[k];
      store(sum, y + i);
    }
    for (; i < count; i++) {
      float sum = x[i] * weights[0];
      for (ptrdiff_t k = 1; k < job->count[row]; k++) sum += x[k * count + i] * weights[k];
      y[i] = sum;
    }
  }
}

/// The number of channels is a constant wherever this is called, or 0.
INLINE void sample_pixels(
  const int constant, const netconv_sampling *job, const float *restrict x, float *restrict y,
  ptrdiff_t width, ptrdiff_t several
) {
  const ptrdiff_t channels = constant > 0 ? constant : several;
  for (ptrdiff_t column = 0; column < width; column++) {
    const float *const from = x + job->first[column] * channels;
    const float *const weights = job->weights + column * job->most;
    for (ptrdiff_t c = 0; c < channels; c++) {
      float sum = from[c] * weights[0];
      for (ptrdiff_t k = 1; k < job->count[column]; k++)
        sum += from[k * channels + c] * weights[k];
      y[column * channels + c] = sum;
    }
  }
}

static void sample_columns(
  const netconv_sampling *job, ptrdiff_t input_width, ptrdiff_t width, ptrdiff_t channels,
  ptrdiff_t first_row, ptrdiff_t end_row
) {
  for (ptrdiff_t row = first_row; row < end_row; row++) {
    const float *const x = job->x + row * input_width * channels;
    float *const y = job->y + row * width * channels;
    switch (channels) {
    case 1: sample_pixels(1, job, x, y, width, channels); break;
    case 3: sample_pixels(3, job, x, y, width, channels); break;
    case 4: sample_pixels(4, job, x, y, width, channels); break;
    default: sample_pixels(0, job, x, y, width, channels); break;
    }
  }
}

/// The number of channels is a constant wherever this is called, or 0.
INLINE void premultiply_pixels(
  const int constant, const float *restrict x, float *restrict y, ptrdiff_t several,
  ptrdiff_t pixels
) {
  const ptrdiff_t channels = constant > 0 ? constant : several;
  for (ptrdiff_t p = 0; p < pixels; p++) {
    const float alpha = x[p * channels + channels - 1];
    for (ptrdiff_t c = 0; c < channels - 1; c++) y[p * channels + c] = x[p * channels + c] * alpha;
    y[p * channels + channels - 1] = alpha;
  }
}

static void premultiply(const float *x, float *y, ptrdiff_t channels, ptrdiff_t pixels) {
  if (channels == 4)
    premultiply_pixels(4, x, y, channels, pixels);
  else
    premultiply_pixels(0, x, y, channels, pixels);
}

/// The number of channels is a constant wherever this is called, or 0.
INLINE void unpremultiply_pixels(
  const int constant, float *x, ptrdiff_t several, ptrdiff_t pixels
) {
  const ptrdiff_t channels = constant > 0 ? constant : several;
  for (ptrdiff_t p = 0; p < pixels; p++) {
    const float alpha = x[p * channels + channels - 1];
    // Nobody sees the colour of what is transparent. A cubic can leave the bounds.
    const float factor = alpha <= 0 ? 0 : 1 / alpha;
    for (ptrdiff_t c = 0; c < channels - 1; c++) x[p * channels + c] *= factor;
    x[p * channels + channels - 1] = alpha < 0 ? 0 : alpha > 255 ? 255 : alpha;
  }
}

static void unpremultiply(float *x, ptrdiff_t channels, ptrdiff_t pixels) {
  if (channels == 4)
    unpremultiply_pixels(4, x, channels, pixels);
  else
    unpremultiply_pixels(0, x, channels, pixels);
}

static int is_opaque(const float *x, ptrdiff_t channels, ptrdiff_t pixels) {
  enum { BLOCK = 1024 };
  for (ptrdiff_t first = 0; first < pixels; first += BLOCK) {
    const ptrdiff_t end = first + BLOCK < pixels ? first + BLOCK : pixels;
    int differs = 0;
    for (ptrdiff_t p = first; p < end; p++) differs |= x[p * channels + channels - 1] != 255;
    if (differs) return 0;
  }
  return 1;
}
