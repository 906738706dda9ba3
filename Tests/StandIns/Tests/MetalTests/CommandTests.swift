import Metal
import Testing

@Suite struct CommandTests {
  final class Log: @unchecked Sendable { var entries: [Int] = [] }

  @Test func `work runs after the commit, in the order of commits`() throws {
    let queue = try #require(MTLCreateSystemDefaultDevice()?.makeCommandQueue())
    let (first, second) = (
      try #require(queue.makeCommandBuffer()), try #require(queue.makeCommandBuffer())
    )
    let log = Log()
    second.encode { log.entries.append(3) }
    first.encode { log.entries.append(1) }
    first.encode { log.entries.append(2) }
    #expect(first.status == .notEnqueued && log.entries.isEmpty)
    first.commit()
    second.commit()
    second.waitUntilCompleted()
    second.waitUntilCompleted()
    #expect(log.entries == [1, 2, 3])
    #expect(first.status == .completed && second.status == .completed)
    #expect(first.error == nil)
  }

  @Test func `waiting before the commit stops the program`() async {
    await #expect(processExitsWith: .failure) {
      MTLCreateSystemDefaultDevice()?.makeCommandQueue()?.makeCommandBuffer()?.waitUntilCompleted()
    }
  }

  @Test func `a second commit stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let buffer = MTLCreateSystemDefaultDevice()?.makeCommandQueue()?.makeCommandBuffer()
      buffer?.commit()
      buffer?.commit()
    }
  }

  @Test func `regions`() {
    let region = MTLRegionMake2D(1, 2, 3, 4)
    #expect(region.origin.x == 1 && region.origin.y == 2 && region.origin.z == 0)
    #expect(region.size.width == 3 && region.size.height == 4 && region.size.depth == 1)
  }
}
