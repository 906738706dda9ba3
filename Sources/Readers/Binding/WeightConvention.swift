import ModelIR
import Transforms

/// How a framework calls the parameters of its layers, and in which order it stores their axes.
///
/// A consumer's layouts are those of its own files: what netconv writes for it, it reads from it.
struct WeightConvention: Sendable {
  /// The consumer.
  let target: Target
  /// What sources of this convention say that they are from.
  let frameworks: Set<String>
  /// The epsilon of a normalisation that does not say its own.
  let usualEpsilon: Double
  /// Whether padding that keeps the length puts an odd pixel behind; others take numbers for both ends.
  let padsUnequally: Bool
  /// What parameters are also called in it, by older libraries.
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

  /// Those that a source can have.
  static let all = [torch, mlx, tensorflow]

  /// The convention called `name`.
  ///
  /// - Throws: `usage` listing the names that exist.
  static func named(_ name: String) throws(NetconvError) -> WeightConvention {
    // Keras's weights are TensorFlow's.
    let known = all.map { (name: $0.target.name, convention: $0) } + [("keras", .tensorflow)]
    guard let convention = known.first(where: { $0.name == name })?.convention else {
      throw .unknownConvention(name, known: known.map(\.name))
    }
    return convention
  }

  /// What a parameter may be called in its layer; the first is what the framework itself says.
  ///
  /// - Parameter roles: of all parameters of the layer.
  func words(for spec: ParameterSpec, beside roles: Set<ParameterRole>) -> [String] {
    let special = spec.specialRoles(beside: roles).compactMap { target.names.roles[$0] }
    let words =
      special.prefix(1)
      + [target.names.roles[spec.role], spec.role.rawValue, otherWords[spec.role]].compactMap(
        \.self)
    var seen: Set<String> = []
    // A bias is also called so where the framework has two, and the file one.
    return words.filter { seen.insert($0).inserted }
  }

  /// The order in which the axes are stored; `nil` if the framework has none for the parameter.
  func layout(for spec: ParameterSpec) -> Layout? { target.layout(for: spec) }

  /// The order of a dense kernel's axes behind a flatten of an image, or of a sequence with one axis.
  func layoutBehindFlatten(of axes: Int) -> Layout? {
    // Of any size that has more than one place.
    let shape = [Int](repeating: 2, count: axes) + [1]
    let spec = ParameterSpec(
      .kernel, .fullyConnected, .io, [.inputChannels: shape.reduce(1, *), .outputChannels: 1],
      featureAxis: .inputChannels)
    return layout(for: spec.revealing(flattened: shape))
  }
}
