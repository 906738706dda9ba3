import Diagnosis
import Foundation
import ModelIR
import Operators

/// A mistake planted in a correct model, in one layer.
struct Fault: Sendable {
  /// The kind of repair that a diagnosis has to propose.
  let kind: Repair.Kind
  /// The layer, or the input.
  let layer: String
  /// For messages.
  let text: String
  /// The changes to the layer, and to others that depend on it, by name.
  let plants: [String: @Sendable (inout PlainLayer) -> Void]
}

extension Fault {
  /// A mistake in a layer alone.
  init(
    kind: Repair.Kind, layer: String, text: String,
    plant: @escaping @Sendable (inout PlainLayer) -> Void
  ) {
    self.init(kind: kind, layer: layer, text: text, plants: [layer: plant])
  }
}

/// A layer as the faults see it: its attributes, and its parameters as plain arrays in the order of its definition.
struct PlainLayer: Sendable {
  var operation: any Operator
  var parameters: [ParameterRole: (spec: ParameterSpec, values: [Float])]
}

/// All faults that can be planted in a layer.
///
/// No code is shared with the diagnosis: rearrangements are index arithmetic.
enum Faults {
  static func all(in model: Model) throws -> [Fault] {
    let readsInput = { (layer: Layer) in
      layer.inputs.contains { name in model.inputs.contains { $0.name == name } }
    }
    return try model.layers.flatMap { layer -> [Fault] in
      var faults: [Fault] = []
      for tensor in layer.parameters {
        faults += inParameter(layer, tensor.spec, isFirst: readsInput(layer))
      }
      faults += try inStatistics(layer)
      faults += inAttributes(layer)
      return faults
    }
  }

  // MARK: - Kernels

  private static func inParameter(_ layer: Layer, _ spec: ParameterSpec, isFirst: Bool) -> [Fault] {
    let role = spec.role
    let fault = {
      (kind: Repair.Kind, text: String, change: @escaping @Sendable ([Float]) -> [Float]) in
      Fault(kind: kind, layer: layer.name, text: "\(role) \(text)") { layer in
        if let values = layer.parameters[role]?.values {
          layer.parameters[role]?.values = change(values)
        }
      }
    }
    guard spec.kind != .vector else {
      guard role == .bias else { return [] }
      return [
        fault(.missingParameter, "zeroed") { $0.map { _ in 0 } },
        Fault(kind: .missingParameter, layer: layer.name, text: "bias dropped") {
          $0.parameters[.bias] = nil
        },
      ]
    }
    let axes = spec.layout.axes
    let sizes = axes.map { spec.sizes[$0] ?? 1 }
    var faults: [Fault] = []
    for order in permutations(Array(axes.indices)) where order != Array(axes.indices) {
      faults.append(
        fault(
          kind(spec, order.map { axes[$0] }), "read in order \(order.map { axes[$0].description })"
        ) {
          reread($0, sizes: sizes, as: order)
        })
    }
    let spatial = axes.indices.filter { [.height, .width].contains(axes[$0]) }
    if spec.kind != .fullyConnected {
      faults.append(
        fault(.rotatedKernel, "rotated") { reversed($0, sizes: sizes, along: Set(spatial)) })
      for axis in spatial {
        faults.append(
          fault(.rotatedKernel, "mirrored along \(axes[axis])") {
            reversed($0, sizes: sizes, along: [axis])
          })
      }
      if isFirst, let channels = axes.firstIndex(of: .inputChannels), sizes[channels] == 3 {
        faults.append(
          fault(.reversedChannels, "in BGR") { reversed($0, sizes: sizes, along: [channels]) })
      }
    }
    faults.append(
      fault(.storedBytes, "byte-swapped") {
        $0.map { Float(bitPattern: $0.bitPattern.byteSwapped) }
      })
    return faults
  }

  private static func kind(_ spec: ParameterSpec, _ order: [Axis]) -> Repair.Kind {
    guard spec.kind == .fullyConnected else { return .kernelOrder }
    let free = { (axes: [Axis]) in
      axes.filter { $0 != .outputChannels && spec.sizes[$0] ?? 1 > 1 }
    }
    if free(order) == free(spec.layout.axes) { return .transposedKernel }
    return order.first == .outputChannels || order.last == .outputChannels
      ? .flattenOrder : .kernelOrder
  }

  /// Returns an array of `sizes` whose values were written with the axes in `order` and are read in the original
  /// order.
  static func reread(_ values: [Float], sizes: [Int], as order: [Int]) -> [Float] {
    values.indices.map { index in
      var rest = index
      var place = [Int](repeating: 0, count: sizes.count)
      for axis in order.reversed() {
        place[axis] = rest % sizes[axis]
        rest /= sizes[axis]
      }
      return values[zip(sizes, place).reduce(0) { $0 * $1.0 + $1.1 }]
    }
  }

  static func reversed(_ values: [Float], sizes: [Int], along axes: Set<Int>) -> [Float] {
    values.indices.map { index in
      var rest = index
      var source = 0
      var stride = 1
      for axis in sizes.indices.reversed() {
        let place = rest % sizes[axis]
        source += (axes.contains(axis) ? sizes[axis] - 1 - place : place) * stride
        stride *= sizes[axis]
        rest /= sizes[axis]
      }
      return values[source]
    }
  }

  static func permutations(_ items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { item in
      permutations(items.filter { $0 != item }).map { [item] + $0 }
    }
  }

  // MARK: - Normalisations and attributes

  private static func inStatistics(_ layer: Layer) throws -> [Fault] {
    guard layer.operation is BatchNormalization else { return [] }
    let roles = Set(layer.parameters.map(\.spec.role))
    var faults: [Fault] = []
    for (one, other) in [(ParameterRole.gamma, ParameterRole.beta), (.mean, .variance)]
    where roles.isSuperset(of: [one, other]) {
      faults.append(
        Fault(kind: .swappedStatistics, layer: layer.name, text: "\(one) and \(other) swapped") {
          let values = $0.parameters.mapValues(\.values)
          $0.parameters[one]?.values = values[other] ?? []
          $0.parameters[other]?.values = values[one] ?? []
        })
    }
    return faults
  }

  private static func inAttributes(_ layer: Layer) -> [Fault] {
    let name = layer.name
    switch layer.operation {
    case let normalization as BatchNormalization:
      return [1e-3, 1e-5, 1e-2].filter { $0 != normalization.epsilon }.map { epsilon in
        Fault(kind: .epsilon, layer: name, text: "epsilon \(epsilon)") {
          $0.operation = BatchNormalization(epsilon: epsilon, axis: normalization.axis)
        }
      }
    case let padding as ZeroPadding2D where padding.padding != padding.padding.map { $0.reversed() }:
      return [
        Fault(kind: .padding, layer: name, text: "padding on the other side") {
          $0.operation = ZeroPadding2D(
            top: padding.padding[0][1], bottom: padding.padding[0][0], left: padding.padding[1][1],
            right: padding.padding[1][0])
        }
      ]
    case let convolution as Convolution2D where !convolution.activation.isLinear:
      return [
        Fault(kind: .activation, layer: name, text: "no activation") {
          $0.operation = Convolution2D(
            outputChannels: convolution.outputChannels, kernelSize: convolution.kernelSize,
            strides: convolution.strides, dilation: convolution.dilation,
            groups: convolution.groups, padding: convolution.padding)
        }
      ]
    case let dense as Dense where !dense.activation.isLinear:
      return [
        Fault(kind: .activation, layer: name, text: "no activation") {
          $0.operation = Dense(units: dense.units)
        }
      ]
    case let activation as Activation where !activation.function.isLinear:
      return [
        Fault(kind: .activation, layer: name, text: "no activation") {
          $0.operation = Activation(.linear)
        }
      ]
    case let rescaling as Rescaling:
      return [
        Fault(kind: .inputScale, layer: name, text: "no scale") {
          $0.operation = Rescaling(scale: [1], offset: [0])
        },
        Fault(kind: .inputScale, layer: name, text: "scaled twice") {
          $0.operation = Rescaling(
            scale: rescaling.scale.map { $0 * $0 }, offset: rescaling.offset)
        },
      ]
    default: return []
    }
  }
}

extension Model {
  /// The model with a fault in one of its layers.
  func planted(_ fault: Fault) throws -> Model {
    try mapLayers { layer throws(NetconvError) in
      guard let plant = fault.plants[layer.name] else {
        return (layer.operation, layer.parameters)
      }
      var plain = try PlainLayer(layer)
      plant(&plain)
      let before = layer.parameters.map(\.spec.role)
      let added = plain.parameters.keys.filter { !before.contains($0) }
      var tensors: [Tensor] = []
      for role in before + added {
        guard let (spec, values) = plain.parameters[role] else { continue }
        tensors.append(
          try Tensor(
            layer: layer.name, spec: spec,
            stored: StoredTensor(
              source: ArraySource(values), layout: spec.layout, shape: nil, path: "planted")))
      }
      return (plain.operation, tensors)
    }
  }
}

extension PlainLayer {
  init(_ layer: Layer) throws(NetconvError) {
    operation = layer.operation
    parameters = [:]
    for tensor in layer.parameters {
      parameters[tensor.spec.role] = (
        tensor.spec, try tensor.rearranged(to: tensor.spec.layout).values()
      )
    }
  }
}
