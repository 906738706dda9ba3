import Confinement
import Files
import Foundation
import HDF5
import ModelIR
import Testing

/// Files of every kind that h5py writes, and their contents as read by h5py; `Tools/hdf5/make_files.py` made both.
@Suite("Files that h5py has made")
struct HDF5GeneratedTests {
  /// The contents of a file, in the form of the script.
  private struct Description {
    let file: HDF5File

    var lines: [String] {
      get throws {
        var lines: [String] = []
        let objects = file.objects.sorted {
          $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
        for object in objects {
          lines.append("\(Self.word(object.path)) \(try head(of: object))")
          lines += object.attributes.map { " @\(Self.word($0.key)) \(Self.words(for: $0.value))" }
            .sorted()
          for link in object.group?.links ?? [] {
            lines.append(" -\(Self.word(link.name)) \(Self.words(for: link.target))")
          }
        }
        return lines
      }
    }

    private func head(of object: HDF5Object) throws -> String {
      switch object {
      case .group: return "group"
      case .namedType: return "type"
      case .dataset(let entry):
        guard case .number(let type, let order) = entry.type else { return "dataset no numbers" }
        let bytes = type.byteCount == 1 ? "-" : order == .big ? "big" : "little"
        let head = "dataset \(type.rawValue) \(bytes) \(Self.sizes(entry.shape)) "
        guard entry.filters.allSatisfy(\.isSupported) else {
          #expect(throws: NetconvError.self) { try file.dataset(entry) }
          return head + "refused"
        }
        return try head + "\(checksum(file.dataset(entry)))"
      }
    }

    /// The sum of the bits of each value, times 1, 3, 5, …, modulo 2⁶⁴.
    private func checksum(_ dataset: HDF5Dataset) throws -> UInt64 {
      var values = [Double](repeating: .nan, count: dataset.count)
      var failure: NetconvError?
      values.withUnsafeMutableBufferPointer { buffer in
        do throws(NetconvError) {
          // In two parts, the second one first.
          let middle = buffer.count / 3
          try dataset.read(
            middle..<buffer.count, into: UnsafeMutableBufferPointer(rebasing: buffer[middle...]))
          try dataset.read(
            0..<middle, into: UnsafeMutableBufferPointer(rebasing: buffer[..<middle]))
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      return values.enumerated().reduce(0) { sum, value in
        sum &+ value.element.bitPattern &* UInt64(2 * value.offset + 1)
      }
    }

    private static func word(_ text: String) -> String {
      text.isEmpty ? "-" : hexadecimal(Array(text.utf8), separator: "")
    }

    private static func sizes(_ shape: [Int]) -> String {
      shape.isEmpty ? "scalar" : shape.map { "\($0)" }.joined(separator: "x")
    }

    private static func words(for attribute: HDF5Attribute) -> String {
      switch attribute {
      case .strings(let values, let shape):
        "strings \(sizes(shape)) " + values.map(word).joined(separator: " ")
      case .integers(let values, let shape):
        "integers \(sizes(shape)) " + values.map { "\($0)" }.joined(separator: " ")
      case .floats(let values, let shape):
        "floats \(sizes(shape)) " + values.map { "\($0.bitPattern)" }.joined(separator: " ")
      case .empty: "empty"
      case .unsupported: "unsupported"
      }
    }

    private static func words(for target: HDF5Link.Target) -> String {
      switch target {
      case .object: "object"
      case .alias(let path): "alias \(word(path))"
      case .soft(let path): "soft \(word(path))"
      case .external(let file, let path): "external \(word(file)) \(word(path))"
      case .userDefined: "user-defined"
      }
    }
  }

  private static func check(
    _ file: HDF5File, _ expected: some Collection<Substring>, _ name: String
  ) throws {
    let found = try Description(file: file).lines
    guard !found.elementsEqual(expected, by: { $0 == $1 }) else { return }
    let first = zip(found, expected).first { $0 != $1 }
    Issue.record(
      "\(name): \(found.count) lines, expected \(expected.count); \(first?.0 ?? "-"), expected \(first?.1 ?? "-")"
    )
  }

  @Test("each holds what h5py says, as a part of another file too")
  func packed() throws {
    let pack = try RandomAccessFile(path: Fixture.path("generated.pack"))
    let text = String(decoding: try Fixture.bytes("generated.pack.txt"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let starts = lines.indices.filter { lines[$0].hasPrefix("file ") }
    #expect(starts.count >= 100)
    for (start, end) in zip(starts, starts.dropFirst() + [lines.endIndex]) {
      let places = lines[start].split(separator: " ").dropFirst().compactMap { Int($0) }
      try #require(places.count == 2)
      let file = try HDF5File(pack, window: places[0]..<places[1], through: nil)
      try Self.check(file, lines[(start + 1)..<end], "file \(start)")
    }
  }

  /// Thousands of files, made for `make proof`, read in this process and in a helper process.
  @Test(
    "each of a folder holds what h5py says",
    .enabled(if: ProcessInfo.processInfo.environment["NETCONV_HDF5_FILES"] != nil))
  func folder() throws {
    let environment = ProcessInfo.processInfo.environment
    let folder = try #require(environment["NETCONV_HDF5_FILES"])
    let helper = environment["NETCONV_HDF5_HELPER"].map {
      HDF5Connection(HelperSettings(program: $0))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".h5") }
    #expect(!names.isEmpty)
    for name in names {
      let path = "\(folder)/\(name)"
      let text = String(
        decoding: try Data(contentsOf: URL(filePath: path.dropLast(3) + ".txt")), as: UTF8.self)
      let expected = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      for connection in [nil, helper] where connection != nil || helper != nil {
        do {
          try Self.check(
            try HDF5File(try RandomAccessFile(path: path), through: connection), expected,
            name + (connection == nil ? "" : " in a separate process"))
        } catch {
          Issue.record("\(name): \(error)")
        }
      }
    }
    print("\(names.count) files compared")
  }
}
