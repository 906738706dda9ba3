import ModelIR

extension Shape {
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
