import Datasets
import Digests
import Foundation
import ModelIR
import TestSupport
import Testing
import Zlib

@Suite struct LabeledImagesTests {
  private let folder: TemporaryFolder
  private let pixels = (0..<24).map { UInt8($0 * 10) }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Loads two images of 3 x 4 and two labels, or invalid files.
  private func load(images: [UInt8]? = nil, labels: [UInt8]? = nil) throws -> LabeledImages {
    try LabeledImages(
      images: folder.write(images ?? idx([2, 3, 4], pixels), to: "images"),
      labels: folder.write(labels ?? idx([2], [7, 1]), to: "labels"))
  }

  private func problem(images: [UInt8]? = nil, labels: [UInt8]? = nil) -> String? {
    let error = thrown {
      let data = try load(images: images, labels: labels)
      do throws(NetconvError) {
        return try data.targets.classes()
      } catch {
        throw error.inFile(folder.file("labels"))
      }
    }
    #expect(error == nil || error?.kind == .badData)
    return error?.description.replacing(folder.path + "/", with: "")
  }

  @Test func `IDX holds bytes, big-endian sizes first`() throws {
    let data = try load()
    #expect(data.name == "images")
    #expect(data.count == 2 && data.imageSize == 12)
    #expect(data.imageShape == [3, 4])
    #expect(try data.targets.classes() == [7, 1])
    #expect(try data.values(of: 0..<2) == pixels.map { Float($0) })
  }

  @Test func `some images are read as they are`() throws {
    let data = try load()
    #expect(try data.values(of: 1..<2).prefix(3) == [120, 130, 140])
    #expect(try data.values(of: 0..<1).prefix(3) == [0, 10, 20])
    #expect(try data.values(of: 1..<1) == [])
    let floats = try LabeledImages(
      images: folder.write(
        NumpyArray.encode(NDArray(shape: [2, 2], values: [1, 2, 3, 4])), to: "x.npy"),
      labels: folder.write(idx([2], [0, 1]), to: "y"))
    #expect(try floats.values(of: 1..<2) == [3, 4])
    #expect(floats.imageShape == [2])
  }

  @Test func `images and labels may be NumPy's`() throws {
    let labels = NumpyArray.encode(NDArray(shape: [2, 1], values: [3, 0]))
    #expect(try load(labels: labels).targets.classes() == [3, 0])
    let data = try LabeledImages(archive: Fixtures.path("numpy/images.npz"))
    #expect(data.name == "images.npz")
    #expect(data.imageShape == [3, 4])
    #expect(try data.targets.classes() == [7, 1])
    #expect(try data.values(of: 0..<2) == (0..<24).map { Float($0) })
  }

  @Test func `a file cut off anywhere is an error`() throws {
    let images = idx([2, 3, 4], pixels)
    for count in 0..<images.count {
      #expect(problem(images: Array(images.prefix(count))) != nil, "\(count) bytes")
    }
    #expect(problem(images: images.dropLast()) == "images: holds 39 bytes, its header says 40")
    #expect(problem(images: images + [0]) == "images: holds 41 bytes, its header says 40")
    #expect(problem(images: [0, 0, 8, 3, 0]) == "images: holds 5 bytes, its header says 16")
    let labels = idx([2], [7, 1])
    for count in 0..<labels.count {
      #expect(problem(labels: Array(labels.prefix(count))) != nil, "\(count) bytes")
    }
  }

  @Test func `sizes may lie`() {
    #expect(
      problem(images: idx([1 << 31, 1 << 31], []))
        == "images: holds 12 bytes, its header says 4611686018427387916")
    let largest = UInt32.max
    #expect(
      problem(images: idx([largest, largest, largest], []))
        == "images: sizes [4294967295, 4294967295, 4294967295] are negative or multiply to more "
        + "than this machine can count; the file is damaged or invalid")
    #expect(problem(images: idx(Array(repeating: 1, count: 255), [])) != nil)
  }

  @Test func `gzip is read in pieces, as far as the header says`() throws {
    // Several pieces of what is read and of what is inflated.
    let many = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let data = try load(images: gzip(idx([2, 500, 1000], many)))
    #expect(try data.values(of: 1..<2) == many[500_000...].map { Float($0) })
    let labels = NumpyArray.encode(NDArray(shape: [2], values: [3, 0]))
    #expect(try load(labels: gzip(labels)).targets.classes() == [3, 0])
    #expect(
      problem(images: gzip(idx([2, 3, 4], pixels + [UInt8](repeating: 0, count: 1 << 20))))
        == "images: the compressed data holds more than the expected 40 bytes")
    #expect(
      problem(labels: gzip(labels + [0]))
        == "labels: the compressed data holds more than the expected 136 bytes")
    #expect(
      problem(images: gzip(idx([2, 3, 4], pixels.dropLast())))
        == "images: holds 39 bytes, its header says 40")
    #expect(
      problem(images: gzip(idx([1 << 31, 5], pixels)))
        == "images: the compressed data claims to inflate to 10 GiB, but has 59 bytes; netconv "
        + "inflates to 100 times as much, so write it again without compression if that is right")
    #expect(
      problem(images: gzip(npy(String(repeating: " ", count: 1 << 17), [], version: 2)))
        == "images: is .npy with a header of 131072 bytes, expected at most 65536; it may be damaged"
    )
  }

  @Test func `arrays share one budget of memory`() throws {
    var budget = MemoryBudget()
    try budget.take(MemoryBudget.limit.bytes - 10)
    #expect(thrown { try budget.take(11) } != nil)
    try budget.take(10)
    #expect(thrown { try budget.take(1) } != nil)
  }

  @Test func `other contents are refused`() {
    let neither = "is neither IDX (plain or gzip) nor .npy; pass images and labels in one of these"
    #expect(problem(images: Array("hello".utf8)) == "images: \(neither)")
    #expect(problem(labels: []) == "labels: \(neither)")
    #expect(
      problem(images: idx([1], [0, 0, 0, 0], type: 0x0d))
        == "images: is IDX of type 0xd, expected unsigned bytes (0x8)")
    #expect(
      problem(images: [0x1f, 0x8b, 8, 0])
        == "images: the compressed data is cut off; the file is truncated")
  }

  @Test func `images and labels must belong together`() {
    #expect(
      problem(labels: idx([3], [1, 2, 3]))
        == "labels: there are 3 labels for 2 samples; pass the labels of these samples")
    #expect(
      problem(labels: idx([2, 2], [1, 2, 3, 4]))
        == "labels: the labels have shape [2, 2], expected one class per sample; save a number or a one-hot row for each"
    )
    #expect(
      problem(images: idx([2], [1, 2]))
        == "images: the images have shape [2], expected (count, height, width, …); save one array with the images along its first axis"
    )
    #expect(
      problem(images: idx([0, 3], []), labels: idx([0], []))
        == "images: the images have shape [0, 3], expected (count, height, width, …); save one array with the images along its first axis"
    )
    let fraction = ", or one-hot rows; for quantities pass 'metric' mae, mse, rmse or r2"
    for (label, text) in [
      (0.5, "0.5"), (0.1, "0.1"), (-1, "-1.0"), (.nan, "nan"), (.infinity, "inf"),
    ] as [(Float, String)] {
      #expect(
        problem(labels: NumpyArray.encode(NDArray(shape: [2], values: [1, label])))
          == "labels: the label \(text) is not a class; classes are integers from 0"
          + (label == 0.5 || label == 0.1 ? fraction : ""))
    }
  }

  @Test func `an archive must hold both arrays`() throws {
    let path = Fixtures.path("numpy/shapes.npz")
    #expect(
      thrown { try LabeledImages(archive: path) }?.description
        == "\(path): holds the arrays 'scalar', 'vector', 'empty', expected 'x_test' and 'y_test'; rename them"
    )
  }
}

@Suite struct MNISTTests {
  @Test func `the built-in test set has 10,000 images and the known counts per class`() throws {
    let data = try LabeledImages.mnist()
    #expect(data.name == "MNIST test set")
    #expect(data.count == 10_000)
    #expect(data.imageShape == [28, 28])
    let labels = try data.targets.classes()
    let counts = (0..<10).map { label in labels.count { $0 == label } }
    #expect(counts == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009])
    #expect(labels.prefix(10) == [7, 2, 1, 0, 4, 1, 4, 9, 5, 9])
  }

  @Test func `it is the published one, byte by byte`() throws {
    let data = try LabeledImages.mnist()
    let files = try ["images-idx3", "labels-idx1"].map { name in
      let path = Fixtures.sample("mnist/t10k-\(name)-ubyte.gz")
      return try inflated(Array(Data(contentsOf: URL(filePath: path))), .gzip, limit: 1 << 23)
    }
    // Of the plain files whose MD5 sums many copies of the data set state: 2646ac647ad5339dbf082846283269ea and
    // 27ae3e4e09519cfbb04c329615203637.
    #expect(
      files.map { hexadecimal(SHA256.hash(of: $0)) } == [
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
      ])
    #expect(try data.targets.classes() == files[1].dropFirst(8).map(Int.init))
    guard case .array(let array) = data.pixels, let pixels = array.bytes else {
      Issue.record("the pixels are no bytes")
      return
    }
    #expect(pixels == files[0].dropFirst(16))
  }
}
