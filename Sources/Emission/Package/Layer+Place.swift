import ModelIR

extension Model {
  /// The description of a layer: `layer 'conv1' (2 of 8, Conv2D)`.
  func place(of name: String) -> String {
    guard let index = layers.firstIndex(where: { $0.name == name }) else {
      return "layer \(quoted(name))"
    }
    let className = layers[index].origin?.className ?? type(of: layers[index].operation).name
    return "layer \(quoted(name)) (\(index + 1) of \(layers.count), \(escaped(className)))"
  }
}

extension Layer {
  /// The layer that owns the parameters of this layer.
  var owner: String { parameters.first?.layer ?? name }
}
