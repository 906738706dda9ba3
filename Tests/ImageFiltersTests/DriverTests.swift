import ImageFilters
import ModelIR
import Testing

/// Admits jobs one by one, and reports which have started.
private actor Gate {
  private var begun: [Int] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var held: [CheckedContinuation<Void, Never>] = []
  private var isOpen = false

  func pass(_ job: Int) async {
    begun.append(job)
    let ready = watchers.filter { $0.count <= begun.count }
    watchers.removeAll { $0.count <= begun.count }
    for watcher in ready { watcher.continuation.resume() }
    if isOpen { return }
    await withCheckedContinuation { held.append($0) }
  }

  /// Waits until the given number of jobs have started.
  func begun(_ count: Int) async -> [Int] {
    if begun.count < count {
      await withCheckedContinuation { watchers.append((count, $0)) }
    }
    return begun
  }

  func letOneThrough() { held.removeFirst().resume() }

  func open() {
    isOpen = true
    for job in held { job.resume() }
    held = []
  }
}

@Suite("drivers")
struct DriverTests {
  private static func picture(_ value: Int) -> Picture {
    Picture(height: 1, width: 1, channels: 1, values: [Float(value)])
  }

  @Test("a job that waits is dropped for a newer one; the newest arrives")
  func stale() async {
    let gate = Gate()
    let driver = FilterDriver<Int> { job in
      await gate.pass(job)
      return .success(Self.picture(job))
    }
    let first = Task { await driver.picture(1) }
    #expect(await gate.begun(1) == [1])
    // The first is running. The others come one after the other, each before the next is asked for.
    let second = Task { await driver.picture(2) }
    while await driver.waitingJobs == 0 { await Task.yield() }
    let third = Task { await driver.picture(3) }
    #expect(await second.value == .stale)
    let fourth = Task { await driver.picture(4) }
    #expect(await third.value == .stale)
    await gate.letOneThrough()
    #expect(await first.value == .picture(Self.picture(1)))
    #expect(await gate.begun(2) == [1, 4])
    await gate.open()
    #expect(await fourth.value == .picture(Self.picture(4)))
    #expect(await driver.evaluations == 2)
    #expect(await driver.dropped == 2)
    // The driver goes on after it was idle.
    #expect(await driver.picture(5) == .picture(Self.picture(5)))
  }

  @Test("a chain behind a driver does only what has changed, and tells what it cannot do")
  func chains() async throws {
    let picture = Picture(
      height: 4, width: 5, channels: 3, values: (0..<60).map { Float($0 * 41 % 256) })
    let driver = FilterDriver(picture)
    let steps: [PixelStep] = [.blur(radius: 2, sigma: nil), .saturation(0.5)]
    #expect(await driver.picture(steps) == .picture(try picture.applying(steps)))
    guard case .failed(let error) = await driver.picture([.saturation(-1)]) else {
      Issue.record("a factor below 0 is taken")
      return
    }
    #expect(
      error.message == "the step 'saturation' needs a factor of at least 0; found -1")
    #expect(await driver.picture(steps) == .picture(try picture.applying(steps)))
  }
}
