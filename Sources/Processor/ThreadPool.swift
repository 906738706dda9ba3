internal import CKernels
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads that stay awake from the first to the last part of a larger job.
///
/// A layer of a single image may take a few microseconds, less than waking a thread. The first
/// thread to join leads; the others spin until it distributes work.
final class ThreadPool: @unchecked Sendable {
  typealias Work = @Sendable (_ part: Int, _ thread: Int) -> Void

  /// The open parts of the current work: an epoch, the number of parts, and the next part.
  ///
  /// They share one word, so that a thread can only take a part of the work that it has seen.
  private struct Ticket {
    /// The largest number in 20 bits.
    static let mostParts = 0xF_FFFF

    var bits: UInt64

    var parts: Int { Int(bits >> 20 & 0xF_FFFF) }
    var next: Int { Int(bits & 0xF_FFFF) }

    /// The ticket for the next work with `parts` parts.
    func renewed(parts: Int) -> Ticket {
      Ticket(bits: ((bits >> 40) &+ 1) << 40 | UInt64(parts) << 20)
    }
  }

  private let ticket = Atomic<UInt64>(0)
  private let unfinished = Atomic(0)
  private let members = Atomic(0)
  private let isOver = Atomic(false)
  /// Written by the leader while no part is open, and read by threads that have taken one.
  private var work: Work?

  /// The number of spins before a waiting thread yields: about 100 µs.
  private static let patience = 2_000

  /// Leads if no thread does yet; otherwise helps until the leader is done.
  func join(_ lead: () -> Void) {
    let thread = members.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    if thread == 0 {
      lead()
      isOver.store(true, ordering: .releasing)
    } else {
      help(thread)
    }
  }

  /// Runs `work` for each of 0..<`parts` on all threads; called by the leader only.
  func perform(_ parts: Int, _ work: @escaping Work) {
    guard parts > Ticket.mostParts else { return performAtOnce(parts, work) }
    for first in stride(from: 0, to: parts, by: Ticket.mostParts) {
      performAtOnce(min(Ticket.mostParts, parts - first)) { part, thread in
        work(first + part, thread)
      }
    }
  }

  /// Runs `work` for at most as many parts as a ticket can count.
  private func performAtOnce(_ parts: Int, _ work: @escaping Work) {
    self.work = work
    unfinished.store(parts, ordering: .relaxed)
    let last = Ticket(bits: ticket.load(ordering: .relaxed))
    ticket.store(last.renewed(parts: parts).bits, ordering: .releasing)
    while takePart(0) {}
    wait { unfinished.load(ordering: .acquiring) == 0 }
    self.work = nil
  }

  private func help(_ thread: Int) {
    while !isOver.load(ordering: .acquiring) {
      wait { takePart(thread) || isOver.load(ordering: .acquiring) }
    }
  }

  /// Takes an open part and runs it.
  ///
  /// - Returns: False if there was none.
  private func takePart(_ thread: Int) -> Bool {
    var seen = Ticket(bits: ticket.load(ordering: .acquiring))
    while seen.next < seen.parts {
      let (taken, original) = ticket.weakCompareExchange(
        expected: seen.bits, desired: seen.bits + 1, ordering: .acquiringAndReleasing)
      if taken {
        work?(seen.next, thread)
        unfinished.wrappingSubtract(1, ordering: .releasing)
        return true
      }
      seen = Ticket(bits: original)
    }
    return false
  }

  private func wait(_ isDone: () -> Bool) {
    var spins = 0
    while !isDone() {
      spins += 1
      if spins < Self.patience { netconv_spin() } else { sched_yield() }
    }
  }
}
