import Confinement
internal import Memory
import ModelIR

/// The header of a PNG or JPEG.
struct PictureHeader: Equatable {
  let height: Int
  let width: Int
  /// The samples per pixel, 1 to 4: gray, gray and alpha, RGB, RGB and alpha.
  let channels: Int
  /// The bytes per sample, 1 or 2.
  let sampleBytes: Int
  let orientation: PictureOrientation
  let ignoredProfile: PictureFile.IgnoredProfile?

  var shape: [Int] { [height, width, channels] }

  /// The size of the samples and of the same number of floats in bytes, for a checked header.
  var decodedByteCount: Int {
    height * width * channels * (sampleBytes + MemoryLayout<Float>.size)
  }

  /// The size in bytes that any file may claim: a blank picture of 38 megapixels in gray, or 13 in
  /// colour.
  private static let unquestioned = 192 << 20

  /// Checks that the number of samples is plausible, and that the memory suffices.
  ///
  /// - Parameter stored: The size of the file in bytes; `nil` if it was checked before.
  /// - Returns: The size of the samples in bytes.
  func checkedByteCount(stored: Int? = nil) throws(NetconvError) -> Int {
    let count = try product(shape)
    guard count <= PictureFile.mostValues else { throw .hugePicture(shape) }
    if let stored {
      let claim = Claim(decodedByteCount, stored: stored)
      guard claim.isPlausible(unquestioned: Self.unquestioned) else {
        throw .emptyPicture(shape, claim)
      }
      try MemoryBound.check(file: claim.bytes)
    }
    return count * sampleBytes
  }
}

// Serialisation of the header for the process that requested it.
extension PictureHeader {
  /// The first value of a reply with a header.
  private static let kind = 1
  /// The longest name of a profile in bytes; the read part of a profile contains less.
  private static let longestName = 3 * 4096

  /// The header as a reply.
  var answer: [UInt8] {
    var wire = WireWriter()
    for number in [Self.kind] + shape + [sampleBytes, orientation.rawValue] { wire.put(number) }
    switch ignoredProfile {
    case nil: wire.put(0)
    case .profile(nil): wire.put(1)
    case .profile(let name?):
      wire.put(2)
      wire.put(name)
    case .gamma(let exponent):
      wire.put(3)
      wire.put(exponent)
    }
    return wire.bytes
  }

  /// Parses an untrusted reply.
  init(answer: WireReader) throws(MalformedWire) {
    var wire = answer
    guard try wire.natural() == Self.kind else { throw MalformedWire() }
    (height, width, channels) = (try wire.natural(), try wire.natural(), try wire.natural())
    sampleBytes = try wire.natural()
    guard height > 0, width > 0, (1...4).contains(channels), (1...2).contains(sampleBytes),
      let orientation = PictureOrientation(rawValue: try wire.natural())
    else { throw MalformedWire() }
    self.orientation = orientation
    ignoredProfile = try wire.ignoredProfile(longestName: Self.longestName)
    try wire.end()
    // Larger pictures were rejected by the decoder.
    guard (try? checkedByteCount()) != nil else { throw MalformedWire() }
  }
}

extension WireReader {
  fileprivate mutating func ignoredProfile(
    longestName: Int
  ) throws(MalformedWire) -> PictureFile.IgnoredProfile? {
    switch try natural() {
    case 0: return nil
    case 1: return .profile(nil)
    case 2:
      let name = try text()
      guard name.utf8.count <= longestName else { throw MalformedWire() }
      return .profile(name)
    case 3:
      let exponent = try double()
      guard exponent.isFinite else { throw MalformedWire() }
      return .gamma(exponent)
    default: throw MalformedWire()
    }
  }
}

extension NetconvError {
  fileprivate static func emptyPicture(_ shape: [Int], _ claim: Claim) -> NetconvError {
    NetconvError(
      .badData,
      "claims \(shape[1]) x \(shape[0]) pixels of \(shape[2]) values, which take \(byteText(claim.bytes)), and has "
        + "\(byteText(claim.stored)); no real picture is so small")
  }
}
