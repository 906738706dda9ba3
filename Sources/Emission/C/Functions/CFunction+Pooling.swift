extension CFunction {
  static let larger = CFunction(
    "larger_of",
    """
    /* Returns the larger of two numbers; NaN if one is. */
    static float larger_of(float a, float b)
    {
        return a > b || a != a ? a : b;
    }
    """)

  static let smaller = CFunction(
    "smaller_of",
    """
    /* Returns the smaller of two numbers; NaN if one is. */
    static float smaller_of(float a, float b)
    {
        return a < b || a != a ? a : b;
    }
    """)

  static let poolLargest = pooling(
    "pool_largest", uses: [larger], "The largest value in each window; edges are left out.",
    start: "-INFINITY", add: "sums[c] = larger_of(sums[c], pixel[c]);")

  static let poolMean = pooling(
    "pool_mean", uses: [], "The mean of each window; edges are left out.",
    start: "0.0f", add: "sums[c] += pixel[c];",
    end: """

                  for (int c = 0; c < to.channels; c++) sums[c] /= (float)count;
      """)

  private static func pooling(
    _ name: String, uses: [CFunction], _ comment: String, start: String, add: String,
    end: String = ""
  ) -> CFunction {
    let counts = !end.isEmpty
    return CFunction(
      name, uses: [imageSize, slidingWindow] + uses,
      """
      /* \(comment) */
      static void \(name)(
          const float *in, image_size from, const sliding_window *window, float *out, image_size to)
      {
          for (int y = 0; y < to.rows; y++) {
              for (int x = 0; x < to.columns; x++) {
                  float *sums = out + (y * to.columns + x) * to.channels;\(counts ? "\n            int count = 0;" : "")
                  for (int c = 0; c < to.channels; c++) sums[c] = \(start);
                  for (int i = 0; i < window->rows; i++) {
                      const int row = y * window->row_stride - window->top + i;
                      if (row < 0 || row >= from.rows) continue;
                      for (int j = 0; j < window->columns; j++) {
                          const int column = x * window->column_stride - window->left + j;
                          if (column < 0 || column >= from.columns) continue;
                          const float *pixel = in + (row * from.columns + column) * from.channels;\(counts ? "\n                    count++;" : "")
                          for (int c = 0; c < to.channels; c++) \(add)
                      }
                  }\(end)
              }
          }
      }
      """)
  }

  static let adaptLargest = adaptive(
    "adapt_largest", uses: [larger],
    "The largest values of as many areas as the output has pixels.",
    start: "-INFINITY", add: "sum = larger_of(sum, value);", result: "sum")

  static let adaptMean = adaptive(
    "adapt_mean", uses: [], "The means of as many areas as the output has pixels.",
    start: "0.0f", add: "sum += value;", result: "sum / (float)((bottom - top) * (right - left))")

  private static func adaptive(
    _ name: String, uses: [CFunction], _ comment: String, start: String, add: String,
    result: String
  ) -> CFunction {
    CFunction(
      name, uses: [imageSize] + uses,
      """
      /* \(comment) */
      static void \(name)(const float *in, image_size from, float *out, image_size to)
      {
          for (int y = 0; y < to.rows; y++) {
              const int top = y * from.rows / to.rows;
              const int bottom = ((y + 1) * from.rows + to.rows - 1) / to.rows;
              for (int x = 0; x < to.columns; x++) {
                  const int left = x * from.columns / to.columns;
                  const int right = ((x + 1) * from.columns + to.columns - 1) / to.columns;
                  for (int c = 0; c < to.channels; c++) {
                      float sum = \(start);
                      for (int row = top; row < bottom; row++) {
                          for (int column = left; column < right; column++) {
                              const float value =
                                  in[(row * from.columns + column) * from.channels + c];
                              \(add)
                          }
                      }
                      out[(y * to.columns + x) * to.channels + c] = \(result);
                  }
              }
          }
      }
      """)
  }

  static let resample = CFunction(
    "resample", uses: [imageSize],
    """
    /* The pixels of the input that a row or column of a resampled image mixes, and the share of each:
       those of index i are from starts[i] up to starts[i + 1]. */
    typedef struct {
        const int *starts, *pixels;
        const float *shares;
    } sampling;

    /* Resamples an image; what lies outside of the input has the value `fill`. */
    static void resample(
        const float *in, image_size from, const sampling *rows, const sampling *columns, float fill,
        float *out, image_size to)
    {
        for (int y = 0; y < to.rows; y++) {
            for (int x = 0; x < to.columns; x++) {
                float *sums = out + (y * to.columns + x) * to.channels;
                float total = 0.0f;
                for (int c = 0; c < to.channels; c++) sums[c] = 0.0f;
                for (int i = rows->starts[y]; i < rows->starts[y + 1]; i++) {
                    for (int j = columns->starts[x]; j < columns->starts[x + 1]; j++) {
                        const float share = rows->shares[i] * columns->shares[j];
                        const int place = rows->pixels[i] * from.columns + columns->pixels[j];
                        const float *pixel = in + place * from.channels;
                        total += share;
                        for (int c = 0; c < to.channels; c++) sums[c] += share * pixel[c];
                    }
                }
                if (fill != 0.0f) {
                    for (int c = 0; c < to.channels; c++) sums[c] += (1.0f - total) * fill;
                }
            }
        }
    }
    """)
}
