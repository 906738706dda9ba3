import Digests
import Documents
import ModelIR
import Readers
import Writers

/// The goldens of a converted model, read from their files and verified.
struct StoredGoldens {
  let document: GoldensDocument
  /// The arrays by name of the input; the first axis is the samples.
  let inputs: [String: NDArray<Float>]
  /// The stored values of each layer, sample by sample, in the order of the document.
  let outputs: [[Float]]

  /// Reads the goldens beside a converted model.
  ///
  /// - Throws: `usage` if there are none, `badData` if they are of other weights or were modified.
  init(_ source: ReadSource, _ model: Model) throws(NetconvError) {
    guard let converted = source.converted else { throw .notConverted }
    guard let record = converted.manifest.goldens else { throw .noGoldens }
    let bytes = try converted.companion(record.file)
    guard hexadecimal(SHA256.hash(of: bytes)) == record.sha256 else {
      let weights = Manifest.weightsHash(of: converted.manifest.tensors.map(\.sha256))
      if let other = try? JSONDocument.decode(GoldensDocument.self, from: bytes),
        other.weights != weights
      {
        throw NetconvError.goldensOfOther.inFile(record.file)
      }
      throw NetconvError.changedGoldens.inFile(record.file)
    }
    document = try JSONDocument.decode(GoldensDocument.self, from: bytes)
    do throws(NetconvError) {
      inputs = try Self.inputs(
        of: document, try Self.values(document.inputValues, converted), model)
      outputs = try Self.outputs(
        of: document, try Self.values(document.outputValues, converted), model)
    } catch {
      throw error.inFile(record.file)
    }
  }

  /// Returns the values of a file beside the document.
  private static func values(
    _ file: GoldensDocument.File, _ converted: ConvertedSource
  ) throws(NetconvError) -> [Float] {
    let bytes = try converted.companion(file.file)
    guard bytes.count == file.length, bytes.count % 4 == 0,
      hexadecimal(SHA256.hash(of: bytes)) == file.sha256
    else { throw NetconvError.changedGoldens.inFile(file.file) }
    return [Float](unsafeUninitializedCapacity: bytes.count / 4) { values, count in
      count = bytes.count / 4
      bytes.withUnsafeBytes {
        ElementType.float32.decode(
          $0, .little, into: UnsafeMutableBufferPointer(rebasing: values[..<count]))
      }
    }
  }

  private static func inputs(
    of document: GoldensDocument, _ values: [Float], _ model: Model
  ) throws(NetconvError) -> [String: NDArray<Float>] {
    var inputs: [String: NDArray<Float>] = [:]
    for input in document.inputs {
      let part = try slice(values, at: input.offset, [document.samples] + input.shape)
      inputs[input.name] = NDArray(shape: [document.samples] + input.shape, values: part)
    }
    guard Set(inputs.keys) == Set(model.inputs.map(\.name)) else { throw .goldensOfOther }
    return inputs
  }

  private static func outputs(
    of document: GoldensDocument, _ values: [Float], _ model: Model
  ) throws(NetconvError) -> [[Float]] {
    guard document.layers.map(\.name) == model.separated.layers.map(\.name) else {
      throw .goldensOfOther
    }
    var outputs: [[Float]] = []
    for layer in document.layers {
      let count = try product(layer.shape)
      if let statistics = layer.statistics, statistics.count != document.samples {
        throw .changedGoldens
      }
      if let positions = layer.positions {
        guard positions.allSatisfy({ (0..<count).contains($0) }), positions.isEmpty == (count == 0),
          layer.statistics != nil
        else { throw .changedGoldens }
      }
      outputs.append(
        try slice(values, at: layer.offset, [document.samples, layer.positions?.count ?? count]))
    }
    return outputs
  }

  private static func slice(
    _ values: [Float], at offset: Int, _ shape: [Int]
  ) throws(NetconvError) -> [Float] {
    let count = try product(shape)
    guard offset >= 0, offset % 4 == 0, shape.allSatisfy({ $0 >= 0 }), offset / 4 <= values.count,
      count <= values.count - offset / 4
    else { throw .changedGoldens }
    return Array(values[(offset / 4)..<(offset / 4 + count)])
  }
}

extension NetconvError {
  fileprivate static var notConverted: NetconvError {
    NetconvError(
      .usage,
      text:
        "was not written by netconv, so it has no goldens; convert it with \(.makeGoldens) first"
    )
  }

  fileprivate static var noGoldens: NetconvError {
    NetconvError(.usage, text: "holds no goldens; convert the model again with \(.makeGoldens)")
  }

  fileprivate static var changedGoldens: NetconvError {
    NetconvError(
      .badData,
      text:
        "the goldens were changed after they were written; convert the model again with \(.makeGoldens)"
    )
  }
}
