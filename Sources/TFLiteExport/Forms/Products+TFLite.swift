import FlatBuffers
import ModelIR
import Operators

extension MatMul: TFLiteForm {
  static var tfliteOperations: String { "`BATCH_MATMUL`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [try graph.multiply(x[0], x[1], transposes: (transposesFirst, transposesSecond))]
  }
}

extension Dot: TFLiteForm {
  static var tfliteOperations: String {
    "`TRANSPOSE`, `RESHAPE` and `BATCH_MATMUL`; of unit vectors `SQRT`, `MAXIMUM` and `DIV` in front"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    var matrices: [TFLiteValue] = []
    var kept: [Int] = []
    for (value, axis) in zip(x, axes) {
      let place = axis < 0 ? axis + value.rank : axis
      let shape = try value.known()
      let others = shape.indices.filter { $0 != place }
      let unit = try smallestNorm.map { smallest throws(NetconvError) in
        try graph.unit(value, [place + 1], smallest)
      }
      let moved = try graph.transpose(unit ?? value, [0] + others.map { $0 + 1 } + [place + 1])
      matrices.append(
        try graph.reshape(
          moved, samples: [others.reduce(1) { $0 * shape[$1] }, shape[place]]))
      kept += others.map { shape[$0] }
    }
    let product = try graph.multiply(matrices[0], matrices[1], transposes: (false, true))
    return [try graph.reshape(product, samples: kept.isEmpty ? [1] : kept)]
  }
}

extension Embedding: TFLiteForm {
  static var tfliteOperations: String { "`CAST`, `GATHER`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let kernel = try layer.required(.kernel)
    let table = try graph.parameter(kernel)
    return [
      graph.add(
        .gather, [table, graph.cast(x[0], to: .int32)], (23, [0: .int(0)]),
        sizes: x[0].sizes + [table.sizes[1]])
    ]
  }
}

extension SpatialLocallyConnected: TFLiteForm {
  static var tfliteOperations: String { "`GATHER` of each window, `BATCH_MATMUL`, `ADD`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let kernel = try layer.required(.kernel)
    let shape = try x[0].known()
    guard let output = layer.shape.known else { throw .openSizeForTFLite }
    let indices = window.axes.indices.reduce([[0]]) { places, axis in
      Self.places(window.axes[axis], in: shape[axis], behind: places)
    }
    let channels = shape[shape.count - 1]
    let taps = indices.map { $0.flatMap { tap in (0..<channels).map { tap * channels + $0 } } }
    let width = taps.first?.count ?? 0
    guard taps.count * width <= 1 << 22 else { throw .largeMatrixForTFLite }
    let flat = try graph.reshape(graph.expanded(x[0]), samples: [shape.reduce(1, *)])
    let table = graph.ints(taps.flatMap { $0 }, [taps.count, width])
    let patches = graph.add(
      .gather, [flat, table], (23, [0: .int(1)]),
      sizes: [flat.sizes[0], .fixed(taps.count), .fixed(width)])
    // Positions come before samples: each has its own matrix.
    let product = try graph.multiply(
      graph.transpose(patches, [1, 0, 2]), graph.parameter(kernel))
    var sum = try graph.reshape(graph.transpose(product, [1, 0, 2]), samples: output)
    if let bias = layer.parameters[.bias] {
      sum = try graph.binary(.add, sum, graph.parameter(bias))
    }
    return [try graph.activate(sum, activation)]
  }

  /// Returns the offsets of the taps of each window along another axis of size `length`.
  private static func places(
    _ axis: WindowAxis, in length: Int, behind places: [[Int]]
  ) -> [[Int]] {
    places.flatMap { taps in
      (0..<axis.count(in: length)).map { index in
        taps.flatMap { tap in
          (0..<axis.size).map { tap * length + index * axis.stride + $0 * axis.dilation }
        }
      }
    }
  }
}
