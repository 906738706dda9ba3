// Vectors that are only there in part: nothing beside the values that exist is read or written.

/// The first `count` values of a vector, at most LANES, and zeros.
INLINE vector load_part(const float *x, ptrdiff_t count) {
  vector values = 0;
  __builtin_memcpy(&values, x, (size_t)count * sizeof(float));
  return values;
}

INLINE void store_part(vector values, float *y, ptrdiff_t count) {
  __builtin_memcpy(y, &values, (size_t)count * sizeof(float));
}

INLINE vector load(const float *x) { return *(const vector *)x; }

INLINE void store(vector values, float *y) { *(vector *)y = values; }
