import NetconvKit

/// Prints the result of a check of a manifest's hashes.
enum HashRendering {
  /// Prints `hashes     8 tensors in bin and archive are as the manifest says`; nothing for no
  /// tensors.
  static func print(_ count: Int, in containers: [String]) {
    guard count > 0 else { return }
    Output.print(
      "hashes     \(counted(count, "tensor")) in \(wordList(containers)) "
        + "\(count == 1 ? "is" : "are") as the manifest says")
  }
}

/// A list in words: `bin`, `bin and archive`, or `bin, archive and npz`.
func wordList(_ names: [String]) -> String {
  guard names.count > 1, let last = names.last else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}
