import ModelIR
import Operators

extension Flatten: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? { nil }
}

extension Identity: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? { nil }
}

extension Reshape: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? { nil }
}

/// An array's elements in another order: the sizes of what is read, and the distance of neighbours along each axis.
struct CStrides {
  private(set) var sizes: [Int]
  private(set) var strides: [Int]
  /// The offset of the first element.
  var start = 0

  /// Creates the strides of an array of `shape`.
  init(of shape: [Int]) {
    sizes = shape
    strides = shape.indices.map { shape[($0 + 1)...].reduce(1, *) }
  }

  /// Creates the strides of an array that is broadcast to `shape`, which has the same rank.
  init(of small: [Int], broadcastTo shape: [Int]) {
    self.init(of: small)
    strides = zip(small, strides).map { $0 == 1 ? 0 : $1 }
    sizes = shape
  }

  /// Returns the axes at `order`.
  func selecting(_ order: [Int]) -> CStrides {
    var result = self
    result.sizes = order.map { sizes[$0] }
    result.strides = order.map { strides[$0] }
    return result
  }

  /// Selects indices along an axis.
  mutating func select(_ axis: Int, from first: Int, count: Int, by step: Int) {
    start += first * strides[axis]
    sizes[axis] = count
    strides[axis] *= step
  }

  /// The number of elements.
  var count: Int { sizes.reduce(1, *) }

  /// Returns the definitions of the sizes and strides, of which there is at least one.
  func definitions(_ prefix: String = "") -> [String] {
    CText.integers(prefix + "sizes", sizes.isEmpty ? [1] : sizes)
      + CText.integers(prefix + "strides", strides.isEmpty ? [0] : strides)
  }

  /// The number of axes, at least one.
  var rank: Int { max(1, sizes.count) }

  /// Returns statements that copy the elements in row-major order.
  func copy(_ input: String, to output: String) -> [String] {
    let address = start == 0 ? input : "\(input) + \(start)"
    return CText.block(
      definitions() + ["copy_strided(\(address), \(count), \(rank), sizes, strides, \(output));"])
  }
}

extension CStep {
  fileprivate static func copying(_ strides: CStrides) -> CStep {
    CStep([.copyStrided]) { strides.copy($0.input, to: $0.output) }
  }
}

extension Permute: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .copying(CStrides(of: layer.inputs[0]).selecting(order))
  }
}

extension Slice: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    var strides = CStrides(of: layer.inputs[0])
    for axis in starts.indices {
      strides.select(axis, from: starts[axis], count: layer.output[axis], by: steps[axis])
    }
    return .copying(strides)
  }
}

extension Reverse: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let length = layer.inputs[0][0]
    var strides = CStrides(of: layer.inputs[0])
    strides.select(0, from: length - 1, count: length, by: -1)
    return .copying(strides)
  }
}

extension RepeatVector: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .copying(CStrides(of: [1] + layer.inputs[0], broadcastTo: layer.output))
  }
}

extension SpatialCropping: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    var strides = CStrides(of: layer.inputs[0])
    for (axis, sides) in cropping.enumerated() {
      strides.select(axis, from: sides[0], count: layer.output[axis], by: 1)
    }
    return .copying(strides)
  }
}

extension SpatialZeroPadding: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    if Space.axes.count == 3 {
      let before = padding.map { $0[0] }.list
      return CStep([.copyInsideVolume]) { places in
        CText.block([
          CVolumeWindow.sizes(from: layer.inputs[0], to: layer.output),
          "copy_inside_volume(\(places.input), &from, \(before), \(places.output), &to);",
        ])
      }
    }
    let (from, to) = (layer.inputs[0].asImage, layer.output.asImage)
    let (top, left) = (top, left)
    return CStep([.copyInside]) { places in
      CText.block([
        "const image_size from = {\(from.list)}, to = {\(to.list)};",
        "copy_inside(\(places.input), from, \(top), \(left), \(places.output), to);",
      ])
    }
  }
}

extension Concatenate: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let axis = axis < 0 ? axis + layer.output.count : axis
    let blocks = layer.output[..<axis].reduce(1, *)
    let lengths = layer.inputs.map { $0[axis...].reduce(1, *) }
    let stride = lengths.reduce(0, +)
    return CStep([.copyBlocks]) { places in
      var start = 0
      return zip(places.inputs, lengths).map { input, length in
        let target = start == 0 ? places.output : "\(places.output) + \(start)"
        start += length
        return "copy_blocks(\(input), \(blocks), \(length), \(target), \(stride));"
      }
    }
  }
}

extension Constant: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let count = layer.outputCount
    return CStep([.copy], parameters: CStep.Parameter.optional("value", layer.values(.value))) {
      ["copy_values(\($0["value"]), \(count), \($0.output));"]
    }
  }
}

extension Embedding: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let count = layer.inputCount
    var step = CStep(
      [.lookUp], parameters: CStep.Parameter.optional("table", layer.values(.kernel))
    ) { places in
      [
        "if (!look_up(\(places.input), \(count), \(places["table"]), \(self.count), \(outputChannels), \(places.output))) return 1;"
      ]
    }
    step.checksIndices = true
    return step
  }
}
