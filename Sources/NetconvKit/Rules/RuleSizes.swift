import Documents
import Files
import ModelIR

/// The sizes that rules state, some of them by keys of a network's configuration.
struct RuleSizes {
  private let path: String
  private let config: JSONValue?

  /// Reads the configuration.
  ///
  /// - Parameters:
  ///   - path: the path of the configuration; `nil` for `config.json` beside the source, if there is one.
  ///   - folder: the folder of the source.
  /// - Throws: `cannotOpen`, or `badData` if the file is not JSON.
  init(_ path: String?, beside folder: String) throws(NetconvError) {
    let file = path ?? folder + "/config.json"
    self.path = file
    guard path != nil || FileState(path: file) != nil else {
      config = nil
      return
    }
    do throws(NetconvError) {
      config = try JSONDocument.parse(
        RandomAccessFile(path: file).contents(limit: JSONDocument.sizeLimit))
    } catch {
      throw error.inFile(file)
    }
  }

  /// Returns the value of a size.
  ///
  /// - Throws: `usage` if a key is missing or the value is not a positive integer.
  func value(_ size: WeightRules.Size) throws(NetconvError) -> Int {
    let value: Int
    switch size {
    case .number(let number): value = number
    case .expression(let text): value = try self.value(of: text)
    }
    guard value > 0 else { throw .badSize("\(value)") }
    return value
  }

  /// Evaluates products and exact quotients from left to right.
  private func value(of text: String) throws(NetconvError) -> Int {
    var result = 1
    var rest = text.filter { $0 != " " }[...]
    var sign: Character = "*"
    while true {
      let term = rest.prefix { $0 != "*" && $0 != "/" }
      let number = try factor(String(term), in: text)
      if sign == "*" {
        result = try product([result, number])
      } else {
        guard number > 0, result.isMultiple(of: number) else { throw .badSize(text) }
        result /= number
      }
      guard let next = rest.dropFirst(term.count).first else { return result }
      sign = next
      rest = rest.dropFirst(term.count + 1)
    }
  }

  /// Returns the value of a number, or of a key such as `text_config.num_attention_heads`.
  private func factor(_ term: String, in text: String) throws(NetconvError) -> Int {
    guard !term.isEmpty else { throw .badSize(text) }
    if let number = Int(term) { return number }
    guard let config else { throw .noConfiguration(term, path) }
    let value = term.split(separator: ".").reduce(config as JSONValue?) { $0?[String($1)] }
    guard let number = value?.int, number > 0 else { throw .noSizeInConfiguration(term, path) }
    return number
  }
}

extension NetconvError {
  fileprivate static func badSize(_ text: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(text)) is not a size; expected a positive integer, a key of the configuration, or a product of them"
    )
  }

  fileprivate static func noConfiguration(_ key: String, _ path: String) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "the size \(quoted(key)) is a key of the configuration, and there is no \(quoted(path)); name the file with \(.configuration)"
    )
  }

  fileprivate static func noSizeInConfiguration(_ key: String, _ path: String) -> NetconvError {
    NetconvError(.usage, "\(quoted(path)) has no positive integer called \(quoted(key))")
  }
}
