/// What a parameter is to its layer.
///
/// Open: new operators bring new roles.
public struct ParameterRole: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The name used in documents, such as `kernel`.
  public let rawValue: String

  /// The role called `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The weights of a convolution or fully-connected layer.
  public static let kernel = ParameterRole(rawValue: "kernel")
  /// What is added per output channel.
  public static let bias = ParameterRole(rawValue: "bias")
  /// Scale of a normalisation.
  public static let gamma = ParameterRole(rawValue: "gamma")
  /// Offset of a normalisation.
  public static let beta = ParameterRole(rawValue: "beta")
  /// Moving mean of a batch normalisation.
  public static let mean = ParameterRole(rawValue: "mean")
  /// Moving variance of a batch normalisation.
  public static let variance = ParameterRole(rawValue: "variance")
  /// The kernel of the first half of a separable convolution.
  public static let depthwise = ParameterRole(rawValue: "depthwise")
  /// The kernel of the second half of a separable convolution.
  public static let pointwise = ParameterRole(rawValue: "pointwise")
  /// The bias of a separable convolution, for consumers to whom it is that of the second half.
  public static let pointwiseBias = ParameterRole(rawValue: "pointwise_bias")
  /// The kernel of a recurrent layer that its input goes through, for consumers to whom it is called otherwise than
  /// others.
  public static let inputKernel = ParameterRole(rawValue: "input_kernel")
  /// The same of a simple recurrent layer, for consumers to whom it is called otherwise than of others.
  public static let simpleInputKernel = ParameterRole(rawValue: "simple_input_kernel")
  /// The kernel of a simple recurrent layer that its own output goes through, for the same consumers.
  public static let simpleRecurrent = ParameterRole(rawValue: "simple_recurrent")
  /// The bias of a recurrent layer, for consumers to whom it is called otherwise than of others.
  public static let inputBias = ParameterRole(rawValue: "input_bias")
  /// The kernel of a recurrent layer that its own output goes through.
  public static let recurrent = ParameterRole(rawValue: "recurrent")
  /// What is added behind ``recurrent``.
  public static let recurrentBias = ParameterRole(rawValue: "recurrent_bias")
  /// Slope of a rectifier below 0.
  public static let alpha = ParameterRole(rawValue: "alpha")

  /// The values of a table.
  public static let value = ParameterRole(rawValue: "value")

  private static let scaleSuffix = "_scale"

  /// The scales of a quantised parameter: `kernel_scale`.
  public var scale: ParameterRole { ParameterRole(rawValue: rawValue + Self.scaleSuffix) }

  /// How the role appears in file names: `W` for kernels, `b` for biases, `W_scale` for the scales of kernels, else
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

/// The kinds of parameters that consumers have layouts for.
public enum ParameterKind: String, Sendable, Hashable, CaseIterable {
  /// The kernel of a convolution: O, I, and H and W over images, W over sequences.
  case convolution
  /// The kernel of a depthwise convolution: H, W, I, M, over sequences without H.
  case depthwise
  /// The kernel of a transposed convolution: H, W, O, I, over sequences without H.
  case transposedConvolution
  /// The kernel of a fully-connected layer: O, I, where I may hide the H and W of a flatten.
  case fullyConnected
  /// A kernel of a recurrent layer: I, G, N; without G if there is one gate.
  case recurrent
  /// A kernel of a recurrent layer whose products are convolutions: H, W, I, G, N, over sequences without H.
  case recurrentConvolution
  /// Kernels of which each place of the output has one: L, H, W, I, O, over sequences without H.
  case locallyConnected
  /// A vector for each of a number of things: I, O.
  case embedding
  /// One value per channel, or per element after a flatten.
  case vector
  /// A parameter of which nobody knows what its axes are; no consumer has a layout for it.
  case unknown
}

/// A parameter that an operator needs: its role, its axes and their sizes.
public struct ParameterSpec: Sendable, Hashable {
  /// What it is to the layer.
  public let role: ParameterRole
  /// Which layout a consumer will want for it.
  public let kind: ParameterKind
  /// The order in which the operator's definition reads it.
  public let layout: Layout
  /// The size of each axis.
  public let sizes: [Axis: Int]
  /// Whether the operator works without it.
  public let isOptional: Bool
  /// The axis that runs over the features of the operator's input, if one does; a flatten hides there.
  public let featureAxis: Axis?
  /// Of which recurrent layer it is a parameter; `nil` for those of other layers, and where nobody knows.
  public let cell: RecurrentCellKind?
  /// Whether layers that share it stand behind flattens of unlike shapes, or some of them behind none: then only
  /// the order of the channels last means the same to all.
  public private(set) var isSharedAcrossFlattens = false

  /// A parameter with the axes of `layout`.
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

  /// A parameter of which only the shape is known.
  ///
  /// A single axis makes it a vector, `C`, or `O` for a bias; of several, the axes are called by their place. A single
  /// number has none.
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

  /// The number of values.
  ///
  /// - Throws: `badData` if it overflows.
  public func count() throws(NetconvError) -> Int {
    try product(layout.axes.map { sizes[$0] ?? 1 })
  }

  /// The same parameter, shared by layers that stand behind flattens of unlike shapes.
  func sharedAcrossFlattens() -> ParameterSpec {
    var spec = self
    spec.isSharedAcrossFlattens = true
    return spec
  }

  /// The same parameter, with the axes that a flatten of `shape` has merged named one by one.
  ///
  /// A Dense kernel `IO` behind a flatten of (7, 7, 64) becomes `(HWI)O` with H = W = 7, I = 64. A
  /// shape without spatial extent, and a parameter without a feature axis, stay as they are.
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
  /// What the parameter is called in layers of its kind, where names differ from those of other layers: the first that
  /// a naming knows counts, and then ``role``.
  ///
  /// - Parameter roles: of all parameters of the layer.
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
