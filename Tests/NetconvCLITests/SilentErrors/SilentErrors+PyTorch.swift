import Foundation
import TestSupport
import Testing

/// PyTorch, safetensors and NumPy files that are wrong or incomplete.
extension SilentError {
  static let inPyTorch: [SilentError] = [
    SilentError("convert", "a PyTorch file with a network and its average", 65, "one with --entry")
    {
      line in
      try copy("two.pt", to: line)
      return try line.netconv("convert", "two.pt", "out", "--weights-only")
    },
    SilentError("convert", "a name of no part of a PyTorch file", 64, "which holds no weights") {
      line in
      try copy("two.pt", to: line)
      return try line.netconv("convert", "two.pt", "out", "--weights-only", "--entry", "net")
    },
    SilentError("convert", "a PyTorch file with a damaged value", 65, "does not match its checksum")
    {
      line in
      try copy("tensor.pt", to: line)
      // The first value, 0.375, stands once in the file.
      let place = try #require(
        try line.folder.bytes("tensor.pt").firstRange(of: [0, 0, 0xc0, 0x3e]))
      try line.flip("tensor.pt", at: place.lowerBound)
      return try line.netconv("convert", "tensor.pt", "out", "--weights-only")
    },
    SilentError("convert", "an older PyTorch file that was cut off", 65, "expected 8 values") {
      line in
      let bytes = Array(try Data(contentsOf: URL(filePath: fixture("state-old.pth"))))
      try line.folder.write(bytes.dropLast(4), to: "state.pth")
      return try line.netconv("convert", "state.pth", "out", "--weights-only")
    },
    SilentError("convert", "tensors that netconv does not read beside others", 65, "complex64") {
      line in
      try copy("unread.pt", to: line)
      return try line.netconv("convert", "unread.pt", "out", "--weights-only")
    },
    SilentError("inspect", "a pickle that would run a command, with --strict", 1, "'os.system'") {
      line in
      try line.folder.write([0x80, 2] + Array("cos\nsystem\n(S'true'\ntR.".utf8), to: "evil.pt")
      return try line.netconv("inspect", "evil.pt", "--strict")
    },
    SilentError("convert", "one of several files of safetensors", 0, "one of 2 by its name") {
      line in
      try copy("shards-00001-of-00002.safetensors", to: line)
      return try line.netconv(
        "convert", "shards-00001-of-00002.safetensors", "out", "--weights-only")
    },
    SilentError("convert", "an index of files one of which is gone", 66, "is missing") { line in
      try copy("shards.safetensors.index.json", to: line)
      try copy("shards-00001-of-00002.safetensors", to: line)
      return try line.netconv("convert", "shards.safetensors.index.json", "out", "--weights-only")
    },
    SilentError("convert", "an index beside files of another network", 65, "not in the file") {
      line in
      try copy("shards.safetensors.index.json", to: line)
      for number in 1...2 {
        try line.folder.copy(
          fixture("small.safetensors"), to: "shards-0000\(number)-of-00002.safetensors")
      }
      try line.replace("0.weight", with: "9.weight", in: "shards.safetensors.index.json")
      return try line.netconv("convert", "shards.safetensors.index.json", "out", "--weights-only")
    },
    SilentError("convert", "an array of Python objects", 65, "settings") { line in
      try copy("objects.npz", to: line)
      return try line.netconv("convert", "objects.npz", "out", "--weights-only")
    },
  ]

  private static func fixture(_ name: String) -> String { Fixtures.path("pytorch/" + name) }

  private static func copy(_ name: String, to line: CommandLine) throws {
    try line.folder.copy(fixture(name), to: name)
  }
}
