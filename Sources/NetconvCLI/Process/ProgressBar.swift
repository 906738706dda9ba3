import ModelIR
import NetconvKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A progress line on stderr, shown on a terminal if the work takes a while.
final class ProgressBar: Sendable {
  private static let delay = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  private struct State {
    var last: ContinuousClock.Instant?
    var isShown = false
  }

  private let label: String
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Creates a bar with `label`.
  init(_ label: String) {
    self.label = label
  }

  /// The observer that shows progress in the bar and prints warnings on stderr.
  ///
  /// - Parameter isVerbose: True if details are requested; `nil` if the command has no such option.
  func observer(isQuiet: Bool, isVerbose: Bool? = nil) -> Observer {
    Observer(
      onEvent: { event in
        switch event {
        case .progress(let fraction):
          if !isQuiet { self.show(fraction) }
        case .note(let text, let details):
          self.clear()
          let lines = ["netconv: " + text.options] + details.map { "  " + escaped($0.options) }
          if isVerbose == true { Output.error(lines.joined(separator: "\n")) }
        case .remark(let text, let details):
          self.clear()
          let lines = Self.lines(text, details, isVerbose)
          if !isQuiet { Output.error("netconv: warning: " + lines.joined(separator: "\n")) }
        case .decision(let text, let details):
          self.clear()
          let lines = Self.lines(text, details, isVerbose)
          if !isQuiet { Output.error("netconv: " + lines.joined(separator: "\n")) }
        case .warning(let text, let details):
          self.clear()
          let lines = ["netconv: warning: " + text.options] + details.map { "  " + $0.options }
          if !isQuiet { Output.error(lines.joined(separator: "\n")) }
        }
      },
      isCancelled: { Signals.wasInterrupted })
  }

  /// A text with its details, if there is only one or details are requested.
  private static func lines(
    _ text: Message, _ details: [Message], _ isVerbose: Bool?
  ) -> [String] {
    details.count == 1 || isVerbose == true
      ? [text.options] + details.map { "  " + $0.options }
      : [text.options + (isVerbose == nil ? "" : " (--verbose lists them)")]
  }

  private func show(_ fraction: Double) {
    guard Output.showsProgress else { return }
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now - start > Self.delay, state.last.map({ now - $0 > Self.interval }) ?? true else {
        return false
      }
      state.last = now
      state.isShown = true
      return true
    }
    guard isDue else { return }
    let width = 30
    let filled = Int((fraction * Double(width)).rounded(.down))
    let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
    write("\r\(label) [\(bar)] \(Int(fraction * 100)) %")
  }

  /// Clears the bar before other output.
  func clear() {
    let wasShown = state.withLock { state in
      defer { state.isShown = false }
      return state.isShown
    }
    // ESC [ K clears to the end of the line.
    if wasShown { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) {
    _ = Output.write(Array(text.utf8), to: STDERR_FILENO)
  }
}
