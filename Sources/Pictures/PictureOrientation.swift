public import ImageFilters

/// The orientation of a stored picture, with the values of EXIF.
public enum PictureOrientation: Int, Sendable, CaseIterable {
  /// The first row is at the top, the first column at the left.
  case upright = 1
  /// Mirrored horizontally.
  case mirrored
  /// Rotated by 180 degrees.
  case halfTurn
  /// Mirrored vertically.
  case flipped
  /// Transposed: rows are columns from the left.
  case transposed
  /// Upright after a rotation by 90 degrees clockwise.
  case quarterTurnRight
  /// Transposed along the other diagonal: rows are columns from the right, starting at the bottom.
  case transverse
  /// Upright after a rotation by 90 degrees counterclockwise.
  case quarterTurnLeft

  /// Reads the orientation from EXIF data; `nil` if there is none.
  init?(exif bytes: ArraySlice<UInt8>) {
    guard let field = ExifData(bytes)?.orientation else { return nil }
    self.init(rawValue: field)
  }

  /// True if rows and columns are exchanged.
  private var exchangesAxes: Bool { rawValue >= 5 }

  /// Returns the picture in upright orientation.
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

  /// The row and column in the stored picture for a position in the upright one.
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

/// The first directory of EXIF data, which is a TIFF file without a picture.
private struct ExifData {
  private let bytes: ArraySlice<UInt8>
  private let isLittleEndian: Bool

  /// - Returns: `nil` unless the data has the magic of TIFF.
  init?(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    switch Array(bytes.prefix(4)) {
    case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
    case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
    default: return nil
    }
  }

  /// The value of the orientation tag, a 16-bit number.
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
