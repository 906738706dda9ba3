import Documents
import Files
import ModelIR

/// The files of a split network, in order, or the only file of a network that is not split.
///
/// Source: llama.cpp, src/llama.cpp, `llama_split_path`; tools/gguf-split: the keys `split.no`, `split.count` and
/// `split.tensors.count`.
struct GGUFParts {
  let headers: [GGUFHeader]

  private static let mostParts = 4096

  /// Reads the header of `file` and of the other parts in its folder.
  ///
  /// - Throws: `cannotOpen` if a part is missing, `badData` if it belongs to another network.
  init(_ file: RandomAccessFile) throws(NetconvError) {
    let header = try GGUFHeader(file)
    guard let count = header["split.count"]?.integer, count > 1 else {
      headers = [header]
      return
    }
    let number = (header["split.no"]?.integer ?? 0) + 1
    guard count <= Self.mostParts, 1...count ~= number,
      let name = PartName(file.path), name.number == number, name.count == count
    else {
      throw NetconvError.unnamedPartOfGGUF(number, of: count).inFile(file.path)
    }
    var headers: [GGUFHeader] = []
    for part in 1...count {
      headers.append(
        try part == number ? header : Self.part(part, of: count, at: name.path(of: part)))
    }
    try Self.check(headers)
    self.headers = headers
  }

  private static func part(
    _ number: Int, of count: Int, at path: String
  ) throws(NetconvError) -> GGUFHeader {
    guard FileState(path: path) != nil else {
      throw NetconvError.missingPartOfGGUF.inFile(path)
    }
    let header = try GGUFHeader(RandomAccessFile(path: path))
    let found = (
      header["split.no"]?.integer.map { $0 + 1 } ?? 1, header["split.count"]?.integer ?? 1
    )
    guard found == (number, count) else {
      throw NetconvError.wrongPartOfGGUF(
        "part \(found.0) of \(found.1)", expected: "part \(number) of \(count)"
      ).inFile(path)
    }
    return header
  }

  private static func check(_ headers: [GGUFHeader]) throws(NetconvError) {
    let count = headers.reduce(0) { $0 + $1.tensors.count }
    let stated = headers.first?["split.tensors.count"]?.integer ?? count
    guard count == stated else { throw .otherTensorCountOfGGUF(count, expected: stated) }
    var names: Set<String> = []
    for header in headers {
      for tensor in header.tensors where !names.insert(tensor.name).inserted {
        throw NetconvError.repeatedTensorInGGUF(tensor.name).inFile(header.file.path)
      }
    }
  }
}

/// The name of a part: `NAME-00001-of-00003.gguf`.
private struct PartName {
  let start: String
  let number: Int
  let count: Int
  private let countDigits: String

  init?(_ path: String) {
    let ending = OutputFormat.gguf.ending ?? ""
    guard path.hasSuffix(ending) else { return nil }
    let parts = path.dropLast(ending.count).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[parts.count - 2] == "of", let last = parts.last,
      last.utf8.count == 5, let count = Int(last), parts[parts.count - 3].utf8.count == 5,
      let number = Int(parts[parts.count - 3])
    else { return nil }
    start = parts.dropLast(3).joined(separator: "-")
    self.number = number
    self.count = count
    countDigits = String(last)
  }

  func path(of part: Int) -> String {
    let digits = String(part)
    return start + "-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + "-of-"
      + countDigits + (OutputFormat.gguf.ending ?? "")
  }
}

extension NetconvError {
  fileprivate static let missingPartOfGGUF = NetconvError(
    .cannotOpen, "is missing, a part of the network; copy all parts to one folder")

  fileprivate static func wrongPartOfGGUF(_ found: String, expected: String) -> NetconvError {
    NetconvError(
      .badData, "is \(found) by its metadata, expected \(expected); the parts are of two networks")
  }

  fileprivate static func otherTensorCountOfGGUF(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData, "the parts have \(found) tensors, expected \(expected) by the first one's metadata")
  }
}
