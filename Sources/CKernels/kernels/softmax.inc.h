// Softmax of one level. The largest value is subtracted first, so that no power overflows.

INLINE float largest_of(vector x) {
  float largest = x[0];
  UNROLL for (int i = 1; i < LANES; i++) largest = larger_value(largest, x[i]);
  return largest;
}

INLINE float sum_of(vector x) {
  float sum = x[0];
  UNROLL for (int i = 1; i < LANES; i++) sum += x[i];
  return sum;
}

/// The largest of a row of values.
INLINE float largest_of_row(const float *x, ptrdiff_t count) {
  const ptrdiff_t whole = count / LANES * LANES;
  float largest = -__builtin_inff();
  if (whole > 0) {
    vector best = load(x);
    for (ptrdiff_t i = LANES; i < whole; i += LANES) best = larger(best, load(x + i));
    largest = largest_of(best);
  }
  for (ptrdiff_t i = whole; i < count; i++) largest = larger_value(largest, x[i]);
  return largest;
}

/// Computes e^(x - largest) for a row of values, and returns the sum. `y` may be `x`.
INLINE float powers_of_row(const float *x, float *y, ptrdiff_t count, float largest) {
  const ptrdiff_t whole = count / LANES * LANES, rest = count - whole;
  vector sums = 0;
  for (ptrdiff_t i = 0; i < whole; i += LANES) {
    const vector powers = exponential_to_one(load(x + i) - largest);
    store(powers, y + i);
    sums += powers;
  }
  float sum = sum_of(sums);
  if (rest > 0) {
    store_part(exponential_to_one(load_part(x + whole, rest) - largest), y + whole, rest);
    for (ptrdiff_t i = whole; i < count; i++) sum += y[i];
  }
  return sum;
}

/// The softmax of a row of values.
static void softmax_row(const float *x, float *y, ptrdiff_t count) {
  const ptrdiff_t whole = count / LANES * LANES;
  const float sum = powers_of_row(x, y, count, largest_of_row(x, count));
  for (ptrdiff_t i = 0; i < whole; i += LANES) store(load(y + i) / sum, y + i);
  for (ptrdiff_t i = whole; i < count; i++) y[i] /= sum;
}

/// Continues a softmax with another part of a row: x becomes e^(x - largest), where `largest` is first raised to the
/// largest of x, and `sum` has all powers so far. Returns the factor of what was summed before.
///
/// The running maximum is that of Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018). A value
/// of -infinity is masked; a row that has had nothing else has a sum of 0.
static float softmax_part(float *x, ptrdiff_t count, float *largest, float *sum) {
  const float infinity = __builtin_inff(), before = *largest;
  const float top = larger_value(before, largest_of_row(x, count));
  if (top == -infinity) {
    for (ptrdiff_t i = 0; i < count; i++) x[i] = 0;
    return 1;
  }
  const float total = powers_of_row(x, x, count, top);
  const vector change = before - top;
  const float factor = before == -infinity ? 0 : exponential_to_one(change)[0];
  *largest = top;
  *sum = *sum * factor + total;
  return factor;
}

/// The softmax of the first `count` columns of a matrix, at most LANES.
INLINE void softmax_columns(
  const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t count
) {
  vector best = load_part(x, count), sum = 0;
  for (ptrdiff_t row = 1; row < rows; row++)
    best = larger(best, load_part(x + row * columns, count));
  for (ptrdiff_t row = 0; row < rows; row++) {
    const vector powers = exponential_to_one(load_part(x + row * columns, count) - best);
    store_part(powers, y + row * columns, count);
    sum += powers;
  }
  for (ptrdiff_t row = 0; row < rows; row++)
    store_part(load_part(y + row * columns, count) / sum, y + row * columns, count);
}

static void softmax(
  const float *x, float *y, ptrdiff_t count, ptrdiff_t rows, ptrdiff_t columns
) {
  for (ptrdiff_t index = 0; index < count; index++, x += rows * columns, y += rows * columns) {
    if (columns == 1) {
      softmax_row(x, y, rows);
      continue;
    }
    ptrdiff_t c = 0;
    for (; c + LANES <= columns; c += LANES) softmax_columns(x + c, y + c, rows, columns, LANES);
    if (c < columns) softmax_columns(x + c, y + c, rows, columns, columns - c);
  }
}
