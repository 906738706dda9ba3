import TestSupport

/// Pictures that differ from what their names or headers suggest.
extension SilentError {
  static let inPictures: [SilentError] = [
    picture("a JPEG that was cut off", 65, "Premature end", ["refused-cut.jpg"]),
    picture("a PNG with another checksum", 65, "CRC error", ["refused-checksum.png"]),
    picture("colours for printing", 65, "CMYK", ["refused-cmyk.jpg"]),
    picture("two pictures in a file", 65, "after its picture", ["refused-two.pgm"]),
    picture("a colour profile", 0, "Display Q7", ["profile.jpg"]),
    picture("values that are linear in light", 0, "exponent", ["gamma.png"]),
    picture("transparent places", 0, "transparent", ["rgb-alpha-8.png"]),
    picture(
      "a filter that leads elsewhere", 64, "do not lead to that",
      ["gray-8.png", "--filter", "resize=9x9"]),
    picture(
      "labels of another network", 65, "and the network has 10",
      ["gray-8.png", "--labels", "labels.txt"]),
    SilentError("verify", "a list of pictures with names and no labels", 65, "cat") { line in
      try line.folder.write("\(Fixtures.path("pictures/gray-8.png")),cat\n", to: "set.csv")
      return try line.netconv(
        "verify", Fixtures.sample("deep-mnist/deep-mnist.h5"), "--images", "set.csv")
    },
    SilentError("verify", "a picture of a class that the network does not have", 65, "10") { line in
      try line.folder.write("\(Fixtures.path("pictures/gray-8.png")),10\n", to: "set.csv")
      return try line.netconv(
        "verify", Fixtures.sample("deep-mnist/deep-mnist.h5"), "--images", "set.csv")
    },
  ]

  private static func picture(
    _ mistake: String, _ status: Int32, _ words: String, _ arguments: [String]
  ) -> SilentError {
    SilentError("run", mistake, status, words) { line in
      try line.folder.write("one\ntwo\n", to: "labels.txt")
      return try line.netconv(
        [
          "run", Fixtures.sample("deep-mnist/deep-mnist.h5"),
          Fixtures.path("pictures/" + arguments[0]),
        ]
          + arguments.dropFirst())
    }
  }
}
