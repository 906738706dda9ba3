import Documents
import Transforms

extension FoldingRecord {
  /// Creates the record of a transform's result.
  init(_ folding: Folding) {
    self.init(
      layers: folding.folded.map { folded in
        Folded(
          layer: folded.layer, operator: folded.operation, into: folded.into,
          roles: folded.roles.map(\.rawValue), createdBias: folded.createsBias,
          parameters: folded.parameters)
      },
      kept: folding.kept.map { kept in
        Kept(layer: kept.layer, operator: kept.operation, reason: kept.reason)
      })
  }
}
