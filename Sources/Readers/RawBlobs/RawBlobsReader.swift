import Documents
import Files
import ModelIR

/// Reads a folder of raw values, safetensors or `.npz` files that a `model.json` describes.
enum RawBlobsReader: ModelReader {
  static let format = "raw-blobs"
  static let summary = "a folder of raw values with model.json"
  static let documentName = "model.json"

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.names?.contains(documentName) ?? false
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let path = probe.path
    let document = try probe.openedDocument()
    do {
      var contents = try JSONDocument.decode(
        ModelDocument.self, from: document.contents(limit: JSONDocument.sizeLimit))
      var files = ParameterFiles(folder: path)
      try files.describeContained(in: &contents)
      let model = try Model(contents) { parameter throws(NetconvError) in
        try files.source(of: parameter)
      }
      try files.checkSizes(of: model)
      return ReadSource(
        format: format, path: path, framework: nil, files: [document] + files.opened,
        network: .model(try model.dequantized()), converted: nil,
        notes: [SourceNote.unnamed(try files.unnamed())].compactMap(\.self),
        unchecked: files.unchecked)
    } catch {
      throw error.inFile(document.path)
    }
  }
}

extension SourceNote {
  /// Reports values that no parameter names; `nil` if there are none.
  fileprivate static func unnamed(_ names: [String]) -> SourceNote? {
    guard !names.isEmpty else { return nil }
    return SourceNote(
      text: names.count == 1
        ? "1 file or tensor is not named in model.json; if a layer needs it, list it there"
        : "\(names.count) files or tensors are not named in model.json; if layers need them, list "
          + "them there", details: [list(names)], isWarning: true)
  }
}

/// Opens a little-endian file that contains a single parameter.
///
/// - Parameters:
///   - name: The path relative to `folder`, which it must not leave.
///   - spec: The parameter, for the number of values.
/// - Throws: `cannotOpen`; `badData` if the file has the wrong size.
package func looseBlob(
  _ name: String, in folder: String, _ elementType: ElementType, for spec: ParameterSpec
) throws(NetconvError) -> any TensorSource {
  let file = try ContainedPath(name, in: folder).open()
  let count = try spec.count()
  let expected = try product([count, elementType.byteCount])
  guard file.size == expected else {
    throw NetconvError.wrongBlobSize(
      file.size, expected: expected, shape: try spec.layout.shape(spec.sizes), type: elementType,
      isWholeFile: true
    ).inFile(file.path)
  }
  return FileTensorSource(file: file, offset: 0, elementType: elementType, count: count)
}
