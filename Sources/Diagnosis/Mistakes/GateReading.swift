import ModelIR

/// A possible layout of a recurrent layer's parameters that differs from the stated one.
struct GateReading: Sendable {
  /// The order of the axes.
  enum Arrangement: Sendable {
    /// The stated order.
    case same
    /// The gates of each unit side by side instead of the units of each gate, or the reverse.
    case interleaved
    /// The inputs on the other side of a kernel.
    case transposed
  }

  /// The index of the stated layout among each parameter's declared layouts.
  private let place: Int
  /// The stated order of the gates; `nil` for one gate.
  private let declared: GateOrder?
  /// The actual order of the gates.
  private let actual: GateOrder?
  private let arrangement: Arrangement
  /// The order of the gates in the operator's definition, if none is stated.
  private let defined: GateOrder?
  /// The stated and actual layouts of a kernel, without the order of its gates.
  private let layouts: Layouts?

  private struct Layouts {
    let declared: Layout
    let actual: Layout
  }

  /// All possible readings of `parameters` in order of likelihood.
  static func all(
    of parameters: [LayerCase.Parameter], _ cell: RecurrentCellKind
  ) -> [GateReading] {
    guard let kernel = parameters.first(where: { $0.spec.kind == .recurrent }) else { return [] }
    let reading = { place, actual, arrangement in
      GateReading(place, actual, arrangement, defined: cell.gates, of: kernel)
    }
    let places = kernel.declared.indices
    guard let gates = cell.gates else { return places.map { reading($0, nil, .transposed) } }
    let known = GateOrder.ofFrameworks.map(\.order).filter(gates.hasSameGates)
    let others = gates.others.filter { !known.contains($0) }
    var readings = [known, others].flatMap { orders in
      places.flatMap { place in orders.map { reading(place, $0, .same) } }
    }
    for place in places {
      let said = kernel.declared[place].layout.gates ?? gates
      for order in [said] + known.filter({ $0 != said }) {
        readings += [reading(place, order, .transposed), reading(place, order, .interleaved)]
      }
    }
    return readings
  }

  private init(
    _ place: Int, _ actual: GateOrder?, _ arrangement: Arrangement, defined: GateOrder?,
    of kernel: LayerCase.Parameter
  ) {
    let stated = kernel.declared[place].layout
    self.place = place
    self.declared = stated.gates ?? defined
    self.actual = actual
    self.arrangement = arrangement
    self.defined = defined
    layouts = stated.arranged(arrangement).map {
      Layouts(declared: stated.with(gates: nil), actual: $0.with(gates: nil))
    }
  }

  /// The rearrangement of a parameter to its stated layout; `nil` if it is already in it, or if
  /// none is stated.
  func move(of parameter: LayerCase.Parameter) -> Rereading? {
    let said = parameter.declared[min(place, parameter.declared.count - 1)]
    guard said.layout.gates ?? defined == declared,
      let order = said.layout.arranged(arrangement)?.with(gates: actual),
      let move = Rereading(of: parameter, said, as: order), !move.isIdentity
    else { return nil }
    return move
  }

  /// True if the rearranged parameters are the whole group, as far as this reading affects it.
  func moves(_ group: [ParameterRole], of moved: [ParameterRole]) -> Bool {
    let isOfKernels = moved.contains { $0 == .kernel || $0 == .recurrent }
    return moved == group && (arrangement != .transposed || isOfKernels)
  }
}

// MARK: - Text

extension GateReading {
  /// The kind of mistake.
  var kind: Repair.Kind {
    arrangement == .transposed && declared == actual ? .transposedKernel : .gateOrder
  }

  /// The description:
  /// `kernel and bias have their gates in the order r z h, PyTorch's, read as z r h`.
  ///
  /// - Parameters:
  ///   - roles: The parameters with a wrong layout.
  ///   - others: The parameters with the right layout.
  func finding(_ roles: [ParameterRole], others: [ParameterRole]) -> String {
    let isOne = roles.count == 1
    let gates = "\(roles.text) \(isOne ? "has its" : "have their") gates"
    let right = others.isEmpty ? "" : "; those of \(others.text) are right"
    switch arrangement {
    case .same: return "\(gates) in the order \(order), read as \(declared?.letters ?? "")\(right)"
    case .interleaved where declared == actual:
      return "\(gates) \(way.actual), read as \(way.declared)\(right)"
    case .interleaved:
      return "\(gates) \(way.actual) in the order \(order), read as \(way.declared) in the order "
        + "\(declared?.letters ?? "")\(right)"
    case .transposed where declared == actual:
      return "\(roles.text) \(isOne ? "is" : "are") \(layoutText(\.actual)) read as "
        + "\(layoutText(\.declared)): \(isOne ? "the matrix is" : "the matrices are") transposed"
    case .transposed:
      return "\(gates) in the order \(order), read as \(declared?.letters ?? ""), and kernels are "
        + "\(layoutText(\.actual)) read as \(layoutText(\.declared))\(right)"
    }
  }

  /// The correction in words.
  var advice: String {
    switch arrangement {
    case .same:
      "declare the order \(actual?.letters ?? "") in the source, or write the gates as "
        + (declared?.letters ?? "")
    case .interleaved: "write the gates \(way.declared), in the order \(declared?.letters ?? "")"
    case .transposed:
      "declare the layout \(layoutText(\.actual)) in the source, or write the kernels "
        + "as \(layoutText(\.declared))"
        + (declared == actual ? "" : " with the gates in the order \(declared?.letters ?? "")")
    }
  }

  private var order: String { actual?.words ?? "" }

  private var way: (declared: String, actual: String) {
    let (all, one) = ("gate by gate", "unit by unit")
    let axes = layouts?.declared.axes ?? []
    let isByUnit = (axes.firstIndex(of: .units) ?? 1) < (axes.firstIndex(of: .gates) ?? 0)
    return isByUnit ? (one, all) : (all, one)
  }

  private func layoutText(_ side: KeyPath<Layouts, Layout>) -> String {
    layouts.map { $0[keyPath: side].description } ?? ""
  }
}

extension Layout {
  /// The layout in another arrangement; `nil` if its axes do not permit it.
  fileprivate func arranged(_ arrangement: GateReading.Arrangement) -> Layout? {
    switch arrangement {
    case .same: self
    case .interleaved: exchanging(.gates, .units)
    case .transposed: withInputsOnTheOtherSide
    }
  }

  private func exchanging(_ one: Axis, _ other: Axis) -> Layout? {
    try? Layout(
      dimensions.map { dimension in
        Dimension(dimension.axes.map { $0 == one ? other : $0 == other ? one : $0 })
      }, gates: gates)
  }

  /// The layout with the inputs on the other side; unchanged without inputs, as for a bias.
  private var withInputsOnTheOtherSide: Layout? {
    guard let place = dimensions.firstIndex(where: { $0.axes == [.inputChannels] }) else {
      return axes.contains(.inputChannels) ? nil : self
    }
    var rest = dimensions
    let inputs = rest.remove(at: place)
    // A leading literal 1 stays first.
    let isFirst = !rest[..<place].contains { !$0.axes.isEmpty }
    let front = rest.prefix { $0.axes.isEmpty }.count
    rest.insert(inputs, at: isFirst ? rest.count : front)
    return try? Layout(rest, gates: gates)
  }
}
