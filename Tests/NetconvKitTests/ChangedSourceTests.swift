import Files
import Foundation
import ModelIR
import NetconvKit
import Synchronization
import TestSupport
import Testing

/// Changes of a source between the first tensor that is written and the replacement of the output.
@Suite struct ChangedSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Converts `source`, and does `change` when the first tensor is written.
  private func converting(
    _ source: String, architecture: String? = nil, _ change: @escaping @Sendable () throws -> Void
  ) -> NetconvError? {
    let isDone = Mutex(false)
    var request = ConvertRequest(source: source, destination: folder.file("out"))
    request.options.architecture = architecture.map { Architecture($0) }
    let observer = Observer(onEvent: { event in
      guard case .progress = event, isDone.withLock({ done in !exchange(&done) }) else { return }
      #expect(throws: Never.self) { try change() }
    })
    let error = thrown { try Netconv.convert(request, observer: observer) }
    #expect(isDone.withLock { $0 })
    #expect(!FileManager.default.fileExists(atPath: folder.file("out")))
    return error
  }

  private func exchange(_ done: inout Bool) -> Bool {
    defer { done = true }
    return done
  }

  /// Rewrites one byte with the same value, which changes only the file's times.
  private static func touch(_ path: String) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    let byte = try #require(try file.read(upToCount: 1))
    try file.seek(toOffset: 0)
    try file.write(contentsOf: byte)
    try file.close()
  }

  private func expectChanged(
    _ error: NetconvError?, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.kind == .inputOutput, sourceLocation: sourceLocation)
    #expect(
      error?.description
        == "\(path): was changed while it was read; nothing was written, so run again when no other program "
        + "writes to it", sourceLocation: sourceLocation)
  }

  @Test func `a checkpoint, an archive, a blob and a document that are written to`() throws {
    try folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "m.h5")
    try folder.copy(Fixtures.path("keras/archive-conv-same.keras"), to: "m.keras")
    try folder.copy(Fixtures.sample("lenet-blobs"), to: "blobs")
    for name in ["m.h5", "m.keras"] {
      let path = folder.file(name)
      expectChanged(converting(path) { try Self.touch(path) }, path)
    }
    for name in ["fc2_b.bin", "model.json"] {
      let path = folder.file("blobs/" + name)
      expectChanged(converting(folder.file("blobs")) { try Self.touch(path) }, path)
    }
  }

  @Test func `an architecture that is written to`() throws {
    try folder.copy(Fixtures.path("keras/archive-weights.weights.h5"), to: "m.weights.h5")
    let path = try folder.copy(Fixtures.path("keras/archive-weights.json"), to: "m.json")
    expectChanged(
      converting(folder.file("m.weights.h5"), architecture: path) { try Self.touch(path) }, path)
  }

  @Test func `a source that was replaced or removed`() throws {
    for isReplaced in [true, false] {
      let path = folder.file("m.h5")
      try? FileManager.default.removeItem(atPath: path)
      try folder.copy(Fixtures.path("keras/keras2-reshape-dense.h5"), to: "m.h5")
      let error = converting(path) {
        try FileManager.default.removeItem(atPath: path)
        if isReplaced {
          try FileManager.default.copyItem(
            atPath: Fixtures.path("keras/keras2-reshape-dense.h5"), toPath: path)
        }
      }
      #expect(error?.kind == .inputOutput)
      #expect(
        error?.description
          == "\(path): was replaced or removed while it was read; nothing was written, so run again when no "
          + "other program writes to it")
    }
  }

  @Test func `a source that is cut off is not called damaged`() throws {
    let path = try folder.copy(Fixtures.sample("deep-mnist/deep-mnist.h5"), to: "m.h5")
    let error = converting(path) {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 10_000)
      try file.close()
    }
    expectChanged(error, path)
  }

  @Test func `states tell files and changes apart`() throws {
    let path = try folder.write("0123456789", to: "digits")
    let before = try #require(FileState(path: path))
    #expect(before.size == 10)
    #expect(before == FileState(path: path))
    #expect(before.wasChanged(since: FileState.now))
    FileState.waitForTick()
    #expect(!before.wasChanged(since: FileState.now))
    let file = try RandomAccessFile(path: path)
    try file.checkUnchanged()
    try Self.touch(path)
    #expect(thrown { try file.checkUnchanged() }?.kind == .inputOutput)
    let after = try #require(FileState(path: path))
    #expect(after != before && after.isSameFile(as: before))
    let other = try #require(FileState(path: folder.write("0123456789", to: "other")))
    #expect(!other.isSameFile(as: before))
    #expect(FileState(path: folder.file("none")) == nil)
  }
}
