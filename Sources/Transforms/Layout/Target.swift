import Documents
import ModelIR

/// A consumer of weights, with its layouts for kinds of parameters.
///
/// There is one file per target in `Targets`, with the source of each claim.
public struct Target: Sendable, Equatable {
  /// The name on the command line.
  public let name: String
  /// A short description.
  public let summary: String
  /// The layouts by kind of parameter, for the supported kinds.
  let layouts: [ParameterKind: Layout]
  /// The layout of a fully-connected kernel after a flatten; `nil` if it does not differ.
  var flattened: Layout?
  /// The supported recurrent layers; for the parameters of others there is no layout.
  var cells: Set<RecurrentCellKind> = []
  /// The target's gate orders, if they differ from those of the operators' definitions.
  var gateOrders: [GateOrder] = []
  /// True if the target adds a bias after each of the two kernels of a recurrent layer, and expects both or none.
  var hasTwoRecurrentBiases = false
  /// The form of 1-D kernels; `nil` if they are not supported.
  var sequenceKernels: SequenceKernels?
  /// True if the target has layers over volumes, whose kernels have the depth before the height.
  var hasVolumes = false
  /// True if images are channels first, and flattened in that order.
  var hasChannelsFirst = false
  /// True if a flatten merges the channels before the other axes.
  public var flattensChannelsFirst: Bool { flattened == .flattenedOIHW }
  /// True if a parameter with one value per channel has no other axes, even if the source has axes of size 1.
  var hasPlainVectors = false
  /// The maximum sizes of axes, if they are limited; kernels that exceed them have no layout.
  var limits: [Axis: Int] = [:]
  /// The reversed axes of kernels by kind, for targets that do not rotate kernels themselves.
  var reversed: [ParameterKind: Set<Axis>] = [:]
  /// The supported element types of kernels.
  public let elementTypes: [ElementType]
  /// The names of tensors.
  public var names = TensorNames.files
  /// The containers that are written by default.
  public var formats: [OutputFormat] = [.bin, .archive]
  /// The supported text formats: C arrays to be linked into a program, or the target's own format.
  public var texts: [OutputFormat] = []
  /// The value of `format` in the metadata of a safetensors file that the target's loaders expect.
  public var safetensorsFormat = "np"
  /// True if every tensor keeps its layout in the source.
  public var keepsLayouts = false

  /// True if tensors have dotted names as in a state dictionary.
  public var hasDottedNames: Bool { names.template == TensorNames.stateDictionary.template }

  /// All targets; one line per file in `Targets`, and a test compares the two.
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

  /// Returns the target called `name`.
  ///
  /// - Throws: `usage` listing the names that exist.
  public static func named(_ name: String) throws(NetconvError) -> Target {
    guard let target = all.first(where: { $0.name == name }) else {
      throw .unknownTarget(name, known: all.map(\.name))
    }
    return target
  }

  /// Returns the target's layout for a parameter, or `nil` if there is none for its kind, sizes and users.
  ///
  /// A vector stays a vector; after a flatten its values are in the order of the target's activations.
  public func layout(for spec: ParameterSpec) -> Layout? {
    if keepsLayouts { return spec.layout }
    // The other layers that share the parameter would read its channels in another order.
    guard !(hasChannelsFirst && spec.isSharedAcrossFlattens) else { return nil }
    if spec.cell != nil || spec.kind == .recurrent { return recurrentLayout(for: spec) }
    if spec.kind == .vector { return vectorLayout(for: spec) }
    guard limits.allSatisfy({ axis, most in spec.sizes[axis] ?? 1 <= most }) else { return nil }
    let isFlattened =
      spec.kind == .fullyConnected && spec.layout.axes.count > Layout.io.axes.count
    guard var layout = isFlattened ? flattened ?? layouts[spec.kind] : layouts[spec.kind] else {
      return nil
    }
    if hasVolumes, spec.layout.axes.contains(.depth) { layout = layout.withDepth }
    if spec.isOverSequences { return layout.overSequences(sequenceKernels) }
    // A flatten of more than an image merges axes that no kernel of the target has.
    let extra = Set(spec.layout.axes).subtracting(layout.axes)
    return extra.allSatisfy { spec.sizes[$0] ?? 1 == 1 } ? layout : nil
  }

  /// Returns the target's layout for a tensor, or `nil` if there is none for its kind, sizes and users.
  public func layout(for tensor: Tensor) -> Layout? {
    keepsLayouts ? tensor.storedLayout : layout(for: tensor.spec)
  }

  /// Returns true if a parameter is the second bias of a recurrent layer for which the target has a single summed bias.
  ///
  /// The biases of a GRU with its reset after the kernel cannot be summed.
  package func takesSum(with spec: ParameterSpec) -> Bool {
    spec.role == .recurrentBias && hasOneBias(in: spec)
  }

  /// Returns true if the target has a single bias for the parameter's recurrent layer, the sum of two in other
  /// frameworks.
  package func hasOneBias(in spec: ParameterSpec) -> Bool {
    guard let cell = spec.cell else { return false }
    return cell != .gru && cells.contains(cell) && !hasTwoRecurrentBiases && !keepsLayouts
  }

  /// Returns the layout of a kernel or bias of a recurrent layer; `nil` if the target does not support the layer.
  private func recurrentLayout(for spec: ParameterSpec) -> Layout? {
    guard let cell = spec.cell, cells.contains(cell) else { return nil }
    let gates = cell.gates.map { own in
      gateOrders.first { $0.hasSameGates(as: own) } ?? own
    }
    // A bias has the layout of the kernel, without the input axis.
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

  /// Returns the axes of a parameter that the target expects in reversed order.
  public func reversedAxes(of spec: ParameterSpec) -> Set<Axis> { reversed[spec.kind] ?? [] }

  /// Returns the element type of a parameter: `kernelType` for kernels, always float32 for vectors.
  public func elementType(of spec: ParameterSpec, kernelType: ElementType) -> ElementType {
    spec.kind == .vector ? .float32 : kernelType
  }

  /// Checks that kernels can be written in `elementType`.
  ///
  /// - Throws: `usage` listing the supported types.
  public func check(_ elementType: ElementType) throws(NetconvError) {
    guard elementTypes.contains(elementType) else {
      throw .unsupportedElementType(elementType, target: self)
    }
  }
}

/// The form of 1-D convolution kernels in a target.
enum SequenceKernels: Sendable {
  /// A kernel without the axis H: `OIW` for `OIHW`.
  case withoutHeight
  /// A kernel for images with one row: `OI1W` for `OIHW`.
  case ofOneRow
}

extension ParameterSpec {
  /// True for the kernel of a convolution over sequences.
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
  /// Returns the layout without the axes that are not in `axes`.
  fileprivate func keeping(_ axes: Set<Axis>) -> Layout? {
    try? Layout(
      dimensions.compactMap { dimension in
        let kept = dimension.axes.filter(axes.contains)
        return kept.isEmpty && !dimension.axes.isEmpty ? nil : Dimension(kept)
      })
  }

  /// Returns the layout for sequences that corresponds to this layout for images.
  fileprivate func overSequences(_ kernels: SequenceKernels?) -> Layout? {
    switch kernels {
    case .withoutHeight: try? Layout(dimensions.filter { $0.axes != [.height] })
    case .ofOneRow:
      try? Layout(dimensions.map { $0.axes == [.height] ? Dimension([]) : $0 })
    case nil: nil
    }
  }

  /// The layout with the depth before the height: `ODHWI` for `OHWI`.
  fileprivate var withDepth: Layout {
    let dimensions = self.dimensions.flatMap { dimension in
      guard let index = dimension.axes.firstIndex(of: .height) else { return [dimension] }
      var axes = dimension.axes
      guard axes.count > 1 else { return [Dimension([.depth]), dimension] }
      axes.insert(.depth, at: index)
      return [Dimension(axes)]
    }
    return (try? Layout(dimensions)) ?? self
  }

  /// The layout with the channels before the other axes: `(CHW)` for `(HWC)`.
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

extension NetconvError {
  fileprivate static func unknownTarget(_ name: String, known: [String]) -> NetconvError {
    NetconvError(
      .usage, "there is no target \(quoted(name)); known are " + known.joined(separator: ", "))
  }

  fileprivate static func unsupportedElementType(_ type: ElementType, target: Target)
    -> NetconvError
  {
    NetconvError(
      .usage,
      "target \(target.name) does not accept \(type.rawValue) kernels; it accepts "
        + target.elementTypes.map(\.rawValue).joined(separator: ", "))
  }
}
