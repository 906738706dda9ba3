import ModelIR
import Operators
import Testing
import Transforms

@Suite struct DepthwiseTargetTests {
  private func layouts(_ operation: any Operator) throws -> [Layout?] {
    let target = try Target.named("mps")
    return try operation.parameters(for: [Shape([8, 9, 3])]).map { target.layout(for: $0) }
  }

  @Test func `Metal takes depthwise kernels with one output for each channel`() throws {
    let single = DepthwiseConvolution2D(kernelSize: Size2D(3, 2))
    #expect(try layouts(single) == [.imhw, .o])
    let double = DepthwiseConvolution2D(kernelSize: Size2D(3, 2), depthMultiplier: 2)
    #expect(try layouts(double) == [nil, .o])
    let separable = SeparableConvolution2D(
      outputChannels: 4, kernelSize: Size2D(3, 2), depthMultiplier: 2)
    #expect(try layouts(separable) == [nil, .ohwi, .o])
  }
}
