extension MPSGraphTemplates {
  /// Values of tensors.
  func values(storesHalves: Bool) -> String {
    let stored = PackageTemplates.StoredValues(halves: storesHalves)
    return #"""
      import Foundation
      import MetalPerformanceShadersGraph

      /// Moves values into tensors and out of them, with the last axis fastest.
      enum \#(name)Values {
        static func write(
          _ values: [Float], shape: [Int], device: MPSGraphDevice
        ) -> MPSGraphTensorData {
          MPSGraphTensorData(
            device: device, data: \#(stored.fromFloats).withUnsafeBytes { Data($0) },
            shape: shape.map { NSNumber(value: $0) }, dataType: \#(stored.dataType))
        }

        static func read(_ tensor: MPSGraphTensorData) -> [Float] {
          let count = tensor.shape.reduce(1) { $0 * $1.intValue }
          var \#(stored.variable) = [\#(stored.type)](repeating: 0, count: count)
          \#(stored.variable).withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            // Without strides they lie close together.
            tensor.mpsndarray().readBytes(base, strideBytes: nil)
          }
          return \#(stored.toFloats)
        }\#(stored.functions)
      }
      """#
  }

  /// What tests read.
  var activations: String {
    #"""
    /// What each layer gave, for tests: hand it to `\#(name).predict`, then read.
    public final class \#(name)Activations {
      var values: [(layer: String, values: [Float])] = []

      public init() {}

      /// The layers that have a tensor of their own; others are a part of the next of these.
      public var layers: [String] { values.map(\.layer) }

      /// What a layer gave: with the last axis fastest.
      public func values(of layer: String) -> [Float]? {
        values.last { $0.layer == layer }?.values
      }
    }
    """#
  }
}
