import Foundation
import ModelIR
import TestSupport
import Testing

/// Checked against ml_dtypes and numpy; `Tests/Fixtures/precision/make_precision.py` stores their results.
@Suite struct BFloat16Tests {
  private struct Record {
    let value: Float
    let float16: UInt16
    let bfloat16: UInt16
  }

  private let records: [Record]

  init() throws {
    let bytes = try Data(contentsOf: URL(filePath: Fixtures.path("precision/rounding.bin")))
    records = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { offset in
        Record(
          value: Float(
            bitPattern: UInt32(
              littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))),
          float16: UInt16(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)),
          bfloat16: UInt16(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self)))
      }
    }
  }

  /// The patterns of many values, made by `encode`.
  private func patterns(
    _ encode: (UnsafeBufferPointer<Float>, UnsafeMutableRawBufferPointer) -> Void
  ) -> [UInt16] {
    var patterns = [UInt16](repeating: 0, count: records.count)
    patterns.withUnsafeMutableBytes { bytes in
      records.map(\.value).withUnsafeBufferPointer { encode($0, bytes) }
    }
    return patterns
  }

  @Test func `rounds as ml_dtypes does: ties, subnormals, infinities`() {
    #expect(records.count > 5000)
    let many = patterns { BFloat16.encode($0, into: $1) }
    for (record, pattern) in zip(records, many) where !record.value.isNaN {
      #expect(BFloat16.bits(from: record.value) == record.bfloat16, "\(record.value)")
      #expect(pattern == record.bfloat16, "\(record.value)")
    }
  }

  @Test func `float16 rounds as numpy does`() {
    let many = patterns { Half.encode($0, into: $1) }
    for (record, pattern) in zip(records, many) where !record.value.isNaN {
      #expect(Half.bits(from: record.value) == record.float16, "\(record.value)")
      #expect(pattern == record.float16, "\(record.value)")
    }
  }

  @Test func `a NaN stays one and keeps its sign, one by one and among others`() {
    let many = patterns { BFloat16.encode($0, into: $1) }
    let numbers = zip(records, many).filter { $0.0.value.isNaN }
    #expect(numbers.count > 20)
    for (record, pattern) in numbers {
      #expect(pattern == BFloat16.bits(from: record.value))
      #expect(BFloat16.float(from: pattern).isNaN)
      #expect(pattern >> 15 == UInt16(record.value.bitPattern >> 31))
      // Quiet, with the upper bits of what it carried.
      #expect(pattern & 0x7f == UInt16(record.value.bitPattern >> 16) & 0x7f | 0x40)
    }
    #expect(BFloat16.bits(from: Float(bitPattern: 0x7f80_0001)) == 0x7fc0)
    #expect(BFloat16.bits(from: Float(bitPattern: 0xffff_ffff)) == 0xffff)
  }

  @Test func `every pattern comes back`() {
    let wrong = (UInt16.min...UInt16.max).filter { bits in
      let float = BFloat16.float(from: bits)
      return BFloat16.bits(from: float) != (float.isNaN ? bits | 0x40 : bits)
    }
    #expect(wrong == [])
  }

  @Test func `many values are rounded in place as one by one`() {
    for count in [0, 1, 7, 8, 9, 100, records.count] {
      let expected = records.prefix(count).map {
        BFloat16.float(from: BFloat16.bits(from: $0.value)).bitPattern
      }
      var values = records.prefix(count).map(\.value)
      values.withUnsafeMutableBufferPointer { BFloat16.round($0) }
      #expect(values.map(\.bitPattern) == expected)
    }
  }
}
