import ModelIR

/// Tensors with numbers as names, as in the `.weights.h5` files of Keras 3: `conv/vars/0`.
///
/// Source: keras/src/layers/layer.py, `save_own_variables`: weights in the order of their creation.
enum Numbered {
  /// Returns the tensors by their conventional names, as far as order and shapes determine these.
  ///
  /// - Parameters:
  ///   - members: The tensors by their names in the layer.
  ///   - scope: The layer's name.
  ///   - names: The conventional names of parameters.
  /// - Returns: `nil` unless all are numbered and form a common layer.
  static func named(
    _ members: [String: NamedTensor], _ scope: String, _ names: [ParameterRole: String]
  ) -> [String: NamedTensor]? {
    var numbered: [(number: Int, tensor: NamedTensor)] = []
    for (word, tensor) in members {
      guard let number = Int(word.split(whereSeparator: { "./".contains($0) }).last ?? "") else {
        return nil
      }
      numbered.append((number, tensor))
    }
    // The order of two tensors with the same number is ambiguous.
    guard Set(numbered.map(\.number)).count == numbered.count else { return nil }
    let tensors = numbered.sorted { $0.number < $1.number }.map(\.tensor)
    guard let roles = roles(tensors.map(\.shape)), roles.count == tensors.count else { return nil }
    return Dictionary(
      zip(roles.map { names[$0] ?? $0.rawValue }, tensors), uniquingKeysWith: { first, _ in first })
  }

  /// Returns the roles of tensors with these shapes; `nil` if they form no common layer.
  private static func roles(_ shapes: [[Int]]) -> [ParameterRole]? {
    guard let first = shapes.first else { return nil }
    let ranks = shapes.map(\.count)
    switch ranks {
    case [1, 1, 1, 1] where Set(shapes).count == 1: return [.gamma, .beta, .mean, .variance]
    case [2], [3], [4]: return [.kernel]
    case [2, 1], [3, 1], [4, 1]: return first.last == shapes[1][0] ? [.kernel, .bias] : nil
    case [2, 2, 1], [2, 2, 2]:
      let isRecurrent = first[1] == shapes[1][1] && shapes[2].last == first[1]
      return isRecurrent ? [.inputKernel, .recurrent, .bias] : nil
    case [2, 2]: return first[1] == shapes[1][1] ? [.inputKernel, .recurrent] : nil
    default: return nil
    }
  }
}
