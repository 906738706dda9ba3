import Foundation
import NAME

/// Why nothing can be compared.
public struct NAMEGoldensError: Error, CustomStringConvertible {
  /// What it is, in words.
  public let description: String

  /// An error that is described so.
  public init(_ description: String) { self.description = description }
}

/// Inputs, what each layer makes of them, and how far from it a layer may be.
public struct NAMEGoldens {
  /// A layer, as `goldens.json` describes it.
  struct Layer {
    let name: String
    let shape: [Int]
    let offset: Int
    /// Which of a sample's values are stored; all of them if nil.
    let positions: [Int]?
    /// The figures of each sample: minimum, maximum, mean and norm.
    let statistics: [NAMERecord]?
    /// nil if the precision cannot hold the values.
    let tolerance: Double?

    init(_ record: NAMERecord) throws {
      name = try record.value("name")
      shape = try record.value("shape")
      offset = try record.value("offset")
      positions = record.optional("positions")
      statistics = try? record.records("statistics")
      tolerance = try record.record("tolerance").optional(
        NAME.format == .float16 ? "float16" : "float32")
    }
  }

  /// How many inputs are stored.
  public let samples: Int
  /// What tells the weights that the outputs are of from others.
  let weights: String
  let layers: [Layer]
  private let inputs: [Input]
  private let inputValues: [Float]
  private let outputs: [Float]

  /// Where an input's values begin, and how many a sample has.
  private struct Input {
    let first: Int
    let count: Int
  }

  /// The test cases that are a resource of this package.
  public static func bundled() throws -> NAMEGoldens {
    guard let folder = Bundle.module.resourceURL else {
      throw NAMEGoldensError("the package's resources are missing")
    }
    return try NAMEGoldens(in: folder)
  }

  /// Test cases as netconv writes them: `goldens/goldens.json` in a folder, and its values.
  public init(in folder: URL) throws {
    let file = folder.appendingPathComponent("goldens/goldens.json")
    let document = try NAMERecord(json: Data(contentsOf: file))
    let format: String = try document.value("format")
    let version: Int = try document.value("version")
    guard format == "netconv-goldens", version == 1 else {
      throw NAMEGoldensError("\(format) \(version), expected netconv-goldens 1")
    }
    weights = try document.value("weights")
    samples = try document.value("samples")
    layers = try document.records("layers").map(Layer.init)
    inputs = try document.records("inputs").map { input in
      let shape: [Int] = try input.value("shape")
      return try Input(first: input.value("offset") / 4, count: shape.reduce(1, *))
    }
    inputValues = try Self.floats(document.record("inputValues"), folder)
    outputs = try Self.floats(document.record("outputValues"), folder)
  }

  private static func floats(_ file: NAMERecord, _ folder: URL) throws -> [Float] {
    let name: String = try file.value("file")
    let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
    try bytes.withUnsafeBytes { try NAMEArchive.check($0, name, sha256: file.value("sha256")) }
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  #if severalInputs
  /// The inputs of a sample.
  public func inputs(of sample: Int) -> [[Float]] { inputs.map { values(of: $0, sample) } }
  #else
  /// The input of a sample.
  public func input(_ sample: Int) -> [Float] { values(of: inputs[0], sample) }
  #endif

  private func values(of input: Input, _ sample: Int) -> [Float] {
    let first = input.first + sample * input.count
    return Array(inputValues[first..<first + input.count])
  }

  /// The largest distance of a value from what is stored of it, or of a figure of all values from the stored figure.
  ///
  /// No value can be off by more than the tolerance if it is right, neither can the minimum, the maximum or the mean,
  /// and the norm by no more than the tolerance times the root of the number of values.
  func difference(_ values: [Float], of name: String, _ sample: Int) throws -> Double {
    guard let layer = layers.first(where: { $0.name == name }),
      values.count == layer.shape.reduce(1, *)
    else { throw NAMEGoldensError("\(name) has not the values that are stored") }
    let positions = layer.positions ?? Array(values.indices)
    let first = layer.offset / 4 + sample * positions.count
    var largest = 0.0
    for (index, position) in positions.enumerated() {
      largest = Self.larger(largest, Double(values[position]), Double(outputs[first + index]), 1)
    }
    if let stored = layer.statistics?[sample] {
      let exact = values.map(Double.init)
      let mean = exact.reduce(0, +) / Double(exact.count)
      let norm = exact.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let root = Double(exact.count).squareRoot()
      largest = Self.larger(largest, exact.min(), stored.optional("min"), 1)
      largest = Self.larger(largest, exact.max(), stored.optional("max"), 1)
      largest = Self.larger(largest, mean, stored.optional("mean"), 1)
      largest = Self.larger(largest, norm, stored.optional("norm"), root)
    }
    return largest
  }

  /// What is not a number on one side only is infinitely far off.
  private static func larger(
    _ largest: Double, _ found: Double?, _ expected: Double?, _ scale: Double
  ) -> Double {
    guard let found, let expected else { return largest }
    if found == expected || (found.isNaN && expected.isNaN) { return largest }
    let difference = abs(found - expected) / scale
    return difference.isNaN ? .infinity : max(largest, difference)
  }
}
