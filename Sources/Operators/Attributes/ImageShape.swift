import ModelIR

extension Shape {
  /// Returns the sizes along the spatial axes, and the number of channels after them.
  ///
  /// - Throws: `badData` unless there is exactly one axis besides the spatial ones.
  func spatial<Space: SpatialAxes>(
    _ space: Space.Type
  ) throws(NetconvError) -> (lengths: [Int?], channels: Int?) {
    guard rank == Space.count + 1 else {
      throw .wrongRank(
        self, expected: "(\((Space.sizeNames + ["channels"]).joined(separator: ", ")))")
    }
    return (dimensions.dropLast(), dimensions[Space.count])
  }

  /// Returns the height, width and channels of an image.
  ///
  /// - Throws: `badData` unless the rank is 3.
  func image() throws(NetconvError) -> (height: Int?, width: Int?, channels: Int?) {
    guard rank == 3 else { throw .wrongRank(self, expected: "(height, width, channels)") }
    return (dimensions[0], dimensions[1], dimensions[2])
  }

  /// Returns the size of the last axis.
  ///
  /// - Throws: `badData` if there is none, or if it is unknown.
  func lastAxis() throws(NetconvError) -> Int {
    guard let last = dimensions.last else {
      throw .wrongRank(self, expected: "at least one axis")
    }
    guard let last else { throw .unknownSize(self) }
    return last
  }
}
