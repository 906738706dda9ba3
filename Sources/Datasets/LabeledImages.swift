internal import CMNIST
import Files
import ModelIR
import Numpy
import Zlib

/// Images, or samples of any other kind, with what a model should give for each.
public struct LabeledImages: Sendable {
  /// How the pixels are kept.
  public enum Pixels: Sendable {
    /// One byte each.
    case bytes(ArraySlice<UInt8>)
    /// float32 each.
    case floats([Float])
    /// Files that are decoded when they are asked for; each has its own size.
    case pictures([PictureEntry])
  }

  /// Where they came from, for people.
  public let name: String
  /// The size of each axis of one image; of pictures, of the first.
  public let imageShape: [Int]
  /// All pixels, image by image.
  public let pixels: Pixels
  /// How the file stores a pixel.
  public let elementType: ElementType
  /// What a model should give for each image.
  public let targets: Targets

  /// The number of images.
  public var count: Int { targets.count }

  /// Values per image.
  public var imageSize: Int { imageShape.reduce(1, *) }

  /// Images and targets that belong together.
  ///
  /// - Throws: `badData` if there are not as many images as targets, or none.
  private init(name: String, _ images: StoredArray, _ targets: Targets) throws(NetconvError) {
    let count = try Self.checkedCount(images.shape)
    guard count == targets.count else {
      throw .differentCounts(images: count, labels: targets.count)
    }
    self.init(
      name: name, imageShape: Array(images.shape.dropFirst()), pixels: images.pixels,
      elementType: images.type, targets: targets)
  }

  /// The number of images in an array of `shape`.
  private static func checkedCount(_ shape: [Int]) throws(NetconvError) -> Int {
    guard let count = shape.first, count > 0, shape.count > 1 else { throw .noImages(shape) }
    return count
  }

  /// Fills `values` with the pixels of some images, each `pixel * scale + offset`.
  ///
  /// - Precondition: `values` has ``imageSize`` places per image, which are no pictures.
  public func read(
    _ images: Range<Int>, scale: Float, offset: Float,
    into values: UnsafeMutableBufferPointer<Float>
  ) {
    let range = images.lowerBound * imageSize..<images.upperBound * imageSize
    switch pixels {
    case .bytes(let bytes):
      bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)]
        .withUnsafeBufferPointer { source in
          for index in source.indices { values[index] = Float(source[index]) * scale + offset }
        }
    case .floats(let floats):
      floats.withUnsafeBufferPointer { source in
        for index in range { values[index - range.lowerBound] = source[index] * scale + offset }
      }
    case .pictures: preconditionFailure("pictures have different sizes")
    }
  }
}

// MARK: - Some of the images

extension LabeledImages {
  /// Some of the first images, spread evenly: data sets are often sorted by class.
  ///
  /// - Parameters:
  ///   - count: how many; at most all.
  ///   - limit: how many of the first images they are chosen from; at most all.
  package func spread(_ count: Int, of limit: Int) -> LabeledImages {
    let limit = max(1, min(limit, self.count))
    let count = max(1, min(count, limit))
    let chosen = (0..<count).map { $0 * limit / count }
    let size = imageSize
    let pixels: Pixels =
      switch self.pixels {
      case .bytes(let bytes):
        .bytes(
          chosen.flatMap {
            bytes[(bytes.startIndex + $0 * size)..<(bytes.startIndex + ($0 + 1) * size)]
          }[...])
      case .floats(let floats):
        .floats(chosen.flatMap { floats[($0 * size)..<(($0 + 1) * size)] })
      case .pictures(let entries): .pictures(chosen.map { entries[$0] })
      }
    return LabeledImages(
      name: name, imageShape: imageShape, pixels: pixels, elementType: elementType,
      targets: targets.chosen(chosen))
  }

  private init(
    name: String, imageShape: [Int], pixels: Pixels, elementType: ElementType, targets: Targets
  ) {
    self.name = name
    self.imageShape = imageShape
    self.pixels = pixels
    self.elementType = elementType
    self.targets = targets
  }
}

// MARK: - The built-in test set

extension LabeledImages {
  /// The 10,000 test images of MNIST, which are part of the program.
  ///
  /// Yann LeCun, Corinna Cortes, Christopher Burges; CC BY-SA 3.0.
  /// - Throws: `internal` if the program was damaged.
  public static func mnist() throws(NetconvError) -> LabeledImages {
    let images = UnsafeBufferPointer(
      start: netconv_mnist_images_start(), count: netconv_mnist_images_size)
    let labels = UnsafeBufferPointer(
      start: netconv_mnist_labels_start(), count: netconv_mnist_labels_size)
    let imageData = try IDX(inflated(images, .gzip, limit: 64 << 20))
    let labelData = try IDX(inflated(labels, .gzip, limit: 1 << 20))
    return try LabeledImages(
      name: "MNIST test set", (imageData.shape, .bytes(imageData.values), .uint8),
      Targets(labelData))
  }
}

// MARK: - Pictures

extension LabeledImages {
  /// Pictures with their classes, of which only the first is read.
  ///
  /// - Throws: as ``PictureFile/init(path:)``.
  public init(_ list: PictureList, name: String) throws(NetconvError) {
    let entries = list.entries.map { PictureEntry(file: $0.path) }
    let first: PictureEntry.Contents
    do throws(NetconvError) {
      first = try entries[0].read()
    } catch {
      throw error.inFile(entries[0].name)
    }
    self.init(
      name: name, imageShape: first.picture.shape, pixels: .pictures(entries), elementType: .uint8,
      targets: try Targets(
        shape: [entries.count], values: list.entries.map { Double($0.label) },
        elementType: .int64))
  }
}

// MARK: - Files

extension LabeledImages {
  /// Reads images and targets from two files: IDX (plain or gzip) or `.npy`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if a file is neither or the two do not fit together.
  public init(images: String, labels: String) throws(NetconvError) {
    var budget = MemoryBudget()
    let imageArray = try Self.array(at: images, &budget)
    let targets = try Self.decoded(labels, &budget) { bytes throws(NetconvError) in
      NumpyHeader.recognizes(bytes) ? try Targets(numpy: bytes) : try Targets(IDX(bytes))
    }
    do {
      _ = try Self.checkedCount(imageArray.shape)
    } catch {
      throw error.inFile(images)
    }
    do throws(NetconvError) {
      try budget.take(targets)
      try self.init(name: Directory.lastComponent(of: images), imageArray, targets)
    } catch {
      throw error.inFile(labels)
    }
  }

  /// Reads an `.npz` that holds `x_test` and `y_test`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if one is missing or the two do not fit together.
  public init(archive: String) throws(NetconvError) {
    var budget = MemoryBudget()
    let parts = try NumpyArchive.read(archive, &budget) { name, bytes throws(NetconvError) in
      name == "y_test" ? Part.targets(try Targets(numpy: bytes)) : .images(try Self.array(bytes))
    }
    do throws(NetconvError) {
      guard case .images(let images)? = parts.first(where: { $0.name == "x_test" })?.array,
        case .targets(let targets)? = parts.first(where: { $0.name == "y_test" })?.array
      else { throw .missingArrays(parts.map(\.name)) }
      try budget.take(targets)
      try self.init(name: Directory.lastComponent(of: archive), images, targets)
    } catch {
      throw error.inFile(archive)
    }
  }

  /// The array in a file: IDX (plain or gzip) or `.npy`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if it is neither.
  static func array(at path: String) throws(NetconvError) -> StoredArray {
    var budget = MemoryBudget()
    return try array(at: path, &budget)
  }

  private static func array(
    at path: String, _ budget: inout MemoryBudget
  ) throws(NetconvError) -> StoredArray {
    let file = try RandomAccessFile(path: path)
    guard NumpyHeader.recognizes(try file.prefix(8)) else {
      return try decoded(path, &budget, array)
    }
    do throws(NetconvError) {
      let array = try NumpyArray(file, &budget)
      return (array.shape, .floats(array.values), array.elementType)
    } catch {
      throw error.inFile(path)
    }
  }

  typealias StoredArray = (shape: [Int], pixels: Pixels, type: ElementType)

  /// What an array of an archive is.
  private enum Part {
    case images(StoredArray)
    case targets(Targets)
  }

  /// What `decode` makes of the bytes of a file, which may be gzip'ed.
  private static func decoded<Value>(
    _ path: String, _ budget: inout MemoryBudget,
    _ decode: ([UInt8]) throws(NetconvError) -> Value
  ) throws(NetconvError) -> Value {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      let bytes: [UInt8]
      if isGzip(try file.prefix(2)) {
        bytes = try inflated(file, in: 0..<file.size, .gzip) { beginning throws(NetconvError) in
          try budget.take(Self.extent(beginning))
        }
      } else {
        // What is not as long as it says is not read.
        if let extent = try Self.extent(file.prefix(1 << 16)), extent.size != file.size {
          throw .wrongLength(file.size, header: 0, data: extent.size)
        }
        bytes = try file.contents(limit: MemoryBudget.limit.bytes)
        try budget.take(Self.extent(bytes), of: bytes)
      }
      return try decode(bytes)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func array(_ bytes: [UInt8]) throws(NetconvError) -> StoredArray {
    if NumpyHeader.recognizes(bytes) {
      let array = try NumpyArray(bytes)
      return (array.shape, .floats(array.values), array.elementType)
    }
    let array = try IDX(bytes)
    return (array.shape, .bytes(array.values), .uint8)
  }

  private static func extent(_ bytes: [UInt8]) throws(NetconvError) -> ArrayExtent? {
    // Too few bytes to tell the two.
    guard bytes.count >= 12 else { return nil }
    return NumpyHeader.recognizes(bytes) ? try NumpyArray.extent(bytes) : try IDX.extent(bytes)
  }
}

extension Targets {
  fileprivate init(_ array: IDX) throws(NetconvError) {
    try self.init(
      shape: array.shape, values: array.values.map(Double.init), elementType: .uint8)
  }
}

extension MemoryBudget {
  /// Sets aside what targets take.
  fileprivate mutating func take(_ targets: Targets) throws(NetconvError) {
    try take(product([targets.values.count, MemoryLayout<Double>.size]))
  }
}
