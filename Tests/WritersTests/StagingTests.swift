import Documents
import Files
import Foundation
import ModelIR
import TestSupport
import Testing
import Writers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct StagingTests {
  private let folder: TemporaryFolder
  private var output: String { folder.file("out") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `what a crash has left is removed by the next run`() throws {
    try folder.write("half", to: ".netconv-staging-abc/new/weights/a.bin")
    try Directory.create(folder.file(".netconv-staging-empty"))
    try write(smallModel(), to: output)
    #expect(try Directory.names(in: folder.path) == ["out"])
  }

  @Test func `what somebody holds, or what only looks alike, is kept`() throws {
    try folder.write("busy", to: ".netconv-staging-held/new/a.bin")
    let descriptor = open(folder.file(".netconv-staging-held"), O_RDONLY)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try folder.write("mine", to: ".netconv-staging-file")
    try folder.write("mine", to: "netconv-staging-x/file")
    try folder.write("mine", to: "elsewhere/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".netconv-staging-link"), withDestinationPath: folder.file("elsewhere"))
    try write(smallModel(), to: output)
    let kept = [
      ".netconv-staging-file", ".netconv-staging-held", ".netconv-staging-link", "elsewhere",
      "netconv-staging-x", "out",
    ]
    #expect(try Directory.names(in: folder.path) == kept)
    #expect(try folder.bytes(".netconv-staging-held/new/a.bin") == Array("busy".utf8))
    #expect(try folder.bytes("elsewhere/file") == Array("mine".utf8))
    close(descriptor)
    try write(smallModel(), to: output, force: true)
    #expect(
      try Directory.names(in: folder.path) == kept.filter { $0 != ".netconv-staging-held" })
  }

  @Test func `a folder appears whole: before, there is only the temporary one`() throws {
    try write(
      smallModel(), to: output,
      progress: { _ in
        let names = (try? Directory.names(in: folder.path)) ?? []
        #expect(names.count == 1)
        #expect(names.first?.hasPrefix(".netconv-staging-") == true)
      })
  }

  @Test func `two writers beside each other do not disturb each other`() throws {
    var isNested = false
    try write(
      smallModel(), to: output,
      progress: { _ in
        guard !isNested else { return }
        isNested = true
        #expect(
          thrown { try write(smallModel(name: "other"), to: folder.file("other")) } == nil)
      })
    #expect(try Directory.names(in: folder.path) == ["other", "out"])
    #expect(try folder.bytes("out/weights/conv_W.bin") == littleEndian(arrangedKernel))
    #expect(try folder.bytes("other/weights/other_W.bin") == littleEndian(arrangedKernel))
  }

  @Test func `many writers at once all arrive`() async throws {
    let path = folder.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { try write(smallModel(), to: "\(path)/out\(number)") }
      }
      try await group.waitForAll()
    }
    let names = try Directory.names(in: folder.path)
    #expect(names == (0..<16).map { "out\($0)" }.sorted())
    for name in names {
      #expect(try folder.bytes("\(name)/weights/conv_W.bin") == littleEndian(arrangedKernel))
    }
  }

  @Test func `of two writers of one new output the first wins`() throws {
    for name in ["out", "out.netpack"] {
      var isNested = false
      let error = thrown {
        try write(
          smallModel(name: "slow"), to: folder.file(name),
          progress: { _ in
            guard !isNested else { return }
            isNested = true
            #expect(
              thrown { try write(smallModel(name: "fast"), to: folder.file(name)) } == nil)
          })
      }
      #expect(error?.kind == .cannotCreate)
      #expect(
        error?.description
          == "\(folder.file(name)): cannot be moved to its destination (File exists)")
    }
    #expect(try Directory.names(in: folder.path) == ["out", "out.netpack"])
    #expect(
      try Directory.names(in: output + "/weights") == ["fast_W.bin", "fast_b.bin"])
  }

  @Test func `errors name the output, not the temporary folder`() throws {
    let error = thrown {
      try write(
        smallModel(), to: output,
        progress: { _ in
          // Somebody empties the temporary folder under the writer.
          for name in (try? Directory.names(in: folder.path)) ?? [] {
            Directory.remove(folder.file(name))
          }
        })
    }
    #expect(error?.kind == .cannotCreate)
    #expect(
      error?.description == "\(output): cannot be created; its folder does not exist"
    )
  }
}

@Suite struct AtomicFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("y.npz") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String) throws {
    try AtomicFile.write(to: path) { file throws(NetconvError) in
      try file.write(Array(text.utf8), at: 0)
    }
  }

  @Test func `a file appears, or replaces another`() throws {
    try write("a longer first text")
    #expect(try folder.bytes("y.npz") == Array("a longer first text".utf8))
    try write("second")
    #expect(try folder.bytes("y.npz") == Array("second".utf8))
    #expect(try Directory.names(in: folder.path) == ["y.npz"])
  }

  @Test func `what fails leaves the old file`() throws {
    try write("old")
    let failure = NetconvError(.interrupted, "stop")
    #expect(
      thrown {
        try AtomicFile.write(to: path) { file throws(NetconvError) in
          try file.write([1, 2, 3], at: 0)
          throw failure
        }
      } == failure.inFile(path))
    #expect(try folder.bytes("y.npz") == Array("old".utf8))
    #expect(try Directory.names(in: folder.path) == ["y.npz"])
  }

  @Test func `a folder is not replaced`() throws {
    try Directory.create(path)
    let error = thrown { try write("x") }
    #expect(error?.kind == .cannotCreate)
    #expect(
      error?.message == "is a folder, expected a file; choose another path")
    #expect(error?.file == path)
  }

  @Test func `the folder around it must exist`() {
    let error = thrown {
      try AtomicFile.write(to: folder.file("no/y.npz")) { _ throws(NetconvError) in }
    }
    #expect(
      error?.description == "\(folder.file("no")): the folder does not exist; create it first")
  }
}
