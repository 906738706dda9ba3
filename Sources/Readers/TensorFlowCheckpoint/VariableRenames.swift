import Documents
import Files
import ModelIR

/// New names for variables of a checkpoint or graph whose own names are not meaningful.
public struct VariableRenames: Sendable {
  /// The new names by the old ones.
  let names: [String: String]
  /// True if a missing variable is an error; otherwise it is ignored.
  let isStrict: Bool

  /// No renames.
  public static let none = VariableRenames(names: [:], isStrict: true)

  private init(names: [String: String], isStrict: Bool) {
    self.names = names
    self.isStrict = isStrict
  }

  /// Reads renames from a file that contains a JSON object with new names by old ones.
  ///
  /// - Throws: `cannotOpen`; `usage` if the file is invalid, or a new name is empty.
  public init(path: String) throws(NetconvError) {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      try self.init(
        JSONDocument.parse(file.contents(limit: JSONDocument.sizeLimit), refusesRepeatedKeys: true))
    } catch {
      var error = error
      error.kind = .usage
      throw error.inFile(path)
    }
  }

  private init(_ value: JSONValue) throws(NetconvError) {
    guard case .object(let members) = value else { throw .noRenames }
    var names: [String: String] = [:]
    for (old, new) in members {
      guard let name = new.string, !name.isEmpty else { throw .wrongRename(old, new) }
      names[old] = name
    }
    self.init(names: names, isStrict: true)
  }

  /// True if there are no renames.
  public var isEmpty: Bool { names.isEmpty }

  /// The old names, in alphabetical order.
  public var variables: [String] { names.keys.sorted() }

  /// The same renames, but optional, as for one of two sources.
  public var ifThere: VariableRenames { VariableRenames(names: names, isStrict: false) }
}

extension NetconvError {
  fileprivate static var noRenames: NetconvError {
    NetconvError(
      .usage, "is not a JSON object of names, such as {\"Variable\": \"conv1/kernel\"}")
  }

  fileprivate static func wrongRename(_ name: String, _ value: JSONValue) -> NetconvError {
    NetconvError(.usage, "\(quoted(name)) is \(value), expected a non-empty name")
  }
}
