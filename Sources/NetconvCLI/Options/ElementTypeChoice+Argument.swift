import ArgumentParser
import NetconvKit

/// A value of `--dtype`.
extension ElementTypeChoice: ExpressibleByArgument {
  /// Reads a value.
  public init?(argument: String) { self.init(argument) }

  /// The types without patterns, for help and completions.
  public static var allValueStrings: [String] { known.map(\.rawValue) }
}
