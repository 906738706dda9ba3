import FlatBuffers
import ModelIR
import Operators

extension SpatialMaxPooling: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String {
    "`MAX_POOL_2D`, behind `PADV2` where padding is neither same nor valid"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let image = graph.planar(try graph.expanded(x[0]), Space.self)
    let (window, input) = try graph.window(
      window, over: image, padding: -Double(Float.greatestFiniteMagnitude))
    return [graph.lines(graph.pool(.maxPool2D, input, window), Space.self)]
  }
}

extension SpatialAveragePooling: TFLiteForm where Space: PlanarAxes {
  static var tfliteOperations: String {
    "`AVERAGE_POOL_2D`; where padding is neither same nor valid, behind `PAD` and divided by counts"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let image = graph.planar(try graph.expanded(x[0]), Space.self)
    let (planar, input) = try graph.window(window, over: image)
    var pooled = graph.pool(.averagePool2D, input, planar)
    if input.name != image.name {
      pooled = try graph.binary(.mul, pooled, ratios(planar, image, &graph))
    }
    return [graph.lines(pooled, Space.self)]
  }

  /// Returns the size of a window divided by the number of its pixels that are no padding.
  private func ratios(
    _ window: TFLiteGraphBuilder.PlanarWindow, _ image: TFLiteValue,
    _ graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> TFLiteValue {
    let lengths = Array(try image.known().prefix(2))
    let counts = zip(window.axes, lengths).map { axis, length in
      (0..<axis.count(in: length)).map { index in
        let start = index * axis.stride - axis.paddingBefore(length)
        return min(length, start + axis.size) - max(0, start)
      }
    }
    let size = Double(window.axes[0].size * window.axes[1].size)
    let ratios = counts[0].flatMap { row in counts[1].map { size / Double(row * $0) } }
    return graph.floats(ratios, [1, counts[0].count, counts[1].count, 1])
  }
}

extension SpatialGlobalAveragePooling: TFLiteForm {
  static var tfliteOperations: String { "`MEAN`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [graph.reduce(.mean, x[0], along: Array(1..<x[0].rank), keeps: keepDimensions)]
  }
}

extension SpatialGlobalMaxPooling: TFLiteForm {
  static var tfliteOperations: String { "`REDUCE_MAX`" }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    [graph.reduce(.reduceMax, x[0], along: Array(1..<x[0].rank), keeps: keepDimensions)]
  }
}

extension SpatialAdaptiveMaxPooling: TFLiteForm {
  static var tfliteOperations: String {
    "`STRIDED_SLICE`, `REDUCE_MAX` and `CONCATENATION` along each axis"
  }

  func write(
    _ x: [TFLiteValue], _ layer: TFLiteLayer, to graph: inout TFLiteGraphBuilder
  ) throws(NetconvError) -> [TFLiteValue] {
    let shape = try x[0].known()
    var value = x[0]
    for (index, count) in outputSize.sizes.enumerated() {
      let axis = index + 1
      let parts = try adaptiveWindows(count, over: shape[index]).map {
        window throws(NetconvError) in
        let part = try graph.slice(
          value,
          [
            .init(
              axis: axis, start: window.lowerBound, end: window.upperBound, step: 1,
              count: window.count)
          ])
        return graph.reduce(.reduceMax, part, along: [axis])
      }
      value = graph.concatenate(parts, along: axis)
    }
    return [value]
  }
}

extension TFLiteGraphBuilder {
  fileprivate mutating func pool(
    _ type: TFLiteBuiltin, _ x: TFLiteValue, _ window: PlanarWindow
  ) -> TFLiteValue {
    var fields = window.fields
    fields[3] = .int(window.axes[1].size)
    fields[4] = .int(window.axes[0].size)
    return add(
      type, [x], (5, fields), sizes: [x.sizes[0]] + window.lengths + [x.sizes[3]])
  }
}
