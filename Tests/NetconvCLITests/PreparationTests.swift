import Foundation
import ModelIR
import TestSupport
import Testing

/// The search for the preprocessing of pixels; it is a part of the bench in Docs/preparation.md.
@Suite("verify --find-preparation")
struct PreparationTests {
  private static let network = Fixtures.path("preparation/conv.h5")
  private static let means: [Float] = [123.68, 116.779, 103.939]
  private static let unitMeans: [Float] = [0.485, 0.456, 0.406]
  private static let deviations: [Float] = [0.229, 0.224, 0.225]

  /// Writes 300 images of 8 x 8 pixels, changed so that the network, which expects values from 0 to 1, needs preprocessing.
  private func images(
    to line: CommandLine,
    _ change: (_ pixels: [Float], _ row: Int, _ column: Int, _ c: Int) -> Float
  ) throws {
    let stored = try #require(try arrays(Fixtures.path("preparation/images.npy"))[""])
    #expect(stored.shape == [300, 8, 8, 3])
    var values: [UInt8] = []
    for image in 0..<300 {
      let pixels = Array(stored.values[image * 192..<(image + 1) * 192])
      for place in 0..<192 {
        let value = change(pixels, place / 24, place / 3 % 8, place % 3)
        values += withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
      }
    }
    try line.folder.write(npy("<f4", "(300, 8, 8, 3)", values), to: "x.npy")
  }

  private func search(
    _ line: CommandLine, images: String = "x.npy", labels: String? = nil
  ) throws -> (text: NetconvProcess.Result, report: [String: Any]) {
    let arguments = [
      "verify", Self.network, "--images", images, "--labels",
      labels ?? Fixtures.path("preparation/labels.npy"), "--find-preparation",
    ]
    let json = try NetconvProcess.run(arguments + ["--json"], in: line.folder.path)
    #expect(json.status == 0, "\(json.errors)")
    let report = try jsonObject(json.output.utf8)["preparation"] as? [String: Any]
    return (
      try NetconvProcess.run(arguments, in: line.folder.path), try #require(report)
    )
  }

  @Test("the one that a network needs is named, with what sets it")
  func named() throws {
    let line = try CommandLine()
    // What each preparation has to undo, worked from the pixels that the network was trained with.
    let cases:
      [(String, String, (_ pixels: [Float], _ row: Int, _ column: Int, _ c: Int) -> Float)] =
        [
          ("multiplied by 1/255", "--scale=0.00392156862745098", { $0[$1 * 24 + $2 * 3 + $3] }),
          (
            "multiplied by 1/127.5, minus 1", "--scale=0.00784313725490196 --offset=-1",
            { ($0[$1 * 24 + $2 * 3 + $3] / 255 + 1) * 127.5 }
          ),
          (
            "height and width swapped, multiplied by 1/255",
            #""preprocessing": [{"step":"transpose"},{"step":"scale","value":0.00392156862745098}] at the "#
              + "input in model.json, for images that are saved as bytes",
            { $0[$2 * 24 + $1 * 3 + $3] }
          ),
          (
            "subtracted from 255, multiplied by 1/255",
            #""preprocessing": [{"step":"invert","value":255},{"step":"scale","value":0.00392156862745098}] at "#
              + "the input in model.json, for images that are saved as bytes",
            { 255 - $0[$1 * 24 + $2 * 3 + $3] }
          ),
          (
            "minus the means 123.68, 116.779, 103.939",
            #""preprocessing": [{"step":"mean","value":[123.68,116.779,103.939]}] at the input in model.json, "#
              + "for images that are saved as bytes",
            { $0[$1 * 24 + $2 * 3 + $3] / 255 + Self.means[$3] }
          ),
          (
            "channels as BGR, multiplied by 1/255, minus the means 0.406, 0.456, 0.485, divided by the "
              + "deviations 0.225, 0.224, 0.229",
            #""preprocessing": [{"order":"bgr","step":"channels"},{"step":"scale","value":0.00392156862745098},"#
              + #"{"step":"mean","value":[0.406,0.456,0.485]},{"step":"deviation","value":[0.225,0.224,0.229]}] "#
              + "at the input in model.json, for images that are saved as bytes",
            {
              ($0[$1 * 24 + $2 * 3 + 2 - $3] / 255 * Self.deviations[$3] + Self.unitMeans[$3]) * 255
            }
          ),
        ]
    for (expected, setting, change) in cases {
      try images(to: line, change)
      let (text, report) = try search(line)
      let found = try #require(report["found"] as? [String: Any], "\(expected): \(text.output)")
      #expect(found["text"] as? String == expected)
      #expect(report["setting"] as? String == setting)
      #expect(report["isUsed"] as? Bool == false)
      #expect(report["images"] as? Int == 300)
      #expect(text.output.contains("\nfound      \(expected)\n"), "\(text.output)")
      #expect(text.output.contains("\nset it     \(setting)\n"), "\(text.output)")
      // It is not used: the accuracy is that of floats as they are.
      #expect(
        text.output.contains("\npixels     as they are (floats, and the model records no scale)\n"))
    }
  }

  @Test("the option and the key that are named give the accuracy that was promised")
  func settings() throws {
    let line = try CommandLine()
    try images(to: line) { ($0[$1 * 24 + $2 * 3 + $3] / 255 + 1) * 127.5 }
    let labels = Fixtures.path("preparation/labels.npy")
    let result = try line.netconv(
      "verify", Self.network, "--images", "x.npy", "--labels", labels,
      "--scale=0.00784313725490196", "--offset=-1", "--min-accuracy", "0.95")
    expectSuccess(result)
  }

  @Test("what was done anyway is named as such, and with labels that are wrong none stands out")
  func noFalseAlarm() throws {
    let line = try CommandLine()
    let bytes = Fixtures.path("preparation/images.npy")
    let (text, report) = try search(line, images: bytes)
    #expect(report["isUsed"] as? Bool == true)
    #expect(
      text.output.contains("\nfound      multiplied by 1/255, as was done\n"), "\(text.output)")
    #expect(!text.output.contains("set it"))
    // Labels that have nothing to do with the images, and one class for three images of four.
    let unrelated: [UInt8] = (0..<300).map { UInt8($0 * 13 % 20) }
    let uneven: [UInt8] = (0..<300).map { $0 % 4 == 0 ? 0 : 7 }
    for labels in [unrelated, uneven] {
      try line.folder.write(npy("|u1", "(300,)", labels), to: "y.npy")
      let (text, report) = try search(line, images: bytes, labels: "y.npy")
      #expect(report["found"] == nil, "\(text.output)")
      #expect(text.output.contains("\nfound      none stands out\n"), "\(text.output)")
    }
  }

  @Test("it is suggested where the accuracy is that of chance, and only there")
  func suggested() throws {
    let line = try CommandLine()
    let labels = Fixtures.path("preparation/labels.npy")
    let arguments = [
      "verify", Self.network, "--images", Fixtures.path("preparation/images.npy"), "--labels",
      labels,
    ]
    let hint =
      "hint       that is about chance level; --find-preparation tries other preparations of the pixels\n"
    #expect(!(try NetconvProcess.run(arguments, in: line.folder.path).output.contains(hint)))
    let black = try NetconvProcess.run(arguments + ["--scale", "0"], in: line.folder.path)
    #expect(black.output.contains(hint), "\(black.output)")
  }

  @Test("images with labels are needed")
  func refused() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectError(
      try line.netconv("verify", "blobs", "--against", "blobs", "--find-preparation"), 64,
      "blobs: --find-preparation needs images with labels; name them with --images and --labels")
  }
}
