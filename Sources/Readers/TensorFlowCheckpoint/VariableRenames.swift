import Documents
import Files
import ModelIR

/// Other names for the variables of a checkpoint or a graph, where a program gave them none that tells what they are.
public struct VariableRenames: Sendable {
  /// New names by old ones.
  let names: [String: String]
  /// Whether it is an error if a variable is not there; else it is passed over.
  let isStrict: Bool

  /// None.
  public static let none = VariableRenames(names: [:], isStrict: true)

  private init(names: [String: String], isStrict: Bool) {
    self.names = names
    self.isStrict = isStrict
  }

  /// What a file says: one JSON object, new names by old ones.
  ///
  /// - Throws: `cannotOpen`; `usage` if it is no such object, or a new name is empty.
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

  /// Whether there are none.
  public var isEmpty: Bool { names.isEmpty }

  /// The old names, in alphabetical order.
  public var variables: [String] { names.keys.sorted() }

  /// The same where variables need not be there, as one of two sources can have them.
  public var ifThere: VariableRenames { VariableRenames(names: names, isStrict: false) }
}
