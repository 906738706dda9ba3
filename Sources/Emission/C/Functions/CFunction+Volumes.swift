extension CFunction {
  static let volumeSize = CFunction(
    "volume_size",
    """
    /* The size of a volume: depth, rows and columns. */
    typedef struct {
        int size[3], channels;
    } volume_size;
    """)

  static let volumeWindow = CFunction(
    "volume_window",
    """
    /* A window that slides over a volume, and the padding in front of each axis. */
    typedef struct {
        int size[3], stride[3], dilation[3], before[3];
    } volume_window;
    """)

  static let underTap = CFunction(
    "under_tap", uses: [volumeWindow],
    """
    /* Returns the position along an axis that a tap of a window is over. */
    static int under_tap(const volume_window *window, int axis, int place, int tap)
    {
        return place * window->stride[axis] - window->before[axis] + tap * window->dilation[axis];
    }
    """)

  static let inVolume = CFunction(
    "in_volume", uses: [volumeSize],
    """
    /* Returns the number of a position of a volume; -1 outside of it. */
    static int in_volume(const volume_size *volume, int z, int y, int x)
    {
        const int *size = volume->size;
        const int inside = z >= 0 && z < size[0] && y >= 0 && y < size[1] && x >= 0 && x < size[2];
        return inside ? (z * size[1] + y) * size[2] + x : -1;
    }
    """)

  static let convolveVolume = CFunction(
    "convolve_volume", uses: [underTap, inVolume, multiplyAdd, setBias],
    """
    /* A convolution of a volume; the kernel is (depth, rows, columns, input channels of a group, output channels). */
    static void convolve_volume(
        const float *in, const volume_size *from, const volume_window *window, int groups,
        const float *kernel, const float *bias, float *out, const volume_size *to)
    {
        const int inputs = from->channels / groups;
        const int outputs = to->channels / groups;
        float *sums = out;
        for (int z = 0; z < to->size[0]; z++)
        for (int y = 0; y < to->size[1]; y++)
        for (int x = 0; x < to->size[2]; x++, sums += to->channels) {
            const float *weights = kernel;
            set_bias(sums, bias, to->channels);
            for (int k = 0; k < window->size[0]; k++)
            for (int i = 0; i < window->size[1]; i++)
            for (int j = 0; j < window->size[2]; j++, weights += inputs * to->channels) {
                const int place = in_volume(
                    from, under_tap(window, 0, z, k), under_tap(window, 1, y, i),
                    under_tap(window, 2, x, j));
                if (place < 0) continue;
                for (int group = 0; group < groups; group++) {
                    multiply_add(
                        in + place * from->channels + group * inputs, inputs,
                        weights + group * outputs, to->channels, outputs, sums + group * outputs);
                }
            }
        }
    }
    """)

  static let convolveVolumeTransposed = CFunction(
    "convolve_volume_transposed", uses: [underTap, inVolume, setBias, dot],
    """
    /* A transposed convolution of a volume: each value adds its kernel to the output. The kernel is
       (depth, rows, columns, output channels, input channels). */
    static void convolve_volume_transposed(
        const float *in, const volume_size *from, const volume_window *window, const float *kernel,
        const float *bias, float *out, const volume_size *to)
    {
        const int places = to->size[0] * to->size[1] * to->size[2];
        const float *pixel = in;
        for (int place = 0; place < places; place++) {
            set_bias(out + place * to->channels, bias, to->channels);
        }
        for (int z = 0; z < from->size[0]; z++)
        for (int y = 0; y < from->size[1]; y++)
        for (int x = 0; x < from->size[2]; x++, pixel += from->channels) {
            const float *weights = kernel;
            for (int k = 0; k < window->size[0]; k++)
            for (int i = 0; i < window->size[1]; i++)
            for (int j = 0; j < window->size[2]; j++, weights += to->channels * from->channels) {
                const int place = in_volume(
                    to, under_tap(window, 0, z, k), under_tap(window, 1, y, i),
                    under_tap(window, 2, x, j));
                if (place < 0) continue;
                for (int o = 0; o < to->channels; o++) {
                    out[place * to->channels + o] += dot_product(
                        pixel, 1, weights + o * from->channels, 1, from->channels);
                }
            }
        }
    }
    """)

  static let poolVolumeLargest = poolingVolumes(
    "pool_volume_largest", uses: [larger],
    "The largest value in each window of a volume; edges are left out.",
    start: "-INFINITY", add: "sums[c] = larger_of(sums[c], pixel[c]);")

  static let poolVolumeMean = poolingVolumes(
    "pool_volume_mean", uses: [], "The mean of each window of a volume; edges are left out.",
    start: "0.0f", add: "sums[c] += pixel[c];",
    end: "\n        for (int c = 0; c < to->channels; c++) sums[c] /= (float)count;")

  private static func poolingVolumes(
    _ name: String, uses: [CFunction], _ comment: String, start: String, add: String,
    end: String = ""
  ) -> CFunction {
    let counts = !end.isEmpty
    return CFunction(
      name, uses: [underTap, inVolume] + uses,
      """
      /* \(comment) */
      static void \(name)(
          const float *in, const volume_size *from, const volume_window *window, float *out,
          const volume_size *to)
      {
          float *sums = out;
          for (int z = 0; z < to->size[0]; z++)
          for (int y = 0; y < to->size[1]; y++)
          for (int x = 0; x < to->size[2]; x++, sums += to->channels) {\(counts ? "\n        int count = 0;" : "")
              for (int c = 0; c < to->channels; c++) sums[c] = \(start);
              for (int k = 0; k < window->size[0]; k++)
              for (int i = 0; i < window->size[1]; i++)
              for (int j = 0; j < window->size[2]; j++) {
                  const int place = in_volume(
                      from, under_tap(window, 0, z, k), under_tap(window, 1, y, i),
                      under_tap(window, 2, x, j));
                  if (place < 0) continue;
                  const float *pixel = in + place * from->channels;\(counts ? "\n            count++;" : "")
                  for (int c = 0; c < to->channels; c++) \(add)
              }\(end)
          }
      }
      """)
  }

  static let copyInsideVolume = CFunction(
    "copy_inside_volume", uses: [fill, inVolume],
    """
    /* Copies a volume into a larger one of zeros. */
    static void copy_inside_volume(
        const float *in, const volume_size *from, int front, int top, int left, float *out,
        const volume_size *to)
    {
        const float *pixel = in;
        fill_values(out, to->size[0] * to->size[1] * to->size[2] * to->channels, 0.0f);
        for (int z = 0; z < from->size[0]; z++)
        for (int y = 0; y < from->size[1]; y++)
        for (int x = 0; x < from->size[2]; x++, pixel += from->channels) {
            float *target = out + in_volume(to, z + front, y + top, x + left) * to->channels;
            for (int c = 0; c < to->channels; c++) target[c] = pixel[c];
        }
    }
    """)
}
