import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite("Small files that claim to be huge are refused, or take little memory", .slow)
struct BombTests {
  /// An address space of 640 MiB, for the program and for its HDF5 process: enough for both and their libraries, and
  /// less than any claim in these tests.
  private static let limited = [
    "/bin/sh", "-c", "ulimit -v 655360; exec \"$@\"", "sh",
  ]

  private let line: CommandLine

  init() throws {
    line = try CommandLine()
  }

  /// Unpacks a fixture into the folder.
  private func unpack(_ name: String) throws {
    let fixture = Fixtures.path("bombs/\(name).gz")
    let result = try RunningProgram(
      ["/bin/sh", "-c", "gzip -dc \"$1\" > \"$2\"", "sh", fixture, line.folder.file(name)]
    ).wait()
    try #require(result.status == 0)
  }

  /// Runs the program in little memory, and checks that it refuses with words that hold each of `words`.
  private func expectRefusal(
    _ arguments: [String], _ status: Int32 = 65, _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try line.netconv(
      arguments, wrapper: Self.limited, environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(result.status == ExitCode(status), sourceLocation: sourceLocation)
    for word in words {
      #expect(result.errors.contains(word), "\(word)", sourceLocation: sourceLocation)
    }
    #expect(try !line.names().contains("out"), sourceLocation: sourceLocation)
  }

  // MARK: - HDF5

  @Test func `a chunk of a gigabyte in a file of a megabyte`() throws {
    try unpack("one-chunk.weights.h5")
    try expectRefusal(
      ["convert", "one-chunk.weights.h5", "out"], 65, "'/layers/dense/vars/0'", "1 GiB")
    // Little enough to be read a piece at a time, but not in one; and what is left out would be missed.
    try unpack("large-chunk.weights.h5")
    try expectRefusal(
      ["convert", "large-chunk.weights.h5", "out", "--weights-only"], 65, "'/layers/dense/vars/0'",
      "chunks of shape (8388608, 4), which take 128 MiB each")
  }

  @Test(arguments: ["never-written", "chunks-never-written"])
  func `terabytes of which nothing is stored`(name: String) throws {
    try unpack(name + ".weights.h5")
    for verb in [["inspect"], ["convert"], ["verify"], ["relate", name + ".weights.h5"]] {
      let arguments = verb + [name + ".weights.h5"] + (verb == ["convert"] ? ["out"] : [])
      try expectRefusal(
        arguments, 65, "'/layers/dense/vars/0'", "claims 4 TiB of values", "the file has ")
    }
  }

  @Test func `values that were never written are what the file says, and stream`() throws {
    try unpack("fill-value.weights.h5")
    let result = try line.netconv(
      ["convert", "fill-value.weights.h5", "out", "--formats", "bin", "--weights-only"],
      wrapper: Self.limited)
    try #require(result.status == 0)
    func size(of file: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: line.folder.file("out/weights/" + file))[
        .size]
        as? Int
    }
    let large = try #require(
      try line.names(in: "out/weights").first { try size(of: $0) == 200 << 20 })
    let file = try #require(FileHandle(forReadingAtPath: line.folder.file("out/weights/" + large)))
    #expect(try file.read(upToCount: 8) == Data([0, 0, 0x80, 0x3e, 0, 0, 0x80, 0x3e]))
  }

  // MARK: - Archives and arrays

  @Test func `an archive that inflates to a thousand times as much`() throws {
    try unpack("inflating.keras")
    try expectRefusal(
      ["convert", "inflating.keras", "out"], 65, "'model.weights.h5'",
      "claims to inflate to 512 MiB")
    try unpack("inflating.npz")
    try expectRefusal(
      ["convert", "inflating.npz", "out"], 65, "'x.npy'", "claims to inflate to 512 MiB")
  }

  @Test func `arrays that are given to a run`() throws {
    try TinyModel.write(to: line)
    try unpack("inflating.npz")
    try unpack("images.gz")
    try line.folder.write(npy("|u1", "(1,)", [0]), to: "y.npy")
    let inflates = "claims to inflate to 512"
    let images = ["verify", "blobs", "--images", "images.gz", "--labels", "y.npy"]
    for arguments in [["run", "blobs", "--input", "inflating.npz"], images] {
      let result = try line.netconv(arguments)
      #expect(result.status == 65)
      #expect(result.errors.contains(inflates))
      try expectRefusal(arguments, 65, inflates)
    }
    // Truthful, more than there is, and read a part at a time.
    let values = 1 << 28
    let header = npy("<f4", "(\(values / 60), 6, 5, 2)", [])
    try line.writeZeros(header.count + values / 60 * 240, to: "x.npy")
    let file = try #require(FileHandle(forWritingAtPath: line.folder.file("x.npy")))
    try file.write(contentsOf: header)
    try file.close()
    expectSuccess(
      try line.netconv(
        ["convert", "blobs", "few", "--goldens", "2", "--golden-inputs", "x.npy"],
        wrapper: Self.limited))
    // All of them are more than goldens can be.
    try expectRefusal(["convert", "blobs", "out", "--golden-inputs", "x.npy"], 65, "x.npy: ")
    // More bytes than the header says are not read.
    try line.folder.write([0, 0, 8, 1, 0, 0, 0, 9], to: "junk")
    let junk = try #require(FileHandle(forWritingAtPath: line.folder.file("junk")))
    try junk.truncate(atOffset: 2 << 30)
    try junk.close()
    try expectRefusal(
      ["verify", "blobs", "--images", "junk", "--labels", "y.npy"], 65, "its header says 17")
  }

  @Test func `a blank picture of 64 megapixels`() throws {
    try TinyModel.write(to: line)
    try unpack("blank.png")
    try expectRefusal(
      ["run", "blobs", "blank.png"], 65, "blank.png: claims 8000 x 8000 pixels")
  }

  @Test func `a document of empty lists`() throws {
    try writeArchive([("a", try .init(shape: [4, 2]))], to: line.folder.file("a.npz"))
    let lists = Array("[],".utf8)
    try line.folder.write(
      Array(#"{"weight_map": ["#.utf8) + (0..<(24 << 20)).map { lists[$0 % 3] } + Array("1]}".utf8),
      to: "many.index.json")
    try expectRefusal(
      ["inspect", "a.npz", "--model", "many.index.json"], 65, "more values than a network needs")
  }

  // MARK: - What is made

  @Test func `a map that makes zeros streams them, and no more than makes sense`() throws {
    try writeArchive(
      [("a", try .init(shape: [4, 2], filledWith: 0.5))], to: line.folder.file("a.npz"))
    func map(_ rows: Int) -> String {
      """
      {"format": "netconv-map", "version": 1, "unused": [], "unrelated": [], "tensors": [
        {"name": "b", "shape": [\(rows), 2], "dtype": "float32", "parts": [
          {"to": [{"axis": 0, "start": 0, "end": 4}], "of": "a"},
          {"to": [{"axis": 0, "start": 4, "end": \(rows)}]}]}]}
      """
    }
    let rows = 24 << 20
    try line.folder.write(map(rows), to: "map.json")
    let result = try line.netconv(
      ["convert", "a.npz", "out", "--map", "map.json", "--formats", "bin"], wrapper: Self.limited)
    try #require(result.status == 0)
    let made = try #require(try line.names(in: "out/weights").first { $0.hasSuffix(".bin") })
    let file = try #require(FileHandle(forReadingAtPath: line.folder.file("out/weights/" + made)))
    let half: [UInt8] = [0, 0, 0, 0x3f]
    #expect(
      try file.read(upToCount: 40)
        == Data((0..<32).map { half[$0 % 4] } + [UInt8](repeating: 0, count: 8)))
    #expect(try file.seekToEnd() == UInt64(8 * rows))
    _ = try line.shell("rm -rf out")
    try line.folder.write(map(1 << 40), to: "map.json")
    try expectRefusal(
      ["convert", "a.npz", "out", "--map", "map.json"], 65, "tensor 'b'", "makes 8 TiB")
  }

  @Test func `what the disk has no room for is not begun`() throws {
    // 4 TiB that take no space.
    try TinyModel.writeLarge(to: line, size: 1 << 20)
    try expectRefusal(["convert", "large", "out"], 74, "out: takes ", "are free there")
  }

  // MARK: - Files that are as large as they say

  /// Writes `large.npy`: samples of 1024 x 1024 zeros (1.2 GB as a sparse file), the last of them of ones; and a model
  /// that returns twice the mean.
  private func writeLargeSamples(count: Int) throws {
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "mean",
       "inputs": [{"name": "image", "shape": [1024, 1024, 1]}], "outputs": ["fc"],
       "layers": [
        {"name": "pool", "operator": "GlobalAveragePooling2D", "inputs": ["image"]},
        {"name": "fc", "operator": "Dense", "inputs": ["pool"], "attributes": {"units": 1},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "IO"},
          {"role": "bias", "file": "b.bin", "dtype": "float32", "layout": "O"}]}]}
      """, to: "mean/model.json")
    try line.folder.write(littleEndian([2]), to: "mean/W.bin")
    try line.folder.write(littleEndian([0.5]), to: "mean/b.bin")
    let header = npy("<f4", "(\(count), 1024, 1024, 1)", [])
    try line.writeZeros(header.count + count * 4 << 20, to: "large.npy")
    let file = try #require(FileHandle(forWritingAtPath: line.folder.file("large.npy")))
    try file.write(contentsOf: header)
    try file.seek(toOffset: UInt64(header.count + (count - 1) * 4 << 20))
    let ones = Data(littleEndian([Float](repeating: 1, count: 1 << 18)))
    for _ in 0..<4 { try file.write(contentsOf: ones) }
    try file.close()
  }

  @Test func `an array of more than a gigabyte is run in little memory, to its last sample`() throws
  {
    try writeLargeSamples(count: 300)
    expectSuccess(
      try line.netconv(
        ["run", "mean", "--input", "large.npy", "--output", "out.npy"], wrapper: Self.limited))
    let output = try #require(try NumpyArchive.read(line.folder.file("out.npy")).first).array
    #expect(output.shape == [300, 1])
    #expect(output.values == [Float](repeating: 0.5, count: 299) + [2.5])
  }

  @Test func `an array of more than a gigabyte is verified in little memory`() throws {
    try writeLargeSamples(count: 300)
    let labels = [Float](repeating: 0.5, count: 299) + [2.25]
    try line.folder.write(npy("<f4", "(300,)", littleEndian(labels)), to: "labels.npy")
    let result = try line.netconv(
      [
        "verify", "mean", "--images", "large.npy", "--labels", "labels.npy", "--metric", "mae",
        "--json",
      ], wrapper: Self.limited)
    #expect(result.status == 0)
    #expect(result.output.contains(#""value": 0.0008333333333333334"#))
  }

  // MARK: - Less memory than there should be

  @Test(arguments: [60_000, 150_000, 170_000, 200_000, 300_000])
  func `too little memory is a message, never a signal`(kibibytes: Int) throws {
    let limited = ["/bin/sh", "-c", "ulimit -v \(kibibytes); exec \"$@\"", "sh"]
    let quiet = ["SWIFT_BACKTRACE": "enable=no"]
    // With still less, the system does not start the program.
    let start = try line.netconv("inspect", "nothing", wrapper: limited, environment: quiet)
    guard [64, 66].contains(start.status) else { return }
    try TinyModel.write(to: line)
    expectSuccess(try line.netconv("convert", "blobs", "c", "-q"))
    let count = 1 << 20
    try line.folder.write(npy("<f4", "(2, 6, 5, 2)", Array(repeating: 0, count: 480)), to: "x.npy")
    let header = npy("<f4", "(\(count), 6, 5, 2)", [])
    try line.writeZeros(header.count + 240 * count, to: "large.npy")
    let file = try #require(FileHandle(forWritingAtPath: line.folder.file("large.npy")))
    try file.write(contentsOf: header)
    try file.close()
    let lists = Array("[],".utf8)
    try line.folder.write(
      Array(#"{"config": ["#.utf8) + (0..<(6 << 20)).map { lists[$0 % 3] } + Array("1]}".utf8),
      to: "lists.json")
    let mnist = Fixtures.sample("deep-mnist/deep-mnist.h5")
    for verb in [
      ["inspect", "blobs"], ["inspect", mnist], ["inspect", "large.npy", "--model", "lists.json"],
      ["convert", "blobs", "out", "--force"], ["convert", mnist, "out", "--force"],
      ["convert", "blobs", "out", "--force", "--goldens", "4"],
      ["verify", "c", "--against", "blobs"],
      ["verify", mnist], ["run", "blobs", "--input", "x.npy"],
      ["run", "blobs", "--input", "large.npy"], ["relate", mnist, mnist],
    ] {
      let result = try line.netconv(verb, wrapper: limited, environment: quiet)
      let comment = Comment(rawValue: verb.joined(separator: " "))
      #expect([0, 1, 64, 65, 66].contains(result.status), comment)
      #expect(
        [0, 1].contains(result.status) || result.errors.contains("netconv: error: "), comment)
    }
  }
}
