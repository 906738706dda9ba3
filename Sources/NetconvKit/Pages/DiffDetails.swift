import ModelIR

/// What a page shows of a comparison of two networks besides its report.
struct DiffDetails: Sendable, Encodable {
  /// Tensors of which it is shown where they differ, at most.
  static let mapLimit = 200

  /// Both graphs as one; `nil` unless both are known.
  let graphs: AlignedGraphs?
  /// Where tensors differ, in the order of the report's; `nil` where they are equal.
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
