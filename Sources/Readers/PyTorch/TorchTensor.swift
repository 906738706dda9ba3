import ModelIR

/// Values that several tensors may look at, as a file of PyTorch names them.
///
/// Source: torch/serialization.py, `persistent_id` and `persistent_load`.
struct TorchStorage: Sendable, Equatable {
  /// What the file calls the values.
  let key: String
  /// The type that the file states.
  let type: TorchType
  /// The number of values of that type under the key.
  let count: Int
  /// Which of them are meant: older files have storages that are parts of others.
  let part: Range<Int>
}

/// A tensor as a file of PyTorch describes it: a view of a storage.
struct TorchTensor: Sendable {
  let storage: TorchStorage
  let type: TorchType
  /// The first value, counted in values of ``type`` from the beginning of the storage's part.
  let offset: Int
  let sizes: [Int]
  let strides: [Int]

  /// The number of values, which can be counted.
  var count: Int { sizes.reduce(1, *) }

  /// The view, once it is known that it lies within its storage.
  ///
  /// - Throws: `badData` if it does not, goes backwards, or repeats values beyond all measure.
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
    // A storage without a type has bytes; the tensor says what they are.
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
      // Of values that are repeated, a small file can claim any number.
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
