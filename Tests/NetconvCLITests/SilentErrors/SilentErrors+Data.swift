import Datasets
import Foundation
import ModelIR
import TestSupport

/// Images and labels that differ from the training data.
extension SilentError {
  static let inImages: [SilentError] = [
    images(
      "floats from 0 to 255 where the record is for bytes", 0, "the pixels are floats up to 255"
    ) { line in
      try line.writeFloatImages { $0 }
      return try line.verifyImages()
    },
    images("integers that are not bytes, without a recorded scale", 0, "so they are not bytes") {
      line in
      try line.writeLeNetWithoutScale()
      try line.writeImages()
      let values = try line.mnist().pixels.flatMap { pixel -> [UInt8] in
        let value = Int16(pixel) * 16 - 5
        return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
      try line.folder.write(npy("<i2", "(200, 28, 28)", values), to: "images.npy")
      return try line.verifyImages(model: "lenet")
    },
    images("bytes of 0 and 1", 0, "no pixel exceeds 1") { line in
      try line.writeImages(pixels: { $0.map { $0 > 127 ? 1 : 0 } })
      return try line.verifyImages()
    },
    images("no scale is recorded", 0, "no scale") { line in
      try line.writeLeNetWithoutScale()
      try line.writeImages()
      return try line.verifyImages(model: "lenet")
    },
    images("a scale applied twice, in float32", 0, "was not applied to these floats") { line in
      try line.writeFloatImages { $0.map { $0 / 65025 } }
      return try line.verifyImages()
    },
    images("another shape with as many values", 64, "(14, 56)") { line in
      try line.writeImages(shape: "(200, 14, 56)")
      return try line.verifyImages()
    },
    images("channels first", 64, "moveaxis") { line in
      try line.writeImages(shape: "(200, 1, 28, 28)")
      return try line.verifyImages()
    },
    images("the batch last", 65, "28") { line in
      try line.writeImages(shape: "(28, 28, 200)")
      return try line.verifyImages()
    },
    images("three channels for one", 64, "(28, 28, 3)") { line in
      try line.writeImages(
        shape: "(200, 28, 28, 3)", pixels: { pixels in pixels.flatMap { [$0, $0, $0] } })
      return try line.verifyImages()
    },
    images("images of another size", 64, "(27, 28)") { line in
      try line.writeImages(shape: "(200, 27, 28)", pixels: { Array($0.prefix(200 * 27 * 28)) })
      return try line.verifyImages()
    },
    images("one image in place of many", 65, "200 labels for 28 samples") { line in
      try line.writeImages(shape: "(28, 28)", pixels: { Array($0.prefix(784)) })
      return try line.verifyImages()
    },
    images("a pixel that is not a number", 65, "nan") { line in
      try line.writeFloatImages { pixels in
        pixels.enumerated().map { $0.offset == 12345 ? .nan : $0.element / 255 }
      }
      return try line.verifyImages()
    },
    images("a pixel that is infinite", 65, "inf") { line in
      try line.writeFloatImages { pixels in
        pixels.enumerated().map { $0.offset == 12345 ? .infinity : $0.element / 255 }
      }
      return try line.verifyImages()
    },
    images("floats in the other byte order", 65, "not finite") { line in
      try line.writeFloatImages { $0.map { $0 / 255 } }
      try line.replaceBytes("<f4", with: ">f4", in: "images.npy")
      return try line.verifyImages()
    },
    images("images inverted, with an accuracy asked for", 1, "below the 0.9") { line in
      try line.writeImages(pixels: { $0.map { 255 - $0 } })
      return try line.verifyImages("--min-accuracy", "0.9")
    },
    images("images transposed, with an accuracy asked for", 1, "below the 0.9") { line in
      try line.writeImages(pixels: { transposed($0, [200, 28, 28], [0, 2, 1]) })
      return try line.verifyImages("--min-accuracy", "0.9")
    },
    images("images upside down, with an accuracy asked for", 1, "below the 0.9") { line in
      try line.writeImages(pixels: { pixels in
        let starts = stride(from: 0, to: pixels.count, by: 784)
        let rows = Array((0..<28).reversed())
        return starts.flatMap { start -> [UInt8] in
          rows.flatMap { row -> ArraySlice<UInt8> in
            pixels[start + row * 28..<start + row * 28 + 28]
          }
        }
      })
      return try line.verifyImages("--min-accuracy", "0.9")
    },
    images("images without the bytes that the header promises", 65, "its header says") { line in
      try line.writeImages()
      var bytes = try line.folder.bytes("images.npy")
      bytes.removeLast(16)
      try line.folder.write(bytes, to: "images.npy")
      return try line.verifyImages()
    },
    images("no images", 65, "0, 28, 28") { line in
      try line.writeImages(shape: "(0, 28, 28)", pixels: { _ in [] }, labels: { _ in [] })
      return try line.verifyImages()
    },
    images("an IDX file that was cut off", 65, "images.idx") { line in
      try line.writeIDX()
      try line.folder.write(try line.folder.bytes("images.idx").dropLast(100), to: "images.idx")
      return try line.verifyIDX()
    },
    images("an IDX file that goes on", 65, "images.idx") { line in
      try line.writeIDX()
      try line.folder.write(try line.folder.bytes("images.idx") + [0], to: "images.idx")
      return try line.verifyIDX()
    },
    images("an IDX file of another element type", 65, "images.idx") { line in
      try line.writeIDX()
      var bytes = try line.folder.bytes("images.idx")
      bytes[2] = 0x0d
      try line.folder.write(bytes, to: "images.idx")
      return try line.verifyIDX()
    },
    images("a gzip'ed file that was cut off", 65, "images.gz") { line in
      try line.writeGzip()
      try line.folder.write(try line.folder.bytes("images.gz").dropLast(20000), to: "images.gz")
      return try line.verifyGzip()
    },
    images("a gzip'ed file with a changed byte", 65, "images.gz") { line in
      try line.writeGzip()
      try line.flip("images.gz", at: 500_000)
      return try line.verifyGzip()
    },
    images("complex numbers", 65, "<c8") { line in
      try line.writeImages()
      try line.folder.write(
        npy("<c8", "(200, 28, 28)", [UInt8](repeating: 0, count: 200 * 784 * 8)), to: "images.npy")
      return try line.verifyImages()
    },
    images("a training set in an archive, without a test set", 65, "x_test") { line in
      try writeArchive(
        [("x_train", NDArray(shape: [2, 28, 28], values: [Float](repeating: 0, count: 1568)))],
        to: line.folder.file("data.npz"))
      return try line.netconv("verify", Fixtures.sample("lenet-blobs"), "--images", "data.npz")
    },
    images("images and labels swapped", 65, "expected (count, height, width") {
      line in
      try line.writeImages()
      return try line.netconv(
        "verify", Fixtures.sample("lenet-blobs"), "--images", "labels.npy", "--labels",
        "images.npy")
    },
    images("a network for other images on MNIST", 64, "does not fit") { line in
      try TinyModel.write(to: line)
      return try line.netconv("verify", "blobs")
    },
    images("a scale of 0", 0, "--find-preparation") { line in
      try line.writeImages()
      return try line.verifyImages("--scale", "0")
    },
  ]

  static let inLabels: [SilentError] = [
    labels("labels in another order", 0, "about chance level") { Array($0.reversed()) },
    labels("labels that lost their first line", 65, "199") { Array($0.dropFirst()) },
    labels("one label too many", 65, "201") { $0 + [0] },
    labels("labels that all are the same", 0, "about chance level") { $0.map { _ in 4 } },
    labels("labels counted from 1", 65, "a label 10") { $0.map { $0 + 1 } },
    labels("labels counted the other way", 0, "in another order than the outputs") {
      $0.map { 9 - $0 }
    },
    labels("labels moved by one image", 0, "about chance level") { [$0[199]] + $0.dropLast() },
    labels("a class that the network does not have", 65, "a label 255") { [255] + $0.dropFirst() },
    images("labels as probabilities of classes", 65, "is not a class") { line in
      try line.writeImages()
      let labels = try line.mnist().labels
      let values = labels.flatMap { label in
        (0..<10).map { $0 == Int(label) ? Float(0.91) : 0.01 }
      }
      try line.writeArray(values, "(200, 10)", to: "labels.npy")
      return try line.verifyImages()
    },
    images("labels with a fraction", 65, "0.5") { line in
      try line.writeImages()
      try line.writeArray([Float](repeating: 0.5, count: 200), "(200,)", to: "labels.npy")
      return try line.verifyImages()
    },
    images("a label that is negative", 65, "-1") { line in
      try line.writeImages()
      try line.writeArray([Float](repeating: -1, count: 200), "(200,)", to: "labels.npy")
      return try line.verifyImages()
    },
    images("a label that is not a number", 65, "nan") { line in
      try line.writeImages()
      try line.writeArray([Float](repeating: .nan, count: 200), "(200,)", to: "labels.npy")
      return try line.verifyImages()
    },
  ]

  private static func images(
    _ mistake: String, _ status: Int32, _ words: String,
    run: @escaping @Sendable (CommandLine) throws -> NetconvProcess.Result
  ) -> SilentError {
    SilentError("verify", mistake, status, words, run: run)
  }

  private static func labels(
    _ mistake: String, _ status: Int32, _ words: String,
    change: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> SilentError {
    images(mistake, status, words) { line in
      try line.writeImages(labels: change)
      return try line.verifyImages()
    }
  }
}

extension CommandLine {
  /// Replaces the first occurrence of a text of the same length in a file of bytes.
  func replaceBytes(_ text: String, with other: String, in name: String) throws {
    var data = Data(try folder.bytes(name))
    if let range = data.range(of: Data(text.utf8)) {
      data.replaceSubrange(range, with: Data(other.utf8))
    }
    try folder.write(data, to: name)
  }

  /// Writes `lenet`, whose model.json records no scale of pixels.
  fileprivate func writeLeNetWithoutScale() throws {
    try writeLeNet()
    try replace(
      ",\n      \"scale\": 0.00392156862745098,\n      \"offset\": 0", with: "",
      in: "lenet/model.json")
  }

  /// Writes `images.idx` and `labels.npy`.
  fileprivate func writeIDX() throws {
    try writeImages()
    let header: [UInt8] = [0, 0, 8, 3, 0, 0, 0, 200, 0, 0, 0, 28, 0, 0, 0, 28]
    try folder.write(header + (try mnist().pixels), to: "images.idx")
  }

  fileprivate func verifyIDX() throws -> NetconvProcess.Result {
    try netconv(
      "verify", Fixtures.sample("lenet-blobs"), "--images", "images.idx", "--labels", "labels.npy")
  }

  /// Copies all images of the MNIST test set to `images.gz`, and their labels to `labels.gz`.
  fileprivate func writeGzip() throws {
    try folder.copy(Fixtures.sample("mnist/t10k-images-idx3-ubyte.gz"), to: "images.gz")
    try folder.copy(Fixtures.sample("mnist/t10k-labels-idx1-ubyte.gz"), to: "labels.gz")
  }

  fileprivate func verifyGzip() throws -> NetconvProcess.Result {
    try netconv(
      "verify", Fixtures.sample("lenet-blobs"), "--images", "images.gz", "--labels", "labels.gz")
  }
}
