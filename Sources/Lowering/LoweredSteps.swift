import ModelIR
import Operators

/// The steps that compute a model's layers, each with its own kernel.
///
/// There are fewer steps than layers, as paddings, scales, sums and activations are fused into convolutions.
package struct LoweredSteps {
  /// The steps in execution order.
  package var layers: [LoweredLayer] { steps.compactMap(\.self) }

  /// The steps; `nil` where a layer was fused into another step.
  private var steps: [LoweredLayer?] = []
  /// The step that computes a value.
  private var producers: [String: Int] = [:]
  /// The number of times each value is read or returned.
  private var uses: [String: Int] = [:]
  /// If values are stored in half precision, only layers that read an unstored value can be fused.
  private let rounding: HalfRounding?

  /// Creates the steps for `layers` of a model, in order, of which `results` are returned.
  ///
  /// - Throws: any error in reading the parameters of a normalisation.
  package init(
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

  /// Appends two steps with an intermediate value that has no name in the model.
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

  // MARK: - Fusing layers

  /// Fuses a preceding zero padding layer.
  private mutating func takePadding(_ step: inout LoweredLayer) {
    guard let index = step.inputs.first.flatMap(onlyUse), let before = steps[index],
      let padding = before.operation as? any ZeroPaddingOperator,
      let operation = step.operation as? any FusingOperator, operation.takesPadding
    else { return }
    step.inputs[0] = before.inputs[0]
    step.fusion.padding = padding
    steps[index] = nil
  }

  /// Folds a normalisation or scale of each channel.
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

  /// Fuses a sum with another value of the same shape.
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

  // MARK: - Finding a step to fuse into

  /// Returns the step that computes `name`, if it has exactly one reader and is not returned.
  private func onlyUse(of name: String) -> Int? {
    uses[name] == 1 ? producers[name] : nil
  }

  /// Returns the step that computes `name` as a sum without an activation, if the sum is not stored.
  private func openStep(of name: String) -> Int? {
    guard let index = onlyUse(of: name), let step = steps[index],
      let operation = step.operation as? any FusingOperator, operation.activation.isLinear,
      step.fusion.activation == nil, !(rounding?.stores(name) ?? false)
    else { return nil }
    return index
  }

  /// Makes a step compute `layer` as well, and moves it to the layer's position.
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
