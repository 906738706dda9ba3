import ModelIR
import Operators

/// A model's layers as the steps of the fast engine: fewer, because a convolution pads, scales, adds and
/// activates on the way; and each with a kernel of its own.
struct Lowering {
  /// In an order in which they can run.
  var layers: [LoweredLayer] { steps.compactMap(\.self) }

  /// `nil` where another step has taken over.
  private var steps: [LoweredLayer?] = []
  /// The step that computes a value.
  private var producers: [String: Int] = [:]
  /// How often each value is read, or returned.
  private var uses: [String: Int] = [:]
  /// Where values are stored in half precision, a step may only take over what reads a value that is not.
  private let rounding: HalfRounding?

  /// The steps for `layers` of a model, in their order, of which `results` are returned.
  ///
  /// - Throws: what reading the parameters of a normalisation throws.
  init(
    _ layers: [Layer], results: Set<String>, _ rounding: HalfRounding?
  ) throws(NetconvError) {
    self.rounding = rounding
    for name in results { uses[name, default: 0] += 1 }
    for name in layers.flatMap(\.inputs) { uses[name, default: 0] += 1 }
    for layer in layers { try append(layer) }
  }

  private mutating func append(_ layer: Layer) throws(NetconvError) {
    if let operation = layer.operation as? any CompositeOperator {
      append(operation, of: layer)
    } else if try !foldScale(layer), !foldActivation(layer), !foldSum(layer) {
      append(LoweredLayer(layer))
    }
  }

  private mutating func append(_ step: LoweredLayer) {
    var step = step
    takePadding(&step)
    producers[step.output] = steps.count
    steps.append(step)
  }

  /// Two steps with a value between them that has no name in the model.
  private mutating func append(_ operation: any CompositeOperator, of layer: Layer) {
    let (first, second) = operation.halves
    let between = layer.name + "\0between"
    uses[between] = 1
    append(
      LoweredLayer(
        first.operation, of: layer, roles: first.roles, inputs: layer.inputs, output: between))
    append(
      LoweredLayer(
        second.operation, of: layer, roles: second.roles, inputs: [between], output: layer.name))
  }

  // MARK: - What a step takes over

  /// Zeros around the input, from a layer of their own.
  private mutating func takePadding(_ step: inout LoweredLayer) {
    guard let index = step.inputs.first.flatMap(onlyUse), let before = steps[index],
      let padding = before.operation as? any ZeroPaddingOperator,
      let operation = step.operation as? any FusingOperator, operation.takesPadding
    else { return }
    step.inputs[0] = before.inputs[0]
    step.fusion.padding = padding
    steps[index] = nil
  }

  /// A normalisation or scale of each channel.
  private mutating func foldScale(_ layer: Layer) throws(NetconvError) -> Bool {
    guard let operation = layer.operation as? any ChannelScalingOperator,
      operation.scalesLastAxis(rank: layer.outputShape.rank),
      let index = openStep(of: layer.inputs[0]), steps[index]?.fusion.addsInput == false
    else { return false }
    let scale = operation.channelScale(try layer.loadParameters())
    guard scale.isFinite else { return false }
    moveToEnd(index, as: layer) { $0.scales.append(scale) }
    return true
  }

  private mutating func foldActivation(_ layer: Layer) -> Bool {
    guard let function = layer.operation.onlyActivation, !function.isLinear,
      let index = openStep(of: layer.inputs[0])
    else { return false }
    moveToEnd(index, as: layer) { $0.fusion.activation = function }
    return true
  }

  /// A sum with another value of the same shape.
  private mutating func foldSum(_ layer: Layer) -> Bool {
    guard let operation = layer.operation as? any MergeOperator,
      type(of: operation).combination == .sum, layer.inputs.count == 2,
      layer.inputShapes.allSatisfy({ $0.known != nil && $0 == layer.outputShape })
    else { return false }
    for (name, other) in [(layer.inputs[1], layer.inputs[0]), (layer.inputs[0], layer.inputs[1])] {
      guard let index = openStep(of: name), steps[index]?.fusion.addsInput == false,
        let operation = steps[index]?.operation as? any FusingOperator, operation.takesSum
      else { continue }
      moveToEnd(index, as: layer) { step in
        step.fusion.addsInput = true
        step.inputs.append(other)
      }
      return true
    }
    return false
  }

  // MARK: - Which step may take it

  /// The step that computes `name`, if that is read once and not returned.
  private func onlyUse(of name: String) -> Int? {
    uses[name] == 1 ? producers[name] : nil
  }

  /// The step that computes `name` as a sum that nothing has been applied to yet, and that is not stored.
  private func openStep(of name: String) -> Int? {
    guard let index = onlyUse(of: name), let step = steps[index],
      let operation = step.operation as? any FusingOperator, operation.activation.isLinear,
      step.fusion.activation == nil, !(rounding?.stores(name) ?? false)
    else { return nil }
    return index
  }

  /// Lets a step compute what `layer` does; it runs where the layer would.
  private mutating func moveToEnd(
    _ index: Int, as layer: Layer, _ change: (inout LoweredLayer) -> Void
  ) {
    guard var step = steps[index] else { return }
    steps[index] = nil
    change(&step)
    step.output = layer.name
    producers[layer.name] = steps.count
    steps.append(step)
  }
}
