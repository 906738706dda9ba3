import Foundation
import TestSupport
import Testing

/// Rules that do not fit the weights they are applied to.
extension SilentError {
  static let inRules: [SilentError] = [
    SilentError("convert", "a rule for tensors of another network", 64, "matches no tensor") {
      line in
      try convert(line, #"{"from": "transformer.h.{n}.c_attn.weight", "pattern": "i o -> o i"}"#)
    },
    SilentError("convert", "a join of which one layer lacks a tensor", 64, "beside it") { line in
      try convert(
        line,
        #"{"drop": "*layers.1.self_attn.k_proj.weight"}, {"from": ["*q_proj.weight", "*k_proj.weight"], "to": "*qk", "join": 0}"#
      )
    },
    SilentError("convert", "a stack that lacks an expert", 64, "lack number 1") { line in
      try convert(
        line,
        #"{"drop": "*experts.1.*"}, {"from": "*experts.{e}.down_proj.weight", "to": "*w", "stack": "e"}"#
      )
    },
    SilentError("convert", "a split into parts of other lengths", 64, "add up to 36") { line in
      try convert(
        line,
        #"{"from": "*gate_up_proj.weight", "to": ["*gate", "*up"], "split": 0, "parts": [18, 18]}"#)
    },
    SilentError("convert", "heads that do not divide the rows", 65, "does not fit") { line in
      try convert(
        line,
        #"{"from": "*q_proj.weight", "pattern": "(h t d) i -> (h d t) i", "sizes": {"h": 5, "t": 2}}"#
      )
    },
    SilentError("convert", "two rules that write one tensor", 64, "is made twice") { line in
      try convert(line, #"{"from": "*q_proj.weight", "to": "*v_proj.weight"}"#)
    },
    SilentError("convert", "a join undone without its lengths", 64, "cannot be reversed") { line in
      try convert(
        line, #"{"from": ["*q_proj.weight", "*k_proj.weight"], "to": "*qk", "join": 0}"#,
        "--reverse")
    },
    SilentError("convert", "a substitution that merges names", 64, "the same name") { line in
      try line.netconv(
        "convert", source, "out", "--weights-only", "--rename", #"s/layers\.\d+/layers/"#)
    },
  ]

  private static let source = Fixtures.path("rules/source.safetensors")

  private static func convert(
    _ line: CommandLine, _ rules: String, _ options: String...
  ) throws -> NetconvProcess.Result {
    try line.folder.write(
      #"{"format": "netconv-rules", "version": 1, "rules": [\#(rules)]}"#, to: "rules.json")
    return try line.netconv(
      ["convert", source, "out", "--weights-only", "--rules", "rules.json"] + options)
  }
}
