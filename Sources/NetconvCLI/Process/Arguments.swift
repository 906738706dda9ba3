import ModelIR

/// The arguments of the process, as it was given them.
enum Arguments {
  /// Checks that they are there, and that each is UTF-8: Swift would put other characters in the place of what is not, and a path would be
  /// another.
  ///
  /// - Throws: `usage` with the first that is not, and its place; `cannotOpen` if the system does not show them.
  static func check() throws(NetconvError) {
    // Swift has them from `/proc`. Without any, the parser would print the help and be content.
    guard CommandLine.argc > 0 else { throw .noArguments }
    for place in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[place] else { return }
      guard String(validatingCString: argument) == nil else { continue }
      throw .notUTF8(String(cString: argument), place: place)
    }
  }
}

extension NetconvError {
  fileprivate static var noArguments: NetconvError {
    NetconvError(
      .cannotOpen,
      "/proc/self/cmdline: cannot be read, so that no argument is known; mount /proc (mount -t proc proc /proc)"
    )
  }

  fileprivate static func notUTF8(_ argument: String, place: Int) -> NetconvError {
    NetconvError(
      .usage,
      "argument \(place), \(quoted(argument)), is not UTF-8; rename the file, or go to its folder and name it from "
        + "there")
  }
}
