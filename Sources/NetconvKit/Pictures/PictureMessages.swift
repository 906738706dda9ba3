import Datasets
import ImageFilters
import ModelIR
import Pictures

/// Messages about pictures and the names of classes.
extension NetconvError {
  static func takesNoPictures(_ input: ModelInput) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the input \(quoted(input.name)) has shape \(input.shape.description), which is not an image; pass arrays with "
        + "\(.input)")
  }

  static func severalInputs(_ names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the inputs \(names.map { quoted($0) }.joined(separator: ", ")), but pictures need a single one; pass "
        + "arrays with \(.input)")
  }

  static func pictureDoesNotFit(
    _ picture: PictureForm, _ steps: [PixelStep], expected: String, input: String
  ) -> NetconvError {
    let size =
      "\(picture.width) x \(picture.height) pixels of \(picture.channels) "
      + (picture.channels == 1 ? "value" : "values")
    return NetconvError(
      .usage,
      text:
        "has \(size), but the input \(quoted(input)) expects \(expected)"
        + (steps.isEmpty ? "" : "; its steps, \(steps.words), do not lead to that")
        + "; set steps with \(.filters), such as 'fill=224x224'")
  }

  static func differentPictures(
    _ name: String, _ shape: [Int], _ other: String, _ otherShape: [Int]
  ) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "\(quoted(name)) is fed with shape \(Shape(shape)), \(quoted(other)) with \(Shape(otherShape)), but all of them go "
        + "into one batch; give them one size with \(.filters), such as 'fill=224x224'")
  }

  static var labelsOfArrays: NetconvError {
    NetconvError(
      .usage,
      text: "\(.labels) is for pictures; leave it out, or name pictures instead of \(.input)")
  }

  static var picturesAreNotTimed: NetconvError {
    NetconvError(.usage, text: "only arrays can be timed; pass them with \(.input)")
  }

  static var noLabels: NetconvError {
    NetconvError(
      .badData,
      "holds no labels; write a line for each class, or a list in JSON, or an object with the indices of the classes"
    )
  }

  static func emptyLabel(_ index: Int) -> NetconvError {
    NetconvError(.badData, "has no name for class \(index)")
  }

  static func wrongLabelKey(_ key: String, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "has the key \(quoted(key)); expected a class index, from 0 to \(classes - 1)")
  }

  static func wrongLabelCount(_ count: Int, classes: Int) -> NetconvError {
    NetconvError(
      .badData,
      "names \(counted(count, "class", "classes")), and the network has \(classes); name each class once"
    )
  }

  static func noClasses(_ output: String, _ shape: Shape) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the output \(quoted(output)) has shape \(shape.description), not a value for each class; leave out \(.labels)"
    )
  }
}

extension Event {
  /// Returns events about the order of classes from folders or a list, and about files that were left out.
  static func classes(of list: PictureList) -> [Event] {
    let order: Event =
      switch list.order {
      case .numbers: .note("the classes are indices", details: [])
      case .labels: .note("the classes are in the order of the labels", details: [])
      case .alphabet:
        .remark(
          "the classes are the \(list.names.count) folders in alphabetical order; \(.labels) sets another",
          details: list.names.enumerated().map { Message(text: "\($0): \(escaped($1))") })
      }
    guard !list.others.isEmpty else { return [order] }
    let count = list.others.count
    return [
      order,
      .warning(
        "\(count) \(count == 1 ? "file is not a picture" : "files are not pictures") by name and left out",
        details: list.others.prefix(8).map { Message(text: escaped($0)) }),
    ]
  }

  /// A warning about properties of pictures that are ignored.
  static func ignoredProfile(_ profile: String, _ pictures: [String]) -> Event {
    .warning(
      "\(pictures.count == 1 ? "a picture has" : "\(pictures.count) pictures have") \(profile), which is ignored: "
        + "colours are assumed to be sRGB",
      details: pictures.prefix(8).map { Message(text: $0) })
  }

  static func transparent(_ pictures: [String]) -> Event {
    .warning(
      "\(pictures.count == 1 ? "a picture is" : "\(pictures.count) pictures are") partly transparent; the "
        + "colours of transparent pixels are used; \(.filters) 'opaque=255' adds a white background",
      details: pictures.prefix(8).map { Message(text: $0) })
  }
}

extension PictureFile.IgnoredProfile {
  /// A human-readable description of the profile.
  var words: String {
    switch self {
    case .profile(let name): "the colour profile " + (name.map { quoted($0) } ?? "without a name")
    case .gamma(let exponent): "values with the exponent \(exponent)"
    }
  }
}
