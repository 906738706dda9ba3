import ModelIR

/// The naming scheme of a target's tensors: a template, and a name for each role.
public struct TensorNames: Sendable, Equatable {
  /// The template, with the placeholders `{layer}` and `{role}`.
  public let template: String
  /// The names of roles; a role that is not listed has its own name.
  public let roles: [ParameterRole: String]

  /// `conv1_W`, `conv1_b`: file names, as hand-written loaders expect them.
  static let files = TensorNames(template: "{layer}_{role}", roles: [:])

  /// `conv1.weight`, `bn.running_mean`: the names of a state dictionary.
  ///
  /// Source: torch.nn, `_ConvNd`, `_NormBase`, `PReLU`, `RNNBase`; mlx.nn uses the same names for most parameters.
  static let stateDictionary = TensorNames(
    template: "{layer}.{role}",
    roles: [
      .kernel: "weight", .bias: "bias", .gamma: "weight", .beta: "bias", .mean: "running_mean",
      .variance: "running_var", .alpha: "weight", .depthwise: "depthwise.weight",
      .pointwise: "pointwise.weight", .pointwiseBias: "pointwise.bias",
      .inputKernel: "weight_ih_l0", .recurrent: "weight_hh_l0", .inputBias: "bias_ih_l0",
      .recurrentBias: "bias_hh_l0",
    ])

  /// The variant of mlx.nn: `Wx`, `Wh` and `bias` for `LSTM`, `Wxh`, `Whh` and `bias` for `RNN`.
  static let moduleDictionary = TensorNames(
    template: stateDictionary.template,
    roles: stateDictionary.roles.merging([
      .inputKernel: "Wx", .recurrent: "Wh", .simpleInputKernel: "Wxh", .simpleRecurrent: "Whh",
      .inputBias: "bias",
    ]) { _, own in own })

  /// `conv1/kernel`, `bn/moving_mean`: the names of variables.
  ///
  /// Source: keras/src/layers, the `name` of each `add_weight`.
  static let variables = TensorNames(
    template: "{layer}/{role}",
    roles: [
      .kernel: "kernel", .bias: "bias", .gamma: "gamma", .beta: "beta", .mean: "moving_mean",
      .variance: "moving_variance", .alpha: "alpha", .depthwise: "depthwise_kernel",
      .pointwise: "pointwise_kernel", .recurrent: "recurrent_kernel", .inputKernel: "kernel",
      .inputBias: "bias",
    ])

  /// `conv1/weight`, `bn/scale`: the layer and the operator's name for its input.
  ///
  /// Source: onnx/docs/Operators.md: `BatchNormalization` (scale, mean, var), `PRelu` (slope). Inputs that are only
  /// called W and B are named as in their descriptions: weight and bias. For `LSTM`, `GRU` and `RNN` the names are W,
  /// R, and Wb and Rb, which their B concatenates.
  static let initializers = TensorNames(
    template: "{layer}/{role}",
    roles: [
      .kernel: "weight", .bias: "bias", .gamma: "scale", .beta: "bias", .mean: "mean",
      .variance: "var", .alpha: "slope", .depthwise: "depthwise/weight",
      .pointwise: "pointwise/weight", .pointwiseBias: "pointwise/bias",
      .inputKernel: "W", .recurrent: "R", .inputBias: "Wb", .recurrentBias: "Rb",
    ])
}
