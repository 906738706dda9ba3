import ModelIR
import Relations

extension RelateReport.Misordered {
  /// Returns the tensors that were joined or split in an order other than their names say: `qkv` of keys, queries and
  /// values.
  static func all(
    _ relations: WeightRelations, from a: [Tensor], to b: [Tensor]
  ) -> [RelateReport.Misordered] {
    let (ofA, ofB) = (a.map(\.calledName), b.map(\.calledName))
    var found: [RelateReport.Misordered] = []
    var cuts: [Int: [(start: Int, tensor: Int)]] = [:]
    for relation in relations.tensors {
      guard case .related(let parts) = relation.outcome else { continue }
      let joined = parts.compactMap { part in
        part.source.flatMap { source in
          part.target.first.map { (start: $0.range.lowerBound, tensor: source) }
        }
      }
      if joined.count > 1, let order = Order(joined, names: ofA, of: ofB[relation.tensor]) {
        found.append(.init(name: ofB[relation.tensor], side: .b, order))
      }
      if let part = parts.first, parts.count == 1, let source = part.source,
        let section = part.sourceSections.first
      {
        cuts[source, default: []].append((section.range.lowerBound, relation.tensor))
      }
    }
    for (source, parts) in cuts.sorted(by: { $0.key < $1.key }) where parts.count > 1 {
      guard let order = Order(parts, names: ofB, of: ofA[source]) else { continue }
      found.append(.init(name: ofA[source], side: .a, order))
    }
    return found
  }

  private init(name: String, side: Side, _ order: Order) {
    self.init(name: name, side: side, parts: order.parts, named: order.named)
  }

  /// Text such as `'qkv' of B is joined of 'k', 'q', 'v', and its name says 'q', 'k', 'v'`.
  package var words: String {
    let what = side == .b ? "of B is joined of" : "of A was cut into"
    return "\(quoted(name)) \(what) \(parts.quotedList), and its name says \(named.quotedList)"
  }
}

/// The parts of a tensor in their stored order, and in the order of its name.
private struct Order {
  let parts: [String]
  let named: [String]

  /// - Parameters:
  ///   - parts: the offset and the tensor of each part; a tensor with several parts counts at the first.
  ///   - names: the names of the tensors.
  ///   - joined: the name of the tensor that contains all parts.
  /// - Returns: `nil` if the name says no order, or the stored one.
  init?(_ parts: [(start: Int, tensor: Int)], names: [String], of joined: String) {
    var tensors: [Int] = []
    for part in parts.sorted(by: { $0.start < $1.start }) where !tensors.contains(part.tensor) {
      tensors.append(part.tensor)
    }
    guard let marks = NameWords.marks(of: tensors.map { NameWords(names[$0]) }),
      let order = NameWords(joined).order(of: marks), order != marks
    else { return nil }
    self.parts = tensors.map { names[$0] }
    let byMark = Dictionary(zip(marks, self.parts)) { first, _ in first }
    named = order.compactMap { byMark[$0] }
  }
}
