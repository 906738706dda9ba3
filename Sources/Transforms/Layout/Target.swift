import Documents
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
  /// The layout of a fully-connected kernel that hides what a flatten has merged; `nil` if it is as without.
  var flattened: Layout?
  /// The recurrent layers that the target has; of the parameters of others it has no layout.
  var cells: Set<RecurrentCellKind> = []
  /// The orders of its gates, where they are not those of the operators' definitions.
  var gateOrders: [GateOrder] = []
  /// Whether it adds a bias behind each of the two kernels of a recurrent layer, and wants both or none.
  var hasTwoRecurrentBiases = false
  /// What the kernels of operators over sequences are to the target; `nil` if it has none for them.
  var sequenceKernels: SequenceKernels?
  /// Whether images have their channels first, and so what a flatten has merged.
  var hasChannelsFirst = false
  /// Whether a flatten merges channels before the other axes.
  public var flattensChannelsFirst: Bool { flattened == .flattenedOIHW }
  /// Whether a parameter with one value per channel has no other axes, also if the source gives it some of size 1.
  var hasPlainVectors = false
  /// The most that an axis may count, where it is not as many as one likes; kernels with more have no layout.
  var limits: [Axis: Int] = [:]
  /// The axes that a kernel has in reversed order, by kind, for targets that do not rotate it themselves.
  var reversed: [ParameterKind: Set<Axis>] = [:]
  /// The element types that its kernels may have.
  public let elementTypes: [ElementType]
  /// How its tensors are called.
  public var names = TensorNames.files
  /// What is written for it if nothing is said.
  public var formats: [OutputFormat] = [.bin, .archive]
  /// The texts that it takes: arrays of C, to be linked into a program, or its own format.
  public var texts: [OutputFormat] = []
  /// What its loaders look for as `format` among the texts of a safetensors file.
  public var safetensorsFormat = "np"
  /// Whether every tensor keeps the layout that it has in the source.
  public var keepsLayouts = false

  /// Whether its tensors have names like those of a state dictionary, with dots in them.
  public var hasDottedNames: Bool { names.template == TensorNames.stateDictionary.template }

  /// Every target; one line per file in `Targets`, and a test compares the two.
  public static let all: [Target] = [
    .mps,
    .mpsgraph,
    .mlx,
    .torch,
    .tensorflow,
    .onnx,
    .tflite,
    .bnns,
    .coreml,
    .ncnn,
    .rtneural,
    .tfjs,
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

  /// The layout that the target wants for a parameter, or `nil` if it has none for its kind, sizes and users.
  ///
  /// A vector stays a vector; after a flatten its values come in the order in which the target's activations do.
  public func layout(for spec: ParameterSpec) -> Layout? {
    if keepsLayouts { return spec.layout }
    // The other layers that share it would read its channels in another order.
    guard !(hasChannelsFirst && spec.isSharedAcrossFlattens) else { return nil }
    if spec.cell != nil || spec.kind == .recurrent { return recurrentLayout(for: spec) }
    if spec.kind == .vector { return vectorLayout(for: spec) }
    guard limits.allSatisfy({ axis, most in spec.sizes[axis] ?? 1 <= most }) else { return nil }
    let isFlattened =
      spec.kind == .fullyConnected && spec.layout.axes.count > Layout.io.axes.count
    guard let layout = isFlattened ? flattened ?? layouts[spec.kind] : layouts[spec.kind] else {
      return nil
    }
    if spec.isOverSequences { return layout.overSequences(sequenceKernels) }
    // What a flatten of more than an image has merged has axes that no kernel of the target has.
    let extra = Set(spec.layout.axes).subtracting(layout.axes)
    return extra.allSatisfy { spec.sizes[$0] ?? 1 == 1 } ? layout : nil
  }

  /// The layout that the target wants for a tensor, or `nil` if it has none for its kind, sizes and users.
  public func layout(for tensor: Tensor) -> Layout? {
    keepsLayouts ? tensor.storedLayout : layout(for: tensor.spec)
  }

  /// Whether a parameter is the second bias of a recurrent layer that has one in the target, which is the sum of the two.
  ///
  /// Those of a GRU with its reset behind the kernel do not add up.
  package func takesSum(with spec: ParameterSpec) -> Bool {
    spec.role == .recurrentBias && hasOneBias(in: spec)
  }

  /// Whether the recurrent layer of a parameter has one bias in the target where others have two, whose sum it is.
  package func hasOneBias(in spec: ParameterSpec) -> Bool {
    guard let cell = spec.cell else { return false }
    return cell != .gru && cells.contains(cell) && !hasTwoRecurrentBiases && !keepsLayouts
  }

  /// The layout of a kernel or bias of a recurrent layer; `nil` if the target has no such layer.
  private func recurrentLayout(for spec: ParameterSpec) -> Layout? {
    guard let cell = spec.cell, cells.contains(cell) else { return nil }
    let gates = cell.gates.map { own in
      gateOrders.first { $0.hasSameGates(as: own) } ?? own
    }
    // A bias lies as its kernel does, without the inputs.
    return layouts[.recurrent]?.keeping(Set(spec.layout.axes))?.with(gates: gates)
  }

  private func vectorLayout(for spec: ParameterSpec) -> Layout {
    let others = spec.layout.axes.filter { $0 != .channels }
    if hasPlainVectors, spec.layout.axes.contains(.channels),
      others.allSatisfy({ spec.sizes[$0] ?? 1 == 1 })
    {
      return .c
    }
    return hasChannelsFirst ? spec.layout.withChannelsFirst : spec.layout
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

/// What a target has for the kernel of a convolution over sequences.
enum SequenceKernels: Sendable {
  /// A kernel that has no axis H: `OIW` for `OIHW`.
  case withoutHeight
  /// The kernel of an image of one row: `OI1W` for `OIHW`.
  case ofOneRow
}

extension ParameterSpec {
  /// Whether it is the kernel of a convolution over sequences.
  fileprivate var isOverSequences: Bool {
    switch kind {
    case .convolution, .depthwise, .transposedConvolution:
      layout.axes.contains(.width) && !layout.axes.contains(.height)
    case .fullyConnected, .recurrent, .recurrentConvolution, .locallyConnected, .embedding, .vector,
      .unknown:
      false
    }
  }
}

extension Layout {
  /// The same without the axes that are not in `axes`.
  fileprivate func keeping(_ axes: Set<Axis>) -> Layout? {
    try? Layout(
      dimensions.compactMap { dimension in
        let kept = dimension.axes.filter(axes.contains)
        return kept.isEmpty && !dimension.axes.isEmpty ? nil : Dimension(kept)
      })
  }

  /// The layout for sequences of what is that of kernels over images.
  fileprivate func overSequences(_ kernels: SequenceKernels?) -> Layout? {
    switch kernels {
    case .withoutHeight: try? Layout(dimensions.filter { $0.axes != [.height] })
    case .ofOneRow:
      try? Layout(dimensions.map { $0.axes == [.height] ? Dimension([]) : $0 })
    case nil: nil
    }
  }

  /// The same with the channels before the other axes: `(CHW)` for `(HWC)`.
  fileprivate var withChannelsFirst: Layout {
    func reordered<Element>(_ list: [Element], _ isFirst: (Element) -> Bool) -> [Element] {
      list.filter(isFirst) + list.filter { !isFirst($0) }
    }
    let dimensions = self.dimensions.map { dimension in
      Dimension(reordered(dimension.axes) { $0 == .channels })
    }
    return (try? Layout(reordered(dimensions) { $0.axes.contains(.channels) })) ?? self
  }
}
