import ModelIR

// Layers of neural networks since specification 4, whose arrays have any number of axes, the batch among them.
//
// Source: coremltools, mlmodel/format/NeuralNetwork.proto.

extension CoreMLLayers {
  /// Adds the nodes of a layer, and returns the shape of its output.
  mutating func writeOfAnyRank(
    _ kind: Int, _ layer: Layer, _ own: [Int?]
  ) throws(NetconvError) -> [Int?] {
    let fields = layer.fields
    let axes = try fields.integers(1).map { $0 < 0 ? $0 + own.count : $0 }
    let (x, output) = (layer.input, [layer.output])
    switch kind {
    case 760:
      nodes.node("Tanh", [x], to: output)
      return own
    case 950:
      nodes.node("Softmax", [x], ["axis": .integer(try fields.integer(1))], to: output)
      return own
    case 980: return try concatenateOfAnyRank(layer, own, axis: axes.first ?? 0)
    case 985:
      guard axes.sorted() == Array(own.indices) else { throw .wrongSlice }
      nodes.node("Transpose", [x], ["perm": .integers(axes)], to: output)
      return axes.map { own[$0] }
    case 1120:
      guard try !fields.flag(2), axes.allSatisfy(own.indices.contains) else {
        throw .unreadUse("a squeeze of all axes of size 1")
      }
      nodes.node("Squeeze", [x, nodes.ints(axes)], to: output)
      return own.indices.filter { !axes.contains($0) }.map { own[$0] }
    case 1125:
      // These axes are those of the output.
      let places = try fields.integers(1)
      nodes.node("Unsqueeze", [x, nodes.ints(places)], to: output)
      var shape = own
      for axis in places.map({ $0 < 0 ? $0 + own.count + places.count : $0 }).sorted() {
        guard axis >= 0, axis <= shape.count else { throw .wrongSlice }
        shape.insert(1, at: axis)
      }
      return shape
    case 1130:
      let axis = axes.first ?? 0
      guard axis == 1 else { throw .unreadUse("a flattenTo2D from the axis \(axis)") }
      nodes.node("Flatten", [x], ["axis": .integer(1)], to: output)
      let sizes = own.dropFirst().compactMap(\.self)
      return [own.first ?? nil, sizes.count == own.count - 1 ? sizes.reduce(1, *) : nil]
    case 1140:
      let shape = try fields.integers(1)
      nodes.node("Reshape", [x, nodes.ints(shape)], to: output)
      return shape.map { $0 > 0 ? $0 : nil }
    default: return try combineOfAnyRank(kind, layer, own)
    }
  }

  private mutating func concatenateOfAnyRank(
    _ layer: Layer, _ own: [Int?], axis: Int
  ) throws(NetconvError) -> [Int?] {
    guard own.indices.contains(axis), try !layer.fields.flag(2) else { throw .wrongSlice }
    nodes.node("Concat", layer.inputs, ["axis": .integer(axis)], to: [layer.output])
    let parts = layer.inputs.map {
      sizes[$0].flatMap { $0.indices.contains(axis) ? $0[axis] : nil }
    }
    var shape = own
    let known = parts.compactMap(\.self)
    shape[axis] = known.count == parts.count ? known.reduce(0, +) : nil
    return shape
  }

  private mutating func combineOfAnyRank(
    _ kind: Int, _ layer: Layer, _ own: [Int?]
  ) throws(NetconvError) -> [Int?] {
    let types = [870: "Min", 875: "Max", 880: "Add", 890: "Div", 900: "Mul", 905: "Sub"]
    nodes.node(types[kind] ?? "", layer.inputs, to: [layer.output])
    return layer.inputs.compactMap { sizes[$0] }.reduce(own) { first, second in
      let rank = max(first.count, second.count)
      let padded = { (shape: [Int?]) in [Int?](repeating: 1, count: rank - shape.count) + shape }
      return zip(padded(first), padded(second)).map { $0 == 1 ? $1 : $0 }
    }
  }
}
