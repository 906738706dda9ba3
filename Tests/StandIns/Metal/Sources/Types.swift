@_exported import Foundation

/// The origin of a region, in pixels.
///
/// https://developer.apple.com/documentation/metal/mtlorigin
public struct MTLOrigin: Sendable {
  /// From the left.
  public var x: Int
  /// From the top.
  public var y: Int
  /// From the front; in an MPSImage the first image.
  public var z: Int

  /// All zero.
  public init() { self.init(x: 0, y: 0, z: 0) }

  /// An origin.
  public init(x: Int, y: Int, z: Int) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// The size of a region, in pixels.
///
/// https://developer.apple.com/documentation/metal/mtlsize
public struct MTLSize: Sendable {
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Planes; in an MPSImage the number of images.
  public var depth: Int

  /// All zero.
  public init() { self.init(width: 0, height: 0, depth: 0) }

  /// A size.
  public init(width: Int, height: Int, depth: Int) {
    self.width = width
    self.height = height
    self.depth = depth
  }
}

/// A part of an image: where it starts and how large it is.
///
/// https://developer.apple.com/documentation/metal/mtlregion
public struct MTLRegion: Sendable {
  /// The top left corner.
  public var origin: MTLOrigin
  /// Width, height and depth.
  public var size: MTLSize

  /// Empty, at the origin.
  public init() { self.init(origin: MTLOrigin(), size: MTLSize()) }

  /// A region.
  public init(origin: MTLOrigin, size: MTLSize) {
    self.origin = origin
    self.size = size
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// An origin.
///
/// https://developer.apple.com/documentation/metal/mtloriginmake(_:_:_:)
public func MTLOriginMake(_ x: Int, _ y: Int, _ z: Int) -> MTLOrigin {
  MTLOrigin(x: x, y: y, z: z)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A size.
///
/// https://developer.apple.com/documentation/metal/mtlsizemake(_:_:_:)
public func MTLSizeMake(_ width: Int, _ height: Int, _ depth: Int) -> MTLSize {
  MTLSize(width: width, height: height, depth: depth)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A region of one plane.
///
/// https://developer.apple.com/documentation/metal/mtlregionmake2d(_:_:_:_:)
public func MTLRegionMake2D(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> MTLRegion {
  MTLRegionMake3D(x, y, 0, width, height, 1)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A region of several planes.
///
/// https://developer.apple.com/documentation/metal/mtlregionmake3d(_:_:_:_:_:_:)
public func MTLRegionMake3D(
  _ x: Int, _ y: Int, _ z: Int, _ width: Int, _ height: Int, _ depth: Int
) -> MTLRegion {
  MTLRegion(origin: MTLOriginMake(x, y, z), size: MTLSizeMake(width, height, depth))
}

/// Runs a function; there are no autorelease pools on Linux.
///
/// Of the module ObjectiveC on Apple's systems, where Foundation re-exports it:
/// https://developer.apple.com/documentation/objectivec/autoreleasepool(invoking:)
public func autoreleasepool<E, Result>(
  invoking body: () throws(E) -> Result
) throws(E) -> Result where E: Error, Result: ~Copyable {
  try body()
}
