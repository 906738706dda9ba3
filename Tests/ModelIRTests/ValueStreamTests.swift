import ModelIR
import Testing

/// Values that only float64 can hold, in memory.
private struct DoubleSource: TensorSource {
  let values: [Double]
  var elementType: ElementType { .float64 }
  var count: Int { values.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    for (place, index) in range.enumerated() { values[place] = Float(self.values[index]) }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    for (place, index) in range.enumerated() { values[place] = self.values[index] }
  }
}

@Suite struct ValueStreamTests {
  private static let spec = ParameterSpec(
    .kernel, .convolution, .hwio,
    [.height: 2, .width: 3, .inputChannels: 4, .outputChannels: 5])

  private static func tensor(
    _ source: any TensorSource, _ layout: Layout?, reversed: Set<Axis> = []
  ) throws -> Tensor {
    try Tensor(
      layer: "conv", spec: spec,
      stored: StoredTensor(
        source: source, layout: layout, reversed: reversed, shape: nil, path: "test"))
  }

  private static func all<Value>(_ stream: ValueStream<Value>) throws -> [Value] {
    var values: [Value] = []
    while let panel = try stream.next() { values += Array(panel) }
    return values
  }

  @Test(arguments: [1, 2, 7, 16, 59, 60, 119, 120, 1000])
  func `the canonical order is the same from every layout`(panelCount: Int) throws {
    // o·1000 + h·100 + w·10 + i, walked as O, H, W, I by four loops.
    func code(_ o: Int, _ h: Int, _ w: Int, _ i: Int) -> Double {
      let digits: Int = o * 1000 + h * 100 + w * 10 + i
      return Double(digits) + 0x1p-40
    }
    var canonical: [Double] = []
    var hwio = [Double](repeating: 0, count: 120)
    var rotated = hwio
    for o in 0..<5 {
      for h in 0..<2 {
        for w in 0..<3 {
          for i in 0..<4 {
            canonical.append(code(o, h, w, i))
            let (place, turned) = (((h * 3 + w) * 4 + i) * 5 + o, (o * 4 + i) * 6 + 5 - h * 3 - w)
            hwio[place] = code(o, h, w, i)
            rotated[turned] = code(o, h, w, i)
          }
        }
      }
    }
    let oihw = try Self.tensor(
      DoubleSource(values: rotated), .oihw, reversed: [.height, .width])
    for tensor in [try Self.tensor(DoubleSource(values: hwio), nil), oihw] {
      let doubles = ValueStream<Double>(try tensor.canonical(), panelCount: panelCount)
      #expect(try Self.all(doubles) == canonical)
      let floats = ValueStream<Float>(try tensor.canonical(), panelCount: panelCount)
      #expect(try Self.all(floats) == canonical.map { Float($0) })
    }
  }

  @Test(arguments: [
    ("HWIO", "OHWI"), ("(IHW)O", "OHWI"), ("1HW(IM)", "HWIM"), ("RQP", "RQP"), ("1C", "C"),
    ("DHWOI", "ODHWI"), ("(HWC)", "HWC"), ("1", "1"),
  ])
  func `a canonical layout has O, D, H, W, I, M, C and then the rest`(
    layout: String, canonical: String
  ) throws {
    #expect(try #require(Layout(layout)).canonical.description == canonical)
  }

  @Test func `a source that cannot be read is named`() throws {
    let tensor = try Self.tensor(CountedSource(count: 120), nil)
    let stream = ValueStream<Double>(tensor)
    let error = #expect(throws: NetconvError.self) { try stream.next() }
    #expect("\(try #require(error))" == "layer 'conv', tensor 'kernel': is only a number")
  }
}
