import ModelIR
import TestSupport
import Testing

@Suite struct TensorTests {
  private let spec = ParameterSpec(
    .kernel, .convolution, .hwio,
    [.height: 2, .width: 1, .inputChannels: 3, .outputChannels: 2])

  @Test func `values come in the layout that is wanted`() throws {
    let tensor = try Tensor(layer: "c", spec: spec, stored: stored(ramp(12)))
    #expect(try tensor.values() == ramp(12))
    let turned = try tensor.rearranged(to: .ohwi)
    #expect(turned.shape == [2, 2, 1, 3])
    #expect(turned.storedShape == [2, 1, 3, 2])
    #expect(try turned.values() == [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11])
    #expect(try turned.rearranged(to: .hwio).values() == ramp(12))
  }

  @Test func `values may be stored in another layout than the definition's`() throws {
    let tensor = try Tensor(
      layer: "c", spec: spec, stored: stored(ramp(12), .oihw, shape: [2, 3, 2, 1]))
    #expect(tensor.storedLayout == .oihw)
    #expect(
      try tensor.rearranged(to: .hwio).values() == [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11])
  }

  @Test func `a source that fails names layer and tensor`() throws {
    let tensor = try Tensor(
      layer: "c", spec: spec,
      stored: StoredTensor(
        source: CountedSource(count: 12), layout: nil, shape: nil, path: "p"))
    #expect(
      thrown { try tensor.values() }?.description
        == "layer 'c', tensor 'kernel': is only a number")
  }

  @Test func `element types know their size`() {
    #expect(
      ElementType.allCases.map { "\($0.rawValue) \($0.byteCount)" } == [
        "float16 2", "bfloat16 2", "float32 4", "float64 8", "int8 1", "uint8 1", "int16 2",
        "uint16 2",
        "int32 4", "uint32 4", "int64 8", "uint64 8",
      ])
  }
}
