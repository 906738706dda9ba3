import ModelIR

/// The arguments of the process, as it was given them.
enum Arguments {
  /// Checks that each is UTF-8: Swift would put other characters in the place of what is not, and a path would be
  /// another.
  ///
  /// - Throws: `usage` with the first that is not, and its place.
  static func check() throws(NetconvError) {
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[place] else { return }
      guard String(validatingCString: argument) == nil else { continue }
      throw .notUTF8(String(cString: argument), place: place)
    }
  }
}

extension NetconvError {
  fileprivate static func notUTF8(_ argument: String, place: Int) -> NetconvError {
    NetconvError(
      .usage,
      "argument \(place), \(quoted(argument)), is not UTF-8; rename the file, or go to its folder and name it from "
        + "there")
  }
}
