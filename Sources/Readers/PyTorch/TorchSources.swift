import Files
import ModelIR
import Pickles

extension TorchFile {
  /// Returns the values of a tensor in C order, without copying.
  ///
  /// - Throws: `badData` if the file does not contain all of them.
  func stored(_ tensor: TorchTensor, as path: String) throws(NetconvError) -> StoredTensor {
    let float8 = tensor.type.float8
    guard let type = float8 == nil ? tensor.type.elementType : .uint8 else {
      throw .torchUnread("of the type \(tensor.type.name)")
    }
    let place = try place(of: tensor.storage)
    let width = tensor.storage.type.byteCount
    let start = place.range.lowerBound + tensor.storage.part.lowerBound * width
    let values = FileTensorSource(
      file: place.file, offset: start, elementType: type,
      count: tensor.storage.part.count * width / type.byteCount,
      byteOrder: byteOrder)
    let view = values.view(offset: tensor.offset, sizes: tensor.sizes, strides: tensor.strides)
    var stored = StoredTensor(source: view, layout: nil, shape: tensor.sizes, path: path)
    if let float8 {
      stored.source = CodedValues(view, float8.numbers)
      stored.kind = StoredKind(float8.rawValue, byteCount: view.count)
    }
    return stored
  }

  /// Returns the values of a pickled array in C order.
  func stored(_ array: PickledArray, as path: String) -> StoredTensor {
    let values: any TensorSource =
      switch array.bytes {
      case .place(let range):
        FileTensorSource(
          file: array.file, offset: range.lowerBound, elementType: array.elementType,
          count: range.count / array.elementType.byteCount, byteOrder: array.byteOrder)
      case .memory(let bytes):
        ByteSource(
          bytes: bytes, elementType: array.elementType,
          count: bytes.count / array.elementType.byteCount, byteOrder: array.byteOrder)
      }
    return StoredTensor(
      source: values.array(array.shape, isFortran: array.isFortran), layout: nil,
      shape: array.shape, path: path)
  }
}

extension TensorSource {
  /// Returns a strided view, which must be within the bounds of this source.
  func view(offset: Int, sizes: [Int], strides: [Int]) -> any TensorSource {
    let count = sizes.reduce(1, *)
    guard count > 0 else { return SliceSource(self, 0..<0) }
    var step = 1
    var isPlain = true
    for (size, stride) in zip(sizes, strides).reversed() {
      // The stride of an axis of size 1 is irrelevant.
      if size > 1, stride != step { isPlain = false }
      step *= size
    }
    guard isPlain else {
      return StridedTensorSource(self, offset: offset, sizes: sizes, strides: strides)
    }
    return offset == 0 && count == self.count ? self : SliceSource(self, offset..<offset + count)
  }

  /// Returns the values of an array in C order, whatever their stored order.
  func array(_ shape: [Int], isFortran: Bool) -> any TensorSource {
    guard isFortran, shape.count > 1 else { return self }
    var strides: [Int] = []
    var step = 1
    for size in shape {
      strides.append(step)
      step *= size
    }
    return view(offset: 0, sizes: shape, strides: strides)
  }
}
