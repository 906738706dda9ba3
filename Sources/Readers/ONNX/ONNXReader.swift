import Files
import ModelIR
import ProtocolBuffers

/// A reader of ONNX models, with weights in the file or in external data files.
enum ONNXReader: ModelReader {
  static let format = "onnx"
  static let summary = "an ONNX model (.onnx)"
  static let takesGraphEnds = true

  static func recognizes(_ probe: SourceProbe) -> Bool { probe.isONNX }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file = try probe.opened()
    let external = ONNXExternalFiles(folder: Directory.parent(of: probe.path))
    let model = try ONNXModel(WireBytes(file).message("ModelProto"), external: external)
    let files = [file] + external.files
    let name = Directory.stem(of: probe.path)
    do throws(NetconvError) {
      let found = try ONNXSource(model).model(called: name, options.graph)
      return ReadSource(
        format: format, path: probe.path, framework: model.producer, files: files,
        network: .model(found.model), converted: nil, notes: found.notes)
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      var source: ReadSource
      do throws(NetconvError) {
        source = try ReadSource(
          NamedTensors(model.graph.weights), called: name, format: format, path: probe.path,
          framework: model.producer, files: files, notes: [], options)
      } catch let other {
        throw other.kind == .usage ? other : error
      }
      source.problem = error
      return source
    }
  }
}

extension ONNXGraph {
  /// The initializers that are weights: numeric, with more than one value.
  var weights: [(name: String, stored: StoredTensor)] {
    initializers.compactMap { name, tensor in
      guard let source = tensor.source, !(tensor.type.element?.isInteger ?? true), source.count > 1
      else { return nil }
      return (
        name, StoredTensor(source: source, layout: nil, shape: tensor.shape, path: name)
      )
    }
  }
}
