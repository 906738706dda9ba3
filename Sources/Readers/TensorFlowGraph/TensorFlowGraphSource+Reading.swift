import Files
import ModelIR

extension TensorFlowGraphSource {
  /// Reads the model, or only its weights if these are accepted.
  func read(
    format: String, path: String, framework: String, files: [RandomAccessFile],
    checkpoint: TensorFlowCheckpoint?, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let name = Self.modelName(path)
    var problem: NetconvError?
    var notes: [SourceNote] = []
    var leftOutCount = 0
    let network: Network
    let renamed: Set<String>
    do throws(NetconvError) {
      let found = try model(called: name, options.graph, options.renames)
      network = .model(found.model)
      notes = found.notes
      renamed = found.renamed
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      do throws(NetconvError) {
        let found = try weights(called: name, checkpoint, options.renames)
        network = .weights(found.weights)
        notes = SourceNote.leftOut(found.leftOut)
        leftOutCount = found.leftOut.count
        renamed = found.renamed
      } catch let other {
        throw other.kind == .usage ? other : error
      }
      problem = error
    }
    var source = ReadSource(
      format: format, path: path, framework: framework, files: files + (checkpoint?.files ?? []),
      network: network, converted: nil, notes: notes, renamed: renamed,
      unchecked: checkpoint?.unchecked ?? [])
    source.problem = problem
    source.leftOutCount = leftOutCount
    return source
  }

  /// The last component of a path, without its extension.
  private static func modelName(_ path: String) -> String {
    let last = Directory.lastComponent(of: path)
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
