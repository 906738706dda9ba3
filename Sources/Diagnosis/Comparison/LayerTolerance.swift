import Execution
import ModelIR
import Operators

/// How far a layer's output may be from what it should be, for the types and sums that it is made of.
///
/// Rounding is simulated, not bounded: every value of a kernel is moved by the rounding of the type that it was
/// written in, every parameter and input by √n roundings of float32 where n is the fan-in, each in a random
/// direction, and the layer is run again. The tolerance is four times the largest change that this makes to an
/// output, and 2 + √n roundings of the largest output. So it holds for any operator, however steep its activation,
/// and follows what the layer does with its own data. Directions are drawn from a fixed seed.
///
/// Source: Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019, for √n in the place
/// of n.
public struct LayerTolerance: Sendable, Equatable {
  /// The largest distance of two outputs that is no sign of a mistake.
  public let value: Double
  /// Products that are summed for one output; of a layer without a kernel, values that one output depends on.
  public let fanIn: Int
  /// The indices of outputs that jump where inputs change as little as rounding changes them.
  ///
  /// Only an operator with steps has such: of two values that are nearly equal, either may be the largest. All others are
  /// compared exactly.
  public let ties: Set<Int>

  /// The tolerance of a layer.
  ///
  /// - Parameters:
  ///   - layer: as it should be, with the inputs that it is compared on.
  ///   - output: what it gives for them.
  ///   - types: how its kernels were written, where that rounds them.
  ///   - engine: what runs it.
  ///   - precision: in which it was run: in half precision, its inputs and its output are rounded too.
  /// - Throws: as running the layer does.
  public init(
    _ layer: LayerCase, output: NDArray<Float>, types: [ParameterRole: ElementType],
    engine: EngineKind, precision: Precision = .float32,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    fanIn = layer.fanIn
    let roundings = Double(fanIn).squareRoot()
    ties = try layer.ties(roundings, engine, checkCancellation)
    let ofInputs = precision == .float16 ? ElementType.float16 : nil
    // A few outputs may by chance hardly move: they are tried more often.
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
  /// The indices of outputs that jump where inputs change by some roundings.
  ///
  /// Inputs of which nothing is known are computed by several layers, each of which rounds. Whole numbers are counts,
  /// indices, truth values or roundings, which every program has alike.
  fileprivate func ties(
    _ roundings: Double, _ engine: EngineKind,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Set<Int> {
    guard operation.hasSteps else { return [] }
    let change = 16 * roundings * singleRoundoff
    let output = try output(engine, checkCancellation: checkCancellation)
    let largest = output.values.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    // Values that are chosen from the inputs move with them, which is no jump.
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

  /// Values that one output is computed from.
  var fanIn: Int {
    max(1, operation.fanIn(of: inputs.map { Array($0.shape.dropFirst()) }))
  }

  /// The layer after one rounding of everything in a random direction.
  fileprivate func perturbed(
    _ types: [ParameterRole: ElementType], relative: Double, inputs type: ElementType?,
    _ random: inout RandomSigns
  ) -> LayerCase {
    var moved = self
    // What looks for a number takes its input as it is.
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
  /// Moves every value by what `type` may round off it.
  mutating func round(to type: ElementType, _ random: inout RandomSigns) {
    switch type {
    case .float16, .bfloat16:
      values.move(by: type.roundoff, atLeast: type.leastRoundoff, &random)
    case .int8:
      // Half of a step; there are 127 from 0 to the largest.
      for (index, largest) in values.largestOfChannel(in: spec).enumerated() {
        values.values[index] += random.next() * largest / 254
      }
    // Netconv writes none of the others, and reads float64 as float32; integers that are read are exact.
    case .float32, .float64, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: break
    }
  }
}

extension NDArray<Float> {
  /// Moves every value, or each that is not whole, up or down by `relative` of it, or by `least` if that is more.
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
