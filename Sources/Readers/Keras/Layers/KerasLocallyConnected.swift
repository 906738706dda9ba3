import ModelIR
import Operators

/// Source: tf_keras, layers/locally_connected; Keras 2.3, keras/layers/local.py; Keras 3 has no locally connected
/// layers.
enum KerasLocallyConnected: KerasSpatialMapping {
  static let classNames = ["LocallyConnected1D", "LocallyConnected2D"]
  static let operators: [any Operator.Type] = [LocallyConnected1D.self, LocallyConnected2D.self]
  static let refused = ["padding other than valid"]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation<Space: SpatialAxes>(
    of layer: KerasLayerConfig, _ space: Space.Type
  ) throws(NetconvError) -> any Operator {
    try layer.requireChannelsLast()
    _ = try layer.choice("padding", of: [KerasPadding.valid], default: .valid)
    _ = try layer.localImplementation()
    return SpatialLocallyConnected<Space>(
      outputChannels: try layer.int("filters"), kernelSize: try layer.size("kernel_size"),
      strides: try layer.size("strides", default: .one), activation: try layer.activation())
  }

  static func weights(of layer: KerasLayerConfig) throws(NetconvError) -> [KerasWeight] {
    try layer.bool("use_bias", default: true) ? [.kernel, .bias] : [.kernel]
  }
}

extension KerasLayerConfig {
  /// Returns the implementation of a locally connected layer; each of the three has a different kernel shape.
  ///
  /// - Throws: `badData` if the number is not 1, 2 or 3.
  func localImplementation() throws(NetconvError) -> Int {
    try setting("implementation", default: 1, expected: "1, 2 or 3") { value in
      value.int.flatMap { (1...3).contains($0) ? $0 : nil }
    }
  }
}
