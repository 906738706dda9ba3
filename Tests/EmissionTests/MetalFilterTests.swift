import Datasets
import Emission
import Foundation
import ImageFilters
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// Emitted Metal filters: the classes are compiled against the stand-ins, and the kernels as C++ against a stand-in of
/// Metal's standard library, in which a read outside of a texture stops the program.
@Suite(.enabled(if: StandIns.products != nil), .slow)
struct MetalFilterTests {
  @Test func `they equal the CPU's, and mistakes in kernels are found`() throws {
    let program = try FilterProgram()
    for input in FilterProgram.inputs {
      for format in ["rgba8", "bgra8", "rgba16"] {
        // Floats round sums of up to 400 values; a half has 11 digits, and there are up to six in a row.
        for (storage, bound) in [("floats", Float(0.01)), ("halves", 0.5)] {
          let problem = try program.problem(
            input, format: format, storage: storage,
            // Halves are exact to a 16th of a step near 255, and resizing and scaling enlarge that.
            bound: format == "rgba16" ? 0.5 : bound)
          #expect(problem == nil, "\(input), \(format), \(storage)")
        }
      }
    }
    for mutation in KernelMutation.all {
      let kernels = try program.kernels(with: mutation)
      #expect(
        try FilterProgram.inputs.contains { input in
          try program.problem(input, format: "rgba8", storage: "floats", bound: 0.5, kernels)
            != nil
        }, "\(mutation.from) as \(mutation.to) is not found")
    }
  }
}

/// A package of filters, and a program that applies it to pictures.
private final class FilterProgram {
  static let inputs = ["rgb", "rgba", "gray", "wide"]

  private let folder: TemporaryFolder
  /// Kernels that were compiled, so that each text is once.
  private let compiled: String
  private let pictures: [String: Picture]
  private let chains: [(input: String, steps: [PixelStep])]

  /// Chains that the stored pictures of other libraries do not cover.
  private static let others = [
    ["blur=2@3,2,7x5"], ["boxBlur=3@0,0,4x9"], ["saturation=0@9,1,4x3"], ["opaque=255,0,128"],
    ["opaque"], ["resize=31x7,bicubic"], ["fill=8x11,bicubic,antialias"],
    ["fit=30x9,value=1:2:3", "turn=270", "blur=1.5,sigma=2"], ["saturation=0.5", "blur=2.5"],
    ["encoding=linear", "blur=1", "encoding=sRGB", "invert=255"],
  ]

  init() throws {
    folder = try TemporaryFolder()
    compiled = folder.file("compiled")
    try FileManager.default.createDirectory(atPath: compiled, withIntermediateDirectories: true)
    let stored = try arrays(Fixtures.path("filters/filters.npz"))
    pictures = try Self.inputs.reduce(into: [:]) { pictures, name in
      let array = try #require(stored[name])
      pictures[name] = Picture(
        height: array.shape[0], width: array.shape[1], channels: array.shape[2],
        hasAlpha: name == "rgba", values: array.values)
    }
    struct Case: Decodable {
      let input: String
      let steps: [String]
    }
    let cases = try JSONDecoder().decode(
      [Case].self, from: Data(contentsOf: URL(filePath: Fixtures.path("filters/cases.json"))))
    try #require(cases.count >= 90)
    chains = try
      (cases.map { ($0.input, $0.steps) }
      + Self.others.flatMap { steps in [("rgb", steps), ("rgba", steps)] })
      .map { input, texts in (input, try texts.map { try PixelStep(text: $0) }) }
    try build()
  }

  private func build() throws {
    let path = folder.file("Look")
    let request = EmitFiltersRequest(
      filters: ["saturation=0.5", "blur=2.5"], destination: path,
      language: try #require(.named("metal")))
    _ = try Netconv.emitFilters(request)
    let manifest = try text("Look/Package.swift")
    try folder.write(
      manifest.replacing(
        "targets: [\n",
        with: """
          targets: [
              .target(name: "FilterEditor", dependencies: ["Look"]),
              .executableTarget(name: "Driver", dependencies: ["FilterEditor", "Look"]),

          """),
      to: "Look/Package.swift")
    let editor = "FilterEditor/FilterEditor.swift"
    try folder.write(
      String(
        contentsOf: URL(
          filePath: "\(Fixtures.repository)/Samples/ImageFilters/App/Sources/\(editor)"),
        encoding: .utf8), to: "Look/Sources/\(editor)")
    let lines = chains.map { input, steps in
      "(\"\(input)\", [\(steps.map(\.swiftText).joined(separator: ", "))]),"
    }
    let driver = try String(
      contentsOf: URL(
        filePath: "\(Fixtures.repository)/Tests/EmissionTests/Programs/Filters.swift.txt"),
      encoding: .utf8)
    try folder.write(
      driver.replacing("NAME", with: "Look")
        .replacing("// CHAINS", with: lines.joined(separator: "\n")),
      to: "Look/Sources/Driver/main.swift")
    try StandIns.build(path)
  }

  private func text(_ file: String) throws -> String {
    String(decoding: try folder.bytes(file), as: UTF8.self)
  }

  /// The file of the kernels with a mistake.
  func kernels(with mutation: KernelMutation) throws -> String {
    let text = try text("Look/Sources/Look/LookFilters.metal")
    try #require(text.contains(mutation.from), "\(mutation.from) is nowhere")
    return try folder.write(text.replacing(mutation.from, with: mutation.to), to: "wrong.metal")
  }

  /// The problem with the results for a picture, if any; numbers are in units of 1/255.
  func problem(
    _ input: String, format: String, storage: String, bound: Float, _ kernels: String? = nil
  ) throws -> String? {
    let picture = try #require(pictures[input])
    let bytes = Self.expected(picture).map { UInt8($0) }
    let results = folder.file("results")
    for file in [results, results + ".drawn"] {
      try? FileManager.default.removeItem(atPath: file)
    }
    let program = try RunningProgram.run(
      [
        "/usr/bin/env", "SWIFT_BACKTRACE=enable=no", "NETCONV_COMPILED_KERNELS=\(compiled)",
        "\(folder.path)/Look/.build/release/Driver",
        input,
        try folder.write(bytes, to: "picture"), "\(picture.width)", "\(picture.height)", format,
        storage, results,
      ] + (kernels.map { [$0] } ?? []), in: folder.path)
    // A mistake that clang finds says nothing about the pictures.
    try #require(!program.output.contains("kernels.metal:"), "\(program.output)")
    guard program.status == 0 else { return "exits with \(program.status): \(program.output)" }
    var reader = Reader(bytes: try folder.bytes("results"))
    let histogram = Histogram(picture)
    let counts = (0..<1025).map { _ in Int(reader.integer()) }
    for (channel, expected) in histogram.counts.enumerated() {
      if Array(counts[channel * 256..<(channel + 1) * 256]) != expected { return "histogram" }
    }
    if counts[1024] != 0 { return "values that are no numbers" }
    for chain in chains where chain.input == input {
      let expected = try picture.applying(chain.steps)
      let texts = chain.steps.map(\.text)
      let size = (Int(reader.integer()), Int(reader.integer()))
      guard size == (expected.width, expected.height) else { return "\(texts): size \(size)" }
      for (index, value) in Self.expected(expected).enumerated() {
        let found = reader.float() * 255
        guard abs(found - value) <= bound else {
          return "\(texts): value \(index) is \(found), expected \(value)"
        }
      }
    }
    guard reader.isAtEnd else { return "more results than chains" }
    return try drawnProblem(picture)
  }

  /// The problem with the output of views, if any: the picture doubled with a border, cropped and stretched, and as it is.
  private func drawnProblem(_ picture: Picture) throws -> String? {
    var reader = Reader(bytes: try folder.bytes("results.drawn"))
    let (width, height) = (picture.width, picture.height)
    let placements = [
      ("fit", view: (2 * width + 10, 2 * height), shown: 2 * width, left: 5),
      ("fill", (2 * width - 4, 2 * height), 2 * width, -2),
      ("stretch", (3 * width, 2 * height), 3 * width, 0), ("as it is", (width, height), width, 0),
    ]
    for (placement, view, shown, left) in placements {
      guard (reader.integer(), reader.integer()) == (UInt32(view.0), UInt32(view.1)) else {
        return "\(placement): another size"
      }
      let found = reader.bytes(view.0 * view.1 * 4)
      // A view mixes colours first, and resizing weighs them with alpha.
      if picture.hasAlpha && shown != width { continue }
      let steps = ["saturation=0.5", "blur=3", "resize=\(shown)x\(view.1)"]
      let values = Self.expected(try picture.applying(steps.map { try PixelStep(text: $0) }))
      for place in 0..<view.0 * view.1 {
        let (x, y) = (place % view.0 - left, place / view.0)
        var expected: [Float] = [0, 0, 0]
        if (0..<shown).contains(x) {
          let pixel = values[(y * shown + x) * 4..<(y * shown + x) * 4 + 4]
          expected = pixel.prefix(3).map { min(max($0, 0), 255) * (pixel.last ?? 0) / 255 }
        }
        let pixel = found[place * 4..<place * 4 + 4]
        // The bytes of a screen, and a half between its filters.
        guard pixel.last == 255,
          zip(pixel.prefix(3).reversed(), expected).allSatisfy({ abs(Float($0) - $1) <= 0.7 })
        else { return "\(placement) at (\(x), \(y)): \(pixel), expected \(expected)" }
      }
    }
    return nil
  }

  /// Red, green, blue and alpha of each pixel, as a texture has them.
  private static func expected(_ picture: Picture) -> [Float] {
    (0..<picture.height * picture.width).flatMap { pixel in
      let first = pixel * picture.channels
      let colors = (0..<3).map { picture.values[first + (picture.colors == 1 ? 0 : $0)] }
      return colors + [picture.hasAlpha ? picture.values[first + picture.colors] : 255]
    }
  }

  /// Consecutive numbers.
  private struct Reader {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func integer() -> UInt32 {
      defer { place += 4 }
      return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }

    mutating func float() -> Float { Float(bitPattern: integer()) }

    mutating func bytes(_ count: Int) -> [UInt8] {
      defer { place += count }
      return Array(bytes[place..<place + count])
    }
  }
}

/// A mistake in the text of the kernels.
struct KernelMutation: Sendable {
  let from: String
  let to: String

  init(_ from: String, _ to: String) {
    self.from = from
    self.to = to
  }

  /// Mutations of signs, edges, indices and taps, and of the handling of alpha.
  static let all: [KernelMutation] = [
    .init("clamp(int(place.x) + tap * blur.axis.x, 0, last.x)", "int(place.x) + tap * blur.axis.x"),
    .init("blur.axis.y, 0, last.y)", "blur.axis.y, 0, last.y - 1)"),
    .init("taps[tap + blur.radius]", "taps[tap + blur.radius + 1]"),
    .init("tap <= blur.radius", "tap < blur.radius"),
    .init("dot(rows[1], colors)", "dot(rows[0], colors)"),
    .init("float4 colors = float4(pixel.rgb, 1);", "float4 colors = float4(pixel.rgb, 0);"),
    .init("weighing & multiplies ?", "weighing & divides ?"),
    .init("sum.rgb / sum.a", "sum.rgb"),
    .init("index * resampling.most + tap", "index * span.y + tap"),
    .init("uint(span.x + tap)", "uint(span.x + tap + 1)"),
    .init("resampling.axis.x == 1", "resampling.axis.x == 0"),
    .init("rows[0].y * int(place.y)", "-rows[0].y * int(place.y)"),
    .init("+ rows[1].z", "- rows[1].z"),
    .init("x < int(source.get_width())", "x <= int(source.get_width())"),
    .init(
      "? changed.read(place) : source.read(place)", "? source.read(place) : changed.read(place)"),
    .init("x < area.z", "x <= area.z"),
    .init(
      "Source source [[texture(0)]], Source changed [[texture(1)]]",
      "Source source [[texture(1)]], Source changed [[texture(0)]]"),
    .init("0.04045f", "0.4045f"),
    .init("1 / 2.4f", "1 / 2.2f"),
    .init("background.rgb * (1 - pixel.a)", "background.rgb * pixel.a"),
    .init("place.y >= result.get_height();", "place.y > result.get_height();"),
    .init("place.x >= result.get_width() ||", "place.x >= result.get_width() - 1 ||"),
    .init("place.y * source.get_width() + place.x", "place.x * source.get_height() + place.y"),
    .init("channel * 256 + int", "channel * 255 + int"),
    .init("&counts[index], 1u", "&counts[index], 2u"),
    .init("corner.place = corners[index].zw", "corner.place = corners[index].xy"),
    .init("float4(pixel.rgb * pixel.a, 1)", "float4(pixel.bgr * pixel.a, 1)"),
    .init("filter::linear", "filter::nearest"),
  ]
}
