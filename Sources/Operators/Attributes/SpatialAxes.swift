import ModelIR

/// The spatial axes that an operator works on.
public protocol SpatialAxes: Sendable, Hashable {
  /// The axes as in kernels, slowest first.
  static var axes: [Axis] { get }

  /// The names of the sizes along each axis, for messages.
  static var sizeNames: [String] { get }

  /// The names of both ends of each axis, for messages.
  static var sideNames: [[String]] { get }
}

/// One spatial axis: sequences and signals with the shape (length, channels).
public enum Line: SpatialAxes {
  /// The axis W.
  public static let axes = [Axis.width]
  /// The length.
  public static let sizeNames = ["length"]
  /// Before the first step and after the last.
  public static let sideNames = [["before", "after"]]
}

/// Two spatial axes: images with the shape (height, width, channels).
public enum Plane: SpatialAxes {
  /// The axes H and W.
  public static let axes = [Axis.height, .width]
  /// Height and width.
  public static let sizeNames = ["height", "width"]
  /// The four sides of an image.
  public static let sideNames = [["top", "bottom"], ["left", "right"]]
}

/// Three spatial axes: volumes and films with the shape (depth, height, width, channels).
public enum Volume: SpatialAxes {
  /// The axes D, H and W.
  public static let axes = [Axis.depth, .height, .width]
  /// Depth, height and width.
  public static let sizeNames = ["depth", "height", "width"]
  /// The six sides of a volume.
  public static let sideNames = [["front", "back"], ["top", "bottom"], ["left", "right"]]
}

/// The axes of sequences and images; a sequence is an image of one row.
package protocol PlanarAxes: SpatialAxes {}

extension Line: PlanarAxes {}
extension Plane: PlanarAxes {}

/// The kinds of spatial axes, by their number.
package enum Spaces {
  /// All of them.
  package static let all: [any SpatialAxes.Type] = [Line.self, Plane.self, Volume.self]

  /// Returns the kind with `count` axes, or `nil` if there is none.
  package static func axes(_ count: Int) -> (any SpatialAxes.Type)? {
    all.first { $0.axes.count == count }
  }
}

extension SpatialAxes {
  /// The number of axes.
  static var count: Int { axes.count }

  /// Returns the name with the number of axes: `Convolution2D` for `Convolution`.
  static func name(_ family: String) -> String { "\(family)\(count)D" }

  /// The sizes as text: `[height, width]`.
  static var sizesText: String { "[\(sizeNames.joined(separator: ", "))]" }

  /// The ends as text: `[[top, bottom], [left, right]]`.
  package static var sidesText: String {
    "[" + sideNames.map { "[\($0.joined(separator: ", "))]" }.joined(separator: ", ") + "]"
  }

  /// Returns a layout of the spatial axes followed by others: `HWIO`.
  static func layout(_ others: Axis...) -> Layout { Layout(axes: axes + others) }

  /// Returns the sizes of the spatial axes merged with those of others.
  static func sizes(_ size: SpatialSize<Self>, _ others: [Axis: Int]) -> [Axis: Int] {
    others.merging(zip(axes, size.sizes)) { own, _ in own }
  }
}

extension SpatialAxes {
  /// Checks that there are two numbers for each axis.
  ///
  /// - Parameter name: the attribute's name, for messages.
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
