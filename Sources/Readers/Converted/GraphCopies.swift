import Documents
import Files
import ModelIR

/// The graph of another framework that netconv writes of a model: its known bytes, and the locations of values.
struct WrittenGraph {
  /// The size of the file in bytes.
  let count: Int
  /// The known bytes with their offsets.
  let bytes: [(offset: Int, bytes: [UInt8])]
  /// The tensors with the offsets and sizes of their values.
  let places: [(key: TensorKey, offset: Int, count: Int)]
  /// The name of the file with the values; `nil` if they are in the graph itself.
  var dataFile: String?
  /// The size and the known bytes of that file, with their offsets; `nil` if it has only values.
  var data: (count: Int, bytes: [(offset: Int, bytes: [UInt8])])?
}

/// The tensors of an output of netconv, as stored in the graph of another framework.
struct GraphCopies: ForeignCopies {
  /// The name and the element type of each tensor.
  typealias Stored = [TensorKey: (name: String, type: ElementType)]
  /// Returns the graphs that netconv may have written of a model into a file.
  typealias Writing =
    @Sendable (Model, Stored, RandomAccessFile) throws(NetconvError)
    -> [WrittenGraph]

  let format: String
  private let name: String
  private let folder: String
  private let manifest: Manifest
  private let model: Model
  private let writing: Writing

  /// The file of `container` in `folder`; `nil` if it was not written, or is missing.
  init?(
    _ container: OutputFormat, _ manifest: Manifest, _ network: Network, in folder: String,
    there names: [String], _ writing: @escaping Writing
  ) {
    guard let file = container.names.first, manifest.formats.contains(container.rawValue),
      names.contains(file), let name = container.graphName, case .model(let model) = network
    else { return nil }
    (format, self.name) = (container.rawValue, name)
    (self.folder, self.manifest, self.model) = (folder, manifest, model)
    self.writing = writing
  }

  /// Locates each tensor in the file.
  ///
  /// All other bytes must equal what netconv writes for the model.
  func copies() throws(NetconvError) -> [ForeignCopy] {
    let file = try ContainedPath(name, in: folder).open()
    do throws(NetconvError) {
      let records = Dictionary(
        manifest.tensors.map { (TensorKey(layer: $0.layer, role: .init(rawValue: $0.role)), $0) }
      ) { first, _ in first }
      let stored = records.mapValues { record in
        (name: record.name, type: ElementType(rawValue: record.dtype) ?? .float32)
      }
      for written in try writing(model, stored, file)
      where try Self.holds(file, count: written.count, written.bytes) {
        let data = try written.dataFile.map { name throws(NetconvError) in
          try ContainedPath(name, in: folder).open()
        }
        if let known = written.data, let data,
          try !Self.holds(data, count: known.count, known.bytes)
        {
          throw .differentGraph
        }
        return try written.places.map { place throws(NetconvError) in
          let values = data ?? file
          guard let record = records[place.key], place.offset + place.count <= values.size else {
            throw .differentGraph
          }
          return ForeignCopy(
            record: record, parts: [(values, place.offset..<place.offset + place.count)])
        }
      }
      throw .differentGraph
    } catch {
      throw error.inFile(file.path)
    }
  }

  /// True if the file equals the expected bytes everywhere except in tensor data.
  private static func holds(
    _ file: RandomAccessFile, count: Int, _ bytes: [(offset: Int, bytes: [UInt8])]
  ) throws(NetconvError) -> Bool {
    guard file.size == count else { return false }
    for part in bytes {
      guard try file.bytes(at: part.offset, count: part.bytes.count) == part.bytes else {
        return false
      }
    }
    return true
  }
}

extension NetconvError {
  fileprivate static var differentGraph: NetconvError {
    NetconvError(
      .badData,
      "its graph is not the one that netconv writes of this model; convert the model again")
  }
}
