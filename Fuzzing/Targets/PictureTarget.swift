import Pictures

/// A file of a picture: PNG, JPEG, PGM or PPM.
enum PictureTarget: FuzzTarget {
  static let name = "picture"

  static func parse(_ bytes: [UInt8]) throws {
    let picture = try PictureFile(bytes).picture
    try hold(
      picture.values.count == picture.height * picture.width * picture.channels,
      "a picture has another number of values")
    try hold(picture.values.allSatisfy { (0...255).contains($0) }, "a value is no brightness")
  }
}
