import Documents
import Files
import Foundation
import ModelIR
import Operators
import TestSupport
import Testing
import Writers

/// int8 and bfloat16 through the survey and the pipeline, against sums worked out value by value.
@Suite struct QuantizedTensorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let sizes: [Axis: Int] = [
    .outputChannels: 13, .inputChannels: 5, .height: 3, .width: 2, .multiplier: 3,
  ]

  /// A kernel of odd sizes that is stored in one layout and requested in another.
  private func kernel(
    _ kind: ParameterKind, _ stored: String, _ wanted: String, reversed: Set<Axis> = [],
    _ change: (inout [Float]) -> Void = { _ in }
  ) throws -> Tensor {
    let from = try #require(Layout(stored))
    let sizes = Self.sizes.filter { from.axes.contains($0.key) }
    let count = from.axes.reduce(1) { $0 * (sizes[$1] ?? 1) }
    var values = (0..<count).map { index -> Float in
      let number = Float((index * 7919) % 1009 - 504)
      return index % 7 == 0 ? number * 0.01 : number * 0.003
    }
    change(&values)
    return try Tensor(
      layer: "l", spec: ParameterSpec(.kernel, kind, from, sizes),
      stored: StoredTensor(source: ArraySource(values), layout: from, shape: nil, path: "k")
    ).rearranged(to: try #require(Layout(wanted)), reversed: reversed)
  }

  private func entries(_ tensor: Tensor, _ type: ElementType) throws -> [OutputPlan.Entry] {
    let encodings = try TensorSurvey(of: [.init(tensor, as: type)], workers: 2).encodings()
    let weights = try Weights(
      name: "w", layers: [LayerWeights(name: "l", parameters: [tensor])])
    return try OutputPlan(.weights(weights), formats: [.bin], encodings: encodings)
      .entries
  }

  private func place(_ name: String) throws -> Placement {
    Placement(file: try OutputFile(creating: folder.file(name)), offset: 0)
  }

  private static let layouts: [(ParameterKind, String, String)] = [
    (.convolution, "HWIO", "OHWI"), (.convolution, "HWIO", "HWIO"), (.convolution, "OIHW", "HWIO"),
    (.convolution, "OHWI", "IHWO"), (.transposedConvolution, "HWOI", "OHWI"),
    (.transposedConvolution, "HWOI", "HWOI"), (.fullyConnected, "IO", "OI"),
    (.fullyConnected, "(HWI)O", "OHWI"), (.fullyConnected, "O(IHW)", "(HWI)O"),
    (.depthwise, "HWIM", "IMHW"), (.depthwise, "HWIM", "1HW(IM)"), (.depthwise, "IMHW", "MIHW"),
  ]

  @Test(arguments: layouts)
  func `integers and scales are those of the values as they are written`(
    kind: ParameterKind, stored: String, wanted: String
  ) throws {
    for reversed: Set<Axis> in [[], [.height, .width]] {
      let tensor = try kernel(kind, stored, wanted, reversed: reversed)
      let entries = try entries(tensor, .int8)
      #expect(entries.map(\.name) == ["l_W", "l_W_scale"])
      #expect(entries[0].scale == "l_W_scale")
      let arranged = try tensor.values()
      // The channel of each written value, by its axes.
      let axes = tensor.layout.axes
      let channelAxes = kind == .depthwise ? [Axis.inputChannels, .multiplier] : [.outputChannels]
      var channels: [Int] = []
      for index in arranged.indices {
        var rest = index
        var places: [Axis: Int] = [:]
        for axis in axes.reversed() {
          places[axis] = rest % (Self.sizes[axis] ?? 1)
          rest /= Self.sizes[axis] ?? 1
        }
        channels.append(
          axes.filter(channelAxes.contains)
            .reduce(0) { $0 * (Self.sizes[$1] ?? 1) + (places[$1] ?? 0) })
      }
      var largest: [Int: Float] = [:]
      for (channel, value) in zip(channels, arranged) {
        largest[channel] = max(largest[channel] ?? 0, abs(value))
      }
      let scales = (0..<largest.count).map {
        ChannelQuantization.scale(forLargest: largest[$0] ?? 0)
      }
      let expected = zip(channels, arranged).map { channel, value in
        UInt8(
          bitPattern: Int8((Double(value) / Double(scales[channel])).rounded(.toNearestOrEven)))
      }
      for (panelCount, workers) in [(1 << 16, 1), (7, 1), (64, 3)] {
        let (kernel, scale) = (
          "W\(reversed.count) \(panelCount)", "s\(reversed.count) \(panelCount)"
        )
        _ = try entries[0].write(to: [place(kernel)], panelCount: panelCount, workers: workers)
        #expect(try folder.bytes(kernel) == expected)
        _ = try entries[1].write(to: [place(scale)], panelCount: panelCount, workers: workers)
        #expect(try folder.bytes(scale) == littleEndian(scales))
      }
    }
  }

  @Test(arguments: [ElementType.int8, .bfloat16])
  func `a damaged byte anywhere is found`(type: ElementType) throws {
    let entry = try entries(try kernel(.convolution, "HWIO", "OHWI"), type)[0]
    for byte in stride(from: 0, to: entry.byteCount, by: 7) {
      let checks = Counter()
      let path = folder.file("\(byte)")
      let error = thrown {
        try entry.write(to: [place("\(byte)")]) { () throws(NetconvError) in
          guard checks.next() == 2 else { return }
          let handle = FileHandle(forUpdatingAtPath: path)
          handle?.seek(toFileOffset: UInt64(byte))
          handle?.write(Data([0x55]))
        }
      }
      #expect(error?.kind == .internal, "\(byte)")
    }
  }

  @Test(arguments: [ElementType.int8, .bfloat16])
  func `statistics are those of what is written, and say what was lost`(type: ElementType) throws {
    let tensor = try kernel(.convolution, "HWIO", "OHWI")
    let entry = try entries(tensor, type)[0]
    let written = try entry.write(to: [place("W")], panelCount: 11)
    let statistics = written.statistics
    let rounding = try #require(written.rounding)
    // In other parts, without writing.
    let survey = TensorSurvey(of: [.init(tensor, as: type)])
    #expect(try survey.roundings(in: [entry.encoding]) == [rounding])
    #expect(statistics.worstRelativeError == rounding.worstRelativeError)
    #expect(statistics.rmsRelativeError == rounding.rmsRelativeError)
    let values = try tensor.values()
    #expect(rounding.range == (values.min() ?? 0)...(values.max() ?? 0))
    #expect(rounding.rmsRelativeError > 0 && rounding.rmsRelativeError < 0.01)
    #expect(abs(try #require(statistics.max) / Double(values.max() ?? 0) - 1) < 0x1p-8)
  }

  @Test(arguments: [Float.infinity, -.infinity, .nan])
  func `what is no number cannot be an integer`(value: Float) throws {
    let tensor = try kernel(.fullyConnected, "IO", "OI") { $0[17] = value }
    let error = thrown { try entries(tensor, .int8) }
    #expect(error?.kind == .badData)
    #expect(
      error?.description
        == "layer 'l', tensor 'kernel': holds values that are infinite or NaN, which int8 "
        + "cannot represent; name another type, as in float32 for 'l'")
  }

  @Test func `channels have to stand alone`() throws {
    let tensor = try kernel(.convolution, "HWIO", "HW(IO)")
    let error = thrown { try entries(tensor, .int8) }
    #expect(error?.kind == .usage)
    #expect(
      error?.description
        == "layer 'l', tensor 'kernel': int8 has a scale for each output channel, but the layout "
        + "HW(IO) does not separate them; name another type, as in float32 for 'l'")
  }
}
