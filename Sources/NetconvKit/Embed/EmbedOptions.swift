import Documents
import Emission
import Files
import Lowering
import ModelIR
import Readers
import Transforms

/// Options for embedding a checkpoint, validated as far as possible without the checkpoint.
struct EmbedOptions {
  let target: Target
  let elementTypes: [ElementTypeChoice]
  let foldsBatchNormalization: Bool
  /// Operators that replace layers that cannot be read.
  let replacements: [String]
  /// The code to write, if any.
  let code: Code?

  /// Code that runs the network.
  struct Code {
    let language: PackageLanguage
    let precision: Precision
    /// The name of the class; by default that of the checkpoint.
    let name: String?
  }

  /// - Throws: `badData` that names the file and the key, or any error from reading the file.
  init(file path: String?) throws(NetconvError) {
    guard let path else {
      try self.init(EmbedOptionsDocument())
      return
    }
    do throws(NetconvError) {
      let bytes = try RandomAccessFile(path: path).contents(limit: Self.sizeLimit)
      _ = try JSONDocument.parse(bytes, refusesRepeatedKeys: true)
      try self.init(try JSONDocument.decode(EmbedOptionsDocument.self, from: bytes))
    } catch {
      throw error.ofOptions(path)
    }
  }

  private static let sizeLimit = 1 << 20

  private init(_ document: EmbedOptionsDocument) throws(NetconvError) {
    foldsBatchNormalization = document.fold
    replacements = document.replace
    do throws(NetconvError) {
      _ = try LayerReplacements(named: document.replace)
    } catch {
      throw error.inOption("replace")
    }
    let choices = try document.dtype.map { (text) throws(NetconvError) in
      guard let choice = ElementTypeChoice(text) else {
        throw NetconvError.noElementType(text).inOption("dtype")
      }
      return choice
    }
    guard let word = document.language else {
      guard document.name == nil else { throw NetconvError.nameWithoutCode.inOption("name") }
      code = nil
      target = try Self.target(document.target ?? "mps")
      elementTypes = choices
      try check()
      return
    }
    guard let language = PackageLanguage.named(word) else {
      throw NetconvError.noEmbeddedLanguage(word).inOption("language")
    }
    guard document.target == nil else {
      throw NetconvError.targetOfLanguage(language).inOption("target")
    }
    target = try Self.target(language.target)
    guard let precision = Self.precision(choices) else {
      throw NetconvError.precisionOfCode(language).inOption("dtype")
    }
    elementTypes =
      choices.isEmpty ? ElementTypeChoice(precision.rawValue).map { [$0] } ?? [] : choices
    code = Code(language: language, precision: precision, name: document.name)
  }

  private static func target(_ name: String) throws(NetconvError) -> Target {
    do throws(NetconvError) {
      return try Target.named(name)
    } catch {
      throw error.inOption("target")
    }
  }

  /// Returns the precision of images and kernels if they share one, by default float16; otherwise `nil`.
  private static func precision(_ choices: [ElementTypeChoice]) -> Precision? {
    guard let choice = choices.first else { return .float16 }
    return choices.count == 1 && choice.pattern == nil
      ? Precision(rawValue: choice.elementType.rawValue) : nil
  }

  private func check() throws(NetconvError) {
    do throws(NetconvError) {
      for choice in elementTypes { try target.check(choice.elementType) }
    } catch {
      throw error.inOption("dtype")
    }
  }
}

extension NetconvError {
  fileprivate static func noEmbeddedLanguage(_ word: String) -> NetconvError {
    let known = PackageLanguage.all.map(\.name)
    return NetconvError(
      .badData,
      "there is no language \(quoted(word)) for builds; known are \(known.joined(separator: ", "))")
  }

  fileprivate static func targetOfLanguage(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .badData, "\(language.name) has its own layouts; leave out the target, or the language")
  }

  fileprivate static func precisionOfCode(_ language: PackageLanguage) -> NetconvError {
    NetconvError(
      .badData,
      "code of \(language.name) supports float16 or float32, the same for all kernels; name one of them"
    )
  }

  fileprivate static var nameWithoutCode: NetconvError {
    NetconvError(.badData, "no language is named, so there is no code to name")
  }

  fileprivate static func noElementType(_ text: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(text)) is not a type; write \(ElementTypeChoice.known.map(\.rawValue).joined(separator: ", ")), "
        + "or PATTERN=TYPE")
  }
}
