// Activation functions of one level.

INLINE vector relu(vector x, float slope, float threshold, float highest) {
  const vector upper = highest;
  // 0 · -∞ would be NaN.
  const vector below = slope == 0 ? (vector)0 : slope * (x - threshold);
  return x < threshold ? below : upper < x ? upper : x;
}

INLINE vector hard_silu(vector x) {
  // -∞ · 0 would be NaN.
  return x <= -3 ? 0 : x * clamp((x + 3) * (1 / 6.0f), 0, 1);
}

INLINE vector gelu_by_tanh(vector x) {
  return times_sigmoid(x, x * (x * x * 7.13548128e-2f + 1.59576912f));
}

/// x · u / (u + 2), u = (e^x + 1)² - 1.
INLINE vector mish(vector x) {
  // Above 20 the quotient is 1.
  const power p = power_of(clamp(x, LOWEST_POWER, 20));
  const vector fraction = 1 + p.excess;
  const vector e = scaled(fraction, p.exponent), u = e * (e + 2);
  // Multiplied before it may become denormal.
  const vector product = scaled(fraction * at_least(x, LOWEST_POWER), p.exponent) * (e + 2);
  return x < 0 ? product / (u + 2) : x * (u / (u + 2));
}

INLINE vector soft_shrink(vector x, float threshold) {
  const vector between = x != x ? x : 0;
  return x > threshold ? x - threshold : x < -threshold ? x + threshold : between;
}

/// `function` is a constant wherever this is called.
INLINE vector value(const netconv_function function, vector x, float a, float b, float c) {
  const vector positive = x > 0 ? x : 0, negative = x < 0 ? x : 0;
  switch (function) {
  case NETCONV_CLAMP: return clamp(x, a, b);
  case NETCONV_RELU: return relu(x, a, b, c);
  case NETCONV_ELU: return x < 0 ? a * exponential_less_one(b * x) : c * x;
  case NETCONV_SIGMOID: return sigmoid(x);
  case NETCONV_LOG_SIGMOID: return negative - log_one_plus(exponential_to_one(-absolute(x)));
  case NETCONV_HARD_SIGMOID: return clamp(a * x + 0.5f, 0, 1);
  case NETCONV_TANH: return hyperbolic_tangent(x);
  case NETCONV_SILU: return times_sigmoid(x, x);
  case NETCONV_HARD_SILU: return hard_silu(x);
  case NETCONV_GELU: return positive - normal_tail(x);
  case NETCONV_GELU_BY_TANH: return gelu_by_tanh(x);
  case NETCONV_MISH: return mish(x);
  case NETCONV_EXPONENTIAL: return exponential(x);
  case NETCONV_SOFTPLUS: return positive + log_one_plus(exponential_to_one(-absolute(x)));
  case NETCONV_SOFTSIGN: return x / (1 + absolute(x));
  case NETCONV_HARD_SHRINK: return absolute(x) <= a ? 0 : x;
  case NETCONV_SOFT_SHRINK: return soft_shrink(x, a);
  case NETCONV_SPARSE_PLUS: return x <= -1 ? 0 : x < 1 ? (x + 1) * (x + 1) * 0.25f : x;
  case NETCONV_THRESHOLD: return x <= a ? b : x;
  }
}

/// `function` is a constant wherever this is called.
INLINE void map(
  const netconv_function function, const netconv_activation *numbers, const float *x, float *y,
  ptrdiff_t count
) {
  const float a = numbers->a, b = numbers->b, c = numbers->c;
  ptrdiff_t i = 0;
  for (; i + LANES <= count; i += LANES) store(value(function, load(x + i), a, b, c), y + i);
  const ptrdiff_t rest = count - i;
  if (rest > 0) store_part(value(function, load_part(x + i, rest), a, b, c), y + i, rest);
}

static void activate(
  const netconv_activation *activation, const float *x, float *y, ptrdiff_t count
) {
#define MAP(name)                                                                              \
  case name:                                                                                   \
    map(name, activation, x, y, count);                                                        \
    break;
  switch (activation->function) {
    MAP(NETCONV_CLAMP)
    MAP(NETCONV_RELU)
    MAP(NETCONV_ELU)
    MAP(NETCONV_SIGMOID)
    MAP(NETCONV_LOG_SIGMOID)
    MAP(NETCONV_HARD_SIGMOID)
    MAP(NETCONV_TANH)
    MAP(NETCONV_SILU)
    MAP(NETCONV_HARD_SILU)
    MAP(NETCONV_GELU)
    MAP(NETCONV_GELU_BY_TANH)
    MAP(NETCONV_MISH)
    MAP(NETCONV_EXPONENTIAL)
    MAP(NETCONV_SOFTPLUS)
    MAP(NETCONV_SOFTSIGN)
    MAP(NETCONV_HARD_SHRINK)
    MAP(NETCONV_SOFT_SHRINK)
    MAP(NETCONV_SPARSE_PLUS)
    MAP(NETCONV_THRESHOLD)
  }
#undef MAP
}
