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
