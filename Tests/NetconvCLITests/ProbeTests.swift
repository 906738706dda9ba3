import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// `netconv probe`, and loaders that read it in known wrong ways.
@Suite("probe")
struct ProbeTests {
  /// Creates a probe in the folder `probe`, and the values that a correct loader sees.
  func probe(_ options: String...) throws -> (CommandLine, [String: [Float]]) {
    let line = try CommandLine()
    let result = try NetconvProcess.run(
      ["probe", "probe", "-q"] + options, in: line.folder.path)
    expectSuccess(result)
    var seen: [String: [Float]] = [:]
    for tensor in try tensors(line) {
      let (name, file) = (tensor["name"] as? String, tensor["file"] as? String)
      let bytes = try line.folder.bytes("probe/" + (try #require(file)))
      guard tensor["dtype"] as? String == "float32" else { continue }
      seen[try #require(name)] = bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map {
          Float(
            bitPattern: UInt32(
              littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
      }
    }
    return (line, seen)
  }

  func tensors(_ line: CommandLine) throws -> [[String: Any]] {
    let document = try jsonObject(try line.folder.bytes("probe/probe.json"))
    return try #require(document["tensors"] as? [[String: Any]])
  }

  /// The shape of every array of a probe as it was written.
  func shapes(_ line: CommandLine) throws -> [String: [Int]] {
    let document = try jsonObject(try line.folder.bytes("probe/probe.json"))
    let arrays =
      (document["inputs"] as? [[String: Any]] ?? [])
      + (document["outputs"] as? [[String: Any]] ?? [])
    var shapes: [String: [Int]] = [:]
    for array in arrays { shapes[array["name"] as? String ?? ""] = array["shape"] as? [Int] }
    for tensor in try tensors(line) {
      let layout = try #require((tensor["layout"] as? String).flatMap { Layout($0) })
      let sizes = try #require(tensor["sizes"] as? [String: Int])
      shapes[tensor["name"] as? String ?? ""] = try layout.shape(
        Dictionary(uniqueKeysWithValues: layout.axes.map { ($0, sizes[$0.description] ?? 1) }))
    }
    return shapes
  }

  /// Writes the values that a loader saw, in the expected shapes, or in `others`.
  func write(
    _ seen: [String: [Float]], _ line: CommandLine, shapes others: [String: [Int]] = [:]
  ) throws {
    let path = line.folder.file("probe/seen.npz")
    try? FileManager.default.removeItem(atPath: path)
    let shapes = try shapes(line).merging(others) { $1 }
    try writeArchive(
      seen.sorted { $0.key < $1.key }.map { name, values in
        let shape = shapes[name] ?? []
        let fits = shape.reduce(1, *) == values.count
        return (name, NDArray(shape: fits ? shape : [values.count], values: values))
      }, to: path)
  }

  /// The output of `--check` for these values: the lines that do not end in `right`, and the last.
  func check(_ line: CommandLine) throws -> (status: Int32, findings: [String], sum: String) {
    let result = try line.netconv("probe", "--check", "probe/seen.npz")
    #expect(result.errors == "")
    let parts = result.output.split(separator: "\n\n")
    try #require(parts.count == 2, "\(result.output)")
    return (
      result.status.code,
      parts[0].split(separator: "\n").map(String.init).filter { !$0.hasSuffix(": right") },
      String(parts[1])
    )
  }

  /// The arrays of `probe.npz`: the image, and the expected output of each layer.
  func outputs(_ line: CommandLine) throws -> [String: [Float]] {
    var arrays: [String: [Float]] = [:]
    for (name, array) in try NumpyArchive.read(line.folder.file("probe/probe.npz")) {
      arrays[name] = array.values
    }
    return arrays
  }

  private func finding(
    _ name: String, _ values: [Float], _ seen: [String: [Float]], _ line: CommandLine
  ) throws -> String {
    var seen = seen
    seen[name] = values
    try write(seen, line)
    let result = try line.netconv("probe", "--check", "probe/seen.npz")
    #expect(result.status == 1)
    let wrong = result.output.split(separator: "\n").filter {
      !$0.hasSuffix(": right") && !$0.contains(" of 12 ")
    }
    #expect(result.output.hasSuffix("\n\n1 of 12 is wrong\n"))
    return wrong.joined(separator: "\n")
  }

  /// The permutation of `values`, stored along axes of `sizes`, to the order of axes in `order`.
  func transposed(_ values: [Float], _ sizes: [Int], _ order: [Int]) -> [Float] {
    var strides = sizes.map { _ in 1 }
    for axis in sizes.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * sizes[axis + 1]
    }
    var places = [0]
    for axis in order {
      places = places.flatMap { place in (0..<sizes[axis]).map { place + $0 * strides[axis] } }
    }
    return places.map { values[$0] }
  }

  @Test("Keras gives what the reference engine gives, and has the same model")
  func keras() throws {
    let (line, _) = try probe()
    let sample = Fixtures.sample("probe/probe.h5")
    let diff = try line.netconv("diff", sample, "probe/model")
    expectSuccess(diff)
    #expect(diff.output.hasSuffix("\nequal: 12 equal; the graphs are equal\n"))
    try line.folder.copy(Fixtures.sample("probe/expected.npz"), to: "probe/keras.npz")
    let result = try line.netconv("probe", "--check", "probe/keras.npz")
    expectSuccess(result)
    #expect(
      result.output == """
        image: right
        conv gives: right
        norm gives: right
        depthwise gives: right
        transposed gives: right
        flatten gives: right
        dense gives: right

        all 7 are right

        """)
  }

  @Test(
    "the folder holds a conversion, arrays and a document, and is written again only with --force")
  func folder() throws {
    let (line, seen) = try probe()
    #expect(try line.names(in: "probe") == ["model", "probe.json", "probe.npz"])
    #expect(
      try line.names(in: "probe/model") == ["manifest.json", "model.netpack", "weights"])
    expectError(
      try line.netconv("probe", "probe"), 73,
      "probe: is not empty (there is 'model'); name another folder, or replace a probe with --force"
    )
    let before = try line.contents(of: "probe")
    try write(seen, line)
    expectSuccess(try line.netconv("probe", "probe", "--force", "-q"))
    let after = try line.contents(of: "probe").filter { $0.key != "seen.npz" }
    #expect(after == before)
    try line.folder.write("mine", to: "other/text")
    expectError(
      try line.netconv("probe", "other", "--force"), 73,
      "other: holds 'text' but no probe for --force to replace; name another folder")
  }

  @Test("what is right is called right, in either format")
  func right() throws {
    let (line, seen) = try probe()
    try write(seen, line)
    let result = try line.netconv("probe", "--check", "probe/seen.npz", "--probe", "probe/")
    expectSuccess(result)
    #expect(result.output.hasPrefix("conv kernel: right\nconv bias: right\nnorm gamma: right\n"))
    #expect(
      result.output.hasSuffix(
        """
        dense bias: right

        all 12 are right
        how your code uses them was not checked: add its outputs for the image in probe.npz, for conv, norm, \
        depthwise, transposed, flatten, dense

        """))
    let lines = try tensors(line).map { tensor in
      let values = seen[tensor["name"] as? String ?? ""] ?? []
      return
        "{\"layer\": \"\(tensor["layer"] ?? "")\", \"role\": \"\(tensor["role"] ?? "")\", \"values\": \(values)}\n"
    }
    try line.folder.write(lines.joined(), to: "probe/answers/seen.jsonl")
    expectSuccess(try line.netconv("probe", "--check", "probe/answers/seen.jsonl"))
  }

  @Test("a wrong order is named")
  func orders() throws {
    let (line, seen) = try probe()
    // OHWI is (5, 3, 4, 2). Its bytes taken as (3, 4, 2, 5), HWIO, and put in the order OHWI:
    let conv = try #require(seen["conv_W"])
    #expect(
      try finding("conv_W", transposed(conv, [3, 4, 2, 5], [3, 0, 1, 2]), seen, line)
        == "conv kernel: read as HWIO, is OHWI")
    // The right values, put in the order OIHW:
    #expect(
      try finding("conv_W", transposed(conv, [5, 3, 4, 2], [0, 3, 1, 2]), seen, line)
        == "conv kernel: in the order OIHW, is OHWI")
    // Every 3 x 2 backwards.
    let depthwise = try #require(seen["depthwise_W"])
    let rotated = stride(from: 0, to: 30, by: 6).flatMap { depthwise[$0..<$0 + 6].reversed() }
    #expect(
      try finding("depthwise_W", rotated, seen, line)
        == "depthwise kernel: rotated: H and W reversed")
  }

  @Test("wrong places, bytes and types are named")
  func places() throws {
    let (line, seen) = try probe()
    let dense = try #require(seen["dense_W"])
    let cases: [([Float], String)] = [
      (Array(dense.prefix(100)), "cut off: the first 100 of 120 values"),
      (dense + [0, 0], "too long: 120 values, and 2 more"),
      (
        Array(dense.dropFirst(7)) + [Float](repeating: -1, count: 7),
        "offset: stored 7 values earlier than it was read"
      ),
      ([-1] + dense.dropLast(), "offset: stored 1 value later than it was read"),
      (
        dense.map { Float(bitPattern: $0.bitPattern.byteSwapped) },
        "wrong byte order: float32 is little-endian"
      ),
      (dense.sorted(), "in the order HWIO, is OHWI"),
      (
        dense.dropLast() + [-5],
        "1 of 120 values differ, the first at index 119: -5.0, expected 119.0"
      ),
      (
        [dense[2]] + dense.dropFirst(),
        "1 of 120 values differ, the first at index 0: \(dense[2]), expected 0.0"
      ),
      ([1, 2], "2 values, expected 120"),
    ]
    for (values, text) in cases {
      #expect(try finding("dense_W", values, seen, line) == "dense kernel: " + text)
    }
    #expect(
      try finding("norm_gamma", [300, 301, 302, 303, 304], seen, line)
        == "norm gamma: holds the values of norm beta")
  }

  @Test("half precision read as single precision is named")
  func types() throws {
    let (line, vectors) = try probe("--dtype", "float16")
    var seen = vectors
    for name in ["conv_W", "depthwise_W", "transposed_W", "dense_W"] {
      let bytes = try line.folder.bytes("probe/model/weights/\(name).bin")
      seen[name] = stride(from: 0, to: bytes.count - 3, by: 4).map { place in
        var bits: UInt32 = 0
        for byte in bytes[place..<place + 4].reversed() { bits = bits << 8 | UInt32(byte) }
        return Float(bitPattern: bits)
      }
    }
    try write(seen, line)
    let result = try line.netconv("probe", "--check", "probe/seen.npz", "--json")
    #expect(result.status == 1)
    let report = try jsonObject(result.output.utf8)
    let rows = try #require(report["tensors"] as? [[String: Any]])
    #expect(
      rows.compactMap { $0["finding"] as? String }
        == Array(repeating: "float16 read as float32", count: 4))
  }

  @Test("layers that give channels first are found")
  func outputs() throws {
    let (line, _) = try probe()
    var arrays = try outputs(line)
    // (2, 3, 5) as (5, 2, 3).
    arrays["norm"] = transposed(try #require(arrays["norm"]), [2, 3, 5], [2, 0, 1])
    try write(arrays, line, shapes: ["norm": [1, 5, 2, 3]])
    let result = try line.netconv("probe", "--check", "probe/seen.npz")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "\nnorm gives: in the order CHW, is HWC; its shape (1, 5, 2, 3) is that of CHW\n"))
    #expect(result.output.hasSuffix("\n\n1 of 7 is wrong\n"))
  }

  @Test("incomplete, unknown and unreadable answers are errors that say what to do")
  func errors() throws {
    let (line, seen) = try probe()
    try write(seen.filter { $0.key != "dense_b" }, line)
    expectError(
      try line.netconv("probe", "--check", "probe/seen.npz"), 65,
      """
      probe/seen.npz: 1 answer is missing; a check needs all tensors of the probe, so let your loader write these too
        dense_b, the bias of dense: 4 values
      """)
    try line.folder.write(#"{"layer": "dense", "values": [1, "x"]}"#, to: "probe/seen.jsonl")
    expectError(
      try line.netconv("probe", "--check", "probe/seen.jsonl"), 65,
      #"probe/seen.jsonl: line 1 has no list of numbers "values""# + Self.wantedLine)
    try line.folder.write("\n", to: "probe/seen.jsonl")
    expectError(
      try line.netconv("probe", "--check", "probe/seen.jsonl"), 65,
      "probe/seen.jsonl: has no answer; write what your loader read of every tensor, or the output of "
        + "every layer, under their names")
    try line.folder.write("", to: "lonely.jsonl")
    expectError(
      try line.netconv("probe", "--check", "lonely.jsonl"), 64,
      "lonely.jsonl: there is no probe.json beside it or in the folder above; name the folder that netconv "
        + "probe wrote with --probe DIR")
    let usage = try line.netconv("probe", "x", "--check", "y")
    #expect(usage.status == 64)
    #expect(
      usage.errors.hasPrefix(
        "netconv: error: probe needs either a DIR to write or --check FILE\n"))
  }

  private static let wantedLine =
    #"; expected {"tensor": NAME, "shape": [SIZE, …], "values": [NUMBER, …]}, with "layer" and "role" instead "#
    + #"of "tensor", or "layer" alone for the layer's output; shape is optional"#

  @Test(
    "lines that contradict themselves are errors",
    arguments: [
      (#""tensor": "conv_W", "layer": "dense""#, "names both a tensor and a layer"),
      (#""layer": "conv", "role": 1"#, #"has a "role" that is not a string"#),
      (#""tensor": "conv_b", "shape": [5]"#, "has the shape (5) and 1 values, which do not fit it"),
      (#""tensor": "conv_b", "shape": [-1]"#, #"has a "shape" that is not a list of sizes"#),
      (#""tensor": "conv_b", "shape": 1"#, #"has a "shape" that is not a list of sizes"#),
      (
        #""tensor": "conv_b", "shape": [4294967296, 4294967296]"#,
        "has the shape (4294967296, 4294967296) and 1 values, which do not fit it"
      ),
      (
        #""tensor": "conv_W", "layout": "HWI""#,
        #"has the layout "HWI", and 'conv_W' has OHWI"#
      ),
      (#""tensor": "conv_W", "order": "HWIO""#, "has the key 'order'"),
    ])
  func contradictions(keys: String, message: String) throws {
    let (line, _) = try probe()
    try line.folder.write("{\(keys), \"values\": [1]}", to: "probe/seen.jsonl")
    expectError(
      try line.netconv("probe", "--check", "probe/seen.jsonl"), 65,
      "probe/seen.jsonl: line 1 \(message)" + Self.wantedLine)
  }

  @Test("integers with scales number no places, which is said before anything is written")
  func integers() throws {
    let line = try CommandLine()
    expectError(
      try line.netconv("probe", "probe", "--target", "source", "--dtype", "int8"), 64,
      "a probe numbers positions, and int8 with a scale per channel does not represent every number; use --dtype "
        + "float32, float16 or bfloat16")
    #expect(try line.names() == [])
  }
}
