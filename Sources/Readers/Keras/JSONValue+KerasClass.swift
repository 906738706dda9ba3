import Documents

extension JSONValue {
  /// The class that a configuration of Keras states, as HDF5 has it: with its package if it is registered.
  ///
  /// A class that is not Keras's own may be called as one of those; then it has its package or its module in front, so
  /// that it is not taken for it.
  ///
  /// Source: keras/src/saving/serialization_lib.py, `serialize_keras_object`: `registered_name` is null for classes of
  /// Keras, and `module` is null for those of a script.
  var kerasClass: String? {
    guard let name = self["class_name"]?.string else { return nil }
    let module = self["module"]?.string
    if let module, Self.isOfKeras(module) { return name }
    let registered = self["registered_name"]?.string
    if let registered, registered.contains(">") { return registered }
    guard module != nil || registered != nil, KerasLayers.isOfKeras(name) else { return name }
    return (module ?? "__main__") + ">" + name
  }

  private static func isOfKeras(_ module: String) -> Bool {
    ["keras", "tf_keras", "tensorflow", "builtins"].contains(String(module.prefix { $0 != "." }))
  }
}

extension KerasLayers {
  /// Whether a layer, a model or a cell of Keras has this class.
  fileprivate static func isOfKeras(_ className: String) -> Bool {
    mapping(of: className) != nil || KerasClasses.isOwn(className)
      || others.contains(className)
  }

  /// Classes that stand for themselves or are spelled out.
  private static let others: Set<String> = [
    "Functional", "InputLayer", "Lambda", "Model", "Sequential", "SlicingOpLambda", "TFOpLambda",
  ]
}
