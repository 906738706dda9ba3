import NetconvKit

#if canImport(Darwin)
  import Darwin
#endif

/// The helper processes that call third-party libraries.
///
/// They run this program.
enum Helpers {
  /// Reads HDF5 files and pictures in helper processes.
  ///
  /// Those that the arguments are likely to need start during parsing.
  static func use() {
    let arguments = CommandLine.arguments
    Netconv.callLibraries(
      .process(helper: program), expecting: arguments,
      isCancelled: { Signals.wasInterrupted },
      onUnfiltered: { reason in
        guard arguments.contains("--verbose") else { return }
        Output.error(
          "netconv: libraries are called in a process without restricted system calls: \(reason)"
        )
      })
  }

  /// The path of this program, even if it was replaced since its start.
  private static var program: String {
    #if canImport(Darwin)
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      var size = UInt32(path.count)
      guard _NSGetExecutablePath(&path, &size) == 0 else { return CommandLine.arguments[0] }
      return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      return "/proc/self/exe"
    #endif
  }
}
