import ModelIR
import TestSupport
import Testing
import Writers

@Suite struct TensorSurveyTests {
  private func tensor(_ source: any TensorSource) throws -> Tensor {
    try Tensor(
      layer: "fc",
      spec: ParameterSpec(.kernel, .fullyConnected, .oi, [.inputChannels: source.count]),
      stored: StoredTensor(source: source, layout: nil, shape: nil, path: "k"))
  }

  private func rounding(
    _ values: [Float], _ type: ElementType, workers: Int = 1
  ) throws -> Rounding {
    let wish = TensorSurvey.Request(try tensor(ArraySource(values)), as: type)
    let survey = TensorSurvey(of: [wish], workers: workers)
    return try #require(try survey.roundings(in: survey.encodings()).first)
  }

  /// The same values among many others, so that groups of eight are met as well.
  private func among(_ values: [Float], _ other: Float) -> [Float] {
    [Float](repeating: other, count: 80) + values + [Float](repeating: other, count: 83)
  }

  @Test func `float16 by hand`() throws {
    // 1 + 2⁻¹¹ is a tie that becomes 1; 2⁻¹⁵ is subnormal and exact; 2⁻²⁵ is a tie that becomes 0.
    let values: [Float] = [
      1 + 0x1p-11, 0x1p-15, 0x1p-25, 70_000, -80_000, .nan, .infinity, 0x1p-140,
    ]
    for values in [values, among(values, 2)] {
      let found = try rounding(values, .float16)
      #expect(found.count == values.count)
      #expect(found.overflow.count == 2)
      #expect(found.overflow.first == values.firstIndex(of: 70_000))
      #expect(found.overflow.largest == 80_000)
      #expect(found.range == -80_000...70_000)
      #expect(found.subnormal == 1)
      #expect(found.zeroed == 2)
      #expect(found.worstRelativeError == 1)
    }
    let found = try rounding([1 + 0x1p-11, 0], .float16)
    #expect(found.worstRelativeError == Float(0x1p-11) / Float(1 + 0x1p-11))
    #expect(found.rmsRelativeError == Float(0x1p-11 / (1 + 0x1p-11)))
    #expect(found.range == 0...Float(1 + 0x1p-11))
    let small = try rounding(among([], 0x1.8p-16), .float16)
    #expect(small.subnormal == 163 && small.zeroed == 0 && small.worstRelativeError == 0)
    let gone = try rounding(among([], -0x1p-30), .float16)
    #expect(gone.subnormal == 0 && gone.zeroed == 163 && gone.rmsRelativeError == 1)
  }

  @Test func `bfloat16 overflows at the end of float32 only`() throws {
    let found = try rounding(among([3.38e38, 3.3895e38, -.greatestFiniteMagnitude], 1), .bfloat16)
    #expect(found.overflow.count == 1)
    #expect(found.overflow.first == 82)
    // Half a step past the largest, which is a tie.
    let ties = among([0x7f7f_7fff, 0x7f7f_8000].map { Float(bitPattern: $0) }, 1)
    #expect(try rounding(ties, .bfloat16).overflow.first == 81)
  }

  @Test func `int8 by hand`() throws {
    // The scale is 1.
    let found = try rounding([127, 0.25, 10.5, 0], .int8)
    #expect(found.zeroed == 1)
    #expect(found.subnormal == 0)
    #expect(found.worstRelativeError == 1)
    let (lost, all): (Double, Double) = (0.0625 + 0.25, 127 * 127 + 0.0625 + 110.25)
    #expect(found.rmsRelativeError == Float((lost / all).squareRoot()))
  }

  @Test func `zeros and nothing lose nothing`() throws {
    for type in [ElementType.float16, .bfloat16, .int8, .float32] {
      for values in [[], [0, -0.0], [Float](repeating: 0, count: 99)] as [[Float]] {
        let found = try rounding(values, type)
        #expect(found.overflow.count == 0 && found.zeroed == 0 && found.subnormal == 0)
        #expect(found.worstRelativeError == 0 && found.rmsRelativeError == 0)
        #expect(found.range == (values.isEmpty ? nil : 0...0))
      }
    }
  }

  @Test func `the sums do not depend on the number of workers`() throws {
    // Two parts of 4,194,304 values, and a few.
    let values = (0..<(1 << 22) + 70_001).map { index -> Float in
      let number = Float((index &* 7919) % 100_003)
      return number * 0x1.3p-17 - 0.4
    }
    for type in [ElementType.float16, .bfloat16, .int8] {
      let alone = try rounding(values, type)
      #expect(try rounding(values, type, workers: 2) == alone)
      #expect(try rounding(values, type, workers: 3) == alone)
      #expect(alone.rmsRelativeError > 0 && alone.rmsRelativeError < type.rmsRelativeErrorBound)
      // Value by value, in Double.
      var errors: Double = 0
      var squares: Double = 0
      if type == .float16 {
        for value in values {
          let error = Double(value - Half.float(from: Half.bits(from: value)))
          errors += error * error
          squares += Double(value) * Double(value)
        }
        #expect(alone.rmsRelativeError == Float((errors / squares).squareRoot()))
      }
    }
  }

  @Test func `only what becomes integers is read for its encoding`() throws {
    let failing = FailingSource(count: 8, failure: NetconvError(.inputOutput, "is gone"))
    let survey = TensorSurvey(of: [TensorSurvey.Request(try tensor(failing), as: .float16)])
    let encodings = try survey.encodings()
    let error = thrown { try survey.roundings(in: encodings) }
    #expect(error?.description == "layer 'fc', tensor 'kernel': is gone")
  }

  @Test func `a survey can be stopped`() throws {
    let wish = TensorSurvey.Request(try tensor(ArraySource(ramp(100))), as: .int8)
    let error = thrown {
      try TensorSurvey(of: [wish]) { () throws(NetconvError) in
        throw NetconvError(.interrupted, "stop")
      }.encodings()
    }
    #expect(error?.kind == .interrupted)
    #expect(error?.layer == nil)
  }
}
