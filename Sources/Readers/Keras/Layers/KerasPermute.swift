import ModelIR
import Operators

/// Source: keras/src/layers/reshaping/permute.py; axes are counted from 1.
enum KerasPermute: KerasLayerMapping {
  static let classNames = ["Permute"]
  static let operators: [any Operator.Type] = [Permute.self]

  static func maskRule(_ layer: KerasLayerConfig) -> KerasMaskRule { .drops }

  static func operation(of layer: KerasLayerConfig) throws(NetconvError) -> any Operator {
    let order = try layer.setting(
      "dims", default: nil, expected: "each axis once, counted from 1"
    ) { value -> [Int]? in
      guard let axes = value.array?.map({ $0.int ?? 0 }) else { return nil }
      return axes.sorted() == Array(1..<axes.count + 1) ? axes.map { $0 - 1 } : nil
    }
    return Permute(order: order)
  }
}
