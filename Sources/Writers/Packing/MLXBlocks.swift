import ModelIR

/// MLX's affine groups: codes of a few bits with a scale and a bias.
///
/// Source: mlx 0.32, `mlx/backend/cpu/quantized.cpp`, `quantize`; each operation rounds to float32.
public struct MLXBlocks: BlockPacking, Equatable {
  /// The size of a code in bits.
  public let bits: Int
  /// The number of values in a group.
  public let groupSize: Int
  /// The type in which scales and biases are stored.
  public var parameterType = ElementType.float32

  /// The supported sizes of a code.
  public static let allBits = [2, 3, 4, 6, 8]
  /// The supported sizes of a group.
  public static let allGroupSizes = [32, 64, 128]

  /// Creates a form; `nil` if MLX does not have it.
  public init?(bits: Int, groupSize: Int) {
    guard Self.allBits.contains(bits), Self.allGroupSizes.contains(groupSize) else { return nil }
    (self.bits, self.groupSize) = (bits, groupSize)
  }

  /// A name such as `MLX 4 bits/64`.
  public var name: String { "MLX \(bits) bits/\(groupSize)" }
  /// The size of a group.
  public var valueCount: Int { groupSize }
  /// The codes of a group, without its scale and bias.
  public var byteCount: Int { groupSize * bits / 8 }

  private var largestCode: Float { Float(1 << bits - 1) }

  /// Quantises a group.
  public func pack(
    _ values: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(NetconvError) {
    let (scale, bias) = try parameters(of: values)
    var (pending, count, place) = (UInt64(0), 0, 0)
    for value in values {
      pending |= UInt64(code(value, scale, bias)) << UInt64(count)
      count += bits
      while count >= 8 {
        bytes[place] = UInt8(truncatingIfNeeded: pending)
        (pending, count, place) = (pending >> 8, count - 8, place + 1)
      }
    }
  }

  /// Replaces the values of a group by those that their codes stand for.
  public func requantize(
    _ values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let (scale, bias) = try parameters(of: UnsafeBufferPointer(values))
    var stored = [scale, bias]
    stored.withUnsafeMutableBufferPointer { parameterType.round($0) }
    for (index, value) in values.enumerated() {
      values[index] = code(value, scale, bias) * stored[0] + stored[1]
    }
  }

  /// The code of a value, as a number.
  private func code(_ value: Float, _ scale: Float, _ bias: Float) -> Float {
    min(largestCode, max(0, ((value - bias) / scale).rounded(.toNearestOrEven)))
  }

  /// The scale and bias of a group, before they are rounded to the type that they are stored in.
  func parameters(
    of values: UnsafeBufferPointer<Float>
  ) throws(NetconvError) -> (scale: Float, bias: Float) {
    var (least, most) = (Float.infinity, -Float.infinity)
    for value in values {
      guard value.isFinite else { throw .notFinite(value, self) }
      most = max(most, value)
      least = min(least, value)
    }
    let isNegative = least.magnitude > most.magnitude
    let step = max((most - least) / largestCode, 1e-7)
    let scale = isNegative ? step : -step
    let edge = isNegative ? least : most
    let count = (edge / scale).rounded(.toNearestOrEven)
    guard scale.isFinite else { throw .notFinite(scale, self) }
    return count == 0 ? (scale, 0) : (edge / count, edge)
  }
}

/// The scales or biases of MLX's groups, computed when they are read.
struct MLXParameters: TensorSource {
  let values: any TensorSource
  let blocks: MLXBlocks
  let isBias: Bool
  /// The type in which they are stored.
  let elementType: ElementType

  var count: Int { values.count / blocks.groupSize }
  var isSequential: Bool { values.isSequential }

  private static let blockCount = 1 << 11

  func read(
    _ range: Range<Int>, into found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let size = blocks.groupSize
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockCount) {
      let part = start..<min(start + Self.blockCount, range.upperBound)
      let group: [Float] = try values.values(part.lowerBound * size..<part.upperBound * size)
      var failure: NetconvError?
      group.withUnsafeBufferPointer { group in
        do throws(NetconvError) {
          for index in part {
            let first = (index - part.lowerBound) * size
            let (scale, bias) = try blocks.parameters(
              of: UnsafeBufferPointer(rebasing: group[first..<first + size]))
            found[index - range.lowerBound] = isBias ? bias : scale
          }
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    elementType.round(UnsafeMutableBufferPointer(rebasing: found[..<range.count]))
  }
}
