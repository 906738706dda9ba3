import NetconvKit

#if canImport(Darwin)
  import Darwin
#endif

/// The process that reads HDF5 files: this program once more.
enum HDF5Helper {
  /// Has HDF5 files read in that process; it is started while arguments are parsed if one of them looks like such a file.
  static func use() {
    let arguments = CommandLine.arguments
    Netconv.readHDF5(
      .process(helper: program),
      startsAtOnce: arguments.contains { argument in
        [".h5", ".hdf5", ".keras"].contains { argument.hasSuffix($0) }
      },
      isCancelled: { Signals.wasInterrupted },
      onUnfiltered: { reason in
        guard arguments.contains("--verbose") else { return }
        Output.error(
          "netconv: HDF5 files are read in a process that is not kept from system calls: \(reason)")
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
