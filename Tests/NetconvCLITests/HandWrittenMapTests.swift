import Foundation
import ModelIR
import TestSupport
import Testing

/// Maps that a person wrote or edited: each key has its effect, or the map is rejected.
@Suite("convert: maps by hand")
struct HandWrittenMapTests {
  /// A folder with the arrays a (6), b (4, 4), gamma (4) and variance (4).
  private func folder() throws -> CommandLine {
    let line = try CommandLine()
    let count = { (range: ClosedRange<Int>) in range.map(Float.init) }
    try writeArchive(
      [
        ("a", NDArray(shape: [6], values: count(1...6))),
        ("b", NDArray(shape: [4, 4], values: count(1...16))),
        ("gamma", NDArray(shape: [4], values: [10, 20, 30, 40])),
        ("variance", NDArray(shape: [4], values: [1, 1, 1, 1])),
      ], to: line.folder.file("in.npz"))
    return line
  }

  /// Converts with a map that makes one tensor of these parts.
  private func convert(
    _ parts: String, shape: String = "[6]", type: String = "float32", in line: CommandLine
  ) throws -> NetconvProcess.Result {
    let map = """
      {"format": "netconv-map", "version": 1, "unrelated": [], "unused": ["a", "b", "gamma", "variance"],
       "tensors": [{"name": "t", "shape": \(shape), "dtype": "\(type)", "parts": [\(parts)]}]}
      """
    try line.folder.write(map, to: "map.json")
    return try line.netconv("convert", "in.npz", "out", "--map", "map.json", "--force")
  }

  @Test(
    "keys without effect, and two ranges of one axis",
    arguments: [
      (
        #"{"to": [{"axis": 0, "start": 0, "end": 3}], "of": "a", "from": [{"axis": 0, "start": 0, "end": 3}]}, "#
          + #"{"to": [{"axis": 0, "start": 1, "end": 2}, {"axis": 0, "start": 3, "end": 6}], "of": "a", "#
          + #""from": [{"axis": 0, "start": 0, "end": 3}]}"#, "[6]",
        "has two ranges of one axis; write a part for each"
      ),
      (
        #"{"of": "a", "from": [{"axis": 0, "start": 2, "end": 4}, {"axis": 0, "start": 3, "end": 6}]}"#,
        "[3]", "has two ranges of one axis; write a part for each"
      ),
      (
        #"{"of": "a", "factor": 2, "rounded": "float16"}"#, "[6]",
        "the key 'rounded' has no effect beside 'factor'; leave one of them out"
      ),
      (
        #"{"factor": 2}"#, "[6]",
        "a part without 'of' is zeros, but has the key 'factor'; name its tensor, or leave it out"
      ),
      (
        #"{"pattern": "a b -> b a"}"#, "[6]",
        "a part without 'of' is zeros, but has the key 'pattern'; name its tensor, or leave it out"
      ),
      (
        #"{"of": "a", "sizes": {"q": 2}}"#, "[6]",
        "the key 'sizes' has no effect here; leave it out"
      ),
      (
        #"{"of": "gamma", "normalization": {"gamma": "gamma", "variance": "variance", "epsilon": 0, "#
          + #""axis": 0, "mean": "variance"}}"#, "[4]",
        "the key 'axis' has no effect beside 'mean'; leave one of them out"
      ),
      (
        #"{"of": "b", "pattern": "a b -> a b", "normalization": {"gamma": "gamma", "variance": "variance", "#
          + #""epsilon": 0, "axis": 1}}"#, "[1, 4, 4]",
        "has a normalisation whose axis does not fit its gamma; set it to gamma's axis"
      ),
    ])
  func useless(parts: String, shape: String, words: String) throws {
    let line = try folder()
    let result = try convert(parts, shape: shape, in: line)
    #expect(result.status == 65)
    #expect(
      result.errors == "netconv: error: map.json: tensor 't': \(words)\n", "\(result.errors)")
    #expect(try !line.folder.files().contains("out"))
  }

  @Test("values that a type of fewer bits cannot hold are refused wherever they come from")
  func overflow() throws {
    let line = try folder()
    let joined =
      #"{"to": [{"axis": 0, "start": 0, "end": 6}], "of": "a", "factor": 1e5}, {"to": [{"axis": 0, "#
      + #""start": 6, "end": 10}], "of": "gamma"}"#
    let refused = try convert(joined, shape: "[10]", type: "float16", in: line)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("cannot hold"), "\(refused.errors)")
    #expect(try convert(joined, shape: "[10]", in: line).status == 0)
  }

  @Test("a tensor that nothing is made of is warned of")
  func unused() throws {
    let line = try folder()
    let result = try convert(#"{"of": "a"}"#, in: line)
    #expect(result.status == 0)
    #expect(
      result.errors.contains(
        "warning: the map uses no part of 3 tensors; if their values matter, the result is wrong"),
      "\(result.errors)")
    for name in ["'b'", "'gamma'", "'variance'"] { #expect(result.errors.contains(name)) }
  }

  @Test("an order that values do not tell is left to a person, and so is the map")
  func order() throws {
    let line = try CommandLine()
    let kernel = NDArray<Float>(shape: [6, 2], values: [1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 7, 8])
    let moved = NDArray<Float>(shape: [6, 2], values: [5, 6, 0, 0, 7, 8, 1, 2, 3, 4, 0, 0])
    try writeArchive([("w", kernel)], to: line.folder.file("a.npz"))
    try writeArchive([("k", moved)], to: line.folder.file("b.npz"))
    let related = try line.netconv("relate", "a.npz", "b.npz", "--map", "map.json")
    #expect(related.status == 0)
    #expect(
      related.output.contains(
        "k (6, 2) is undetermined: other orders of indices have the same values as this one\n"),
      "\(related.output)")
    let refused = try line.netconv("convert", "a.npz", "out", "--map", "map.json")
    #expect(refused.status == 65)
    #expect(
      refused.errors
        == "netconv: error: map.json: tensor 'k': may have another order, which its values do not "
        + "show; make the candidate its parts if its order is right, or write the map from trained weights\n"
    )
  }

  @Test("zeros that were put beside a part of a tensor, whose other values are not 0")
  func leftBehind() throws {
    let line = try CommandLine()
    // Where the two meet they hold 0 when the map is made, which looks like zeros that were put there.
    let (p, q) = ((1...15).map(Float.init), (21...35).map(Float.init))
    for (file, last) in [("before.npz", Float(0)), ("after.npz", 9)] {
      try writeArchive(
        [
          ("p", NDArray(shape: [16], values: p + [last])),
          ("q", NDArray(shape: [16], values: [0] + q)),
        ],
        to: line.folder.file(file))
    }
    try writeArchive(
      [("r", NDArray(shape: [32], values: p + [0, 0] + q))], to: line.folder.file("b.npz"))
    expectSuccess(try line.netconv("relate", "before.npz", "b.npz", "--map", "map.json"))
    let same = try line.netconv("convert", "before.npz", "out", "--map", "map.json")
    #expect(!same.errors.contains("puts zeros beside"))
    let other = try line.netconv("convert", "after.npz", "out", "--map", "map.json", "--force")
    #expect(
      other.errors.contains(
        "netconv: warning: the map puts zeros beside a part of 1 tensor, whose other values are not 0; correct its "
          + "ranges, or write it from trained weights\n  'p'\n"), "\(other.errors)")
  }
}
