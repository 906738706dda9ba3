import ModelIR
import TestSupport
import Testing

@Suite struct ShapeTests {
  @Test func `prints as Keras does`() {
    #expect(Shape([28, 28, 1]).description == "(28, 28, 1)")
    #expect(Shape([nil, 3]).description == "(None, 3)")
    #expect(Shape([] as [Int]).description == "()")
  }

  @Test func `counts what is known and can be counted`() {
    #expect(Shape([2, 3, 4]).count == 24)
    #expect(Shape([] as [Int]).count == 1)
    #expect(Shape([2, nil]).count == nil)
    #expect(Shape([1 << 40, 1 << 40]).count == nil)
    #expect(Shape([2, nil]).known == nil)
    #expect(Shape([2, 3]).known == [2, 3])
  }

  @Test func `shapes are compatible where both are known`() {
    #expect(Shape([2, nil]).isCompatible(with: Shape([nil, 3])))
    #expect(Shape([2, 3]).isCompatible(with: Shape([2, 3])))
    #expect(!Shape([2, 3]).isCompatible(with: Shape([2, 4])))
    #expect(!Shape([2, 3]).isCompatible(with: Shape([2, 3, 1])))
    #expect(!Shape([] as [Int]).isCompatible(with: Shape([nil])))
  }

  @Test func `a product that overflows, or of a negative size, is an error`() throws {
    #expect(try product([]) == 1)
    #expect(try product([3, 0, 5]) == 0)
    #expect(try product([.max, 1]) == .max)
    #expect(thrown { try product([.max, 2]) }?.kind == .badData)
    #expect(
      thrown { try product([2, -3]) }?.description
        == "sizes [2, -3] are negative or multiply to more than this machine can count; the file is "
        + "damaged or invalid")
    #expect(thrown { try product([-1]) } != nil)
    #expect(thrown { try product([.min, -1]) } != nil)
  }
}
