import ModelIR
import TestSupport
import Testing

@Suite struct ParameterSpecTests {
  private func kernel(features: Int) -> ParameterSpec {
    ParameterSpec(
      .kernel, .fullyConnected, .io, [.inputChannels: features, .outputChannels: 10],
      featureAxis: .inputChannels)
  }

  @Test func `a flatten of rows and columns is revealed`() throws {
    let spec = kernel(features: 7 * 5 * 64).revealing(flattened: [7, 5, 64])
    #expect(spec.layout.description == "(HWI)O")
    #expect(
      spec.sizes == [.height: 7, .width: 5, .inputChannels: 64, .outputChannels: 10])
    #expect(spec.role == .kernel && spec.kind == .fullyConnected)
    #expect(try spec.count() == 22_400)
  }

  @Test func `sequences and volumes are revealed too`() {
    let sequence = kernel(features: 7 * 5).revealing(flattened: [7, 5])
    #expect(sequence.layout.description == "(WI)O")
    #expect(sequence.sizes[.width] == 7 && sequence.sizes[.inputChannels] == 5)
    let volume = kernel(features: 210).revealing(flattened: [7, 5, 3, 2])
    #expect(volume.layout.description == "(DHWI)O")
    #expect(volume.sizes[.depth] == 7 && volume.sizes[.inputChannels] == 2)
  }

  @Test func `a vector behind a flatten carries the same group`() {
    let gamma = ParameterSpec(
      .gamma, .vector, .c, [.channels: 30], isOptional: true, featureAxis: .channels)
    let spec = gamma.revealing(flattened: [2, 3, 5])
    #expect(spec.layout.description == "(HWC)")
    #expect(spec.sizes == [.height: 2, .width: 3, .channels: 5])
    #expect(spec.isOptional)
  }

  @Test(arguments: [[1, 1, 30], [1, 30], [30], [2, 3, 6], [], [1, 1, 1, 30], [2, 1, 3, 1, 5]])
  func `nothing is revealed where nothing hides`(shape: [Int]) {
    #expect(kernel(features: 30).revealing(flattened: shape) == kernel(features: 30))
  }

  @Test func `a shape that overflows reveals nothing`() {
    #expect(
      kernel(features: 30).revealing(flattened: [1 << 40, 1 << 40, 2]) == kernel(features: 30))
  }

  @Test func `a parameter without a feature axis stays as it is`() {
    let bias = ParameterSpec(.bias, .vector, .o, [.outputChannels: 30])
    #expect(bias.revealing(flattened: [2, 3, 5]) == bias)
  }

  @Test func `a count that overflows names the sizes in the order of the layout`() {
    let spec = ParameterSpec(
      .kernel, .convolution, .hwio,
      [.height: 3, .width: 1 << 20, .inputChannels: 1 << 30, .outputChannels: 1 << 20])
    #expect(
      thrown { try spec.count() }?.description
        == "sizes [3, 1048576, 1073741824, 1048576] are negative or multiply to more than this "
        + "machine can count; the file is damaged or invalid")
  }

  @Test func `files are named W and b, and else by role`() {
    let roles: [ParameterRole] = [.kernel, .bias, .gamma, .beta, .mean, .variance]
    #expect(roles.map(\.fileSuffix) == ["W", "b", "gamma", "beta", "mean", "variance"])
    #expect(ParameterRole(rawValue: "alpha").fileSuffix == "alpha")
  }
}
