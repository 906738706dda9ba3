import ModelIR
import Operators

extension SpatialLocallyConnected: ONNXForm {
  static var onnxOperations: String { "`Gather` of each window, `MatMul`, `Add`" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let kernel = try layer.required(.kernel)
    guard let shape = x[0].shape.known, let output = layer.shape.known else {
      throw .openSizeForONNX
    }
    let indices = window.axes.indices.reduce([[0]]) { places, axis in
      Self.places(window.axes[axis], in: shape[axis], behind: places)
    }
    let channels = shape[shape.count - 1]
    let taps = indices.map { $0.flatMap { tap in (0..<channels).map { tap * channels + $0 } } }
    guard taps.count * (taps.first?.count ?? 0) <= 1 << 22 else { throw .largeMatrixForONNX }
    let flat = graph.add("Flatten", [graph.name(x[0], .last)], .int("axis", 1))
    let table = graph.ints(taps.flatMap { $0 }, [taps.count, taps.first?.count ?? 0])
    let patches = graph.add("Gather", [flat, table], .int("axis", 1))
    // Positions come before samples: each has its own matrix.
    let product = graph.add(
      "MatMul",
      [
        graph.transpose(patches, [1, 0, 2]), try graph.parameter(kernel, as: kernel.spec.layout),
      ], isMain: true)
    var name = graph.reshape(graph.transpose(product, [1, 0, 2]), [0] + output)
    if let bias = layer.parameters[.bias] {
      name = graph.add("Add", [name, try graph.parameter(bias, as: bias.spec.layout)])
    }
    let sum = ONNXValue(name: name, order: .last, shape: layer.shape)
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
