import ModelIR

extension Shape {
  /// The sizes along spatial axes, and the channels behind them.
  ///
  /// - Throws: `badData` unless there is one axis more than spatial ones.
  func spatial<Space: SpatialAxes>(
    _ space: Space.Type
  ) throws(NetconvError) -> (lengths: [Int?], channels: Int?) {
    guard rank == Space.count + 1 else {
      throw .wrongRank(
        self, expected: "(\((Space.sizeNames + ["channels"]).joined(separator: ", ")))")
    }
    return (dimensions.dropLast(), dimensions[Space.count])
  }

  /// The sizes of an image, rows x columns x channels.
  ///
  /// - Throws: `badData` unless the rank is 3.
  func image() throws(NetconvError) -> (height: Int?, width: Int?, channels: Int?) {
    guard rank == 3 else { throw .wrongRank(self, expected: "(height, width, channels)") }
    return (dimensions[0], dimensions[1], dimensions[2])
  }

  /// The size of the last axis.
  ///
  /// - Throws: `badData` if there is none, or it is unknown.
  func lastAxis() throws(NetconvError) -> Int {
    guard let last = dimensions.last else {
      throw .wrongRank(self, expected: "at least one axis")
    }
    guard let last else { throw .unknownSize(self) }
    return last
  }
}
