import ArgumentParser
import NetconvKit

extension Shard {
  /// Parses the argument of an option, such as `2/8`.
  static func parsed(_ argument: String) throws -> Shard {
    guard let shard = Shard(text: argument) else {
      throw ValidationError("expected I/N with 1 ≤ I ≤ N, such as 2/8 for the second of eight")
    }
    return shard
  }
}
