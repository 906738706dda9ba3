import ModelIR
import Operators

/// Attention of one head without weights of projections.
///
/// Source: keras/src/layers/attention/attention.py and additive_attention.py; `BaseDenseAttention` of tf_keras, whose
/// constructor has `causal` in older versions.
enum KerasAttention: KerasLayerMapping {
  private static let additive = "AdditiveAttention"

  static let classNames = ["Attention", additive]
  static let operators: [any Operator.Type] = [Attention.self]
  static let refused = ["layers in TimeDistributed", "masks that are computed by functions"]

  /// Returns true if the inputs of a class are queries, values and keys.
  static func isAttention(_ className: String) -> Bool {
    classNames.contains(className) || KerasMultiHeadAttention.classNames.contains(className)
  }

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .attends }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    Attention(score: try score(of: layer), scale: 1)
  }

  private static func score(
    of layer: KerasLayerConfig
  ) throws(NetconvError) -> AttentionScore {
    guard layer.className != additive else { return .additive }
    let modes = ["dot": AttentionScore.dot, "concat": .scaledAdditive]
    return try layer.setting(
      "score_mode", default: .dot, expected: "\"dot\" or \"concat\""
    ) { value in value.string.flatMap { modes[$0] } }
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    let isScaled = try layer.bool("use_scale", default: layer.className == additive)
    let scale = isScaled ? [KerasWeight(name: "scale", role: .gamma)] : []
    let isJoined = try score(of: layer) == .scaledAdditive
    return scale + (isJoined ? [KerasWeight(name: "concat_score_weight", role: .alpha)] : [])
  }

  /// Returns the operator with the settings of a call.
  static func called(
    _ operation: any Operator, _ settings: KerasAttentionSettings?
  ) -> any Operator {
    guard let settings, let attention = operation as? Attention else { return operation }
    return Attention(
      heads: attention.heads, keyHeads: attention.keyHeads, score: attention.score,
      scale: attention.scale, before: attention.before,
      after: settings.isCausal ? 0 : attention.after, masks: settings.masks,
      zerosEmpty: settings.zerosEmpty, result: settings.result)
  }
}

/// The settings of attention that its configuration does not state.
struct KerasAttentionSettings: Sendable {
  /// True if no query attends to later keys.
  let isCausal: Bool
  /// The kinds of inputs after queries, keys and values.
  let masks: [AttentionMask]
  /// True if a query that attends to nothing has weights of 0.
  var zerosEmpty = false
  /// The outputs that are used.
  let result: AttentionResult
}
