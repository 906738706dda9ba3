import Documents
import ModelIR

/// A container of networks of several sizes, of which one is selected at run time.
///
/// Source: NeuralAmpModelerCore, NAM/container.cpp, `ContainerConfig::create` and `ContainerModel`.
struct NAMContainer {
  /// A network and the maximum size at which it is used.
  typealias Part = (size: Double, document: NAMDocument)

  /// The networks, in order of size.
  private let parts: [Part]

  /// Reads the networks of a document; returns `nil` if it is not a container.
  ///
  /// - Throws: `badData` if the sizes are not ascending, or the container has weights of its own.
  init?(_ document: NAMDocument) throws(NetconvError) {
    guard document.architecture == "SlimmableContainer" else { return nil }
    try document.checkNoWeights()
    let fields = try JSONFields(
      document.config, at: document.configPlace, known: ["submodels"])
    var parts: [Part] = []
    for (index, value) in try fields.list("submodels").enumerated() {
      let part = try JSONFields(
        value, at: "\(fields.path("submodels"))[\(index)]", known: ["max_value", "model"])
      let size = try part.number("max_value")
      if let last = parts.last, size <= last.size { throw .unorderedSizes(size, after: last.size) }
      parts.append(
        (size, try NAMDocument(part["model"], at: part.path("model"), in: document.version)))
    }
    guard let last = parts.last else { throw .noLayers(fields.path("submodels")) }
    guard last.size >= 1 else { throw .unorderedSizes(last.size, after: nil) }
    self.parts = parts
  }

  /// Returns the network of the requested size, or by default the largest, which is also the default of plugins.
  ///
  /// - Throws: `usage` if there is no network of that size.
  func chosen(_ wanted: String?) throws(NetconvError) -> Part {
    guard let wanted else { return parts[parts.count - 1] }
    guard let part = parts.first(where: { $0.size == Double(wanted) }) else {
      throw .noSuchSize(wanted, among: parts.map { "\($0.size)" })
    }
    return part
  }

  /// Reports the chosen network and the alternatives.
  func note(of chosen: Part) -> SourceNote {
    SourceNote(
      text: "the file holds \(parts.count) networks; that of size \(chosen.size) is read",
      details: parts.filter { $0.size != chosen.size }.map {
        "there is also \($0.size), \(escaped($0.document.architecture))"
      }, isWarning: false, isDecision: true)
  }
}

extension NetconvError {
  fileprivate static func unorderedSizes(_ found: Double, after other: Double?) -> NetconvError {
    NetconvError(
      .badData,
      other.map { "'max_value' \(found) follows \($0), expected ascending sizes" }
        ?? "the last 'max_value' is \(found), expected at least 1")
  }

  fileprivate static func noSuchSize(_ wanted: String, among sizes: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.entry) names \(quoted(wanted)), but the networks have the sizes \(sizes.joined(separator: ", "))"
    )
  }
}
