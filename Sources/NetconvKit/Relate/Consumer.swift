import ModelIR
import Readers
import Transforms

/// Who is to read B, and how much is known of it.
struct Consumer {
  /// What it is called in a report.
  let name: String
  /// Why it is taken for the one that reads B.
  let basis: RelateReport.Consumer.Basis
  /// Its layouts; `nil` where only those that B itself states are known.
  let target: Target?
  /// The same, also where only its name is known, for which B was converted.
  let reader: Target?

  /// The consumer that was asked for.
  init(asked target: Target) {
    name = target.name
    basis = .asked
    self.target = target
    reader = target
  }

  /// The one that `source` says it is for; `nil` if it says nothing of it.
  init?(of source: ReadSource) {
    let statesLayouts = source.network.tensors.contains {
      $0.spec.kind != .unknown && $0.spec.kind != .vector
    }
    // Tensors of unknown kinds that were converted may lie in any order.
    let target = source.converted == nil ? source.usualTarget : nil
    guard statesLayouts || target != nil else { return nil }
    let converted = source.converted?.manifest.target
    name = converted ?? target?.name ?? "B"
    basis = statesLayouts ? .layouts : .format
    self.target = target
    reader = target ?? Target.all.first { $0.name == converted }
  }
}
