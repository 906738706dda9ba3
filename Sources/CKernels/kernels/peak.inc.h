// How fast the level can multiply and add at best, to measure the kernels against.

static double peak(ptrdiff_t iterations) {
  // As many sums in flight as the tile has; their values stay finite.
  enum { SUMS = TILE_ROWS * TILE_VECTORS };
  vector sum[SUMS], factor = 0.5f, term = 1.0f;
  // Unknown to the compiler, or it would compute the result itself.
  __asm__ volatile("" : "+m"(factor), "+m"(term));
  const vector a = factor, b = term;
  UNROLL for (int i = 0; i < SUMS; i++) sum[i] = b * (float)i;
  for (ptrdiff_t n = 0; n < iterations; n++)
    UNROLL for (int i = 0; i < SUMS; i++) sum[i] = sum[i] * a + b;
  vector total = sum[0];
  for (int i = 1; i < SUMS; i++) total += sum[i];
  __asm__ volatile("" : : "m"(total));
  return 2.0 * LANES * (double)SUMS * (double)iterations;
}
