import ModelIR

/// How the tensors of a target are called: a template, and a word for each role.
public struct TensorNames: Sendable, Equatable {
  /// `{layer}` and `{role}`, and what stands around them.
  public let template: String
  /// The words; a role that is not listed has its own.
  public let roles: [ParameterRole: String]

  /// `conv1_W`, `conv1_b`: names of files, as hand-written loaders expect them.
  static let files = TensorNames(template: "{layer}_{role}", roles: [:])

  /// `conv1.weight`, `bn.running_mean`: the names of a state dictionary.
  ///
  /// Source: torch.nn, `_ConvNd`, `_NormBase`, `PReLU`, `RNNBase`; mlx.nn calls most of its parameters the same.
  static let stateDictionary = TensorNames(
    template: "{layer}.{role}",
    roles: [
      .kernel: "weight", .bias: "bias", .gamma: "weight", .beta: "bias", .mean: "running_mean",
      .variance: "running_var", .alpha: "weight", .depthwise: "depthwise.weight",
      .pointwise: "pointwise.weight", .pointwiseBias: "pointwise.bias",
      .inputKernel: "weight_ih_l0", .recurrent: "weight_hh_l0", .inputBias: "bias_ih_l0",
      .recurrentBias: "bias_hh_l0",
    ])

  /// The same as mlx.nn has it: of `LSTM`, `Wx`, `Wh` and `bias`, of `RNN`, `Wxh`, `Whh` and `bias`.
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

  /// `conv1/weight`, `bn/scale`: the layer and what the operator calls its input.
  ///
  /// Source: onnx/docs/Operators.md: `BatchNormalization` (scale, mean, var), `PRelu` (slope). Where it only says W
  /// and B, the words of the title of the input: weight and bias. Of `LSTM`, `GRU` and `RNN`, W, R, and Wb and Rb,
  /// which their B joins.
  static let initializers = TensorNames(
    template: "{layer}/{role}",
    roles: [
      .kernel: "weight", .bias: "bias", .gamma: "scale", .beta: "bias", .mean: "mean",
      .variance: "var", .alpha: "slope", .depthwise: "depthwise/weight",
      .pointwise: "pointwise/weight", .pointwiseBias: "pointwise/bias",
      .inputKernel: "W", .recurrent: "R", .inputBias: "Wb", .recurrentBias: "Rb",
    ])
}
