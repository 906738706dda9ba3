import Datasets
import Execution
import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// The number of images that `make predictions` requests.
private let requestedImages =
  ProcessInfo.processInfo.environment["NETCONV_IMAGES"].flatMap(Int.init)

/// MNIST's test images through packages on the stand-ins, and through netconv's own engine at the same precision.
@Suite(
  .enabled(if: StandIns.products != nil), .serialized,
  .enabled(
    if: requestedImages != nil || Sampling.isProof, "make predictions runs it, and make interop"))
struct PredictionTests {
  private static let imageCount = requestedImages ?? 300

  private static let networks = [
    ("DeepMNIST", Fixtures.sample("deep-mnist/deep-mnist.h5")),
    ("LeNet", Fixtures.sample("lenet-blobs")),
  ]

  /// No value is farther from netconv's than the tolerance that the archive has for the last layer.
  ///
  /// A class may differ if netconv itself hardly decides: the two largest values are closer than the tolerance. That
  /// may happen 5 times in 10,000.
  @Test(arguments: EmittedLanguage.packages)
  func `a package predicts what netconv does`(_ language: EmittedLanguage) throws {
    let folder = try TemporaryFolder()
    var collection = PackageCollection(folder.path)
    for (name, source) in Self.networks {
      try collection.add(
        name, source, language: language, takesPictures: name == "DeepMNIST")
      try collection.addProgram("Predictions", to: name)
    }
    try collection.build(optimizing: true)
    for (name, _) in Self.networks {
      let archive = collection.archive(name)
      let images = try TestImages(Self.imageCount, for: archive)
      let file = try images.write(to: folder)
      let start = ContinuousClock.now
      try collection.run(
        "Predictions", of: name, ["\(Self.imageCount)", archive, file, folder.file("outputs")])
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let found = try folder.bytes("outputs").withUnsafeBytes {
        Array($0.bindMemory(to: Float.self))
      }
      let comparison = PredictionComparison(
        found, images.expected, tolerance: try images.tolerance)
      print("\(name), \(language): \(comparison), \(seconds.formatted()) s")
      #expect(comparison.count == Self.imageCount)
      #expect(comparison.difference <= comparison.tolerance)
      #expect(comparison.otherClasses.allSatisfy { $0.margin < comparison.tolerance })
      #expect(comparison.otherClasses.count <= Self.imageCount * 5 / 10_000)
      if name == "DeepMNIST" { try accuracy(collection, name, images, folder) }
    }
  }

  /// The self-test counts the correct classes, and names files that it cannot read.
  private func accuracy(
    _ collection: PackageCollection, _ name: String, _ images: TestImages, _ folder: TemporaryFolder
  ) throws {
    let count = Self.imageCount
    let data = try LabeledImages.mnist()
    guard case .array(let array) = data.pixels, let bytes = array.bytes else {
      Issue.record("MNIST's pixels are bytes")
      return
    }
    let labels = data.targets.values.map { Int($0) }
    func idx(_ sizes: [Int], _ values: some Sequence<UInt8>) -> [UInt8] {
      [0, 0, 8, UInt8(sizes.count)] + sizes.flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 255)] }
        + values
    }
    let pixels = try folder.write(
      idx([count, 28, 28], bytes.prefix(count * 784)), to: "images.idx")
    let classes = try folder.write(
      idx([count], labels.prefix(count).map { UInt8($0) }), to: "labels.idx")
    let outputs = images.expected.count / Self.imageCount
    let right = (0..<count).count { index in
      let values = images.expected[index * outputs..<(index + 1) * outputs]
      return values.firstIndex(of: values.max() ?? 0) == values.startIndex + labels[index]
    }
    let result = try collection.accuracy(name, images: pixels, labels: classes)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "\(name): \(count) images of 28 x 28 pixels on CPU stand-in")
    let found = try #require(
      lines.dropFirst().first?.wholeMatch(of: #/  accuracy ([\d.]+), (\d+) right/#))
    let foundRight = try #require(Int(found.2))
    #expect(Double(found.1) == (Double(foundRight) / Double(count) * 1e4).rounded() / 1e4)
    // As many classes may differ as above.
    #expect(abs(foundRight - right) <= count * 5 / 10_000)
    #expect(result.output.contains(" images a second, 3 on their way at once\n"))
    for (images, labels, message) in [
      (classes, classes, "is no IDX file of bytes with 3 axes"),
      (pixels, try folder.write(idx([count], []), to: "cut.idx"), "and holds 0 bytes"),
      (
        Fixtures.sample("mnist/t10k-images-idx3-ubyte.gz"), classes,
        "is compressed; gunzip makes a file that can be read"
      ),
      (
        pixels, try folder.write(idx([1], [7]), to: "one.idx"),
        "\(count) images, and 1 labels"
      ),
    ] {
      let wrong = try collection.accuracy(name, images: images, labels: labels)
      #expect(wrong.status == 2 && wrong.output.contains(message), "\(wrong.output)")
    }
    // What stands beside the files is an archive, whatever it is called.
    for (others, message) in [
      (["other weights"], "other weights cannot be opened"),
      (["a", "b"], "b has no place beside --images and --labels"),
      (["--labels"], "--labels lacks its file"),
    ] {
      let wrong = try collection.accuracy(name, images: pixels, labels: classes, others)
      #expect(wrong.status == 2 && wrong.output.contains(message), "\(wrong.output)")
    }
  }
}

/// Images as inputs of a model, and netconv's outputs for them.
private struct TestImages {
  private let archive: String
  private let values: [Float]
  /// The model's output, image by image.
  let expected: [Float]

  /// The first `count` test images of MNIST, run by the weights of a package.
  init(_ count: Int, for archive: String) throws {
    self.archive = archive
    let model = try ReaderRegistry.read(archive).model
    let data = try LabeledImages.mnist()
    let input = model.inputs[0]
    let short = input.preprocessing?.shortForm
    let (scale, offset) = (Float(short?.scale ?? 1 / 255), Float(short?.offset ?? 0))
    values = try data.values(of: 0..<count).map { $0 * scale + offset }
    let shape = [count] + (input.shape.known ?? [])
    let engine = try EngineKind.fast.engine(for: model, precision: .float16)
    let outputs = try engine.run([input.name: NDArray(shape: shape, values: values)])
    expected = outputs[model.outputs[0]]?.values ?? []
  }

  /// The tolerance of an output against netconv's.
  var tolerance: Double {
    get throws {
      let goldens = try PackageGoldens(beside: archive)
      return try #require(goldens.layers.last?.tolerance.float16)
    }
  }

  func write(to folder: TemporaryFolder) throws -> String {
    try folder.write(values.withUnsafeBytes { Data($0) }, to: "images")
  }
}

/// The outputs of two networks for the same digits.
private struct PredictionComparison: CustomStringConvertible {
  /// An image that they classify differently.
  struct OtherClass {
    let image: Int
    /// The difference between netconv's two largest values.
    let margin: Double
  }

  let count: Int
  let tolerance: Double
  /// The largest of any two values.
  private(set) var difference = 0.0
  private(set) var otherClasses: [OtherClass] = []

  /// - Parameters:
  ///   - found: ten values for each image.
  ///   - expected: as many.
  init(_ found: [Float], _ expected: [Float], tolerance: Double) {
    self.tolerance = tolerance
    count = found.count == expected.count ? found.count / 10 : 0
    for image in 0..<count {
      let (a, b) = (found[image * 10..<image * 10 + 10], expected[image * 10..<image * 10 + 10])
      for (first, second) in zip(a, b) {
        let distance = Double(abs(first - second))
        difference = distance.isNaN ? .infinity : max(difference, distance)
      }
      guard a.firstIndex(of: a.max() ?? 0) != b.firstIndex(of: b.max() ?? 0) else { continue }
      let largest = b.sorted(by: >)
      otherClasses.append(OtherClass(image: image, margin: Double(largest[0] - largest[1])))
    }
  }

  var description: String {
    let others = otherClasses.map { "image \($0.image) (margin \(Float($0.margin)))" }
    return
      "\(count.formatted()) images, off by \(Float(difference)), tolerance \(Float(tolerance)), "
      + (others.isEmpty ? "no other class" : "other classes: \(others.joined(separator: ", "))")
  }
}

@Suite struct PredictionComparisonTests {
  /// Ten values for a digit: all of the probability at one index, or shared by two.
  private func digit(_ first: Int, _ share: Float = 1, second: Int = 0) -> [Float] {
    var values = [Float](repeating: 0, count: 10)
    values[second] = 1 - share
    values[first] = share
    return values
  }

  @Test func `the largest distance and every other class are found`() {
    let comparison = PredictionComparison(
      digit(1) + digit(3, 0.5, second: 4) + digit(7, 0.625, second: 9),
      digit(1) + digit(4, 0.75, second: 3) + digit(7, 0.75, second: 9), tolerance: 0.5)
    #expect(comparison.count == 3)
    #expect(comparison.difference == 0.25)
    #expect(comparison.otherClasses.map(\.image) == [1])
    #expect(comparison.otherClasses.map(\.margin) == [0.5])
    #expect(
      comparison.description
        == "3 images, off by 0.25, tolerance 0.5, other classes: image 1 (margin 0.5)")
  }

  @Test func `what is not a number or missing is not right`() {
    #expect(PredictionComparison(digit(1, .nan), digit(1), tolerance: 1).difference == .infinity)
    #expect(PredictionComparison(digit(1), digit(1) + digit(2), tolerance: 1).count == 0)
  }
}
