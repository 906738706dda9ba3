import ModelIR
import TestSupport
import Testing
import Writers

@Suite struct OutputPlanTests {
  @Test func `every tensor has a name, a type, a size and a place`() throws {
    let plan = try OutputPlan(
      .model(try smallModel()), formats: [.bin, .archive],
      elementType: { $0.spec.role == .kernel ? .float16 : .float32 })
    #expect(plan.entries.map(\.name) == ["conv_W", "conv_b"])
    #expect(
      plan.entries.map { $0.places[.bin]?.file } == ["weights/conv_W.bin", "weights/conv_b.bin"])
    #expect(plan.entries.map(\.elementType) == [.float16, .float32])
    #expect(plan.entries.map(\.byteCount) == [240, 20])
    #expect(plan.entries.map { $0.places[.archive]?.offset } == [256, 768])
  }

  @Test func `without an archive there is no place in it`() throws {
    let plan = try OutputPlan(
      .model(try smallModel()), formats: [.bin], elementType: { _ in .float32 })
    #expect(plan.entries.map { $0.places[.archive]?.offset } == [nil, nil])
  }

  @Test(arguments: [1, 16, 4096, 16_384])
  func `tensors of the archive are aligned`(alignment: Int) throws {
    let plan = try OutputPlan(
      .model(try smallModel()), formats: [.archive], alignment: alignment,
      elementType: { _ in .float32 })
    let offsets = plan.entries.compactMap { $0.places[.archive]?.offset }
    #expect(offsets.count == 2)
    #expect(offsets.allSatisfy { $0 % alignment == 0 })
    #expect(offsets[1] >= offsets[0] + 480)
  }

  @Test func `the naming is applied`() throws {
    let plan = try OutputPlan(
      .model(try smallModel()), formats: [.bin], naming: try FileNaming(template: "{role}"),
      elementType: { _ in .float32 })
    #expect(plan.entries.map { $0.places[.bin]?.file } == ["weights/W.bin", "weights/b.bin"])
  }
}
