extension CFunction {
  static let multiplyAdd = CFunction(
    "multiply_add",
    """
    /* Adds the product of a vector and a matrix to sums; the rows of the matrix are `stride` apart. */
    static void multiply_add(
        const float *x, int rows, const float *matrix, int stride, int columns, float *sums)
    {
        for (int i = 0; i < rows; i++) {
            const float value = x[i];
            const float *row = matrix + i * stride;
            for (int j = 0; j < columns; j++) sums[j] += value * row[j];
        }
    }
    """)

  static let setBias = CFunction(
    "set_bias",
    """
    /* Begins sums with a bias, or with zeros if it is NULL. */
    static void set_bias(float *sums, const float *bias, int count)
    {
        for (int i = 0; i < count; i++) sums[i] = bias == NULL ? 0.0f : bias[i];
    }
    """)

  static let dense = CFunction(
    "dense", uses: [multiplyAdd, setBias],
    """
    /* A fully connected layer; the kernel is (inputs, units). */
    static void dense(
        const float *in, int rows, int inputs, const float *kernel, const float *bias, int units,
        float *out)
    {
        for (int row = 0; row < rows; row++) {
            set_bias(out + row * units, bias, units);
            multiply_add(in + row * inputs, inputs, kernel, units, units, out + row * units);
        }
    }
    """)

  static let convolve = CFunction(
    "convolve", uses: [imageSize, slidingWindow, multiplyAdd, setBias],
    """
    /* A convolution; the kernel is (rows, columns, input channels of a group, output channels). */
    static void convolve(
        const float *in, image_size from, const sliding_window *window, int groups,
        const float *kernel, const float *bias, float *out, image_size to)
    {
        const int inputs = from.channels / groups;
        const int outputs = to.channels / groups;
        for (int y = 0; y < to.rows; y++) {
            for (int x = 0; x < to.columns; x++) {
                float *sums = out + (y * to.columns + x) * to.channels;
                set_bias(sums, bias, to.channels);
                for (int i = 0; i < window->rows; i++) {
                    const int row = y * window->row_stride - window->top + i * window->row_dilation;
                    if (row < 0 || row >= from.rows) continue;
                    for (int j = 0; j < window->columns; j++) {
                        const int column =
                            x * window->column_stride - window->left + j * window->column_dilation;
                        if (column < 0 || column >= from.columns) continue;
                        const float *pixel = in + (row * from.columns + column) * from.channels;
                        const float *weights =
                            kernel + (i * window->columns + j) * inputs * to.channels;
                        for (int group = 0; group < groups; group++) {
                            multiply_add(
                                pixel + group * inputs, inputs, weights + group * outputs, to.channels,
                                outputs, sums + group * outputs);
                        }
                    }
                }
            }
        }
    }
    """)

  static let convolveDepthwise = CFunction(
    "convolve_depthwise", uses: [imageSize, slidingWindow, setBias],
    """
    /* A depthwise convolution; the kernel is (rows, columns, input channels, multiplier). */
    static void convolve_depthwise(
        const float *in, image_size from, const sliding_window *window, const float *kernel,
        const float *bias, float *out, image_size to)
    {
        const int multiplier = to.channels / from.channels;
        for (int y = 0; y < to.rows; y++) {
            for (int x = 0; x < to.columns; x++) {
                float *sums = out + (y * to.columns + x) * to.channels;
                set_bias(sums, bias, to.channels);
                for (int i = 0; i < window->rows; i++) {
                    const int row = y * window->row_stride - window->top + i * window->row_dilation;
                    if (row < 0 || row >= from.rows) continue;
                    for (int j = 0; j < window->columns; j++) {
                        const int column =
                            x * window->column_stride - window->left + j * window->column_dilation;
                        if (column < 0 || column >= from.columns) continue;
                        const float *pixel = in + (row * from.columns + column) * from.channels;
                        const float *weights = kernel + (i * window->columns + j) * to.channels;
                        if (multiplier == 1) {
                            for (int c = 0; c < to.channels; c++) sums[c] += pixel[c] * weights[c];
                        } else {
                            for (int c = 0; c < to.channels; c++) {
                                sums[c] += pixel[c / multiplier] * weights[c];
                            }
                        }
                    }
                }
            }
        }
    }
    """)

  static let dot = CFunction(
    "dot_product",
    """
    /* Returns the sum of the products of two vectors whose elements are `stride` apart. */
    static float dot_product(
        const float *first, int first_stride, const float *second, int second_stride, int count)
    {
        float sum = 0.0f;
        for (int i = 0; i < count; i++) sum += first[i * first_stride] * second[i * second_stride];
        return sum;
    }
    """)

  static let convolveTransposed = CFunction(
    "convolve_transposed", uses: [imageSize, slidingWindow, setBias, dot],
    """
    /* A transposed convolution; the kernel is (rows, columns, output channels, input channels). */
    static void convolve_transposed(
        const float *in, image_size from, const sliding_window *window, const float *kernel,
        const float *bias, float *out, image_size to)
    {
        for (int place = 0; place < to.rows * to.columns; place++) {
            set_bias(out + place * to.channels, bias, to.channels);
        }
        for (int y = 0; y < from.rows; y++) {
            for (int x = 0; x < from.columns; x++) {
                const float *pixel = in + (y * from.columns + x) * from.channels;
                for (int i = 0; i < window->rows; i++) {
                    const int row = y * window->row_stride + i * window->row_dilation - window->top;
                    if (row < 0 || row >= to.rows) continue;
                    for (int j = 0; j < window->columns; j++) {
                        const int column =
                            x * window->column_stride + j * window->column_dilation - window->left;
                        if (column < 0 || column >= to.columns) continue;
                        const float *weights =
                            kernel + (i * window->columns + j) * to.channels * from.channels;
                        float *sums = out + (row * to.columns + column) * to.channels;
                        for (int o = 0; o < to.channels; o++) {
                            sums[o] +=
                                dot_product(pixel, 1, weights + o * from.channels, 1, from.channels);
                        }
                    }
                }
            }
        }
    }
    """)

  static let connectLocally = CFunction(
    "connect_locally", uses: [imageSize, slidingWindow, multiplyAdd, setBias],
    """
    /* A convolution with a kernel and a bias of its own for each place. */
    static void connect_locally(
        const float *in, image_size from, const sliding_window *window, const float *kernel,
        const float *bias, float *out, image_size to)
    {
        const int taps = window->rows * window->columns;
        for (int y = 0; y < to.rows; y++) {
            for (int x = 0; x < to.columns; x++) {
                const int place = y * to.columns + x;
                float *sums = out + place * to.channels;
                set_bias(sums, bias == NULL ? NULL : bias + place * to.channels, to.channels);
                for (int i = 0; i < window->rows; i++) {
                    const int row = y * window->row_stride + i;
                    for (int j = 0; j < window->columns; j++) {
                        const int column = x * window->column_stride + j;
                        const int tap = place * taps + i * window->columns + j;
                        multiply_add(
                            in + (row * from.columns + column) * from.channels, from.channels,
                            kernel + tap * from.channels * to.channels, to.channels, to.channels, sums);
                    }
                }
            }
        }
    }
    """)

  static let multiplyMatrices = CFunction(
    "multiply_matrices", uses: [dot],
    """
    /* Multiplies two matrices; `row` and `column` are the strides of each. */
    static void multiply_matrices(
        const float *first, int first_row, int first_column, const float *second, int second_row,
        int second_column, int rows, int depth, int columns, float *out)
    {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                out[i * columns + j] = dot_product(
                    first + i * first_row, first_column, second + j * second_column, second_row, depth);
            }
        }
    }
    """)
}
