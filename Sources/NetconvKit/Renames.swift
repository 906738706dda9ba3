import ModelIR
import Readers

extension VariableRenames {
  /// Reads the renames from a request's file; without a path there are none.
  ///
  /// - Throws: `cannotOpen`, or `usage` if the file holds something else.
  init(of path: String?) throws(NetconvError) {
    self = try path.map { path throws(NetconvError) in try VariableRenames(path: path) } ?? .none
  }

  /// Checks that each variable was renamed in at least one of the sources.
  ///
  /// - Throws: `usage` naming the first variable that was not.
  func check(renamedIn sources: ReadSource...) throws(NetconvError) {
    let renamed = sources.reduce(into: Set<String>()) { $0.formUnion($1.renamed) }
    for variable in variables where !renamed.contains(variable) { throw .renamedNowhere(variable) }
  }
}

extension GraphSelection {
  /// Checks that each layer was renamed, and each substitution applied, in at least one of the sources.
  ///
  /// - Throws: `usage` naming the first that was not.
  func checkLayerNames(renamedIn sources: ReadSource...) throws(NetconvError) {
    let renamed = sources.reduce(into: Set<String>()) { $0.formUnion($1.renamed) }
    for layer in layerNames.keys.sorted() where !renamed.contains(layer) {
      throw .renamedNowhere(layer)
    }
    for text in substitutions.map(\.description) where !renamed.contains(text) {
      throw .matchedNowhere(text)
    }
  }
}

extension NetconvError {
  fileprivate static func renamedNowhere(_ variable: String) -> NetconvError {
    NetconvError(
      .usage, text: "\(.renames) names \(quoted(variable)), which is not a weight of either")
  }

  fileprivate static func matchedNowhere(_ substitution: String) -> NetconvError {
    NetconvError(
      .usage, text: "the pattern of \(.renames) \(quoted(substitution)) matches no name of either")
  }
}
