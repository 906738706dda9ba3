import ModelIR
import Operators

/// The arrays of a model that are channels first in its source.
///
/// They are inferred from the layers: a channels-first input is read only by layers that move its channels last, and an
/// output is a layer that moves them first. In between, ``ChannelsLast`` has converted the source's values to channels
/// last. Inserted conversions have no class, while layers of the source do.
public struct SourceAxes: Sendable {
  private var arrays: [String: ArrayAxes] = [:]

  /// Finds the arrays of a model.
  ///
  /// - Parameters:
  ///   - model: a model read from its source or from a conversion.
  ///   - layouts: the layouts of parameters in the source of a conversion, by layer and role.
  public init(of model: Model, layouts: [String: [ParameterRole: Layout]] = [:]) {
    let model = model.separated
    for input in model.inputs {
      let readers = model.readers(of: input.name)
      guard !readers.isEmpty, readers.allSatisfy({ $0.puts(.channelsLast) }) else { continue }
      arrays[input.name] = ArrayAxes(input.shape, .channelsFirst)
    }
    let inner = ReorderedValues(of: model, layouts)
    for layer in model.layers { arrays[layer.name] = inner.axes(of: layer) }
    for name in model.outputs {
      guard let layer = model.layer(named: name), layer.puts(.channelsFirst) else { continue }
      arrays[name] = ArrayAxes(layer.outputShape, .channelsFirst)
    }
  }

  /// The axis orders of an input or layer; `nil` if there is only one.
  public subscript(_ name: String) -> ArrayAxes? { arrays[name] }
}

extension Layer {
  /// Returns true if the layer only moves the channels to one end.
  ///
  /// With two axes the layer must have no class: a source's own layer may transpose any two.
  fileprivate func puts(_ order: PixelStep.AxisOrder) -> Bool {
    guard let operation = operation as? Permute, outputShape.rank > 1 else { return false }
    return operation.order == ArrayAxes.reordered(Array(operation.order.indices), to: order)
      && (outputShape.rank > 2 || origin == nil)
  }
}

/// The layers of a model whose values ``ChannelsLast`` has converted from their source's order.
private struct ReorderedValues {
  private enum Value {
    /// The first axis in the source has become the last.
    case channelsLast
    /// The value was flattened in channels-last order by the layer of this name.
    case flattened(by: String)
  }

  private var values: [String: Value] = [:]
  /// The input shapes of layers that flatten channels-first values in the source, by their names.
  private var flattened: [String: [Int]] = [:]
  /// Layers whose values exist in the source only after a conversion that has the layer's name there.
  private var hidden: Set<String> = []
  private let changes: Set<String>

  init(of model: Model, _ layouts: [String: [ParameterRole: Layout]]) {
    // Without classes, inserted conversions cannot be distinguished from layers of the source.
    let hasClasses = model.layers.contains { $0.origin != nil }
    changes = Set(model.layers.filter { hasClasses && $0.isChangeOfOrder }.map(\.name))
    guard !changes.isEmpty else { return }
    for layer in model.layers { values[layer.name] = value(of: layer) }
    for layer in model.layers { note(layer, in: model, layouts) }
    for output in model.outputs {
      var name = output
      while changes.contains(name), let input = model.layer(named: name)?.inputs.first {
        name = input
        hidden.insert(input)
      }
    }
  }

  /// Returns the axis orders of a layer's output; `nil` if the source has the same order, or does not have the value.
  func axes(of layer: Layer) -> ArrayAxes? {
    guard !changes.contains(layer.name), !hidden.contains(layer.name) else { return nil }
    switch values[layer.name] {
    case .channelsLast?: return ArrayAxes(layer.outputShape, .channelsLast)
    case .flattened(let flatten)?: return flattened[flatten].map(ArrayAxes.init(flattened:))
    case nil: return nil
    }
  }

  private func value(of layer: Layer) -> Value? {
    let first = layer.inputs.lazy.compactMap { values[$0] }.first
    if changes.contains(layer.name) {
      switch first {
      case nil: return layer.puts(.channelsLast) ? .channelsLast : nil
      case .channelsLast?: return nil
      // A reshape restores the axes.
      case .flattened?: return layer.operation is Reshape ? .channelsLast : nil
      }
    }
    guard let first else { return nil }
    switch first {
    case .channelsLast:
      if layer.outputShape.rank > 1 { return .channelsLast }
      return layer.axisFlow == .flatten ? .flattened(by: layer.name) : nil
    case .flattened:
      return layer.axisFlow == .elementwise && layer.outputShape.rank == 1 ? first : nil
    }
  }

  /// Records the order in which the source flattened the input of a layer.
  ///
  /// The order follows from the layout of the layer's parameters, or from a conversion to the source's order.
  private mutating func note(
    _ layer: Layer, in model: Model, _ layouts: [String: [ParameterRole: Layout]]
  ) {
    guard case .flattened(let name)? = layer.inputs.first.flatMap({ values[$0] }),
      let image = model.layer(named: name)?.inputShapes.first?.known, let channels = image.last,
      channels > 1, channels < image.reduce(1, *)
    else { return }
    let hasChannelsFirst = layer.parameters.contains { tensor in
      let layout = layouts[tensor.layer]?[tensor.spec.role] ?? tensor.storedLayout
      return layout.dimensions.contains {
        $0.axes.count > 1 && $0.axes.first == tensor.spec.featureAxis
      }
    }
    if hasChannelsFirst || changes.contains(layer.name) { flattened[name] = image }
  }
}

extension Layer {
  fileprivate var axisFlow: AxisFlow { operation.axisFlow(from: inputShapes) }

  /// True if the layer is a conversion inserted by ``ChannelsLast`` rather than a layer of the source.
  fileprivate var isChangeOfOrder: Bool {
    origin == nil && (operation is Permute || operation is Reshape || operation is Flatten)
  }
}
