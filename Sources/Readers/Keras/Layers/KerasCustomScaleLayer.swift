import ModelIR
import Operators

/// The scale layer of InceptionResNetV2 in keras.applications.
///
/// Source: keras/src/applications/inception_resnet_v2.py.
enum KerasCustomScaleLayer: KerasLayerMapping {
  static let classNames = ["CustomScaleLayer", "Custom>CustomScaleLayer"]
  static let operators: [any Operator.Type] = [ScaledAdd.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    ScaledAdd(scale: try layer.double("scale"))
  }
}
