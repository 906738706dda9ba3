import Documents
import ModelIR
import Readers

extension LayerReplacements {
  /// The replacements that a request names.
  ///
  /// - Throws: `usage` that points at the place of a mistake, or if a layer is named twice.
  init(options texts: [String]) throws(NetconvError) {
    do throws(NetconvError) {
      self = try LayerReplacements(named: texts)
    } catch {
      throw error.inSetting(.replacements)
    }
  }

  /// The replacements that `texts` name, each as `LAYER=OPERATOR(attribute: value, …)`.
  ///
  /// - Throws: `usage` that points at the place of a mistake, or if a layer is named twice.
  init(named texts: [String]) throws(NetconvError) {
    try self.init(texts.map { (text) throws(NetconvError) in try LayerReplacement(text) })
  }

  /// What `sources`, which are compared, have in common with a conversion: the layers that were named, or else those
  /// that the manifest of one of them says.
  func orThose(of source: ReadSource) -> LayerReplacements {
    guard isEmpty, let records = source.converted?.manifest.replaced else { return self }
    return (try? LayerReplacements(named: records.map { "\($0.layer)=\($0.by)" })) ?? self
  }

  /// Checks that each named layer was replaced in one of two sources.
  ///
  /// - Throws: `usage` with the first that was not.
  func check(replacedIn sources: ReadSource...) throws(NetconvError) {
    let replaced = Set(sources.flatMap(\.replaced).map(\.layer))
    for layer in layers where !replaced.contains(layer) { throw .replacedNowhere(layer) }
  }
}

extension ReadSource {
  /// What was replaced, now or when the source was written; `nil` if there is nothing.
  var replacementRecords: [ReplacementRecord]? {
    replaced.isEmpty ? converted?.manifest.replaced : replaced
  }
}
