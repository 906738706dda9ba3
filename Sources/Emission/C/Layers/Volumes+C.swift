import Lowering
import ModelIR
import Operators

/// A window over volumes in C, and the volumes between which it slides.
struct CVolumeWindow {
  /// The declarations of both sizes.
  let sizes: String
  private let window: [[Int]]

  /// Creates a window.
  ///
  /// - Parameter before: the padding in front of each axis.
  init(_ window: Window<Volume>, from: [Int], to: [Int], before: [Int]) {
    sizes = Self.sizes(from: from, to: to)
    self.window = [window.size.sizes, window.strides.sizes, window.dilation.sizes, before]
  }

  /// Creates the window of a convolution or pooling.
  ///
  /// - Parameter padding: zeros that are part of the step, in front of each axis.
  init(
    _ window: Window<Volume>, from: [Int], to: [Int], padding: (any ZeroPaddingOperator)? = nil
  ) {
    self.init(
      window, from: from, to: to,
      before: window.axes.indices.map {
        window.axes[$0].paddingBefore(from[$0]) + (padding?.padding[$0][0] ?? 0)
      })
  }

  /// Creates the window of a transposed convolution, which slides over the output.
  init(transposed window: Window<Volume>, from: [Int], to: [Int]) {
    self.init(
      window, from: from, to: to,
      before: window.axes.indices.map {
        window.axes[$0].transposedPaddingBefore(from[$0], length: to[$0])
      })
  }

  /// Returns a block with the sizes and the window as constants, and a call that uses them.
  func block(_ call: String) -> [String] {
    let lists = window.map { "{\($0.list)}" }.joined(separator: ", ")
    return CText.block([sizes, "const volume_window window = {\(lists)};", call])
  }

  /// Returns the declarations of the sizes of two volumes.
  static func sizes(from: [Int], to: [Int]) -> String {
    let lists = [from, to].map { "{{\($0.dropLast().map { $0 }.list)}, \($0[3])}" }
    return "const volume_size from = \(lists[0]), to = \(lists[1]);"
  }
}
