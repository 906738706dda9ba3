import ModelIR

/// Computes pictures asynchronously, for example while a slider moves.
///
/// One job runs at a time. A newer job replaces a waiting one. A running job is completed and
/// delivered, so that the view updates while the slider moves. The newest job is always completed.
public actor FilterDriver<Parameters: Sendable> {
  /// The result of a job.
  public enum Outcome: Sendable, Equatable {
    /// The picture of the completed job.
    case picture(Picture)
    /// A newer job replaced this one before it started.
    case stale
    /// The picture could not be computed.
    case failed(NetconvError)
  }

  /// A waiting job.
  private struct Job {
    let parameters: Parameters
    let arrival: CheckedContinuation<Outcome, Never>
  }

  private let evaluate: @Sendable (Parameters) async -> Result<Picture, NetconvError>
  private var waiting: Job?
  private var isRunning = false
  /// The number of started jobs.
  public private(set) var evaluations = 0
  /// The number of replaced jobs.
  public private(set) var dropped = 0
  /// The number of waiting jobs, at most one.
  public var waitingJobs: Int { waiting == nil ? 0 : 1 }

  /// Creates a driver that runs jobs with `evaluate`, which is never called concurrently.
  public init(
    evaluating evaluate: @escaping @Sendable (Parameters) async -> Result<Picture, NetconvError>
  ) {
    self.evaluate = evaluate
  }

  /// Requests the picture for these parameters, and waits until it is computed or the job is
  /// replaced.
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
  /// Creates a driver for a chain, whose jobs are the steps to apply to a picture.
  ///
  /// Only changed filters run.
  public init(_ picture: Picture) {
    let chain = ChainRunner(picture)
    self.init { steps in await chain.picture(steps) }
  }
}

/// A chain on an actor of its own, used by one job at a time.
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
