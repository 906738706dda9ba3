public import ImageFilters

/// Where the first row and the first column of a stored picture are seen; the numbers are those of EXIF.
public enum PictureOrientation: Int, Sendable, CaseIterable {
  /// The first row is on top, the first column on the left.
  case upright = 1
  /// Left and right are exchanged.
  case mirrored
  /// Turned by half a circle.
  case halfTurn
  /// Top and bottom are exchanged.
  case flipped
  /// Rows are columns, from the left.
  case transposed
  /// A quarter turn to the right makes it upright.
  case quarterTurnRight
  /// Rows are columns, from the right, and from the bottom.
  case transverse
  /// A quarter turn to the left makes it upright.
  case quarterTurnLeft

  /// The orientation that EXIF data states; `nil` if it states none.
  init?(exif bytes: ArraySlice<UInt8>) {
    guard let field = ExifData(bytes)?.orientation else { return nil }
    self.init(rawValue: field)
  }

  /// Whether rows become columns.
  private var exchangesAxes: Bool { rawValue >= 5 }

  /// The picture as it is to be seen.
  public func upright(_ picture: Picture) -> Picture {
    guard self != .upright else { return picture }
    let (height, width) = (picture.height, picture.width)
    let (rows, columns) = exchangesAxes ? (width, height) : (height, width)
    let channels = picture.channels
    let values = [Float](unsafeUninitializedCapacity: picture.values.count) { buffer, count in
      var place = 0
      for row in 0..<rows {
        for column in 0..<columns {
          let (from, at) = origin(row, column, height: height, width: width)
          let first = (from * width + at) * channels
          for value in picture.values[first..<first + channels] {
            buffer[place] = value
            place += 1
          }
        }
      }
      count = place
    }
    return Picture(
      height: rows, width: columns, channels: channels, hasAlpha: picture.hasAlpha,
      encoding: picture.encoding, order: picture.order, values: values)
  }

  /// The row and the column of a stored picture that are seen at a place.
  private func origin(_ row: Int, _ column: Int, height: Int, width: Int) -> (Int, Int) {
    switch self {
    case .upright: (row, column)
    case .mirrored: (row, width - 1 - column)
    case .halfTurn: (height - 1 - row, width - 1 - column)
    case .flipped: (height - 1 - row, column)
    case .transposed: (column, row)
    case .quarterTurnRight: (height - 1 - column, row)
    case .transverse: (height - 1 - column, width - 1 - row)
    case .quarterTurnLeft: (column, width - 1 - row)
    }
  }
}

/// The first directory of EXIF data: a TIFF file without a picture.
private struct ExifData {
  private let bytes: ArraySlice<UInt8>
  private let isLittleEndian: Bool

  /// - Returns: `nil` unless it begins as TIFF does.
  init?(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    switch Array(bytes.prefix(4)) {
    case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
    case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
    default: return nil
    }
  }

  /// The value of the tag of the orientation, a number of 16 bits.
  var orientation: Int? {
    guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2)
    else { return nil }
    for entry in 0..<count {
      let place = directory + 2 + 12 * entry
      guard let tag = number(at: place, bytes: 2) else { return nil }
      if tag == 0x0112, number(at: place + 2, bytes: 2) == 3 {
        return number(at: place + 8, bytes: 2)
      }
    }
    return nil
  }

  private func number(at offset: Int, bytes count: Int) -> Int? {
    guard offset <= bytes.count - count else { return nil }
    let digits = bytes.dropFirst(offset).prefix(count)
    return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) {
      $0 << 8 | Int($1)
    }
  }
}
