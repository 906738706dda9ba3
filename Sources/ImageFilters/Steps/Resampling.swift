internal import CKernels
import ModelIR
import Processor

/// A change of size: which part of a stretched picture is wanted, and what its pixels are made from.
struct Resampling: Equatable {
  /// What is wanted of the stretched picture.
  let rows, columns: Range<Int>
  /// How rows and columns are made; `nil` where they stay.
  private let rowTable, columnTable: SampleTable?

  /// All of a picture that is stretched.
  init(stretching sizing: PixelStep.Sizing, from form: PictureForm) {
    self.init(
      sizing, from: form, height: sizing.height, width: sizing.width, top: 0, left: 0)
  }

  /// A picture that covers the size, of which as much is cut off on both sides; what is odd, behind.
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

  /// The size of a picture that lies inside a size and touches two of its sides.
  static func fitting(_ sizing: PixelStep.Sizing, from form: PictureForm) -> PixelStep.Sizing {
    let factor = min(
      Double(sizing.width) / Double(form.width), Double(sizing.height) / Double(form.height))
    var inside = sizing
    inside.width = min(sizing.width, max(1, Int((Double(form.width) * factor).rounded())))
    inside.height = min(sizing.height, max(1, Int((Double(form.height) * factor).rounded())))
    return inside
  }

  /// Changes the size of a picture.
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
  /// The table for new pixels `part` of `new`, made from `old` as a step says.
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
