internal import CMNIST
import Files
import ModelIR
import Numpy
import Zlib

/// Images with the class of each.
public struct LabeledImages: Sendable {
  /// How the pixels are kept.
  public enum Pixels: Sendable {
    /// One byte each.
    case bytes(ArraySlice<UInt8>)
    /// float32 each.
    case floats([Float])
  }

  /// Where they came from, for people.
  public let name: String
  /// The size of each axis of one image.
  public let imageShape: [Int]
  /// All pixels, image by image.
  public let pixels: Pixels
  /// How the file stores a pixel.
  public let elementType: ElementType
  /// The class of each image.
  public let labels: [Int]

  /// The number of images.
  public var count: Int { labels.count }

  /// Values per image.
  public var imageSize: Int { imageShape.reduce(1, *) }

  /// Images and labels that belong together.
  ///
  /// - Throws: `badData` if there are not as many images as labels, or none.
  init(
    name: String, shape: [Int], pixels: Pixels, type: ElementType, labels: [Int]
  ) throws(NetconvError) {
    let count = try Self.checkedCount(shape)
    guard count == labels.count else { throw .differentCounts(images: count, labels: labels.count) }
    self.name = name
    imageShape = Array(shape.dropFirst())
    self.pixels = pixels
    elementType = type
    self.labels = labels
  }

  /// The number of images in an array of `shape`.
  private static func checkedCount(_ shape: [Int]) throws(NetconvError) -> Int {
    guard let count = shape.first, count > 0, shape.count > 1 else { throw .noImages(shape) }
    return count
  }

  /// Fills `values` with the pixels of some images, each `pixel * scale + offset`.
  ///
  /// - Precondition: `values` has ``imageSize`` places per image.
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
      }
    return LabeledImages(
      name: name, imageShape: imageShape, pixels: pixels, elementType: elementType,
      labels: chosen.map { labels[$0] })
  }

  private init(
    name: String, imageShape: [Int], pixels: Pixels, elementType: ElementType, labels: [Int]
  ) {
    self.name = name
    self.imageShape = imageShape
    self.pixels = pixels
    self.elementType = elementType
    self.labels = labels
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
      name: "MNIST test set", shape: imageData.shape, pixels: .bytes(imageData.values),
      type: .uint8, labels: labelData.values.map(Int.init))
  }
}

// MARK: - Files

extension LabeledImages {
  /// Reads images and labels from two files: IDX (plain or gzip) or `.npy`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if a file is neither or the two do not fit together.
  public init(images: String, labels: String) throws(NetconvError) {
    var budget = MemoryBudget()
    let imageArray = try Self.array(at: images, &budget)
    let labelArray = try Self.array(at: labels, &budget)
    do {
      _ = try Self.checkedCount(imageArray.shape)
    } catch {
      throw error.inFile(images)
    }
    do throws(NetconvError) {
      try self.init(
        name: Directory.lastComponent(of: images), shape: imageArray.shape,
        pixels: imageArray.pixels, type: imageArray.type,
        labels: Self.classes(labelArray, &budget))
    } catch {
      throw error.inFile(labels)
    }
  }

  /// Reads an `.npz` that holds `x_test` and `y_test`.
  ///
  /// - Throws: `cannotOpen`, or `badData` if one is missing or the two do not fit together.
  public init(archive: String) throws(NetconvError) {
    var budget = MemoryBudget()
    let arrays = try NumpyArchive.read(archive, &budget)
    do throws(NetconvError) {
      guard let images = arrays.first(where: { $0.name == "x_test" })?.array,
        let labels = arrays.first(where: { $0.name == "y_test" })?.array
      else { throw .missingArrays(arrays.map(\.name)) }
      try self.init(
        name: Directory.lastComponent(of: archive), shape: images.shape,
        pixels: .floats(images.values), type: images.elementType,
        labels: Self.classes((labels.shape, .floats(labels.values), labels.elementType), &budget))
    } catch {
      throw error.inFile(archive)
    }
  }

  private typealias StoredArray = (shape: [Int], pixels: Pixels, type: ElementType)

  private static func array(
    at path: String, _ budget: inout MemoryBudget
  ) throws(NetconvError) -> StoredArray {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      let bytes: [UInt8]
      if isGzip(try file.prefix(2)) {
        bytes = try inflated(file, in: 0..<file.size, .gzip) { beginning throws(NetconvError) in
          try budget.take(Self.extent(beginning))
        }
      } else {
        bytes = try file.contents(limit: MemoryBudget.total)
        try budget.take(Self.extent(bytes), of: bytes)
      }
      if NumpyHeader.recognizes(bytes) {
        let array = try NumpyArray(bytes)
        return (array.shape, .floats(array.values), array.elementType)
      }
      let array = try IDX(bytes)
      return (array.shape, .bytes(array.values), .uint8)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func extent(_ bytes: [UInt8]) throws(NetconvError) -> ArrayExtent? {
    // Too few bytes to tell the two.
    guard bytes.count >= 12 else { return nil }
    return NumpyHeader.recognizes(bytes) ? try NumpyArray.extent(bytes) : try IDX.extent(bytes)
  }

  /// The classes in an array of one number per image.
  private static func classes(
    _ array: StoredArray, _ budget: inout MemoryBudget
  ) throws(NetconvError) -> [Int] {
    guard array.shape.dropFirst().allSatisfy({ $0 == 1 }), !array.shape.isEmpty else {
      throw .wrongLabelShape(array.shape)
    }
    try budget.take(product([array.shape[0], MemoryLayout<Int>.size]))
    switch array.pixels {
    case .bytes(let bytes): return bytes.map(Int.init)
    case .floats(let floats):
      var classes: [Int] = []
      for value in floats {
        guard let label = Int(exactly: value), label >= 0 else { throw .wrongLabel(value) }
        classes.append(label)
      }
      return classes
    }
  }
}
