import ArgumentParser
import NetconvKit

extension Shard: ExpressibleByArgument {
  /// `2/8`.
  public init?(argument: String) { self.init(text: argument) }
}
