import Documents
import Files
import ModelIR
import ONNXExport
import ProtocolBuffers

/// The tensors of an output of netconv, as stored in its ONNX file.
struct ONNXCopies: ForeignCopies {
  let format = OutputFormat.onnx.rawValue
  private let folder: String
  private let manifest: Manifest
  private let model: Model

  /// The ONNX file in `folder`; `nil` if it was not written, or is missing.
  init?(_ manifest: Manifest, _ network: Network, in folder: String, there names: [String]) {
    guard manifest.formats.contains(format), names.contains(ONNXContainer.file),
      case .model(let model) = network
    else { return nil }
    (self.folder, self.manifest, self.model) = (folder, manifest, model)
  }

  /// Locates each tensor in the file.
  ///
  /// All other bytes must equal what netconv writes for the model.
  func copies() throws(NetconvError) -> [ForeignCopy] {
    let file = try ContainedPath(ONNXContainer.file, in: folder).open()
    do throws(NetconvError) {
      let records = Dictionary(
        manifest.tensors.map { (TensorKey(layer: $0.layer, role: .init(rawValue: $0.role)), $0) }
      ) { first, _ in first }
      let opset = try Self.opset(of: file, in: folder)
      for channelsFirst in [false, true] {
        let written = try self.written(records, channelsFirst: channelsFirst, opset: opset)
        guard try Self.holds(file, written) else { continue }
        let data =
          written.hasDataBeside
          ? try ContainedPath(ONNXContainer.dataFile, in: folder).open() : file
        return try written.places.map { place throws(NetconvError) in
          guard let record = records[place.key], place.offset + place.count <= data.size else {
            throw .differentONNXGraph
          }
          return ForeignCopy(
            record: record, parts: [(data, place.offset..<place.offset + place.count)])
        }
      }
      throw .differentONNXGraph
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// The operator set of the file, if it is one that netconv writes.
  private static func opset(
    of file: RandomAccessFile, in folder: String
  ) throws(NetconvError) -> Int {
    let model = try ONNXModel(
      WireBytes(file).message("ModelProto"), external: ONNXExternalFiles(folder: folder))
    let opset = model.opsets.version(of: "")
    guard ONNXExport.ONNXGraph.opsets.contains(opset) else { throw .differentONNXGraph }
    return opset
  }

  private func written(
    _ records: [TensorKey: TensorRecord], channelsFirst: Bool, opset: Int
  ) throws(NetconvError) -> ONNXFile {
    let stored = records.mapValues { record in
      (name: record.name, type: ElementType(rawValue: record.dtype) ?? .float32)
    }
    return ONNXFile(
      try ONNXExport.ONNXGraph(model, stored: stored, channelsFirst: channelsFirst, opset: opset),
      dataFile: ONNXContainer.dataFile)
  }

  /// True if the file equals the expected bytes everywhere except in tensor data.
  private static func holds(
    _ file: RandomAccessFile, _ written: ONNXFile
  ) throws(NetconvError) -> Bool {
    guard file.size == written.count else { return false }
    for part in written.bytes {
      guard try file.bytes(at: part.offset, count: part.bytes.count) == part.bytes else {
        return false
      }
    }
    return true
  }
}

extension NetconvError {
  fileprivate static var differentONNXGraph: NetconvError {
    NetconvError(
      .badData,
      "its graph is not the one that netconv writes of this model; convert the model again")
  }
}
