import Documents
import Execution
import ModelIR

/// What is wrong with a layer.
public struct Explanation: Sendable {
  /// What would make it right.
  public let repair: Repair
  /// How far the repaired layer is from what it should give; `nil` if its parameters and attributes are those of the
  /// source, so that nobody had to run it.
  public let remaining: Double?
  /// The layers that it would change, where that is not the one that is wrong.
  public var layers: [String] = []

  /// Tries the known mistakes on a layer that gives something else than it should.
  ///
  /// With the source at hand, a repair is right if it makes the layer the source's, value by value. Without, or if
  /// none does, the one is right that brings the output closest to what it should be, within the tolerance.
  ///
  /// - Parameters:
  ///   - layer: with its inputs.
  ///   - expected: the layer of the source, if that is known.
  ///   - opposites: the layers that go through the same sequence the other way.
  ///   - output: what the layer should give.
  ///   - types: how kernels were written, where that rounds them.
  /// - Returns: `nil` if no known mistake explains what was found.
  /// - Throws: `interrupted`, or what running the layer throws.
  static func of(
    _ layer: LayerCase, expected: LayerCase?, opposites: [LayerCase] = [], output: NDArray<Float>,
    types: [ParameterRole: ElementType], engine: EngineKind,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) -> Explanation? {
    let evidence = Evidence(expected: expected, output: output, opposites: opposites)
    let repairs = Mistakes.all.flatMap { $0.repairs(of: layer, evidence) }
    // Where nothing is finite, a layer can be the source's and be asked about all the same.
    if let expected, !layer.isEqual(to: expected) {
      for repair in repairs {
        try checkCancellation()
        guard let repaired = try? repair.applied(to: layer) else { continue }
        if repaired.isEqual(to: expected) { return Explanation(repair: repair, remaining: nil) }
      }
    }
    // What does not come closer than the layer itself repairs nothing.
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

  /// What differs from the source, where no mistake explains it: the attributes, or else every parameter.
  private static func plainDifference(of layer: LayerCase, from expected: LayerCase) -> Explanation?
  {
    guard layer.operation.isEqual(to: expected.operation) else {
      let repair = Repair(
        .attributes, difference(of: layer.operation, from: expected.operation),
        advice: "write the attributes of the source"
      ) { $0.operation = expected.operation }
      return Explanation(repair: repair, remaining: nil)
    }
    // Kernels first: they matter most.
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
        "\(wrong.count) of \(right.values.count) values of \(role) are not the source's; the first is "
          + "at \(right.place(of: first)), \(numeral(value)), expected \(numeral(wanted))"
      )
    }
    guard !others.isEmpty else { return nil }
    let repair = Repair(
      .changedValues, others.map(\.finding).joined(separator: "; "),
      advice: 2 * wrongCount > count
        ? "these are other weights, as after more training: compare with the file that they are from"
        : "find out which of the two was changed, and take the other's values",
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

  /// Another shape than the layer should give, and why, if that is known.
  static func otherShape(_ found: [Int], expected: [Int], _ cause: Explanation?) -> Explanation {
    let shapes = [found, expected].map { Shape(Array($0.dropFirst())) }
    let finding = "gives the shape \(shapes[0]), expected \(shapes[1])"
    let repair =
      cause?.repair.explaining(finding)
      ?? Repair(
        .attributes, finding,
        advice: "correct the attributes of the layer, or what it is compared with"
      ) { _ in }
    return Explanation(repair: repair, remaining: nil)
  }

  /// Another operator than the source has for the layer of the same name; `nil` if it is the same.
  static func of(_ found: any Operator, insteadOf expected: any Operator) -> Explanation? {
    guard type(of: found) != type(of: expected) else { return nil }
    return Explanation(repair: .exchanging(found, for: expected), remaining: nil)
  }

  /// `strides is [2, 2], expected [1, 1]`, for each attribute in which two operators of one type differ.
  private static func difference(of found: any Operator, from expected: any Operator) -> String {
    found.differences(to: expected).map { attribute in
      let value = attribute.first.map { "is \($0)" } ?? "is not set"
      return "\(attribute.name) \(value), expected \(attribute.second ?? "none")"
    }.joined(separator: "; ")
  }
}

extension LayerCase {
  /// Whether two layers compute the same with the same numbers, apart from the rounding of the types that those of
  /// this one were written in.
  func isEqual(to other: LayerCase) -> Bool {
    operation.isEqual(to: other.operation)
      && Set(parameters.keys).union(other.parameters.keys).allSatisfy { role in
        switch (parameters[role], other.parameters[role]) {
        case (let found?, let right?): found.differences(from: right).isEmpty
        // Zeros that a target wants are no other layer.
        case (let only?, nil), (nil, let only?): only.doesNothing
        case (nil, nil): true
        }
      }
      && inputs == other.inputs && reversesOutput == other.reversesOutput
  }
}

extension LayerCase.Parameter {
  /// Whether the layer computes the same without it.
  var doesNothing: Bool {
    spec.isOptional && values.values.allSatisfy { $0 == spec.role.neutralValue }
  }

  /// The indices of values that are not `right`'s, nor what its rounding could have made of them.
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

  /// An index in the layout of the spec, as `h=0, w=2, i=1, o=3` or `i=0, g=f, n=2`.
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

  /// What a type may have rounded off each of the values of `right`.
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
  /// What the layer gives; `nil` if it cannot be run on its inputs, as after a repair that does not fit them.
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
