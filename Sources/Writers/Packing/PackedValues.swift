import ModelIR

/// A form of quantised weights: blocks of values as blocks of bytes.
public protocol BlockPacking: Sendable {
  /// The name of the form.
  var name: String { get }
  /// The number of values in a block.
  var valueCount: Int { get }
  /// The size of a block in bytes.
  var byteCount: Int { get }

  /// Quantises a block.
  ///
  /// - Throws: `badData` if a value cannot be represented.
  func pack(
    _ values: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(NetconvError)

  /// Replaces the values of a block by those that it has after its quantisation.
  ///
  /// - Throws: `badData` if a value cannot be represented.
  func requantize(_ values: UnsafeMutableBufferPointer<Float>) throws(NetconvError)
}

/// The bytes of a quantised tensor, computed when they are read.
public struct PackedValues: TensorSource {
  /// The values before quantisation.
  public let values: any TensorSource
  /// The shape of the values.
  public let shape: [Int]
  /// The form of the blocks.
  public let packing: any BlockPacking

  /// Creates the bytes of `values`.
  ///
  /// - Precondition: the last axis of `shape` is a multiple of the size of a block.
  public init(_ values: any TensorSource, shape: [Int], as packing: any BlockPacking) {
    precondition((shape.last ?? 1).isMultiple(of: packing.valueCount), "blocks cross rows")
    self.values = values
    self.shape = shape
    self.packing = packing
  }

  /// uint8.
  public var elementType: ElementType { .uint8 }
  /// The number of bytes.
  public var count: Int { values.count / packing.valueCount * packing.byteCount }
  /// True if the values are best read in order.
  public var isSequential: Bool { values.isSequential }

  /// The shape of the bytes.
  public var byteShape: [Int] {
    shape.dropLast() + [(shape.last ?? 1) / packing.valueCount * packing.byteCount]
  }

  /// The number of blocks that are in memory at once.
  private static let blockCount = 1 << 11

  /// Quantises the blocks that contain `range`.
  public func read(
    _ range: Range<Int>, into bytes: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    let size = packing.byteCount
    let blocks = range.lowerBound / size..<last / size + 1
    for start in stride(from: blocks.lowerBound, to: blocks.upperBound, by: Self.blockCount) {
      let part = start..<min(start + Self.blockCount, blocks.upperBound)
      let found = try packed(part)
      let used = range.clamped(to: part.lowerBound * size..<part.upperBound * size)
      for index in used { bytes[index - range.lowerBound] = Float(found[index - start * size]) }
    }
  }

  /// The bytes of some blocks.
  private func packed(_ blocks: Range<Int>) throws(NetconvError) -> [UInt8] {
    let (count, size) = (packing.valueCount, packing.byteCount)
    let found: [Float] = try values.values(
      blocks.lowerBound * count..<blocks.upperBound * count)
    var bytes = [UInt8](repeating: 0, count: blocks.count * size)
    var failure: NetconvError?
    found.withUnsafeBufferPointer { values in
      bytes.withUnsafeMutableBufferPointer { bytes in
        do throws(NetconvError) {
          for block in 0..<blocks.count {
            try packing.pack(
              UnsafeBufferPointer(rebasing: values[block * count..<(block + 1) * count]),
              into: UnsafeMutableBufferPointer(
                rebasing: bytes[block * size..<(block + 1) * size]))
          }
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Values as they are after their quantisation.
public struct RequantizedValues: TensorSource {
  /// The values before quantisation.
  public let values: any TensorSource
  /// The form of the blocks.
  public let packing: any BlockPacking

  /// Creates the values that `values` have after their quantisation.
  ///
  /// - Precondition: their number is a multiple of the size of a block.
  public init(_ values: any TensorSource, as packing: any BlockPacking) {
    self.values = values
    self.packing = packing
  }

  /// float32.
  public var elementType: ElementType { .float32 }
  /// The number of values.
  public var count: Int { values.count }
  /// True if the values are best read in order.
  public var isSequential: Bool { values.isSequential }

  /// Quantises the blocks that contain `range`.
  public func read(
    _ range: Range<Int>, into found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    let size = packing.valueCount
    let blocks = range.lowerBound / size * size..<min(count, (last / size + 1) * size)
    var all: [Float] = try values.values(blocks)
    var failure: NetconvError?
    all.withUnsafeMutableBufferPointer { all in
      do throws(NetconvError) {
        for start in stride(from: 0, to: all.count, by: size) {
          try packing.requantize(UnsafeMutableBufferPointer(rebasing: all[start..<start + size]))
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    let first = range.lowerBound - blocks.lowerBound
    _ = found.update(fromContentsOf: all[first..<first + range.count])
  }
}

extension NetconvError {
  static func notFinite(_ value: Float, _ packing: any BlockPacking) -> NetconvError {
    NetconvError(.badData, "holds \(value), which \(packing.name) cannot represent")
  }

  static func scaleTooLarge(_ scale: Float, _ packing: any BlockPacking) -> NetconvError {
    NetconvError(
      .badData,
      "has values of which the scale is \(scale), too large for the float16 that \(packing.name) has"
    )
  }
}
