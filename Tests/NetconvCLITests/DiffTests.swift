import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// `netconv diff` as its user sees it; indices and distances were worked out by hand.
@Suite("diff")
struct DiffTests {
  private static let mnist = Fixtures.sample("deep-mnist/deep-mnist.h5")

  private func tiny(document: String = TinyModel.document) throws -> CommandLine {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.folder.write(document, to: "other/model.json")
    for name in TinyModel.sizes.keys {
      try line.folder.write(try line.folder.bytes("blobs/" + name), to: "other/" + name)
    }
    return line
  }

  /// Replaces the float32 number `index` of a file.
  private func set(_ line: CommandLine, _ name: String, _ index: Int, _ value: Float) throws {
    var bytes = try line.folder.bytes(name)
    withUnsafeBytes(of: value.bitPattern.littleEndian) {
      bytes.replaceSubrange(4 * index..<4 * index + 4, with: $0)
    }
    try line.folder.write(bytes, to: name)
  }

  private func expectDifferent(
    _ result: NetconvProcess.Result, _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.output == text + "\n", sourceLocation: sourceLocation)
    #expect(result.errors == "", sourceLocation: sourceLocation)
    #expect(result.status == 1, sourceLocation: sourceLocation)
  }

  @Test("a checkpoint and what was made of it are equal, in every form")
  func equal() throws {
    let line = try CommandLine()
    try line.folder.copy(Self.mnist, to: "ckpt.h5")
    expectSuccess(try line.netconv("convert", "ckpt.h5", "out", "-q"))
    let result = try line.netconv("diff", "ckpt.h5", "out", "--exact")
    expectSuccess(result)
    #expect(
      result.output == """
        A  ckpt.h5 (keras-h5, keras 2.21.0), 8 tensors
        B  out (netconv, keras 2.21.0), 8 tensors

        equal: 8 equal; the graphs are equal

        """)
    expectSuccess(try line.netconv("convert", "ckpt.h5", "w.netpack", "-q", "--weights-only"))
    let weights = try line.netconv("diff", "out", "w.netpack")
    expectSuccess(weights)
    #expect(
      weights.output == """
        A  out (netconv, keras 2.21.0), 8 tensors
        B  w.netpack (netconv, keras 2.21.0), 8 tensors

        note: B holds weights without a graph that netconv can read; only tensors were compared

        equal: 8 equal

        """)
  }

  @Test("one weight that is one ULP larger is found, with its axes and its place in both")
  func oneULP() throws {
    let line = try tiny()
    expectSuccess(try line.netconv("convert", "blobs", "out", "-q"))
    // The kernel was written as OHWI (4, 3, 2, 2): o=3 h=0 w=1 i=1 is 3·12 + 0·4 + 1·2 + 1 = 39 there, and
    // 3·12 + 1·6 + 0·2 + 1 = 43 as OIHW. Its value is (43·7919 mod 201 - 100) / 64.
    try set(line, "blobs/conv_W.bin", 43, Float(-1.203125).nextUp)
    expectDifferent(
      try line.netconv("diff", "blobs", "out"),
      """
      A  blobs (raw-blobs), 4 tensors
      B  out (netconv), 4 tensors

      conv kernel: 1 of 48 values changed
        the largest distance is 1.192e-7 (at most 1 ULP) at o=3 h=0 w=1 i=1: -1.2031249 (index 43) in A, -1.203125 (index 39) in B
        mean distance 2.484e-9, cosine 0.9999999999999998

      note: to see their effect on each layer and the outputs, run: netconv verify out --against blobs

      different: 3 equal, 1 changed; the graphs are equal
      """)
  }

  @Test("half precision is equal up to rounding, unless that is not enough")
  func rounding() throws {
    let line = try tiny()
    // No float16: between 1/3 and its neighbours lie 2⁻¹³ of 2⁻¹².
    try set(line, "blobs/conv_W.bin", 5, 1 / 3)
    expectSuccess(
      try line.netconv("convert", "blobs", "half.netpack", "--dtype", "float16", "-q"))
    for (a, b) in [("blobs", "half.netpack"), ("half.netpack", "blobs")] {
      let result = try line.netconv("diff", a, b)
      expectSuccess(result)
      #expect(result.output.contains("conv kernel: equal up to rounding, float"))
      #expect(result.output.contains(": 1 of 48 values, by at most 8.139e-5\n"))
      #expect(
        result.output.hasSuffix("equal: 3 equal, 1 equal up to rounding; the graphs are equal\n"))
    }
    let exact = try line.netconv("diff", "blobs", "half.netpack", "--exact")
    #expect(exact.status == 1)
    #expect(
      exact.output.hasSuffix(
        "different: 3 equal, 1 equal up to rounding; the graphs are equal\n"))
  }

  @Test("the sign of a zero is no difference, unless that is asked for")
  func signedZero() throws {
    let line = try tiny()
    try set(line, "blobs/conv_b.bin", 2, 0)
    try set(line, "other/conv_b.bin", 2, -0.0)
    let result = try line.netconv("diff", "blobs", "other")
    expectSuccess(result)
    #expect(result.output.contains("\nconv bias: equal up to the signs of zeros\n"))
    #expect(try line.netconv("diff", "blobs", "other", "--exact", "-q").status == 1)
  }

  @Test("float64 is compared as float64")
  func float64() throws {
    let document = TinyModel.document.replacing(
      #""file": "conv_b.bin", "dtype": "float32""#, with: #""file": "b.bin", "dtype": "float64""#)
    let line = try tiny(document: document)
    try line.folder.write(document, to: "blobs/model.json")
    var values = [1.0, 2, 3, 4]
    func write(to name: String) throws {
      try line.folder.write(
        values.flatMap { value in
          withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        }, to: name)
    }
    try write(to: "blobs/b.bin")
    values[2] = values[2].nextUp
    try write(to: "other/b.bin")
    expectDifferent(
      try line.netconv("diff", "blobs", "other"),
      """
      A  blobs (raw-blobs), 4 tensors
      B  other (raw-blobs), 4 tensors

      conv bias: 1 of 4 values changed
        the largest distance is 4.441e-16 (at most 1 ULP) at o=2: 3.0 (index 2) in A, 3.0000000000000004 (index 2) in B
        mean distance 1.110e-16, cosine 1.0

      note: to see their effect on each layer and the outputs, run: netconv verify other --against blobs

      different: 3 equal, 1 changed; the graphs are equal
      """)
  }

  @Test("a value that is finite in one of them only comes before all distances")
  func notFinite() throws {
    let line = try tiny()
    try set(line, "blobs/fc_b.bin", 1, 7)
    try set(line, "other/fc_b.bin", 1, 9)
    try set(line, "other/fc_b.bin", 4, .nan)
    try set(line, "blobs/fc_b.bin", 4, 0.5)
    let result = try line.netconv("diff", "blobs", "other")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        """
        fc bias: 2 of 7 values changed
          1 finite in only one of them, the first at o=4: 0.5 (index 4) in A, nan (index 4) in B
        """))
    let json = try line.netconv("diff", "blobs", "other", "--json")
    #expect(json.output.contains(#""value": "nan""#))
    #expect(json.status == 1)
  }

  @Test("layers with other names are found by their values, and are no difference")
  func renamed() throws {
    let document = TinyModel.document
      .replacing(#""name": "conv""#, with: #""name": "c1""#)
      .replacing(#"["conv"]"#, with: #"["c1"]"#)
      .replacing("flatten", with: "flat")
    let line = try tiny(document: document)
    let result = try line.netconv("diff", "blobs", "other")
    expectSuccess(result)
    #expect(
      result.output == """
        A  blobs (raw-blobs), 4 tensors
        B  other (raw-blobs), 4 tensors

        note: conv kernel is named c1 kernel in B
        note: conv bias is named c1 bias in B
        note: flatten is named flat in B

        equal: 4 equal; the graphs are equal

        """)
  }

  @Test("a bias that many layers could have is paired with its kernel")
  func renamedZeros() throws {
    let document = TinyModel.document
      .replacing(#""name": "conv""#, with: #""name": "c1""#)
      .replacing(#"["conv"]"#, with: #"["c1"]"#)
      .replacing(#""fc""#, with: #""f1""#)
    let line = try tiny(document: document)
    for folder in ["blobs", "other"] {
      for (name, size) in [("conv_b.bin", 16), ("fc_b.bin", 28)] {
        try line.writeZeros(size, to: "\(folder)/\(name)")
      }
    }
    try set(line, "other/conv_b.bin", 0, 1)
    expectDifferent(
      try line.netconv("diff", "blobs", "other"),
      """
      A  blobs (raw-blobs), 4 tensors
      B  other (raw-blobs), 4 tensors

      conv bias: 1 of 4 values changed
        the largest distance is 1.000 (at most 1,065,353,216 ULP) at o=0: 0.0 (index 0) in A, 1.0 (index 0) in B
        mean distance 0.2500, cosine unknown: one of them is zero

      note: conv kernel is named c1 kernel in B
      note: conv bias is named c1 bias in B
      note: fc kernel is named f1 kernel in B
      note: fc bias is named f1 bias in B
      note: to see their effect on each layer and the outputs, run: netconv verify other --against blobs

      different: 3 equal, 1 changed; the graphs are equal
      """)
  }

  @Test("attributes, connections, layers and tensors that only one has are listed")
  func graphs() throws {
    let document = """
      {"format": "netconv-model", "version": 1, "name": "tiny",
       "inputs": [{"name": "image", "shape": [6, 5, 2]}],
       "outputs": ["fc"],
       "layers": [
        {"name": "conv", "operator": "Convolution2D", "inputs": ["image"],
         "attributes": {"outputChannels": 4, "kernelSize": [3, 2], "activation": "relu"},
         "parameters": [
          {"role": "kernel", "file": "conv_W.bin", "dtype": "float32", "layout": "OIHW"}]},
        {"name": "norm", "operator": "BatchNormalization", "inputs": ["conv"],
         "parameters": [
          {"role": "mean", "file": "conv_b.bin", "dtype": "float32", "layout": "C"},
          {"role": "variance", "file": "conv_b.bin", "dtype": "float32", "layout": "C"}]},
        {"name": "flatten", "operator": "Flatten", "inputs": ["norm"]},
        {"name": "fc", "operator": "Dense", "inputs": ["flatten"],
         "attributes": {"units": 6},
         "parameters": [
          {"role": "kernel", "file": "W.bin", "dtype": "float32", "layout": "(HWI)O"},
          {"role": "bias", "file": "b.bin", "dtype": "float32", "layout": "O"}]}]}
      """
    let line = try tiny(document: document)
    try line.writeZeros(4 * 64 * 6, to: "other/W.bin")
    try line.writeZeros(24, to: "other/b.bin")
    expectDifferent(
      try line.netconv("diff", "blobs", "other"),
      """
      A  blobs (raw-blobs), 4 tensors
      B  other (raw-blobs), 5 tensors

      fc kernel: the shapes differ, (HWI)O (64, 7) in A, (HWI)O (64, 6) in B
      fc bias: the shapes differ, O (7) in A, O (6) in B

      conv bias: only in A, float32 O (4)
      norm mean: only in B, float32 C (4)
      norm variance: only in B, float32 C (4)

      graph: 'conv': activation is "linear" in A, "relu" in B
      graph: 'flatten' reads 'conv' in A, 'norm' in B
      graph: 'fc': units is 7 in A, 6 in B
      graph: 'norm' (BatchNormalization) is only in B

      note: to see their effect on each layer and the outputs, run: netconv verify other --against blobs

      different: 1 equal, 2 of another shape, 1 only in A, 2 only in B; the graphs differ
      """)
  }

  @Test("a matrix whose rows lie in C, H, W order is known again")
  func channelsFirstMatrix() throws {
    let line = try CommandLine()
    let lenet = Fixtures.sample("lenet-blobs")
    expectSuccess(try line.netconv("convert", lenet, "out", "-q"))
    try line.folder.write(Self.lenetWeights, to: "w/model.json")
    let result = try line.netconv("diff", "out", "out")
    expectSuccess(result)
    // fc1 as a dense layer of its own: nobody says what its 320 inputs were.
    try line.folder.copy(lenet + "/fc1_W.bin", to: "w/fc1_W.bin")
    try line.folder.copy(lenet + "/fc1_b.bin", to: "w/fc1_b.bin")
    let partial = try line.netconv("diff", "out", "w", "--json")
    #expect(partial.status == 1)
    let report = try jsonObject(partial.output.utf8)
    let tensors = try #require(report["tensors"] as? [[String: Any]])
    #expect(tensors.map { $0["status"] as? String } == ["equal", "equal"])
    #expect(
      (report["notes"] as? [String])?.first
        == "fc1 kernel is equal if a flatten merges in the order I, H, W")
  }

  private static let lenetWeights = """
    {"format": "netconv-model", "version": 1, "name": "w",
     "inputs": [{"name": "x", "shape": [320]}], "outputs": ["fc1"],
     "layers": [
      {"name": "fc1", "operator": "Dense", "inputs": ["x"],
       "attributes": {"units": 64, "activation": "relu"},
       "parameters": [
        {"role": "kernel", "file": "fc1_W.bin", "dtype": "float32", "layout": "IO"},
        {"role": "bias", "file": "fc1_b.bin", "dtype": "float32", "layout": "O"}]}]}
    """

  @Test("a bias of gates and a vector of the same shape are compared as they are stored")
  func gates() throws {
    let line = try CommandLine()
    let lstm = Fixtures.path("audio/rtneural-lstm.keras")
    for destination in ["t", "t.npz"] {
      expectSuccess(try line.netconv("convert", lstm, destination, "--target", "torch", "-q"))
    }
    let values = try arrays(line.folder.file("t.npz")).map { name, array in
      (name, NDArray(shape: array.shape, values: array.values))
    }
    try writeArchive(values.sorted { $0.0 < $1.0 }, to: line.folder.file("bare.npz"))
    let result = try line.netconv("diff", "bare.npz", "t")
    expectSuccess(result)
    #expect(result.output.hasSuffix("\nequal: 8 equal\n"), "\(result.output)")
  }

  @Test("the JSON has hashes that NumPy gives too")
  func json() throws {
    let line = try tiny()
    expectSuccess(try line.netconv("convert", "blobs", "out", "-q"))
    let result = try line.netconv("diff", "blobs", "out", "--json")
    expectSuccess(result)
    let report = try jsonObject(result.output.utf8)
    #expect(report["equal"] as? Bool == true)
    #expect(report["graphsCompared"] as? Bool == true)
    let tensors = try #require(report["tensors"] as? [[String: Any]])
    // hashlib.sha256(kernel.transpose(0, 2, 3, 1).tobytes()) of the OIHW kernel; of the (HWI)O kernel
    // kernel.T.tobytes().
    let expected = [
      "5c8a149aa2abe1293acb95ec2a9133f661d3c5c52385a9e7073d70e6d3c4c494",
      "5886b9a76d5c9c4ae50635090f0970bd177ddff4468781a7a55eff715272fe9d",
      "7098d01a23ffd9b9168966fece71cb0d1ed2ddb4b2784d90ce385f9d12700e00",
      "7e406177b51d15abb20f1ca6ef932b6f8b8728f0b3483bcc7a5d69963cc3db1f",
    ]
    for side in ["a", "b"] {
      let hashes = tensors.compactMap { ($0[side] as? [String: Any])?["contentHash"] as? String }
      #expect(hashes == expected)
    }
  }

  @Test("what cannot be read is an error, and says which of the two it is")
  func errors() throws {
    let line = try tiny()
    expectError(
      try line.netconv("diff", "blobs", "missing"), 66,
      "missing: no such file or folder; check the path")
    try line.folder.write([], to: "other/fc_W.bin")
    let short = try line.netconv("diff", "blobs", "other")
    #expect(short.status == 65)
    #expect(short.errors.hasPrefix("netconv: error: other"))
    let result = try line.netconv("diff", "blobs", "")
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("netconv: error: B is empty, expected a path\n"))
  }
}
