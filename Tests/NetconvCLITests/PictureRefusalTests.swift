import Foundation
import ModelIR
import TestSupport
import Testing

/// Exact messages about pictures that are refused.
@Suite("pictures that are refused")
struct PictureRefusalTests {
  private static let deepMNIST = Fixtures.sample("deep-mnist/deep-mnist.h5")

  private static func fixture(_ name: String) -> String { Fixtures.path("pictures/" + name) }

  @Test(
    "mistakes have their exit code and their words",
    arguments: [
      ([], 64, "no input was given; name pictures, or arrays with --input"),
      (
        ["a.png", "--input", "b.npy"], 64,
        "pictures and --input are both given; run them one after the other"
      ),
      (
        ["--input", "b.npy", "--labels", "c"], 64,
        "--labels is for pictures; leave it out, or name pictures"
      ),
      (["a.npz"], 64, "'a.npz' holds arrays, not a picture; pass it with --input"),
      (["a.png", "--top", "0"], 64, "--top 0 is less than 1"),
      (["a.png", "--repeat", "3"], 64, "--repeat is for arrays; pass them with --input"),
      (
        ["PICTURES/refused.gif"], 65,
        "PICTURES/refused.gif: is a GIF; write it as PNG, JPEG, PGM or PPM"
      ),
      (
        ["PICTURES/gray-8.png", "--filter", "blur=x"], 64,
        "filter 'blur=x': 'x' is no number"
      ),
      (
        ["PICTURES/gray-8.png", "--filter", "resize=20x20"], 64,
        "PICTURES/gray-8.png: has 7 x 5 pixels of 1 value, but the input 'image' expects 28 x 28 pixels of 1 value; "
          + "its steps, stretched to 20 x 20 (bilinear), multiplied by 1/255, do not lead to that"
      ),
      (
        ["PICTURES/digits", "--labels", "PICTURES/digits.csv"], 65,
        "names 21 classes, and the network has 10; name each class once"
      ),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, message: String) throws {
    let line = try CommandLine()
    let folder = Self.fixture("").dropLast()
    let result = try line.netconv(
      ["run", Self.deepMNIST]
        + arguments.map { $0.replacingOccurrences(of: "PICTURES", with: folder) })
    #expect(result.status.code == status)
    let expected = message.replacingOccurrences(of: "PICTURES", with: folder)
      .replacingOccurrences(of: "MODEL: ", with: "")
    #expect(result.errors.contains(expected), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test("what is ignored of a picture is warned of")
  func ignored() throws {
    let line = try CommandLine()
    let result = try line.netconv(
      "run", Self.deepMNIST, Self.fixture("profile-lab.png"), Self.fixture("gamma.png"),
      Self.fixture("rgb-alpha-8.png"))
    #expect(result.status == 0)
    #expect(
      result.errors == """
        netconv: warning: a picture has the colour profile 'Display Q7', which is ignored: colours are assumed to be sRGB
          \(Self.fixture("profile-lab.png"))
        netconv: warning: a picture has values with the exponent 1.0, which is ignored: colours are assumed to be sRGB
          \(Self.fixture("gamma.png"))
        netconv: warning: a picture is partly transparent; the colours of transparent pixels are used; --filter 'opaque=255' adds a white background
          \(Self.fixture("rgb-alpha-8.png"))

        """)
  }

  @Test("verify warns of the same")
  func ignoredByVerify() throws {
    let line = try CommandLine()
    let pictures = ["profile-lab.png", "rgb-alpha-8.png"].map { Self.fixture($0) }
    try line.folder.write(pictures.map { $0 + ",7\n" }.joined(), to: "set.csv")
    let result = try line.netconv(
      "verify", Fixtures.sample("deep-mnist/deep-mnist.h5"), "--images", "set.csv")
    #expect(result.status == 0)
    #expect(
      result.errors == """
        netconv: warning: a picture has the colour profile 'Display Q7', which is ignored: colours are assumed to be sRGB
          \(pictures[0])
        netconv: warning: a picture is partly transparent; the colours of transparent pixels are used; --filter 'opaque=255' adds a white background
          \(pictures[1])

        """)
  }

  @Test(
    "lists and folders that are wrong",
    arguments: [
      (
        "a.png,7,8\n",
        "set.csv: line 1 has 3 fields, expected a path and a class, with a comma between"
      ),
      ("a.png,\"7\n", "set.csv: line 1 has a quotation mark that is not closed"),
      (
        "a.png,cat\n",
        "set.csv: 'cat' is neither a class index nor one of the labels; pass the names of the classes in "
          + "order with --labels"
      ),
      (
        "picture,label\n",
        "set.csv: holds no picture; netconv reads files that end in .png, .jpg, .jpeg, .pgm, .ppm, .pnm"
      ),
      ("missing.png,1\n", "./missing.png: no such file or folder; check the path"),
    ])
  func lists(text: String, message: String) throws {
    let line = try CommandLine()
    try line.folder.write(Array(text.utf8), to: "set.csv")
    let result = try line.netconv("verify", Self.deepMNIST, "--images", "set.csv")
    #expect(result.status != 0)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test("a sweep that is none")
  func sweeps() throws {
    let line = try CommandLine()
    for text in [
      "blur", "blur=1", "blur=3:1:1", "blur=0:4:0", "blur=0:inf:1", "blur=0:1:0.0000001",
    ] {
      let result = try line.netconv("verify", Self.deepMNIST, "--limit", "1", "--sweep", text)
      #expect(result.status == 64)
      #expect(
        result.errors.contains("--sweep '\(text)' is not a range of a filter"), "\(result.errors)")
    }
  }
}
