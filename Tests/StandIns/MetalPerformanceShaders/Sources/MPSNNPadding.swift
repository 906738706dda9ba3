/// How large a kernel's result is and where it starts to read.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnpaddingmethod
public struct MPSNNPaddingMethod: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// A method by its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// What is read lies in the middle of the source.
  public static var centered: MPSNNPaddingMethod { [] }
  /// If it cannot, one more pixel of padding is at the top and on the left.
  public static var topLeft: MPSNNPaddingMethod { [] }
  /// If it cannot, one more pixel of padding is at the bottom and on the right.
  public static var addRemainderToBottomRight: MPSNNPaddingMethod { .init(rawValue: 3 << 2) }
  /// No padding.
  public static var validOnly: MPSNNPaddingMethod { [] }
  /// As large as the source, divided by the stride and rounded up.
  public static var sizeSame: MPSNNPaddingMethod { .init(rawValue: 1 << 4) }
  /// Every place that at least one pixel of the source reaches.
  public static var sizeFull: MPSNNPaddingMethod { .init(rawValue: 2 << 4) }
}

/// A policy for the images that kernels return.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnpadding
public protocol MPSNNPadding: NSSecureCoding, NSObjectProtocol {
  /// Size and place.
  func paddingMethod() -> MPSNNPaddingMethod
}

/// The policy that is a method and no more, and TensorFlow's for average pooling.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnndefaultpadding
open class MPSNNDefaultPadding: NSObject, MPSNNPadding {
  private let method: MPSNNPaddingMethod
  let clampsEdges: Bool

  /// A policy that is a method.
  public convenience init(method: MPSNNPaddingMethod) { self.init(method, clampsEdges: false) }

  private init(_ method: MPSNNPaddingMethod, clampsEdges: Bool) {
    self.method = method
    self.clampsEdges = clampsEdges
  }

  /// As large as the source, the remainder at the bottom and on the right, and clamped edges, so that an average
  /// is that of the pixels inside.
  ///
  /// https://developer.apple.com/documentation/metalperformanceshaders/mpsnndefaultpadding/fortensorflowaveragepooling()
  open class func forTensorflowAveragePooling() -> Self {
    guard
      let padding = MPSNNDefaultPadding([.sizeSame, .addRemainderToBottomRight], clampsEdges: true)
        as? Self
    else { preconditionFailure("a subclass of MPSNNDefaultPadding") }
    return padding
  }

  /// Whether it can be archived.
  public static var supportsSecureCoding: Bool { true }

  /// Reads from an archive, which the stand-in does not do.
  public required init?(coder: NSCoder) { nil }

  /// Writes to an archive, which the stand-in does not do.
  open func encode(with coder: NSCoder) {}

  /// Size and place.
  open func paddingMethod() -> MPSNNPaddingMethod { method }
}

/// The sizes and places that the documentation of `MPSNNPadding` computes, in one dimension.
struct PaddingRule {
  /// -1 for valid only, 0 for same, 1 for full.
  let style: Int
  let remainderAtEnd: Bool

  init(_ method: MPSNNPaddingMethod) {
    style = method.contains(.sizeFull) ? 1 : method.contains(.sizeSame) ? 0 : -1
    remainderAtEnd = method.contains(.addRemainderToBottomRight)
  }

  func size(source: Int, stride: Int, window: Int) -> Int {
    (source + style * (window - 1) + stride - 1) / stride
  }

  func offset(source: Int, stride: Int, window: Int) -> Int {
    let read = (size(source: source, stride: stride, window: window) - 1) * stride + window
    let before = (read - source + (remainderAtEnd ? 0 : 1)) / 2
    return window / 2 - before
  }
}
