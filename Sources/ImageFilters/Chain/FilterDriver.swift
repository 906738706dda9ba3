import ModelIR

/// Makes pictures for someone who does not wait, such as one who moves a slider.
///
/// One job runs at a time. A job that waits is dropped as soon as there is a newer one; one that runs is finished and
/// delivered, so that something is seen while the slider moves. The newest job always arrives.
public actor FilterDriver<Parameters: Sendable> {
  /// What becomes of a job.
  public enum Outcome: Sendable, Equatable {
    /// The picture.
    case picture(Picture)
    /// Nothing, since a newer job came before it was begun.
    case stale
    /// No picture can be made.
    case failed(NetconvError)
  }

  /// A job that waits.
  private struct Job {
    let parameters: Parameters
    let arrival: CheckedContinuation<Outcome, Never>
  }

  private let evaluate: @Sendable (Parameters) async -> Result<Picture, NetconvError>
  private var waiting: Job?
  private var isRunning = false
  /// Jobs that were begun.
  public private(set) var evaluations = 0
  /// Jobs that were dropped.
  public private(set) var dropped = 0
  /// Jobs that wait: one at the most.
  public var waitingJobs: Int { waiting == nil ? 0 : 1 }

  /// A driver whose jobs `evaluate` does; it is never called twice at a time.
  public init(
    evaluating evaluate: @escaping @Sendable (Parameters) async -> Result<Picture, NetconvError>
  ) {
    self.evaluate = evaluate
  }

  /// Asks for the picture with these parameters, and waits until it is made or not wanted any more.
  public func picture(_ parameters: Parameters) async -> Outcome {
    await withCheckedContinuation { arrival in
      if let waiting {
        dropped += 1
        waiting.arrival.resume(returning: .stale)
      }
      waiting = Job(parameters: parameters, arrival: arrival)
      guard !isRunning else { return }
      isRunning = true
      Task { await run() }
    }
  }

  private func run() async {
    while let job = waiting {
      waiting = nil
      evaluations += 1
      switch await evaluate(job.parameters) {
      case .success(let picture): job.arrival.resume(returning: .picture(picture))
      case .failure(let error): job.arrival.resume(returning: .failed(error))
      }
    }
    isRunning = false
  }
}

extension FilterDriver where Parameters == [PixelStep] {
  /// A driver of a chain: jobs are the steps that are done to a picture.
  ///
  /// Only what has changed is done.
  public init(_ picture: Picture) {
    let chain = ChainRunner(picture)
    self.init { steps in await chain.picture(steps) }
  }
}

/// A chain that is used by one job at a time, away from those who ask.
private actor ChainRunner {
  private let chain: FilterChain

  init(_ picture: Picture) {
    chain = FilterChain(picture)
  }

  func picture(_ steps: [PixelStep]) -> Result<Picture, NetconvError> {
    chain.steps = steps
    return Result { () throws(NetconvError) in try chain.picture }
  }
}
