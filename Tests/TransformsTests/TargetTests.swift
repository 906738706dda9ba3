import ModelIR
import Operators
import TestSupport
import Testing
import Transforms

@Suite struct TargetTests {
  private func spec(_ kind: ParameterKind, _ layout: Layout) -> ParameterSpec {
    ParameterSpec(.kernel, kind, layout, [:])
  }

  @Test func `targets are found by name, and each has its own`() throws {
    for target in Target.all {
      #expect(try Target.named(target.name) == target)
      #expect(!target.summary.isEmpty && !target.elementTypes.isEmpty)
    }
    #expect(Set(Target.all.map(\.name)).count == Target.all.count)
  }

  @Test func `an unknown target lists the known ones`() {
    let error = thrown { try Target.named("MPS") }
    #expect(error?.kind == .usage)
    #expect(
      error?.description
        == "there is no target 'MPS'; known are " + Target.all.map(\.name).joined(separator: ", "))
  }

  @Test func `MPS wants kernels as OHWI, and vectors as they are`() throws {
    let mps = try Target.named("mps")
    #expect(mps.layout(for: spec(.convolution, .hwio)) == .ohwi)
    #expect(mps.layout(for: spec(.convolution, .oihw)) == .ohwi)
    #expect(mps.layout(for: spec(.fullyConnected, .io)) == .ohwi)
    #expect(try mps.layout(for: spec(.fullyConnected, #require(Layout("(HWI)O")))) == .ohwi)
    for layout in [Layout.o, .c, try #require(Layout("(HWC)"))] {
      #expect(mps.layout(for: spec(.vector, layout)) == layout)
    }
  }

  @Test func `MPS has no layout for what a flatten of more than an image hides`() throws {
    let mps = try Target.named("mps")
    let layout = try #require(Layout("(DHWI)O"))
    let sizes: [Axis: Int] = [.depth: 2, .height: 3, .width: 4, .inputChannels: 5]
    let spec = ParameterSpec(.kernel, .fullyConnected, layout, sizes)
    #expect(mps.layout(for: spec) == nil)
    let flat = ParameterSpec(
      .kernel, .fullyConnected, layout, sizes.merging([.depth: 1], uniquingKeysWith: { $1 }))
    #expect(mps.layout(for: flat) == .ohwi)
  }

  @Test func `MPS takes biases in float32 only`() throws {
    let mps = try Target.named("mps")
    for type in [ElementType.float16, .float32] {
      try mps.check(type)
      #expect(mps.elementType(of: spec(.convolution, .hwio), kernelType: type) == type)
      #expect(mps.elementType(of: spec(.fullyConnected, .io), kernelType: type) == type)
      #expect(mps.elementType(of: spec(.vector, .o), kernelType: type) == .float32)
    }
  }

  @Test func `MPS takes kernels in float32 and float16 only`() throws {
    let mps = try Target.named("mps")
    for type in ElementType.allCases where type != .float16 && type != .float32 {
      let error = thrown { try mps.check(type) }
      #expect(error?.kind == .usage)
      #expect(
        error?.description
          == "target mps does not accept \(type.rawValue) kernels; it accepts float32, float16")
    }
  }
}
