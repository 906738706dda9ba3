import ModelIR
import NetconvKit

/// What the verbs that take two networks, A and B, say of both.
enum SidesRendering {
  /// The line of one of them.
  static func line(
    _ name: String, path: String, format: String, framework: String?, tensorCount: Int,
    leftOut: Int
  ) -> String {
    let framework = framework.map { ", " + escaped($0) } ?? ""
    return "\(name)  \(escaped(path)) (\(format)\(framework)), \(counted(tensorCount, "tensor"))"
      + (leftOut == 0 ? "" : "; \(grouped(leftOut)) left out, as no weights")
  }

  /// How many tensors there are of each kind of which there are any.
  static func text(_ counts: [(count: Int?, what: String)]) -> String {
    let parts = counts.compactMap { count, what -> String? in
      guard let count, count > 0 else { return nil }
      return "\(grouped(count)) \(what)"
    }
    return parts.isEmpty ? "no tensors" : parts.joined(separator: ", ")
  }
}
