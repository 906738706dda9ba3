internal import CMNIST
import Files
import ModelIR
import Numpy
import Zlib

/// Images or other samples, with the expected output for each.
public struct LabeledImages: Sendable {
  /// The storage of the pixels.
  public enum Pixels: Sendable {
    /// Images of one shape.
    case array(SampleArray)
    /// Files that are decoded on request; each has its own size.
    case pictures([PictureEntry])
  }

  /// The name of the data set, for messages.
  public let name: String
  /// The shape of one image; for pictures, of the first.
  public let imageShape: [Int]
  /// All pixels, image by image.
  public let pixels: Pixels
  /// The dtype of the stored pixels.
  public let elementType: ElementType
  /// The expected output for each image.
  public let targets: Targets
  /// The names of the classes by index; empty if unknown.
  public private(set) var classNames: [String] = []

  /// The number of images.
  public var count: Int { targets.count }

  /// The number of values per image.
  public var imageSize: Int { imageShape.reduce(1, *) }

  /// Creates a data set from images and targets.
  ///
  /// - Throws: `badData` if their counts differ or are 0.
  init(name: String, _ images: SampleArray, _ targets: Targets) throws(NetconvError) {
    let count = try Self.checkedCount(images.shape)
    guard count == targets.count else {
      throw .differentCounts(images: count, labels: targets.count)
    }
    self.init(
      name: name, imageShape: Array(images.shape.dropFirst()), pixels: .array(images),
      elementType: images.elementType, targets: targets)
  }

  /// The number of images in an array of `shape`.
  private static func checkedCount(_ shape: [Int]) throws(NetconvError) -> Int {
    guard let count = shape.first, count > 0, shape.count > 1 else { throw .noImages(shape) }
    return count
  }

  /// The pixels of some images.
  ///
  /// - Precondition: The images are not pictures.
  /// - Throws: `inputOutput` if their file cannot be read.
  public func values(of images: Range<Int>) throws(NetconvError) -> [Float] {
    guard case .array(let array) = pixels else {
      preconditionFailure("pictures have different sizes")
    }
    return try array.values(of: images)
  }

  /// Checks that the file of images has not changed since it was opened.
  ///
  /// - Throws: `inputOutput`.
  package func checkUnchanged() throws(NetconvError) {
    if case .array(let array) = pixels { try array.checkUnchanged() }
  }
}

// MARK: - Subsets

extension LabeledImages {
  /// Returns some of the first images at regular intervals, because data sets are often sorted by
  /// class.
  ///
  /// - Parameters:
  ///   - count: The number of images to return; at most all.
  ///   - limit: The number of leading images to choose from; at most all.
  /// - Throws: `inputOutput` if their file cannot be read.
  package func spread(_ count: Int, of limit: Int) throws(NetconvError) -> LabeledImages {
    let limit = max(1, min(limit, self.count))
    let count = max(1, min(count, limit))
    let chosen = (0..<count).map { $0 * limit / count }
    let pixels: Pixels =
      switch self.pixels {
      case .array(let array): .array(try array.chosen(chosen))
      case .pictures(let entries): .pictures(chosen.map { entries[$0] })
      }
    var images = LabeledImages(
      name: name, imageShape: imageShape, pixels: pixels, elementType: elementType,
      targets: targets.chosen(chosen))
    images.classNames = classNames
    return images
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
  /// The 10,000 test images of MNIST, which are embedded in the program.
  ///
  /// Yann LeCun, Corinna Cortes, Christopher Burges; CC BY-SA 3.0.
  /// - Throws: `internal` if the program is damaged.
  public static func mnist() throws(NetconvError) -> LabeledImages {
    let images = UnsafeBufferPointer(
      start: netconv_mnist_images_start(), count: netconv_mnist_images_size)
    let labels = UnsafeBufferPointer(
      start: netconv_mnist_labels_start(), count: netconv_mnist_labels_size)
    let imageData = try IDX(inflated(images, .gzip, limit: 64 << 20))
    let labelData = try IDX(inflated(labels, .gzip, limit: 1 << 20))
    return try LabeledImages(
      name: "MNIST test set",
      SampleArray(shape: imageData.shape, elementType: .uint8, .bytes(imageData.values)),
      Targets(labelData))
  }
}

// MARK: - Pictures

extension LabeledImages {
  /// Creates a data set of pictures with their classes; only the first picture is read.
  ///
  /// - Throws: Any error that ``PictureFile/init(path:)`` throws.
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
    classNames = list.names
  }
}

// MARK: - Files

extension LabeledImages {
  /// Reads images and targets from two files: IDX (plain or gzip) or `.npy`.
  ///
  /// - Parameter heldSize: The memory limit for the images in bytes; larger arrays stay in their
  ///   file.
  /// - Throws: `cannotOpen`, or `badData` if a format is unknown or the counts differ.
  public init(
    images: String, labels: String, holding heldSize: Int = SampleArray.heldSize
  ) throws(NetconvError) {
    if try Self.isZip(images) { throw NetconvError.labelsBesideArchive.inFile(images) }
    if try Self.isZip(labels) { throw NetconvError.labelsInArchive.inFile(labels) }
    var reader = ArrayReader(holding: heldSize)
    let array = try reader.array(at: images)
    let targetBytes = try reader.bytes(at: labels)
    do {
      _ = try Self.checkedCount(array.shape)
    } catch {
      throw error.inFile(images)
    }
    do throws(NetconvError) {
      let targets = try Targets(file: targetBytes)
      try reader.take(targets)
      try self.init(name: Directory.lastComponent(of: images), array, targets)
    } catch {
      throw error.inFile(labels)
    }
  }

  private static func isZip(_ path: String) throws(NetconvError) -> Bool {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      return ZipArchive.isZip(try file.prefix(8))
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads an `.npz` with `x_test` and `y_test`.
  ///
  /// - Parameter heldSize: The memory limit for the images in bytes; larger arrays stay in their
  ///   file.
  /// - Throws: `cannotOpen`, or `badData` if an array is missing or the counts differ.
  public init(
    archive path: String, holding heldSize: Int = SampleArray.heldSize
  ) throws(NetconvError) {
    let file = try RandomAccessFile(path: path)
    do throws(NetconvError) {
      let start = try file.prefix(8)
      guard !NumpyHeader.recognizes(start) else { throw .missingArrays([""]) }
      let entries = try ArrayReader.entries(of: file, start)
      guard let images = entries.first(where: { $0.name == "x_test" }),
        let labels = entries.first(where: { $0.name == "y_test" })
      else { throw .missingArrays(entries.map(\.name)) }
      var reader = ArrayReader(holding: heldSize)
      let (array, targets) = try (
        reader.read(images) { reader, entry, archive throws(NetconvError) in
          try reader.array(of: entry, in: archive)
        },
        reader.read(labels) { reader, entry, archive throws(NetconvError) in
          let targets = try Targets(numpy: reader.bytes(of: entry, in: archive))
          try reader.take(targets)
          return targets
        }
      )
      try self.init(name: Directory.lastComponent(of: path), array, targets)
    } catch {
      throw error.inFile(path)
    }
  }
}

extension ArrayReader {
  /// Reads an entry of an archive, and adds its name to errors.
  fileprivate mutating func read<Value>(
    _ named: (name: String, entry: ZipArchive.Entry, archive: ZipArchive),
    _ body: (inout ArrayReader, ZipArchive.Entry, ZipArchive) throws(NetconvError) -> Value
  ) throws(NetconvError) -> Value {
    do throws(NetconvError) {
      return try body(&self, named.entry, named.archive)
    } catch {
      throw error.inTensor(named.name)
    }
  }
}

extension Targets {
  /// Reads targets from the bytes of a file.
  fileprivate init(file bytes: [UInt8]) throws(NetconvError) {
    if NumpyHeader.recognizes(bytes) {
      try self.init(numpy: bytes)
    } else {
      try self.init(IDX(bytes))
    }
  }

  fileprivate init(_ array: IDX) throws(NetconvError) {
    try self.init(
      shape: array.shape, values: array.values.map(Double.init), elementType: .uint8)
  }
}

extension NetconvError {
  fileprivate static var labelsBesideArchive: NetconvError {
    NetconvError(
      .badData,
      text:
        "is an .npz, which holds samples with their labels, as 'x_test' and 'y_test'; leave out \(.labels), or pass "
        + "samples as IDX or .npy")
  }

  fileprivate static var labelsInArchive: NetconvError {
    NetconvError(
      .badData,
      text:
        "is an .npz, but \(.labels) needs one array; pass labels as IDX or .npy, or samples and labels as one .npz, "
        + "as 'x_test' and 'y_test'")
  }

  fileprivate static func differentCounts(images: Int, labels: Int) -> NetconvError {
    NetconvError(
      .badData, "there are \(labels) labels for \(images) samples; pass the labels of these samples"
    )
  }

  fileprivate static func missingArrays(_ found: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "holds the arrays \(found.quotedList), expected "
        + "'x_test' and 'y_test'; rename them")
  }
}
