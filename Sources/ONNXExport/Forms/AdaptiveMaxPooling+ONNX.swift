import ModelIR
import Operators

extension SpatialAdaptiveMaxPooling: ONNXForm {
  static var onnxOperations: String { "`Slice`, `ReduceMax` and `Concat` along each axis" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    guard let shape = x[0].shape.known else { throw .openSizeForONNX }
    var name = graph.name(x[0], .first)
    for (axis, count) in outputSize.sizes.enumerated() {
      let place = axis + 2
      let parts = adaptiveWindows(count, over: shape[axis]).map { window in
        let part = graph.add(
          "Slice",
          [
            name, graph.ints([window.lowerBound]), graph.ints([window.upperBound]),
            graph.ints([place]),
          ])
        return graph.add("ReduceMax", [part], .ints("axes", [place]))
      }
      name = graph.add("Concat", parts, .int("axis", place), isMain: true)
    }
    return [ONNXValue(name: name, order: .first, shape: layer.shape)]
  }
}
