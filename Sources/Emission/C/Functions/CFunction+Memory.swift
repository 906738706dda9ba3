extension CFunction {
  static let copy = CFunction(
    "copy_values",
    """
    /* Copies values. */
    static void copy_values(const float *in, int count, float *out)
    {
        for (int i = 0; i < count; i++) out[i] = in[i];
    }
    """)

  static let fill = CFunction(
    "fill_values",
    """
    /* Sets all values to a number. */
    static void fill_values(float *out, int count, float value)
    {
        for (int i = 0; i < count; i++) out[i] = value;
    }
    """)

  static let addTo = CFunction(
    "add_to",
    """
    /* Adds other values to those of a layer. */
    static void add_to(float *out, const float *other, int count)
    {
        for (int i = 0; i < count; i++) out[i] += other[i];
    }
    """)

  static let offset = CFunction(
    "offset_of",
    """
    /* Returns the offset of the element at a row-major index of an array with these sizes and strides. */
    static int offset_of(int index, int rank, const int *sizes, const int *strides)
    {
        int offset = 0;
        for (int axis = rank - 1; axis >= 0; axis--) {
            offset += index % sizes[axis] * strides[axis];
            index /= sizes[axis];
        }
        return offset;
    }
    """)

  static let copyStrided = CFunction(
    "copy_strided", uses: [offset],
    """
    /* Copies the elements of an array that has these sizes and strides, in row-major order. */
    static void copy_strided(
        const float *in, int count, int rank, const int *sizes, const int *strides, float *out)
    {
        for (int i = 0; i < count; i++) out[i] = in[offset_of(i, rank, sizes, strides)];
    }
    """)

  static let copyBlocks = CFunction(
    "copy_blocks",
    """
    /* Copies blocks of values to places that are `stride` apart. */
    static void copy_blocks(const float *in, int blocks, int length, float *out, int stride)
    {
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < length; i++) out[block * stride + i] = in[block * length + i];
        }
    }
    """)

  static let copyInside = CFunction(
    "copy_inside", uses: [fill, imageSize],
    """
    /* Copies an image into a larger one of zeros. */
    static void copy_inside(
        const float *in, image_size from, int top, int left, float *out, image_size to)
    {
        fill_values(out, to.rows * to.columns * to.channels, 0.0f);
        for (int row = 0; row < from.rows; row++) {
            const float *source = in + row * from.columns * from.channels;
            float *target = out + ((row + top) * to.columns + left) * to.channels;
            for (int i = 0; i < from.columns * from.channels; i++) target[i] = source[i];
        }
    }
    """)

  static let imageSize = CFunction(
    "image_size",
    """
    /* The size of an image; a sequence is an image of one row. */
    typedef struct {
        int rows, columns, channels;
    } image_size;
    """)

  static let slidingWindow = CFunction(
    "sliding_window",
    """
    /* A window that slides over an image; the first one begins `top` rows and `left` columns outside. */
    typedef struct {
        int rows, columns;
        int row_stride, column_stride;
        int row_dilation, column_dilation;
        int top, left;
    } sliding_window;
    """)
}
