import ModelIR
import Operators

/// Gathers and scatters by several indices, or element by element.
///
/// Source: onnx/docs/Operators.md; `Scatter` is the name of `ScatterElements` before opset 11.
enum ONNXGather: ONNXOperation {
  static let names = ["GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND"]
  static let operators: [any Operator.Type] = [
    Concatenate.self, Constant.self, Gather.self, Reduce.self, Reshape.self, Where.self,
  ]
  static let refused = [
    "the batch's axis", "scatters at indices that follow from what is fed",
    "replacements at indices that are repeated",
  ]

  static func results(
    of node: MappedONNXNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let axis = node.integer("axis", default: 0)
    switch node.operation {
    case "GatherElements":
      return [try graph.gatherElements(node.value(0), at: node.input(1), along: axis)]
    case "GatherND":
      return [
        try graph.gatherSlices(
          node.value(0), at: node.input(1), batchAxes: node.integer("batch_dims", default: 0))
      ]
    default:
      let indices = try node.constant(1)
      let isElementwise = node.operation != "ScatterND"
      return [
        try graph.scatter(node.input(2), into: node.input(0), function(node)) {
          shape throws(NetconvError) in
          isElementwise
            ? try indices.elementPlaces(along: axis, of: shape)
            : try IndexTuples(indices, of: Shape(shape), batchAxes: 0).places
        }
      ]
    }
  }

  /// The combination of a value and its update; `nil` for a replacement.
  private static func function(_ node: MappedONNXNode) throws(NetconvError) -> PointFunction? {
    let reductions: [String: PointFunction?] = [
      "none": nil, "add": .add, "mul": .multiply, "max": .maximum, "min": .minimum,
    ]
    let name = node.text("reduction", default: "none")
    guard let function = reductions[name] else {
      throw .unknownSetting("reduction", name, known: reductions.keys.sorted())
    }
    return function
  }
}
