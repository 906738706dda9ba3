import ModelIR
import Operators
import Testing

@Suite struct ActivationTests {
  private func apply(_ function: ActivationFunction, _ values: [Double]) throws -> [Double] {
    let x = NDArray<Double>(shape: [values.count], values: values)
    return try Activation(function).evaluate([x], [:]).values
  }

  @Test func `agrees with TensorFlow`() throws {
    try expectTensorFlow("Activation", cases: 43, tolerance: functionTolerance)
  }

  @Test func `relu has a threshold, a slope below it and a cap`() throws {
    let x: [Double] = [-4, 0, 1, 1.5, 3]
    let relu = { ActivationFunction.relu(maxValue: $0, negativeSlope: $1, threshold: $2) }
    #expect(try apply(.relu, x) == [0, 0, 1, 1.5, 3])
    #expect(try apply(relu(2, 0, 0), x) == [0, 0, 1, 1.5, 2])
    #expect(try apply(relu(nil, 0, 1.25), x) == [0, 0, 0, 1.5, 3])
    #expect(try apply(relu(2, 0.5, 1), x) == [-2.5, -0.5, 1, 1.5, 2])
    #expect(try apply(.relu6, [-1, 5, 7]) == [0, 5, 6])
    #expect(try apply(.leakyReLU(negativeSlope: 0.25), x) == [-1, 0, 1, 1.5, 3])
  }

  @Test func `infinity through a flat relu is no NaN`() throws {
    #expect(try apply(.relu, [-.infinity, .infinity]) == [0, .infinity])
  }

  @Test(
    arguments: [
      .linear, .relu, .relu6, .leakyReLU(negativeSlope: 0.5), .elu(alpha: 2), .sigmoid, .tanh,
      .softmax(axis: 0), .logSoftmax(axis: 0), .exponential, .softplus,
      .softsign, .hardTanh, .hardSigmoid(slope: 0.2), .silu, .hardSilu, .gelu(approximate: false),
      .gelu(approximate: true), .selu, .mish, .celu(alpha: 2), .logSigmoid,
      .hardShrink(threshold: 1), .softShrink(threshold: 1), .tanhShrink, .sparsePlus,
      .sparseSigmoid, .squareplus(b: 4), .threshold(threshold: 1, value: 2),
    ] as [ActivationFunction])
  func `a NaN stays one`(function: ActivationFunction) throws {
    #expect(try apply(function, [.nan]).allSatisfy(\.isNaN))
  }

  @Test func `softmax is taken along its axis, and large values do not overflow`() throws {
    let x = NDArray<Double>(shape: [2, 2], values: [1000, 0, 1000, 0])
    #expect(try Activation(.softmax(axis: 0)).evaluate([x], [:]).values == [0.5, 0.5, 0.5, 0.5])
    #expect(try Activation(.softmax(axis: -1)).evaluate([x], [:]).values == [1, 0, 1, 0])
  }

  @Test func `far from 0 nothing overflows`() throws {
    let x: [Double] = [-.infinity, -1000, 1000]
    for function in [
      .silu, .hardSilu, .gelu(approximate: false), .gelu(approximate: true), .mish,
    ] as [ActivationFunction] {
      #expect(try apply(function, x).map { $0 + 0 } == [0, 0, 1000], "\(function)")
    }
    #expect(try apply(.softplus, x) == [0, 0, 1000])
    #expect(try apply(.logSigmoid, x) == [-.infinity, -1000, 0])
    #expect(try apply(.logSoftmax(axis: 0), [1000, -1000]) == [0, -2000])
  }

  @Test func `refuses an axis that is not there`() {
    #expect(
      message { () throws(NetconvError) in
        _ = try Activation(.softmax(axis: -3)).outputShape(for: [Shape([2, nil])])
      } == "axis -3 does not exist in an input of rank 2 (the batch is not counted)")
  }

  @Test func `lists the functions when a name is unknown`() {
    #expect(
      decodingProblem(Activation.self, #"{"function": "sigmoidal"}"#)
        == "unknown activation 'sigmoidal'; known are celu, elu, exponential, gelu, hardShrink, "
        + "hardSigmoid, hardSilu, hardTanh, leakyRelu, linear, logSigmoid, logSoftmax, mish, relu, relu6, "
        + "selu, sigmoid, silu, softShrink, softmax, softplus, softsign, sparsePlus, sparseSigmoid, "
        + "squareplus, tanh, tanhShrink, threshold; did you mean 'sigmoid'?")
  }

  @Test func `keeps the shape`() throws {
    let shape = Shape([nil, 3])
    #expect(try Activation(.tanh).outputShape(for: [shape]) == shape)
    #expect(Activation(.tanh).axisFlow(from: [shape]) == .elementwise)
  }
}
