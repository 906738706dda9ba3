import ModelIR
import Writers

/// The functions of netconv: convert, inspect, verify, run.
///
/// Each accepts a request, reports events to an observer while it runs, and returns a report. None of them prints,
/// exits, or keeps state. Only ``callLibraries(_:expecting:isCancelled:onUnfiltered:)`` changes a setting, for all
/// later calls.
public enum Netconv {
  /// The version of the library and of the program.
  public static let version = "0.1.0"

  /// True once this process has started to write an output, so that temporary files may exist beside it.
  ///
  /// Signal handlers may read it.
  package static var hasBegunOutput: Bool { StagingFolder.hasBegun }
}

/// An event that is reported while netconv works.
public enum Event: Sendable, Equatable {
  /// A problem that the user should know about, but that does not stop the work.
  case warning(Message, details: [Message])
  /// A harmless fact, in one line; the details are shown on request.
  case remark(Message, details: [Message])
  /// A choice that netconv made for the user, in one line; the details are shown on request.
  case decision(Message, details: [Message])
  /// Information that may interest the user.
  case note(Message, details: [Message])
  /// The fraction of the work that is done, from 0 to 1.
  case progress(Double)
}

/// Callbacks that a caller passes to a function of ``Netconv``: one for events, one for cancellation.
public struct Observer: Sendable {
  /// Called with each event.
  public var onEvent: @Sendable (Event) -> Void
  /// Called now and then; returning `true` ends the work with an `interrupted` error.
  public var isCancelled: @Sendable () -> Bool

  /// Creates an observer; by default it ignores all events and never cancels.
  public init(
    onEvent: @escaping @Sendable (Event) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.onEvent = onEvent
    self.isCancelled = isCancelled
  }

  func checkCancellation() throws(NetconvError) {
    if isCancelled() { throw .interrupted }
  }
}
