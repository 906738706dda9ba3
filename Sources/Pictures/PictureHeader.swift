import Confinement
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

  /// Checks that there are not more samples than make sense.
  ///
  /// - Returns: the bytes that they take.
  func checkedByteCount() throws(NetconvError) -> Int {
    let count = try product(shape)
    guard count <= PictureFile.mostValues else { throw .hugePicture(shape) }
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
