import ModelIR
import Operators

/// Layers on integers with attributes unlike the defaults.
enum QuantizedSamples {
  static let convolution = Quantized(
    Convolution2D(outputChannels: 2, kernelSize: Size2D(3, 4)), inputs: [bytes], output: signed,
    kernelScales: [0.5, 0.25], limits: -3...100, biasRemainders: [1, 0],
    isAsymmetric: true)

  static let signed = quantization(.int8, 0.5, 3)
  static let bytes = quantization(.uint8, 0.25, 128)
  static let wide = quantization(.int16, 0.125, 0)

  static func quantization(_ type: ElementType, _ scale: Float, _ zeroPoint: Int) -> Quantization {
    do {
      return try Quantization(type: type, scale: scale, zeroPoint: zeroPoint)
    } catch {
      fatalError("\(error)")
    }
  }
}
