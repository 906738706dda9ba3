import ModelIR
import Operators

extension TimeDistributed: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    guard let operation = operation as? any COperator else {
      throw .notInC(type(of: self.operation).name)
    }
    let length = layer.inputs[0][0]
    let step = try operation.cStep(
      CLayer(
        inputs: layer.inputs.map { Array($0.dropFirst()) },
        outputs: layer.outputs.map { Array($0.dropFirst()) }, parameters: layer.parameters))
    guard let step else { return nil }
    let input = layer.inputs[0].dropFirst().reduce(1, *)
    let outputs = layer.outputs.map { $0.dropFirst().reduce(1, *) }
    var whole = CStep(
      step.functions, parameters: step.parameters, scratch: step.scratchCount
    ) { places in
      var inner = places
      inner.inputs = ["from_step"]
      inner.outputs = outputs.indices.map { $0 == 0 ? "to_step" : "to_step_\($0)" }
      let addresses = zip(inner.outputs, zip(places.outputs, outputs)).map {
        "float *\($0) = \($1.0) + place * \($1.1);"
      }
      let lines =
        ["const float *from_step = \(places.input) + place * \(input);"] + addresses
        + step.statements(inner)
      return ["for (int place = 0; place < \(length); place++) {"] + lines.map { "    " + $0 } + [
        "}"
      ]
    }
    whole.checksIndices = step.checksIndices
    return whole
  }
}

extension NetconvError {
  static func notInC(_ name: String) -> NetconvError {
    NetconvError(.badData, "\(name) cannot be written in C")
  }
}
