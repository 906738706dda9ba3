import Documents
import Execution
import ModelIR

/// An explanation of a layer's error.
public struct Explanation: Sendable {
  /// The change that corrects the layer.
  public let repair: Repair
  /// The remaining distance after the repair; `nil` if the repaired layer equals the source's, so
  /// that it was not run.
  public let remaining: Double?
  /// The layers to change, if not the wrong layer itself.
  public var layers: [String] = []

  /// Tries to correct the known mistakes in a layer with an unexpected output.
  ///
  /// If the source is known, a repair is right that makes the layer equal to the source's, value by
  /// value. Otherwise, or if there is none, the right repair brings the output closest to the
  /// expected one, within the tolerance.
  ///
  /// - Parameters:
  ///   - layer: The layer with its inputs.
  ///   - expected: The layer of the source, if known.
  ///   - opposites: The layers that process the same sequence in the opposite direction.
  ///   - output: The expected output.
  ///   - types: The dtypes to which kernels were rounded.
  /// - Returns: `nil` if no known mistake explains the output.
  /// - Throws: `interrupted`, or another error if the layer cannot be run.
  static func of(
    _ layer: LayerCase, expected: LayerCase?, opposites: [LayerCase] = [], output: NDArray<Float>,
    types: [ParameterRole: ElementType], engine: EngineKind,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Explanation? {
    let evidence = Evidence(expected: expected, output: output, opposites: opposites)
    let repairs = Mistakes.all.flatMap { $0.repairs(of: layer, evidence) }
    // If no value is finite, a layer can equal the source's and still fail.
    if let expected, !layer.isEqual(to: expected) {
      for repair in repairs {
        try checkCancellation()
        guard let repaired = try? repair.applied(to: layer) else { continue }
        if repaired.isEqual(to: expected) { return Explanation(repair: repair, remaining: nil) }
      }
    }
    // A repair has to reduce the distance.
    let before = try layer.outputIfItRuns(engine, checkCancellation).flatMap {
      $0.shape == output.shape ? Difference($0.values, from: output.values) : nil
    }
    var nearest =
      before.flatMap { $0.mismatchedNonFinite == 0 && $0.isKnown ? $0.maximumAbsolute : nil }
      ?? .infinity
    var best: Explanation?
    for repair in repairs {
      try checkCancellation()
      guard let repaired = try? repair.applied(to: layer),
        let found = try repaired.outputIfItRuns(engine, checkCancellation),
        found.shape == output.shape
      else { continue }
      let difference = Difference(found.values, from: output.values)
      guard difference.mismatchedNonFinite == 0, difference.isKnown,
        difference.maximumAbsolute < nearest
      else { continue }
      let tolerance = try LayerTolerance(
        repaired, output: found, types: types, engine: engine,
        checkCancellation: checkCancellation)
      if difference.maximumAbsolute <= tolerance.value {
        best = Explanation(repair: repair, remaining: difference.maximumAbsolute)
        nearest = difference.maximumAbsolute
      }
    }
    return best ?? expected.flatMap { Self.plainDifference(of: layer, from: $0) }
  }

  /// The difference from the source if no known mistake explains it: the attributes, otherwise the
  /// values of parameters.
  private static func plainDifference(of layer: LayerCase, from expected: LayerCase) -> Explanation?
  {
    guard layer.operation.isEqual(to: expected.operation) else {
      let repair = Repair(
        .attributes, difference(of: layer.operation, from: expected.operation),
        advice: "use the attributes of the source"
      ) { $0.operation = expected.operation }
      return Explanation(repair: repair, remaining: nil)
    }
    // Kernels come first because they matter most.
    let sorted = expected.parameters.sorted { a, b in
      let (first, second) = (a.value.spec.kind == .vector, b.value.spec.kind == .vector)
      return first == second ? a.key.rawValue < b.key.rawValue : second
    }
    var (wrongCount, count) = (0, 0)
    let others = sorted.compactMap { role, right -> (role: ParameterRole, finding: String)? in
      guard let found = layer.parameters[role], found.values.shape == right.values.shape else {
        return nil
      }
      let wrong = found.differences(from: right)
      guard let first = wrong.first else { return nil }
      wrongCount += wrong.count
      count += right.values.count
      let (value, wanted) = (found.values.values[first], right.values.values[first])
      return (
        role,
        "\(wrong.count) of \(right.values.count) values of \(role) differ from the source's; the first is "
          + "at \(right.place(of: first)), \(numeral(value)), expected \(numeral(wanted))"
      )
    }
    guard !others.isEmpty else { return nil }
    let repair = Repair(
      .changedValues, others.map(\.finding).joined(separator: "; "),
      advice: 2 * wrongCount > count
        ? "these are different weights, as after more training: compare with the file that they came from"
        : "find out which of the two was changed, and use the other's values",
      role: others.count == 1 ? others[0].role : nil
    ) { repaired in
      for (role, _) in others {
        if let right = expected.parameters[role] {
          repaired.parameters[role]?.values = right.values
        }
      }
    }
    return Explanation(repair: repair, remaining: nil)
  }

  /// Explains an unexpected shape, with its cause if known.
  static func otherShape(_ found: [Int], expected: [Int], _ cause: Explanation?) -> Explanation {
    let shapes = [found, expected].map { Shape(Array($0.dropFirst())) }
    let finding = "has output shape \(shapes[0]), expected \(shapes[1])"
    let repair =
      cause?.repair.explaining(finding)
      ?? Repair(
        .attributes, finding,
        advice: "correct the attributes of the layer or of its reference"
      ) { _ in }
    return Explanation(repair: repair, remaining: nil)
  }

  /// Explains an operator that differs from the source's; `nil` if it is the same.
  static func of(_ found: any Operator, insteadOf expected: any Operator) -> Explanation? {
    guard type(of: found) != type(of: expected) else { return nil }
    return Explanation(repair: .exchanging(found, for: expected), remaining: nil)
  }

  /// The differing attributes of two operators of one type: `strides is [2, 2], expected [1, 1]`.
  private static func difference(of found: any Operator, from expected: any Operator) -> String {
    found.differences(to: expected).map { attribute in
      let value = attribute.first.map { "is \($0)" } ?? "is not set"
      return "\(attribute.name) \(value), expected \(attribute.second ?? "none")"
    }.joined(separator: "; ")
  }
}

extension LayerCase {
  /// True if both layers compute the same with the same values, up to the rounding of this layer's
  /// dtypes.
  func isEqual(to other: LayerCase) -> Bool {
    operation.isEqual(to: other.operation)
      && Set(parameters.keys).union(other.parameters.keys).allSatisfy { role in
        switch (parameters[role], other.parameters[role]) {
        case (let found?, let right?): found.differences(from: right).isEmpty
        // Optional zeros that a target requires make no difference.
        case (let only?, nil), (nil, let only?): only.doesNothing
        case (nil, nil): true
        }
      }
      && inputs == other.inputs && reversesOutput == other.reversesOutput
  }
}

extension LayerCase.Parameter {
  /// True if the parameter has no effect on the layer.
  var doesNothing: Bool {
    spec.isOptional && values.values.allSatisfy { $0 == spec.role.neutralValue }
  }

  /// The indices of values that differ from `right`'s by more than rounding.
  func differences(from right: LayerCase.Parameter) -> [Int] {
    guard values.shape == right.values.shape else { return Array(values.values.indices) }
    let slacks = Self.slacks(elementType, right)
    return values.values.indices.filter { index in
      let (found, expected) = (values.values[index], right.values.values[index])
      return found.bitPattern != expected.bitPattern && !(found == expected)
        && !(found.isNaN && expected.isNaN)
        && !(abs(found - expected) <= slacks[index])
    }
  }

  /// The coordinates of an index in the layout of the spec: `h=0, w=2, i=1, o=3` or
  /// `i=0, g=f, n=2`.
  func place(of index: Int) -> String {
    var rest = index
    var places: [String] = []
    for axis in spec.layout.axes.reversed() {
      let size = spec.sizes[axis] ?? 1
      let gate = axis == .gates ? spec.layout.gates?.gates[rest % size] : nil
      places.append("\(axis.lowercased)=\(gate.map { "\($0)" } ?? "\(rest % size)")")
      rest /= size
    }
    return places.reversed().joined(separator: ", ")
  }

  /// The largest rounding error of each value of `right` in a type.
  private static func slacks(_ type: ElementType, _ right: LayerCase.Parameter) -> [Float] {
    let values = right.values
    guard type != right.elementType else { return Array(repeating: 0, count: values.count) }
    guard type == .int8, right.spec.kind != .vector else {
      return values.values.map { max(type.roundoff * abs($0), type.leastRoundoff) }
    }
    return values.largestOfChannel(in: right.spec).map { $0 / 253 }
  }
}

extension LayerCase {
  /// The output of the layer; `nil` if it cannot run on its inputs, as after an incompatible
  /// repair.
  ///
  /// - Throws: `interrupted`.
  fileprivate func outputIfItRuns(
    _ engine: EngineKind, _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> NDArray<Float>? {
    do throws(NetconvError) {
      return try output(engine, checkCancellation: checkCancellation)
    } catch {
      guard error.kind != .interrupted else { throw error }
      return nil
    }
  }
}
