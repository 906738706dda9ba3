import Datasets
import Emission
import Foundation
import ModelIR
import NetconvKit
import TestSupport
import Testing

/// Networks in C, compiled without a warning and run.
///
/// The self-test of each compares the layers with their definitions in double precision, which tests of the readers
/// compare with the frameworks.
@Suite struct CNetworkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a fixture in C.
  @discardableResult
  private func emit(
    _ source: String, as name: String, length: Int? = nil, weights: LibraryWeights? = nil
  ) throws -> EmitLibraryReport {
    var request = EmitLibraryRequest(
      source: source, destination: folder.file(name), language: try #require(.named("c")))
    request.name = name
    request.length = length
    request.weights = weights
    request.goldens = GoldensRequest(samples: 2)
    return try Netconv.emitLibrary(request)
  }

  private func compile(
    _ name: String, _ compiler: CCompiler, asCpp: Bool = false, options: [String] = ["-O1"]
  ) throws -> ProgramResult {
    try compiler.compile(
      "\(name)_selftest.c", to: "selftest", in: folder.file(name), asCpp: asCpp, options: options)
  }

  private func selfTest(_ name: String, _ arguments: [String] = []) throws -> ProgramResult {
    let place = folder.file(name)
    return try RunningProgram.run([place + "/selftest"] + arguments, in: place)
  }

  /// Every fixture in `make proof`, by each compiler, as C and C++, and with sanitizers; otherwise a subset whose code
  /// has every function.
  @Test func `the layers of fixtures are right`() throws {
    // 552 when this was written.
    #expect(CFixture.all.count > 500)
    let fixtures = Sampling.isProof ? CFixture.all : CFixture.cover
    let compilers = Sampling.isProof ? CCompiler.all : Array(CCompiler.all.prefix(1))
    let settings: [(asCpp: Bool, options: [String])] =
      Sampling.isProof
      ? [
        (false, ["-O2"]), (true, ["-O2"]),
        (false, ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
      ] : [(false, ["-O1"])]
    print("C: \(fixtures.count) of \(CFixture.all.count) fixtures")
    for (index, fixture) in fixtures.enumerated() {
      let name = "net\(index)"
      try emit(
        Fixtures.path(fixture.path), as: name, length: fixture.length,
        weights: index % 3 == 0 ? .file : nil)
      for compiler in compilers {
        for setting in settings {
          let compiled = try compile(
            name, compiler, asCpp: setting.asCpp, options: setting.options)
          #expect(compiled.status == 0, "\(fixture.path), \(compiler): \(compiled.output)")
          let result = try selfTest(name)
          #expect(result.status == 0, "\(fixture.path), \(compiler): \(result.output)")
        }
      }
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
  }

  /// What somebody changes in the code, and the layer that the self-test names.
  @Test(arguments: [
    ("{5, 5, 1, 1, 1, 1, 2, 2}", "{5, 5, 1, 1, 1, 1, 1, 2}", "conv1"),
    ("{2, 2, 2, 2, 1, 1, 0, 0}", "{2, 2, 2, 2, 1, 1, 1, 0}", "pool1"),
    ("v < 0.0f ? 0.0f : v", "v", "conv1"),
    ("bias == NULL ? 0.0f : bias[i]", "0.0f", "conv1"),
    ("value * row[j]", "value * row[0]", "conv1"),
  ])
  func `the self-test finds a mistake and names the first layer that differs`(
    _ text: String, _ other: String, _ layer: String
  ) throws {
    try emit(Fixtures.sample("deep-mnist/deep-mnist.h5"), as: "net", weights: .file)
    let path = folder.file("net/net.c")
    let source = try String(contentsOfFile: path, encoding: .utf8)
    let range = try #require(source.range(of: text))
    try source.replacingCharacters(in: range, with: other).write(
      toFile: path, atomically: true, encoding: .utf8)
    let compiled = try RunningProgram.run(
      [CCompiler.all[0].paths[0], "-std=c99", "-O1", "net_selftest.c", "-o", "selftest", "-lm"],
      in: folder.file("net"))
    try #require(compiled.status == 0, "\(compiled.output)")
    let result = try selfTest("net")
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("net: layer \(layer) differs"), "\(result.output)")
  }

  @Test func `the self-test finds a changed weight that no stored input needs`() throws {
    try emit(Fixtures.sample("lenet-blobs"), as: "net", weights: .array)
    let path = folder.file("net/net_weights.h")
    let source = try String(contentsOfFile: path, encoding: .utf8)
    // The last literal of the first fully connected layer's kernel.
    let array = try #require(source.range(of: "fc1_kernel["))
    let end = try #require(source[array.upperBound...].range(of: "f,\n};"))
    let changed = source.replacingCharacters(in: end, with: "f * 2.0f,\n};")
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try compile("net", CCompiler.all[0]).status == 0)
    let result = try selfTest("net")
    #expect(result.status == 1)
    #expect(result.output.contains("the weights fc1_kernel are others"), "\(result.output)")
  }

  // A program of one state with files of another would compute something.
  @Test func `a header or weights of another network do not compile`() throws {
    try emit(Fixtures.sample("lenet-blobs"), as: "net")
    let header = try folder.bytes("net/net.h")
    let weights = try folder.bytes("net/net_weights.h")
    try FileManager.default.removeItem(atPath: folder.file("net"))
    try emit(Fixtures.path("audio/rtneural-dense.keras"), as: "net")
    for (name, bytes) in [("net.h", header), ("net_weights.h", weights)] {
      let own = try folder.bytes("net/\(name)")
      try folder.write(bytes, to: "net/\(name)")
      let result = try compile("net", CCompiler.all[0])
      #expect(result.status != 0)
      #expect(result.output.contains("is of another network"), "\(result.output)")
      try folder.write(own, to: "net/\(name)")
    }
    #expect(try compile("net", CCompiler.all[0]).status == 0)
  }

  @Test func `a file of weights is checked when it is opened`() throws {
    try emit(Fixtures.sample("lenet-blobs"), as: "net", weights: .file)
    #expect(try compile("net", CCompiler.all[0]).status == 0)
    #expect(try selfTest("net").status == 0)
    let weights = try folder.bytes("net/net.weights")
    func error(_ change: (inout [UInt8]) -> Void) throws -> String {
      var changed = weights
      change(&changed)
      try folder.write(changed, to: "net/other.weights")
      let result = try selfTest("net", ["other.weights"])
      #expect(result.status == 2)
      return String(result.output.split(separator: "(").last?.prefix(7) ?? "")
    }
    // The numbers are those of the header's enum.
    #expect(try error { $0.removeLast(4) } == "error 3")
    #expect(try error { $0 += [0, 0, 0, 0] } == "error 3")
    #expect(try error { $0[30] ^= 1 } == "error 6")
    #expect(try error { $0[64] ^= 1 } == "error 7")
    #expect(try error { $0[$0.count - 1] ^= 0x80 } == "error 7")
    // The other byte order: each float of four bytes turned around.
    #expect(
      try error { bytes in
        for start in stride(from: 8, to: bytes.count, by: 4) {
          bytes[start..<start + 4].reverse()
        }
      } == "error 6")
    let missing = try selfTest("net", ["missing.weights"])
    #expect(missing.status == 2)
  }

  @Test func `weights that are not opened or not aligned are an error`() throws {
    try emit(Fixtures.sample("lenet-blobs"), as: "net", weights: .file)
    try folder.write(
      """
      #include "net.c"
      #include <stdio.h>
      static float arena[NET_ARENA_COUNT], image[784], output[10];
      static float bytes[100000];
      int main(void)
      {
          net_weights weights = {NULL};
          FILE *file = fopen("net.weights", "rb");
          const size_t count = fread((char *)bytes + 1, 1, 399999, file);
          fclose(file);
          if (net_run(&weights, image, output, arena) != NET_NO_WEIGHTS) return 1;
          if (net_open(&weights, (char *)bytes + 1, count) != NET_BAD_ALIGNMENT) return 2;
          if (net_open(&weights, NULL, count) != NET_BAD_SIZE) return 3;
          return weights.values == NULL ? 0 : 4;
      }

      """, to: "net/program.c")
    let compiled = try CCompiler.all[0].compile(
      "program.c", to: "program", in: folder.file("net"))
    #expect(compiled.status == 0, "\(compiled.output)")
    #expect(
      try RunningProgram.run([folder.file("net/program")], in: folder.file("net")).status == 0)
  }

  @Test func `an open size has to be given, and fast math does not compile`() throws {
    let source = Fixtures.path("audio/rtneural-lstm.keras")
    #expect(thrown { try emit(source, as: "net") }?.kind == .usage)
    try emit(source, as: "net", length: 9)
    let result = try compile("net", CCompiler.all[0], options: ["-O1", "-ffast-math"])
    #expect(result.status != 0)
    #expect(result.output.contains("-ffast-math changes"), "\(result.output)")
    #expect(
      thrown { try emit(Fixtures.sample("lenet-blobs"), as: "other", length: 9) }?.kind == .usage)
  }

  @Test(arguments: ["1net", "net-1", "_net", "a__b", "net_", ""])
  func `a prefix is an identifier`(_ name: String) throws {
    #expect(thrown { try emit(Fixtures.sample("lenet-blobs"), as: name) }?.kind == .usage)
  }

  @Test func `layers that C lacks are named together, and nothing is written`() throws {
    let error = thrown { try emit(Fixtures.path("tflite/integers-conv.tflite"), as: "net") }
    #expect(error?.kind == .badData)
    #expect(!FileManager.default.fileExists(atPath: folder.file("net")))
  }

  // Two pictures of 28 x 28 pixels; the values are those of the engine for the same pixels.
  @Test func `the program classifies IDX, PGM and floats alike`() throws {
    try emit(Fixtures.sample("deep-mnist/deep-mnist.h5"), as: "net", weights: .file)
    let place = folder.file("net")
    let compiled = try RunningProgram.run(
      [
        CCompiler.all[0].paths[0], "-std=c99", "-O2", "net_main.c", "net.c", "-o", "main", "-lm",
      ], in: place)
    try #require(compiled.status == 0, "\(compiled.output)")
    let images = try LabeledImages.mnist()
    let bytes = try images.values(of: 0..<3).map { UInt8($0) }
    #expect(bytes.count == 3 * 784)
    try folder.write([0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 28, 0, 0, 0, 28] + bytes, to: "net/idx")
    try folder.write([0, 0, 8, 1, 0, 0, 0, 3, 7, 2, 1], to: "net/labels")
    try folder.write(Array("P5\n28 28\n255\n".utf8) + bytes.prefix(784), to: "net/a.pgm")
    let floats = bytes.map { Float($0) * Float(1.0 / 255) }
    try folder.write(littleEndian(floats), to: "net/raw")
    func run(_ arguments: String...) throws -> ProgramResult {
      try RunningProgram.run([place + "/main"] + arguments, in: place)
    }
    #expect(try run("idx", "labels").output.hasPrefix("3 of 3 right: 100.00%\n"))
    let lines = try run("idx").output.split(separator: "\n").prefix(3)
    #expect(lines.map { $0.prefix(10) } == ["0: class 7", "1: class 2", "2: class 1"])
    #expect(try run("raw").output.split(separator: "\n").prefix(3) == lines)
    #expect(try run("a.pgm").output.split(separator: "\n").first == lines.first)
    // Wrong files are errors, not classes.
    try folder.write([0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 28, 0, 0, 0, 27] + bytes, to: "net/narrow")
    try folder.write(littleEndian(Array(floats.dropLast())), to: "net/short")
    for file in ["narrow", "short", "missing"] {
      let result = try run(file)
      #expect(result.status == 1 && !result.output.contains("class"), "\(file): \(result.output)")
    }
    try folder.write([0, 0, 8, 1, 0, 0, 0, 2, 7, 2], to: "net/two")
    #expect(try run("idx", "two").status == 1)
  }
}

/// The table of operators.
@Suite struct COperatorTableTests {
  private static let document = "\(Fixtures.repository)/Docs/emitted-c.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test func `the table is the one that the operators give; make docs writes it`() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operator |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + COperatorTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/emitted-c.md is stale; run make docs")
    }
  }
}
