import Documents
import Files
import ModelIR
import Zlib

// Signatures of foreign formats, each from its specification.

extension SourceProbe {
  /// True if the path is not a folder.
  var isFile: Bool { names == nil }

  /// The first bytes as text, without a byte order mark or leading white space; empty if they are not text.
  var text: String { opening.text }

  /// The first bytes as text, without any white space.
  var compactText: String { opening.compact }

  /// The compact text of the file, or of a folder's model.json.
  var documentText: String { isFile ? opening.compact : documentOpening.compact }

  /// True if the text begins like netconv's JSON documents; an archive can contain one among its first bytes.
  func isDocument(of format: String) -> Bool {
    let text = documentText
    return text.hasPrefix("{") && text.contains("\"format\":\"\(format)\"")
  }

  /// True if the path is a folder with an entry of this name.
  func holds(_ name: String) -> Bool { names?.contains(name) ?? false }

  /// True if the path is a folder that no reader accepts.
  var isOtherFolder: Bool {
    !isFile && !holds(Manifest.fileName) && !holds(RawBlobsReader.documentName)
      && !KerasArchiveReader.recognizes(self)
  }

  /// True if the name has an extension of a model format that netconv reads.
  static func isModelName(_ name: String) -> Bool {
    modelEndings.contains(where: name.lowercased().hasSuffix)
  }

  private static let modelEndings =
    [".h5", ".hdf5", ".keras"] + OutputFormat.whole.compactMap(\.ending)

  // MARK: - ZIP

  /// True if the path is an intact ZIP archive that neither netconv nor Keras wrote.
  var isForeignZip: Bool {
    guard let archive, !archive.entries.isEmpty else { return false }
    return archive.entry(named: Manifest.fileName) == nil
      && archive.entry(named: "model.weights.h5") == nil
  }

  /// True if the archive has a file of this name in any folder.
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

  /// The output of `model.to_json()`, possibly as a JSON string.
  var isArchitecture: Bool {
    let bytes = compactText.utf8.drop { $0 == UInt8(ascii: "\"") }.prefix(64)
    let start = String(decoding: bytes.filter { $0 != UInt8(ascii: "\\") }, as: UTF8.self)
    return [#"{"class_name":""#, #"{"module":"keras"#].contains(where: start.hasPrefix)
  }

  // MARK: - Files with a magic number

  /// True if the path is a FlatBuffer with this file identifier, which follows the root offset.
  func hasIdentifier(_ identifier: String) -> Bool {
    prefix.dropFirst(4).starts(with: identifier.utf8)
  }

  /// True for PNG, JPEG, GIF, BMP, TIFF and WebP.
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

  /// True if the file begins with `PROTO`, a protocol version and an opcode that may follow.
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

  /// True for gzip, xz, bzip2, zstd, 7-Zip, RAR and tar.
  var isPacked: Bool {
    let marks: [[UInt8]] = [
      [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], Array("BZh".utf8), [0x28, 0xb5, 0x2f, 0xfd],
      [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], Array("Rar!".utf8),
    ]
    return isGzip(prefix) && prefix.count > 10 || marks.contains { prefix.starts(with: $0) }
      || prefix.dropFirst(257).starts(with: "ustar".utf8)
  }

  // MARK: - TensorFlow checkpoints

  /// True for any file of a checkpoint, of either version, and for the folder that contains one.
  ///
  /// Source: tensorflow/core/util/tensor_bundle, and tensorflow/core/lib/io/table_format.txt: a table ends with a
  /// magic number, and the table of a checkpoint begins with an empty key.
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

  /// True if the file is the list that names the latest checkpoint.
  var isCheckpointList: Bool { text.hasPrefix("model_checkpoint_path:") }

  /// The shard that the name of a data file identifies: `NAME.data-00000-of-00001`.
  ///
  /// These files have no magic number.
  var valuesPart: CheckpointPart? {
    guard isFile, suffix != SortedTable.magic else { return nil }
    return CheckpointPart(path, between: ".data-")
  }

  /// True if the file is a checkpoint's data file whose index is missing.
  var isLoneValues: Bool {
    valuesPart.map { FileState(path: $0.prefix + CheckpointFiles.indexEnding) == nil } ?? false
      && !beginsAsContainer
  }

  /// True if the name and the first bytes are those of an index, even if its end is missing.
  private var isCutOffIndex: Bool {
    isFile && path.hasSuffix(CheckpointFiles.indexEnding) && prefix.starts(with: [0, 0])
  }

  /// True if the file begins like a format that netconv reads.
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

  /// Source: coremltools, mlmodel/format/Model.proto: a version, and a description whose first field is the name of
  /// an input.
  var isCoreML: Bool {
    guard let input = described, let name = input.fields.first else { return false }
    return name.number == 1 && name.text != nil
  }

  /// Source: tensorflow/core/protobuf/saved_model.proto: a version, and a graph whose first field is its operators.
  var isSavedModel: Bool {
    guard let information = described, let operators = information.fields.first else {
      return false
    }
    return operators.number == 2 && operators.payload?.first == 0x0a
  }

  /// The first message within the second field, if the first field is a small number.
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
