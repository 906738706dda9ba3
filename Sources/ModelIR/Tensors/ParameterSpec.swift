/// The role of a parameter in its layer.
///
/// The set is open: new operators add new roles.
public struct ParameterRole: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The name in documents, such as `kernel`.
  public let rawValue: String

  /// Creates the role called `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The weights of a convolution or fully-connected layer.
  public static let kernel = ParameterRole(rawValue: "kernel")
  /// The vector that is added to the output channels.
  public static let bias = ParameterRole(rawValue: "bias")
  /// The scale of a normalisation.
  public static let gamma = ParameterRole(rawValue: "gamma")
  /// The offset of a normalisation.
  public static let beta = ParameterRole(rawValue: "beta")
  /// The moving mean of a batch normalisation.
  public static let mean = ParameterRole(rawValue: "mean")
  /// The moving variance of a batch normalisation.
  public static let variance = ParameterRole(rawValue: "variance")
  /// The depthwise kernel of a separable convolution.
  public static let depthwise = ParameterRole(rawValue: "depthwise")
  /// The pointwise kernel of a separable convolution.
  public static let pointwise = ParameterRole(rawValue: "pointwise")
  /// The bias of a separable convolution, for targets that store it with the pointwise half.
  public static let pointwiseBias = ParameterRole(rawValue: "pointwise_bias")
  /// The input kernel of a recurrent layer, for targets that name it differently from other kernels.
  public static let inputKernel = ParameterRole(rawValue: "input_kernel")
  /// The input kernel of a simple recurrent layer, for targets that name it differently from those of other recurrent
  /// layers.
  public static let simpleInputKernel = ParameterRole(rawValue: "simple_input_kernel")
  /// The recurrent kernel of a simple recurrent layer, for the same targets.
  public static let simpleRecurrent = ParameterRole(rawValue: "simple_recurrent")
  /// The bias of a recurrent layer, for targets that name it differently from other biases.
  public static let inputBias = ParameterRole(rawValue: "input_bias")
  /// The recurrent kernel, which is applied to the layer's previous output.
  public static let recurrent = ParameterRole(rawValue: "recurrent")
  /// The bias that is added after ``recurrent``.
  public static let recurrentBias = ParameterRole(rawValue: "recurrent_bias")
  /// The slope of a rectifier below 0.
  public static let alpha = ParameterRole(rawValue: "alpha")

  /// The values of a table.
  public static let value = ParameterRole(rawValue: "value")

  private static let scaleSuffix = "_scale"

  /// The role of the scales of a quantised parameter: `kernel_scale`.
  public var scale: ParameterRole { ParameterRole(rawValue: rawValue + Self.scaleSuffix) }

  /// The role's suffix in file names: `W` for kernels, `b` for biases, `W_scale` for the scales of kernels, otherwise
  /// its own name.
  public var fileSuffix: String {
    switch self {
    case .kernel: "W"
    case .bias: "b"
    case ParameterRole.kernel.scale: ParameterRole.kernel.fileSuffix + Self.scaleSuffix
    default: rawValue
    }
  }

  /// The name.
  public var description: String { rawValue }
}

/// The kinds of parameters that targets define layouts for.
public enum ParameterKind: String, Sendable, Hashable, CaseIterable {
  /// The kernel of a convolution: O, I, with H and W for images, W for sequences.
  case convolution
  /// The kernel of a depthwise convolution: H, W, I, M, without H for sequences.
  case depthwise
  /// The kernel of a transposed convolution: H, W, O, I, without H for sequences.
  case transposedConvolution
  /// The kernel of a fully-connected layer: O, I, where I may include the H and W of a flatten.
  case fullyConnected
  /// A kernel of a recurrent layer: I, G, N; without G if there is one gate.
  case recurrent
  /// A kernel of a convolutional recurrent layer: H, W, I, G, N, without H for sequences.
  case recurrentConvolution
  /// A kernel per output position: L, H, W, I, O, without H for sequences.
  case locallyConnected
  /// An embedding table, one vector per token id: I, O.
  case embedding
  /// A vector with one value per channel, or per element after a flatten.
  case vector
  /// A parameter whose axes are unknown; no target defines a layout for it.
  case unknown
}

/// A parameter that an operator requires: its role, axes and sizes.
public struct ParameterSpec: Sendable, Hashable {
  /// The role in the layer.
  public let role: ParameterRole
  /// The kind, which determines the layout for a target.
  public let kind: ParameterKind
  /// The layout in the operator's definition.
  public let layout: Layout
  /// The size of each axis.
  public let sizes: [Axis: Int]
  /// True if the parameter is optional.
  public let isOptional: Bool
  /// The axis of the input features, if there is one; a flatten may have merged it.
  public let featureAxis: Axis?
  /// The type of recurrent layer that the parameter belongs to; `nil` for other layers, and if it is unknown.
  public let cell: RecurrentCellKind?
  /// True if layers that share the parameter follow flattens of different shapes, or if only some of them follow a
  /// flatten: then only the channels-last order means the same to all.
  public private(set) var isSharedAcrossFlattens = false

  /// Creates a parameter with the axes of `layout`.
  public init(
    _ role: ParameterRole, _ kind: ParameterKind, _ layout: Layout, _ sizes: [Axis: Int],
    isOptional: Bool = false, featureAxis: Axis? = nil, cell: RecurrentCellKind? = nil
  ) {
    self.role = role
    self.kind = kind
    self.layout = layout
    self.sizes = sizes
    self.isOptional = isOptional
    self.featureAxis = featureAxis
    self.cell = cell
  }

  /// Creates a parameter of which only the shape is known.
  ///
  /// A single axis makes it a vector, `C`, or `O` for a bias; several axes get names without a meaning. A scalar has no
  /// axes.
  /// - Throws: `badData` if there are more axes than names.
  public init(_ role: ParameterRole, shape: [Int]) throws(NetconvError) {
    guard shape.count > 1 else {
      let vector = role == .bias ? Layout.outputVector : .vector
      self.init(
        role, .vector, shape.isEmpty ? .scalar : vector,
        Dictionary(uniqueKeysWithValues: zip(vector.axes, shape)))
      return
    }
    guard shape.count <= Axis.places.count else {
      throw .tooManyAxes(shape, limit: Axis.places.count)
    }
    let layout = Layout.places[shape.count]
    self.init(role, .unknown, layout, Dictionary(uniqueKeysWithValues: zip(layout.axes, shape)))
  }

  /// Returns the number of values.
  ///
  /// - Throws: `badData` if it overflows.
  public func count() throws(NetconvError) -> Int {
    try product(layout.axes.map { sizes[$0] ?? 1 })
  }

  /// Returns the same parameter, marked as shared by layers after flattens of different shapes.
  func sharedAcrossFlattens() -> ParameterSpec {
    var spec = self
    spec.isSharedAcrossFlattens = true
    return spec
  }

  /// Returns the parameter with the axes that a flatten of `shape` has merged named individually.
  ///
  /// A Dense kernel `IO` after a flatten of (7, 7, 64) becomes `(HWI)O` with H = W = 7, I = 64. It is unchanged if the
  /// shape has no spatial extent, or if the parameter has no feature axis.
  public func revealing(flattened shape: [Int]) -> ParameterSpec {
    let spatial: [Axis]
    switch shape.count {
    case 2: spatial = [.width]
    case 3: spatial = [.height, .width]
    case 4: spatial = [.depth, .height, .width]
    default: return self
    }
    guard let featureAxis, let channels = shape.last, shape.dropLast().contains(where: { $0 > 1 }),
      let count = try? product(shape), sizes[featureAxis] == count
    else { return self }
    var sizes = sizes
    for (axis, size) in zip(spatial, shape) { sizes[axis] = size }
    sizes[featureAxis] = channels
    return ParameterSpec(
      role, kind, layout.replacing(featureAxis, with: spatial + [featureAxis]), sizes,
      isOptional: isOptional, featureAxis: featureAxis)
  }
}

extension ParameterSpec {
  /// Returns the roles that may replace ``role`` in layers of this kind; the first one known to a naming convention
  /// applies, otherwise ``role``.
  ///
  /// - Parameter roles: the roles of all parameters of the layer.
  package func specialRoles(beside roles: Set<ParameterRole>) -> [ParameterRole] {
    switch (role, cell) {
    case (.bias, _) where roles.contains(.pointwise): [.pointwiseBias]
    case (.bias, _) where roles.contains(.recurrent): [.inputBias]
    case (.kernel, .simple): [.simpleInputKernel, .inputKernel]
    case (.recurrent, .simple): [.simpleRecurrent]
    case (.kernel, _) where roles.contains(.recurrent): [.inputKernel]
    default: []
    }
  }
}

extension NetconvError {
  fileprivate static func tooManyAxes(_ shape: [Int], limit: Int) -> NetconvError {
    NetconvError(
      .badData, "shape \(shape) has \(shape.count) axes; netconv can name \(limit) of them")
  }
}
