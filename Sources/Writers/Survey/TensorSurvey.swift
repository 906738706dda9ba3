import ModelIR
import Synchronization

/// Reads tensors before they are written, for what has to be known first: the scales of integers, and what
/// becomes of the values.
///
/// Each tensor is read from front to back, in parts that several threads share; none is held whole.
public struct TensorSurvey: Sendable {
  /// A tensor and the type that it is to be written in.
  public struct Wish: Sendable {
    /// The tensor, in the layout that is wanted.
    public let tensor: Tensor
    /// How each value is to be written.
    public let elementType: ElementType

    /// A wish for `tensor` in `elementType`.
    public init(_ tensor: Tensor, as elementType: ElementType) {
      self.tensor = tensor
      self.elementType = elementType
    }

    /// Whether some value may be another one once it is written, or needs a scale.
    var isLossy: Bool {
      let stored = tensor.stored.source.elementType
      return elementType == .int8 || stored == .float64
        || (elementType != .float32 && elementType != stored)
    }
  }

  private let wishes: [Wish]
  private let isComplete: Bool
  private let workers: Int
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// A survey of `wishes`.
  ///
  /// - Parameters:
  ///   - isComplete: whether tensors are read too of which every value stays what it is.
  ///   - workers: threads that share the work.
  public init(
    of wishes: [Wish], isComplete: Bool = false, workers: Int = PanelMemory.standard.workers,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) {
    self.wishes = wishes
    self.isComplete = isComplete
    self.workers = workers
    self.checkCancellation = checkCancellation
  }

  /// How each tensor is to be written, in order.
  ///
  /// - Throws: `badData` if a tensor cannot be written in its type, or what reading it throws; both with layer and
  ///   tensor.
  public func encodings() throws(NetconvError) -> [TensorEncoding] {
    var surveys: [SurveyedTensor?] = []
    for wish in wishes {
      surveys.append(
        isComplete || wish.isLossy ? try SurveyedTensor(wish, checkCancellation) : nil)
    }
    let jobs = Mutex(surveys.compactMap { $0 }[...])
    // Jobs are made one after the other: what a tensor needs besides its result goes with its job.
    try Crew(count: workers) { () throws(NetconvError) in
      jobs.withLock { $0.popFirst() }?.job()
    }.perform([])
    var encodings: [TensorEncoding] = []
    for (wish, survey) in zip(wishes, surveys) {
      encodings.append(survey?.encoding ?? TensorEncoding(wish.elementType))
    }
    return encodings
  }
}

/// The survey of one tensor.
private final class SurveyedTensor: Sendable {
  private struct State {
    var maxima: ChannelMaxima?
    var encoding: TensorEncoding
    var sums: [RoundingSums?]
  }

  /// Values of a part: a number of blocks.
  private static let partCount = 64 * RoundingSums.blockCount

  private let tensor: Tensor
  private let elementType: ElementType
  private let channels: (layout: Layout, written: ChannelMap, stored: ChannelMap)?
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void
  private let state: Mutex<State>

  /// - Throws: `usage` if the tensor has no channels that are known, and needs them.
  init(
    _ wish: TensorSurvey.Wish,
    _ checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void
  ) throws(NetconvError) {
    tensor = wish.tensor
    elementType = wish.elementType
    self.checkCancellation = checkCancellation
    if wish.elementType == .int8 {
      guard let layout = tensor.channelLayout, let written = tensor.channels,
        let stored = tensor.storedChannels
      else {
        throw NetconvError.noChannels(tensor.layout, layer: tensor.layer)
          .inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer)
      }
      channels = (layout, written, stored)
    } else {
      channels = nil
    }
    state = Mutex(
      State(
        maxima: channels.map { ChannelMaxima($0.stored) }, encoding: TensorEncoding(elementType),
        sums: Array(repeating: nil, count: Self.parts(of: tensor))))
  }

  private static func parts(of tensor: Tensor) -> Int {
    (tensor.count + partCount - 1) / partCount
  }

  /// What was found, once all is done.
  var encoding: TensorEncoding {
    state.withLock { state in
      var total = RoundingSums(elementType)
      for sums in state.sums { if let sums { total.add(sums) } }
      return state.encoding.adding(total.result)
    }
  }

  /// The work, part by part: of integers first the scales.
  func job() -> Crew.Job {
    let parts = Self.parts(of: tensor)
    let rounding = Crew.Job(
      parts: parts, work: naming { part throws(NetconvError) in try self.round(part) })
    guard let channels else { return rounding }
    let scales = Crew.Job(
      work: naming { _ throws(NetconvError) in try self.findScales() }, next: { [rounding] })
    return Crew.Job(
      parts: parts,
      work: naming { part throws(NetconvError) in
        var maxima = ChannelMaxima(channels.stored)
        try self.forEachBlock(of: part) { values, start in
          maxima.add(UnsafeBufferPointer(values), from: start)
        }
        let found = maxima
        self.state.withLock { $0.maxima?.add(found) }
      }, next: { [scales] })
  }

  /// The same work, with errors that name the tensor.
  private func naming(
    _ work: @escaping @Sendable (Int) throws(NetconvError) -> Void
  ) -> Crew.Job.Work {
    { [tensor] _, part throws(NetconvError) in
      do throws(NetconvError) {
        try work(part)
      } catch {
        guard error.kind != .interrupted else { throw error }
        throw error.inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer)
      }
    }
  }

  /// - Throws: `badData` if a value is infinite or no number.
  private func findScales() throws(NetconvError) {
    guard let channels, let maxima = state.withLock({ $0.maxima }) else { return }
    guard let scales = maxima.scales else { throw .notIntegers(layer: tensor.layer) }
    let spec = ParameterSpec(
      tensor.spec.role.scale, .vector, channels.layout,
      tensor.spec.sizes.filter { channels.layout.axes.contains($0.key) })
    let scale = try Tensor(
      layer: tensor.layer, spec: spec,
      stored: StoredTensor(
        source: ArraySource(scales), layout: channels.layout, shape: nil,
        path: tensor.stored.path))
    let encoding = TensorEncoding(
      int8: scale, written: ChannelQuantization(scales: scales, channels: channels.written),
      stored: ChannelQuantization(scales: scales, channels: channels.stored), rounding: nil)
    state.withLock { $0.encoding = encoding }
  }

  private func round(_ part: Int) throws(NetconvError) {
    var sums = RoundingSums(elementType)
    let encoding = state.withLock { $0.encoding }
    let source = tensor.stored.source
    let rounded = UnsafeMutableBufferPointer<Float>.allocate(capacity: RoundingSums.blockCount)
    defer { rounded.deallocate() }
    try forEachBlock(of: part) { values, start throws(NetconvError) in
      if source.elementType == .float64, values.contains(where: \.isInfinite) {
        sums.add(try source.overflows(in: start..<start + values.count))
      }
      let results = UnsafeMutableBufferPointer(rebasing: rounded[..<values.count])
      _ = results.update(fromContentsOf: values)
      encoding.round(results, from: start)
      sums.add(UnsafeBufferPointer(values), UnsafeBufferPointer(results), from: start)
    }
    let found = sums
    state.withLock { $0.sums[part] = found }
  }

  /// Calls `body` with values of a part, in the order of the source, and with the index of the first.
  private func forEachBlock(
    of part: Int, _ body: (UnsafeMutableBufferPointer<Float>, Int) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: RoundingSums.blockCount)
    defer { block.deallocate() }
    let end = min((part + 1) * Self.partCount, tensor.count)
    for start in stride(from: part * Self.partCount, to: end, by: RoundingSums.blockCount) {
      try checkCancellation()
      let values = UnsafeMutableBufferPointer(
        rebasing: block[..<min(RoundingSums.blockCount, end - start)])
      try tensor.stored.source.read(start..<start + values.count, into: values)
      try body(values, start)
    }
  }
}
