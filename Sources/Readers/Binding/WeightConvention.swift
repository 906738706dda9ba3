import ModelIR
import Transforms

/// The names of parameters and the layouts that a framework uses in its files.
///
/// The layouts are those of the target for the same framework: netconv reads the layouts that it writes.
struct WeightConvention: Sendable {
  /// The target with the same layouts.
  let target: Target
  /// The framework names that sources of this convention state in their metadata.
  let frameworks: Set<String>
  /// The default epsilon of a normalisation.
  let usualEpsilon: Double
  /// True if same padding puts an odd pixel at the end; other frameworks have explicit padding for both ends.
  let padsUnequally: Bool
  /// Alternative parameter names of older libraries.
  var otherWords: [ParameterRole: String] = [:]

  /// PyTorch: `conv1.weight`, OIHW.
  ///
  /// Source: torch/nn/modules/batchnorm.py, conv.py.
  static let torch = WeightConvention(
    target: .torch, frameworks: ["pytorch", "torch", "pt"], usualEpsilon: 1e-5,
    padsUnequally: false)
  /// MLX: `conv1.weight`, OHWI.
  ///
  /// Source: mlx/python/mlx/nn/layers/normalization.py, convolution.py.
  static let mlx = WeightConvention(
    target: .mlx, frameworks: ["mlx"], usualEpsilon: 1e-5, padsUnequally: false)
  /// TensorFlow and Keras: `conv1/kernel`, HWIO.
  ///
  /// Source: keras/src/layers/normalization; TensorFlow, "padding" of tf.nn.convolution.
  static let tensorflow = WeightConvention(
    target: .tensorflow, frameworks: ["tensorflow", "keras", "tf"], usualEpsilon: 1e-3,
    padsUnequally: true, otherWords: slim)

  /// TF-Slim: `conv1/weights`, `conv1/biases`.
  ///
  /// Source: tf_slim/layers/layers.py, `_build_variable_getter`.
  private static let slim: [ParameterRole: String] = [
    .kernel: "weights", .bias: "biases", .depthwise: "depthwise_weights",
    .pointwise: "pointwise_weights",
  ]

  /// All conventions.
  static let all = [torch, mlx, tensorflow]

  /// Returns the convention with this name.
  ///
  /// - Throws: `usage` that lists the valid names.
  static func named(_ name: String) throws(NetconvError) -> WeightConvention {
    // Keras uses TensorFlow's layouts.
    let known = all.map { (name: $0.target.name, convention: $0) } + [("keras", .tensorflow)]
    guard let convention = known.first(where: { $0.name == name })?.convention else {
      throw .unknownConvention(name, known: known.map(\.name))
    }
    return convention
  }

  /// Returns the possible names of a parameter in its layer, starting with the framework's own name.
  ///
  /// - Parameter roles: The roles of all parameters of the layer.
  func words(for spec: ParameterSpec, beside roles: Set<ParameterRole>) -> [String] {
    let special = spec.specialRoles(beside: roles).compactMap { target.names.roles[$0] }
    let words =
      special.prefix(1)
      + [target.names.roles[spec.role], spec.role.rawValue, otherWords[spec.role]].compactMap(
        \.self)
    var seen: Set<String> = []
    // A file may combine two biases of the framework into one, which then has the plain name.
    return words.filter { seen.insert($0).inserted }
  }

  /// Returns the stored layout; `nil` if the framework has none for the parameter.
  func layout(for spec: ParameterSpec) -> Layout? { target.layout(for: spec) }

  /// Returns the layout of a dense kernel after a flatten of an image, or of a sequence for a single axis.
  func layoutBehindFlatten(of axes: Int) -> Layout? {
    // Any size above 1 serves.
    let shape = [Int](repeating: 2, count: axes) + [1]
    let spec = ParameterSpec(
      .kernel, .fullyConnected, .io, [.inputChannels: shape.reduce(1, *), .outputChannels: 1],
      featureAxis: .inputChannels)
    return layout(for: spec.revealing(flattened: shape))
  }
}

extension NetconvError {
  fileprivate static func unknownConvention(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no convention \(quoted(name)); known are \(known.joined(separator: ", "))"
        + didYouMean(name, among: known))
  }
}
