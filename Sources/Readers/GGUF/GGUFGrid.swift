import ModelIR

/// A block format in which values of a group are a scale times one of some numbers, plus an offset.
protocol GGUFGridBlock: GGUFBlock {
  /// The numbers that codes stand for, in ascending order.
  static var numbers: [Float] { get }
  /// The number of values with one scale.
  static var groupSize: Int { get }

  /// The scale and the offset of a group.
  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float)
}

extension GGUFGridBlock {
  /// 32 values.
  static var groupSize: Int { 32 }

  /// The number at the start of the block, and no offset.
  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    (block.half(at: 0), 0)
  }
}

/// The numbers of the codes next to those of blocks.
struct GGUFNeighbours: TensorSource {
  let values: GGUFBlockSource
  let block: any GGUFGridBlock.Type
  let side: GridSide

  var elementType: ElementType { .float32 }
  var count: Int { values.count }

  func read(
    _ range: Range<Int>, into found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try values.read(range, into: found)
    guard !range.isEmpty else { return }
    try replace(block, range, in: found)
  }

  private func replace<Block: GGUFGridBlock>(
    _: Block.Type, _ range: Range<Int>, in found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let (size, bytes) = (Block.valueCount, Block.byteCount)
    let blocks = range.lowerBound / size..<(range.upperBound - 1) / size + 1
    let groups = size / Block.groupSize
    var index = blocks.lowerBound * groups
    try values.file.forEachChunk(
      in: values.offset + blocks.lowerBound * bytes..<values.offset + blocks.upperBound * bytes,
      of: bytes << 10
    ) { chunk in
      guard let start = chunk.baseAddress else { return }
      for offset in stride(from: 0, to: chunk.count / bytes * bytes, by: bytes) {
        let block = BlockBytes(start + offset, values.byteOrder)
        for group in 0..<groups {
          let (scale, offset) = Block.grid(group, of: block)
          let own = (index * Block.groupSize..<(index + 1) * Block.groupSize).clamped(to: range)
          for place in own {
            found[place - range.lowerBound] = neighbour(
              of: found[place - range.lowerBound], Block.numbers, scale, offset)
          }
          index += 1
        }
      }
    }
  }

  /// The number of the next code above or below the nearest one to a value.
  private func neighbour(
    of value: Float, _ numbers: [Float], _ scale: Float, _ offset: Float
  ) -> Float {
    guard scale != 0, scale.isFinite else { return .nan }
    let wanted = (value - offset) / scale
    var (low, high) = (0, numbers.count - 1)
    while low < high {
      let middle = (low + high) / 2
      let isAbove = (numbers[middle] + numbers[middle + 1]) / 2 < wanted
      (low, high) = isAbove ? (middle + 1, high) : (low, middle)
    }
    let next = side == .above ? low + 1 : low - 1
    guard numbers.indices.contains(next) else { return scale * side.infinity }
    return numbers[next] * scale + offset
  }
}

extension GGUFBlockSource: GriddedSource {
  func neighbours(_ side: GridSide) -> (any TensorSource)? {
    (block as? any GGUFGridBlock.Type).map { GGUFNeighbours(values: self, block: $0, side: side) }
  }
}

/// Consecutive integers as numbers.
private func integers(_ range: ClosedRange<Int>) -> [Float] { range.map(Float.init) }

extension Q4_0: GGUFGridBlock {
  static let numbers = integers(-8...7)
}

extension Q4_1: GGUFGridBlock {
  static let numbers = integers(0...15)

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    (block.half(at: 0), block.half(at: 2))
  }
}

extension Q5_0: GGUFGridBlock {
  static let numbers = integers(-16...15)
}

extension Q5_1: GGUFGridBlock {
  static let numbers = integers(0...31)

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    (block.half(at: 0), block.half(at: 2))
  }
}

extension Q8_0: GGUFGridBlock {
  static let numbers = integers(-128...127)
}

extension Q2_K: GGUFGridBlock {
  static let numbers = integers(0...3)
  static var groupSize: Int { 16 }

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    let packed = block[group]
    return (block.half(at: 80) * Float(packed & 15), -block.half(at: 82) * Float(packed >> 4))
  }
}

extension Q3_K: GGUFGridBlock {
  static let numbers = integers(-4...3)
  static var groupSize: Int { 16 }

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    (block.half(at: 108) * Float(scale(group, of: block) - 32), 0)
  }
}

extension Q4_K: GGUFGridBlock {
  static let numbers = integers(0...15)

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    let (six, sixLeast) = scaleAndLeast(group, of: block, at: 4)
    return (block.half(at: 0) * Float(six), -block.half(at: 2) * Float(sixLeast))
  }
}

extension Q5_K: GGUFGridBlock {
  static let numbers = integers(0...31)

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    Q4_K.grid(group, of: block)
  }
}

extension Q6_K: GGUFGridBlock {
  static let numbers = integers(-32...31)
  static var groupSize: Int { 16 }

  static func grid(_ group: Int, of block: BlockBytes) -> (scale: Float, offset: Float) {
    (block.half(at: 208) * Float(block.signed(at: 192 + group)), 0)
  }
}

extension IQ4_NL: GGUFGridBlock {
  static let numbers = (0..<16).map(number)
}
