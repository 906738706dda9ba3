import Documents
import ModelIR
import Operators

/// A dense layer over one or more trailing axes, which ``KerasSequences`` reshapes.
///
/// Source: keras/src/layers/core/einsum_dense.py.
enum KerasEinsumDense: KerasLayerMapping {
  static let className = "EinsumDense"
  static let classNames = [className]
  static let operators: [any Operator.Type] = [Dense.self, Flatten.self, Reshape.self]
  static let refused = [
    "equations that are no map from the last axes to new last axes",
    "biases that lack one of the new axes",
    "activations along an axis, if there are several new ones",
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .passes }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let equation = try layer.denseEquation()
    let activation = try layer.activation()
    guard equation.made.count == 1 || activation.axis == nil else { throw .activationAcrossAxes }
    return Dense(units: try product(equation.made), activation: activation)
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    layer.value(of: "bias_axes").map { $0 == .null || $0.string == "" } ?? true
      ? [.kernel] : [.kernel, .bias]
  }

  /// Returns the weights of a file with the axes merged that are summed over, and those that are made.
  static func arranged(
    _ weights: [(name: String, stored: StoredTensor)], of layer: KerasLayerConfig
  ) throws(NetconvError) -> [(name: String, stored: StoredTensor)] {
    guard layer.className == className else { return weights }
    let equation = try layer.denseEquation()
    return try weights.map { name, stored throws(NetconvError) in
      let names = [KerasWeight.kernel.name, KerasWeight.bias.name]
      guard let shape = stored.shape, names.contains(name) else { return (name, stored) }
      let bound = name == KerasWeight.kernel.name ? equation.bound : 0
      let count = equation.made.count
      guard shape.count == bound + count, shape.suffix(count) == equation.made[...] else {
        throw .wrongDenseShape(name, shape, equation)
      }
      var merged = stored
      merged.shape =
        (bound > 0 ? [try product(Array(shape.prefix(bound)))] : []) + [try product(equation.made)]
      return (name, merged)
    }
  }
}

/// A dense layer's equation: some last axes become others.
struct KerasDenseEquation: Equatable {
  /// The number of axes that stay, without the batch; `nil` if they are all others, `…`.
  let kept: Int?
  /// The number of axes that are summed over.
  let bound: Int
  /// The sizes of the axes that are made.
  let made: [Int]
}

extension KerasLayerConfig {
  /// Returns the layer's equation.
  ///
  /// - Throws: `badData` unless it is a map from the last axes to new last axes, with a bias of all new axes, or none.
  func denseEquation() throws(NetconvError) -> KerasDenseEquation {
    let text = try setting("equation", default: nil, expected: "a text", \.string)
      .filter { $0 != " " }
    let sides = text.split(separator: ",", maxSplits: 1).map(String.init)
    let rest = (sides.last ?? "").split(separator: ">", maxSplits: 1).map(String.init)
    guard sides.count == 2, rest.count == 2, rest[0].hasSuffix("-") else {
      throw .otherEquation(text)
    }
    let (input, kernel, output) = (sides[0], String(rest[0].dropLast()), rest[1])
    let kept = String(zip(input, output).prefix { $0 == $1 }.map(\.0))
    let (bound, made) = (input.dropFirst(kept.count), output.dropFirst(kept.count))
    let hasDots = kept.hasPrefix("...")
    let letters = Array(hasDots ? String(kept.dropFirst(3)) : kept) + Array(kernel)
    guard !bound.isEmpty, !made.isEmpty, kernel == bound + made, !kept.isEmpty,
      Set(letters).count == letters.count, letters.allSatisfy({ $0.isLetter }),
      !hasDots || kept == "..." && bound.count == 1 && made.count == 1
    else { throw .otherEquation(text) }
    let sizes = try setting("output_shape", default: nil, expected: "the sizes of the output") {
      value -> [Int]? in
      let elements = value.array ?? [value]
      let sizes = elements.suffix(made.count).compactMap(\.int)
      return sizes.count == made.count && sizes.allSatisfy { $0 > 0 } ? sizes : nil
    }
    if let axes = value(of: "bias_axes")?.string, !axes.isEmpty, axes != made {
      throw .biasOfFewerAxes(axes, expected: String(made))
    }
    return KerasDenseEquation(
      kept: hasDots ? nil : kept.count - 1, bound: bound.count, made: sizes)
  }
}

extension NetconvError {
  fileprivate static func otherEquation(_ text: String) -> NetconvError {
    NetconvError(
      .badData,
      "equation is \(quoted(text)), expected a map of the last axes, such as \"abc,cd->abd\"")
  }

  fileprivate static func biasOfFewerAxes(_ axes: String, expected: String) -> NetconvError {
    NetconvError(
      .badData, "bias_axes is \(quoted(axes)), expected \(quoted(expected)): all axes that are made"
    )
  }

  fileprivate static var activationAcrossAxes: NetconvError {
    NetconvError(
      .badData, "the layer makes several axes, and its activation works along the last of them")
  }

  fileprivate static func wrongDenseShape(
    _ name: String, _ shape: [Int], _ equation: KerasDenseEquation
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(name) has shape \(shape), expected "
        + (name == KerasWeight.bias.name ? "" : "\(equation.bound) summed and ")
        + "\(equation.made) as the last sizes")
  }
}
