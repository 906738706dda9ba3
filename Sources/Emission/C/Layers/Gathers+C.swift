import ModelIR
import Operators

extension Gather: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let (values, indices) = (layer.inputs[0], layer.inputs[1])
    let axis = try AxisList([axis]).indices(rank: values.count)[0]
    let (size, inner) = (values[axis], values[(axis + 1)...].reduce(1, *))
    let count = indices.reduce(1, *)
    var step: CStep
    if byElement {
      var strides = CStrides(of: values, broadcastTo: indices)
      strides.select(axis, from: 0, count: indices[axis], by: 0)
      let offsets = strides
      step = CStep([.gatherElements]) { places in
        CText.block(
          offsets.definitions() + [
            "if (!gather_elements(\(places.inputs[0]), \(size), \(inner), \(offsets.rank), sizes, strides, \(places.inputs[1]), \(count), \(places.output))) return 1;"
          ])
      }
    } else {
      let outer = values[..<axis].reduce(1, *)
      step = CStep([.gatherSlices]) { places in
        [
          "if (!gather_slices(\(places.inputs[0]), \(outer), \(size), \(inner), \(places.inputs[1]), \(count), \(places.output))) return 1;"
        ]
      }
    }
    step.checksIndices = true
    return step
  }
}

extension TopK: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axes = try CAxes(AxisList([axis]), of: layer.inputs[0])
    let (comparison, isIndex) = (takesSmallest ? "<" : ">", result == .indices)
    let definition = CFunction.selection(comparison, returnsIndices: isIndex)
    return CStep([definition]) { places in
      [
        "\(definition.name)(\(places.input), \(axes.outer), \(axes.count), \(axes.inner), \(count), \(places.output));"
      ]
    }
  }
}

extension CFunction {
  /// The index along an axis that a number stands for.
  static let index = CFunction(
    "index_in",
    """
    /* Returns the index of an axis that a number is, counted from the end if it is negative; -1 if it is outside. */
    static int index_in(int size, float number)
    {
        if (!(number > -(float)size - 1.0f && number < (float)size)) return -1;
        const int index = (int)number;
        return index < 0 ? index + size : index;
    }
    """)

  static let gatherSlices = CFunction(
    "gather_slices", uses: [index],
    """
    /* Copies the values at indices along an axis of `size`, with `inner` values at each; returns 0 if an index is outside. */
    static int gather_slices(
        const float *in, int outer, int size, int inner, const float *indices, int count, float *out)
    {
        for (int block = 0; block < outer; block++) {
            for (int i = 0; i < count; i++) {
                const int index = index_in(size, indices[i]);
                if (index < 0) return 0;
                const float *values = in + (block * size + index) * inner;
                for (int j = 0; j < inner; j++) *out++ = values[j];
            }
        }
        return 1;
    }
    """)

  static let gatherElements = CFunction(
    "gather_elements", uses: [index, offset],
    """
    /* Copies one value for each index, along an axis of `size` whose values are `stride` apart; returns 0 if an index is
       outside. The strides are those of the values, and 0 along the axis. */
    static int gather_elements(
        const float *in, int size, int stride, int rank, const int *sizes, const int *strides, const float *indices,
        int count, float *out)
    {
        for (int i = 0; i < count; i++) {
            const int index = index_in(size, indices[i]);
            if (index < 0) return 0;
            out[i] = in[offset_of(i, rank, sizes, strides) + index * stride];
        }
        return 1;
    }
    """)

  /// The selection of the largest or smallest values, in order.
  static func selection(_ comparison: String, returnsIndices: Bool) -> CFunction {
    let size = comparison == ">" ? "largest" : "smallest"
    let order = CFunction(
      "\(size)_first",
      """
      /* Whether value `a` at index `i` comes before value `b` at index `j`; NaN comes first. */
      static int \(size)_first(float a, int i, float b, int j)
      {
          if (a != a || b != b) return a != a && (b == b || i < j);
          return a == b ? i < j : a \(comparison) b;
      }
      """)
    let name = (returnsIndices ? "indices_of_" : "") + size
    return CFunction(
      name, uses: [order],
      """
      /* The `selected` \(size) of `count` values that are `inner` apart, in order, `outer` times\(returnsIndices ? ": their indices" : ""). */
      static void \(name)(const float *in, int outer, int count, int inner, int selected, float *out)
      {
          for (int slice = 0; slice < outer * inner; slice++) {
              const float *values = in + slice / inner * count * inner + slice % inner;
              float *results = out + slice / inner * selected * inner + slice % inner;
              int last = -1;
              for (int rank = 0; rank < selected; rank++) {
                  int best = -1;
                  for (int i = 0; i < count; i++) {
                      const float value = values[i * inner];
                      if (last >= 0 && !\(size)_first(values[last * inner], last, value, i)) continue;
                      if (best < 0 || \(size)_first(value, i, values[best * inner], best)) best = i;
                  }
                  results[rank * inner] = \(returnsIndices ? "(float)best" : "values[best * inner]");
                  last = best;
              }
          }
      }
      """)
  }
}
