import Documents
import ModelIR
import Readers

extension LayerReplacements {
  /// Parses the replacements of a request.
  ///
  /// - Throws: `usage` with the position of a mistake, or if a layer is named twice.
  init(options texts: [String]) throws(NetconvError) {
    do throws(NetconvError) {
      self = try LayerReplacements(named: texts)
    } catch {
      throw error.inSetting(.replacements)
    }
  }

  /// Parses replacements, each as `LAYER=OPERATOR(attribute: value, …)`.
  ///
  /// - Throws: `usage` with the position of a mistake, or if a layer is named twice.
  init(named texts: [String]) throws(NetconvError) {
    try self.init(texts.map { (text) throws(NetconvError) in try LayerReplacement(text) })
  }

  /// Returns these replacements, or those in the manifest of `source` if there are none.
  func orThose(of source: ReadSource) -> LayerReplacements {
    guard isEmpty, let records = source.converted?.manifest.replaced else { return self }
    return (try? LayerReplacements(named: records.map { "\($0.layer)=\($0.by)" })) ?? self
  }

  /// Checks that each named layer was replaced in at least one of the sources.
  ///
  /// - Throws: `usage` naming the first layer that was not.
  func check(replacedIn sources: ReadSource...) throws(NetconvError) {
    let replaced = Set(sources.flatMap(\.replaced).map(\.layer))
    for layer in layers where !replaced.contains(layer) { throw .replacedNowhere(layer) }
  }
}

extension ReadSource {
  /// The layers that were replaced, now or when the source was written; `nil` if there are none.
  var replacementRecords: [ReplacementRecord]? {
    replaced.isEmpty ? converted?.manifest.replaced : replaced
  }
}

extension NetconvError {
  fileprivate static func replacedNowhere(_ layer: String) -> NetconvError {
    NetconvError(
      .usage,
      "neither model has a layer \(quoted(layer)) that can be replaced; only a Lambda, a custom layer or "
        + "an unsupported layer can")
  }
}
