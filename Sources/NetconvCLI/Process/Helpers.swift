import NetconvKit

#if canImport(Darwin)
  import Darwin
#endif

/// The processes in which libraries are called that others have written: this program once more.
enum Helpers {
  /// Has HDF5 files and pictures read in such processes; those that arguments speak for are started while arguments are
  /// parsed.
  static func use() {
    let arguments = CommandLine.arguments
    Netconv.callLibraries(
      .process(helper: program), expecting: arguments,
      isCancelled: { Signals.wasInterrupted },
      onUnfiltered: { reason in
        guard arguments.contains("--verbose") else { return }
        Output.error(
          "netconv: libraries are called in a process that is not kept from system calls: \(reason)"
        )
      })
  }

  /// Where this program is, also if it was replaced since.
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
