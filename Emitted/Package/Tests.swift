import Metal
import NAME
import NAMEGoldens
import XCTest

/// The network on the device that runs the tests, which can be a phone.
final class NAMETests: XCTestCase {
  func testLayers() throws {
    let device = try XCTUnwrap(MTLCreateSystemDefaultDevice(), "no Metal device")
    let comparison = try NAMEComparison(
      NAMEArchive.bundled(), NAMEGoldens.bundled(), on: device)
    XCTAssertTrue(comparison.isRight, "\(comparison)")
  }
}
