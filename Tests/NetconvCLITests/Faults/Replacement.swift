import TestSupport
import Testing

/// A run that replaces an earlier output.
struct Replacement: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The command; arguments with the prefix `NEW` are replaced by the source of each of the two runs.
  private let command: [String]
  /// Options of only the earlier run and of only the later one, if there is no source.
  private let options: [String: String]

  private init(_ description: String, _ command: String..., options: [String: String] = [:]) {
    testDescription = description
    self.command = command
    self.options = options
  }

  /// The command that makes the output of `source`: `earlier` or `later`, and others of this name.
  func command(of source: String) -> [String] {
    command.map { $0.hasPrefix("NEW") ? source + $0.dropFirst(3) : $0 }
      + (options[source].map { [$0] } ?? [])
  }

  /// True if the output consists of several files or folders, which appear one after the other.
  var isSeveral: Bool { ["embed", "probe"].contains(command[0]) }

  /// A replacement for each container, each verb that writes, and each way to read.
  static let all = [
    Replacement("bin", "convert", "NEW", "out", "--force", "--formats", "bin"),
    Replacement("archive", "convert", "NEW", "out", "--force", "--formats", "archive"),
    Replacement("safetensors", "convert", "NEW", "out", "--force", "--formats", "safetensors"),
    Replacement("npz", "convert", "NEW", "out", "--force", "--formats", "npz"),
    Replacement("c", "convert", "NEW", "out", "--force", "--target", "tflite"),
    Replacement(
      "rtneural", "convert", "NEW.keras", "out.rtneural.json", "--force", "--target", "rtneural"),
    Replacement("netpack alone", "convert", "NEW", "out.netpack", "--force"),
    Replacement("safetensors alone", "convert", "NEW", "out.safetensors", "--force"),
    Replacement("npz alone", "convert", "NEW", "out.npz", "--force"),
    Replacement("of HDF5", "convert", "NEW.h5", "out", "--force"),
    Replacement("goldens", "convert", "NEW", "out", "--force", "--goldens", "1"),
    Replacement("embed", "embed", "NEW", "--archive", "out.netpack", "--code", "out.swift"),
    Replacement(
      "emit", "emit", "NEW", "--language", "mpscnn", "--output", "Out", "--name", "Net", "--force"),
    Replacement(
      "emit mpsgraph", "emit", "NEW", "--language", "mpsgraph", "--output", "Out", "--name", "Net",
      "--force"),
    Replacement(
      "emit metal", "emit", "--language", "metal", "--output", "Out", "--name", "Look", "--force",
      "--filter", options: ["earlier": "saturation=0.5", "later": "saturation=0.25"]),
    Replacement(
      "probe", "probe", "out", "--force", "--dtype",
      options: ["earlier": "float32", "later": "float16"]),
    Replacement("run", "run", "later", "--input", "NEW.npy", "--output", "out.npz", "--force"),
  ]
}
