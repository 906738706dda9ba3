/// Makes one number of many in one dimension.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnreduceunary
open class MPSNNReduceUnary: MPSCNNKernel {
  /// The part of the source that is read.
  open var clipRectSource = MPSRectNoClip

  enum Dimension {
    case row
    case column
    case featureChannels
  }

  var dimension: Dimension { preconditionFailure("use a subclass of MPSNNReduceUnary") }

  func reduce(_ count: Int, _ value: (Int) -> Float) -> Float {
    preconditionFailure("use a subclass of MPSNNReduceUnary")
  }

  override func outputChannels(_ sourceChannels: Int) -> Int {
    dimension == .featureChannels ? 1 : sourceChannels
  }

  override func place(_ descriptor: MPSImageDescriptor, source: MPSImage) {
    let region = ClippedRegion(clipRectSource, source.width, source.height)
    descriptor.width = dimension == .row ? 1 : region.columns.count
    descriptor.height = dimension == .column ? 1 : region.rows.count
  }

  override func body() -> Pass.Body {
    let clipRectSource = clipRectSource
    return { [self, dimension] inputs, output in
      let plane = inputs[0].plane
      let region = ClippedRegion(clipRectSource, plane.width, plane.height)
      let (left, top) = (region.columns.lowerBound, region.rows.lowerBound)
      let size = (
        dimension == .row ? 1 : region.columns.count, dimension == .column ? 1 : region.rows.count
      )
      for y in 0..<min(output.height, size.1) {
        for x in 0..<min(output.width, size.0) {
          for c in 0..<output.plane.channels {
            output.pixel(x, y)[c] =
              switch dimension {
              case .row: reduce(region.columns.count) { plane.pixel(left + $0, top + y)[c] }
              case .column: reduce(region.rows.count) { plane.pixel(left + x, top + $0)[c] }
              case .featureChannels:
                reduce(plane.channels) { plane.pixel(left + x, top + y)[$0] }
              }
          }
        }
      }
    }
  }
}

private struct ClippedRegion {
  let columns: Range<Int>
  let rows: Range<Int>

  init(_ region: MTLRegion, _ width: Int, _ height: Int) {
    func clip(_ origin: Int, _ size: Int, _ limit: Int) -> Range<Int> {
      min(origin, limit)..<(size > limit ? limit : min(origin + size, limit))
    }
    columns = clip(region.origin.x, region.size.width, width)
    rows = clip(region.origin.y, region.size.height, height)
  }
}

/// The mean of each row: an image of one column.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnreducerowmean
open class MPSNNReduceRowMean: MPSNNReduceUnary {
  override var dimension: Dimension { .row }
  override func reduce(_ count: Int, _ value: (Int) -> Float) -> Float {
    (0..<count).reduce(0) { $0 + value($1) } / Float(count)
  }
}

/// The mean of each column: an image of one row.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnreducecolumnmean
open class MPSNNReduceColumnMean: MPSNNReduceUnary {
  override var dimension: Dimension { .column }
  override func reduce(_ count: Int, _ value: (Int) -> Float) -> Float {
    (0..<count).reduce(0) { $0 + value($1) } / Float(count)
  }
}

/// The mean of a pixel's channels: an image of one channel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnreducefeaturechannelsmean
open class MPSNNReduceFeatureChannelsMean: MPSNNReduceUnary {
  override var dimension: Dimension { .featureChannels }
  override func reduce(_ count: Int, _ value: (Int) -> Float) -> Float {
    (0..<count).reduce(0) { $0 + value($1) } / Float(count)
  }
}

/// The sum of a pixel's channels: an image of one channel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnreducefeaturechannelssum
open class MPSNNReduceFeatureChannelsSum: MPSNNReduceUnary {
  override var dimension: Dimension { .featureChannels }
  override func reduce(_ count: Int, _ value: (Int) -> Float) -> Float {
    (0..<count).reduce(0) { $0 + value($1) }
  }
}

/// The largest of a pixel's channels: an image of one channel.
///
/// https://developer.apple.com/documentation/metalperformanceshaders/mpsnnreducefeaturechannelsmax
open class MPSNNReduceFeatureChannelsMax: MPSNNReduceUnary {
  override var dimension: Dimension { .featureChannels }
  override func reduce(_ count: Int, _ value: (Int) -> Float) -> Float {
    (0..<count).reduce(-.infinity) { max($0, value($1)) }
  }
}
