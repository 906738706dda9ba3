import Confinement
import Foundation
import ModelIR
import Pictures
import TestSupport
import Testing

/// Pictures decoded in a process of its own, which is netconv once more.
@Suite("The process that decodes pictures")
struct PictureProcessTests {
  /// The content of a file, or its error.
  private static func contents(
    _ path: String, through connection: PictureConnection?
  ) -> Result<PictureFile, NetconvError> {
    do throws(NetconvError) {
      return .success(try PictureFile(path: path, through: connection))
    } catch {
      return .failure(error)
    }
  }

  private static func connection() -> PictureConnection {
    PictureConnection(HelperSettings(program: NetconvProcess.executable))
  }

  @Test(
    "it decodes every fixture as this process does, says the same of damaged ones, and is one for all"
  )
  func fixtures() throws {
    let connection = Self.connection()
    let folder = Fixtures.path("pictures")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.contains(".") && $0 != "slow.png" }.sorted()
    #expect(names.count > 50)
    var processes: Set<Int32> = []
    for name in names {
      let path = "\(folder)/\(name)"
      let (found, expected) = (
        Self.contents(path, through: connection), Self.contents(path, through: nil)
      )
      switch (found, expected) {
      case (.success(let found), .success(let expected)): #expect(found == expected, "\(name)")
      case (.failure(let found), .failure(let expected)):
        #expect(found.description == expected.description)
        #expect(found.kind == expected.kind, "\(name)")
      default: Issue.record("\(name): \(found)")
      }
      if let process = connection.processIdentifier { processes.insert(process) }
    }
    #expect(processes.count == 1)
  }

  /// A picture that has more samples than fit into the socket.
  private static func large() throws -> String {
    try TemporaryFolder().copy(Fixtures.sample("deep-mnist/photo.jpg"), to: "large.jpg")
  }

  @Test("a process that ends while nothing is asked of it is no picture's fault")
  func restarted() throws {
    let connection = Self.connection()
    let path = try Self.large()
    let expected = try PictureFile(path: path, through: nil)
    #expect(try PictureFile(path: path, through: connection) == expected)
    let process = try #require(connection.processIdentifier)
    kill(process, SIGKILL)
    // The socket is open until the last of its threads has ended, of which the first stays to be waited for.
    #if os(Linux)
      while try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count > 1
        || !String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") Z ")
      {
        usleep(1000)
      }
    #else
      sleep(1)
    #endif
    #expect(try PictureFile(path: path, through: connection) == expected)
    #expect(connection.processIdentifier != process)
  }
}

/// Failures of a decoding process, simulated by shell scripts.
@Suite("A failing process that decodes pictures")
struct PictureReplyTests {
  private static let greeting = HelperScript.greeting("netconv pictures 1")
  /// Five rows of seven gray pixels, upright, without a profile.
  private static let header = HelperScript.message([2, 10, 14, 2, 2, 2, 0])

  private func contents(
    of name: String = "gray-8.png", patience: Duration = .seconds(60), program: String? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }, _ lines: String...
  ) throws -> Result<PictureFile, NetconvError> {
    let script = try program ?? HelperScript(lines.joined(separator: "\n")).path
    let connection = PictureConnection(
      HelperSettings(program: script, patience: patience, isCancelled: isCancelled))
    while true {
      do throws(NetconvError) {
        return .success(
          try PictureFile(path: Fixtures.path("pictures/" + name), through: connection))
      } catch {
        // Another test may be starting a program just now, which has the script open for a moment.
        guard error.message.hasSuffix(String(cString: strerror(ETXTBSY))) else {
          return .failure(error)
        }
      }
    }
  }

  private func error(_ result: Result<PictureFile, NetconvError>) throws -> NetconvError {
    switch result {
    case .success: throw NothingThrown()
    case .failure(let error): error
    }
  }

  private struct NothingThrown: Error {}

  @Test(
    "one that dies is bad data, with the file and the library",
    arguments: [
      ("gray-8.png", "kill -SEGV $$", "libpng crashed with it (signal 11)"),
      ("gray.jpg", "kill -ABRT $$", "libjpeg crashed with it (signal 6)"),
      ("gray.jpg", "exit 3", "libjpeg crashed with it (exit code 3)"),
      ("gray-8.png", "kill -XCPU $$", "libpng does not finish with it"),
      (
        "gray-8.png", "kill -SYS $$",
        "libpng made a system call with it that reading does not need"
      ),
      // Before all samples have come.
      ("gray-8.png", header + "\nexit 0", "libpng crashed with it (exit code 0)"),
    ])
  func dies(name: String, last: String, message: String) throws {
    let error = try error(contents(of: name, Self.greeting, last))
    #expect(error.kind == .badData)
    #expect(error.description == Fixtures.path("pictures/" + name) + ": damaged: " + message)
  }

  @Test("one that hangs is ended after a while, and is bad data", arguments: ["", header])
  func hangs(first: String) throws {
    let error = try error(
      contents(patience: .seconds(1), Self.greeting, first, "exec sleep 1000"))
    #expect(error.kind == .badData)
    #expect(error.message == "damaged: libpng does not finish with it in 1 s")
  }

  @Test("one that sends a byte now and then is ended after a while, too")
  func drips() throws {
    let samples = HelperScript.write(HelperScript.number(35), to: 0)
    let error = try error(
      contents(
        patience: .seconds(1), Self.greeting, Self.header, samples,
        "while sleep 0.3; do printf x >&0; done"))
    #expect(error.message == "damaged: libpng does not finish with it in 1 s")
  }

  @Test("waiting ends when the user says so")
  func cancelled() throws {
    let error = try error(
      contents(isCancelled: { true }, Self.greeting, Self.header, "exec sleep 1000"))
    #expect(error.kind == .interrupted)
  }

  @Test("samples are taken as the header has them")
  func intact() throws {
    let samples = HelperScript.message([UInt8](0..<35))
    let file = try contents(Self.greeting, Self.header, samples, "exec sleep 1000").get()
    #expect(file.picture.shape == [5, 7, 1])
    #expect(file.picture.values == (0..<35).map { Float($0) })
  }

  @Test(
    "answers that are nonsense are bad data",
    arguments: [
      // No message is that long; one longer than an answer gets; an answer of a kind that is none; another greeting.
      HelperScript.write([UInt8](repeating: 0xff, count: 64), to: 0),
      HelperScript.write(HelperScript.number(65537), to: 0), HelperScript.message([4]),
      HelperScript.message([0, 2, 0x61, 0]),
      // No row, five channels, three bytes of a sample, no orientation, an unknown profile, more behind it.
      HelperScript.message([2, 0, 14, 2, 2, 2, 0]), HelperScript.message([2, 10, 14, 10, 2, 2, 0]),
      HelperScript.message([2, 10, 14, 2, 6, 2, 0]),
      HelperScript.message([2, 10, 14, 2, 2, 18, 0]),
      HelperScript.message([2, 10, 14, 2, 2, 2, 8]),
      HelperScript.message([2, 10, 14, 2, 2, 2, 0, 0]),
      // 2^27 rows: more values than netconv reads.
      HelperScript.message([2, 0x80, 0x80, 0x80, 0x80, 1, 14, 2, 2, 2, 0]),
      // A sample too few, and one too many.
      header + "\n" + HelperScript.message([UInt8](repeating: 7, count: 34)),
      header + "\n" + HelperScript.message([UInt8](repeating: 7, count: 36)),
    ])
  func nonsense(answer: String) throws {
    let error = try error(contents(Self.greeting, answer, "exec sleep 1000"))
    #expect(error.kind == .badData)
    #expect(error.message == "damaged: the process that decodes pictures sends an invalid answer")
  }

  @Test("a program that is not there is said to be")
  func otherProgram() throws {
    let error = try error(contents(program: "/no/such/netconv"))
    #expect(error.kind == .cannotOpen)
    #expect(
      error.message
        == "pictures are decoded in a separate process, but '/no/such/netconv' cannot be started as one: "
        + "No such file or directory")
  }
}
