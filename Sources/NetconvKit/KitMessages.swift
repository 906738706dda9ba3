import Documents
import Execution
import ModelIR

/// Error and warning messages that several verbs share.
extension NetconvError {
  static var interrupted: NetconvError {
    NetconvError(.interrupted, "interrupted; nothing was changed")
  }

  static func replacedNowhere(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      "neither model has a layer \(quoted(layer)) that can be replaced; only a Lambda, a custom layer or "
        + "an unsupported layer can")
  }

  static var cannotFoldForComparison: NetconvError {
    NetconvError(.usage, text: "nothing can be folded without the graph; leave out \(.folds)")
  }

  static var hasGraph: NetconvError {
    NetconvError(.usage, "has a graph and needs no description")
  }

  static func fractionalTokenID(_ value: Float, sample: Int, layer: String) -> NetconvError {
    NetconvError(
      .badData,
      "sample \(sample) holds \(numeral(value)), but layer \(quoted(layer)) needs token ids, which are "
        + "integers; they may be scaled")
  }

  static func renamedNowhere(_ variable: String) -> NetconvError {
    NetconvError(
      .usage, text: "\(.renames) names \(quoted(variable)), which is not a weight of either")
  }

  static func wrongHash(_ found: String, expected: String) -> NetconvError {
    NetconvError(
      .badData,
      "SHA-256 is \(found.prefix(16))…, the manifest says \(expected.prefix(16))…; it is damaged, "
        + "so convert the model again")
  }

  static var wrongTensorChecksum: NetconvError {
    NetconvError(.badData, "does not match its checksum; the file is damaged")
  }

  static func missingContainers(_ missing: [String], left: [String]) -> NetconvError {
    let names = missing.map { quoted($0) }
    return NetconvError(
      .badData,
      text:
        "\(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") missing, which the manifest lists; "
        + "restore the missing files, or write \(left.first ?? "it") alone with netconv convert \(.formats) "
        + "\(left.first ?? OutputFormat.readable[0].rawValue)")
  }

  static func unknownLayer(_ name: String) -> NetconvError {
    NetconvError(.usage, "there is no layer \(quoted(name)); netconv inspect lists them")
  }
}

extension Event {
  /// A note about the layers for which the engine has no fast kernel.
  package static func fallbacks(of engine: any Engine) -> Event {
    let layers = engine.fallbacks
    return switch layers.count {
    case _ where !(engine is FastEngine):
      .note("the reference engine runs every layer as it is defined", details: [])
    case 0: .note("the fast engine has a kernel for every layer", details: [])
    case 1:
      .note(
        "1 layer has no fast kernel and runs as it is defined, slowly", details: layers.messages)
    default:
      .note(
        "\(layers.count) layers have no fast kernel and run as they are defined, slowly",
        details: layers.messages)
    }
  }
}
