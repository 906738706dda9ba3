import Foundation
import ModelIR
import Readers
import TestSupport
import Testing

/// Containers that numpy and safetensors wrote, read through a `model.json` whose parameters name file and tensor.
@Suite("Tensors in containers")
struct ContainerTests {
  /// The values of the kernel, in the order I, O.
  static let kernel = (0..<12).map { Float($0) + 0.5 }

  private static func fixture(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Fixtures.path("containers/\(name)"))))
  }

  private func folder(
    _ file: String, _ tensor: String, dtype: String = "float32", layout: String = "IO",
    extra: String = "", contents: [UInt8]? = nil
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let bytes = try contents ?? Self.fixture(file)
    try folder.write(bytes, to: file)
    try folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "tiny",
       "inputs": [{"name": "x", "shape": [6]}], "outputs": ["fc"],
       "layers": [
        {"name": "fc", "operator": "Dense", "inputs": ["x"], "attributes": {"units": 2},
         "parameters": [{"role": "kernel", "file": "\(file)", "tensor": "\(tensor)",
                         "dtype": "\(dtype)", "layout": "\(layout)"\(extra)}]}]}
      """, to: "model.json")
    return folder
  }

  private func problem(
    _ file: String, _ tensor: String, dtype: String = "float32", layout: String = "IO",
    extra: String = "", contents: [UInt8]? = nil
  ) throws -> String {
    let folder = try folder(
      file, tensor, dtype: dtype, layout: layout, extra: extra, contents: contents)
    let error = try #require(throws: NetconvError.self) { try ReaderRegistry.read(folder.path) }
    #expect(error.kind == .badData)
    return error.description.replacing(folder.path + "/", with: "")
  }

  @Test(
    "C and Fortran order, either byte order, stored and deflated",
    arguments: ["arrays.npz", "deflated.npz"],
    [
      ("c", "float32"), ("fortran", "float32"), ("big", "float32"), ("big-fortran", "float64"),
      ("half", "float16"),
    ])
  func arrays(file: String, array: (name: String, dtype: String)) throws {
    let folder = try folder(file, array.name, dtype: array.dtype)
    let source = try ReaderRegistry.read(folder.path)
    let kernel = try #require(try source.model.tensors.first)
    #expect(try kernel.rearranged(to: .io).values() == Self.kernel)
    #expect(kernel.stored.path == "\(file):\(array.name)")
    // What is stored has a checksum that converting still has to look at.
    #expect(source.unchecked.count == (file == "arrays.npz" ? 1 : 0))
  }

  @Test(
    "safetensors and paths in an archive",
    arguments: [
      ("tensors.safetensors", "fc.weight", "float32", "OI"),
      ("tensors.safetensors", "half", "float16", "IO"),
      ("arrays.npz", "fc/kernel", "float32", "OI"),
    ])
  func tensors(file: String, tensor: String, dtype: String, layout: String) throws {
    let folder = try folder(file, tensor, dtype: dtype, layout: layout)
    let kernel = try #require(try ReaderRegistry.read(folder.path).model.tensors.first)
    #expect(try kernel.rearranged(to: .io).values() == Self.kernel)
  }

  @Test("what the document and the container say differently is an error")
  func contradictions() throws {
    let place = "model.json: layer 'fc', tensor 'kernel': "
    #expect(
      try problem("arrays.npz", "half")
        == place
        + "dtype is 'float32' in model.json, but 'float16' in 'arrays.npz:half'; use the "
        + "file's value")
    #expect(
      try problem("arrays.npz", "c", extra: #", "shape": [2, 6]"#)
        == place
        + "shape is '[2, 6]' in model.json, but '[6, 2]' in 'arrays.npz:c'; use the file's "
        + "value")
    #expect(
      try problem("arrays.npz", "c", layout: "OI") == place
        + "shape is [6, 2], expected [2, 6] (O, I); correct the layer or its weights")
    #expect(
      try problem("arrays.npz", "c", extra: #", "offset": 0"#)
        == place
        + "'arrays.npz:c' is named with an offset; leave it out, since the file states where its "
        + "tensors are")
  }

  @Test("a tensor that is not there names those that are")
  func missing() throws {
    #expect(
      try problem("tensors.safetensors", "fc")
        == "tensors.safetensors: layer 'fc', tensor 'kernel': there is no tensor 'fc'; there are 3\n"
        + "  'count'\n  'fc.weight'\n  'half'")
    #expect(try problem("arrays.npz", "d").contains("there is no tensor 'd'; there are 6"))
  }

  @Test("Python objects are refused, not unpickled")
  func pickled() throws {
    #expect(
      try problem("pickled.npz", "objects").hasSuffix(
        "holds Python objects (type '|O'), which would have to be unpickled, which may run any "
          + "program; save an array of numbers"))
  }

  // MARK: - Damaged safetensors

  /// A file with this header, without padding, and `count` bytes of values.
  private func safetensors(_ header: String, count: Int, length: UInt64? = nil) -> [UInt8] {
    withUnsafeBytes(of: (length ?? UInt64(header.utf8.count)).littleEndian) { Array($0) }
      + Array(header.utf8) + [UInt8](repeating: 0, count: count)
  }

  private func tensor(_ name: String, _ start: Int, _ end: Int, dtype: String = "F32") -> String {
    #""\#(name)":{"dtype":"\#(dtype)","shape":[\#((end - start) / 4)],"data_offsets":[\#(start),\#(end)]}"#
  }

  private func problem(_ header: String, count: Int, length: UInt64? = nil) throws -> String {
    let bytes = safetensors(header, count: count, length: length)
    let text = try problem("t.safetensors", "a", contents: bytes)
    return text.replacing("t.safetensors: layer 'fc', tensor 'kernel': ", with: "")
  }

  @Test("a header that is larger than the format allows, or than the file")
  func headerSizes() throws {
    let header = "{\(tensor("a", 0, 8))}"
    #expect(
      try problem(header, count: 8, length: 2_147_483_648)
        == "is safetensors with a header of 2147483648 bytes, expected at most 100000000; it may be "
        + "damaged")
    #expect(
      try problem(header, count: 8, length: .max)
        == "is safetensors with a header of 18446744073709551615 bytes, expected at most 100000000; it "
        + "may be damaged")
    #expect(
      try problem(header, count: 8, length: 99_999_999).hasPrefix(
        "is safetensors with a header of 99999999 bytes, but holds "))
    #expect(
      try problem("t.safetensors", "a", contents: [1, 2, 3]).hasSuffix(
        "holds 3 bytes and is not a safetensors file, which begins with an 8-byte length"))
  }

  @Test("tensors that overlap, leave the file or leave holes")
  func offsets() throws {
    #expect(
      try problem("{\(tensor("a", 0, 8)),\(tensor("b", 4, 12))}", count: 12).hasSuffix(
        "begins at byte 4 of the values, inside another tensor"))
    #expect(
      try problem("{\(tensor("a", 0, 16))}", count: 8).hasSuffix(
        "is at bytes 0 to 16 of the values, which have 8 bytes"))
    #expect(
      try problem("{\(tensor("a", -8, 0))}", count: 8).hasSuffix(
        "is at bytes -8 to 0 of the values, which have 8 bytes"))
    #expect(
      try problem("{\(tensor("a", 0, 4)),\(tensor("b", 8, 12))}", count: 12)
        == "no tensor covers the bytes 4 to 8 of the values; safetensors has no holes")
    #expect(
      try problem("{\(tensor("a", 0, 4))}", count: 12)
        == "no tensor covers the bytes 4 to 12 of the values; safetensors has no holes")
    #expect(
      try problem("{}", count: 1)
        == "no tensor covers the bytes 0 to 1 of the values; safetensors has no holes")
  }

  @Test("names that are there twice, unknown types, and sizes that do not fit")
  func tensors() throws {
    #expect(
      try problem("{\(tensor("a", 0, 4)),\(tensor("a", 4, 8))}", count: 8).hasPrefix(
        "is not JSON: the key 'a' occurs twice"))
    #expect(
      try problem("{\(tensor("e\u{301}", 0, 4)),\(tensor("e\u{301}", 4, 8))}", count: 8).hasPrefix(
        "is not JSON: the key 'e\u{301}' occurs twice"))
    #expect(
      try problem("{\(tensor("a", 0, 4, dtype: "F8"))}", count: 4).contains(
        "dtype 'F8' is unknown; expected one of BF16, BOOL, C64, F16, F32"))
    #expect(
      try problem(#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#, count: 8).hasSuffix(
        "holds 8 bytes, expected 12 ([3] of float32)"))
    #expect(
      try problem(
        #"{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}"#, count: 0
      ).contains("4611686018427387904"))
    for header in [
      "[]", #"{"a":1}"#, #"{"a":{"dtype":"F32","shape":[1]}}"#, #"{"__metadata__":{"x":1}}"#,
      #"{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}"#,
      #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}"#, "", "{",
    ] {
      #expect(try !problem(header, count: 4).isEmpty, "\(header)")
    }
  }

  @Test("a safetensors file cut off anywhere is an error")
  func truncated() throws {
    let bytes = try Self.fixture("tensors.safetensors")
    for count in 0..<bytes.count {
      #expect(
        try !problem("t.safetensors", "fc.weight", contents: Array(bytes.prefix(count))).isEmpty)
    }
  }

  @Test("an array that is longer or shorter than it says")
  func arraySizes() throws {
    var bytes = try Self.fixture("arrays.npz")
    let shape = try #require(bytes.firstRange(of: Array("(6, 2)".utf8)))
    bytes.replaceSubrange(shape, with: Array("(6, 3)".utf8))
    #expect(
      try problem("arrays.npz", "c", contents: bytes).hasSuffix(
        "holds 48 bytes of values, expected 72 ([6, 3] of float32)"))
  }

  @Test("a lone file that somebody else wrote holds weights without a graph")
  func lone() throws {
    let source = try ReaderRegistry.read(Fixtures.path("containers/tensors.safetensors"))
    guard case .weights(let weights) = source.network else {
      Issue.record("it has no graph")
      return
    }
    #expect(weights.layers.map(\.name) == ["fc", "half"])
    #expect(
      source.notes.map(\.line) == ["1 buffer of integers is not a weight and was left out: 'count'"]
    )
  }
}
