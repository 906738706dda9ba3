import ModelIR
import Operators

extension Slice: ONNXForm {
  static var onnxOperations: String { "`Slice`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = x[0].shape.rank == 1 ? graph.value(x[0], .last) : graph.expanded(x[0])
    var parts: [SlicedAxis] = []
    for (axis, count) in counts.enumerated() {
      guard let count else { continue }
      let step = count == 1 ? 1 : steps[axis]
      let end = starts[axis] + count * step
      // With a negative step, the end before index 0 cannot be expressed as an index.
      parts.append(
        SlicedAxis(
          axis: axis, start: starts[axis], end: end < 0 ? SlicedAxis.front : end, step: step))
    }
    return [graph.slice(input, parts, layer.shape)]
  }
}

extension Reverse: ONNXForm {
  static var onnxOperations: String { "`Slice` with a step of -1" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = x[0].shape.rank == 1 ? graph.value(x[0], .last) : graph.expanded(x[0])
    return [graph.slice(input, [.reversed(0)], layer.shape)]
  }
}

extension SpatialCropping: ONNXForm {
  static var onnxOperations: String { "`Slice`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let parts = cropping.enumerated().map { axis, sides in
      SlicedAxis(
        axis: axis, start: sides[0], end: sides[1] == 0 ? SlicedAxis.back : -sides[1], step: 1)
    }
    return [graph.slice(graph.expanded(x[0]), parts, layer.shape)]
  }
}

extension SpatialZeroPadding: ONNXForm {
  static var onnxOperations: String { "`Pad`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = graph.expanded(x[0])
    let sides = input.order.arranged(padding + [[0, 0]])
    let amounts = [0] + sides.map { $0[0] } + [0] + sides.map { $0[1] }
    let name = graph.add("Pad", [input.name, graph.ints(amounts)], .string("mode", "constant"))
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}

extension GatedLinearUnit: ONNXForm {
  static var onnxOperations: String { "`Split`, `Sigmoid`, `Mul`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let rank = x[0].shape.rank
    let input = rank == 1 ? graph.value(x[0], .last) : graph.expanded(x[0])
    let axis = input.axis(axis < 0 ? axis + rank : axis)
    let halves = graph.add("Split", [input.name], [.int("axis", axis)], outputs: 2)
    let name = graph.add("Mul", [halves[0], graph.add("Sigmoid", [halves[1]])])
    return [ONNXValue(name: name, order: input.order, shape: layer.shape)]
  }
}

/// The slice of an axis of a sample.
struct SlicedAxis {
  /// An end after the last index.
  static let back = Int(Int32.max)
  /// An end before the first index.
  static let front = -Int(Int32.max)

  let axis: Int
  let start: Int
  let end: Int
  let step: Int

  /// Returns the slice with all indices in reverse order.
  static func reversed(_ axis: Int) -> SlicedAxis {
    SlicedAxis(axis: axis, start: -1, end: front, step: -1)
  }
}

extension ONNXGraphBuilder {
  /// Slices a value.
  mutating func slice(_ x: ONNXValue, _ parts: [SlicedAxis], _ shape: Shape) -> ONNXValue {
    guard !parts.isEmpty else { return x }
    let name = add(
      "Slice",
      [
        x.name, ints(parts.map(\.start)), ints(parts.map(\.end)),
        ints(parts.map { x.axis($0.axis) }), ints(parts.map(\.step)),
      ])
    return ONNXValue(name: name, order: x.order, shape: shape)
  }
}
