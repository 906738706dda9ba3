/// The order of a tensor's axes in memory, slowest first.
///
/// A dimension is a single axis, a group of axes that a flatten has merged, or the literal 1: `HWIO`, `OHWI`, `(HWI)O`
/// (a Keras Dense kernel after Flatten), `O(IHW)` (a PyTorch Linear after flatten), `1HW(IM)`, or `()` for a scalar,
/// which has no axes. Each axis occurs at most once. For the axis G of a recurrent layer, a layout also specifies the
/// order of the gates: `(G[ifco]N)I`.
public struct Layout: Hashable, Sendable {
  /// A dimension of the stored array: the axes merged in it, slowest first; empty for the literal 1.
  public struct Dimension: Hashable, Sendable {
    /// The merged axes, slowest first.
    public let axes: [Axis]

    /// Creates a dimension that merges `axes`.
    public init(_ axes: [Axis]) {
      self.axes = axes
    }
  }

  /// The dimensions, slowest first.
  public let dimensions: [Dimension]

  /// All axes, slowest first.
  public let axes: [Axis]

  /// The order of the gates along the axis G; `nil` if there is no such axis, or if the order is that of the operator's
  /// definition.
  public let gates: GateOrder?

  /// Creates a layout of `dimensions`.
  ///
  /// - Parameter gates: the order of the gates, ignored if there is no axis G.
  /// - Throws: `badData` if an axis occurs twice or there is no dimension.
  public init(_ dimensions: [Dimension], gates: GateOrder? = nil) throws(NetconvError) {
    self.init(unchecked: dimensions, gates: gates)
    guard !dimensions.isEmpty, Set(axes).count == axes.count else {
      throw .repeatedAxis(in: dimensions.map(\.description).joined())
    }
  }

  /// Creates a layout of single axes: `HWIO`.
  ///
  /// - Precondition: there is at least one axis, and none occurs twice.
  package init(axes: [Axis]) {
    precondition(!axes.isEmpty && Set(axes).count == axes.count, "\(axes)")
    self.init(unchecked: axes.map { Dimension([$0]) })
  }

  private init(unchecked dimensions: [Dimension], gates: GateOrder? = nil) {
    self.dimensions = dimensions
    axes = dimensions.flatMap(\.axes)
    self.gates = axes.contains(.gates) ? gates : nil
  }

  /// Returns the axes that only one of the layouts has, those of this one first.
  func axesOfOne(with other: Layout) -> [Axis] {
    guard axes != other.axes else { return [] }
    return axes.filter { !other.axes.contains($0) } + other.axes.filter { !axes.contains($0) }
  }

  /// The number of dimensions of the stored array.
  public var rank: Int { dimensions.count }

  /// Returns the stored array's shape.
  ///
  /// - Parameter sizes: the size of each axis; an axis that is not listed has size 1.
  /// - Throws: `badData` if a product overflows.
  public func shape(_ sizes: [Axis: Int]) throws(NetconvError) -> [Int] {
    var shape: [Int] = []
    shape.reserveCapacity(dimensions.count)
    for dimension in dimensions {
      shape.append(try product(dimension.axes) { sizes[$0] ?? 1 })
    }
    return shape
  }

  /// Returns the layout with `axis` replaced by the group `axes`.
  ///
  /// `IO` with `I` replaced by `H, W, I` is `(HWI)O`.
  public func replacing(_ axis: Axis, with axes: [Axis]) -> Layout {
    Layout(
      unchecked: dimensions.map { dimension in
        Dimension(dimension.axes.flatMap { $0 == axis ? axes : [$0] })
      }, gates: gates)
  }

  /// The same dimensions in reverse order, fastest first.
  public var fastestFirst: Layout { Layout(unchecked: dimensions.reversed(), gates: gates) }

  /// Returns the layout with its gates, if any, in the order `gates`.
  public func with(gates: GateOrder?) -> Layout { Layout(unchecked: dimensions, gates: gates) }
}

extension Layout: LosslessStringConvertible {
  /// The notation, such as `(HWI)O` or `I(G[ifco]N)`.
  public var description: String {
    guard !dimensions.isEmpty else { return "()" }
    let text =
      dimensions.count == axes.count && dimensions.allSatisfy { $0.axes.count == 1 }
      ? String(decoding: axes.map(\.letter), as: UTF8.self)
      : dimensions.map(\.description).joined()
    return gates.map { text.replacing("\(Axis.gates)", with: "\(Axis.gates)[\($0)]") } ?? text
  }

  /// Parses notation such as `HWIO`, `(HWI)O`, `1HW(IM)` or `(G[ifco]N)I`.
  ///
  /// - Returns: `nil` unless every character is an axis, a matching parenthesis, or 1, no axis occurs twice, and only G
  ///   is followed by gates.
  public init?(_ description: String) {
    guard description != "()" else {
      self = .scalar
      return
    }
    var dimensions: [Dimension] = []
    var group: [Axis]?
    var gates: GateOrder?
    var rest = description[...]
    while let character = rest.popFirst() {
      switch (character, group) {
      case ("[", _):
        let isBehindGates = group.map { $0.last == .gates } ?? (dimensions.last?.axes == [.gates])
        guard isBehindGates, gates == nil,
          let end = rest.firstIndex(of: "]"), let order = GateOrder(String(rest[..<end]))
        else { return nil }
        gates = order
        rest = rest[end...].dropFirst()
      case ("(", nil):
        group = []
      case (")", let axes?) where !axes.isEmpty:
        dimensions.append(Dimension(axes))
        group = nil
      case ("1", nil):
        dimensions.append(Dimension([]))
      default:
        guard let axis = Axis(character) else { return nil }
        if group == nil {
          dimensions.append(Dimension([axis]))
        } else {
          group?.append(axis)
        }
      }
    }
    guard group == nil, let layout = try? Layout(dimensions, gates: gates) else { return nil }
    self = layout
  }
}

extension Layout.Dimension: CustomStringConvertible {
  /// The notation: `H`, `(HWI)` or `1`.
  public var description: String {
    switch axes.count {
    case 0: "1"
    case 1: axes[0].description
    default: "(" + axes.map(\.description).joined() + ")"
    }
  }
}

extension Layout {
  private init(letters: String) {
    self.init(unchecked: letters.compactMap(Axis.init).map { Dimension([$0]) })
  }

  /// Creates a layout with merged axes: `["IM", "", "H", "W"]` is `(IM)1HW`.
  private init(groups: [String]) {
    self.init(unchecked: groups.map { Dimension($0.compactMap(Axis.init)) })
  }

  /// A scalar, which has no axes.
  public static let scalar = Layout(unchecked: [])
  /// A vector of channels.
  static let vector = Layout(letters: "C")
  /// A vector of output channels, such as a bias.
  static let outputVector = Layout(letters: "O")
  /// Layouts of axes without a known meaning, indexed by the number of axes.
  static let places = (0...Axis.places.count).map { count in
    Layout(unchecked: Axis.places.prefix(count).map { Dimension([$0]) })
  }
  /// Convolution kernels of Keras and TensorFlow.
  public static let hwio = Layout(letters: "HWIO")
  /// Kernels of transposed convolutions of Keras and TensorFlow.
  public static let hwoi = Layout(letters: "HWOI")
  /// Convolution and fully-connected kernels of MPSCNN.
  public static let ohwi = Layout(letters: "OHWI")
  /// Convolution kernels of PyTorch.
  public static let oihw = Layout(letters: "OIHW")
  /// Kernels of transposed convolutions of PyTorch.
  public static let iohw = Layout(letters: "IOHW")
  /// Depthwise kernels of Keras and TensorFlow.
  public static let hwim = Layout(letters: "HWIM")
  /// Depthwise kernels of MPSCNN.
  public static let imhw = Layout(letters: "IMHW")
  /// Depthwise kernels of PyTorch: convolutions with as many groups as channels.
  public static let depthwiseOIHW = Layout(groups: ["IM", "", "H", "W"])
  /// Depthwise kernels of MLX, which are channels last.
  public static let depthwiseOHWI = Layout(groups: ["IM", "H", "W", ""])
  /// Depthwise kernels of TensorFlow Lite.
  public static let depthwiseIHWO = Layout(groups: ["", "H", "W", "IM"])
  /// Depthwise kernels of ncnn.
  public static let depthwiseOHW = Layout(groups: ["IM", "H", "W"])
  /// Dense kernels of Keras.
  public static let io = Layout(letters: "IO")
  /// Linear kernels of PyTorch.
  public static let oi = Layout(letters: "OI")
  /// Dense kernels of Keras after a flatten.
  public static let flattenedHWIO = Layout(groups: ["HWI", "O"])
  /// Linear kernels after a flatten of a channels-last image.
  public static let flattenedOHWI = Layout(groups: ["O", "HWI"])
  /// Linear kernels after a flatten of a channels-first image.
  public static let flattenedOIHW = Layout(groups: ["O", "IHW"])
  /// Kernels of recurrent layers of Keras, gate by gate.
  public static let gatesLast = Layout(groups: ["I", "GN"])
  /// Kernels of recurrent layers of PyTorch.
  public static let gatesFirst = Layout(groups: ["GN", "I"])
  /// Kernels of recurrent operators of TensorFlow Lite, stored separately for each gate.
  public static let gatesApart = Layout(letters: "GNI")
  /// Kernels of recurrent operators of ONNX, for one direction.
  public static let gatesFirstOfDirection = Layout(groups: ["", "GN", "I"])
  /// One value per output channel: a bias.
  public static let o = Layout(letters: "O")
  /// One value per channel: the parameters of a normalisation.
  public static let c = Layout(letters: "C")
}

extension NetconvError {
  fileprivate static func repeatedAxis(in layout: String) -> NetconvError {
    NetconvError(
      .badData,
      "layout \(quoted(layout)) is empty or names an axis twice; write each axis once, as in HWIO")
  }
}
