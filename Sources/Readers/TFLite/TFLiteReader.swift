import Files
import ModelIR

/// Reads TensorFlow Lite models: graphs with weights.
enum TFLiteReader: ModelReader {
  static let format = "tflite"
  static let summary = "a TensorFlow Lite model (.tflite)"
  static let takesGraphEnds = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.isFile && probe.hasIdentifier("TFL3")
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let model = try TFLiteModel(file)
    let name = Directory.stem(of: probe.path)
    do throws(NetconvError) {
      let found = try TFLiteSource(model).model(called: name, options.graph)
      return ReadSource(
        format: format, path: probe.path, framework: model.framework, files: [file],
        network: .model(found.model), converted: nil, notes: found.notes)
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      let weights = TFLiteWeights(model)
      if let misfit = weights.misfits.first, !options.acceptsNothing { throw misfit }
      var source = ReadSource(
        format: format, path: probe.path, framework: model.framework, files: [file],
        network: .weights(try weights.weights(called: name)), converted: nil,
        notes: weights.notes)
      source.misfits = weights.misfits
      source.leftOutCount = weights.others.count
      source.problem = error
      return source
    }
  }
}

extension TFLiteModel {
  /// The program that wrote the file, if stated.
  fileprivate var framework: String? { description.isEmpty ? nil : description }
}

extension TFLiteWeights {
  /// Notes on dequantised weights and omitted integer constants.
  fileprivate var notes: [SourceNote] {
    var notes: [SourceNote] = []
    let integers = quantized
    if !integers.isEmpty {
      notes.append(
        SourceNote(
          counting: integers, one: "weight of integers is read as the numbers that its scales give",
          many: "weights of integers are read as the numbers that their scales give"))
    }
    if !others.isEmpty {
      notes.append(
        SourceNote(
          counting: others, one: "constant of integers is no weight, and left out",
          many: "constants of integers are no weights, and left out"))
    }
    return notes
  }
}
