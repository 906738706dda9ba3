/// The values whose masks are cleared by attention, which Keras does from 3.8 on.
///
/// Its layers remove the mask from the arrays that they are called with. Whoever reads these arrays later sees none.
///
/// Source: keras/src/layers/attention/multi_head_attention.py, `call`, of Keras 3.8.
struct KerasMaskClearing {
  private var order: [String: Int] = [:]
  /// The first call that clears the mask of a value.
  private var cleared: [String: Int] = [:]
  /// The inputs that layers return unchanged.
  private var sources: [String: String] = [:]
  private let isCertain: Bool

  /// Finds the values among `calls`, which are in the order of their execution.
  ///
  /// - Parameter clears: True if the version of Keras clears masks; `nil` if that is unknown.
  init(_ calls: [KerasArchitecture.Node], _ clears: Bool?) {
    isCertain = clears != nil
    guard clears != false else { return }
    for (index, call) in calls.enumerated() {
      order[call.name] = index
      // In inference, such a layer returns the same array.
      if KerasIdentity.classNames.contains(call.layer.className) {
        sources[call.name] = call.inputs.first
      }
    }
    for (index, call) in calls.enumerated()
    where call.layer.className == KerasMultiHeadAttention.plainName && call.layer.kerasVersion >= 3
    {
      for name in ["query", "value", "key"] {
        guard let input = call.attention?.tensors[name] else { continue }
        let source = source(of: input)
        cleared[source] = min(cleared[source] ?? index, index)
      }
    }
  }

  /// Returns true if the mask of a value is cleared before a call reads it; `nil` if that is unknown.
  func hasCleared(_ value: String, before call: String) -> Bool? {
    guard let first = cleared[source(of: value)], let place = order[call], place > first else {
      return false
    }
    return isCertain ? true : nil
  }

  private func source(of value: String) -> String {
    var value = value
    while let next = sources[value] { value = next }
    return value
  }
}
