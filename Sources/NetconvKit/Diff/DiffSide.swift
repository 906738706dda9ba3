import ModelIR
import Readers
import Transforms

/// One of two compared networks, folded if that was requested.
struct DiffSide {
  /// The path, as given by the caller.
  let path: String
  /// The network to compare.
  let network: Network
  /// The stage at which its normalisations were folded into kernels; `nil` if they were not.
  let folding: DiffReport.Folding?
  /// The number of folded normalisations.
  let foldedCount: Int
  /// The names of its tensors in files.
  let names: ContainerNames
  private let source: ReadSource

  /// Verifies a network that was read, and folds it if that was requested.
  ///
  /// - Parameter folds: true to fold a network that a conversion has not folded already.
  /// - Throws: `badData` if it is damaged, `usage` if a network without a known graph is to be folded, `inputOutput`
  ///   or `interrupted`.
  init(_ source: ReadSource, folds: Bool, _ observer: Observer) throws(NetconvError) {
    _ = try source.checkIntegrity(observer)
    self.source = source
    names = ContainerNames(source)
    path = source.path
    let recorded = source.converted?.manifest.folded?.layers.count ?? 0
    guard recorded == 0, folds else {
      network = source.network
      folding = recorded == 0 ? nil : .recorded
      foldedCount = recorded
      return
    }
    guard case .model(let model) = source.network else {
      throw NetconvError.cannotFoldForComparison.inFile(path)
    }
    do throws(NetconvError) {
      let folded = try model.foldingBatchNormalization()
      network = .model(folded.model)
      folding = folded.folded.isEmpty ? nil : .now
      foldedCount = folded.folded.count
    } catch {
      throw error.inFile(path)
    }
  }

  /// The model, if the graph is known.
  var model: Model? { if case .model(let model) = network { model } else { nil } }

  /// The summary for a report.
  var summary: DiffReport.Source {
    DiffReport.Source(
      path: path, format: source.format, framework: source.framework,
      tensorCount: network.tensors.count, leftOut: source.leftOutCount, folding: folding)
  }
}

extension NetconvError {
  fileprivate static var cannotFoldForComparison: NetconvError {
    NetconvError(.usage, text: "nothing can be folded without the graph; leave out \(.folds)")
  }
}
