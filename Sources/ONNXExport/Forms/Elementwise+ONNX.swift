import ModelIR
import Operators

extension Elementwise: ONNXForm {
  static var onnxOperations: String {
    "`Abs`, `Acos`, `Acosh`, `Asin`, `Asinh`, `Atan`, `Atanh`, `Ceil`, `Cos`, `Cosh`, `Erf`, `Exp`, `Floor`, `Log`, "
      + "`Pow`, `Reciprocal`, `Round`, `Sign`, `Sin`, `Sinh`, `Sqrt`, `Tan`"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let input = graph.expanded(x[0])
    return [
      ONNXValue(
        name: apply(to: input.name, &graph), order: input.order, shape: layer.shape)
    ]
  }

  private func apply(to x: String, _ graph: inout ONNXGraphBuilder) -> String {
    switch function {
    case .absolute: graph.add("Abs", [x])
    case .arcCosine: graph.add("Acos", [x])
    case .arcSine: graph.add("Asin", [x])
    case .arcTangent: graph.add("Atan", [x])
    case .ceiling: graph.add("Ceil", [x])
    case .cosine: graph.add("Cos", [x])
    case .errorFunction: graph.add("Erf", [x])
    case .complementaryErrorFunction:
      graph.add("Sub", [graph.float(1), graph.add("Erf", [x])])
    case .exponentialMinusOne: graph.add("Sub", [graph.add("Exp", [x]), graph.float(1)])
    case .floor: graph.add("Floor", [x])
    case .hyperbolicCosine: graph.add("Cosh", [x])
    case .hyperbolicSine: graph.add("Sinh", [x])
    case .inverseHyperbolicCosine: graph.add("Acosh", [x])
    case .inverseHyperbolicSine: graph.add("Asinh", [x])
    case .inverseHyperbolicTangent: graph.add("Atanh", [x])
    case .logarithm: graph.add("Log", [x])
    case .logarithmOfOnePlus: graph.add("Log", [graph.add("Add", [x, graph.float(1)])])
    case .not: graph.number(of: graph.add("Equal", [x, graph.float(0)]))
    case .power: graph.add("Pow", [x, graph.float(exponent ?? 1)])
    case .reciprocal: graph.add("Reciprocal", [x])
    case .reciprocalSquareRoot: graph.add("Reciprocal", [graph.add("Sqrt", [x])])
    case .round: graph.add("Round", [x])
    case .sign: graph.add("Sign", [x])
    case .sine: graph.add("Sin", [x])
    case .squareRoot: graph.add("Sqrt", [x])
    case .tangent: graph.add("Tan", [x])
    case .truncate:
      graph.add("Mul", [graph.add("Sign", [x]), graph.add("Floor", [graph.add("Abs", [x])])])
    }
  }
}
