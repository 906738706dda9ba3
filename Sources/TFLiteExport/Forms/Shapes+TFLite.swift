import FlatBuffers
import ModelIR
import Operators

extension Flatten: TFLiteForm {
  static var tfliteOperations: String { "`RESHAPE`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    guard x[0].rank != 1 else { return [x[0]] }
    return [try graph.reshape(x[0], samples: [x[0].known().reduce(1, *)])]
  }
}

extension Reshape: TFLiteForm {
  static var tfliteOperations: String { "`RESHAPE`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    guard let shape = layer.shape.known else { throw .openSizeForTFLite }
    return [try graph.reshape(x[0], samples: shape)]
  }
}

extension Permute: TFLiteForm {
  static var tfliteOperations: String { "`TRANSPOSE`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.transpose(x[0], [0] + order.map { $0 + 1 })]
  }
}

extension RepeatVector: TFLiteForm {
  static var tfliteOperations: String { "`EXPAND_DIMS`, `TILE`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let vector = graph.expand(x[0], at: 1)
    return [
      graph.add(
        .tile, [vector, graph.ints([1, count, 1])], (51, [:]),
        sizes: [vector.sizes[0], .fixed(count), vector.sizes[2]])
    ]
  }
}

extension Constant: TFLiteForm {
  static var tfliteOperations: String {
    "a constant, and `BROADCAST_TO` where each sample needs its own"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.parameter(layer.required(.value), shape: [1] + shape)]
  }
}

extension Slice: TFLiteForm {
  static var tfliteOperations: String { "`STRIDED_SLICE`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let parts = counts.enumerated().compactMap { axis, count -> TFLiteGraphBuilder.Part? in
      guard let count else { return nil }
      let step = count == 1 ? 1 : steps[axis]
      let end = starts[axis] + count * step
      // With a negative step, the end before index 0 cannot be expressed as an index.
      return .init(
        axis: axis + 1, start: starts[axis], end: end < 0 ? nil : end, step: step, count: count)
    }
    return [try graph.slice(x[0], parts)]
  }
}

extension Reverse: TFLiteForm {
  static var tfliteOperations: String { "`REVERSE_V2`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] { [graph.reverse(x[0], along: 1)] }
}

extension SpatialCropping: TFLiteForm {
  static var tfliteOperations: String { "`STRIDED_SLICE`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let parts = cropping.enumerated().compactMap { axis, sides -> TFLiteGraphBuilder.Part? in
      guard sides != [0, 0] else { return nil }
      return .init(
        axis: axis + 1, start: sides[0], end: sides[1] == 0 ? nil : -sides[1], step: 1,
        count: layer.shape.dimensions[axis])
    }
    return [try graph.slice(x[0], parts)]
  }
}

extension SpatialZeroPadding: TFLiteForm {
  static var tfliteOperations: String { "`PAD`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.pad(x[0], [[0, 0]] + padding + [[0, 0]])]
  }
}

extension GatedLinearUnit: TFLiteForm {
  static var tfliteOperations: String { "`STRIDED_SLICE`, `LOGISTIC`, `MUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let axis = 1 + (axis < 0 ? axis + x[0].rank : axis)
    guard x[0].sizes[axis].known != nil else { throw .openSizeForTFLite }
    let halves = try graph.split(x[0], 2, along: axis)
    return [try graph.binary(.mul, halves[0], graph.unary(.logistic, halves[1]))]
  }
}

extension TimeDistributed: TFLiteForm {
  static var tfliteOperations: String {
    "the steps as samples, between two `RESHAPE`; a `Dense` over the last axis"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    guard let form = operation as? any TFLiteForm else {
      throw .notInTFLite(type(of: operation).name)
    }
    if operation is Dense { return try form.write(x, layer, to: &graph) }
    let input = try graph.expanded(x[0])
    let shape = try input.known()
    let batch = TFLiteSize.open(input.sizes[0].count * shape[0])
    let steps = try graph.reshape(input, samples: Array(shape.dropFirst()), batch: batch)
    let shapes = layer.outputShapes.map { Shape(Array($0.dimensions.dropFirst())) }
    let outputs = try form.write(
      [steps], TFLiteLayer(parameters: layer.parameters, outputShapes: shapes), to: &graph)
    return try outputs.map { output throws(NetconvError) in
      try graph.reshape(output, samples: [shape[0]] + output.known(), batch: input.sizes[0])
    }
  }
}
