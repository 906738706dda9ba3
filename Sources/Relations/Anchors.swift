import ModelIR
import Processor

/// Values of tensors along lines through some of their elements, and their positions in another set
/// of weights.
///
/// A line along each axis shows how the axis was permuted, without an assumption about intermediate
/// shapes.
struct Anchors {
  /// The position of a value in another tensor.
  struct Occurrence: Sendable, Hashable {
    let tensor: Int
    let place: Int
  }

  /// An element of a tensor, with the values on the lines through it.
  struct Base {
    /// The index along each axis of size above 1.
    let index: [Int]
    /// The bit patterns along each of these axes.
    let lines: [[UInt32]]
    /// The bit pattern of the element itself.
    let bits: UInt32
  }

  private static let baseCount = 6
  /// The limit on the random positions that are tried to find base elements.
  private static let mostTries = 96
  /// The longest axis that is read as a line of values.
  private static let longestLine = 1 << 16
  /// A value that occurs more often does not identify its source.
  private static let mostOccurrences = 8

  /// The lines of each tensor; empty for tensors that are not searched.
  private(set) var bases: [[Base]] = []
  private var occurrences: [UInt32: [Occurrence]] = [:]

  /// Reads lines of the tensors `wanted` of `b`, and looks up their values in `a`.
  ///
  /// - Throws: An error if a tensor cannot be read, with its name.
  init(
    of b: [RelatedTensor], wanted: Set<Int>, in a: [RelatedTensor], _ team: ThreadTeam
  ) throws(NetconvError) {
    for (index, tensor) in b.enumerated() {
      do throws(NetconvError) {
        bases.append(wanted.contains(index) ? try Self.bases(of: tensor) : [])
      } catch {
        throw error.inTensor(tensor.name)
      }
    }
    var values: Set<UInt32> = []
    for base in bases.joined() {
      for line in base.lines { values.formUnion(line) }
      values.insert(base.bits)
    }
    values = values.filter { $0 & 0x7fff_ffff != 0 }
    guard !values.isEmpty else { return }
    try find(values, in: a, team)
  }

  /// The positions of a value; `nil` if it is zero or occurs too often.
  func occurrences(of bits: UInt32) -> [Occurrence]? {
    guard bits & 0x7fff_ffff != 0 else { return nil }
    let found = occurrences[bits] ?? []
    return found.count > Self.mostOccurrences ? nil : found
  }

  private static func bases(of tensor: RelatedTensor) throws(NetconvError) -> [Base] {
    let shape = tensor.shape.filter { $0 != 1 }
    guard shape.allSatisfy({ $0 <= longestLine }), tensor.count > 1 else { return [] }
    let values = ValueBits(tensor.source)
    let strides = rowMajorStrides(of: shape)
    var places = RandomPlaces(in: tensor.count)
    var bases: [Base] = []
    for _ in 0..<mostTries where bases.count < baseCount {
      let place = places.next()
      let bits = try values.bits(at: place)
      // Lines through a zero may contain nothing else.
      guard bits & 0x7fff_ffff != 0 else { continue }
      let index = zip(shape, strides).map { place / $1 % $0 }
      let lines = try shape.indices.map { axis throws(NetconvError) in
        let start = place - index[axis] * strides[axis]
        return try (0..<shape[axis]).map { step throws(NetconvError) in
          try values.bits(at: start + step * strides[axis])
        }
      }
      bases.append(Base(index: index, lines: lines, bits: bits))
    }
    return bases
  }

  // MARK: - Lookup of values

  /// A bit set of hashed bit patterns, which avoids most lookups in the dictionary.
  private struct Filter {
    private var words = [UInt64](repeating: 0, count: 1 << 14)

    init(_ values: Set<UInt32>) {
      for bits in values {
        let place = Self.place(of: bits)
        words[place >> 6] |= 1 << UInt64(place & 63)
      }
    }

    func mayHold(_ bits: UInt32) -> Bool {
      let place = Self.place(of: bits)
      return words[place >> 6] >> UInt64(place & 63) & 1 == 1
    }

    private static func place(of bits: UInt32) -> Int { Int((bits &* 0x9e37_79b1) >> 12) }
  }

  private mutating func find(
    _ values: Set<UInt32>, in tensors: [RelatedTensor], _ team: ThreadTeam
  ) throws(NetconvError) {
    let filter = Filter(values)
    let results = try tensors.sharedPieces(team) { index, piece throws(NetconvError) in
      var found: [UInt32: [Occurrence]] = [:]
      try tensors[index].source.forEachPiece(in: piece) { range, stored in
        for (offset, value) in stored.enumerated() {
          let bits = value.bitPattern
          guard filter.mayHold(bits), values.contains(bits),
            found[bits]?.count ?? 0 <= Self.mostOccurrences
          else { continue }
          found[bits, default: []].append(
            Occurrence(tensor: index, place: range.lowerBound + offset))
        }
      }
      return found
    }
    for result in results.joined() { occurrences.merge(result) { $0 + $1 } }
  }
}

extension [RelatedTensor] {
  private static var pieceCount: Int { 1 << 20 }

  /// Runs `body` on each piece of each tensor in several threads, and returns the results in order.
  ///
  /// - Throws: The first error, with the name of the tensor.
  func sharedPieces<Value: Sendable>(
    _ team: ThreadTeam,
    _ body: @escaping @Sendable (_ tensor: Int, _ piece: Range<Int>) throws(NetconvError) -> Value
  ) throws(NetconvError) -> [[Value]] {
    let pieces = enumerated().flatMap { index, tensor in
      stride(from: 0, to: tensor.count, by: Self.pieceCount).map {
        (tensor: index, range: $0..<Swift.min($0 + Self.pieceCount, tensor.count))
      }
    }
    let results = try team.results(pieces.count) { number throws(NetconvError) in
      let (tensor, range) = pieces[number]
      do throws(NetconvError) {
        return try body(tensor, range)
      } catch {
        throw error.inTensor(self[tensor].name)
      }
    }
    var values = [[Value]](repeating: [], count: count)
    for (piece, result) in zip(pieces, results) { values[piece.tensor].append(result) }
    return values
  }
}
