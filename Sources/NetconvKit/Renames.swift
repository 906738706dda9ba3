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
  /// Checks that each layer was renamed in at least one of the sources.
  ///
  /// - Throws: `usage` naming the first layer that was not.
  func checkLayerNames(renamedIn sources: ReadSource...) throws(NetconvError) {
    let renamed = sources.reduce(into: Set<String>()) { $0.formUnion($1.renamed) }
    for layer in layerNames.keys.sorted() where !renamed.contains(layer) {
      throw .renamedNowhere(layer)
    }
  }
}

extension NetconvError {
  fileprivate static func renamedNowhere(_ variable: String) -> NetconvError {
    NetconvError(
      .usage, text: "\(.renames) names \(quoted(variable)), which is not a weight of either")
  }
}
