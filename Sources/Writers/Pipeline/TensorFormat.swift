import Files
import ModelIR

/// A place that takes the bytes of one tensor.
package struct Placement: Sendable {
  /// The file.
  let file: OutputFile
  /// Where the tensor begins in it.
  let offset: Int

  /// A place in `file`.
  package init(file: OutputFile, offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// Writes `bytes`, `offset` bytes into the tensor.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(NetconvError) {
    try file.write(bytes, at: self.offset + offset)
  }

  /// Reads back what was written `offset` bytes into the tensor.
  func read(at offset: Int, into bytes: UnsafeMutableRawBufferPointer) throws(NetconvError) {
    try file.read(at: self.offset + offset, into: bytes)
  }
}

/// The digests of a tensor as it was written.
package struct TensorDigest: Sendable, Equatable {
  /// SHA-256, in hexadecimal.
  package let sha256: String
  /// CRC-32, as ZIP needs it.
  package let checksum: UInt32
}

/// How one output format lays tensors into files: one folder per format.
protocol TensorFormat: Sendable {
  /// Creates the files of `plan` in `folder`.
  init(_ plan: OutputPlan, in folder: String) throws(NetconvError)

  /// Where tensor number `index` goes.
  func placement(of index: Int) throws(NetconvError) -> Placement

  /// Writes what has to be known last.
  ///
  /// - Parameters:
  ///   - digests: one per tensor.
  ///   - companions: what goes beside the tensors.
  ///   - manifest: the bytes of the manifest.
  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError)
}

extension OutputFormat {
  /// What writes the format.
  var writer: any TensorFormat.Type {
    switch self {
    case .bin: BinFormat.self
    case .archive: ArchiveFormat.self
    case .safetensors: SafetensorsFormat.self
    case .npz: NpzFormat.self
    case .c: CFormat.self
    }
  }
}
