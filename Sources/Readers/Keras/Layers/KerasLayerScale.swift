import ModelIR
import Operators

/// The layer-scale layer of ConvNeXt in keras.applications.
///
/// Source: keras/src/applications/convnext.py. Some versions do not name the weight.
enum KerasLayerScale: KerasLayerMapping {
  static let classNames = ["LayerScale", "Custom>LayerScale"]
  static let operators: [any Operator.Type] = [Scale.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    // The setting distinguishes it from a custom layer with the same name.
    _ = try layer.int("projection_dim")
    return Scale()
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    [KerasWeight(name: "gamma", otherNames: ["variable", "Variable"], role: .gamma)]
  }
}
