import Foundation
import ModelIR
import TestSupport
import Testing

/// `run` and `verify` with picture files.
///
/// The digits are the first 20 of MNIST's test images. The network recognises all but number 18, a 3 that it
/// classifies as an 8.
@Suite("pictures")
struct PictureTests {
  private static let deepMNIST = Fixtures.sample("deep-mnist/deep-mnist.h5")

  private static func fixture(_ name: String) -> String { Fixtures.path("pictures/" + name) }

  @Test("run says the classes of pictures, and what was done to them")
  func run() throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "run", Self.deepMNIST, Self.fixture("digits/7/00.png"), Self.fixture("digits/2/01.png"),
      "--labels", Self.fixture("digits.txt"), "--top", "1", "--json")
    expectSuccess(result)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.pictures.map { $0.top.map(\.index) } == [[7], [2]])
    #expect(report.pictures.map { $0.top.map(\.label) } == [["seven"], ["two"]])
    #expect(report.pictures.allSatisfy { $0.width == 28 && $0.height == 28 && $0.channels == 1 })
    #expect(report.pictures.allSatisfy { $0.text == "multiplied by 1/255" })
    #expect(report.batch == 2)
  }

  private struct Report: Decodable {
    let batch: Int
    let pictures: [Picture]

    struct Picture: Decodable {
      let name: String
      let width: Int
      let height: Int
      let channels: Int
      let text: String
      let top: [Class]
    }

    struct Class: Decodable {
      let index: Int
      let label: String?
      let value: Double
    }
  }

  @Test("a photograph is recognised with the README's filters")
  func photograph() throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "run", Self.deepMNIST, Fixtures.sample("deep-mnist/photo.jpg"), "--filter", "invert=255",
      "--filter", "offset=-90", "--filter", "scale=0.006", "--top", "1", "--json")
    expectSuccess(result)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    let picture = try #require(report.pictures.first)
    #expect(picture.top.map(\.index) == [7])
    #expect(try #require(picture.top.first).value > 0.9)
    #expect(
      picture.text
        == "converted to gray, filling 28 x 28 (bilinear, antialiased), subtracted from 255, minus 90, multiplied by 0.006"
    )
  }

  @Test("outputs of pictures are those of the same pixels as an array")
  func arrays() throws {
    let line = try CommandLine()
    let folder = Self.fixture("digits/1")
    expectSuccess(try line.netconv("run", Self.deepMNIST, folder, "--output", "a.npy"))
    // The first eight images, from 0 to 1; the ones among them are numbers 2 and 5.
    expectSuccess(
      try line.netconv(
        "run", Self.deepMNIST, "--input", Fixtures.sample("deep-mnist/digits.npy"), "--output",
        "b.npy"))
    let found = try #require(try TestSupport.arrays(line.folder.file("a.npy")).values.first)
    let expected = try #require(try TestSupport.arrays(line.folder.file("b.npy")).values.first)
    #expect(found.shape == [3, 10])
    for (row, digit) in [(0, 2), (1, 5)] {
      let values = found.values[row * 10..<(row + 1) * 10]
      let others = expected.values[digit * 10..<(digit + 1) * 10]
      #expect(zip(values, others).allSatisfy { abs($0 - $1) < 1e-5 })
    }
  }

  @Test("verify takes folders of classes and lists, and gets what the test set gives")
  func verify() throws {
    let line = try CommandLine()
    func correct(_ arguments: String...) throws -> (Int, Int) {
      let result = try line.netconv(["verify", Self.deepMNIST] + arguments + ["--json"])
      expectSuccess(result)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      return (try #require(document["correct"] as? Int), try #require(document["count"] as? Int))
    }
    let expected = try correct("--limit", "20")
    #expect(try correct("--images", Self.fixture("digits")) == expected)
    #expect(
      try correct(
        "--images", Self.fixture("digits.csv"), "--labels", Self.fixture("digits.txt")) == expected)
  }

  @Test("folders with names are classes in alphabetical order, which is said")
  func alphabet() throws {
    let line = try CommandLine()
    for (name, digit) in [("a", 0), ("b", 1), ("c", 2)] {
      try FileManager.default.createDirectory(
        atPath: line.folder.file("set/\(name)"), withIntermediateDirectories: true)
      let source = Self.fixture("digits/\(digit)")
      for file in try FileManager.default.contentsOfDirectory(atPath: source) {
        try FileManager.default.copyItem(
          atPath: "\(source)/\(file)", toPath: line.folder.file("set/\(name)/\(file)"))
      }
    }
    try line.folder.write(Array("x".utf8), to: "set/c/notes.txt")
    let result = try line.netconv("verify", Self.deepMNIST, "--images", "set", "--verbose")
    #expect(result.status == 0)
    #expect(
      result.errors.hasPrefix(
        """
        netconv: warning: the classes are the 3 folders in alphabetical order; --labels sets another
          0: a
          1: b
          2: c
        netconv: warning: 1 file is not a picture by name and left out
          c/notes.txt

        """))
    #expect(result.output.contains("accuracy   1.0000"))
  }

  @Test("a conversion records filters, which run does, and own filters take their place")
  func recorded() throws {
    let line = try CommandLine()
    let converted = try line.netconv(
      "convert", Self.deepMNIST, "out", "--filter", "blur=2", "--filter", "saturation=0.5")
    expectSuccess(converted)
    #expect(
      converted.output.contains(
        "\npixels are recorded as blurred with radius 2, saturation times 0.5, multiplied by 1/255\n"
      ))
    expectError(
      try line.netconv("convert", Self.deepMNIST, "out.safetensors", "--filter", "blur=2"), 64,
      "'out.safetensors' cannot store steps for pixels; leave out --filter, or write a folder or an archive"
    )
    expectError(
      try line.netconv("convert", Self.deepMNIST, "other", "--filter", "blur=2", "--weights-only"),
      64, "--filter is recorded with a graph; leave out --weights-only, or the filters")
    let digit = Self.fixture("digits/7/00.png")
    let plain = try line.netconv("run", "out", digit, "--top", "1")
    expectSuccess(plain)
    #expect(
      plain.output.hasPrefix(
        "pixels     blurred with radius 2, saturation times 0.5, multiplied by 1/255 (as the model records)\n"
      ))
    let own = try line.netconv("run", "out", digit, "--top", "1", "--filter", "blur=1")
    expectSuccess(own)
    #expect(
      own.output.hasPrefix(
        "pixels     blurred with radius 1, multiplied by 1/255 (as --filter says, instead of what the model records; "
          + "the range: as the model records)\n"))
    let other = try line.netconv("run", "out", digit, "--top", "1", "--filter", "scale=0.01")
    expectSuccess(other)
    #expect(
      other.output.hasPrefix(
        "pixels     multiplied by 1/100 (as --filter says, instead of what the model records)\n"))
  }

  @Test("a sweep shows how the accuracy falls")
  func sweep() throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "verify", Self.deepMNIST, "--limit", "200", "--sweep", "blur=0:12:4", "--json")
    expectSuccess(result)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let sweep = try #require(document["sweep"] as? [String: Any])
    let rows = try #require(sweep["rows"] as? [[String: Any]])
    #expect(sweep["filter"] as? String == "blur")
    #expect(rows.map { $0["value"] as? Double } == [0, 4, 8, 12])
    let right = rows.compactMap { $0["correct"] as? Int }
    #expect(right.first == document["correct"] as? Int)
    // A digit is 20 pixels wide; of one that is blurred over 24, nothing is left.
    #expect(try #require(right.first) > 190)
    #expect(try #require(right.last) < 120)
    #expect(rows.allSatisfy { $0["count"] as? Int == 200 })
  }
}
