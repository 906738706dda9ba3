import ModelIR

/// Codes packed into words along rows, decoded by a table to values before scaling.
///
/// Each row begins with a new word.
struct PackedCodes: TensorSource {
  /// The order of codes in the words of a row.
  enum Order: Sendable {
    /// A contiguous bit stream, lowest bit first; a code may span two words.
    case stream
    /// Whole codes per word: the code at index `i` of a word is in the bit field `places[i]`, counted from the lowest.
    case places([Int])
    /// Two codes per byte, the first in the high nibble.
    case highFirst
  }

  /// The words, of ``wordBits`` bits each, row by row.
  let words: any TensorSource
  let wordBits: Int
  let bits: Int
  /// The number of codes in a row.
  let columns: Int
  /// The length of a row in words.
  let wordColumns: Int
  let order: Order
  /// The value of each code.
  let numbers: [Float]

  var elementType: ElementType { .float32 }
  var count: Int { columns == 0 ? 0 : words.count / wordColumns * columns }
  var isSequential: Bool { words.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    let (first, end) = (words(of: range.lowerBound).lowerBound, words(of: last).upperBound)
    let found = try words.integers(first..<end)
    var index = range.lowerBound
    while index <= last {
      let row = index / columns
      let next = min(last + 1, (row + 1) * columns)
      let start = row * wordColumns - first
      for place in index..<next {
        let code = code(place - row * columns, in: found, from: start)
        values[place - range.lowerBound] = numbers[code]
      }
      index = next
    }
  }

  /// The indices of the words that hold a code.
  private func words(of index: Int) -> Range<Int> {
    let (row, column) = (index / columns, index % columns)
    let (first, last) =
      switch order {
      case .stream: (column * bits / wordBits, (column * bits + bits - 1) / wordBits)
      case .places(let places): (column / places.count, column / places.count)
      case .highFirst: (column / 2, column / 2)
      }
    return row * wordColumns + first..<row * wordColumns + last + 1
  }

  @inline(__always)
  private func code(_ column: Int, in words: [UInt32], from start: Int) -> Int {
    let mask = 1 << bits - 1
    switch order {
    case .stream:
      let bit = column * bits
      let place = start + bit / wordBits
      var word = UInt64(words[place])
      if bit % wordBits + bits > wordBits { word |= UInt64(words[place + 1]) << UInt64(wordBits) }
      return Int(word >> UInt64(bit % wordBits)) & mask
    case .places(let places):
      let word = Int(words[start + column / places.count])
      return word >> (places[column % places.count] * bits) & mask
    case .highFirst:
      return Int(words[start + column / 2]) >> (column.isMultiple(of: 2) ? 4 : 0) & mask
    }
  }
}

/// Codes packed along columns: a column of words holds the codes of a column.
struct ColumnCodes: TensorSource {
  /// The 32-bit words, row by row.
  let words: any TensorSource
  let bits: Int
  let rows: Int
  let columns: Int
  /// The number of codes per word; `nil` if a code may span two words.
  let codesInWord: Int?
  /// The value of each code.
  let numbers: [Float]

  var elementType: ElementType { .float32 }
  var count: Int { rows * columns }

  /// The number of rows of words for `rows` rows of codes.
  static func wordRows(of rows: Int, bits: Int, codesInWord: Int?) -> Int {
    codesInWord.map { (rows + $0 - 1) / $0 } ?? (rows * bits + 31) / 32
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    let mask = UInt64(1) << UInt64(bits) - 1
    let first = bit(of: range.lowerBound / columns) / 32
    let end = (bit(of: last / columns) + bits - 1) / 32 + 1
    let found = try words.integers(first * columns..<end * columns)
    for index in range {
      let bit = bit(of: index / columns)
      let place = (bit / 32 - first) * columns + index % columns
      var word = UInt64(found[place])
      if bit % 32 + bits > 32 { word |= UInt64(found[place + columns]) << 32 }
      values[index - range.lowerBound] = numbers[Int(word >> UInt64(bit % 32) & mask)]
    }
  }

  /// The bit offset of a row's codes in a column.
  @inline(__always)
  private func bit(of row: Int) -> Int {
    guard let codesInWord else { return row * bits }
    return row / codesInWord * 32 + row % codesInWord * bits
  }
}

extension TensorSource {
  /// Reads integers of at most 32 bits as bit patterns.
  ///
  /// - Throws: The errors of reading.
  func integers(_ range: Range<Int>) throws(NetconvError) -> [UInt32] {
    // float64 represents them exactly.
    let numbers: [Double] = try values(range)
    return numbers.map { UInt32(truncatingIfNeeded: Int64($0)) }
  }

  /// Reads all values.
  ///
  /// - Throws: The errors of reading.
  func allValues() throws(NetconvError) -> [Float] { try floats(0..<count) }

  /// Reads the values in `range`.
  ///
  /// - Throws: The errors of reading, or an error if the values may not fit in memory.
  func floats(_ range: Range<Int>) throws(NetconvError) -> [Float] {
    try MemoryBound.check(file: range.count * 4)
    return try values(range)
  }
}
