import Foundation
import TestSupport
import Testing

/// `netconv diff` of networks, one of which was folded.
@Suite("diff of a folded network")
struct FoldedDiffTests {
  /// A checkpoint with four normalisations, three of which are folded into kernels in `folded`.
  private func line(_ options: String...) throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.copy(Fixtures.path("keras/keras3-batch-norm.h5"), to: "source.h5")
    let result = try NetconvProcess.run(
      ["convert", "source.h5", "folded", "--fold-batch-norm", "-q"] + options, in: line.folder.path)
    expectSuccess(result)
    return line
  }

  @Test("without --fold it is said that one side was folded, and what to do")
  func note() throws {
    let line = try line()
    let result = try line.netconv("diff", "source.h5", "folded")
    #expect(result.status == 1)
    #expect(
      result.output.hasPrefix(
        """
        A  source.h5 (keras-h5, keras 3.15.1), 17 tensors
        B  folded (netconv, keras 3.15.1), 10 tensors, folded when it was converted

        """), "\(result.output)")
    #expect(
      result.output.contains(
        """
        note: B was folded when it was converted: 3 layers went into the kernels before them; --fold folds A the \
        same way first
        note: to see their effect on each layer and the outputs, run: netconv verify folded --against source.h5

        different: 
        """), "\(result.output)")
    let other = try line.netconv("diff", "folded", "source.h5")
    #expect(other.status == 1)
    #expect(
      other.output.contains(
        "note: A was folded when it was converted: 3 layers went into the kernels before them; --fold "
          + "folds B the same way first\n"))
  }

  @Test("with --fold both are compared as folded, whichever was, and in any type")
  func fold() throws {
    let line = try line()
    let result = try line.netconv("diff", "source.h5", "folded", "--fold", "--exact")
    expectSuccess(result)
    #expect(
      result.output == """
        A  source.h5 (keras-h5, keras 3.15.1), 10 tensors, folded for this comparison
        B  folded (netconv, keras 3.15.1), 10 tensors, folded when it was converted

        equal: 10 equal; the graphs are equal

        """)
    expectSuccess(try line.netconv("diff", "folded", "source.h5", "--fold", "--exact"))
    expectSuccess(try line.netconv("diff", "folded", "folded", "--fold", "--exact"))
    // What is folded again has no record any more, and nothing left to fold.
    expectSuccess(try line.netconv("convert", "folded", "again.netpack", "-q"))
    expectSuccess(try line.netconv("diff", "source.h5", "again.netpack", "--fold", "--exact"))

    expectSuccess(
      try line.netconv(
        "convert", "source.h5", "half", "--fold-batch-norm", "--dtype", "float16", "-q"))
    let half = try line.netconv("diff", "source.h5", "half", "--fold", "--json")
    expectSuccess(half)
    let report = try jsonObject(half.output.utf8)
    #expect((report["a"] as? [String: Any])?["folding"] as? String == "now")
    #expect((report["b"] as? [String: Any])?["folding"] as? String == "recorded")
    let statuses = try #require(report["tensors"] as? [[String: Any]]).map {
      $0["status"] as? String
    }
    #expect(Set(statuses) == ["equal", "rounded"])
  }

  @Test("weights that differ once both are folded are still found")
  func changed() throws {
    let line = try line()
    // The same layers, trained otherwise.
    try line.folder.copy(Fixtures.path("keras/keras2-batch-norm.h5"), to: "other.h5")
    let result = try line.netconv("diff", "other.h5", "folded", "--fold")
    #expect(result.status == 1)
    #expect(result.output.contains("conv1 kernel: 36 of 36 values changed"), "\(result.output)")
    #expect(result.output.contains("conv1 bias: 3 of 3 values changed"), "\(result.output)")
    #expect(result.output.hasSuffix("different: 10 changed; the graphs differ\n"))
  }

  @Test("what cannot be folded is an error, and what need not be is said")
  func nothingToFold() throws {
    let line = try line()
    expectSuccess(try line.netconv("convert", "source.h5", "w", "--weights-only", "-q"))
    expectError(
      try line.netconv("diff", "source.h5", "w", "--fold"), 64,
      "w: nothing can be folded without the graph; leave out --fold")
    let lenet = Fixtures.sample("lenet-blobs")
    let result = try line.netconv("diff", lenet, lenet, "--fold")
    expectSuccess(result)
    #expect(result.output.contains("\nnote: neither A nor B has layers to fold\n"))
  }
}
