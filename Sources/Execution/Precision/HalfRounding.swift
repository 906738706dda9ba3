import ModelIR
import Operators

/// Where a model's values are rounded when activations are stored in half precision.
package struct HalfRounding: Sendable {
  /// Says which layers' outputs are not stored, and keep the precision of sums.
  private let uses: LayerUses
  /// Tables, which keep what half precision has no place for: -3.4e38 in a mask.
  private let constants: Set<String>

  /// What `precision` asks of `model`; `nil` if nothing is rounded.
  package init?(_ precision: Precision, _ model: Model) {
    guard precision == .float16 else { return nil }
    uses = LayerUses(model)
    constants = Set(model.layers.filter(\.inputs.isEmpty).map(\.name))
  }

  /// Whether the value called `name` is stored; also those that have no name in the model are.
  package func stores(_ name: String) -> Bool {
    !uses.isUnstored(name) && !constants.contains(name)
  }

  /// The outputs of `layer` for one sample, before they are stored.
  ///
  /// The halves of a composite operator are layers of their own where images are stored.
  package func evaluate(
    _ layer: Layer, _ inputs: [NDArray<Double>], _ parameters: [ParameterRole: NDArray<Double>]
  ) throws(NetconvError) -> [NDArray<Double>] {
    guard let operation = layer.operation as? any CompositeOperator else {
      return try layer.operation.evaluateOutputs(inputs, parameters)
    }
    let (first, second) = operation.halves
    let between = Self.round(
      try first.operation.evaluate(inputs, first.parameters(of: parameters)))
    return [try second.operation.evaluate([between], second.parameters(of: parameters))]
  }

  /// `array` as it is stored in half precision; each value goes through float32, in which it was summed.
  package static func round(_ array: NDArray<Double>) -> NDArray<Double> {
    array.map { Double(Half.float(from: Half.bits(from: Float($0)))) }
  }

  /// `array` as it is stored in half precision.
  package static func round(_ array: NDArray<Float>) -> NDArray<Float> {
    var array = array
    array.values.withUnsafeMutableBufferPointer { Half.round($0) }
    return array
  }
}
