import Execution
import Lowering
import ModelIR
import Operators

/// The allowed distance of a layer's output from the expected output, given its dtypes and fan-in.
///
/// Rounding is simulated, not bounded. Every value of a kernel is perturbed by the rounding error
/// of its dtype, and every parameter and input by √n rounding errors of float32, where n is the
/// fan-in. Each has a random sign. Then the layer is run again. The tolerance is four times the
/// largest change of an output, plus 2 + √n rounding errors of the largest output. So it holds for
/// any operator, however steep its activation, and adapts to the layer's data. The signs are drawn
/// from a fixed seed.
///
/// Source: Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019, for √n
/// instead of n.
public struct LayerTolerance: Sendable, Equatable {
  /// The largest distance of two outputs that does not indicate a mistake.
  public let value: Double
  /// The number of products summed for one output; without a kernel, the number of values that an
  /// output depends on.
  public let fanIn: Int
  /// The indices of outputs that are discontinuous within the rounding errors of the inputs.
  ///
  /// They exist only for operators with steps: of two nearly equal values, either may be the
  /// largest. All other outputs of such operators are compared exactly.
  public let ties: Set<Int>

  /// Computes the tolerance of a layer.
  ///
  /// - Parameters:
  ///   - layer: The reference layer, with the inputs of the comparison.
  ///   - output: Its output for these inputs.
  ///   - types: The dtypes to which its kernels were rounded.
  ///   - engine: The engine that runs it.
  ///   - precision: The precision of the compared run. In half precision, inputs and outputs are
  ///     rounded too.
  /// - Throws: An error if the layer cannot be run.
  public init(
    _ layer: LayerCase, output: NDArray<Float>, types: [ParameterRole: ElementType],
    engine: EngineKind, precision: Precision = .float32,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    fanIn = layer.fanIn
    let roundings = Double(fanIn).squareRoot()
    ties = try layer.ties(roundings, engine, checkCancellation)
    let ofInputs = precision == .float16 ? ElementType.float16 : nil
    // A small output may hardly change by chance, so it is run more often.
    let draws = output.count >= 256 ? 1 : 8
    var random = RandomSigns(seed: 0x746f_6c65)
    var change = 0.0
    for _ in 0..<draws {
      let moved = layer.perturbed(
        types, relative: roundings * singleRoundoff, inputs: ofInputs, &random)
      let other = try moved.output(engine, checkCancellation: checkCancellation)
      change = max(change, Difference(other.values, from: output.values).maximumAbsolute)
    }
    let largest = output.values.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    let stored = ofInputs.map { 2 * Double($0.roundoff * largest + $0.leastRoundoff) } ?? 0
    value = 4 * change + (2 + roundings) * singleRoundoff * Double(largest) + stored
  }
}

extension LayerCase {
  /// The indices of outputs that are discontinuous within a few rounding errors of the inputs.
  ///
  /// Inputs without reference values are computed by several layers, each of which rounds. Integers
  /// are counts, indices, truth values or rounded values, which are exact in every program.
  fileprivate func ties(
    _ roundings: Double, _ engine: EngineKind,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Set<Int> {
    guard operation.hasSteps else { return [] }
    let change = 16 * roundings * singleRoundoff
    let output = try output(engine, checkCancellation: checkCancellation)
    let largest = output.values.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    // Values selected from the inputs change with them, which is not a discontinuity.
    let smooth = Float(2 * change) * largest
    var random = RandomSigns(seed: 0x7469_6573)
    var ties: Set<Int> = []
    for _ in 0..<8 {
      var moved = self
      for index in inputs.indices {
        moved.inputs[index].move(by: Float(change), keepsWhole: true, &random)
      }
      let other = try moved.output(engine, checkCancellation: checkCancellation)
      for (index, value) in other.values.enumerated()
      where abs(value - output.values[index]) > smooth { ties.insert(index) }
    }
    return ties
  }

  /// The number of values that one output depends on.
  var fanIn: Int {
    max(1, operation.fanIn(of: inputs.map { Array($0.shape.dropFirst()) }))
  }

  /// The layer with a rounding error of random sign in every value.
  fileprivate func perturbed(
    _ types: [ParameterRole: ElementType], relative: Double, inputs type: ElementType?,
    _ random: inout RandomSigns
  ) -> LayerCase {
    var moved = self
    // An operator that compares its input with a number needs exact values.
    if !operation.needsExactInput {
      for index in inputs.indices {
        moved.inputs[index].move(by: Float(relative), &random)
        if let type {
          moved.inputs[index].move(by: type.roundoff, atLeast: type.leastRoundoff, &random)
        }
      }
    }
    for role in parameters.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      moved.parameters[role]?.values.move(by: Float(relative), &random)
      if let type = types[role] { moved.parameters[role]?.round(to: type, &random) }
    }
    return moved
  }
}

extension LayerCase.Parameter {
  /// Perturbs every value by the rounding error of `type`.
  mutating func round(to type: ElementType, _ random: inout RandomSigns) {
    switch type {
    case .float16, .bfloat16:
      values.move(by: type.roundoff, atLeast: type.leastRoundoff, &random)
    case .int8:
      // Half a quantisation step: the largest value is 127 steps.
      for (index, largest) in values.largestOfChannel(in: spec).enumerated() {
        values.values[index] += random.next() * largest / 254
      }
    // Netconv writes no other types and reads float64 as float32; integers are read exactly.
    case .float32, .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: break
    }
  }
}

extension NDArray<Float> {
  /// Perturbs every value, or every non-integer, by `relative` of its magnitude, but at least by
  /// `least`.
  fileprivate mutating func move(
    by relative: Float, atLeast least: Float = 0, keepsWhole: Bool = false,
    _ random: inout RandomSigns
  ) {
    guard relative > 0 else { return }
    for index in values.indices where values[index] != 0 {
      if keepsWhole, values[index] == values[index].rounded() { continue }
      values[index] += random.next() * max(relative * abs(values[index]), least)
    }
  }
}
