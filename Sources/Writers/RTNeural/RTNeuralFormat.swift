import Documents
import Files
import ModelIR

extension RTNeuralContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForRTNeural }
    return RTNeuralLayout(document: try RTNeuralDocument(model), entries: contents.entries)
  }

  /// A file that already contains RTNeural's JSON.
  static var replaceable: ReplaceableFile {
    ReplaceableFile("RTNeural's JSON") { file throws(NetconvError) in
      try RTNeuralDocument.recognizes(file.contents(limit: JSONDocument.sizeLimit))
    }
  }
}

private struct RTNeuralLayout: ContainerLayout {
  let document: RTNeuralDocument
  let entries: [OutputPlan.Entry]
  let places: [TensorRecord.Place] = []

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try RTNeuralFormat(document, entries, in: folder)
  }
}

/// `model.rtneural.json`: the layers with their weights as nested lists of numbers.
///
/// The values are collected in an unnamed temporary file, and converted to text when all of them are there. A number is
/// the shortest one that identifies the float64, so that readers get the same float32 whether they parse float64 or
/// float32.
private struct RTNeuralFormat: ContainerWriter {
  private let document: RTNeuralDocument
  private let folder: String
  private let entries: [OutputPlan.Entry]
  private let indices: [TensorKey: Int]
  private let values: PlacedValues

  init(
    _ document: RTNeuralDocument, _ entries: [OutputPlan.Entry], in folder: String
  ) throws(NetconvError) {
    self.document = document
    self.folder = folder
    self.entries = entries
    indices = Dictionary(
      entries.enumerated().map { ($1.tensor.key, $0) }, uniquingKeysWith: { first, _ in first })
    values = try PlacedValues(entries)
  }

  func placement(of index: Int) -> Placement { values.placement(of: index) }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    var text = TextFile(try OutputFile(creating: folder + "/" + RTNeuralContainer.file))
    try text.write("{\"in_shape\": \(Self.list(document.inputShape)), \"layers\": [")
    for (index, layer) in document.layers.enumerated() {
      try text.write(index == 0 ? "\n" : ",\n")
      try write(layer, to: &text)
    }
    try text.write("\n]}\n")
    try text.finish()
  }

  private func write(_ layer: RTNeuralLayer, to text: inout TextFile) throws(NetconvError) {
    var members = [
      "\"type\": \"\(layer.type.rawValue)\"", "\"activation\": \"\(layer.activation)\"",
      "\"shape\": \(Self.list(layer.shape))",
    ]
    for setting in layer.settings {
      let value = setting.isList ? "[\(setting.value)]" : "\(setting.value)"
      members.append("\"\(setting.key)\": \(value)")
    }
    if let epsilon = layer.epsilon { members.append("\"epsilon\": \(epsilon)") }
    try text.write("  {\(members.joined(separator: ", ")), \"weights\": [")
    for (index, weight) in layer.weights.enumerated() {
      try text.write(index == 0 ? "\n    " : ",\n    ")
      let numbers = try self.numbers(of: weight)
      try write(numbers[...], weight.shape[...], to: &text)
    }
    try text.write("]}")
  }

  /// Returns the values of an array; zeros if the model has none.
  private func numbers(of weight: RTNeuralLayer.Weight) throws(NetconvError) -> [Float] {
    let count = try product(weight.shape) / weight.parts.count
    var numbers: [Float] = []
    for part in weight.parts {
      guard let part, let index = indices[part] else {
        numbers += repeatElement(0, count: count)
        continue
      }
      let found = try values.read(0, count: entries[index].tensor.count, of: index)
      guard let bad = found.first(where: { !$0.isFinite }) else {
        numbers += found
        continue
      }
      throw .notFiniteInJSON(bad).inTensor(entries[index].tensor)
    }
    return numbers
  }

  private func write(
    _ numbers: ArraySlice<Float>, _ shape: ArraySlice<Int>, to text: inout TextFile
  ) throws(NetconvError) {
    guard let size = shape.first, shape.count > 1 else {
      return try text.write("[" + numbers.map { "\(Double($0))" }.joined(separator: ", ") + "]")
    }
    try text.write("[")
    let count = numbers.count / max(1, size)
    for index in 0..<size {
      if index > 0 { try text.write(", ") }
      let start = numbers.startIndex + index * count
      try write(numbers[start..<start + count], shape.dropFirst(), to: &text)
    }
    try text.write("]")
  }

  private static func list(_ sizes: [Int?]) -> String {
    "[" + sizes.map { $0.map(String.init) ?? "null" }.joined(separator: ", ") + "]"
  }
}

extension NetconvError {
  fileprivate static let noGraphForRTNeural = NetconvError(
    .usage,
    text:
      "RTNeural's JSON needs layers, but only weights are known; convert without \(.weightsOnly)"
  )

  fileprivate static func notFiniteInJSON(_ value: Float) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(value.isNaN ? "a NaN value" : "an infinite value"), which JSON cannot hold"
    )
  }
}
