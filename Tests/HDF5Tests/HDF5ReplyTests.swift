import Confinement
import Files
import HDF5
import ModelIR
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Failures of a process that reads HDF5 files, simulated by shell scripts.
@Suite("A failing process")
struct HDF5ReplyTests {
  private static let greeting = HelperScript.greeting("netconv HDF5 1")

  private static func announce(_ path: String) -> String {
    HelperScript.write(
      HelperScript.number(1) + HelperScript.number(UInt64(path.utf8.count)) + path.utf8, to: 3)
  }

  private static let atConv1 = greeting + "\n" + announce("/conv1")

  private func error(
    _ lines: String..., patience: Duration = .seconds(60),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> NetconvError {
    let script = try HelperScript(lines.joined(separator: "\n"))
    let connection = HDF5Connection(
      HelperSettings(program: script.path, patience: patience, isCancelled: isCancelled))
    return try openingError(through: connection)
  }

  private func openingError(through connection: HDF5Connection) throws -> NetconvError {
    let file = try RandomAccessFile(path: Fixture.path("attributes.h5"))
    while true {
      let error = try thrownError { () throws(NetconvError) in
        try HDF5File(file, through: connection)
      }
      // Another test may be starting a program just now, which has the script open for a moment.
      guard error.message.hasSuffix(String(cString: strerror(ETXTBSY))) else { return error }
    }
  }

  @Test(
    "one that dies is bad data, with the object that it was at",
    arguments: [
      ("kill -SEGV $$", "damaged: libhdf5 crashed with it (signal 11)"),
      ("kill -ABRT $$", "damaged: libhdf5 crashed with it (signal 6)"),
      ("kill -KILL $$", "damaged: libhdf5 crashed with it (signal 9)"),
      ("exit 3", "damaged: libhdf5 crashed with it (exit code 3)"),
      ("kill -XCPU $$", "damaged: libhdf5 does not finish with it"),
      ("kill -SYS $$", "damaged: libhdf5 made a system call with it that reading does not need"),
    ])
  func dies(last: String, message: String) throws {
    let error = try error(Self.atConv1, last)
    #expect(error.kind == .badData)
    #expect(error.message == "object '/conv1': " + message)
    #expect(error.file == Fixture.path("attributes.h5"))
  }

  @Test("one that dies before the first object is bad data, of the file")
  func diesEarly() throws {
    let error = try error(Self.greeting, "kill -SEGV $$")
    #expect(error.kind == .badData)
    #expect(error.message == "damaged: libhdf5 crashed with it (signal 11)")
  }

  @Test("one that hangs is ended after a while, and is bad data")
  func hangs() throws {
    let error = try error(Self.atConv1, "exec sleep 1000", patience: .seconds(1))
    #expect(error.kind == .badData)
    #expect(
      error.message
        == "object '/conv1': damaged: libhdf5 does not finish with it in 1 s")
  }

  @Test("waiting ends when the user says so")
  func cancelled() throws {
    let error = try error(Self.atConv1, "exec sleep 1000", isCancelled: { true })
    #expect(error.kind == .interrupted)
  }

  @Test(
    "answers that are nonsense are bad data",
    arguments: [
      // No message is that long; an answer of a kind that is none; another greeting; bytes behind an answer.
      HelperScript.write([UInt8](repeating: 0xff, count: 64), to: 0), HelperScript.message([9]),
      greeting, HelperScript.message([4, 0]),
      // Nothing is opened without an index, and an index has a root.
      HelperScript.message([4]), HelperScript.message([2]), HelperScript.message([2, 0]),
      // A root with an attribute that is missing; with a link to an object that is; to itself.
      HelperScript.message([2, 2, 2]), HelperScript.message([2, 2, 0, 0, 2, 2, 0x61, 0, 2]),
      HelperScript.message([2, 2, 0, 0, 2, 2, 0x61, 0, 0]),
      // An error of no kind.
      HelperScript.message([6, 2, 0x61, 0, 0, 0, 0, 0, 0]),
    ])
  func nonsense(answer: String) throws {
    let error = try error(Self.atConv1, answer, "exec sleep 1000")
    #expect(error.kind == .badData)
    #expect(
      error.message
        == "object '/conv1': damaged: the process that reads HDF5 files sends an invalid answer")
  }

  @Test("an answer that breaks off is bad data")
  func brokenOff() throws {
    let error = try error(
      Self.atConv1, HelperScript.write(HelperScript.number(100) + [2, 2, 0], to: 0))
    #expect(error.message == "object '/conv1': damaged: libhdf5 crashed with it (exit code 0)")
  }

  @Test("what it says is wrong with a file is shown without what steers a terminal")
  func errors() throws {
    let text = Array("no\u{1b}[2J".utf8)
    let error = try error(
      Self.greeting,
      HelperScript.message(
        [6, 14] + Array("badData".utf8) + [0, 0, 1, 4, 0x2f, 0x61, UInt8(2 * text.count)] + text
          + [0]), "exec sleep 1000")
    #expect(error.kind == .badData)
    #expect(error.tensor == "/a")
    #expect(error.message == "no\\u{1b}[2J")
  }

  @Test("a program that is not there, or another one, is said to be")
  func otherPrograms() throws {
    let missing = try openingError(
      through: HDF5Connection(HelperSettings(program: "/no/such/netconv")))
    #expect(missing.kind == .cannotOpen)
    #expect(
      missing.message
        == "HDF5 files are read in a separate process, but '/no/such/netconv' cannot be started as one: "
        + "No such file or directory")
    let other = try openingError(through: HDF5Connection(HelperSettings(program: "/bin/true")))
    #expect(other.kind == .cannotOpen)
    #expect(
      other.message
        == "HDF5 files are read in a separate process, but '/bin/true' is not a program for that (exit code 0)"
    )
  }

  @Test("a system without a filter is told of, once")
  func unfiltered() throws {
    let script = try HelperScript(
      HelperScript.greeting("netconv HDF5 1", filterError: UInt8(ENOSYS)), "exit 1")
    let reasons = Mutex<[String]>([])
    let connection = HDF5Connection(
      HelperSettings(
        program: script.path, onUnfiltered: { reason in reasons.withLock { $0.append(reason) } }))
    _ = try openingError(through: connection)
    #expect(reasons.withLock { $0 } == [String(cString: strerror(ENOSYS))])
  }

  @Test("it has an empty environment, and no output")
  func surroundings() throws {
    // Answers an error that says what it has: variables that a shell does not set itself, stdout and stderr.
    let script = try HelperScript(
      Self.greeting,
      #"variables=$(env | grep -cvE '^(PWD|OLDPWD|SHLVL|_|LD_LIBRARY_PATH)=')"#,
      #"text="$variables $(readlink /proc/$$/fd/1) $(readlink /proc/$$/fd/2)""#,
      #"length=${#text}"#,
      #"printf "\\$(printf %o $((length + 15)))\0\0\0\0\0\0\0" >&0"#,
      #"printf '\006\016badData\0\0\0\0' >&0"#,
      #"printf "\\$(printf %o $((2 * length)))%s\0" "$text" >&0"#,
      "exec sleep 1000")
    let error = try openingError(
      through: HDF5Connection(HelperSettings(program: script.path)))
    // 10 is the script itself, which the shell has open.
    #expect(error.message == "0 /dev/null /dev/null")
  }
}
