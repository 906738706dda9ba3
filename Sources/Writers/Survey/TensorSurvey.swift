import ModelIR
import Synchronization

/// Reads tensors without writing them: for the scales of integers, which have to be known first, and for what would
/// become of the values.
///
/// Each tensor is read from front to back, in parts that several threads share; none is held whole.
public struct TensorSurvey: Sendable {
  /// A tensor and the type that it is to be written in.
  public struct Wish: Sendable {
    /// The tensor, in the layout that is wanted.
    public let tensor: Tensor
    /// How each value is to be written.
    public let elementType: ElementType
    /// Whether the values are integers that are written as they are.
    fileprivate let keepsIntegers: Bool

    /// A wish for `tensor` in `elementType`.
    public init(_ tensor: Tensor, as elementType: ElementType) {
      self.tensor = tensor
      self.elementType = elementType
      keepsIntegers = false
    }

    /// A wish for the values of `tensor`, which fit a signed byte, as they are.
    public init(integers tensor: Tensor) {
      self.tensor = tensor
      elementType = .int8
      keepsIntegers = true
    }
  }

  private let wishes: [Wish]
  private let workers: Int
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// A survey of `wishes`.
  ///
  /// - Parameter workers: threads that share the work.
  public init(
    of wishes: [Wish], workers: Int = PanelMemory.standard.workers,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) {
    self.wishes = wishes
    self.workers = workers
    self.checkCancellation = checkCancellation
  }

  /// How each tensor is to be written, in order.
  ///
  /// Only what becomes integers is read.
  ///
  /// - Throws: `badData` if a tensor cannot be written in its type, `usage` if it has no channels that are known
  ///   and needs them, or what reading it throws; all with layer and tensor.
  public func encodings() throws(NetconvError) -> [TensorEncoding] {
    var searches: [ScaleSearch?] = []
    for wish in wishes {
      searches.append(
        wish.elementType == .int8 && !wish.keepsIntegers ? try ScaleSearch(wish.tensor) : nil)
    }
    try read(searches.compactMap { $0 })
    var encodings: [TensorEncoding] = []
    for (wish, search) in zip(wishes, searches) {
      encodings.append(try search?.encoding() ?? TensorEncoding(wish.elementType))
    }
    return encodings
  }

  /// What would become of the values of each tensor, in order.
  ///
  /// - Parameter encodings: how they are to be written.
  /// - Throws: what reading a tensor throws, with layer and tensor.
  public func roundings(in encodings: [TensorEncoding]) throws(NetconvError) -> [Rounding] {
    let searches = zip(wishes, encodings).map { RoundingSearch($0.tensor, $1) }
    try read(searches)
    return searches.map(\.rounding)
  }

  /// Reads the tensors of `searches`, one after the other.
  private func read(_ searches: [any TensorSearch]) throws(NetconvError) {
    let remaining = Mutex(searches[...])
    try WorkerPool(count: workers) { () throws(NetconvError) in
      remaining.withLock { $0.popFirst() }.map(job)
    }.perform([])
  }

  /// Values of a part, and of the blocks that it is read in.
  private static let (partCount, blockCount) = (1 << 22, 1 << 16)

  private func job(of search: any TensorSearch) -> WorkerPool.Job {
    let tensor = search.tensor
    let parts = (tensor.count + Self.partCount - 1) / Self.partCount
    return WorkerPool.Job(parts: parts) { _, part throws(NetconvError) in
      let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.blockCount)
      defer { block.deallocate() }
      let end = min((part + 1) * Self.partCount, tensor.count)
      do throws(NetconvError) {
        for start in stride(from: part * Self.partCount, to: end, by: Self.blockCount) {
          try checkCancellation()
          let range = start..<min(start + Self.blockCount, end)
          let values = UnsafeMutableBufferPointer(rebasing: block[..<range.count])
          try tensor.stored.source.read(range, into: values)
          try search.add(values, range)
        }
      } catch {
        throw error.inTensor(tensor)
      }
    }
  }
}

/// What is found out by reading a tensor.
private protocol TensorSearch: Sendable {
  var tensor: Tensor { get }

  /// Takes in the values of `range`, in the order of the source; called by several threads.
  func add(
    _ values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
  ) throws(NetconvError)
}

/// The scales that the channels of a tensor need as integers.
private final class ScaleSearch: TensorSearch {
  let tensor: Tensor
  private let layout: Layout
  private let channels: (written: ChannelMap, stored: ChannelMap)
  private let found: Mutex<(maxima: ChannelMaxima, sums: ChannelSums)>

  /// - Throws: `usage` if the tensor has no channels that are known.
  init(_ tensor: Tensor) throws(NetconvError) {
    guard let layout = tensor.channelLayout, let written = tensor.channels,
      let stored = tensor.storedChannels
    else { throw NetconvError.noChannels(tensor.layout, layer: tensor.layer).inTensor(tensor) }
    self.tensor = tensor
    self.layout = layout
    channels = (written, stored)
    found = Mutex((ChannelMaxima(stored), ChannelSums(stored)))
  }

  func add(_ values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>) {
    let values = UnsafeBufferPointer(values)
    var own = (maxima: ChannelMaxima(channels.stored), sums: ChannelSums(channels.stored))
    own.maxima.add(values, from: range.lowerBound)
    own.sums.add(values, from: range.lowerBound)
    let part = own
    found.withLock {
      $0.maxima.add(part.maxima)
      $0.sums.add(part.sums)
    }
  }

  /// The integers of the tensor, once all of it was read.
  ///
  /// - Throws: `badData` if a value is infinite or no number.
  func encoding() throws(NetconvError) -> TensorEncoding {
    let (maxima, sums) = found.withLock { $0 }
    guard let scales = maxima.scales else {
      throw NetconvError.notIntegers(layer: tensor.layer).inTensor(tensor)
    }
    let spec = ParameterSpec(
      tensor.spec.role.scale, .vector, layout,
      tensor.spec.sizes.filter { layout.axes.contains($0.key) })
    let scale = try Tensor(
      layer: tensor.layer, spec: spec,
      stored: StoredTensor(
        source: ArraySource(scales), layout: layout, shape: nil, path: tensor.stored.path))
    return TensorEncoding(
      int8: scale, written: ChannelQuantization(scales: scales, channels: channels.written),
      stored: ChannelQuantization(scales: scales, channels: channels.stored),
      outliers: ChannelOutliers(maxima, sums, scales: scales))
  }
}

/// What becomes of the values of a tensor.
private final class RoundingSearch: TensorSearch {
  let tensor: Tensor
  private let encoding: TensorEncoding
  /// By the index of the first value that they are of.
  private let sums: Mutex<[Int: RoundingSums]> = Mutex([:])

  init(_ tensor: Tensor, _ encoding: TensorEncoding) {
    self.tensor = tensor
    self.encoding = encoding
  }

  func add(
    _ values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
  ) throws(NetconvError) {
    let rounded = UnsafeMutableBufferPointer<Float>.allocate(capacity: values.count)
    defer { rounded.deallocate() }
    _ = rounded.update(fromContentsOf: values)
    encoding.round(rounded, from: range.lowerBound)
    var own = RoundingSums(encoding.elementType)
    try own.add(
      UnsafeBufferPointer(values), UnsafeBufferPointer(rounded), [range],
      of: tensor.stored.source)
    let found = own
    sums.withLock { $0[range.lowerBound] = found }
  }

  /// What was found, once all of the tensor was read.
  var rounding: Rounding {
    let parts = sums.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
    return (RoundingSums(adding: parts) ?? RoundingSums(encoding.elementType)).result
  }
}
