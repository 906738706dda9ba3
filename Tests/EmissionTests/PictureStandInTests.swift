import Foundation
import NetconvKit
import TestSupport
import Testing

/// Emitted networks on pictures, compiled against the stand-ins and compared with `netconv run`.
@Suite(.enabled(if: StandIns.products != nil), .serialized, .slow)
struct PictureStandInTests {
  private let folder: TemporaryFolder

  /// The events that stand-ins and programs print, in order.
  private static let trace: Set<Substring> = ["commit", "done", "begin", "end", "written again"]

  private static func isTrace(_ line: Substring) -> Bool {
    trace.contains(line) || line.hasPrefix("prefetched ") || line.hasPrefix("compiled ")
  }

  init() throws { folder = try TemporaryFolder() }

  /// One build for all packages, because the build takes most of the time.
  @Test func `what goes in is what run feeds, and mistakes are found`() throws {
    let models = try TemporaryFolder()
    let networks = try PictureNetwork.all(in: models)
    var collection = PackageCollection(folder.path)
    for network in networks {
      try collection.add(
        network.name, network.source, language: network.language, precision: network.precision,
        takesPictures: true, labels: network.labels)
    }
    let mutations = PictureMutation.all
    for (index, mutation) in mutations.enumerated() {
      let network = try #require(networks.first { $0.name == mutation.network })
      try collection.add(
        "Wrong\(index)", network.source, language: network.language,
        precision: network.precision, takesPictures: true, edit: mutation.edit)
    }
    for name in collection.names { try collection.addProgram("PictureRun", to: name) }
    let shared = PictureMutation(
      "Digits", "pictures that share textures", file: "Runner",
      from: "free.append(NAMEPictures(sharing: pictures))", to: "free.append(pictures)")
    try collection.add(
      "Shared", networks[0].source, language: networks[0].language,
      precision: networks[0].precision, takesPictures: true, labels: networks[0].labels,
      edit: shared.edit)
    try collection.addProgram("Runs", to: "Shared")
    let digits = ["Digits", "GraphDigits"]
    for name in digits { try collection.addProgram("Runs", to: name) }
    try collection.build()
    for name in digits { try runs(collection, name) }
    // What is looked for in the others is found where it is.
    #expect(try trace(collection, "Shared").contains("written again"))

    let picture = try RawPicture.fixture()
    for network in networks {
      for (format, region) in [
        ("rgba8", nil), ("bgra8", RawPicture.region), ("rgba16", RawPicture.region),
        ("rgba32", nil),
      ] as [(String, RawPicture.Region?)] {
        let difference = try difference(
          network, network.name, collection, picture, format, region)
        // Halves in the picture itself are off by a 16th of a step, too.
        let tolerance = max(network.tolerance, format == "rgba16" ? 0.07 : 0)
        #expect(difference <= tolerance, "\(network.name), \(format)")
      }
    }
    for (index, mutation) in mutations.enumerated() {
      let network = try #require(networks.first { $0.name == mutation.network })
      let difference = try difference(
        network, "Wrong\(index)", collection, picture, "bgra8", RawPicture.region)
      #expect(difference > network.tolerance, "\(mutation.edit)")
    }
  }

  /// The output of the program with a runner, with the order of events.
  private func trace(
    _ collection: PackageCollection, _ name: String, _ environment: [String] = []
  ) throws -> [Substring] {
    try collection.output(
      of: "Runs", name, [collection.archive(name)],
      environment: ["NETCONV_TRACE_COMMITS=1", "NETCONV_COMMIT_DELAY=30"] + environment
    ).split(separator: "\n")
  }

  /// Pictures of other frameworks, classes, and a runner that fails for one picture.
  private func runs(_ collection: PackageCollection, _ name: String) throws {
    let lines = try trace(collection, name)
    let ending = """
      one true
      task true
      a region of 41 x 1 x 1 pixels from (0, 0, 0) on is not in a picture of 40 x 30 x 1
      a region of 41 x 1 x 1 pixels from (0, 0, 0) on is not in a picture of 40 x 30 x 1
      a region of 41 x 1 x 1 pixels from (0, 0, 0) on is not in a picture of 40 x 30 x 1
      a region of 41 x 1 x 1 pixels from (0, 0, 0) on is not in a picture of 40 x 30 x 1
      14 pictures, average latency N s, N frames a second
      true true
      a runner of 0 buffers; wanted is one at least
      """
    #expect(
      lines.filter { !Self.isTrace($0) }.joined(separator: "\n") == """
        image true
        pixel buffer true
        a pixel buffer has the format 875704438; wanted is 32BGRA (1111970369)
        alpha true
        top ["1 one 3.0", "3 three 3.0"]
        last 2, none 0
        wrong [], different true
        \(ending)
        """, "\(name)")
    // Three may be on their way at once, never more, and none is written before the device has done with it.
    let many = try #require(lines.split(separator: "begin").last?.split(separator: "end").first)
    let inFlight = many.reduce(into: [0]) { counts, line in
      counts.append((counts.last ?? 0) + (line == "commit" ? 1 : line == "done" ? -1 : 0))
    }
    #expect((2...3).contains(inFlight.max() ?? 0) && inFlight.last == 0)
    #expect(many.count { $0 == "commit" } == 12 && !many.contains("written again"))
    // Of six layers the last is no temporary image, but its sums are.
    #expect(many.count { $0 == "prefetched 6" } == (name == "Digits" ? 12 : 0))
    #expect(!lines.contains("prefetched 0"))

    // The third of the runner's, behind twelve that were run before.
    let failed = try trace(collection, name, ["NETCONV_FAILING_COMMIT=15"])
    #expect(
      failed.filter { !Self.isTrace($0) }.joined(separator: "\n") == """
        wrong [], different true
        2: the stand-in was told to fail
        \(ending)
        """, "\(name)")
  }

  /// The largest difference from the output of `netconv run`; checks messages and the number of commits too.
  private func difference(
    _ network: PictureNetwork, _ name: String, _ collection: PackageCollection,
    _ picture: RawPicture, _ format: String, _ region: RawPicture.Region?
  ) throws -> Float {
    let results = folder.file("results")
    try? FileManager.default.removeItem(atPath: results)
    let output = try collection.output(
      of: "PictureRun", name,
      [
        collection.archive(name), try folder.write(picture.bytes, to: "picture"),
        "\(picture.width)", "\(picture.height)", format, region?.text ?? "all", results,
      ], environment: ["NETCONV_TRACE_COMMITS=1"])
    let (width, height) = (picture.width, picture.height)
    let lines = output.split(separator: "\n")
    #expect(lines.count { $0 == "commit" } == 3)
    #expect(
      lines.filter { !Self.isTrace($0) }.joined(separator: "\n") == """
        a picture has the pixel format 10; wanted are bgra8Unorm (80), rgba8Unorm (70), \
        rgba16Float (115) and rgba32Float (125)
        a picture has the texture usage 2; wanted is shaderRead (1)
        a region of 2 x 1 x 1 pixels from (\(width - 1), 0, 0) on is not in a picture of \(width) x \(height) x 1
        a region of \(width) x 0 x 1 pixels from (0, 0, 0) on is not in a picture of \(width) x \(height) x 1
        a region of 1 x 1 x 1 pixels from (0, -1, 0) on is not in a picture of \(width) x \(height) x 1
        a region of 1 x 1 x 1 pixels from (\(Int.max), 0, 0) on is not in a picture of \(width) x \(height) x 1
        """, "\(name)")
    let found = try folder.bytes("results").withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    let expected = try network.expected(of: picture.pixmap(of: region), in: folder)
    try #require(found.count == expected.count)
    return zip(found, expected).reduce(0) { largest, pair in
      let difference = abs(pair.0 - pair.1)
      return difference.isNaN ? .infinity : max(largest, difference)
    }
  }
}

/// A network on pictures, and the tolerance of its values against floats.
private struct PictureNetwork {
  let name: String
  let source: String
  let language: EmittedLanguage
  let precision: Precision
  let tolerance: Float
  var labels: String?

  /// The output of `netconv run` for a picture.
  func expected(of pixmap: [UInt8], in folder: TemporaryFolder) throws -> [Float] {
    let output = folder.file("expected.npz")
    let picture = try folder.write(pixmap, to: "picture.ppm")
    var request = RunRequest(path: source, data: .pictures([picture]))
    request.output = output
    request.force = true
    _ = try Netconv.run(request)
    return try #require(try arrays(output).first?.value).values
  }

  static func all(in folder: TemporaryFolder) throws -> [PictureNetwork] {
    var conversion = ConvertRequest(
      source: Fixtures.sample("deep-mnist/deep-mnist.h5"), destination: folder.file("blurred"))
    conversion.filters = ["blur=1", "scale=0.00392156862745098"]
    _ = try Netconv.convert(conversion)
    let labels = try folder.write(
      "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n", to: "labels.txt")
    // Probabilities that halves make; values of images are rounded once by halves, by a 16th at most.
    return try [
      PictureNetwork(
        name: "Digits", source: folder.file("blurred"), language: .mpscnn, precision: .float16,
        tolerance: 0.01, labels: labels),
      PictureNetwork(
        name: "GraphDigits", source: folder.file("blurred"), language: .mpsgraph,
        precision: .float16, tolerance: 0.01, labels: labels),
      PictureNetwork(
        name: "Colors", source: colors(in: folder), language: .mpscnn, precision: .float16,
        tolerance: 0.07),
      PictureNetwork(
        name: "GraphColors", source: colors(in: folder), language: .mpsgraph,
        precision: .float32, tolerance: 0.01),
      PictureNetwork(
        name: "Own", source: own(in: folder), language: .mpscnn, precision: .float32,
        tolerance: 0.01),
      PictureNetwork(
        name: "Planes", source: planes(in: folder), language: .mpsgraph, precision: .float16,
        tolerance: 0.001),
    ]
  }

  /// A network that records a chain; its output contains all values.
  private static func colors(in folder: TemporaryFolder) throws -> String {
    try write(
      "colors", "[5, 7, 3]",
      #"""
      , "preprocessing": [{"step": "saturation", "value": 0.5}, {"step": "blur", "value": 1.5},
        {"step": "channels", "order": "bgr"}, {"step": "mean", "value": [103.5, 116.25, 123]}]
      """#, [GroupedNetwork.layer("out", "Activation", ["image"], leaky)], in: folder)
  }

  /// A network that records nothing and starts with a rescaling layer.
  private static func own(in folder: TemporaryFolder) throws -> String {
    try write(
      "own", "[6, 4, 1]", "",
      [GroupedNetwork.layer("out", "Rescaling", ["image"], #""scale": [0.5], "offset": [-40]"#)],
      in: folder)
  }

  /// A network with channels first that records nothing.
  private static func planes(in folder: TemporaryFolder) throws -> String {
    try write(
      "planes", "[3, 5, 7]", "",
      [
        GroupedNetwork.layer("last", "Permute", ["image"], #""order": [1, 2, 0]"#),
        GroupedNetwork.layer("out", "Activation", ["last"], leaky),
      ], in: folder)
  }

  private static let leaky = #""function": {"function": "leakyRelu", "negativeSlope": 0.5}"#

  private static func write(
    _ name: String, _ shape: String, _ keys: String, _ layers: [String], in folder: TemporaryFolder
  ) throws -> String {
    try folder.write(
      #"""
      {"format": "netconv-model", "version": 1, "name": "\#(name)", "outputs": ["out"],
       "inputs": [{"name": "image", "shape": \#(shape)\#(keys)}],
       "layers": [\#(layers.joined(separator: ", "))]}
      """#, to: "\(name)/model.json")
    return folder.file(name)
  }
}

/// Bytes of red, green, blue and alpha.
private struct RawPicture {
  struct Region {
    let x, y, width, height: Int

    var text: String { "\(x),\(y),\(width),\(height)" }
  }

  let width: Int
  let height: Int
  let bytes: [UInt8]

  /// A region with another aspect ratio.
  static let region = Region(x: 3, y: 2, width: 13, height: 9)

  /// The colours of a photograph, partly transparent.
  static func fixture() throws -> RawPicture {
    let array = try #require(try arrays(Fixtures.path("pictures/pictures.npz"))["colour.jpg"])
    try #require(array.shape == [19, 23, 3])
    var bytes: [UInt8] = []
    for pixel in 0..<19 * 23 {
      for color in 0..<3 { bytes.append(UInt8(array.values[pixel * 3 + color])) }
      bytes.append(UInt8(pixel * 37 % 256))
    }
    return RawPicture(width: 23, height: 19, bytes: bytes)
  }

  /// The colours of a region as a file, without alpha.
  func pixmap(of region: Region?) -> [UInt8] {
    let region = region ?? Region(x: 0, y: 0, width: width, height: height)
    var file = Array("P6 \(region.width) \(region.height) 255\n".utf8)
    for y in region.y..<region.y + region.height {
      for x in region.x..<region.x + region.width {
        let pixel = (y * width + x) * 4
        file += bytes[pixel..<pixel + 3]
      }
    }
    return file
  }
}

/// A mistake on the way of pictures into a network.
private struct PictureMutation {
  let network: String
  let edit: Mutation

  init(_ network: String, _ name: String, file: String, from: String, to: String) {
    self.network = network
    edit = Mutation(name: name, file: file, from: from, to: to, firstWrong: "")
  }

  static let all = [
    PictureMutation(
      "Digits", "no scale", file: "Preparation", from: "    .scale([0.00392156862745098]),\n",
      to: ""),
    PictureMutation(
      "Colors", "channels in the other order", file: "Preparation", from: ".channels(.bgr)",
      to: ".channels(.rgb)"),
    PictureMutation(
      "Colors", "no region", file: "Pictures", from: "if let area { try add(.crop(area)) }",
      to: "_ = area"),
    PictureMutation(
      "Own", "the region before", file: "Pictures", from: "last.region == area", to: "true"),
    PictureMutation(
      "Own", "values from 0 to 1", file: "Shaders", from: "source.read(place) * 255.0f",
      to: "source.read(place)"),
    PictureMutation(
      "Colors", "colours that weigh by alpha", file: "Pass",
      from: "form.hasAlpha ? weighing : 0", to: "weighing"),
    PictureMutation(
      "Own", "no antialiasing", file: "Pictures", from: "antialias: true", to: "antialias: false"),
    PictureMutation(
      "Colors", "values cut off between filters", file: "Context", from: ": .rgba32Float",
      to: ": .rgba8Unorm"),
    PictureMutation(
      "Planes", "pixels for planes", file: "Preparation", from: "isPlanar = true",
      to: "isPlanar = false"),
    PictureMutation(
      "GraphColors", "values from 0 to 1 in a buffer", file: "Shaders",
      from: "pixel[channel] * 255.0f", to: "pixel[channel]"),
  ]
}
