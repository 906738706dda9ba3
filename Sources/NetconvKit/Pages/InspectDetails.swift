import Documents
import ModelIR
import Pages
import Readers
import Transforms

/// The contents of a page about a model, in addition to the report.
struct InspectDetails: Sendable, Encodable {
  /// The layers as a graph; `nil` if the source has none.
  let graph: PageGraph?
  /// The details of tensors, in the order of the report.
  let tensors: [TensorDetails]
  /// The kernels of the first convolution; `nil` if there is none over images.
  let kernels: KernelPictures?
  /// The descriptions of targets, by name.
  let targets: [String: String]
  /// The target of the conversion that wrote the model; `nil` for sources.
  let target: String?

  /// The details of a tensor, in addition to the report.
  struct TensorDetails: Sendable, Encodable {
    /// The histogram of the values; `nil` if none is finite.
    let histogram: ValueHistogram?
    /// The number of zeros.
    let zeros: Int
    /// The number of values.
    let count: Int
    /// The effects of smaller types.
    let types: [NarrowerType]
    /// The layouts for targets.
    let targets: [TargetPlacement]
    /// The origin of the tensor in the source of a conversion; `nil` for sources.
    let origin: Origin?
  }

  /// The origin of a converted tensor.
  struct Origin: Sendable, Encodable {
    /// The dataset or file.
    let path: String
    /// The order of the axes in the source.
    let layout: String
    /// The shape in the source.
    let shape: [Int]
    /// The rearrangement from the source, in einops notation.
    let pattern: String
    /// The sizes that einops needs to split axes.
    let sizes: [String: Int]
    /// Axes that were reversed.
    let reversed: [String]
  }

  /// Reads all values, a panel at a time.
  ///
  /// - Throws: any error from reading, or `interrupted`.
  init(
    of source: ReadSource, _ statistics: [TensorStatistics], _ observer: Observer
  ) throws(NetconvError) {
    let tensors = source.network.tensors
    let manifest = source.converted?.manifest
    let records = Dictionary(
      (manifest?.tensors ?? []).map { ([$0.layer, $0.role], $0) }
    ) { first, _ in first }
    var details: [TensorDetails] = []
    for (index, tensor) in tensors.enumerated() {
      do throws(NetconvError) {
        details.append(
          try TensorDetails(
            tensor, statistics[index],
            records[[tensor.layer, tensor.spec.role.rawValue]], observer))
      } catch {
        guard error.kind != .interrupted else { throw error }
        throw error.inTensor(tensor.spec.role.rawValue).inLayer(tensor.layer).inFile(source.path)
      }
      observer.onEvent(.progress(0.5 + Double(index + 1) / Double(2 * tensors.count)))
    }
    self.tensors = details
    do throws(NetconvError) {
      kernels = try KernelPictures(of: tensors)
    } catch {
      throw error.inFile(source.path)
    }
    targets = Dictionary(uniqueKeysWithValues: Target.all.map { ($0.name, $0.summary) })
    target = manifest?.target
    if case .model(let model) = source.network {
      graph = PageGraph(of: model)
    } else {
      graph = nil
    }
  }
}

extension InspectDetails.TensorDetails {
  init(
    _ tensor: Tensor, _ statistics: TensorStatistics, _ record: TensorRecord?, _ observer: Observer
  ) throws(NetconvError) {
    count = tensor.count
    targets = try TargetPlacement.all(for: tensor)
    origin = record.map { record in
      InspectDetails.Origin(
        path: record.source.path, layout: record.source.layout, shape: record.source.shape,
        pattern: record.rearrangement.pattern, sizes: record.rearrangement.sizes,
        reversed: record.rearrangement.flip)
    }
    guard let low = statistics.min, let high = statistics.max else {
      (histogram, zeros, types) = (nil, 0, [])
      return
    }
    var histogram = ValueHistogram(from: low, to: high)
    try tensor.forEachPanel(observer) { histogram.add($0) }
    self.histogram = histogram
    zeros = histogram.zeros
    types = try NarrowerType.all(
      for: tensor, isFinite: statistics.nonFinite == 0, observer)
  }
}

extension Tensor {
  /// Calls `body` with all values in stored order, a panel at a time.
  ///
  /// - Throws: any error from reading, or `interrupted`.
  func forEachPanel(
    _ observer: Observer, _ body: (UnsafeBufferPointer<Float>) -> Void
  ) throws(NetconvError) {
    let panelCount = 1 << 20
    let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: min(panelCount, count))
    defer { values.deallocate() }
    for start in stride(from: 0, to: count, by: panelCount) {
      try observer.checkCancellation()
      let range = start..<min(start + panelCount, count)
      let part = UnsafeMutableBufferPointer(rebasing: values[..<range.count])
      try stored.source.read(range, into: part)
      body(UnsafeBufferPointer(part))
    }
  }
}
