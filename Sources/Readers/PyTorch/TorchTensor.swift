import ModelIR

/// A storage in a PyTorch file, which several tensors may share.
///
/// Source: torch/serialization.py, `persistent_id` and `persistent_load`.
struct TorchStorage: Sendable, Equatable {
  /// The key in the file.
  let key: String
  /// The dtype that the file states.
  let type: TorchType
  /// The number of values in the storage.
  let count: Int
  /// The range of the values in use: older files have storages that are views of others.
  let part: Range<Int>
}

/// A tensor in a PyTorch file: a view of a storage.
struct TorchTensor: Sendable {
  let storage: TorchStorage
  let type: TorchType
  /// The index of the first value in units of ``type``, from the start of the storage's range.
  let offset: Int
  let sizes: [Int]
  let strides: [Int]

  /// The number of values, which does not overflow.
  var count: Int { sizes.reduce(1, *) }

  /// Creates the view after checking that it is within its storage.
  ///
  /// - Throws: `badData` if it is out of bounds, has negative strides, or repeats too many values.
  init(
    _ storage: TorchStorage, type: TorchType?, offset: Int, sizes: [Int], strides: [Int]
  ) throws(NetconvError) {
    guard sizes.count == strides.count else {
      throw .torchRanks(sizes: sizes, strides: strides)
    }
    guard offset >= 0, strides.allSatisfy({ $0 >= 0 }) else {
      throw .torchBackwards(offset: offset, strides: strides)
    }
    let count = try product(sizes)
    let type = type ?? storage.type
    // An untyped storage consists of bytes; the tensor states the dtype.
    let room = try product([storage.part.count, storage.type.byteCount]) / type.byteCount
    if count > 0 {
      var last = offset
      for (size, stride) in zip(sizes, strides) {
        let (extent, tooFar) = (size - 1).multipliedReportingOverflow(by: stride)
        let (sum, tooLong) = last.addingReportingOverflow(extent)
        guard !tooFar, !tooLong else {
          throw .torchOutside(sizes, strides, offset: offset, room: room)
        }
        last = sum
      }
      guard last < room else { throw .torchOutside(sizes, strides, offset: offset, room: room) }
      // With repeated values, a small file could claim any size.
      guard count <= max(room, Self.mostRepeated) else {
        throw .torchRepeated(sizes, room: room, limit: Self.mostRepeated)
      }
    }
    self.storage = storage
    self.type = type
    self.offset = offset
    self.sizes = sizes
    self.strides = strides
  }

  private static let mostRepeated = 1 << 26
}

extension NetconvError {
  fileprivate static func torchRanks(sizes: [Int], strides: [Int]) -> NetconvError {
    NetconvError(
      .badData, "has \(sizes.count) sizes and \(strides.count) strides; the file is damaged")
  }

  fileprivate static func torchBackwards(offset: Int, strides: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has the offset \(offset) and the strides \(strides), expected none below 0; the file is damaged"
    )
  }

  fileprivate static func torchOutside(
    _ sizes: [Int], _ strides: [Int], offset: Int, room: Int
  ) -> NetconvError {
    NetconvError(
      .badData,
      "reaches beyond its storage of \(room) values: \(sizes) with strides \(strides) from \(offset) on; the "
        + "file is damaged")
  }

  fileprivate static func torchRepeated(_ sizes: [Int], room: Int, limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "repeats the \(room) values of its storage as \(sizes), more than \(limit) in all; save it after "
        + "tensor.contiguous()")
  }
}
