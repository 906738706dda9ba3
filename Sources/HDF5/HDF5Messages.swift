import ModelIR

// The errors of this module.

// MARK: Files

extension NetconvError {
  static func notHDF5(beginsWith bytes: [UInt8]) -> NetconvError {
    NetconvError(
      .badData,
      "not an HDF5 file: it begins with \(words(for: bytes)), expected 89 48 44 46 0d 0a 1a 0a")
  }

  static func truncatedFile(expected: UInt64, found: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the file is truncated: it has \(found) bytes, and its superblock says \(expected); "
        + "copy or download it again")
  }

  static func libraryCannotOpen(_ detail: String) -> NetconvError {
    NetconvError(
      .badData, "the HDF5 file is damaged: libhdf5 cannot open it" + parenthesis(detail))
  }

  static func libraryNotUsable(_ detail: String) -> NetconvError {
    NetconvError(.internal, "libhdf5 cannot be used" + parenthesis(detail))
  }

  static func namesTooLong() -> NetconvError {
    NetconvError(
      .badData,
      "the names and paths in the HDF5 file need more than \(HDF5Limits.nameByteCount >> 20) MiB; "
        + "a checkpoint needs far less")
  }

  /// Formats printable ASCII as text, and other bytes in hexadecimal.
  private static func words(for bytes: [UInt8]) -> String {
    let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) || [9, 10, 13].contains($0) }
    if isText { return quoted(String(decoding: bytes, as: UTF8.self)) }
    return hexadecimal(bytes, separator: " ")
  }

  /// Formats libhdf5's own message, if there is one.
  fileprivate static func parenthesis(_ detail: String) -> String {
    detail.isEmpty ? "" : " (\(detail))"
  }
}

// MARK: Objects

extension NetconvError {
  static func unreadableObject(_ detail: String) -> NetconvError {
    NetconvError(.badData, "damaged: libhdf5 cannot read its description" + parenthesis(detail))
  }

  static func wrongAttribute(
    _ name: String, of path: String, expected: String, found: HDF5Attribute
  ) -> NetconvError {
    NetconvError(
      .badData,
      "attribute \(quoted(name)) of \(quoted(path)): expected \(expected), found \(found.words)")
  }

  /// Adds the path of the object, which may not be a dataset, to the error.
  func inObject(_ path: String, isDataset: Bool) -> NetconvError {
    guard !isDataset else { return inTensor(path) }
    var error = self
    error.text = "object \(quoted(path)): \(text)"
    return error
  }

  /// Adds the name of the attribute to the error.
  func inAttribute(_ name: String) -> NetconvError {
    var error = self
    error.text = "attribute \(quoted(name)): \(text)"
    return error
  }
}

extension HDF5Attribute {
  fileprivate var words: String {
    switch self {
    case .strings(let values, _): values.count == 1 ? "a string" : "\(values.count) strings"
    case .integers(let values, _): values.count == 1 ? "an integer" : "\(values.count) integers"
    case .floats(let values, _):
      values.count == 1 ? "a floating-point number" : "\(values.count) floating-point numbers"
    case .empty: "no value"
    case .unsupported(let words): words
    }
  }
}

// MARK: Paths

extension NetconvError {
  static func missingObject(
    _ name: String, in path: String, holding names: [String]
  ) -> NetconvError {
    NetconvError(
      .badData, "there is no \(quoted(name)) in group \(quoted(path)), which holds \(list(names))")
  }

  static func notAGroup(_ object: HDF5Object, lookingFor name: String) -> NetconvError {
    NetconvError(
      .badData,
      "there is no \(quoted(name)) in \(quoted(object.path)), as that is \(object.words), "
        + "not a group")
  }

  static func notADataset(_ object: HDF5Object) -> NetconvError {
    NetconvError(.badData, "is \(object.words), expected a dataset")
  }

  private static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "nothing" }
    let shown = names.prefix(8).quotedList
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

extension HDF5Object {
  fileprivate var words: String {
    switch self {
    case .group: "a group"
    case .dataset: "a dataset"
    case .namedType: "a named type"
    }
  }
}

// MARK: Values

extension NetconvError {
  static func unsupportedType(_ words: String) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(words), expected float16, bfloat16, float32, float64 or integers of 8 to 64 bits")
  }

  static func changedWhileOpen() -> NetconvError {
    NetconvError(.inputOutput, "the file was changed while it was being read; try again")
  }

  static func unreadableValues(_ detail: String) -> NetconvError {
    NetconvError(.badData, "damaged: libhdf5 cannot read its values" + parenthesis(detail))
  }
}

// MARK: The global heap

extension NetconvError {
  static func widths(address: Int, length: Int) -> NetconvError {
    NetconvError(
      .badData,
      "damaged: its superblock has \(address)-byte addresses and \(length)-byte lengths, "
        + "expected 2, 4 or 8")
  }

  static func noHeapCollection(_ address: Int) -> NetconvError {
    NetconvError(
      .badData, "damaged: its text is at address \(address), where there is no heap collection")
  }

  static func heapVersion(_ version: UInt8, address: Int) -> NetconvError {
    NetconvError(
      .badData, "\(heap(address)) has version \(version), expected 1")
  }

  static func heapCollectionOfSize(_ size: UInt64, address: Int) -> NetconvError {
    NetconvError(
      .badData, "\(heap(address)) has \(size) bytes, which do not fit in the file")
  }

  static func heapObjectTooLarge(_ index: Int, size: UInt64, address: Int) -> NetconvError {
    NetconvError(
      .badData,
      "\(heap(address)) has \(index == 0 ? "free space" : "an object \(index)") of \(size) bytes, "
        + "which do not fit in it")
  }

  static func heapObjectTwice(_ index: Int, address: Int) -> NetconvError {
    NetconvError(.badData, "\(heap(address)) has two objects \(index)")
  }

  static func noHeapObject(_ index: Int, address: Int) -> NetconvError {
    NetconvError(.badData, "\(heap(address)) has no object \(index)")
  }

  static func heapObjectOfOtherSize(_ size: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData, "damaged: its text has \(expected) bytes, and the object in the heap \(size)")
  }

  static func tooManyHeapObjects() -> NetconvError {
    NetconvError(
      .badData,
      "its texts are among more than \(HDF5Limits.heapObjectCount) heap objects; "
        + "a checkpoint has far fewer")
  }

  private static func heap(_ address: Int) -> String {
    "damaged: the collection of the heap at address \(address), where its text is,"
  }
}
