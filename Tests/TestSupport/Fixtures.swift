import Foundation

/// The files in the repository that tests read.
public enum Fixtures {
  /// The root of the repository.
  public static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path(percentEncoded: false).trimmingSuffix("/")

  /// The path of a file in `Tests/Fixtures`.
  public static func path(_ name: String) -> String { "\(repository)/Tests/Fixtures/\(name)" }

  /// The path of a file in `Samples`.
  public static func sample(_ name: String) -> String { "\(repository)/Samples/\(name)" }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
