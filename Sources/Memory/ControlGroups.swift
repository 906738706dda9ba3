/// Locates the memory limits of a process's control groups in Linux.
///
/// Sources: cgroups(7), proc_pid_mountinfo(5); Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst of
/// the kernel.
package enum ControlGroups {
  /// A mounted control group hierarchy with a memory controller.
  private struct Hierarchy {
    let isSecondVersion: Bool
    /// The group at the mount point.
    let root: String
    let mountPoint: String

    /// Parses a line of `mountinfo`; returns `nil` if it is no hierarchy with a memory controller.
    init?(mount line: Substring) {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 5, fields.count > dash + 3 else {
        return nil
      }
      let type = fields[dash + 1]
      let controllers = fields[dash + 3].split(separator: ",")
      guard type == "cgroup2" || type == "cgroup" && controllers.contains("memory") else {
        return nil
      }
      isSecondVersion = type == "cgroup2"
      root = unescaped(fields[3])
      mountPoint = unescaped(fields[4])
    }

    var limitName: String { isSecondVersion ? "memory.max" : "memory.limit_in_bytes" }

    /// Returns the limit files of `group` and of its ancestors, as far as they are mounted.
    func limitFiles(of group: String) -> [String] {
      let (group, root) = (parts(group), parts(root))
      // The group may be outside of the mounted hierarchy, as in a container that only sees its own.
      let isInside = group.starts(with: root) && !group.contains("..")
      let below = isInside ? Array(group.dropFirst(root.count)) : []
      let top = mountPoint == "/" ? "" : mountPoint
      return stride(from: below.count, through: 0, by: -1).map { depth in
        ([top] + below[..<depth] + [limitName]).joined(separator: "/")
      }
    }

    private func parts(_ path: String) -> [String] {
      path.split(separator: "/").map(String.init)
    }
  }

  /// Returns the files with the memory limits of a process; files that do not exist impose no limit.
  ///
  /// - Parameters:
  ///   - groups: The contents of `/proc/self/cgroup`.
  ///   - mounts: The contents of `/proc/self/mountinfo`.
  package static func limitFiles(groups: String, mounts: String) -> [String] {
    var first: String?
    var second: String?
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      if fields[0] == "0", fields[1].isEmpty { second = String(fields[2]) }
      if fields[1].split(separator: ",").contains("memory") { first = String(fields[2]) }
    }
    return mounts.split(separator: "\n").compactMap { Hierarchy(mount: $0) }.flatMap { hierarchy in
      (hierarchy.isSecondVersion ? second : first).map(hierarchy.limitFiles) ?? []
    }
  }

  /// Parses a limit in bytes; returns `nil` for no limit, which is `max` or close to the size of the address space.
  package static func limit(in text: String) -> Int? {
    guard let word = text.split(whereSeparator: \.isWhitespace).first, let number = Int(word),
      0..<1 << 60 ~= number
    else { return nil }
    return number
  }

  /// Decodes the octal escapes of blanks and backslashes in a `mountinfo` path.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      let code = digits.reduce(0) { $0 << 3 | Int($1 & 7) }
      if byte == UInt8(ascii: "\\"), digits.count == 3, code < 256,
        digits.allSatisfy({ 0x30...0x37 ~= $0 })
      {
        bytes.append(UInt8(code))
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
