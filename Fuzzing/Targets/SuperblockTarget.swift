import HDF5
import ModelIR

/// The offset of an HDF5 signature in a file, and the stated size.
enum SuperblockTarget: FuzzTarget {
  static let name = "superblock"

  static func parse(_ bytes: [UInt8]) throws {
    let stated = try HDF5Beginning(openFile(bytes))
    try hold(
      HDF5File.isHDF5(prefix: bytes) == (stated.place != nil), "a part shows another signature")
    guard let place = stated.place else { throw NetconvError(.badData, "no signature") }
    try hold(place + 8 <= bytes.count, "the signature lies behind the file")
    try hold(place == 0 || place >= 512 && place & (place - 1) == 0, "it is nowhere it may be")
    let inFront = try HDF5Beginning(openFile(Array(bytes[place...])))
    try hold(inFront.place == 0 && inFront.size == stated.size, "alone it says something else")
    guard stated.size != nil else { throw NetconvError(.badData, "no size") }
  }
}
