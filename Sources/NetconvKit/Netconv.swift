import ModelIR
import Writers

/// What netconv does, as functions: convert, inspect, verify, run.
///
/// Each takes a request, tells the caller what happens through events, and returns a report; none of them
/// prints, exits, or keeps state. Only ``callLibraries(_:expecting:isCancelled:onUnfiltered:)`` says something that holds
/// for all that follow.
public enum Netconv {
  /// The version of the library and of the program.
  public static let version = "0.1.0"

  /// Whether this process has begun to make an output, so that there may be temporaries beside it; a handler of signals
  /// may ask.
  package static var hasBegunOutput: Bool { StagingFolder.hasBegun }
}

/// Something that happens while netconv works.
public enum Event: Sendable, Equatable {
  /// Something that the user should know, but that stops nothing.
  case warning(Message, details: [Message])
  /// Something harmless that the user should know in a line; the details are for those who ask.
  case remark(Message, details: [Message])
  /// Something that was decided for the user, in a line; the details are for those who ask.
  case decision(Message, details: [Message])
  /// Something that the user may want to know.
  case note(Message, details: [Message])
  /// How much of the work is done, from 0 to 1.
  case progress(Double)
}

/// What a caller hands to a function of ``Netconv``: whom to tell, and whom to ask whether to stop.
public struct Observer: Sendable {
  /// Is told what happens.
  public var onEvent: @Sendable (Event) -> Void
  /// Is asked now and then; `true` ends the work with an `interrupted` error.
  public var isCancelled: @Sendable () -> Bool

  /// An observer; without arguments it ignores everything.
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
