import Confinement
import Files
import Foundation
import HDF5
import ModelIR
import TestSupport
import Testing

/// HDF5 files read in a process of its own, which is netconv once more.
@Suite("The process that reads HDF5 files")
struct HDF5ProcessTests {
  private static let folder = Fixtures.repository + "/Tests/Fixtures"

  /// Every HDF5 file of the fixtures, including damaged ones.
  private static let files = ["hdf5", "keras"].flatMap { name in
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? [])
      .filter { $0.hasSuffix(".h5") }.sorted().map { "\(folder)/\(name)/\($0)" }
  }

  /// Paths, attributes, types, shapes and values of a file, or its error, as text.
  private static func contents(
    _ path: String, through connection: HDF5Connection?
  ) throws -> [String] {
    var lines: [String] = []
    do {
      let file = try HDF5File(try RandomAccessFile(path: path), through: connection)
      for object in file.objects {
        lines.append(object.path)
        for (name, value) in object.attributes.sorted(by: { $0.key < $1.key }) {
          lines.append("\(name) = \(value)")
        }
        for link in object.group?.links ?? [] { lines.append("\(link)") }
        if let entry = object.dataset { lines += try values(of: entry, in: file) }
      }
    } catch let error as NetconvError {
      lines.append("\(error)")
    }
    return lines
  }

  private static func values(of entry: HDF5DatasetEntry, in file: HDF5File) throws -> [String] {
    var lines = ["\(entry.type) \(entry.shape) \(entry.storage) \(entry.filters)"]
    do {
      let dataset = try file.dataset(entry)
      // In parts that begin anywhere, back to front and front to back.
      let step = max(1, dataset.count / 3)
      for start in Array(stride(from: 0, to: dataset.count, by: step)) + [dataset.count / 2, 0] {
        var values = [Double](repeating: .nan, count: min(step, dataset.count - start))
        var failure: NetconvError?
        values.withUnsafeMutableBufferPointer { buffer in
          do throws(NetconvError) {
            try dataset.read(start..<start + buffer.count, into: buffer)
          } catch {
            failure = error
          }
        }
        if let failure { throw failure }
        lines.append("\(start): \(values.map(\.bitPattern))")
      }
    } catch let error as NetconvError {
      lines.append("\(error)")
    }
    return lines
  }

  @Test("it finds in every fixture what this process finds, and says the same")
  func fixtures() throws {
    let connection = HDF5Connection(HelperSettings(program: NetconvProcess.executable))
    #expect(Self.files.count > 100)
    for path in Self.files {
      #expect(
        try Self.contents(path, through: connection) == Self.contents(path, through: nil), "\(path)"
      )
    }
  }

  @Test("files that are read in turns keep apart, and outlive a process that has failed")
  func severalFiles() throws {
    let connection = HDF5Connection(HelperSettings(program: NetconvProcess.executable))
    let files = try ["storage.h5", "values.h5", "types.h5"].map { name in
      let file = try RandomAccessFile(path: "\(Self.folder)/hdf5/\(name)")
      return (
        through: try HDF5File(file, through: connection), here: try HDF5File(file, through: nil)
      )
    }
    for round in 0..<3 {
      for (through, here) in files {
        for (a, b) in zip(through.datasets, here.datasets) {
          let (found, expected) = (
            try Self.values(of: a, in: through), try Self.values(of: b, in: here)
          )
          #expect(found == expected, "\(found.first { !expected.contains($0) } ?? "")")
        }
      }
      guard round == 1 else { continue }
      // What has ended while nothing was asked of it is no file's fault.
      let process = try #require(connection.processIdentifier)
      kill(process, SIGKILL)
      // The socket is open until the last of its threads has ended, of which the first stays to be waited for.
      while try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count > 1
        || !String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).contains(") Z ")
      {
        usleep(1000)
      }
    }
  }

  /// A dataset of 2^36 unwritten values, which takes longer to read than any test waits.
  ///
  /// A sparse 4 GiB follow it, since netconv refuses files that claim more than a hundred times
  /// their size.
  private static let endless: String = {
    let path = NSTemporaryDirectory() + "netconv-endless-\(UInt64.random(in: 0 ... .max))"
    try? FileManager.default.copyItem(atPath: folder + "/hdf5/endless", toPath: path)
    truncate(path, 4 << 30)
    return path
  }()

  #if os(Linux)
    /// A run of netconv that reads ``endless``, and the process that does it, once it has for a fifth of a second.
    private static func reading() throws -> (run: NetconvProcess.Running, helper: pid_t) {
      let run = try NetconvProcess.start(["inspect", "--stats", endless])
      return (run, try run.child(calledWith: "read-hdf5", afterSeconds: 0.2))
    }

    private static func isThere(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    private static func waitForEnd(of process: pid_t) {
      let end = ContinuousClock.now + .seconds(60)
      while isThere(process), ContinuousClock.now < end { usleep(1000) }
    }

    @Test("a signal that ends it is exit code 65, with the tensor that it was at")
    func killed() throws {
      let (run, helper) = try Self.reading()
      kill(helper, SIGSEGV)
      let result = try run.wait()
      #expect(result.status == 65)
      #expect(
        result.errors
          == "netconv: error: \(Self.endless): layer 'dense', tensor '/dense/dense/kernel:0': damaged: libhdf5 "
          + "crashed with it (signal 11)\n")
    }

    @Test(
      "SIGINT and SIGTERM end netconv while it hangs, and it too", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
      let (run, helper) = try Self.reading()
      kill(helper, SIGSTOP)
      usleep(100_000)
      run.signal(signal)
      let result = try run.wait()
      #expect(result.status == 130)
      Self.waitForEnd(of: helper)
      #expect(!Self.isThere(helper))
    }

    @Test("it is not left behind when netconv is killed")
    func orphaned() throws {
      let (run, helper) = try Self.reading()
      run.signal(SIGKILL)
      #expect(try run.wait().status == 137)
      Self.waitForEnd(of: helper)
      #expect(!Self.isThere(helper))
    }
  #endif
}
