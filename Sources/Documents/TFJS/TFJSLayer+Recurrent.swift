import ModelIR
import Operators

extension TFJSLayer {
  init(
    _ className: String, _ operation: any RecurrentOperator, _ units: Int,
    _ activation: ActivationFunction, _ recurrentActivation: ActivationFunction?, _ layer: Layer
  ) throws(NetconvError) {
    let recurrence = operation.recurrence
    if recurrence.takesMask { throw .notInTFJS("a recurrent layer with a mask") }
    if recurrence.takesState { throw .notInTFJS("a recurrent layer with initial states as inputs") }
    if recurrence.goesBackwards { throw .notInTFJS("a recurrent layer that goes backwards") }
    if recurrence.statefulBatch != nil { throw .notInTFJS("a stateful layer") }
    guard recurrence.returns == .last || recurrence.returns == .sequence else {
      throw .notInTFJS("a recurrent layer that returns its states")
    }
    var settings: [Setting] = [
      ("units", .number(Double(units))), try Self.setting("activation", activation, layer),
      ("return_sequences", .bool(recurrence.returns == .sequence)), layer.flag("use_bias", .bias),
    ]
    if let recurrentActivation {
      settings.append(try Self.setting("recurrent_activation", recurrentActivation, layer))
    }
    self.init(
      className, settings,
      weights: layer.weights(
        (.kernel, "kernel"), (.recurrent, "recurrent_kernel"), (.bias, "bias")))
  }

  /// Returns the setting of an activation inside a layer, which cannot become a separate layer.
  private static func setting(
    _ name: String, _ function: ActivationFunction, _ layer: Layer
  ) throws(NetconvError) -> Setting {
    guard let text = Self.name(of: function, layer) else {
      throw .activationOfTFJS(function.text)
    }
    return (name, .string(text))
  }
}
