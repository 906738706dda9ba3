import Foundation
import ImageFilters
import ModelIR
import Pictures
import TestSupport
import Testing

/// `pictures.npz` contains the pixels of each file as read by Pillow and numpy.
@Suite("Pictures in files")
struct PictureFileTests {
  private static func fixture(_ name: String) -> String { Fixtures.path("pictures/" + name) }

  @Test(
    "every value is the one that others see",
    arguments: [
      "gray-1.png", "gray-2.png", "gray-4.png", "gray-8.png", "gray-16.png", "gray-alpha-8.png",
      "gray-alpha-16.png", "rgb-8.png", "rgb-16.png", "rgb-alpha-8.png", "rgb-alpha-16.png",
      "palette.png", "palette-alpha.png", "interlaced.png", "turned.png", "gamma.png",
      "profile-srgb.png", "profile-lab.png", "gray.jpg", "colour.jpg", "subsampled.jpg",
      "progressive.jpg", "extra.jpg", "profile.jpg", "orientation-1.jpg", "orientation-2.jpg",
      "orientation-3.jpg", "orientation-4.jpg", "orientation-5.jpg", "orientation-6.jpg",
      "orientation-7.jpg", "orientation-8.jpg", "gray.pgm", "colour.ppm", "plain.pgm", "plain.ppm",
      "thousand.ppm",
    ])
  func values(name: String) throws {
    let file = try PictureFile(path: Self.fixture(name))
    let seen = try #require(try arrays(Self.fixture("pictures.npz"))[name])
    #expect(file.picture.shape == seen.shape)
    // Quotients are rounded once here and once in numpy.
    let largest = zip(file.picture.values, seen.values).map { abs($0 - $1) }.max()
    #expect(try #require(largest) < 1e-4)
    #expect(file.picture.hasAlpha == name.contains("alpha"))
  }

  @Test("no array of the fixture is left out")
  func complete() throws {
    #expect(try arrays(Self.fixture("pictures.npz")).count == 37)
  }

  @Test("what is ignored of the colours is told")
  func profiles() throws {
    func ignored(_ name: String) throws -> PictureFile.IgnoredProfile? {
      try PictureFile(path: Self.fixture(name)).ignoredProfile
    }
    #expect(try ignored("profile-lab.png") == .profile("Display Q7"))
    #expect(try ignored("profile.jpg") == .profile("Display Q7"))
    #expect(try ignored("profile-srgb.png") == nil)
    #expect(try ignored("gamma.png") == .gamma(1))
    #expect(try ignored("rgb-8.png") == nil)
  }

  @Test("what the file is")
  func facts() throws {
    func facts(_ name: String) throws -> (PictureFormat, Int, PictureOrientation) {
      let file = try PictureFile(path: Self.fixture(name))
      return (file.format, file.bits, file.orientation)
    }
    #expect(try facts("rgb-16.png") == (.png, 16, .upright))
    #expect(try facts("gray-1.png") == (.png, 8, .upright))
    #expect(try facts("turned.png") == (.png, 8, .quarterTurnRight))
    #expect(try facts("orientation-7.jpg") == (.jpeg, 8, .transverse))
    #expect(try facts("plain.pgm") == (.graymap, 8, .upright))
    #expect(try facts("thousand.ppm") == (.pixmap, 16, .upright))
  }

  @Test(
    "what cannot be read is named",
    arguments: [
      (
        "refused-checksum.png",
        "cannot be read as PNG: IDAT: CRC error; save the picture again, in gray or RGB"
      ),
      (
        "refused-cut.png",
        "cannot be read as PNG: the file ends too early; save the picture again, in gray or RGB"
      ),
      (
        "refused-huge.png",
        "claims 1048576 x 1048576 pixels of 3 values; netconv reads pictures of at most 200 million values"
      ),
      (
        "refused-huge.ppm",
        "claims 99999999 x 99999999 pixels of 3 values; netconv reads pictures of at most 200 million values"
      ),
      (
        "refused-cmyk.jpg",
        "cannot be read as JPEG: its colours are CMYK, for printing; save the picture again, in gray or RGB"
      ),
      (
        "refused-scans.jpg",
        "cannot be read as JPEG: it has more than 200 scans; save the picture again, in gray or RGB"
      ),
      (
        "refused-cut.jpg",
        "cannot be read as JPEG: Premature end of JPEG file; save the picture again, in gray or RGB"
      ),
      (
        "refused-short.ppm",
        "is not a valid PGM or PPM: it has 104 bytes of samples, expected 105"
      ),
      (
        "refused-two.pgm",
        "has 46 bytes after its picture; write each picture to its own file"
      ),
      ("refused-sample.pgm", "has a sample of 200, but states 100 as the largest"),
      (
        "refused-number.pgm",
        "is not a valid PGM or PPM: its next sample is not a number below a billion"
      ),
      ("refused-bitmap.pbm", "is a Netpbm bitmap; write it as PNG, JPEG, PGM or PPM"),
      ("refused.gif", "is a GIF; write it as PNG, JPEG, PGM or PPM"),
      ("pictures.npz", "is not a picture that netconv reads; write it as PNG, JPEG, PGM or PPM"),
    ])
  func refused(name: String, message: String) {
    let path = Self.fixture(name)
    let error = thrown { try PictureFile(path: path) }
    #expect(error?.description == "\(path): \(message)")
    #expect(error?.kind == .badData)
  }

  @Test("the largest value of a map is white, whatever it is")
  func white() throws {
    let all = Array(1...1000) + stride(from: 1001, through: 65535, by: 97)
    let others = try all.filter { largest in
      let sample =
        largest > 255 ? [UInt8(largest >> 8), UInt8(largest & 255)] : [UInt8(largest)]
      return try PictureFile(Array("P5 1 1 \(largest)\n".utf8) + sample).picture.values != [255]
    }
    #expect(others == [])
  }

  @Test(
    "every beginning of a file is refused", arguments: ["palette.png", "colour.jpg", "gray.pgm"])
  func truncated(name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.fixture(name))))
    for count in 0..<bytes.count {
      #expect(throws: NetconvError.self, "\(count) bytes") {
        try PictureFile([UInt8](bytes[..<count]))
      }
    }
  }
}
