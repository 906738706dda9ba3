import Foundation
import ModelIR

/// Parameters that no file holds: each value is a hash of layer, role and index, as in
/// Tests/Fixtures/inception-v3/make_inception.py.
enum HashedParameters {
  static let loader = ParameterLoader { layer, spec in
    let shape = spec.layout.axes.map { spec.sizes[$0] ?? 1 }
    let count = shape.reduce(1, *)
    let numbers = hashed("\(layer)/\(spec.role)", count)
    let fanIn = Double(shape.dropLast().reduce(1, *))
    let limit = spec.role == .kernel ? (6 / fanIn).squareRoot() : 0.1
    return StoredTensor(
      numbers.map { Float(spec.role == .variance ? 0.5 + $0 : (2 * $0 - 1) * limit) })
  }

  /// `count` numbers from 0 to 1: FNV-1a of the text, then SplitMix64 of each index.
  static func hashed(_ text: String, _ count: Int) -> [Double] {
    var seed: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return (1...count).map { index in
      var x = seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15
      x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
      x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
      x ^= x >> 31
      return Double(x >> 40) / Double(1 << 24)
    }
  }
}
