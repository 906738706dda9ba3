import ModelIR
import Operators

/// Which arrays of a model its source has with channels first.
///
/// Told by the layers: an input with channels first is only read by layers that put its channels last, an output is a
/// layer that puts them first. Between the two, ``ChannelsLast`` has put the source's values with channels last. Such
/// changes of order are nobody's layers: they have no class, while those of the source have theirs.
public struct SourceAxes: Sendable {
  private var arrays: [String: ArrayAxes] = [:]

  /// The arrays of a model.
  ///
  /// - Parameters:
  ///   - model: read from its source or from a conversion.
  ///   - layouts: in which parameters lie in the source of a conversion, by layer and role.
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

  /// The orders of an input or layer; `nil` if it has one alone.
  public subscript(_ name: String) -> ArrayAxes? { arrays[name] }
}

extension Layer {
  /// Whether the layer does nothing but bring the channels to one end.
  ///
  /// Of two axes only one that has no class: a source's own may exchange any two.
  fileprivate func puts(_ order: PixelStep.AxisOrder) -> Bool {
    guard let operation = operation as? Permute, outputShape.rank > 1 else { return false }
    return operation.order == ArrayAxes.turned(Array(operation.order.indices), to: order)
      && (outputShape.rank > 2 || origin == nil)
  }
}

/// The layers of a model whose values ``ChannelsLast`` has put into another order than their source's.
private struct ReorderedValues {
  private enum Value {
    /// The first axis of the source's has become the last.
    case channelsLast
    /// Flattened with channels last, by the layer of this name.
    case flattened(by: String)
  }

  private var values: [String: Value] = [:]
  /// The shapes that the layers have flattened, by their names, of those that flatten with channels first in the source.
  private var flattened: [String: [Int]] = [:]
  /// Layers whose values the source knows only behind a change of order, which has their name.
  private var hidden: Set<String> = []
  private let changes: Set<String>

  init(of model: Model, _ layouts: [String: [ParameterRole: Layout]]) {
    // A model in which no layer has a class does not say which layers are the source's.
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

  /// The orders of what a layer gives; `nil` if its source has it as the model does, or not at all.
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
      // It gets its axes back.
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

  /// Notes in which order the source has flattened what a layer reads: as the layer's parameters lie, or so that the
  /// value had to be put into the source's order.
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

  /// Whether it is of a kind that ``ChannelsLast`` puts between layers, and not of the source.
  fileprivate var isChangeOfOrder: Bool {
    origin == nil && (operation is Permute || operation is Reshape || operation is Flatten)
  }
}
