import Datasets
import Foundation
import ModelIR
import TestSupport

/// Networks and data that are right, to make mistakes with.
extension CommandLine {
  /// Images of the MNIST test set that are run.
  static let imageCount = 200

  /// LeNet as raw blobs in the folder `lenet`, with the files of each tensor.
  static let lenetFiles = [
    "conv1_W", "conv1_b", "conv2_W", "conv2_b", "fc1_W", "fc1_b", "fc2_W", "fc2_b",
  ]

  /// Copies LeNet to the folder `lenet`.
  func writeLeNet(to name: String = "lenet") throws {
    try folder.copy(Fixtures.sample("lenet-blobs"), to: name)
  }

  /// Removes the bias of LeNet's last layer from its description; the file stays.
  func leaveOutLastBias() throws {
    let bias = """
      ,
              {
                "role": "bias",
                "file": "fc2_b.bin",
                "dtype": "float32",
                "layout": "O"
              }
      """
    try replace(bias, with: "", in: "lenet/model.json")
  }

  /// Converts LeNet, or another source, to `out`.
  func convertLeNet(_ options: String..., from source: String? = nil) throws {
    let source = source ?? Fixtures.sample("lenet-blobs")
    let result = try NetconvProcess.run(
      ["convert", source, "out", "--quiet"] + options, in: folder.path)
    guard result.status == 0 else { throw Unexpected(result) }
  }

  /// Runs the program to prepare a test; its output is not tested.
  func prepare(_ arguments: String...) throws {
    let result = try NetconvProcess.run(arguments, in: folder.path)
    guard result.status == 0 else { throw Unexpected(result) }
  }

  /// A step on the way to a mistake that failed.
  struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ result: NetconvProcess.Result) {
      description = "exit code \(result.status): \(result.output)\(result.errors)"
    }
  }

  // MARK: - Values

  /// The float32 numbers of a file.
  func floats(_ name: String) throws -> [Float] {
    try folder.bytes(name).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
  }

  /// Writes float32 numbers.
  func write(_ values: [Float], to name: String) throws {
    try folder.write(littleEndian(values), to: name)
  }

  /// Changes the float32 numbers of a file.
  func change(_ name: String, _ body: (inout [Float]) -> Void) throws {
    var values = try floats(name)
    body(&values)
    try write(values, to: name)
  }

  // MARK: - Images

  /// Pixels of the first images, and the class of each.
  func mnist() throws -> (pixels: [UInt8], labels: [UInt8]) {
    let all = try LabeledImages.mnist()
    guard case .array(let array) = all.pixels, let bytes = array.bytes else { return ([], []) }
    return (
      Array(bytes.prefix(Self.imageCount * 784)),
      try all.targets.classes().prefix(Self.imageCount).map(UInt8.init)
    )
  }

  /// Writes `images.npy` and `labels.npy`, as bytes.
  func writeImages(
    shape: String = "(200, 28, 28)", pixels change: ([UInt8]) -> [UInt8] = { $0 },
    labels relabel: ([UInt8]) -> [UInt8] = { $0 }
  ) throws {
    let (pixels, labels) = try mnist()
    try folder.write(npy("|u1", shape, change(pixels)), to: "images.npy")
    let classes = relabel(labels)
    try folder.write(npy("|u1", "(\(classes.count),)", classes), to: "labels.npy")
  }

  /// Writes `images.npy` as float32, and `labels.npy`.
  func writeFloatImages(_ change: ([Float]) -> [Float]) throws {
    try writeImages()
    let pixels = try mnist().pixels.map(Float.init)
    try folder.write(npy("<f4", "(200, 28, 28)", littleEndian(change(pixels))), to: "images.npy")
  }

  /// Verifies `model` on `images.npy` and `labels.npy`.
  func verifyImages(
    _ options: String..., model: String? = nil
  ) throws -> NetconvProcess.Result {
    try NetconvProcess.run(
      [
        "verify", model ?? Fixtures.sample("lenet-blobs"), "--images", "images.npy", "--labels",
        "labels.npy",
      ] + options, in: folder.path)
  }

  /// Writes an array as `.npy` in float32.
  func writeArray(_ values: [Float], _ shape: String, to name: String) throws {
    try folder.write(npy("<f4", shape, littleEndian(values)), to: name)
  }
}

/// Values along axes of `sizes`, put in the order in which axes are walked by `order`.
func transposed<Element>(_ values: [Element], _ sizes: [Int], _ order: [Int]) -> [Element] {
  var strides = sizes.map { _ in 1 }
  for axis in sizes.indices.dropLast().reversed() {
    strides[axis] = strides[axis + 1] * sizes[axis + 1]
  }
  var places = [0]
  for axis in order {
    places = places.flatMap { place in (0..<sizes[axis]).map { place + $0 * strides[axis] } }
  }
  return places.map { values[$0] }
}

/// All permutations of some elements, the identity first.
func permutations<Element>(_ items: [Element]) -> [[Element]] {
  guard items.count > 1 else { return [items] }
  return items.indices.flatMap { index in
    var rest = items
    let item = rest.remove(at: index)
    return permutations(rest).map { [item] + $0 }
  }
}
