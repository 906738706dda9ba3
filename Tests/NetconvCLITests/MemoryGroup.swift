import Foundation

/// A Linux control group with a memory limit, like that of a container; it is removed with the object.
final class MemoryGroup: Sendable {
  private let path: String

  /// True if this process may create one.
  static let isAllowed = (try? MemoryGroup(bytes: 1 << 30)) != nil

  /// A group inside of this process's own.
  ///
  /// - Throws: where there are no groups, or none may be made.
  init(bytes: Int) throws {
    var failure: any Error = CocoaError(.fileNoSuchFile)
    for (folder, limitName) in try Self.places() {
      let path = folder + "/netconv-test-\(UInt32.random(in: 0 ... .max))"
      do {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Self.write("\(bytes)", to: path + "/" + limitName)
        self.path = path
        return
      } catch {
        failure = error
        rmdir(path)
      }
    }
    throw failure
  }

  deinit { rmdir(path) }

  /// A line of the shell that runs `"$@"` in the group.
  var line: String { #"echo $$ > "\#(path)/cgroup.procs" && exec "$@""# }

  /// The control groups of this process, and the names of their limits: of version 1, and of version 2.
  private static func places() throws -> [(String, String)] {
    let groups = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
    return groups.split(separator: "\n").flatMap { line -> [(String, String)] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      if fields[1] == "memory" {
        return [("/sys/fs/cgroup/memory\(fields[2])", "memory.limit_in_bytes")]
      }
      guard fields[1].isEmpty else { return [] }
      return ["", "/unified"].map { ("/sys/fs/cgroup\($0)\(fields[2])", "memory.max") }
    }
  }

  /// Writes to an existing file of a group; a newly created file would not limit anything.
  private static func write(_ text: String, to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }
}
