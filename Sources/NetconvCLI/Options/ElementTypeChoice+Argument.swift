import ArgumentParser
import NetconvKit

/// Support for `--dtype`.
extension ElementTypeChoice: ExpressibleByArgument {
  /// Creates a choice from the value of an argument.
  public init?(argument: String) { self.init(argument) }

  /// The dtypes without patterns, for help and completion.
  public static var allValueStrings: [String] { known.map(\.rawValue) }
}
