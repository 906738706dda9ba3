import Documents
import Files
import ModelIR

/// The bytes of the files that an output consists of.
public struct OutputSizes: Sendable {
  /// By format, in the order in which a reader prefers them.
  public let formats: [(format: OutputFormat, bytes: Int)]
  /// The manifest and goldens that lie beside them.
  public let others: Int
  /// All together.
  public var total: Int { formats.reduce(others) { $0 + $1.bytes } }

  /// The sizes of what lies in `folder`.
  ///
  /// - Throws: `cannotOpen`.
  init(of formats: [OutputFormat], in folder: String) throws(NetconvError) {
    var bytes: [OutputFormat: Int] = [:]
    var others = 0
    for file in try Directory.files(below: folder) {
      let size = file.hasSuffix("/") ? 0 : try FileState(of: folder + "/" + file).size
      if let format = OutputFormat.allCases.first(where: { $0.owns(file) }) {
        bytes[format, default: 0] += size
      } else {
        others += size
      }
    }
    self.formats = OutputFormat.allCases.filter(formats.contains).map { ($0, bytes[$0] ?? 0) }
    self.others = others
  }
}
