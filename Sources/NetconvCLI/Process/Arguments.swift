import ModelIR

/// The unmodified arguments of the process.
enum Arguments {
  /// Checks that the arguments are available and valid UTF-8.
  ///
  /// Swift would replace invalid bytes, which would change a path.
  ///
  /// - Throws: `usage` with the first invalid argument and its position; `cannotOpen` if the system
  ///   provides no arguments.
  static func check() throws(NetconvError) {
    // Swift reads them from `/proc`. Without arguments, the parser would print the help and
    // succeed.
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
      "/proc/self/cmdline: cannot be read, so the arguments are unknown; mount /proc (mount -t proc proc /proc)"
    )
  }

  fileprivate static func notUTF8(_ argument: String, place: Int) -> NetconvError {
    NetconvError(
      .usage,
      "argument \(place), \(quoted(argument)), is not UTF-8; rename the file, or change to its folder and name it from "
        + "there")
  }
}
