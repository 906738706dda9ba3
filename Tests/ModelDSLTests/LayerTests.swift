import ModelDSL
import ModelIR
import NetconvKit
import Testing

import struct Operators.RMSNormalization
import struct Operators.UnitNormalization

/// Every layer with sizes that differ in width and height, so that a mix-up shows.
@Suite struct LayerTests {
  private func shape(
    _ layer: some NetworkLayer, width: Int = 9, height: Int = 5, channels: Int = 4
  ) throws -> String {
    let input = Input(width: width, height: height, channels: channels)
    let output = input --> layer
    let model = try Model(input: input, output: output, parameters: anything)
    let image = NDArray<Float>(
      shape: [1, height, width, channels], values: numbers(height * width * channels))
    let fast = try EngineKind.fast.engine(for: model).run(["input": image])[output.name]
    let slow = try EngineKind.reference.engine(for: model).run(["input": image])[output.name]
    let (a, b) = (try #require(fast), try #require(slow))
    let largest = b.values.reduce(1) { max($0, abs($1)) }
    #expect(zip(a.values, b.values).allSatisfy { abs($0 - $1) <= 1e-4 * largest })
    let parameters = model.tensors.map { "\($0.spec.role) \($0.shape)" }
    return ([model.shape(of: output.name)?.description ?? ""] + parameters)
      .joined(separator: "; ")
  }

  @Test func `resizing`() throws {
    #expect(try shape(Resize(width: 7, height: 3)) == "(3, 7, 4)")
    #expect(
      try shape(Resize(width: 18, height: 10, interpolation: .nearest)) == "(10, 18, 4)")
  }

  @Test func `convolution is padded by default; tuples are (width, height)`() throws {
    #expect(
      try shape(Convolution(kernel: (7, 1), channels: 6, name: "c"))
        == "(5, 9, 6); kernel [1, 7, 4, 6]; bias [6]")
    #expect(
      try shape(Convolution(kernel: (7, 1), channels: 6, padding: .valid, name: "c"))
        == "(5, 3, 6); kernel [1, 7, 4, 6]; bias [6]")
    #expect(
      try shape(
        Convolution(
          kernel: (3, 2), channels: 6, stride: (3, 1), groups: 2, useBias: false, name: "c"))
        == "(5, 3, 6); kernel [2, 3, 2, 6]")
    #expect(
      try shape(
        Convolution(kernel: (2, 3), channels: 1, dilation: (4, 1), padding: .valid, name: "c"))
        == "(3, 5, 1); kernel [3, 2, 4, 1]; bias [1]")
  }

  @Test func `depthwise convolution`() throws {
    #expect(
      try shape(DepthwiseConvolution(kernel: (3, 1), multiplier: 2, stride: (2, 1), name: "d"))
        == "(5, 5, 8); kernel [1, 3, 4, 2]; bias [8]")
    #expect(
      try shape(
        DepthwiseConvolution(kernel: (1, 4), padding: .valid, useBias: false, name: "d"))
        == "(2, 9, 4); kernel [4, 1, 4, 1]")
  }

  @Test func `a dense layer flattens an image`() throws {
    #expect(
      try shape(Dense(neurons: 3, name: "d")) == "(3); kernel [180, 3]; bias [3]")
    #expect(try shape(Dense(neurons: 3, useBias: false, name: "d")) == "(3); kernel [180, 3]")
  }

  @Test func `pooling is not padded by default`() throws {
    #expect(try shape(MaxPooling(kernel: (2, 5))) == "(1, 4, 4)")
    #expect(try shape(MaxPooling(kernel: (3, 2), stride: (1, 3))) == "(2, 7, 4)")
    #expect(try shape(AveragePooling(kernel: (4, 1))) == "(5, 2, 4)")
    #expect(
      try shape(AveragePooling(kernel: (4, 3), stride: (2, 1), padding: .same)) == "(5, 5, 4)")
    #expect(try shape(GlobalAveragePooling()) == "(4)")
    #expect(try shape(GlobalAveragePooling(keepDimensions: true)) == "(1, 1, 4)")
    #expect(try shape(GlobalMaxPooling()) == "(4)")
  }

  @Test func `normalisation and activations`() throws {
    #expect(
      try shape(BatchNormalization(name: "n"))
        == "(5, 9, 4); gamma [4]; beta [4]; mean [4]; variance [4]")
    #expect(
      try shape(BatchNormalization(epsilon: 0.1, useScale: false, name: "n"))
        == "(5, 9, 4); beta [4]; mean [4]; variance [4]")
    #expect(
      try shape(BatchNormalization(useOffset: false, name: "n"))
        == "(5, 9, 4); gamma [4]; mean [4]; variance [4]")
    #expect(try shape(Activation(.relu6)) == "(5, 9, 4)")
    #expect(try shape(Softmax()) == "(5, 9, 4)")
    #expect(try shape(Flatten()) == "(180)")
    #expect(try shape(Identity()) == "(5, 9, 4)")
    #expect(
      try shape(BatchNormalization(axis: 1, useScale: false, useOffset: false, name: "n"))
        == "(5, 9, 4); mean [9]; variance [9]")
  }

  @Test func `separable and transposed convolutions`() throws {
    #expect(
      try shape(SeparableConvolution(kernel: (3, 2), channels: 6, multiplier: 2, name: "s"))
        == "(5, 9, 6); depthwise [2, 3, 4, 2]; pointwise [1, 1, 8, 6]; bias [6]")
    #expect(
      try shape(
        SeparableConvolution(
          kernel: (3, 2), channels: 6, stride: (2, 2), padding: .valid, useBias: false, name: "s"))
        == "(2, 4, 6); depthwise [2, 3, 4, 1]; pointwise [1, 1, 4, 6]")
    #expect(
      try shape(TransposedConvolution(kernel: (3, 2), channels: 6, stride: (3, 2), name: "t"))
        == "(10, 27, 6); kernel [2, 3, 6, 4]; bias [6]")
    #expect(
      try shape(
        TransposedConvolution(
          kernel: (3, 2), channels: 6, stride: (3, 2), padding: .valid, outputPadding: (2, 0),
          useBias: false, name: "t")) == "(10, 29, 6); kernel [2, 3, 6, 4]")
  }

  @Test func `cropping, enlarging, and other shapes`() throws {
    #expect(try shape(Cropping(left: 1, right: 2, top: 3)) == "(2, 6, 4)")
    #expect(try shape(UpSampling(size: (3, 2))) == "(10, 27, 4)")
    #expect(try shape(UpSampling(size: (1, 2), interpolation: .bilinear)) == "(10, 9, 4)")
    #expect(try shape(Permute(order: [2, 0, 1])) == "(4, 5, 9)")
    #expect(try shape(Reshape(shape: [15, -1])) == "(15, 12)")
    #expect(try shape(Reverse()) == "(5, 9, 4)")
    #expect(try shape(PReLU(sharedAxes: [0, 1], name: "p")) == "(5, 9, 4); alpha [1, 1, 4]")
    #expect(try shape(LayerNormalization(name: "n")) == "(5, 9, 4); gamma [4]; beta [4]")
    #expect(
      try shape(LayerNormalization(axis: [1, 2], useScale: false, useOffset: false, name: "n"))
        == "(5, 9, 4)")
    #expect(
      try shape(Dense(neurons: 3, flattens: false, name: "d"))
        == "(5, 9, 3); kernel [4, 3]; bias [3]")
  }

  @Test func `padding by itself has four sides`() throws {
    #expect(try shape(ZeroPadding(left: 1, right: 2, top: 4)) == "(9, 12, 4)")
    #expect(try shape(ZeroPadding(bottom: 3)) == "(8, 9, 4)")
  }

  @Test func `any operator can be a layer; with parameters it needs a name`() throws {
    #expect(try shape(OperatorLayer(UnitNormalization())) == "(5, 9, 4)")
    #expect(
      try shape(OperatorLayer(RMSNormalization(), name: "r")) == "(5, 9, 4); gamma [4]")
    let input = Input(width: 9, height: 5, channels: 4)
    let output = input --> OperatorLayer(RMSNormalization())
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: output, parameters: anything)
      }
        == "layer 'layer_1': the layer has parameters (gamma) but no name; give it a name "
        + "to load them by; it reads (5, 9, 4)")
  }

  @Test func `sums and concatenations`() throws {
    let input = Input(width: 9, height: 5, channels: 4)
    let left = input --> Convolution(kernel: (1, 1), channels: 4, name: "left")
    let sum = Add([input, left])
    let output = Concatenate([sum, Concatenate([left, input], axis: 1)], axis: 1)
    let model = try Model(input: input, output: output, parameters: anything)
    #expect(model.shape(of: "concat_1") == Shape([5, 18, 4]))
    #expect(model.shape(of: "concat_2") == Shape([5, 27, 4]))
    #expect(model.layer(named: "concat_2")?.inputs == ["add_1", "concat_1"])
  }
}
