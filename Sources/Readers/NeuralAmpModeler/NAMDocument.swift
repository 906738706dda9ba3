import Documents
import ModelIR

/// A model as a `.nam` file describes it; one may hold others of its kind.
struct NAMDocument {
  /// The version of the format, or that of the document around it.
  let version: String
  let architecture: String
  private let fields: JSONFields

  private static let keys: Set<String> = [
    "version", "metadata", "architecture", "config", "weights", "sample_rate", "notes",
  ]

  /// The versions of the format that are known to mean what is read.
  private static let minorVersions = 5...7

  /// The model at a place of a file; empty for the file itself.
  ///
  /// - Parameter outer: the version of the document around it, where it states none.
  /// - Throws: `badData` if it has a key that is not known, or lacks one.
  init(_ value: JSONValue?, at place: String, in outer: String? = nil) throws(NetconvError) {
    fields = try JSONFields(value, at: place, known: Self.keys)
    version = try fields.string("version", default: outer)
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, numbers[0] == 0, let minor = numbers[1],
      Self.minorVersions.contains(minor), numbers[2].map({ $0 >= 0 }) ?? false
    else { throw .unknownNAMVersion(version) }
    architecture = try fields.string("architecture")
  }

  /// Where it is in the file.
  var place: String { fields.place }

  /// What the architecture is made of.
  var config: JSONValue? { fields["config"] }

  /// The place of ``config``.
  var configPlace: String { fields.path("config") }

  /// The samples of a second; `nil` if it does not say.
  var sampleRate: Double? {
    get throws(NetconvError) {
      fields["sample_rate"] == nil ? nil : try fields.number("sample_rate")
    }
  }

  /// All weights.
  func weights() throws(NetconvError) -> NAMWeights {
    NAMWeights(try fields.list("weights"), at: fields.path("weights"))
  }

  /// Checks that it has no weights besides those of the models that it holds.
  func checkNoWeights() throws(NetconvError) {
    guard let value = fields["weights"] else { return }
    guard value.array?.isEmpty ?? false else {
      throw .ownWeights(fields.path("weights"), architecture)
    }
  }

  /// What it says of itself.
  var remarks: [SourceNote] {
    var remarks: [(String, JSONValue)] = [("version", .string(version))]
    for key in ["sample_rate", "metadata", "notes"] {
      if let value = fields[key] { remarks.append((key, value)) }
    }
    return SourceNote.remarks(remarks)
  }
}
