import Documents
import ModelIR
import Operators

/// Attention of several heads with its projections, which ``KerasSequences`` expands.
///
/// Source: keras/src/layers/attention/multi_head_attention.py and grouped_query_attention.py.
enum KerasMultiHeadAttention: KerasLayerMapping {
  /// The class in which each head has keys of its own.
  static let plainName = "MultiHeadAttention"

  static let classNames = [plainName, "GroupQueryAttention", "GroupedQueryAttention"]
  static let operators: [any Operator.Type] = [
    Attention.self, Dense.self, Multiply.self, Reshape.self,
  ]
  static let refused = [
    "attention_axes other than the first", "queries of more axes than steps and channels",
    "layers in TimeDistributed", "dropout with training=True",
    "a mask after an attention that may have cleared it, if the version of Keras is unknown",
  ]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .attends }

  /// Returns the attention between the projections.
  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let (heads, keyHeads, _) = try counts(of: layer)
    _ = try layer.optionalSetting("attention_axes", expected: "1: others are not read") { value in
      let axes = value.array ?? [value]
      return axes.count == 1 && [1, -2].contains(axes[0].int) ? true : nil
    }
    let window = try layer.optionalInt("sliding_window").map { $0 - 1 }
    return Attention(
      heads: heads, keyHeads: keyHeads == heads ? nil : keyHeads, before: window, after: window)
  }

  /// Returns the numbers of heads of queries and of keys, and the widths of a key and of a value.
  private static func counts(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> (heads: Int, keyHeads: Int, widths: (key: Int, value: Int)) {
    guard layer.className != plainName else {
      let heads = try layer.int("num_heads")
      let width = try layer.int("key_dim")
      return (heads, heads, (width, try layer.optionalInt("value_dim") ?? width))
    }
    let width = try layer.int("head_dim")
    return (
      try layer.int("num_query_heads"), try layer.int("num_key_value_heads"), (width, width)
    )
  }

  /// The projections of a layer, in the order in which it creates their weights.
  struct Projections {
    let query: KerasProjection
    let key: KerasProjection
    let value: KerasProjection
    /// The factor of the output, if there is one.
    let gate: KerasProjection?
    let output: KerasProjection

    /// All projections, in the order in which they are created.
    var all: [KerasProjection] { [query, key] + [gate].compactMap(\.self) + [value, output] }
  }

  /// Returns the projections of a layer.
  ///
  /// - Parameter queryWidth: The width of the queries, if known.
  /// - Throws: `badData` if a setting is invalid.
  static func projections(
    of layer: KerasLayerConfig, queryWidth: Int?
  ) throws(NetconvError) -> Projections {
    let (heads, keyHeads, widths) = try counts(of: layer)
    func projection(
      _ name: String, _ group: String? = nil, to sizes: [Int], from axes: Int = 1,
      activation: String = "linear"
    ) throws(NetconvError) -> KerasProjection {
      try KerasProjection(
        name, group: "\(group ?? name)_dense", from: axes, to: sizes, activation: activation,
        of: layer)
    }
    let output = try layer.optionalSetting("output_shape", expected: "sizes, or null") { value in
      let sizes = value.array ?? [value]
      let found = sizes.compactMap(\.int)
      return found.count == sizes.count ? found : nil
    }
    let known = layer.value(of: "query_shape")?.array?.last?.int ?? queryWidth
    guard let sizes = output ?? known.map({ [$0] }) else { throw .unknownQueryWidth }
    return Projections(
      query: try projection("query", to: [heads, widths.key]),
      key: try projection("key", to: [keyHeads, widths.key]),
      value: try projection("value", to: [keyHeads, widths.value]),
      gate: try layer.bool("use_gate", default: false)
        ? try projection("gate", to: [heads, widths.value], activation: "sigmoid") : nil,
      output: try projection("attention_output", "output", to: sizes, from: 2))
  }
}

/// A projection of attention: a dense layer of the heads.
struct KerasProjection {
  /// The dense layer.
  let layer: KerasLayerConfig
  /// Its place in the layer's weights.
  let part: KerasPart
  /// The sizes of the output.
  let sizes: [Int]

  /// Creates a projection as Keras's layer creates it.
  ///
  /// - Parameter axes: The number of axes that are summed over.
  fileprivate init(
    _ name: String, group: String, from axes: Int, to sizes: [Int], activation: String,
    of outer: KerasLayerConfig
  ) throws(NetconvError) {
    let hasBias = try outer.bool("use_bias", default: true)
    let (bound, made) = ("xy".suffix(axes), "uvwmnopq".prefix(sizes.count))
    guard made.count == sizes.count else { throw .wrongOutputShape(sizes) }
    var settings: [String: JSONValue] = [
      "name": .string(name), "equation": .string("ab\(bound),\(bound)\(made)->ab\(made)"),
      "output_shape": .array([.null] + sizes.map { .number(Double($0)) }),
      "activation": .string(activation),
    ]
    if hasBias { settings["bias_axes"] = .string(String(made)) }
    settings["dtype"] = outer.value(of: "dtype")
    var layer = try KerasLayerConfig(
      .object([
        "class_name": .string(KerasEinsumDense.className), "config": .object(settings),
      ]), place: name)
    layer.name = outer.name
    layer.kerasVersion = outer.kerasVersion
    self.layer = layer
    self.sizes = sizes
    part = KerasPart(name: name, group: group, match: .named(name))
  }
}

extension NetconvError {
  fileprivate static var unknownQueryWidth: NetconvError {
    NetconvError(
      .badData,
      "output_shape is null, and the call does not state the width of the queries, which it is then"
    )
  }

  fileprivate static func wrongOutputShape(_ sizes: [Int]) -> NetconvError {
    NetconvError(.badData, "output_shape has \(sizes.count) sizes, expected at most 8")
  }
}
