import NetconvKit
import TestSupport
import Testing

@Suite("The samples in half precision")
struct HalfPrecisionSampleTests {
  @Test(
    "lose less than 0.1 % of accuracy",
    arguments: ["deep-mnist/deep-mnist.h5", "lenet-blobs"])
  func accuracy(sample: String) throws {
    var request = VerifyRequest(path: Fixtures.sample(sample))
    let single = try Netconv.verify(request)
    request.precision = .float16
    let half = try Netconv.verify(request)
    #expect(half.precision == "float16")
    #expect(single.precision == "float32")
    let accuracies = (try #require(half.accuracy), try #require(single.accuracy))
    #expect(half.classification?.count == 10_000)
    #expect(abs(accuracies.0 - accuracies.1) <= 0.001)
  }
}
