import ModelIR
import NetconvKit
import TestSupport
import Testing

@Suite("Accuracy and its interval")
struct WilsonTests {
  // The two solutions x of (p - x)² = z² · x · (1 - x) / n, found by bisection.
  @Test(
    "the interval is Wilson's",
    arguments: [
      (0, 10, 0.0, 0.2775327998628892), (10, 10, 0.7224672001371108, 1.0),
      (7, 10, 0.3967781474611453, 0.8922087325936989),
      (9953, 10000, 0.9937561129811471, 0.9964634982328606),
    ])
  func interval(correct: Int, count: Int, lower: Double, upper: Double) {
    let interval = WilsonInterval(successes: correct, of: count)
    #expect(abs(interval.lower - lower) < 1e-9)
    #expect(abs(interval.upper - upper) < 1e-9)
  }
}
