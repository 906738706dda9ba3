import ModelIR

/// The contents of a page about two networks, in addition to the report.
struct DiffDetails: Sendable, Encodable {
  /// The maximum number of tensors with a picture of their differences.
  static let mapLimit = 200

  /// The aligned graphs; `nil` unless both are known.
  let graphs: AlignedGraphs?
  /// The pictures of differences, in the order of the report's tensors; `nil` for equal tensors.
  let maps: [ChangeMap?]

  init(_ a: Model?, _ b: Model?, names: [String: String], maps: [ChangeMap?]) {
    self.maps = maps
    if let a, let b {
      graphs = AlignedGraphs(a, b, names: names)
    } else {
      graphs = nil
    }
  }
}
