import Datasets
import Files
import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// Every bit of every header, inverted one at a time.
@Suite("A bit of a ZIP header is refused, or says nothing about the values")
struct ZipHeaderFlipTests {
  /// Fields that may change unnoticed, since they are not needed to read the data.
  ///
  /// The creation times and systems of entries, padding for alignment, and the length of the comment. A required version
  /// is rejected only if it is newer than any.
  ///
  /// Docs/integrity.md says the same.
  private static let harmless: Set<String> = [
    "local version", "local time", "local date", "local extra", "central made by",
    "central version", "central time", "central date", "central internal attributes",
    "central external attributes", "end comment length",
  ]

  /// Inverts two bits of each header byte, or all in `make proof`, and returns the fields of archives that `read` accepts.
  ///
  /// - Parameter read: expects equal values, or throws.
  private func acceptedFields(
    of archive: [UInt8], at path: String, _ read: (_ field: String) throws -> Void
  ) throws -> Set<String> {
    var accepted: Set<String> = []
    for (index, byte) in ZipHeaderBits(archive).bytes.enumerated() {
      for bit in Sampling.part(of: Array(0..<8), every: 8, from: index) {
        var changed = archive
        changed[byte.offset] ^= 1 << bit
        try Data(changed).write(to: URL(filePath: path))
        do {
          try read(byte.field)
          accepted.insert(byte.field)
        } catch let error as NetconvError {
          #expect(error.kind == .badData, "\(byte.field), bit \(bit): \(error)")
        }
      }
    }
    return accepted
  }

  @Test(
    "of a .keras file, its weights where they lie or deflated",
    arguments: ["archive-shared-layer", "archive-deflated"])
  func keras(name: String) throws {
    let folder = try TemporaryFolder()
    let original = Fixtures.path("keras/\(name).keras")
    let path = folder.file("flipped.keras")
    let archive = try Array(Data(contentsOf: URL(filePath: original)))
    let accepted = try acceptedFields(of: archive, at: path) { field in
      var request = DiffRequest(first: original, second: path)
      request.exact = true
      let report = try Netconv.diff(request)
      #expect(report.equal, "\(field)")
    }
    #expect(accepted.isSubset(of: Self.harmless), "\(accepted.subtracting(Self.harmless))")
    #expect(accepted.contains("central time"))
  }

  @Test("of an .npz file, stored or deflated", arguments: ["images", "deflated"])
  func arrays(name: String) throws {
    let folder = try TemporaryFolder()
    let original = Fixtures.path("numpy/\(name).npz")
    let expected = try NumpyArchive.read(original)
    let path = folder.file("flipped.npz")
    let archive = try Array(Data(contentsOf: URL(filePath: original)))
    let accepted = try acceptedFields(of: archive, at: path) { field in
      let found = try NumpyArchive.read(path)
      #expect(found.map(\.name) == expected.map(\.name), "\(field)")
      #expect(found.map(\.array.values) == expected.map(\.array.values), "\(field)")
    }
    #expect(accepted.isSubset(of: Self.harmless), "\(accepted.subtracting(Self.harmless))")
    #expect(accepted.contains("central time"))
  }

  @Test("of raw values in an .npz file")
  func rawValues() throws {
    let folder = try TemporaryFolder()
    for name in ["original", "flipped"] {
      try folder.write(
        """
        {"format": "netconv-model", "version": 1, "name": "m",
         "inputs": [{"name": "x", "shape": [2]}], "outputs": ["fc"],
         "layers": [
          {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 3},
           "parameters": [
            {"role": "kernel", "file": "w.npz", "tensor": "k", "dtype": "float32", "layout": "IO"},
            {"role": "bias", "file": "w.npz", "tensor": "b", "dtype": "float32", "layout": "O"}]}]}
        """, to: name + "/model.json")
    }
    try NumpyArchive.write(
      [
        ("k", NDArray(shape: [2, 3], values: [1, 2, 3, 4, 5, 6])),
        ("b", NDArray(shape: [3], values: [7, 8, 9])),
      ], to: OutputFile(creating: folder.file("original/w.npz")))
    let archive = try folder.bytes("original/w.npz")
    let accepted = try acceptedFields(of: archive, at: folder.file("flipped/w.npz")) { field in
      var request = DiffRequest(first: folder.file("original"), second: folder.file("flipped"))
      request.exact = true
      let report = try Netconv.diff(request)
      #expect(report.equal, "\(field)")
    }
    #expect(accepted.isSubset(of: Self.harmless), "\(accepted.subtracting(Self.harmless))")
    #expect(accepted.contains("central time"))
  }
}
