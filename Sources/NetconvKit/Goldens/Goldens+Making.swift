import Diagnosis
import Digests
import Documents
import Execution
import ModelIR
import Writers

/// Inputs of a model and the output of each layer for them, in the form in which they are written.
struct Goldens {
  /// The maximum size of a layer for which all values are stored.
  static let wholeCount = 4096
  /// The number of values that are stored for a larger layer.
  static let sampleCount = 64

  /// The document, and the files of values beside it.
  let files: [CompanionFile]
  /// Layers with outputs that are infinite or NaN: `'fc1': 3 of 64`.
  let notFinite: [String]

  /// Computes the goldens of `model`, whose parameters have their written values.
  ///
  /// - Parameter weights: the hash of these parameters.
  /// - Throws: `usage` if the inputs do not fit; otherwise any error from running the model.
  init(
    _ model: Model, weights: String, _ inputs: GoldenInputs, _ observer: Observer
  ) throws(NetconvError) {
    _ = try BatchShapes(
      of: inputs.arrays, for: model, byteCount: MemoryLayout<Double>.size)
    var inputBytes: [UInt8] = []
    var records: [GoldensDocument.Input] = []
    for input in model.inputs {
      guard let array = inputs.arrays[input.name] else { continue }
      records.append(
        .init(
          name: input.name, shape: Array(array.shape.dropFirst()), offset: inputBytes.count))
      inputBytes.append(littleEndian: array.values)
    }
    let run = try ExactRun(model)
    let results = try run.run(
      inputs.arrays,
      checkCancellation: { () throws(NetconvError) in try observer.checkCancellation() },
      item: LayerValues.init)
    var outputBytes: [UInt8] = []
    var layers: [GoldensDocument.Layer] = []
    var notFinite: [String] = []
    for (layer, result) in zip(run.model.layers, results) {
      guard let first = result.items.first else { continue }
      layers.append(
        .init(
          name: layer.name, operator: type(of: layer.operation).name, shape: first.shape,
          offset: outputBytes.count, positions: first.positions,
          statistics: first.positions.map { _ in result.items.map(\.statistics) },
          float32: result.tolerance.float32, float16: result.tolerance.float16))
      for item in result.items { outputBytes.append(littleEndian: item.values) }
      let nonFinite = result.items.reduce(0) { $0 + $1.nonFinite }
      if nonFinite > 0 {
        let count = first.shape.reduce(result.items.count, *)
        notFinite.append("\(quoted(layer.name)): \(grouped(nonFinite)) of \(grouped(count))")
      }
    }
    let document = GoldensDocument(
      weights: weights, samples: inputs.samples, origin: inputs.origin, inputs: records,
      layers: layers, inputValues: Self.file(GoldensDocument.inputsName, inputBytes),
      outputValues: Self.file(GoldensDocument.outputsName, outputBytes))
    self.notFinite = notFinite
    files = [
      CompanionFile(name: GoldensDocument.fileName, bytes: try JSONDocument.encode(document)),
      CompanionFile(name: GoldensDocument.inputsName, bytes: inputBytes),
      CompanionFile(name: GoldensDocument.outputsName, bytes: outputBytes),
    ]
  }

  private static func file(_ name: String, _ bytes: [UInt8]) -> GoldensDocument.File {
    .init(file: name, length: bytes.count, sha256: hexadecimal(SHA256.hash(of: bytes)))
  }
}

/// The stored part of a layer's output for a sample.
private struct LayerValues: Sendable {
  let shape: [Int]
  /// The indices of the stored values; `nil` if all values are stored.
  let positions: [Int]?
  let values: [Float]
  let statistics: GoldensDocument.Statistics
  /// The number of values that are not finite, whether stored or not.
  let nonFinite: Int

  init(_ layer: Layer, _ output: NDArray<Float>) {
    shape = output.shape
    statistics = GoldensDocument.Statistics(output.values)
    nonFinite = output.values.count { !$0.isFinite }
    guard output.count > Goldens.wholeCount else {
      positions = nil
      values = output.values
      return
    }
    let positions = Self.positions(in: output.count)
    self.positions = positions
    values = positions.map { output.values[$0] }
  }

  /// Returns distinct indices, the same for every layer of that size.
  private static func positions(in count: Int) -> [Int] {
    var random = SplitMix64(seed: UInt64(count))
    var places: Set<Int> = []
    while places.count < Goldens.sampleCount { places.insert(Int(random.next() % UInt64(count))) }
    return places.sorted()
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian values: [Float]) {
    for value in values {
      Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { append(contentsOf: $0) }
    }
  }
}

extension Model {
  /// Returns the model with every parameter as it will be read back after it is written according to `plan`.
  ///
  /// - Throws: no error for a valid model.
  func asWritten(_ plan: OutputPlan) throws(NetconvError) -> Model {
    let encodings = Dictionary(
      uniqueKeysWithValues: plan.entriesOfParameters.map { ($0.tensor.key, $0.encoding) })
    return try mapTensors { tensor throws(NetconvError) in
      guard let encoding = encodings[tensor.key] else {
        preconditionFailure("the plan does not write \(tensor.spec.role) of \(tensor.layer)")
      }
      var stored = tensor.stored
      stored.layout = tensor.storedLayout
      stored.source = WrittenSource(source: stored.source, encoding: encoding)
      return try Tensor(layer: tensor.layer, spec: tensor.spec, stored: stored)
    }
  }
}

/// Values as they will be read back after they are written in another type.
private struct WrittenSource: TensorSource {
  let source: any TensorSource
  let encoding: TensorEncoding

  var elementType: ElementType { source.elementType }
  var count: Int { source.count }
  var isSequential: Bool { source.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try source.read(range, into: values)
    encoding.round(
      UnsafeMutableBufferPointer(rebasing: values[..<range.count]), from: range.lowerBound)
  }
}
