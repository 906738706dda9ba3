import ImageFilters
import ModelIR

/// The header of a PGM or PPM: format, width, height and largest value, with optional comments.
struct PortableMapHeader {
  /// The format, from the first two bytes.
  enum Kind: UInt8 {
    case plainGraymap = 0x32
    case plainPixmap = 0x33
    case graymap = 0x35
    case pixmap = 0x36

    /// Detects the format from the first bytes of a file.
    init?(_ bytes: [UInt8]) {
      guard bytes.count > 2, bytes[0] == 0x50, bytes[2].isSpace || bytes[2] == 0x23 else {
        return nil
      }
      self.init(rawValue: bytes[1])
    }

    var isColored: Bool { self == .plainPixmap || self == .pixmap }
    /// True if samples are written as text.
    var isPlain: Bool { self == .plainGraymap || self == .plainPixmap }
  }

  private let kind: Kind
  private let width: Int
  private let height: Int
  private let largest: Int

  private var shape: [Int] { [height, width, kind.isColored ? 3 : 1] }

  /// Decodes a complete file.
  ///
  /// - Throws: `badData` if it is damaged, contains several pictures, or has an implausible number
  ///   of pixels.
  static func picture(_ bytes: [UInt8]) throws(NetconvError) -> DecodedPicture {
    var words = Words(bytes)
    let header = try PortableMapHeader(&words)
    let count = try product(header.shape)
    guard count <= PictureFile.mostValues else { throw .hugePicture(header.shape) }
    try MemoryBound.check(file: 2 * count * MemoryLayout<Float>.size)
    let samples =
      header.kind.isPlain
      ? try header.plainSamples(&words, count) : try header.samples(words.rest, count)
    // The products are exact, so that the largest value is 255; a rounded factor resulted in
    // 255.00002 in some cases.
    let largest = Float(header.largest)
    return DecodedPicture(
      picture: Picture(
        height: header.height, width: header.width, channels: header.shape[2],
        values: header.largest == 255 ? samples : samples.map { $0 * 255 / largest }),
      bits: header.largest > 255 ? 16 : 8)
  }

  private init(_ words: inout Words) throws(NetconvError) {
    guard let kind = Kind(words.bytes) else { throw .noPicture(words.bytes) }
    words.skip(2)
    self.kind = kind
    width = try words.number("width")
    height = try words.number("height")
    largest = try words.number("largest value")
    guard width > 0, height > 0, (1...65535).contains(largest) else {
      throw .wrongPortableMap("\(width) x \(height) pixels with values up to \(largest)")
    }
    // In binary formats, a single byte of white space ends the header.
    if !kind.isPlain { words.skip(1) }
  }

  private func samples(_ bytes: ArraySlice<UInt8>, _ count: Int) throws(NetconvError) -> [Float] {
    let size = largest > 255 ? 2 : 1
    guard bytes.count >= count * size else {
      throw .wrongPortableMap("\(bytes.count) bytes of samples, expected \(count * size)")
    }
    guard bytes.count == count * size else {
      throw .severalPictures(bytes.count - count * size)
    }
    let samples: [Float] =
      size == 1
      ? bytes.map { Float($0) }
      : (0..<count).map {
        Float(
          Int(bytes[bytes.startIndex + 2 * $0]) << 8 | Int(bytes[bytes.startIndex + 2 * $0 + 1]))
      }
    if let wrong = samples.first(where: { $0 > Float(largest) }) {
      throw .tooLargeSample(Int(wrong), largest: largest)
    }
    return samples
  }

  private func plainSamples(_ words: inout Words, _ count: Int) throws(NetconvError) -> [Float] {
    // A number takes at least two bytes, except possibly the last.
    guard count <= words.bytes.count else {
      throw .wrongPortableMap("\(words.bytes.count) bytes for \(count) samples")
    }
    var samples: [Float] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      let sample = try words.number("next sample")
      guard sample <= largest else { throw .tooLargeSample(sample, largest: largest) }
      samples.append(Float(sample))
    }
    guard words.isAtEnd else { throw .severalPictures(words.rest.count) }
    return samples
  }
}

/// A tokenizer of numbers between white space and comments.
private struct Words {
  let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The unread bytes.
  var rest: ArraySlice<UInt8> { bytes[position...] }

  /// True if only white space and comments are left.
  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return position == bytes.count
    }
  }

  mutating func skip(_ count: Int) {
    position = min(bytes.count, position + count)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      if bytes[position] == 0x23 {
        position = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      } else if bytes[position].isSpace {
        position += 1
      } else {
        return
      }
    }
  }

  /// Reads the next number, which is below 10⁹.
  mutating func number(_ what: String) throws(NetconvError) -> Int {
    skipSpace()
    var value: Int?
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      value = (value ?? 0) * 10 + Int(bytes[position] - 0x30)
      guard value ?? 0 < 1_000_000_000 else { throw .noNumber(what) }
      position += 1
    }
    guard let value, position == bytes.count || bytes[position].isSpace || bytes[position] == 0x23
    else { throw .noNumber(what) }
    return value
  }
}

extension UInt8 {
  /// True for ASCII white space.
  fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension NetconvError {
  fileprivate static func wrongPortableMap(_ what: String) -> NetconvError {
    NetconvError(.badData, "is not a valid PGM or PPM: it has \(what)")
  }

  fileprivate static func severalPictures(_ bytes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "has \(bytes) bytes after its picture; write each picture to its own file")
  }

  fileprivate static func tooLargeSample(_ sample: Int, largest: Int) -> NetconvError {
    NetconvError(.badData, "has a sample of \(sample), but states \(largest) as the largest")
  }

  fileprivate static func noNumber(_ what: String) -> NetconvError {
    NetconvError(.badData, "is not a valid PGM or PPM: its \(what) is not a number below a billion")
  }
}
