import ModelIR

/// The spatial axes that an operator works along.
public protocol SpatialAxes: Sendable, Hashable {
  /// As kernels name them, slowest first.
  static var axes: [Axis] { get }

  /// What messages call the size along each.
  static var sizeNames: [String] { get }

  /// What messages call the two ends of each.
  static var sideNames: [[String]] { get }
}

/// One axis: sequences and signals, of (length, channels).
public enum Line: SpatialAxes {
  /// W.
  public static let axes = [Axis.width]
  /// The length.
  public static let sizeNames = ["length"]
  /// Before the first step and after the last.
  public static let sideNames = [["before", "after"]]
}

/// Two axes: images, of (height, width, channels).
public enum Plane: SpatialAxes {
  /// H and W.
  public static let axes = [Axis.height, .width]
  /// Height and width.
  public static let sizeNames = ["height", "width"]
  /// The four sides of an image.
  public static let sideNames = [["top", "bottom"], ["left", "right"]]
}

extension SpatialAxes {
  /// How many there are.
  static var count: Int { axes.count }

  /// `Convolution2D` of `Convolution`.
  static func name(_ family: String) -> String { "\(family)\(count)D" }

  /// `[height, width]`.
  static var sizesText: String { "[\(sizeNames.joined(separator: ", "))]" }

  /// `[[top, bottom], [left, right]]`.
  static var sidesText: String {
    "[" + sideNames.map { "[\($0.joined(separator: ", "))]" }.joined(separator: ", ") + "]"
  }

  /// The spatial axes and then others: `HWIO`.
  static func layout(_ others: Axis...) -> Layout { Layout(axes: axes + others) }

  /// The sizes of the spatial axes, with those of others.
  static func sizes(_ size: SpatialSize<Self>, _ others: [Axis: Int]) -> [Axis: Int] {
    others.merging(zip(axes, size.sizes)) { own, _ in own }
  }
}

extension SpatialAxes {
  /// Reads a list of two numbers for each axis.
  ///
  /// - Parameter name: of the list, for messages.
  static func sides(
    _ sides: [[Int]], _ name: String, at codingPath: [any CodingKey]
  ) throws -> [[Int]] {
    guard sides.count == count, sides.allSatisfy({ $0.count == 2 }) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath, debugDescription: "\(name) is \(sides), expected \(sidesText)"))
    }
    return sides
  }
}
