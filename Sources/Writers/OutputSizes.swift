import Documents
import Files
import ModelIR

/// The sizes of an output's files in bytes.
public struct OutputSizes: Sendable {
  /// The sizes by container, in the order in which readers prefer them.
  public let formats: [(format: OutputFormat, bytes: Int)]
  /// The size of the manifest and goldens next to them.
  public let others: Int
  /// The total size.
  public var total: Int { formats.reduce(others) { $0 + $1.bytes } }

  /// Measures the files in `folder`.
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
