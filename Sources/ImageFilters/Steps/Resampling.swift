internal import CKernels
import ModelIR
import Processor

/// A change of size: the required part of the scaled picture, and the sampling weights.
struct Resampling: Equatable {
  /// The required part of the scaled picture.
  let rows, columns: Range<Int>
  /// The sampling of rows and columns; `nil` if they are unchanged.
  private let rowTable, columnTable: SampleTable?

  /// Creates the scaling of a whole picture.
  init(stretching sizing: PixelStep.Sizing, from form: PictureForm) {
    self.init(
      sizing, from: form, height: sizing.height, width: sizing.width, top: 0, left: 0)
  }

  /// Creates the scaling of a picture that covers the size, centred and cut off.
  ///
  /// An odd pixel is cut off at the end.
  init(filling sizing: PixelStep.Sizing, from form: PictureForm) {
    let factor = max(
      Double(sizing.width) / Double(form.width), Double(sizing.height) / Double(form.height))
    let width = max(sizing.width, Int((Double(form.width) * factor).rounded()))
    let height = max(sizing.height, Int((Double(form.height) * factor).rounded()))
    self.init(
      sizing, from: form, height: height, width: width, top: (height - sizing.height) / 2,
      left: (width - sizing.width) / 2)
  }

  private init(
    _ sizing: PixelStep.Sizing, from form: PictureForm, height: Int, width: Int, top: Int,
    left: Int
  ) {
    rows = top..<top + sizing.height
    columns = left..<left + sizing.width
    rowTable =
      height == form.height && rows == 0..<height
      ? nil : SampleTable(from: form.height, to: height, rows, for: sizing)
    columnTable =
      width == form.width && columns == 0..<width
      ? nil : SampleTable(from: form.width, to: width, columns, for: sizing)
  }

  /// The size of a picture scaled to fit inside a size.
  static func fitting(_ sizing: PixelStep.Sizing, from form: PictureForm) -> PixelStep.Sizing {
    let factor = min(
      Double(sizing.width) / Double(form.width), Double(sizing.height) / Double(form.height))
    var inside = sizing
    inside.width = min(sizing.width, max(1, Int((Double(form.width) * factor).rounded())))
    inside.height = min(sizing.height, max(1, Int((Double(form.height) * factor).rounded())))
    return inside
  }

  /// Returns the scaled picture.
  func apply(to values: [Float], _ form: PictureForm, _ workers: Workers) -> [Float] {
    let narrow = columnTable.map { sampleColumns(values, form, $0, workers) } ?? values
    let row = columns.count * form.channels
    return rowTable.map { sampleRows(narrow, row, $0, workers) } ?? narrow
  }

  private func sampleColumns(
    _ values: [Float], _ form: PictureForm, _ table: SampleTable, _ workers: Workers
  ) -> [Float] {
    let count = columns.count
    return workers.values(form.height * count * form.channels, from: values) { x, y in
      table.withJob(x, y) { job in
        workers.share(form.height, cost: count * form.channels * table.most) { share in
          withUnsafePointer(to: job.value) {
            workers.kernels.sample_columns(
              $0, form.width, count, form.channels, share.lowerBound, share.upperBound)
          }
        }
      }
    }
  }

  private func sampleRows(
    _ values: [Float], _ row: Int, _ table: SampleTable, _ workers: Workers
  ) -> [Float] {
    return workers.values(rows.count * row, from: values) { x, y in
      table.withJob(x, y) { job in
        workers.share(rows.count, cost: row * table.most) { share in
          withUnsafePointer(to: job.value) {
            workers.kernels.sample_rows($0, row, share.lowerBound, share.upperBound)
          }
        }
      }
    }
  }
}

extension SampleTable {
  /// Creates the table for the range `part` of `new` pixels, sampled from `old` with the method of
  /// a step.
  fileprivate init(
    from old: Int, to new: Int, _ part: Range<Int>, for sizing: PixelStep.Sizing
  ) {
    let method: Method =
      switch sizing.method {
      case .nearest: .nearest
      case .bilinear: .bilinear
      case .area: .area
      case .bicubic: .bicubic
      }
    self.init(from: old, to: new, part, method, antialias: sizing.antialias)
  }

  fileprivate func withJob(
    _ x: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>,
    _ body: (Shared<netconv_sampling>) -> Void
  ) {
    first.withUnsafeBufferPointer { first in
      count.withUnsafeBufferPointer { count in
        weights.withUnsafeBufferPointer { weights in
          body(
            Shared(
              netconv_sampling(
                x: x, y: y, first: first.baseAddress, count: count.baseAddress,
                weights: weights.baseAddress, most: most)))
        }
      }
    }
  }
}
