import ModelIR
import Operators

/// The points where a model's values are rounded if activations are stored in half precision.
package struct HalfRounding: Sendable {
  /// Determines the layers whose outputs are not stored and keep the precision of sums.
  private let uses: LayerUses
  /// The constants, which stay in float32: a mask may contain -3.4e38, which overflows half precision.
  private let constants: Set<String>

  /// Creates the rounding for `precision` and `model`; `nil` if nothing is rounded.
  package init?(_ precision: Precision, _ model: Model) {
    guard precision == .float16 else { return nil }
    uses = LayerUses(model)
    constants = Set(model.layers.filter(\.inputs.isEmpty).map(\.name))
  }

  /// Returns true if the value called `name` is stored; values without a name in the model are, too.
  package func stores(_ name: String) -> Bool {
    !uses.isUnstored(name) && !constants.contains(name)
  }

  /// Returns the outputs of `layer` for one sample, before they are stored.
  ///
  /// The halves of a composite operator count as separate layers if images are stored.
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

  /// Rounds `array` to half precision; each value is rounded to float32, the precision of sums, first.
  package static func round(_ array: NDArray<Double>) -> NDArray<Double> {
    array.map { Double(Half.float(from: Half.bits(from: Float($0)))) }
  }

  /// Rounds `array` to half precision.
  package static func round(_ array: NDArray<Float>) -> NDArray<Float> {
    var array = array
    array.values.withUnsafeMutableBufferPointer { Half.round($0) }
    return array
  }
}
