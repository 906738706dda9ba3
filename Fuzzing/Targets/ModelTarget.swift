import Documents
import ModelIR
import Readers

/// The document `model.json`, up to the graph: shapes, parameters and their layouts.
enum ModelTarget: FuzzTarget {
  static let name = "model"

  static func parse(_ bytes: [UInt8]) throws {
    let document = try rewritten(ModelDocument.self, bytes)
    let model = try model(document)
    var parameters: [String: [ParameterDocument]] = [:]
    for layer in document.layers { parameters[layer.name] = layer.parameters }
    let written = ModelDocument(
      name: model.name, inputs: model.inputs.map(InputDocument.init), outputs: model.outputs,
      layers: model.layers.map { LayerDocument($0, parameters: parameters[$0.name] ?? []) })
    let again = try mustWork("reading the model that was written") { () throws(NetconvError) in
      try Self.model(JSONDocument.decode(ModelDocument.self, from: JSONDocument.encode(written)))
    }
    try hold(
      again.layers.map(\.name) == model.layers.map(\.name)
        && again.layers.map(\.outputShape) == model.layers.map(\.outputShape),
      "the model that is written is read as another one")
  }

  private static func model(_ document: ModelDocument) throws(NetconvError) -> Model {
    try Model(document) { _ in NoValues() }
  }
}

/// A source of values that is never read.
private struct NoValues: TensorSource {
  let elementType = ElementType.float32
  let count = 0

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    throw NetconvError(.badData, "there are no values")
  }
}
