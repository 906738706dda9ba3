import ModelIR
import Operators

extension MatMul: ONNXForm {
  static var onnxOperations: String { "`MatMul`, with `Transpose` in front" }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let (names, _) = graph.unified(x.map { graph.lastOrConstant($0) })
    let rank = x[0].shape.rank
    let matrices = zip(names, [transposesFirst, transposesSecond]).map { name, isTransposed in
      guard isTransposed else { return name }
      let order = Array(0..<rank - 1) + [rank, rank - 1]
      return graph.transpose(name, order)
    }
    let product = graph.add("MatMul", matrices, isMain: true)
    return [ONNXValue(name: product, order: .last, shape: layer.shape)]
  }
}

extension Dot: ONNXForm {
  static var onnxOperations: String {
    "`Einsum`; of unit vectors `ReduceL2`, `Max` and `Div` in front"
  }

  func write(
    _ x: [ONNXValue], _ layer: ONNXLayer, to graph: inout ONNXGraphBuilder
  ) throws(NetconvError) -> [ONNXValue] {
    let letters = Array("abcdefghijklmnopqrstuvwxy")
    var (terms, kept, names, next) = ([String](), "", [String](), 0)
    for (value, axis) in zip(x, axes) {
      let rank = value.shape.rank
      let place = axis < 0 ? axis + rank : axis
      var term = "z"
      for index in 0..<rank {
        if index == place {
          term.append("s")
        } else {
          term.append(letters[next])
          kept.append(letters[next])
          next += 1
        }
      }
      terms.append(term)
      names.append(unit(graph.name(value, .last), place + 1, &graph))
    }
    let product = graph.add(
      "Einsum", names, .string("equation", "\(terms[0]),\(terms[1])->z\(kept)"), isMain: true)
    let name = kept.isEmpty ? graph.add("Unsqueeze", [product, graph.ints([1])]) : product
    return [ONNXValue(name: name, order: .last, shape: layer.shape)]
  }

  /// Divides a value by its norm along an axis, if requested.
  private func unit(_ name: String, _ axis: Int, _ graph: inout ONNXGraphBuilder) -> String {
    guard let smallestNorm else { return name }
    let norm = graph.add("ReduceL2", [name], .ints("axes", [axis]))
    return graph.add("Div", [name, graph.add("Max", [norm, graph.float(smallestNorm)])])
  }
}

extension ONNXGraphBuilder {
  /// Returns a value in channels-last order; constants keep one sample.
  fileprivate mutating func lastOrConstant(_ value: ONNXValue) -> ONNXValue {
    value.isConstant ? value : self.value(value, .last)
  }
}
