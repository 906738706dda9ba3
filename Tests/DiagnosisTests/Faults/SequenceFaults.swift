import Diagnosis
import ModelIR
import Operators

/// Every fault that can be planted in a layer over sequences.
///
/// As in ``Faults``, no code is shared with the diagnosis: gates are blocks of columns.
enum SequenceFaults {
  static func all(in model: Model) throws -> [Fault] {
    model.layers.flatMap { layer -> [Fault] in
      var faults = inKernels(layer) + inAttributes(layer)
      if layer.operation is any RecurrentOperator {
        faults += RecurrentFaults(layer).all + exchanged(layer, in: model)
      }
      return faults
    }
  }

  // MARK: - Kernels and tables

  private static func inKernels(_ layer: Layer) -> [Fault] {
    layer.parameters.map(\.spec).flatMap { spec -> [Fault] in
      let (axes, role) = (spec.layout.axes, spec.role)
      let sizes = axes.map { spec.sizes[$0] ?? 1 }
      let fault = {
        (kind: Repair.Kind, text: String, change: @escaping @Sendable ([Float]) -> [Float]) in
        Fault(kind: kind, layer: layer.name, text: "\(role) \(text)") { layer in
          if let values = layer.parameters[role]?.values {
            layer.parameters[role]?.values = change(values)
          }
        }
      }
      switch spec.kind {
      case .embedding:
        return [
          fault(.transposedKernel, "transposed") { Faults.reread($0, sizes: sizes, as: [1, 0]) }
        ]
      case .convolution, .depthwise, .transposedConvolution:
        guard let taps = axes.firstIndex(of: .width), sizes[taps] > 1 else { return [] }
        let orders = Faults.permutations(Array(axes.indices)).filter { $0 != Array(axes.indices) }
        return orders.map { order in
          fault(.kernelOrder, "read in order \(order.map { axes[$0].description })") {
            Faults.reread($0, sizes: sizes, as: order)
          }
        } + [
          fault(.rotatedKernel, "with its taps reversed") {
            Faults.reversed($0, sizes: sizes, along: [taps])
          }
        ]
      default: return []
      }
    }
  }

  // MARK: - Attributes

  private static func inAttributes(_ layer: Layer) -> [Fault] {
    switch layer.operation {
    case let found as Convolution1D where found.padding != .valid:
      let other: Padding = found.padding == .same ? .causal : .same
      return [
        Fault(kind: .padding, layer: layer.name, text: "padding \(other)") {
          $0.operation = Convolution1D(
            outputChannels: found.outputChannels, kernelSize: found.kernelSize,
            strides: found.strides, dilation: found.dilation, groups: found.groups,
            padding: other, activation: found.activation)
        }
      ]
    case let found as ZeroPadding1D where found.padding[0][0] != found.padding[0][1]:
      return [
        Fault(kind: .padding, layer: layer.name, text: "padding on the other side") {
          $0.operation = ZeroPadding1D(before: found.padding[0][1], after: found.padding[0][0])
        }
      ]
    case is Reverse:
      return [
        Fault(kind: .direction, layer: layer.name, text: "not reversed") {
          $0.operation = Identity()
        }
      ]
    default: return []
    }
  }

  // MARK: - Directions

  /// The two directions of a layer, each with the parameters of the other.
  private static func exchanged(_ layer: Layer, in model: Model) -> [Fault] {
    guard layer.name.hasSuffix("/forward"),
      let other = model.layer(named: layer.name.replacing("/forward", with: "/backward")),
      layer.parameters.map(\.spec) == other.parameters.map(\.spec),
      let (mine, theirs) = try? (PlainLayer(layer), PlainLayer(other)),
      let first = model.layers.first(where: { [layer.name, other.name].contains($0.name) })
    else { return [] }
    return [
      Fault(
        kind: .direction, layer: first.name, text: "forward and backward exchanged",
        plants: [
          layer.name: { $0.parameters = theirs.parameters },
          other.name: { $0.parameters = mine.parameters },
        ])
    ]
  }
}

/// The faults of a recurrent layer.
private struct RecurrentFaults {
  let name: String
  let operation: any Operator
  let roles: [ParameterRole]
  let gates: Int
  let units: Int

  init(_ layer: Layer) {
    name = layer.name
    operation = layer.operation
    roles = layer.parameters.map(\.spec.role)
    switch layer.operation {
    case let lstm as LSTM: (gates, units) = (4, lstm.units)
    case let gru as GRU: (gates, units) = (3, gru.units)
    case let simple as SimpleRNN: (gates, units) = (1, simple.units)
    default: (gates, units) = (1, 1)
    }
  }

  var all: [Fault] { orders + interleaved + transposed + biases + attributes }

  private func fault(
    _ kind: Repair.Kind, _ text: String, _ roles: [ParameterRole],
    _ change: @escaping @Sendable ([Float]) -> [Float]
  ) -> Fault {
    Fault(kind: kind, layer: name, text: "\(roles) \(text)") { layer in
      for role in roles {
        if let values = layer.parameters[role]?.values {
          layer.parameters[role]?.values = change(values)
        }
      }
    }
  }

  // MARK: - Gates

  private var kernels: [ParameterRole] { [.kernel, .recurrent] }

  /// The groups of parameters that may be converted together.
  private var groups: [[ParameterRole]] { [roles, kernels] + roles.map { [$0] } }

  private var orders: [Fault] {
    guard gates > 1 else { return [] }
    let right = Array(0..<gates)
    return Faults.permutations(right).filter { $0 != right }.flatMap { order in
      groups.map { group in
        fault(.gateOrder, "gates \(order)", group) { [gates, units] in
          Self.withGates($0, order, gates, units)
        }
      }
    }
  }

  private static func withGates(
    _ values: [Float], _ order: [Int], _ gates: Int, _ units: Int
  ) -> [Float] {
    values.indices.map { index in
      let (unit, gate, row) = (
        index % units, index / units % gates, index / units / gates
      )
      return values[(row * gates + order[gate]) * units + unit]
    }
  }

  private var interleaved: [Fault] {
    guard gates > 1 else { return [] }
    return groups.map { group in
      fault(.gateOrder, "gates of a unit side by side", group) { [gates, units] values in
        values.indices.map { index in
          let (gate, unit, row) = (
            index % gates, index / gates % units, index / gates / units
          )
          return values[(row * gates + gate) * units + unit]
        }
      }
    }
  }

  private var transposed: [Fault] {
    let columns = gates * units
    let turn = { @Sendable (values: [Float]) in
      let rows = values.count / columns
      return values.indices.map { values[$0 % rows * columns + $0 / rows] }
    }
    var faults = [kernels, [.kernel], [.recurrent]].map {
      fault(.transposedKernel, "transposed", $0, turn)
    }
    guard gates > 1 else { return faults }
    // As another framework has them.
    let order = gates == 3 ? [1, 0, 2] : [0, 3, 1, 2]
    faults.append(
      Fault(kind: .gateOrder, layer: name, text: "transposed, with gates \(order)") {
        [gates, units, kernels] layer in
        for (role, parameter) in layer.parameters {
          let moved = Self.withGates(parameter.values, order, gates, units)
          layer.parameters[role]?.values = kernels.contains(role) ? turn(moved) : moved
        }
      })
    return faults
  }

  // MARK: - Biases

  private var biases: [Fault] {
    guard roles.contains(.bias) else { return [] }
    let forget = gates == 4 ? [Float(1), -1] : []
    var faults = forget.map { change in
      fault(.biases, "of the forget gate plus \(change)", [.bias]) { [units] in
        $0.enumerated().map { ($0 / units == 1) ? $1 + change : $1 }
      }
    }
    faults.append(fault(.missingParameter, "zeroed", [.bias]) { $0.map { _ in 0 } })
    guard roles.contains(.recurrentBias) else {
      let spec = try? operation.parameters(for: [Shape([2, 2])]).first { $0.role == .recurrentBias }
      return faults + [
        Fault(kind: .biases, layer: name, text: "bias twice") { layer in
          guard let bias = layer.parameters[.bias], let spec else { return }
          layer.parameters[.recurrentBias] = (spec, bias.values)
        }
      ]
    }
    return faults + [
      fault(.missingParameter, "zeroed", [.recurrentBias]) { $0.map { _ in 0 } },
      Fault(kind: .missingParameter, layer: name, text: "recurrent bias dropped") {
        $0.parameters[.recurrentBias] = nil
      },
      Fault(kind: .biases, layer: name, text: "biases exchanged") { layer in
        let values = layer.parameters.mapValues(\.values)
        layer.parameters[.bias]?.values = values[.recurrentBias] ?? []
        layer.parameters[.recurrentBias]?.values = values[.bias] ?? []
      },
      Fault(kind: .biases, layer: name, text: "biases added up") { layer in
        let values = layer.parameters.mapValues(\.values)
        layer.parameters[.bias]?.values = zip(
          values[.bias] ?? [], values[.recurrentBias] ?? []
        ).map(+)
        layer.parameters[.recurrentBias]?.values = (values[.recurrentBias] ?? []).map { _ in 0 }
      },
    ]
  }

  // MARK: - Attributes

  private var attributes: [Fault] {
    var faults = [
      changed(.direction, "goes the other way") { layer in
        layer.recurrence.goesBackwards.toggle()
      },
      changed(.activation, "without its activation") { $0.activation = .linear },
    ]
    if let gru = operation as? GRU {
      faults.append(
        Fault(kind: .resetGate, layer: name, text: "reset on the other side") {
          $0.operation = GRU(
            units: gru.units, activation: gru.activation,
            recurrentActivation: gru.recurrentActivation, resetsAfter: !gru.resetsAfter,
            recurrence: gru.recurrence)
        })
    }
    let functions: [ActivationFunction] = [
      .sigmoid, .hardSigmoid(slope: 0.2), .hardSigmoid(slope: 1.0 / 6),
    ]
    return faults + functions.flatMap { gatesActivated(by: $0) }
  }

  private func changed(
    _ kind: Repair.Kind, _ text: String,
    _ change: @escaping @Sendable (inout any RecurrentOperator) -> Void
  ) -> Fault {
    Fault(kind: kind, layer: name, text: text) { layer in
      guard var operation = layer.operation as? any RecurrentOperator else { return }
      change(&operation)
      layer.operation = operation
    }
  }

  private func gatesActivated(by function: ActivationFunction) -> [Fault] {
    var other: any Operator
    switch operation {
    case var lstm as LSTM where lstm.recurrentActivation != function:
      lstm.recurrentActivation = function
      other = lstm
    case var gru as GRU where gru.recurrentActivation != function:
      gru.recurrentActivation = function
      other = gru
    default: return []
    }
    return [
      Fault(kind: .activation, layer: name, text: "gates activated by \(function)") { [other] in
        $0.operation = other
      }
    ]
  }
}
