import Memory
import Testing

@Suite struct ControlGroupTests {
  /// A mount of version 2, one of version 1, and others.
  private static let second =
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
  private static let first =
    "34 25 0:30 / /sys/fs/cgroup/memory rw,nosuid shared:15 - cgroup cgroup rw,memory\n"
  private static let others =
    "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    + "33 25 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"

  @Test func `version 2 limits a process by its group and by those around it`() {
    #expect(
      ControlGroups.limitFiles(
        groups: "0::/user.slice/app.scope\n", mounts: Self.others + Self.second)
        == [
          "/sys/fs/cgroup/user.slice/app.scope/memory.max", "/sys/fs/cgroup/user.slice/memory.max",
          "/sys/fs/cgroup/memory.max",
        ])
  }

  @Test func `version 1 limits it by the group of the memory controller`() {
    #expect(
      ControlGroups.limitFiles(
        groups: "5:cpu,cpuacct:/other\n4:memory:/docker/a:b\n0::/elsewhere\n",
        mounts: Self.others + Self.first)
        == [
          "/sys/fs/cgroup/memory/docker/a:b/memory.limit_in_bytes",
          "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes",
          "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        ])
  }

  @Test func `both versions count where both are mounted`() {
    #expect(
      ControlGroups.limitFiles(
        groups: "2:memory:/a\n0::/b\n", mounts: Self.first + Self.second)
        == [
          "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
          "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/b/memory.max",
          "/sys/fs/cgroup/memory.max",
        ])
  }

  @Test func `a container that sees a part of the hierarchy begins there`() {
    let mount =
      #"34 25 0:30 /docker/abc /sys/fs/my\040groups ro - cgroup cgroup rw,memory"# + "\n"
    func files(_ group: String) -> [String] {
      ControlGroups.limitFiles(groups: "4:memory:\(group)\n", mounts: mount)
    }
    let top = "/sys/fs/my groups/memory.limit_in_bytes"
    #expect(files("/docker/abc") == [top])
    #expect(
      files("/docker/abc/inner") == ["/sys/fs/my groups/inner/memory.limit_in_bytes", top])
    // What is not below the mount, as of a namespace of its own.
    #expect(files("/docker/abcd") == [top])
    #expect(files("/") == [top])
    #expect(files("/../..") == [top])
  }

  @Test(arguments: ["", "\n", "nonsense", "0:", "1 2 3 4 5 6 - cgroup2", "- - - -", "0::"])
  func `what says nothing gives no files`(text: String) {
    #expect(ControlGroups.limitFiles(groups: text, mounts: Self.first).isEmpty)
    #expect(ControlGroups.limitFiles(groups: "0::/a\n", mounts: text).isEmpty)
  }

  @Test func `a limit is a number, and no limit is max or all addresses`() {
    #expect(ControlGroups.limit(in: "536870912\n") == 536_870_912)
    #expect(ControlGroups.limit(in: "0\n") == 0)
    #expect(ControlGroups.limit(in: "max\n") == nil)
    #expect(ControlGroups.limit(in: "9223372036854771712\n") == nil)
    #expect(ControlGroups.limit(in: "99999999999999999999\n") == nil)
    #expect(ControlGroups.limit(in: "-1\n") == nil)
    #expect(ControlGroups.limit(in: "") == nil)
  }
}
