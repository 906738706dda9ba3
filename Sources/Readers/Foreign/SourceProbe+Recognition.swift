import Documents
import Files
import ModelIR
import Zlib

// How foreign formats begin, each by its specification.

extension SourceProbe {
  /// Whether the path is no folder.
  var isFile: Bool { names == nil }

  /// The first bytes as text, without a byte order mark and white space before it; empty where they are no text.
  var text: String { opening.text }

  /// The first bytes as text without any white space.
  var compactText: String { opening.compact }

  /// The same of the file, or of a folder's model.json.
  var documentText: String { isFile ? opening.compact : documentOpening.compact }

  /// Whether the beginning is that of a JSON document of netconv's; an archive can hold one among its first bytes.
  func isDocument(of format: String) -> Bool {
    let text = documentText
    return text.hasPrefix("{") && text.contains("\"format\":\"\(format)\"")
  }

  /// Whether the path is a folder that has this name in it.
  func holds(_ name: String) -> Bool { names?.contains(name) ?? false }

  /// Whether the path is a folder that no reader takes.
  var isOtherFolder: Bool {
    !isFile && !holds(Manifest.fileName) && !holds(RawBlobsReader.documentName)
      && !KerasArchiveReader.recognizes(self)
  }

  /// Whether a name is that of a model that netconv reads.
  static func isModelName(_ name: String) -> Bool {
    modelEndings.contains(where: name.lowercased().hasSuffix)
  }

  private static let modelEndings =
    [".h5", ".hdf5", ".keras"] + OutputFormat.whole.compactMap(\.ending)

  // MARK: - ZIP

  /// Whether the path is an intact ZIP archive that neither netconv nor Keras wrote.
  var isForeignZip: Bool {
    guard let archive, !archive.entries.isEmpty else { return false }
    return archive.entry(named: Manifest.fileName) == nil
      && archive.entry(named: "model.weights.h5") == nil
  }

  /// Whether a file of this name is in the archive, in any folder.
  func hasEntry(endingIn name: String) -> Bool {
    entries.contains { $0 == name || $0.hasSuffix("/" + name) }
  }

  // MARK: - Documents

  var beginsAsHTML: Bool {
    let start = text.prefix(16).lowercased()
    return ["<!doctype html", "<html", "<head"].contains(where: start.hasPrefix)
  }

  /// Source: tensorflow/tfjs, tfjs-core/src/io/types.ts, `ModelJSON`.
  var isTensorFlowJSGraph: Bool { documentText.contains(#""format":"graph-model""#) }

  /// What `model.to_json()` gives, also as a JSON string.
  var isArchitecture: Bool {
    let bytes = compactText.utf8.drop { $0 == UInt8(ascii: "\"") }.prefix(64)
    let start = String(decoding: bytes.filter { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
    return [#"{"class_name":""#, #"{"module":"keras"#].contains(where: start.hasPrefix)
  }

  // MARK: - Files with a mark

  /// Whether the path is a FlatBuffer of this kind; its identifier stands behind the first offset.
  func hasIdentifier(_ identifier: String) -> Bool {
    prefix.dropFirst(4).starts(with: identifier.utf8)
  }

  /// PNG, JPEG, GIF, BMP, TIFF or WebP.
  var isImage: Bool {
    let marks: [[UInt8]] = [
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], [0xff, 0xd8, 0xff], Array("GIF87a".utf8),
      Array("GIF89a".utf8), [0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a],
    ]
    let isBitmap =
      prefix.starts(with: "BM".utf8) && prefix.count >= 10
      && prefix[6..<10].allSatisfy { $0 == 0 }
    let isWebP =
      prefix.starts(with: "RIFF".utf8) && prefix.dropFirst(8).starts(with: "WEBP".utf8)
    return isBitmap || isWebP || marks.contains { prefix.starts(with: $0) }
  }

  /// Source: PyTorch, torch/serialization.py, `_load`, `legacy_load`: the names of the files in the archive.
  var isTarOfTorch: Bool {
    prefix.dropFirst(257).starts(with: "ustar".utf8)
      && ["storages", "tensors", "pickle", "sys_info"].contains { name in
        prefix.starts(with: name.utf8) && prefix[name.utf8.count] == 0
          || prefix.starts(with: "./\(name)".utf8)
      }
  }

  /// `PROTO` with its number, and one of the codes that can come next.
  ///
  /// Source: CPython, Lib/pickletools.py.
  var isPickle: Bool {
    guard prefix.count > 2, prefix[0] == 0x80, (2...5).contains(prefix[1]) else { return false }
    return [0x88, 0x89, 0x8a, 0x8c, 0x95].contains(prefix[2])
      || ")(]}cGIJKMNUXq".utf8.contains(prefix[2])
  }

  var isGzippedHDF5: Bool {
    isGzip(prefix)
      && inflatedStart(prefix, .gzip).starts(with: [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])
  }

  /// gzip, xz, bzip2, zstd, 7-Zip, RAR or tar.
  var isPacked: Bool {
    let marks: [[UInt8]] = [
      [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], Array("BZh".utf8), [0x28, 0xb5, 0x2f, 0xfd],
      [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], Array("Rar!".utf8),
    ]
    return isGzip(prefix) && prefix.count > 10 || marks.contains { prefix.starts(with: $0) }
      || prefix.dropFirst(257).starts(with: "ustar".utf8)
  }

  // MARK: - TensorFlow checkpoints

  /// Any file of a checkpoint, of either version, or the folder that it is in.
  ///
  /// Source: tensorflow/core/util/tensor_bundle, and tensorflow/core/lib/io/table_format.txt: a table ends with a
  /// number, and that of a checkpoint begins with an empty key.
  var isTensorFlowCheckpoint: Bool {
    if let names {
      return isOtherFolder && !names.contains { $0.hasPrefix("saved_model.pb") }
        && (names.contains(CheckpointFiles.listName)
          || names.contains { name in
            name.hasSuffix(CheckpointFiles.indexEnding)
              && names.contains { CheckpointPart($0, between: ".data-") != nil }
          })
    }
    return isCheckpointList || suffix == SortedTable.magic && prefix.starts(with: [0, 0])
      || valuesPart.map { FileState(path: $0.prefix + CheckpointFiles.indexEnding) != nil } ?? false
      || isCutOffIndex
  }

  /// Whether the file says which checkpoint is the newest.
  var isCheckpointList: Bool { text.hasPrefix("model_checkpoint_path:") }

  /// What the name of a file of values says, which has no mark: `NAME.data-00000-of-00001`.
  var valuesPart: CheckpointPart? {
    guard isFile, suffix != SortedTable.magic else { return nil }
    return CheckpointPart(path, between: ".data-")
  }

  /// Whether the file has values of a checkpoint whose index is gone.
  var isLoneValues: Bool {
    valuesPart.map { FileState(path: $0.prefix + CheckpointFiles.indexEnding) == nil } ?? false
      && !beginsAsContainer
  }

  /// Whether the file is an index by its name and beginning, whatever its end is.
  private var isCutOffIndex: Bool {
    isFile && path.hasSuffix(CheckpointFiles.indexEnding) && prefix.starts(with: [0, 0])
  }

  /// Whether a file begins as one that netconv reads.
  private var beginsAsContainer: Bool {
    ReaderRegistry.all.contains { $0.recognizes(self) }
  }

  // MARK: - Protocol buffers

  /// Source: onnx/onnx.proto, `ModelProto`.
  var isONNX: Bool {
    guard isFile, let fields = ProtobufFields(prefix)?.fields, let version = fields.first,
      version.number == 1, (1...99).contains(version.value ?? 0)
    else { return false }
    let texts: Set = [2, 3, 4, 6]
    return fields.contains { $0.number == 7 && $0.payload != nil }
      && fields.allSatisfy { field in
        [1, 5].contains(field.number) && field.value != nil
          || texts.contains(field.number) && field.text != nil
          || [7, 8, 14, 20, 25, 26].contains(field.number) && field.payload != nil
      }
  }

  /// Source: coremltools, mlmodel/format/Model.proto: a version, and a description that begins with the name of an
  /// input.
  var isCoreML: Bool {
    guard let input = described, let name = input.fields.first else { return false }
    return name.number == 1 && name.text != nil
  }

  /// Source: tensorflow/core/protobuf/saved_model.proto: a version, and a graph that begins with its operators.
  var isSavedModel: Bool {
    guard let information = described, let operators = information.fields.first else {
      return false
    }
    return operators.number == 2 && operators.payload?.first == 0x0a
  }

  /// The first message of the second field, if the first is a small number.
  private var described: ProtobufFields? {
    guard isFile, let fields = ProtobufFields(prefix)?.fields, fields.count >= 2,
      fields[0].number == 1, (1...99).contains(fields[0].value ?? 0), fields[1].number == 2,
      let inner = fields[1].message?.fields.first, inner.number == 1
    else { return nil }
    return inner.message
  }

  /// Source: tensorflow/core/framework/graph.proto and node_def.proto.
  var isGraph: Bool {
    guard isFile, let node = ProtobufFields(prefix)?.fields.first, node.number == 1,
      let fields = node.message?.fields, fields.count >= 2, fields[0].number == 1,
      fields[1].number == 2, let name = fields[0].text, let operation = fields[1].text
    else { return false }
    return !name.isEmpty && operation.first?.isLetter ?? false
      && operation.allSatisfy { $0.isLetter || $0.isNumber || "_>.".contains($0) }
  }

  /// Source: tensorflow/core/protobuf/meta_graph.proto.
  var isMetaGraph: Bool {
    guard isFile, let information = ProtobufFields(prefix)?.fields.first, information.number == 1,
      let operators = information.message?.fields.first
    else { return false }
    return operators.number == 2 && operators.payload?.starts(with: [0x0a]) ?? false
      && operators.message?.fields.first?.message?.fields.first?.text != nil
  }
}
