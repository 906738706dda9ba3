import ModelIR

extension Model {
  /// Returns the shapes of all values, with `length` as the size of open axes.
  ///
  /// - Throws: `usage` for open sizes without a length, or a length without any.
  package func shapes(filling length: Int?) throws(NetconvError) -> [String: [Int]] {
    let open = inputs.filter { $0.shape.known == nil }
    if let input = open.first, length == nil { throw .openSize(input) }
    if length != nil, open.isEmpty { throw .noOpenSize }
    var feed: [String: Shape] = [:]
    for input in inputs { feed[input.name] = Shape(input.shape.dimensions.map { $0 ?? length }) }
    var shapes: [String: [Int]] = [:]
    for (name, shape) in try self.shapes(feeding: feed) {
      guard let sizes = shape.known else { throw .stillOpen(name, shape) }
      shapes[name] = sizes
    }
    return shapes
  }
}

extension NetconvError {
  fileprivate static func openSize(_ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the input \(quoted(input.name)) has shape \(input.shape), with an open size, and C has arrays of fixed sizes; "
        + "pass it with \(.length)")
  }

  fileprivate static let noOpenSize = NetconvError(
    .usage, text: "no input has an open size; leave out \(.length)")

  fileprivate static func stillOpen(_ name: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .badData,
      "the size of \(quoted(name)), \(shape), does not follow from the inputs")
  }
}
