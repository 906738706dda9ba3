import ModelIR
import Readers
import Transforms

/// One of two networks that are compared, folded if that was asked for.
struct DiffSide {
  /// As it was named.
  let path: String
  /// What is compared.
  let network: Network
  /// When its normalisations were folded into kernels; `nil` if they were not.
  let folding: DiffReport.Folding?
  /// How many were.
  let foldedCount: Int
  /// What its files call its tensors.
  let names: ContainerNames
  private let source: ReadSource

  /// Checks what was read, and folds it if that was asked for.
  ///
  /// - Parameter folds: whether to fold what a conversion has not folded already.
  /// - Throws: `badData` if it is damaged, `usage` if a network is to be folded whose graph is not known,
  ///   `inputOutput` or `interrupted`.
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

  /// The network, if its graph is known.
  var model: Model? { if case .model(let model) = network { model } else { nil } }

  /// What a report says of it.
  var summary: DiffReport.Source {
    DiffReport.Source(
      path: path, format: source.format, framework: source.framework,
      tensorCount: network.tensors.count, leftOut: source.leftOutCount, folding: folding)
  }
}
