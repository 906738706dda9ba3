import ModelIR
import Operators

// Layers without kernels.
extension DSLPhrase {
  /// - Throws: `badData` if the language cannot express the operator.
  static func plain(
    _ operation: any Operator, _ reads: [String]
  ) throws(NetconvError) -> DSLPhrase {
    switch operation {
    case let operation as MaxPooling2D: return pooling("MaxPooling", operation.window)
    case let operation as MaxPooling1D: return pooling("MaxPooling", operation.window)
    case let operation as AveragePooling2D: return pooling("AveragePooling", operation.window)
    case let operation as AveragePooling1D: return pooling("AveragePooling", operation.window)
    case let operation as GlobalMaxPooling2D:
      return global("GlobalMaxPooling", operation.keepDimensions)
    case let operation as GlobalMaxPooling1D:
      return global("GlobalMaxPooling1D", operation.keepDimensions)
    case let operation as GlobalAveragePooling2D:
      return global("GlobalAveragePooling", operation.keepDimensions)
    case let operation as GlobalAveragePooling1D:
      return global("GlobalAveragePooling1D", operation.keepDimensions)
    case let operation as AdaptiveMaxPooling2D: return adaptive("AdaptiveMaxPooling", operation)
    case let operation as AdaptiveMaxPooling1D: return adaptive("AdaptiveMaxPooling", operation)
    case let operation as AdaptiveAveragePooling2D:
      return adaptive("AdaptiveAveragePooling", operation)
    case let operation as AdaptiveAveragePooling1D:
      return adaptive("AdaptiveAveragePooling", operation)
    case let operation as Activation:
      return operation.function == .softmax(axis: -1)
        ? DSLPhrase("Softmax") : DSLPhrase("Activation", [operation.function.swiftText])
    case let operation as PReLU:
      return DSLPhrase(
        "PReLU", [operation.sharedAxes.isEmpty ? nil : "sharedAxes: \(operation.sharedAxes)"])
    case let operation as Concatenate:
      return DSLPhrase("Concatenate", [operation.axis == -1 ? nil : "axis: \(operation.axis)"])
    case let operation as any MergeOperator:
      return DSLPhrase(merge(type(of: operation).combination))
    default: return try moved(operation, reads)
    }
  }

  /// The phrase for an operator that changes shapes or moves values.
  private static func moved(
    _ operation: any Operator, _ reads: [String]
  ) throws(NetconvError) -> DSLPhrase {
    switch operation {
    case let operation as ZeroPadding2D:
      return DSLPhrase("ZeroPadding", sides(operation.padding))
    case let operation as ZeroPadding1D:
      return DSLPhrase("ZeroPadding1D", ends(operation.padding))
    case let operation as Cropping2D: return DSLPhrase("Cropping", sides(operation.cropping))
    case let operation as Cropping1D: return DSLPhrase("Cropping1D", ends(operation.cropping))
    case let operation as UpSampling2D: return enlarged(operation)
    case let operation as UpSampling1D: return enlarged(operation)
    case let operation as Resizing where operation.isPlain:
      return DSLPhrase(
        "Resize",
        [
          "width: \(operation.size.width)", "height: \(operation.size.height)",
          interpolation(operation.interpolation, standard: .bilinear),
        ])
    case is Flatten: return DSLPhrase("Flatten")
    case let operation as Reshape: return DSLPhrase("Reshape", ["shape: \(operation.shape)"])
    case let operation as Permute: return DSLPhrase("Permute", ["order: \(operation.order)"])
    case is Identity: return DSLPhrase("Identity")
    default: return try sequence(operation, reads)
    }
  }

  private static func pooling<Space: DSLAxes>(
    _ word: String, _ window: Window<Space>
  ) -> DSLPhrase {
    DSLPhrase(
      word + Space.ending,
      [
        "kernel: \(window.size.spoken)",
        window.strides == window.size ? nil : "stride: \(window.strides.spoken)",
        window.padding == .valid ? nil : "padding: .\(window.padding.swiftText)",
      ])
  }

  private static func adaptive<Pooling: AdaptivePoolingOperator>(
    _ word: String, _ operation: Pooling
  ) -> DSLPhrase where Pooling.Space: DSLAxes {
    DSLPhrase(word + Pooling.Space.ending, ["size: \(operation.outputSize.spoken)"])
  }

  private static func global(_ word: String, _ keepsDimensions: Bool) -> DSLPhrase {
    DSLPhrase(word, [keepsDimensions ? "keepDimensions: true" : nil])
  }

  private static func merge(_ combination: MergeCombination) -> String {
    switch combination {
    case .sum: "Add"
    case .difference: "Subtract"
    case .quotient: "Divide"
    case .product: "Multiply"
    case .mean: "Average"
    case .largest: "Maximum"
    case .smallest: "Minimum"
    }
  }

  private static func enlarged<Space: DSLAxes>(
    _ operation: SpatialUpSampling<Space>
  ) -> DSLPhrase {
    DSLPhrase(
      "UpSampling" + Space.ending,
      [
        "size: \(operation.size.spoken)",
        interpolation(operation.interpolation, standard: .nearest),
      ])
  }

  private static func interpolation(
    _ interpolation: Interpolation, standard: Interpolation
  ) -> String? {
    interpolation == standard ? nil : "interpolation: .\(interpolation.rawValue)"
  }

  private static func sides(_ sides: [[Int]]) -> [String] {
    [
      "left: \(sides[1][0])", "right: \(sides[1][1])", "top: \(sides[0][0])",
      "bottom: \(sides[0][1])",
    ]
  }

  private static func ends(_ sides: [[Int]]) -> [String] {
    ["before: \(sides[0][0])", "after: \(sides[0][1])"]
  }
}

extension Resizing {
  /// True if everything except size and interpolation has its default.
  fileprivate var isPlain: Bool {
    self == Resizing(size: size, interpolation: interpolation)
  }
}
