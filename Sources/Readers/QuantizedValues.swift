import Documents
import ModelIR
import Synchronization

/// Integers and scales of a document, before it is known which scale belongs to which value.
struct QuantizedValues: TensorSource {
  let integers: any TensorSource
  let scales: any TensorSource
  /// True if the file continues after the scales.
  let hasMoreScales: Bool

  var elementType: ElementType { integers.elementType }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
  }
}

/// Integers that are multiplied by the scale of their output channel when they are read.
///
/// Products are rounded to float32, even when they are read as float64.
private struct DequantizedValues: TensorSource {
  let integers: any TensorSource
  let scales: Scales

  var elementType: ElementType { integers.elementType }
  var count: Int { integers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    let quantization = try scales.quantization()
    try integers.read(range, into: values)
    quantization.scale(
      UnsafeMutableBufferPointer(rebasing: values[..<range.count]), from: range.lowerBound)
  }
}

/// The scales of a tensor, read on first use.
private final class Scales: Sendable {
  private let source: any TensorSource
  private let channels: ChannelMap
  private let known = Mutex<ChannelQuantization?>(nil)

  init(_ source: any TensorSource, _ channels: ChannelMap) {
    self.source = source
    self.channels = channels
  }

  /// - Throws: `badData` if a scale is infinite or NaN; errors of the read.
  func quantization() throws(NetconvError) -> ChannelQuantization {
    if let known = known.withLock({ $0 }) { return known }
    var scales = [Float](repeating: 0, count: channels.count)
    var failure: NetconvError?
    scales.withUnsafeMutableBufferPointer { values in
      do throws(NetconvError) {
        try source.read(0..<channels.count, into: values)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    if let index = scales.firstIndex(where: { !$0.isFinite }) {
      throw .wrongScale(scales[index], channel: index)
    }
    let quantization = ChannelQuantization(scales: scales, channels: channels)
    known.withLock { $0 = quantization }
    return quantization
  }
}

extension ParameterDocument {
  /// Returns the values of a parameter together with their scales.
  ///
  /// - Parameter scales: opens the file of the scales.
  /// - Throws: `badData` if there are scales but the values are not int8.
  func quantized(
    _ values: any TensorSource, scales: (ScaleDocument) throws(NetconvError) -> any TensorSource
  ) throws(NetconvError) -> any TensorSource {
    guard let scale else { return values }
    guard values.elementType == .int8 else { throw .scaleWithoutIntegers(values.elementType) }
    return QuantizedValues(
      integers: values, scales: try scales(scale), hasMoreScales: scale.offset != nil)
  }
}

extension Parameterized {
  /// Returns a copy with integers multiplied by their scales, when the axes of each parameter are known.
  ///
  /// - Throws: `badData` unless there is a scale for each output channel.
  func dequantized() throws(NetconvError) -> Self {
    try mapTensors { tensor throws(NetconvError) in
      guard let values = tensor.stored.source as? QuantizedValues else { return tensor }
      guard let channels = tensor.channels else { throw .noOutputChannels(tensor.layout) }
      let found = values.scales.count
      guard values.hasMoreScales ? found >= channels.count : found == channels.count else {
        throw .wrongScaleCount(found, expected: channels.count, tensor.layout)
      }
      return tensor.reading(
        DequantizedValues(integers: values.integers, scales: Scales(values.scales, channels)))
    }
  }
}

extension NetconvError {
  fileprivate static func scaleWithoutIntegers(_ type: ElementType) -> NetconvError {
    NetconvError(
      .badData, "has scales, but values of \(type.rawValue); only int8 is multiplied by scales")
  }

  fileprivate static func noOutputChannels(_ layout: Layout) -> NetconvError {
    NetconvError(
      .badData,
      "has scales for its output channels, which the layout \(layout) does not separate; only kernels "
        + "with a separate axis of output channels have scales")
  }

  fileprivate static func wrongScaleCount(_ found: Int, expected: Int, _ layout: Layout)
    -> NetconvError
  {
    NetconvError(
      .badData,
      "has \(found) scales, but \(layout) has \(expected) output channels; each has one float32")
  }
}
