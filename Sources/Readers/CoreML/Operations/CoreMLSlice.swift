import ModelIR

/// Slices, parts and padding.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/tensor_transformation.py and tensor_operation.py.
enum CoreMLSlice: CoreMLOperationKind {
  static let names = ["crop", "pad", "slice_by_index", "slice_by_size", "split"]

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "crop": try crop(operation, &nodes)
    case "pad": try pad(operation, &nodes)
    case "slice_by_index": try sliceByIndex(operation, &nodes)
    case "slice_by_size": try sliceBySize(operation, &nodes)
    case "split": try split(operation, &nodes)
    default: throw .unknownOperation(operation.type, reading: [])
    }
  }

  private static let endless = Int(Int32.max)

  private static func sliceByIndex(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    guard let begins = try operation.ints("begin"), let ends = try operation.ints("end"),
      begins.count == ends.count
    else { throw .wrongSlice }
    let none = begins.map { _ in false }
    let steps = try operation.ints("stride") ?? begins.map { _ in 1 }
    let fromStart = try operation.flags("begin_mask") ?? none
    let toEnd = try operation.flags("end_mask") ?? none
    let squeezed = try operation.flags("squeeze_mask") ?? none
    guard
      [steps.count, fromStart.count, toEnd.count, squeezed.count].allSatisfy({ $0 == begins.count })
    else { throw .wrongSlice }
    var (starts, stops, sizes) = ([Int](), [Int](), [Int]())
    for axis in begins.indices {
      let isReversed = steps[axis] < 0
      if squeezed[axis] {
        starts.append(begins[axis])
        stops.append(begins[axis] == -1 ? endless : begins[axis] + 1)
        sizes.append(1)
      } else {
        starts.append(fromStart[axis] ? isReversed ? endless : 0 : begins[axis])
        stops.append(toEnd[axis] ? isReversed ? -endless : endless : ends[axis])
        sizes.append(steps[axis])
      }
    }
    let squeezedAxes = squeezed.indices.filter { squeezed[$0] }
    let part = slice(
      try operation.input("x"), starts, stops, sizes,
      to: squeezedAxes.isEmpty ? [operation.output] : [], &nodes)
    guard !squeezedAxes.isEmpty else { return }
    nodes.node("Squeeze", [part, nodes.ints(squeezedAxes)], to: [operation.output])
  }

  private static func slice(
    _ x: String, _ starts: [Int], _ stops: [Int], _ steps: [Int], to outputs: [String],
    _ nodes: inout CoreMLNodes
  ) -> String {
    nodes.node(
      "Slice",
      [
        x, nodes.ints(starts), nodes.ints(stops), nodes.ints(Array(starts.indices)),
        nodes.ints(steps),
      ], to: outputs)
  }

  /// Cuts rows and columns off at both ends of an image.
  private static func crop(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let sides = try ["crop_height", "crop_width"].map { parameter throws(NetconvError) in
      try operation.ints(parameter) ?? [0, 0]
    }
    guard sides.allSatisfy({ side in side.count == 2 && side.allSatisfy { $0 >= 0 } }) else {
      throw .wrongSlice
    }
    let stops = sides.map { $0[1] == 0 ? endless : -$0[1] }
    let operands = [
      try operation.input("x"), nodes.ints(sides.map { $0[0] }), nodes.ints(stops),
      nodes.ints([-2, -1]),
    ]
    nodes.node("Slice", operands, to: [operation.output])
  }

  private static func sliceBySize(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    guard let begins = try operation.ints("begin"), let sizes = try operation.ints("size"),
      begins.count == sizes.count, !begins.contains(where: { $0 < 0 })
    else { throw .wrongSlice }
    let stops = zip(begins, sizes).map { $1 < 0 ? endless : $0 + $1 }
    _ = slice(
      try operation.input("x"), begins, stops, begins.map { _ in 1 }, to: [operation.output], &nodes
    )
  }

  private static func split(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    var operands = [try operation.input("x")]
    if let sizes = try operation.ints("split_sizes") { operands.append(nodes.ints(sizes)) }
    nodes.node(
      "Split", operands, ["axis": .integer(try operation.int("axis", 0))], to: operation.outputs)
  }

  /// Pads the last axes; the others are not padded.
  private static func pad(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    let x = try operation.input("x")
    guard let own = try operation.ints("pad"), let rank = nodes.shape(of: x)?.count,
      own.count.isMultiple(of: 2), own.count <= 2 * rank
    else { throw .wrongSlice }
    let pad = [Int](repeating: 0, count: 2 * rank - own.count) + own
    let ends = { (first: Int) in stride(from: first, to: pad.count, by: 2).map { pad[$0] } }
    let modes = ["constant": "constant", "reflect": "reflect", "replicate": "edge"]
    let stated = try operation.text("mode", "constant")
    guard let mode = modes[stated] else {
      throw .unknownSetting("mode", stated, known: modes.keys.sorted())
    }
    let operands = [
      x, nodes.ints(ends(0) + ends(1)), nodes.float(try operation.number("constant_val", 0)),
    ]
    nodes.node("Pad", operands, ["mode": .text(mode)], to: [operation.output])
  }
}
