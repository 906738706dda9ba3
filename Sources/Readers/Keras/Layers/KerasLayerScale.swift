import ModelIR
import Operators

/// A layer of keras.applications' ConvNeXt.
///
/// Source: keras/src/applications/convnext.py. Some versions give the weight no name of its own.
enum KerasLayerScale: KerasLayerMapping {
  static let classNames = ["LayerScale", "Custom>LayerScale"]
  static let operators: [any Operator.Type] = [Scale.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // Its settings tell it from a user's layer of the same name.
    _ = try layer.int("projection_dim")
    return Scale()
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    [KerasWeight(name: "gamma", otherNames: ["variable", "Variable"], role: .gamma)]
  }
}
