import Documents
import Files
import ModelIR

/// The names of a network's classes, in the order of its outputs.
///
/// A file of labels is one of the following: text with a line for each class, which may begin with the index of the
/// class; a JSON list; or a JSON object whose keys are the indices of the classes. A class in JSON is a name, or a
/// list whose last string is the name, as in the `imagenet_class_index.json` of Keras.
public struct ClassLabels: Sendable, Equatable {
  /// The names, in order.
  public let names: [String]
  /// The file that contains them; `nil` if there is none.
  private let path: String?

  /// The maximum size of a file in bytes.
  private static let largestFile = 16 << 20

  /// Reads the names from a file.
  ///
  /// - Throws: `cannotOpen` or `inputOutput`; `badData` if it contains anything else, or a class has no name.
  public init(path: String) throws(NetconvError) {
    let file = try RandomAccessFile(path: path)
    self.path = path
    do throws(NetconvError) {
      names = try Self.names(in: file.contents(limit: Self.largestFile))
    } catch {
      throw error.inFile(path)
    }
  }

  /// Creates labels from names.
  package init(names: [String]) {
    self.names = names
    path = nil
  }

  /// Checks that there is one name for each class of a network.
  ///
  /// - Parameters:
  ///   - output: the layer with a value for each class.
  ///   - shape: the shape of that layer; an unknown size is checked after the run.
  /// - Throws: `usage` if the layer has no classes, `badData` if their number differs.
  func check(_ output: String, _ shape: Shape) throws(NetconvError) {
    guard shape.rank == 1 else { throw .noClasses(output, shape) }
    if let count = shape.dimensions[0] { try check(classes: count) }
  }

  /// Checks that there is one name for each class.
  ///
  /// - Throws: `badData` if the numbers differ.
  func check(classes: Int) throws(NetconvError) {
    guard names.count != classes else { return }
    let error = NetconvError.wrongLabelCount(names.count, classes: classes)
    throw path.map { error.inFile($0) } ?? error
  }

  private static func names(in bytes: [UInt8]) throws(NetconvError) -> [String] {
    // On Windows, texts may begin with a byte order mark.
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let text = String(decoding: bytes, as: UTF8.self)
    let names =
      switch text.first(where: { !$0.isWhitespace }) {
      case "[", "{": try names(in: JSONDocument.parse(bytes, refusesRepeatedKeys: true))
      default: names(in: lines(of: text))
      }
    guard !names.isEmpty else { throw .noLabels }
    for (index, name) in names.enumerated() where name.isEmpty { throw .emptyLabel(index) }
    return names
  }

  /// Returns the names ordered by index, if each line has an index and a name, and the indices are complete;
  /// otherwise the lines.
  private static func names(in lines: [String]) -> [String] {
    var names = [String?](repeating: nil, count: lines.count)
    for line in lines {
      let digits = line.prefix { ("0"..."9").contains($0) }
      let name = line[digits.endIndex...].trimmed
      guard line.utf8.count > digits.utf8.count, line[digits.endIndex].isWhitespace, !name.isEmpty,
        let index = Int(digits), names.indices.contains(index), names[index] == nil
      else { return lines }
      names[index] = name
    }
    return names.compactMap(\.self)
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(\.trimmed)
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  private static func names(in value: JSONValue) throws(NetconvError) -> [String] {
    if let elements = value.array {
      return try elements.enumerated().map { index, element throws(NetconvError) in
        guard let name = element.label else { throw .emptyLabel(index) }
        return name
      }
    }
    guard case .object(let members) = value else { throw .noLabels }
    var names = [String?](repeating: nil, count: members.count)
    for (key, element) in members {
      guard let index = Int(key), names.indices.contains(index) else {
        throw .wrongLabelKey(key, classes: members.count)
      }
      names[index] = element.label
    }
    return try names.enumerated().map { index, name throws(NetconvError) in
      guard let name else { throw .emptyLabel(index) }
      return name
    }
  }
}

extension JSONValue {
  /// The name of a class: a string, or the last element of a list.
  fileprivate var label: String? { string ?? array?.last?.string }
}

extension NetconvError {
  fileprivate static var noLabels: NetconvError {
    NetconvError(
      .badData,
      "holds no labels; write a line for each class, or a list in JSON, or an object with the indices of the classes"
    )
  }

  fileprivate static func emptyLabel(_ index: Int) -> NetconvError {
    NetconvError(.badData, "has no name for class \(index)")
  }

  fileprivate static func wrongLabelKey(_ key: String, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "has the key \(quoted(key)); expected a class index, from 0 to \(classes - 1)")
  }

  fileprivate static func wrongLabelCount(_ count: Int, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "names \(counted(count, "class", "classes")), and the network has \(classes); name each class once"
    )
  }
}
