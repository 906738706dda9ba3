import ModelIR
import NetconvKit

/// Text for commands with two networks, A and B.
enum SidesRendering {
  /// The line for one network.
  static func line(
    _ name: String, path: String, format: String, framework: String?, tensorCount: Int,
    leftOut: Int
  ) -> String {
    let framework = framework.map { ", " + escaped($0) } ?? ""
    return "\(name)  \(escaped(path)) (\(format)\(framework)), \(counted(tensorCount, "tensor"))"
      + (leftOut == 0 ? "" : "; \(grouped(leftOut)) left out (not weights)")
  }

  /// The counts of each kind of tensors, without zeros.
  static func text(_ counts: [(count: Int?, what: String)]) -> String {
    let parts = counts.compactMap { count, what -> String? in
      guard let count, count > 0 else { return nil }
      return "\(grouped(count)) \(what)"
    }
    return parts.isEmpty ? "no tensors" : parts.joined(separator: ", ")
  }
}
