import Documents

extension JSONValue {
  /// The class name in a Keras configuration, as HDF5 files write it: with its package if it is registered.
  ///
  /// A custom class can have the same name as a Keras class. It is then prefixed with its package or module, so that
  /// the two are not confused.
  ///
  /// Source: keras/src/saving/serialization_lib.py, `serialize_keras_object`: `registered_name` is null for classes
  /// of Keras, and `module` is null for those of a script.
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
  /// Returns true if Keras has a layer, model or cell class of this name.
  fileprivate static func isOfKeras(_ className: String) -> Bool {
    mapping(of: className) != nil || KerasClasses.isOwn(className)
      || others.contains(className)
  }

  /// Classes without a mapping because they are handled separately.
  private static let others: Set<String> = [
    "Functional", "InputLayer", "Lambda", "Model", "Sequential", "SlicingOpLambda", "TFOpLambda",
  ]
}
