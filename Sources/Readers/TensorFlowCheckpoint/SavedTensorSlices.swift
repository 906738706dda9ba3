import Files
import ModelIR
import ProtocolBuffers

/// A V1 checkpoint: tables that contain one message with values per variable slice.
///
/// Source: tensorflow/core/util/saved_tensor_slice.proto, tensor_slice_writer.cc.
struct SavedTensorSlices {
  /// The metadata of a variable.
  private struct Listed {
    var name = ""
    var shape: [Int] = []
    var type = TensorFlowType(rawValue: 0)
    var slices: [TensorSlice] = []
  }

  private enum Field {
    static let list = 1
    static let data = 2
    static let variable = 1
    static let name = 1
    static let shape = 2
    static let type = 3
    static let slice = 4
    static let dataName = 1
    static let values = 3
  }

  /// The largest variable list whose checksum is verified before parsing.
  private static let checkedLimit = 1 << 24
  /// A small window, since large values are skipped.
  private static let windowSize = 1 << 12

  private let table: SortedTable
  private let bytes: WireBytes

  /// Returns true if a table starts with a message, as in version 1, rather than with the numbers of a version 2
  /// header.
  static func begins(_ table: SortedTable) throws(NetconvError) -> Bool {
    guard let first = table[[]] else { return false }
    var isMessage = false
    do throws(NetconvError) {
      try WireBytes(table.file, windowSize: windowSize).message(
        "SavedTensorSlices", at: first.value
      )
      .forEachField { (field) throws(NetconvError) in
        if field.number == Field.list, case .bytes = field.content { isMessage = true }
      }
    } catch {
      throw error.inFile(table.file.path)
    }
    return isMessage
  }

  /// Reads the checkpoint in `tables`: a single one, or one for each of several devices.
  ///
  /// - Throws: `badData` if a table is damaged.
  static func checkpoint(_ tables: [SortedTable]) throws(NetconvError) -> TensorFlowCheckpoint {
    var found: [String: (variable: Listed, parts: [TensorFlowCheckpoint.Part])] = [:]
    var unchecked: [UncheckedPart] = []
    for table in tables {
      do throws(NetconvError) {
        if let first = table.blocks.first, first.contents.count <= checkedLimit {
          try table.check(first)
        }
        let slices = SavedTensorSlices(table)
        for variable in try slices.list() {
          do throws(NetconvError) {
            let parts = try slices.parts(of: variable)
            let known = found[variable.name]
            guard
              known.map({ $0.variable.shape == variable.shape && $0.variable.type == variable.type }
              ) ?? true
            else { throw .repeatedVariable(in: table.file.path) }
            found[variable.name] = (variable, (known?.parts ?? []) + parts)
          } catch {
            throw error.inTensor(variable.name)
          }
        }
        unchecked += slices.blocks()
      } catch {
        throw error.inFile(table.file.path)
      }
    }
    return TensorFlowCheckpoint(
      .one, entries: try entries(found.sorted { $0.key < $1.key }.map(\.value), tables[0].file),
      files: tables.map(\.file), unchecked: unchecked)
  }

  private static func entries(
    _ found: [(variable: Listed, parts: [TensorFlowCheckpoint.Part])], _ file: RandomAccessFile
  ) throws(NetconvError) -> [TensorFlowCheckpoint.Entry] {
    var entries: [TensorFlowCheckpoint.Entry] = []
    for (variable, parts) in found {
      guard SlicedTensorSource.fills(variable.shape, parts.map(\.box)) else {
        throw NetconvError.incompleteSlices(parts.count, variable.shape).inTensor(variable.name)
          .inFile(file.path)
      }
      entries.append(
        TensorFlowCheckpoint.Entry(
          name: variable.name, shape: variable.shape, type: variable.type, parts: parts))
    }
    return entries
  }

  private init(_ table: SortedTable) {
    self.table = table
    bytes = WireBytes(table.file, windowSize: Self.windowSize)
  }

  /// Returns the variables listed in the first entry.
  private func list() throws(NetconvError) -> [Listed] {
    guard let first = table[[]] else { throw .noCheckpointHeader }
    var listed: [Listed] = []
    var slicesLeft = TensorSlice.totalLimit
    try bytes.message("SavedTensorSlices", at: first.value).forEachField {
      (field) throws(NetconvError) in
      guard field.number == Field.list else { return }
      try field.inner("SavedTensorSliceMeta").forEachField { (field) throws(NetconvError) in
        guard field.number == Field.variable else { return }
        let variable = try Self.listed(field.inner("SavedSliceMeta"))
        // Most variables have a single slice.
        slicesLeft -= variable.slices.count - 1
        guard slicesLeft >= 0 else { throw .tooManySlices(limit: TensorSlice.totalLimit) }
        guard listed.count < SortedTable.entryLimit else {
          throw .tooManyEntries(SortedTable.entryLimit)
        }
        listed.append(variable)
      }
    }
    return listed
  }

  private static func listed(_ message: WireMessage) throws(NetconvError) -> Listed {
    var variable = Listed()
    try message.forEachField { (field) throws(NetconvError) in
      switch field.number {
      case Field.name: variable.name = try field.text()
      case Field.shape: variable.shape = try field.inner("TensorShapeProto").tensorShape()
      case Field.type: variable.type = TensorFlowType(rawValue: try field.integer())
      case Field.slice:
        guard variable.slices.count < TensorSlice.countLimit else {
          throw NetconvError.tooManySlices(limit: TensorSlice.countLimit).inTensor(variable.name)
        }
        variable.slices.append(try TensorSlice(field.inner("TensorSliceProto")))
      default: break
      }
    }
    return variable
  }

  /// Returns the parts of a variable in this file.
  private func parts(of variable: Listed) throws(NetconvError) -> [TensorFlowCheckpoint.Part] {
    var parts: [TensorFlowCheckpoint.Part] = []
    for slice in variable.slices {
      guard let entry = table[slice.key(of: variable.name)] else { throw .missingSlice(slice) }
      let box = try slice.box(in: variable.shape)
      let (range, encoding) = try values(
        of: variable, count: box.reduce(1) { $0 * $1.count }, at: entry.value)
      parts.append(
        TensorFlowCheckpoint.Part(
          box: box, file: table.file, range: range, encoding: encoding, checksum: nil))
    }
    return parts
  }

  /// Returns the byte range and encoding of the values in a SavedSlice.
  private func values(
    of variable: Listed, count: Int, at place: Range<Int>
  ) throws(NetconvError) -> (Range<Int>, TensorFlowCheckpoint.Encoding) {
    var values: (Range<Int>, TensorFlowCheckpoint.Encoding)?
    try bytes.message("SavedTensorSlices", at: place).forEachField { (field) throws(NetconvError) in
      guard field.number == Field.data else { return }
      try field.inner("SavedSlice").forEachField { (field) throws(NetconvError) in
        switch field.number {
        case Field.dataName:
          let name = try field.text()
          guard name == variable.name else { throw .otherVariable(name) }
        case Field.values:
          values = try Self.values(in: field.inner("TensorProto"), variable.type, count: count)
        default: break
        }
      }
    }
    guard let values else { throw .noVariableValues }
    return values
  }

  /// Returns the byte range and encoding of the values in a TensorProto.
  ///
  /// Source: tensorflow/core/framework/tensor.proto.
  private static func values(
    in message: WireMessage, _ type: TensorFlowType, count: Int
  ) throws(NetconvError) -> (Range<Int>, TensorFlowCheckpoint.Encoding) {
    guard let elementType = type.elementType else {
      return (message.range, .plain(.little))
    }
    let (number, encoding) = place(of: elementType)
    var place: Range<Int>?
    try message.forEachField { (field) throws(NetconvError) in
      guard field.number == number else { return }
      guard place == nil, case .bytes(let range) = field.content else { throw .splitValues(type) }
      place = range
    }
    let range = place ?? message.range.lowerBound..<message.range.lowerBound
    switch encoding {
    case .plain:
      let expected = try product([count, elementType.byteCount])
      guard range.count == expected else {
        throw .wrongVariableSize(range.count, expected: expected, shape: [count], type: elementType)
      }
    case .varints:
      guard range.count >= count, range.count / 10 <= count else {
        throw .wrongVarintBytes(range.count, count: count, elementType)
      }
    }
    return (range, encoding)
  }

  /// Returns the TensorProto field for values of a type.
  private static func place(
    of type: ElementType
  ) -> (number: Int, encoding: TensorFlowCheckpoint.Encoding) {
    switch type {
    case .float32: (5, .plain(.little))
    case .float64: (6, .plain(.little))
    case .int8, .uint8, .int16, .uint16, .int32: (7, .varints)
    case .int64: (10, .varints)
    case .float16, .bfloat16: (13, .varints)
    case .uint32: (16, .varints)
    case .uint64: (17, .varints)
    }
  }

  /// Returns the blocks with their checksums, named after the first and last variable in each.
  private func blocks() -> [UncheckedPart] {
    var names: [Int: (first: String, last: String)] = [:]
    for entry in table.entries {
      guard let name = TensorSlice.name(in: entry.key) else { continue }
      names[entry.block] = (names[entry.block]?.first ?? name, name)
    }
    return table.blocks.enumerated().map { number, block in
      let (first, last) = names[number] ?? ("", "")
      return UncheckedPart(
        name: first == last ? first : "\(first) to \(last)", file: table.file,
        range: block.checked, checksum: .maskedCRC32C(block.checksum))
    }
  }
}

extension NetconvError {
  fileprivate static func repeatedVariable(in other: String) -> NetconvError {
    NetconvError(.badData, "is also in \(quoted(other)), and complete in neither or both")
  }

  fileprivate static func otherVariable(_ name: String) -> NetconvError {
    NetconvError(
      .badData, "its values are said to be those of \(quoted(name)); the file is damaged")
  }

  fileprivate static var noVariableValues: NetconvError {
    NetconvError(.badData, "the file has a key for it, but no values; it is damaged")
  }

  fileprivate static func splitValues(_ type: TensorFlowType) -> NetconvError {
    NetconvError(
      .badData,
      "its values of \(type) are stored in several pieces, which TensorFlow does not write")
  }

  fileprivate static func wrongVarintBytes(_ found: Int, count: Int, _ type: ElementType)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "\(found) bytes cannot be \(count) values of \(type.rawValue), each with 1 to 10 bytes")
  }
}
