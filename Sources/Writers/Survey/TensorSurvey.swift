import ModelIR
import Synchronization

/// Reads tensors without writing them: to determine the scales of integers, which must be known first, and to predict
/// the rounding of values.
///
/// Each tensor is read sequentially, in parts that several threads share; none is in memory as a whole.
public struct TensorSurvey: Sendable {
  /// A tensor and the element type in which it will be written.
  public struct Request: Sendable {
    /// The tensor in its requested layout.
    public let tensor: Tensor
    /// The element type.
    public let elementType: ElementType
    /// True if the values are integers that are not scaled.
    fileprivate let keepsIntegers: Bool

    /// Creates a request for `tensor` in `elementType`.
    public init(_ tensor: Tensor, as elementType: ElementType) {
      self.tensor = tensor
      self.elementType = elementType
      keepsIntegers = false
    }

    /// Creates a request for integer values that fit a signed byte and are not scaled.
    public init(integers tensor: Tensor) {
      self.tensor = tensor
      elementType = .int8
      keepsIntegers = true
    }
  }

  private let requests: [Request]
  private let workers: Int
  private let checkCancellation: @Sendable () throws(NetconvError) -> Void

  /// Creates a survey of `requests`.
  ///
  /// - Parameter workers: the number of threads that share the work.
  public init(
    of requests: [Request], workers: Int = PanelMemory.standard.workers,
    checkCancellation: @escaping @Sendable () throws(NetconvError) -> Void = {}
  ) {
    self.requests = requests
    self.workers = workers
    self.checkCancellation = checkCancellation
  }

  /// Determines the encoding of each tensor, in order.
  ///
  /// Only tensors that are quantised are read.
  ///
  /// - Throws: `badData` if a tensor cannot be written in its type, `usage` if it needs channels but has none that are
  ///   known, or any error in reading it; all with layer and tensor.
  public func encodings() throws(NetconvError) -> [TensorEncoding] {
    var searches: [ScaleSearch?] = []
    for request in requests {
      searches.append(
        request.elementType == .int8 && !request.keepsIntegers
          ? try ScaleSearch(request.tensor) : nil)
    }
    try read(searches.compactMap { $0 })
    var encodings: [TensorEncoding] = []
    for (request, search) in zip(requests, searches) {
      encodings.append(try search?.encoding() ?? TensorEncoding(request.elementType))
    }
    return encodings
  }

  /// Determines the rounding of each tensor's values, in order.
  ///
  /// - Parameter encodings: the encodings of the tensors.
  /// - Throws: any error in reading a tensor, with layer and tensor.
  public func roundings(in encodings: [TensorEncoding]) throws(NetconvError) -> [Rounding] {
    let searches = zip(requests, encodings).map { RoundingSearch($0.tensor, $1) }
    try read(searches)
    return searches.map(\.rounding)
  }

  /// Reads the tensors of `searches`, one after another.
  private func read(_ searches: [any TensorSearch]) throws(NetconvError) {
    let remaining = Mutex(searches[...])
    try WorkerPool(count: workers) { () throws(NetconvError) in
      remaining.withLock { $0.popFirst() }.map(job)
    }.perform([])
  }

  /// The number of values of a part, and of the blocks that it is read in.
  private static let (partCount, blockCount) = (1 << 22, 1 << 16)

  private func job(of search: any TensorSearch) -> WorkerPool.Job {
    let tensor = search.tensor
    let source = search.source
    let parts = (source.count + Self.partCount - 1) / Self.partCount
    return WorkerPool.Job(parts: parts) { _, part throws(NetconvError) in
      let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.blockCount)
      defer { block.deallocate() }
      let end = min((part + 1) * Self.partCount, source.count)
      do throws(NetconvError) {
        for start in stride(from: part * Self.partCount, to: end, by: Self.blockCount) {
          try checkCancellation()
          let range = start..<min(start + Self.blockCount, end)
          let values = UnsafeMutableBufferPointer(rebasing: block[..<range.count])
          try source.read(range, into: values)
          try search.add(values, range)
        }
      } catch {
        throw error.inTensor(tensor)
      }
    }
  }
}

/// A computation over the values of a tensor.
private protocol TensorSearch: Sendable {
  var tensor: Tensor { get }
  /// The values that are read.
  var source: any TensorSource { get }

  /// Adds the values of `range`, in source order; called on several threads.
  func add(
    _ values: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>
  ) throws(NetconvError)
}

extension TensorSearch {
  var source: any TensorSource { tensor.stored.source }
}

/// The determination of a tensor's scales for quantisation.
private final class ScaleSearch: TensorSearch {
  let tensor: Tensor
  private let layout: Layout
  private let channels: (written: ChannelMap, stored: ChannelMap)
  private let found: Mutex<(maxima: ChannelMaxima, sums: ChannelSums)>

  /// - Throws: `usage` if the tensor has no known channels.
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

  /// Returns the quantised encoding, once the whole tensor was read.
  ///
  /// - Throws: `badData` if a value is infinite or NaN.
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

/// The rounding of a tensor's values; of one that is quantised, the values before that.
private final class RoundingSearch: TensorSearch {
  let tensor: Tensor
  var source: any TensorSource { packed?.values ?? tensor.stored.source }
  private var packed: PackedValues? { tensor.stored.source as? PackedValues }
  private let encoding: TensorEncoding
  /// The sums, by the index of the first value that they cover.
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
    if let packing = packed?.packing {
      for start in stride(from: 0, to: rounded.count, by: packing.valueCount) {
        try packing.requantize(
          UnsafeMutableBufferPointer(rebasing: rounded[start..<start + packing.valueCount]))
      }
    } else {
      encoding.round(rounded, from: range.lowerBound)
    }
    var own = RoundingSums(encoding.elementType)
    try own.add(
      UnsafeBufferPointer(values), UnsafeBufferPointer(rounded), [range], of: source)
    let found = own
    sums.withLock { $0[range.lowerBound] = found }
  }

  /// The rounding, once the whole tensor was read.
  var rounding: Rounding {
    let parts = sums.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
    return (RoundingSums(adding: parts) ?? RoundingSums(encoding.elementType)).result
  }
}

extension NetconvError {
  fileprivate static func noChannels(_ layout: Layout, layer: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "int8 has a scale for each output channel, but the layout \(layout) does not separate them; name "
        + "another type, as in \(.elementTypeOf(layer: layer, .float32))")
  }

  fileprivate static func notIntegers(layer: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "holds values that are infinite or NaN, which int8 cannot represent; name another type, as in "
        + "\(.elementTypeOf(layer: layer, .float32))")
  }
}
