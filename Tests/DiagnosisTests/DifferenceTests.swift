import Diagnosis
import Testing

@Suite struct DifferenceTests {
  @Test func measuresByHand() {
    let difference = Difference([1, 2.5, -3, 0], from: [1, 2, -4, 0])
    #expect(difference.count == 4)
    #expect(difference.maximumAbsolute == 1)
    #expect(difference.worstIndex == 2)
    #expect(difference.meanAbsolute == 0.375)
    #expect(difference.expectedMaximum == 4)
    // (1 + 5 + 12) / (sqrt(1 + 6.25 + 9) · sqrt(1 + 4 + 16))
    #expect(abs((difference.cosine ?? 0) - 18 / (16.25 * 21).squareRoot()) < 1e-15)
  }

  @Test func equalValuesDifferInNothing() {
    let values: [Float] = [1, .infinity, .nan, -.infinity, -0.0]
    let difference = Difference(values, from: [1, .infinity, .nan, -.infinity, 0])
    #expect(difference.maximumAbsolute == 0)
    #expect(difference.worstIndex == nil)
    #expect(difference.maximumULPs == 0)
    #expect(difference.mismatchedNonFinite == 0)
    #expect(difference.cosine == 1)
  }

  @Test func countsStepsBetweenFloats() {
    let one: Float = 1
    #expect(Difference([one.nextUp], from: [one]).maximumULPs == 1)
    #expect(Difference([one.nextDown], from: [one.nextUp]).maximumULPs == 2)
    let least = Float.leastNonzeroMagnitude
    #expect(Difference([least], from: [-least]).maximumULPs == 2)
    let greatest = Float.greatestFiniteMagnitude
    #expect(Difference([greatest], from: [-greatest]).maximumULPs == 2 * 0x7f7f_ffff)
  }

  @Test(
    arguments: [(Float.nan, Float(1)), (1, .nan), (.infinity, -.infinity), (.infinity, .nan)])
  func unlikeValuesThatAreNotFiniteAreCounted(actual: Float, expected: Float) {
    let difference = Difference([2, actual], from: [2, expected])
    #expect(difference.mismatchedNonFinite == 1)
    #expect(difference.firstMismatch == 1)
    #expect(difference.maximumAbsolute == 0)
    #expect(difference.cosine == 1)
  }

  @Test func pairsThatAreNotFiniteAreCountedAndSayNothing() {
    let some = Difference([1, .infinity, .nan], from: [1, .infinity, .nan])
    #expect(some.alikeNonFinite == 2)
    #expect(some.isKnown)
    let all = Difference([-.infinity, .nan], from: [-.infinity, .nan])
    #expect(all.alikeNonFinite == 2)
    #expect(all.mismatchedNonFinite == 0)
    #expect(!all.isKnown)
    #expect(all.cosine == nil)
    let none = Difference([], from: [])
    #expect(none.isKnown)
    #expect(none.cosine == 1)
  }

  @Test func theAngleOfNumbersWhoseSquaresAreTooLargeOrTooSmallIsUnknown() {
    for value in [1e200, 1e-200] {
      var difference = Difference()
      difference.add(value, expected: value)
      #expect(difference.cosine == nil)
    }
  }

  @Test func theAngleToNothingIsUnknown() {
    #expect(Difference([1, 1], from: [0, 0]).cosine == nil)
    #expect(Difference([0, 0], from: [0, 0]).cosine == 1)
    #expect(Difference([1, 0], from: [0, 1]).cosine == 0)
  }
}
