internal import CKernels
import ModelIR
import Processor

/// A change of size: which part of a stretched picture is wanted.
struct Resampling: Equatable {
  /// The size of the stretched picture.
  let height, width: Int
  /// What is wanted of it.
  let rows, columns: Range<Int>
  let sizing: PixelStep.Sizing

  /// All of a picture that is stretched.
  init(stretching sizing: PixelStep.Sizing) {
    (height, width) = (sizing.height, sizing.width)
    (rows, columns) = (0..<height, 0..<width)
    self.sizing = sizing
  }

  /// A picture that covers the size, of which as much is cut off on both sides; what is odd, behind.
  init(filling sizing: PixelStep.Sizing, from form: PictureForm) {
    let factor = max(
      Double(sizing.width) / Double(form.width), Double(sizing.height) / Double(form.height))
    width = max(sizing.width, Int((Double(form.width) * factor).rounded()))
    height = max(sizing.height, Int((Double(form.height) * factor).rounded()))
    let left = (width - sizing.width) / 2
    let top = (height - sizing.height) / 2
    columns = left..<left + sizing.width
    rows = top..<top + sizing.height
    self.sizing = sizing
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
    let narrow =
      width == form.width && columns == 0..<width
      ? values
      : sampleColumns(
        values, form, SampleTable(from: form.width, to: width, columns, sizing), workers)
    guard height != form.height || rows != 0..<height else { return narrow }
    let table = SampleTable(from: form.height, to: height, rows, sizing)
    return sampleRows(narrow, columns.count * form.channels, table, workers)
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
