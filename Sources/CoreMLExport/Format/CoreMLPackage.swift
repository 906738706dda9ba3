import ModelIR
import ProtocolBuffers

/// A model package without the values of parameters, and the locations for these.
///
/// Source: coremltools, modelpackage/src/ModelPackage.cpp; mlmodel/src/MILBlob/Blob/StorageFormat.hpp.
public struct CoreMLPackage: Sendable {
  /// The location of a tensor's values in the file with weights.
  public struct Place: Sendable {
    /// The tensor.
    public let key: TensorKey
    /// The offset of the first byte.
    public let offset: Int
    /// The size in bytes.
    public let count: Int
  }

  /// The name of the manifest inside of the package.
  public static let manifestFile = "Manifest.json"
  /// The name of the model inside of the package.
  public static let modelFile = "Data/com.apple.CoreML/model.mlmodel"
  /// The name of the file with weights inside of the package.
  public static let weightFile = "Data/com.apple.CoreML/weights/weight.bin"

  /// The bytes of the model.
  public let model: [UInt8]
  /// The known bytes of the file with weights, with their offsets; empty if there is no such file.
  public let weights: [(offset: Int, bytes: [UInt8])]
  /// The locations of tensors in the file with weights.
  public let places: [Place]

  /// The size of the file with weights.
  public var weightCount: Int {
    let known = weights.map { $0.offset + $0.bytes.count }
    return (known + places.map { $0.offset + $0.count }).max() ?? 0
  }

  /// Creates the package of a program.
  public init(_ program: MILProgram) {
    var (end, offsets) = (BlobHeader.size, [Int]())
    var places: [Place] = []
    var bytes: [(offset: Int, bytes: [UInt8])] = [(0, BlobHeader.file(program.blobs.count))]
    for blob in program.blobs {
      offsets.append(end)
      let start = end + BlobHeader.size
      bytes.append((end, BlobHeader.array(blob, at: start)))
      switch blob {
      case .tensor(let key, _, _):
        places.append(Place(key: key, offset: start, count: blob.byteCount))
      case .floats(let values):
        bytes.append((start, values.flatMap(WireOutput.bytes(of:))))
      }
      end = BlobHeader.aligned(start + blob.byteCount)
    }
    model = program.message(offsets, weightFile: "@model_path/weights/weight.bin").pieces
      .flatMap { piece -> [UInt8] in if case .bytes(let bytes) = piece { bytes } else { [] } }
    weights = program.blobs.isEmpty ? [] : bytes
    self.places = places
  }

  /// Returns the manifest: the names of both files.
  ///
  /// The identifiers are those of netconv, by which ``recognizes(manifest:)`` knows its own packages.
  public static func manifest(hasWeights: Bool) -> [UInt8] {
    let (model, weights) = ("\(identifier)0001", "\(identifier)0002")
    let entry = { (id: String, description: String, name: String, path: String) in
      """
              "\(id)": {
                  "author": "com.apple.CoreML",
                  "description": "\(description)",
                  "name": "\(name)",
                  "path": "\(path)"
              }
      """
    }
    var entries = [
      entry(model, "CoreML Model Specification", "model.mlmodel", "com.apple.CoreML/model.mlmodel")
    ]
    if hasWeights {
      entries.append(entry(weights, "CoreML Model Weights", "weights", "com.apple.CoreML/weights"))
    }
    let text = """
      {
          "fileFormatVersion": "1.0.0",
          "itemInfoEntries": {
      \(entries.joined(separator: ",\n"))
          },
          "rootModelIdentifier": "\(model)"
      }

      """
    return Array(text.utf8)
  }

  /// Returns true if a manifest is one that netconv writes.
  public static func recognizes(manifest bytes: [UInt8]) -> Bool {
    bytes == manifest(hasWeights: true) || bytes == manifest(hasWeights: false)
  }

  /// The start of a UUID that spells netconv.
  private static let identifier = "6E657463-6F6E-4762-8000-00000000"
}

/// Headers of the file with weights, which are as long as their alignment.
enum BlobHeader {
  /// The size of each header, and the alignment of everything.
  static let size = 64

  /// Returns the header of the file.
  static func file(_ count: Int) -> [UInt8] {
    padded(bytes(of: UInt32(count)) + bytes(of: UInt32(2)))
  }

  /// Returns the header of an array whose values start at `offset`.
  static func array(_ blob: MILBlob, at offset: Int) -> [UInt8] {
    let isHalf = if case .tensor(_, .float16, _) = blob { true } else { false }
    return padded(
      bytes(of: 0xDEAD_BEEF as UInt32) + bytes(of: UInt32(isHalf ? 1 : 2))
        + bytes(of: UInt64(blob.byteCount)) + bytes(of: UInt64(offset)))
  }

  /// Returns the next aligned offset.
  static func aligned(_ offset: Int) -> Int { (offset + size - 1) / size * size }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
