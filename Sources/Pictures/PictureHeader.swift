import Confinement
internal import Memory
import ModelIR

/// What a PNG or a JPEG says about its samples.
struct PictureHeader: Equatable {
  let height: Int
  let width: Int
  /// Samples of a pixel, 1 to 4: gray, gray and alpha, RGB, RGB and alpha.
  let channels: Int
  /// Bytes of a sample, 1 or 2.
  let sampleBytes: Int
  let orientation: PictureOrientation
  let ignoredProfile: PictureFile.IgnoredProfile?

  var shape: [Int] { [height, width, channels] }

  /// Bytes of the samples, and of as many floats; of a header that was checked.
  var decodedByteCount: Int {
    height * width * channels * (sampleBytes + MemoryLayout<Float>.size)
  }

  /// What a picture of any file may take, in bytes: a blank one of 38 megapixels in grey, or 13 in colour.
  private static let unquestioned = 192 << 20

  /// Checks that there are not more samples than make sense, and that there is memory for them.
  ///
  /// - Parameter stored: bytes of the file; `nil` if they were compared with the samples before.
  /// - Returns: the bytes that the samples take.
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

// On its way from the process that has decoded a picture.
extension PictureHeader {
  /// What an answer with a header begins with.
  private static let kind = 1
  /// Bytes of a profile's name; what a profile begins with has less.
  private static let longestName = 3 * 4096

  /// The header as an answer.
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

  /// Takes apart an answer; nothing in it is believed.
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
    // One that has too many was refused where it was decoded.
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
