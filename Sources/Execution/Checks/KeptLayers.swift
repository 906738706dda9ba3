import ModelIR

extension Model {
  /// Returns the names of the values that a run returns: the outputs, and the values to keep.
  ///
  /// - Throws: `usage` if a name is not that of a layer's output.
  func results(keeping layers: Set<String>) throws(NetconvError) -> Set<String> {
    let known = Set(computedNames)
    if let stranger = layers.subtracting(known).min() {
      throw .unknownLayer(stranger, model: self)
    }
    return layers.union(outputs)
  }
}

extension NetconvError {
  fileprivate static func unknownLayer(_ name: String, model: Model) -> NetconvError {
    NetconvError(
      .usage, "the model has no layer \(quoted(name)); it has",
      details: model.computedNames.map { quoted($0) })
  }
}
