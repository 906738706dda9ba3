import Foundation
import ModelIR
import TestSupport
import Testing

/// `diff` of files that name their tensors: the names that are stored come first.
@Suite("diff by stored names")
struct StoredNameTests {
  /// Arrays with the names of a state dictionary; `scale` distinguishes trainings.
  private static func arrays(scale: Float = 1) -> [(name: String, array: NDArray<Float>)] {
    let shapes: [(String, [Int])] = [
      ("conv.weight", [4, 2, 3, 5]), ("conv.bias", [4]), ("square.weight", [3, 3]),
      ("fc.weight", [6, 7]), ("pos", [3, 4]),
    ]
    return shapes.enumerated().map { number, named in
      let count = named.1.reduce(1, *)
      let values = (0..<count).map { scale * Float(($0 * 7919 + number * 31) % 211 - 100) / 64 }
      return (named.0, NDArray(shape: named.1, values: values))
    }
  }

  /// The same with axes in reversed order, under other names, in plain loops.
  private static func ported(
    _ arrays: [(name: String, array: NDArray<Float>)]
  ) -> [(name: String, array: NDArray<Float>)] {
    arrays.map { name, array in
      let shape = Array(array.shape.reversed())
      var values: [Float] = []
      for place in array.values.indices {
        var rest = place
        var index: [Int] = []
        for size in shape.reversed() {
          index.append(rest % size)
          rest /= size
        }
        values.append(array.values[zip(array.shape, index).reduce(0) { $0 * $1.0 + $1.1 }])
      }
      return ("port." + name, NDArray(shape: shape, values: values))
    }
  }

  @Test(
    "the proof of a map: what it makes is what it was made from, and of other weights the port of these"
  )
  func proof() throws {
    let line = try CommandLine()
    let (first, second) = (Self.arrays(), Self.arrays(scale: 1.5))
    try writeArchive(first, to: line.folder.file("a.npz"))
    try writeArchive(Self.ported(first), to: line.folder.file("port.npz"))
    try writeArchive(second, to: line.folder.file("retrained.npz"))
    try writeArchive(Self.ported(second), to: line.folder.file("retrained-port.npz"))
    expectSuccess(
      try line.netconv("relate", "a.npz", "port.npz", "--map", "rule.json", "--quiet"))
    for (source, port) in [("a", "port"), ("retrained", "retrained-port")] {
      for made in ["\(source).safetensors", "\(source).netpack", "\(source)-folder"] {
        expectSuccess(
          try line.netconv("convert", "\(source).npz", made, "--map", "rule.json", "--quiet"))
        let result = try line.netconv("diff", made, "\(port).npz", "--exact")
        expectSuccess(result)
        #expect(result.output.hasSuffix("\nequal: 5 equal\n"), "\(result.output)")
        #expect(!result.output.contains("is named"), "\(result.output)")
      }
    }
  }

  @Test("files of the same keys are compared by keys where values differ")
  func changed() throws {
    let line = try CommandLine()
    var second = Self.arrays()
    second[2].array.values[5] += 1
    second[3].array.values[13] += 1
    try writeArchive(Self.arrays(), to: line.folder.file("a.npz"))
    try writeArchive(Self.ported(Self.arrays()), to: line.folder.file("port.npz"))
    try writeArchive(second, to: line.folder.file("b.npz"))
    expectSuccess(
      try line.netconv("relate", "a.npz", "port.npz", "--map", "rule.json", "--quiet"))
    expectSuccess(
      try line.netconv("convert", "b.npz", "made.safetensors", "--map", "rule.json", "--quiet"))
    let result = try line.netconv("diff", "made.safetensors", "port.npz")
    #expect(result.status == 1)
    #expect(
      result.output.contains("\nport.square.weight: 1 of 9 values changed\n"), "\(result.output)")
    #expect(
      result.output.contains("\nport.fc.weight: 1 of 42 values changed\n"), "\(result.output)")
    #expect(result.output.hasSuffix("\ndifferent: 3 equal, 2 changed\n"), "\(result.output)")
  }

  @Test("axes that one file names do not make equal tensors different")
  func axes() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("lenet-blobs")
    expectSuccess(
      try line.netconv("convert", lenet, "port.safetensors", "--target", "torch", "--quiet"))
    expectSuccess(
      try line.netconv("relate", lenet, "port.safetensors", "--map", "rule.json", "--quiet"))
    expectSuccess(
      try line.netconv("convert", lenet, "again.safetensors", "--map", "rule.json", "--quiet"))
    for (a, b) in [
      ("port.safetensors", "again.safetensors"), ("again.safetensors", "port.safetensors"),
    ] {
      let result = try line.netconv("diff", a, b, "--exact")
      expectSuccess(result)
      #expect(result.output.contains("\nequal: 8 equal\n"), "\(result.output)")
    }
  }

  @Test("a tolerance is a fraction of the largest value of a tensor")
  func tolerance() throws {
    let line = try CommandLine()
    var second = Self.arrays()
    // The largest of fc.weight is 110 / 64 = 1.71875: a hundredth of it is 0.0171875.
    let largest = second[3].array.values.map(abs).max() ?? 0
    second[3].array.values[13] += largest / 128
    try writeArchive(Self.arrays(), to: line.folder.file("a.npz"))
    try writeArchive(second, to: line.folder.file("b.npz"))
    let within = try line.netconv("diff", "a.npz", "b.npz", "--tolerance", "0.01")
    expectSuccess(within)
    #expect(within.output.hasSuffix("\nequal: 4 equal, 1 within the tolerance\n"))
    #expect(try line.netconv("diff", "a.npz", "b.npz", "--tolerance", "0.005").status == 1)
    #expect(try line.netconv("diff", "a.npz", "b.npz").status == 1)
    let both = try line.netconv("diff", "a.npz", "b.npz", "--tolerance", "0.1", "--exact")
    #expect(both.status == 64)
    #expect(both.errors.hasPrefix("netconv: error: --exact allows no --tolerance; pass one\n"))
  }
}
