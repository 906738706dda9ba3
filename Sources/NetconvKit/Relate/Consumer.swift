import ModelIR
import Readers
import Transforms

/// The consumer of B, with the facts that are known about it.
struct Consumer {
  /// The name in a report.
  let name: String
  /// The evidence that it is the consumer of B.
  let basis: RelateReport.Consumer.Basis
  /// The target that defines its layouts; `nil` if only the layouts that B states are known.
  let target: Target?
  /// The same target, also if only the name recorded by the conversion of B is known.
  let reader: Target?

  /// Creates the consumer that the caller requested.
  init(asked target: Target) {
    name = target.name
    basis = .asked
    self.target = target
    reader = target
  }

  /// Creates the consumer that `source` states; `nil` if it states none.
  init?(of source: ReadSource) {
    let statesLayouts = source.network.tensors.contains {
      $0.spec.kind != .unknown && $0.spec.kind != .vector
    }
    // Converted tensors of unknown kinds may have any layout.
    let target = source.converted == nil ? source.usualTarget : nil
    guard statesLayouts || target != nil else { return nil }
    let converted = source.converted?.manifest.target
    name = converted ?? target?.name ?? "B"
    basis = statesLayouts ? .layouts : .format
    self.target = target
    reader = target ?? Target.all.first { $0.name == converted }
  }
}
