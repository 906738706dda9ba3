import ModelIR

/// A consumer of weights: which layout it wants for which kind of parameter.
///
/// One file per target in `Targets`, with the source of each claim.
public struct Target: Sendable, Equatable {
  /// The name on the command line.
  public let name: String
  /// What it is, in a few words.
  public let summary: String
  /// The layout of each kind that the target has one for.
  let layouts: [ParameterKind: Layout]
  /// The most that an axis may count, where it is not as many as one likes; kernels with more have no layout.
  let limits: [Axis: Int]
  /// The axes that a kernel has in reversed order, by kind, for targets that do not rotate it themselves.
  let reversed: [ParameterKind: Set<Axis>]
  /// The element types that its kernels may have.
  public let elementTypes: [ElementType]
  /// Whether every tensor keeps the layout that it has in the source.
  var keepsLayouts = false

  /// Every target; one line per file in `Targets`, and a test compares the two.
  public static let all: [Target] = [
    .mps,
    .source,
  ]

  /// The target called `name`.
  ///
  /// - Throws: `usage` listing the names that exist.
  public static func named(_ name: String) throws(NetconvError) -> Target {
    guard let target = all.first(where: { $0.name == name }) else {
      throw .unknownTarget(name, known: all.map(\.name))
    }
    return target
  }

  /// The layout that the target wants for a parameter, or `nil` if it has none for its kind and sizes.
  ///
  /// A vector stays a vector; after a flatten its values come in H, W, C order, as the activations do.
  public func layout(for spec: ParameterSpec) -> Layout? {
    if spec.kind == .vector { return spec.layout }
    guard limits.allSatisfy({ axis, most in spec.sizes[axis] ?? 1 <= most }) else { return nil }
    guard let layout = layouts[spec.kind] else { return nil }
    // What a flatten of more than an image has merged has axes that no kernel of the target has.
    let extra = Set(spec.layout.axes).subtracting(layout.axes)
    return extra.allSatisfy { spec.sizes[$0] ?? 1 == 1 } ? layout : nil
  }

  /// The layout that the target wants for a tensor, or `nil` if it has none for its kind and sizes.
  public func layout(for tensor: Tensor) -> Layout? {
    keepsLayouts ? tensor.storedLayout : layout(for: tensor.spec)
  }

  /// The axes along which the target wants a parameter in reversed order.
  public func reversedAxes(of spec: ParameterSpec) -> Set<Axis> { reversed[spec.kind] ?? [] }

  /// How a parameter is written: kernels in `kernelType`, vectors always in float32.
  public func elementType(of spec: ParameterSpec, kernelType: ElementType) -> ElementType {
    spec.kind == .vector ? .float32 : kernelType
  }

  /// Checks that kernels can be written in `elementType`.
  ///
  /// - Throws: `usage` listing the types that the target takes.
  public func check(_ elementType: ElementType) throws(NetconvError) {
    guard elementTypes.contains(elementType) else {
      throw .unsupportedElementType(elementType, target: self)
    }
  }
}
