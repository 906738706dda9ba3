import Foundation
import TestSupport

/// Failures that have to be visible on the page, without the terminal; and pages of another run.
extension SilentError {
  static let inPages: [SilentError] = [
    SilentError("inspect --html", "values that are not finite", 0, "infinite or NaN") {
      line in
      try line.writeLeNet()
      try line.change("lenet/conv1_W.bin") { $0[7] = .infinity }
      return try line.netconv("inspect", "lenet", "--html", "p.html")
    },
    page("inspect --html", "values that are not finite, by the page", 0, "conv1 kernel") { line in
      try line.change("lenet/conv1_W.bin") { $0[7] = .infinity }
      return ["inspect", "lenet"]
    },
    page("verify --html", "predictions that are not finite", 1, "predictions are infinite") {
      line in
      try line.change("lenet/fc2_b.bin") { $0[0] = .nan }
      return ["verify", "lenet", "--limit", "100"]
    },
    page("verify --html", "an accuracy below the one asked for", 1, "below the 0.9") { line in
      try line.writeOtherWeights(["fc2_W"])
      return ["verify", "lenet", "--limit", "100", "--min-accuracy", "0.9"]
    },
    page("verify --html", "a layer with other weights", 1, "fc1") { line in
      try line.writeOtherWeights(["fc1_W"])
      return ["verify", "lenet", "--against", Fixtures.sample("lenet-blobs"), "--limit", "50"]
    },
    page("diff --html", "a changed value", 1, "1 tensor differs") { line in
      try line.change("lenet/conv1_W.bin") { $0[7] += 1 }
      return ["diff", Fixtures.sample("lenet-blobs"), "lenet"]
    },
    page("relate --html", "a tensor of another network", 1, "Not every tensor") { line in
      try line.writeOtherWeights(["fc1_W"])
      return ["relate", Fixtures.sample("lenet-blobs"), "lenet"]
    },
    SilentError("verify --html", "an earlier page that stands for this one", 73, "--force") {
      line in
      try line.writeLeNet()
      try line.prepare("verify", "lenet", "--limit", "100", "-q", "--html", "p.html")
      return try line.netconv("verify", "lenet", "--limit", "100", "--html", "p.html")
    },
    SilentError("verify --html", "a page of one part of the samples", 64, "--shard") { line in
      try line.writeLeNet()
      return try line.netconv("verify", "lenet", "--shard", "1/2", "--json", "--html", "p.html")
    },
    SilentError("verify --goldens --html", "goldens of other weights", 65, "goldens.json") { line in
      try line.convertLeNet("--goldens", "2")
      try line.replace("\"float32\": ", with: "\"float32\": 9", in: "out/goldens/goldens.json")
      return try line.netconv("verify", "out", "--goldens", "--html", "p.html")
    },
  ]

  /// A run whose page has to start with a failure that contains `words`, whatever the terminal shows.
  private static func page(
    _ verb: String, _ mistake: String, _ status: Int32, _ words: String,
    _ make: @escaping @Sendable (CommandLine) throws -> [String]
  ) -> SilentError {
    SilentError(verb, mistake, status, words) { line in
      try line.writeLeNet()
      let arguments = try make(line) + ["--quiet", "--html", "p.html"]
      // What the page says first is what is seen, as a line that begins as a warning does.
      let script = #"""
        "$@" >/dev/null 2>&1; code=$?
        tr -d '\n' < p.html | sed -n 's/.*<section id="lead" class="lead bad"[^>]*><p class="verdict">\([^<]*\).*/warning: \1/p' >&2
        exit $code
        """#
      return try NetconvProcess.run(
        arguments, in: line.folder.path, wrapper: ["/bin/sh", "-c", script, "sh"])
    }
  }
}
