import Documents
import ModelIR

/// A model in a `.nam` file, which may contain nested models.
struct NAMDocument {
  /// The version of the format, inherited from the enclosing document if necessary.
  let version: String
  let architecture: String
  private let fields: JSONFields

  private static let keys: Set<String> = [
    "version", "metadata", "architecture", "config", "weights", "sample_rate", "notes",
  ]

  /// The supported minor versions of the format.
  private static let minorVersions = 5...7

  /// Reads the model at a path in a file; the path is empty for the file itself.
  ///
  /// - Parameter outer: The version of the enclosing document, used if the model states none.
  /// - Throws: `badData` if a key is unknown or missing.
  init(_ value: JSONValue?, at place: String, in outer: String? = nil) throws(NetconvError) {
    fields = try JSONFields(value, at: place, known: Self.keys)
    version = try fields.string("version", default: outer)
    let numbers = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, numbers[0] == 0, let minor = numbers[1],
      Self.minorVersions.contains(minor), numbers[2].map({ $0 >= 0 }) ?? false
    else { throw .unknownNAMVersion(version) }
    architecture = try fields.string("architecture")
  }

  /// The path in the file.
  var place: String { fields.place }

  /// The configuration of the architecture.
  var config: JSONValue? { fields["config"] }

  /// The path of ``config``.
  var configPlace: String { fields.path("config") }

  /// The sample rate in Hz; `nil` if not stated.
  var sampleRate: Double? {
    get throws(NetconvError) {
      fields["sample_rate"] == nil ? nil : try fields.number("sample_rate")
    }
  }

  /// Returns all weights.
  func weights() throws(NetconvError) -> NAMWeights {
    NAMWeights(try fields.list("weights"), at: fields.path("weights"))
  }

  /// Checks that the document has no weights other than those of nested models.
  func checkNoWeights() throws(NetconvError) {
    guard let value = fields["weights"] else { return }
    guard value.array?.isEmpty ?? false else {
      throw .ownWeights(fields.path("weights"), architecture)
    }
  }

  /// Remarks with the metadata of the document.
  var remarks: [SourceNote] {
    var remarks: [(String, JSONValue)] = [("version", .string(version))]
    for key in ["sample_rate", "metadata", "notes"] {
      if let value = fields[key] { remarks.append((key, value)) }
    }
    return SourceNote.remarks(remarks)
  }
}

extension NetconvError {
  fileprivate static func ownWeights(_ place: String, _ architecture: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is not empty, but a \(architecture) has its weights in its parts, and these would not be read"
    )
  }

  fileprivate static func unknownNAMVersion(_ version: String) -> NetconvError {
    NetconvError(
      .badData,
      "version \(quoted(version)) of Neural Amp Modeler's format is not known; 0.5, 0.6 and 0.7 are"
    )
  }
}
