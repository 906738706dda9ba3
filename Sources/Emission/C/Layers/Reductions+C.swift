import ModelIR
import Operators

extension Reduce: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let input = layer.inputs[0]
    let reduced = try axes.indices(rank: input.count)
    let all = CStrides(of: input)
    let slices = all.selecting(input.indices.filter { !reduced.contains($0) })
    let slice = all.selecting(reduced)
    let definition = definition
    return CStep([definition]) { places in
      CText.block(
        slices.definitions() + slice.definitions("slice_") + [
          "\(definition.name)(\(places.input), \(slices.count), \(slices.rank), sizes, strides, \(slice.count), \(slice.rank), slice_sizes, slice_strides, \(places.output));"
        ])
    }
  }

  private var definition: CFunction {
    switch function {
    case .sum:
      .reduction("sum_slices", "Sums", start: "0.0f", add: "result += value;")
    case .mean:
      .reduction(
        "average_slices", "Means", start: "0.0f", add: "result += value;",
        result: "result / (float)count")
    case .maximum:
      .reduction(
        "largest_of_slices", "Largest values", uses: [.larger], start: "-INFINITY",
        add: "result = larger_of(result, value);")
    case .minimum:
      .reduction(
        "smallest_of_slices", "Smallest values", uses: [.smaller], start: "INFINITY",
        add: "result = smaller_of(result, value);")
    case .product:
      .reduction("multiply_slices", "Products", start: "1.0f", add: "result *= value;")
    }
  }
}

extension ArgReduce: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axes = try CAxes(AxisList([axis]), of: layer.inputs[0])
    let name = (takesLast ? "last_" : "first_") + "index_of_" + function.rawValue
    let definition = CFunction.indexReduction(
      name, function == .maximum ? ">" : "<", takesLast: takesLast)
    return CStep([definition]) { places in
      ["\(name)(\(places.input), \(axes.outer), \(axes.count), \(axes.inner), \(places.output));"]
    }
  }
}

extension MatMul: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let output = layer.output
    let stack = Array(output.dropLast(2))
    let (rows, columns) = (output[output.count - 2], output[output.count - 1])
    let depth = layer.inputs[0][layer.inputs[0].count - (transposesFirst ? 2 : 1)]
    let flags = [transposesFirst, transposesSecond]
    let matrices = zip(layer.inputs, flags).map { shape, isTransposed in
      let width = shape[shape.count - 1]
      return isTransposed ? "1, \(width)" : "\(width), 1"
    }
    let strides = layer.inputs.map { shape in
      let size = shape.suffix(2).reduce(1, *)
      return CStrides(of: Array(shape.dropLast(2)), broadcastTo: stack).strides.map { $0 * size }
    }
    func call(_ first: String, _ second: String, _ out: String) -> String {
      "multiply_matrices(\(first), \(matrices[0]), \(second), \(matrices[1]), \(rows), \(depth), \(columns), \(out));"
    }
    let count = stack.reduce(1, *)
    guard count > 1 else {
      return CStep([.multiplyMatrices]) { [call($0.inputs[0], $0.inputs[1], $0.output)] }
    }
    return CStep([.offset, .multiplyMatrices]) { places in
      let rank = stack.count
      return CText.block(
        CText.integers("sizes", stack) + CText.integers("first_strides", strides[0])
          + CText.integers("second_strides", strides[1])
          + ["for (int i = 0; i < \(count); i++) {"]
          + [
            "    "
              + call(
                "\(places.inputs[0]) + offset_of(i, \(rank), sizes, first_strides)",
                "\(places.inputs[1]) + offset_of(i, \(rank), sizes, second_strides)",
                "\(places.output) + i * \(rows * columns)"), "}",
          ])
    }
  }
}

extension Dot: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    var slices: [CAxes] = []
    for (axis, shape) in zip(axes, layer.inputs) {
      slices.append(try CAxes(AxisList([axis]), of: shape))
    }
    let (first, second) = (slices[0], slices[1])
    let function = CFunction(
      "dot_slices", uses: [.dot],
      """
      /* The products of all slices of two arrays: `count` values that are `inner` apart, `outer` times. */
      static void dot_slices(
          const float *first, int first_outer, int first_inner, const float *second,
          int second_outer, int second_inner, int count, float *out)
      {
          for (int i = 0; i < first_outer * first_inner; i++) {
              const float *left = first + i / first_inner * count * first_inner + i % first_inner;
              for (int j = 0; j < second_outer * second_inner; j++) {
                  const float *right =
                      second + j / second_inner * count * second_inner + j % second_inner;
                  *out++ = dot_product(left, first_inner, right, second_inner, count);
              }
          }
      }
      """)
    let counts = layer.inputs.map { $0.reduce(1, *) }
    let norm = smallestNorm
    return CStep(
      [function] + (norm == nil ? [] : [.copy, .unitNorm]),
      scratch: norm == nil ? 0 : counts[0] + counts[1]
    ) { places in
      var operands = places.inputs
      var lines: [String] = []
      if let norm {
        operands = [places.scratch, places.scratch(from: counts[0])]
        for (index, axes) in [first, second].enumerated() {
          lines += [
            "copy_values(\(places.inputs[index]), \(counts[index]), \(operands[index]));",
            "divide_by_norm(\(operands[index]), \(axes.outer), \(axes.count), \(axes.inner), \(CText.literal(norm)));",
          ]
        }
      }
      return lines + [
        "dot_slices(\(operands[0]), \(first.outer), \(first.inner), \(operands[1]), \(second.outer), \(second.inner), \(first.count), \(places.output));"
      ]
    }
  }
}
