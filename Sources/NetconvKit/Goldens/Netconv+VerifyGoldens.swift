import Documents
import Execution
import Lowering
import ModelIR
import Pages
import Readers

extension Netconv {
  /// Runs a converted model on the inputs of its goldens, and compares every layer with the stored values.
  ///
  /// Only the converted files are read. A model's outputs are compared as they are computed when no other layers are
  /// kept; the other layers are compared in a run that keeps all of them. A layer whose values are not finite, here
  /// and in the goldens, is only within its tolerance with `allowsNotFinite`.
  /// - Throws: `usage` if there are no goldens, `badData` if they are of other weights or were modified,
  ///   `cannotOpen`, `inputOutput` or `interrupted`. A difference is not an error: see ``GoldensReport/passed``.
  public static func verifyGoldens(
    _ path: String, engine kind: EngineKind = .fast, precision: Precision = .float32,
    allowsNotFinite: Bool = false, forPage: Bool = false, observer: Observer = Observer()
  ) throws(NetconvError) -> GoldensReport {
    let source = try ReaderRegistry.read(path)
    let checked = try source.checkConversion(observer)
    do throws(NetconvError) {
      guard case .model(let model) = source.network else {
        throw .nothingToRun(checked: checked.tensors)
      }
      let goldens = try StoredGoldens(source, model)
      // Each sample starts from a fresh state.
      let fresh = try model.withFreshStates()
      var found: [String: NDArray<Float>] = [:]
      // The run for outputs is last, so that its results replace those of the other run.
      for kept in [Set(model.computedNames), []] {
        let engine = try kind.engine(for: fresh, keeping: kept, precision: precision)
        if kept.isEmpty { observer.onEvent(.fallbacks(of: engine)) }
        let results = try engine.run(goldens.inputs) { () throws(NetconvError) in
          try observer.checkCancellation()
        }
        found.merge(results) { $1 }
      }
      var rows: [GoldensReport.Row] = []
      for (layer, expected) in zip(goldens.document.layers, goldens.outputs) {
        guard let found = found[layer.name], Array(found.shape.dropFirst()) == layer.shape else {
          throw NetconvError.goldensOfOther.inLayer(layer.name)
        }
        rows.append(
          GoldensReport.Row(
            layer, precision, found, expected: expected, allowsNotFinite: allowsNotFinite))
      }
      var report = GoldensReport(
        path: path, engine: kind, precision: precision, goldens.document, checked: checked,
        layers: rows)
      if forPage { report.details = GoldensDetails(graph: PageGraph(of: model)) }
      return report
    } catch {
      throw error.inFile(path)
    }
  }
}
