import Documents
import Files
import ModelIR
import ProtocolBuffers

/// A reader of Core ML models: packages and files with ML Programs, and files with neural networks.
enum CoreMLReader: ModelReader {
  static let format = "coreml"
  static let summary = "a Core ML model (.mlpackage, .mlmodel)"
  static let takesGraphEnds = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.isCoreML || isPackage(probe.names ?? [])
  }

  /// Returns true if a folder with these names is a package.
  private static func isPackage(_ names: [String]) -> Bool {
    names.contains("Manifest.json") && names.contains("Data")
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    let file: RandomAccessFile
    var manifest: RandomAccessFile?
    if probe.names == nil {
      file = try probe.opened()
    } else {
      let own = try ContainedPath("Manifest.json", in: probe.path).open()
      manifest = own
      file = try ContainedPath(rootModel(own), in: probe.path).open()
    }
    let weights = CoreMLWeightFiles(folder: Directory.parent(of: file.path))
    let name = Directory.stem(of: probe.path)
    let model = try CoreMLModel(WireBytes(file).message("Model"), weights: weights)
    let files = [manifest, file].compactMap(\.self) + weights.files
    let graph: ONNXGraph
    if let program = model.program {
      graph = try CoreMLGraph(program).graph
    } else if let network = model.network {
      graph = try CoreMLNetwork(network, model.features).graph
    } else {
      throw .noCoreMLNetwork(model.kind)
    }
    do throws(NetconvError) {
      let found = try ONNXSource(graph).model(called: name, options.graph)
      return ReadSource(
        format: format, path: probe.path, framework: nil, files: files,
        network: .model(found.model), converted: nil, notes: found.notes)
    } catch {
      guard options.acceptsWeights, error.kind == .badData else { throw error }
      var source: ReadSource
      do throws(NetconvError) {
        source = try ReadSource(
          NamedTensors(graph.weights), called: name, format: format, path: probe.path,
          framework: nil, files: files, notes: [], options)
      } catch let other {
        throw other.kind == .usage ? other : error
      }
      source.problem = error
      return source
    }
  }

  /// Returns the path of the model that the manifest of a package names.
  ///
  /// Source: coremltools, modelpackage/src/ModelPackage.cpp.
  private static func rootModel(_ manifest: RandomAccessFile) throws(NetconvError) -> String {
    do throws(NetconvError) {
      let document = try JSONDocument.parse(manifest.contents(limit: JSONDocument.sizeLimit))
      guard let identifier = document["rootModelIdentifier"]?.string,
        let path = document["itemInfoEntries"]?[identifier]?["path"]?.string
      else { throw NetconvError.noRootModel }
      return "Data/" + path
    } catch {
      throw error.inFile(manifest.path)
    }
  }
}

extension NetconvError {
  fileprivate static var noRootModel: NetconvError {
    NetconvError(.badData, "does not name the model of the package")
  }

  fileprivate static func noCoreMLNetwork(_ kind: String) -> NetconvError {
    NetconvError(.badData, "is \(kind), which is no neural network that netconv reads")
  }
}
