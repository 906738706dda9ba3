extension CFunction {
  static let layerNorm = CFunction(
    "normalize",
    """
    /* Normalises slices: `count` values that are `inner` apart, `outer` times. gamma and beta may be NULL;
       the mean is only subtracted from values where `centers` is 1. */
    static void normalize(
        float *x, int outer, int count, int inner, float epsilon, int centers, const float *gamma,
        const float *beta)
    {
        for (int slice = 0; slice < outer * inner; slice++) {
            float *values = x + slice / inner * count * inner + slice % inner;
            float mean = 0.0f, variance = 0.0f;
            for (int i = 0; i < count; i++) mean += values[i * inner];
            mean /= (float)count;
            for (int i = 0; i < count; i++) {
                const float distance = values[i * inner] - mean;
                variance += distance * distance;
            }
            const float scale = 1.0f / sqrtf(variance / (float)count + epsilon);
            for (int i = 0; i < count; i++) {
                const float value = (values[i * inner] - (centers ? mean : 0.0f)) * scale;
                values[i * inner] =
                    (gamma == NULL ? value : value * gamma[i]) + (beta == NULL ? 0.0f : beta[i]);
            }
        }
    }
    """)

  static let groupNorm = CFunction(
    "normalize_groups",
    """
    /* Normalises groups of `size` channels over all places: `outer` places in front of the channels' axis
       and `inner` behind it. gamma and beta may be NULL. */
    static void normalize_groups(
        float *x, int outer, int groups, int size, int inner, float epsilon, const float *gamma,
        const float *beta)
    {
        const float count = (float)(outer * size * inner);
        for (int group = 0; group < groups; group++) {
            float mean = 0.0f, variance = 0.0f;
            for (int i = 0; i < outer; i++) {
                const float *values = x + (i * groups + group) * size * inner;
                for (int j = 0; j < size * inner; j++) mean += values[j];
            }
            mean /= count;
            for (int i = 0; i < outer; i++) {
                const float *values = x + (i * groups + group) * size * inner;
                for (int j = 0; j < size * inner; j++) {
                    variance += (values[j] - mean) * (values[j] - mean);
                }
            }
            const float scale = 1.0f / sqrtf(variance / count + epsilon);
            for (int i = 0; i < outer; i++) {
                float *values = x + (i * groups + group) * size * inner;
                for (int j = 0; j < size * inner; j++) {
                    const int channel = group * size + j / inner;
                    const float value = (values[j] - mean) * scale;
                    values[j] = (gamma == NULL ? value : value * gamma[channel])
                        + (beta == NULL ? 0.0f : beta[channel]);
                }
            }
        }
    }
    """)

  static let rootMeanSquare = CFunction(
    "divide_by_root_mean_square",
    """
    /* Divides rows of values by the root of their mean square; gamma may be NULL. */
    static void divide_by_root_mean_square(
        float *x, int rows, int count, float epsilon, const float *gamma)
    {
        for (int row = 0; row < rows; row++) {
            float *values = x + row * count;
            float squares = 0.0f;
            for (int i = 0; i < count; i++) squares += values[i] * values[i];
            const float scale = 1.0f / sqrtf(squares / (float)count + epsilon);
            for (int i = 0; i < count; i++) values[i] *= gamma == NULL ? scale : scale * gamma[i];
        }
    }
    """)

  static let unitNorm = CFunction(
    "divide_by_norm",
    """
    /* Divides slices by their norm: `count` values that are `inner` apart, `outer` times. */
    static void divide_by_norm(float *x, int outer, int count, int inner, float smallest)
    {
        for (int slice = 0; slice < outer * inner; slice++) {
            float *values = x + slice / inner * count * inner + slice % inner;
            float squares = 0.0f;
            for (int i = 0; i < count; i++) squares += values[i * inner] * values[i * inner];
            const float norm = sqrtf(squares);
            for (int i = 0; i < count; i++) values[i * inner] /= norm < smallest ? smallest : norm;
        }
    }
    """)

  static let softmax = CFunction(
    "apply_softmax",
    """
    /* Softmax of slices: `count` values that are `inner` apart, `outer` times. */
    static void apply_softmax(float *x, int outer, int count, int inner)
    {
        for (int slice = 0; slice < outer * inner; slice++) {
            float *values = x + slice / inner * count * inner + slice % inner;
            float largest = values[0], sum = 0.0f;
            for (int i = 1; i < count; i++) {
                if (values[i * inner] > largest) largest = values[i * inner];
            }
            for (int i = 0; i < count; i++) {
                values[i * inner] = expf(values[i * inner] - largest);
                sum += values[i * inner];
            }
            for (int i = 0; i < count; i++) values[i * inner] /= sum;
        }
    }
    """)

  static let logSoftmax = CFunction(
    "apply_log_softmax",
    """
    /* The logarithm of softmax of slices: `count` values that are `inner` apart, `outer` times. */
    static void apply_log_softmax(float *x, int outer, int count, int inner)
    {
        for (int slice = 0; slice < outer * inner; slice++) {
            float *values = x + slice / inner * count * inner + slice % inner;
            float largest = values[0], sum = 0.0f;
            for (int i = 1; i < count; i++) {
                if (values[i * inner] > largest) largest = values[i * inner];
            }
            for (int i = 0; i < count; i++) sum += expf(values[i * inner] - largest);
            const float logarithm = logf(sum);
            for (int i = 0; i < count; i++) {
                values[i * inner] = values[i * inner] - largest - logarithm;
            }
        }
    }
    """)

  static let affine = CFunction(
    "scale_and_shift",
    """
    /* Subtracts a mean, multiplies by a scale and adds a shift; each `period` values have their own. */
    static void scale_and_shift(
        const float *in, int count, int period, const float *mean, const float *scale,
        const float *shift, float *out)
    {
        for (int start = 0; start < count; start += period) {
            for (int i = 0; i < period; i++) {
                const float value = mean == NULL ? in[start + i] : in[start + i] - mean[i];
                out[start + i] = shift == NULL ? value * scale[i] : value * scale[i] + shift[i];
            }
        }
    }
    """)

  static let affineOfChannels = CFunction(
    "scale_and_shift_channels",
    """
    /* Subtracts the mean of a channel, multiplies by its scale and adds its shift; `inner` values behind
       each other are of one channel. */
    static void scale_and_shift_channels(
        const float *in, int outer, int channels, int inner, const float *mean, const float *scale,
        const float *shift, float *out)
    {
        for (int i = 0; i < outer * channels * inner; i++) {
            const int c = i / inner % channels;
            out[i] = (in[i] - mean[c]) * scale[c] + shift[c];
        }
    }
    """)

  static let slopes = CFunction(
    "apply_slopes",
    """
    /* Multiplies negative values by slopes, of which each `period` values have their own. */
    static void apply_slopes(float *x, int count, int period, const float *slopes)
    {
        for (int i = 0; i < count; i++) {
            if (x[i] < 0.0f) x[i] *= slopes[i % period];
        }
    }
    """)

  /// A function that reduces slices of values at any axes to one value each.
  static func reduction(
    _ name: String, _ comment: String, uses: [CFunction] = [], start: String, add: String,
    result: String = "result"
  ) -> CFunction {
    CFunction(
      name, uses: [offset] + uses,
      """
      /* \(comment) of slices of an array. Both axes along which the slices are counted and axes along a
         slice have sizes and strides. */
      static void \(name)(
          const float *in, int slices, int rank, const int *sizes, const int *strides, int count,
          int slice_rank, const int *slice_sizes, const int *slice_strides, float *out)
      {
          for (int slice = 0; slice < slices; slice++) {
              const float *values = in + offset_of(slice, rank, sizes, strides);
              float result = \(start);
              for (int i = 0; i < count; i++) {
                  const float value = values[offset_of(i, slice_rank, slice_sizes, slice_strides)];
                  \(add)
              }
              out[slice] = \(result);
          }
      }
      """)
  }

  /// A function that finds the index of the largest or smallest value.
  static func indexReduction(_ name: String, _ comparison: String, takesLast: Bool) -> CFunction {
    CFunction(
      name,
      """
      /* The index of the \(comparison == ">" ? "largest" : "smallest") of `count` values that are `inner` apart, `outer` times; of equal
         ones the \(takesLast ? "last" : "first"), and of NaN the first. */
      static void \(name)(const float *in, int outer, int count, int inner, float *out)
      {
          for (int slice = 0; slice < outer * inner; slice++) {
              const float *values = in + slice / inner * count * inner + slice % inner;
              int best = 0;
              for (int i = 1; i < count && values[best * inner] == values[best * inner]; i++) {
                  const float value = values[i * inner];
                  if (value != value || value \(comparison)\(takesLast ? "=" : "") values[best * inner]) best = i;
              }
              out[slice] = (float)best;
          }
      }
      """)
  }

  static let gate = CFunction(
    "gate_halves",
    """
    /* The first half of each block times the sigmoid of the second. */
    static void gate_halves(const float *in, int blocks, int half, float *out)
    {
        for (int block = 0; block < blocks; block++) {
            const float *first = in + block * 2 * half;
            for (int i = 0; i < half; i++) {
                out[block * half + i] = first[i] * (1.0f / (1.0f + expf(-first[half + i])));
            }
        }
    }
    """)

  static let maskSteps = CFunction(
    "mark_steps",
    """
    /* 1 for each step with a value that is not the mask's, and 0 for others. */
    static void mark_steps(const float *in, int steps, int channels, float masked, float *out)
    {
        for (int step = 0; step < steps; step++) {
            float mark = 0.0f;
            for (int c = 0; c < channels; c++) {
                if (in[step * channels + c] != masked) mark = 1.0f;
            }
            out[step] = mark;
        }
    }
    """)

  static let zeroSteps = CFunction(
    "zero_masked_steps",
    """
    /* Sets steps to zeros whose values are all the mask's. */
    static void zero_masked_steps(float *x, int steps, int channels, float masked)
    {
        for (int step = 0; step < steps; step++) {
            int counts = 0;
            for (int c = 0; c < channels; c++) counts |= x[step * channels + c] != masked;
            for (int c = 0; c < channels && !counts; c++) x[step * channels + c] = 0.0f;
        }
    }
    """)

  static let maskedMean = CFunction(
    "average_masked",
    """
    /* The mean of the steps that a mask lets through. */
    static void average_masked(
        const float *in, const float *mask, int steps, int channels, float *out)
    {
        float count = 0.0f;
        for (int step = 0; step < steps; step++) count += mask[step];
        for (int c = 0; c < channels; c++) {
            float sum = 0.0f;
            for (int step = 0; step < steps; step++) sum += in[step * channels + c] * mask[step];
            out[c] = sum / count;
        }
    }
    """)

  static let lookUp = CFunction(
    "look_up",
    """
    /* Copies rows of a table; returns 0 if an index is outside of it. */
    static int look_up(
        const float *indices, int count, const float *table, int rows, int columns, float *out)
    {
        for (int i = 0; i < count; i++) {
            if (!(indices[i] > -1.0f && indices[i] < (float)rows)) return 0;
            const float *row = table + (int)indices[i] * columns;
            for (int j = 0; j < columns; j++) out[i * columns + j] = row[j];
        }
        return 1;
    }
    """)
}
