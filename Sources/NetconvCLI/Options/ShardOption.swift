import ArgumentParser
import NetconvKit

extension Shard: ExpressibleByArgument {
  /// Creates a shard from text such as `2/8`.
  public init?(argument: String) { self.init(text: argument) }
}
