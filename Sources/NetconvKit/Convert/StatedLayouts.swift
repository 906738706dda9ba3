import ModelIR
import Readers

/// The layouts of tensors that the user states for a conversion of weights without a graph.
struct StatedLayouts {
  private let kept: [NamePattern]
  private let stated: [(pattern: NamePattern, kind: ParameterKind, layout: Layout)]

  /// Parses patterns of tensors to keep, and layouts such as `up.*.weight=transposed:IOHW`.
  ///
  /// - Throws: `usage` if one is invalid.
  init(keep: [String], layouts: [String]) throws(NetconvError) {
    kept = try keep.map(NamePattern.init)
    stated = try layouts.map { text throws(NetconvError) in
      guard let equals = text.lastIndex(of: "=") else { throw .badStatedLayout(text) }
      var letters = text[equals...].dropFirst()
      let isTransposed = letters.hasPrefix("transposed:")
      if isTransposed { letters = letters.dropFirst("transposed:".count) }
      guard let layout = Layout(String(letters)), layout.description == letters,
        let kind = Self.kind(of: layout, isTransposed: isTransposed)
      else { throw .badStatedLayout(text) }
      return (try NamePattern(String(text[..<equals])), kind, layout)
    }
  }

  /// True if nothing is stated.
  var isEmpty: Bool { kept.isEmpty && stated.isEmpty }

  /// True if the tensor keeps the source's order.
  func keeps(_ tensor: Tensor) -> Bool {
    kept.contains { $0.captures(in: tensor.fullName) != nil }
  }

  /// Returns the tensor with the stated axes; `nil` if none are stated.
  ///
  /// - Throws: `usage` if its rank differs.
  func known(_ tensor: Tensor) throws(NetconvError) -> Tensor? {
    guard let found = stated.last(where: { $0.pattern.captures(in: tensor.fullName) != nil }) else {
      return nil
    }
    let shape = tensor.storedShape
    guard found.layout.dimensions.count == shape.count,
      found.layout.dimensions.allSatisfy({ $0.axes.count == 1 })
    else { throw NetconvError.otherRank(found.layout, shape).inTensor(tensor.fullName) }
    let spec = ParameterSpec(
      tensor.spec.role, found.kind, found.layout,
      Dictionary(
        zip(found.layout.axes, shape).map { ($0, $1) }, uniquingKeysWith: { first, _ in first }))
    var stored = tensor.stored
    stored.layout = found.layout
    return try Tensor(layer: tensor.layer, spec: spec, stored: stored)
  }

  /// Checks that each pattern matches a tensor.
  ///
  /// - Throws: `usage` with the first that matches none.
  func check(_ tensors: [Tensor]) throws(NetconvError) {
    for pattern in kept + stated.map(\.pattern)
    where !tensors.contains(where: { pattern.captures(in: $0.fullName) != nil }) {
      throw .statedForNothing(pattern.text, among: tensors.map(\.fullName))
    }
  }

  /// Returns the kind of kernel with these axes.
  private static func kind(of layout: Layout, isTransposed: Bool) -> ParameterKind? {
    let axes = Set(layout.axes)
    let space: Set<Axis> = [.height, .width]
    switch axes.subtracting(space) {
    case [.outputChannels, .inputChannels]:
      if axes.count == 2 { return isTransposed ? nil : .fullyConnected }
      guard axes.contains(.width) else { return nil }
      return isTransposed ? .transposedConvolution : .convolution
    case [.inputChannels, .multiplier]:
      return axes.contains(.width) && !isTransposed ? .depthwise : nil
    default: return nil
    }
  }
}

extension Tensor {
  /// The name in the source, or the layer and the role.
  fileprivate var fullName: String { stored.name ?? "\(layer).\(spec.role)" }
}

extension NetconvError {
  fileprivate static func badStatedLayout(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(text)) is not a layout; expected PATTERN=OIHW, PATTERN=transposed:IOHW, PATTERN=OI or PATTERN=MIHW, with "
        + "the letters in the stored order")
  }

  fileprivate static func otherRank(_ layout: Layout, _ shape: [Int]) -> NetconvError {
    NetconvError(.usage, "has shape \(Shape(shape)), which \(layout) does not describe")
  }

  fileprivate static func statedForNothing(
    _ pattern: String, among names: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(quoted(pattern)) of \(.layouts) or \(.keep) matches no tensor; there are \(SourceNote.list(names))"
    )
  }
}
