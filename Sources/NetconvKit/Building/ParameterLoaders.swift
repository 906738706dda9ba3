import Documents
import ModelIR
import Readers
import Transforms
import Writers

extension ParameterLoader {
  /// Returns a loader for a folder of files such as `conv1_W.bin` and `conv1_b.bin`, with one parameter each.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - target: the consumer whose layouts the files have, such as `mps`; `nil` for the layouts in which operators
  ///     are defined (kernels: H, W, I, O), as in Keras.
  ///   - elementType: the element type of kernels; vectors are float32.
  ///   - naming: the names of the files, as for `netconv convert --naming`.
  /// - Returns: a loader that throws `cannotOpen` for a missing file, and `badData` for one of the wrong size.
  /// - Throws: `usage` if the target or the naming is unknown.
  public static func folder(
    _ path: String, target: String? = "mps", elementType: ElementType = .float32,
    naming: String = "{layer}_{role}"
  ) throws(NetconvError) -> ParameterLoader {
    let target = try target.map { name throws(NetconvError) in try Target.named(name) }
    let naming = try FileNaming(template: naming)
    let ending = naming.fileEnding ?? BinContainer.ending
    return ParameterLoader { layer, spec throws(NetconvError) in
      let name = naming.name(layer: layer, role: spec.role) + ending
      let type = spec.kind == .vector ? ElementType.float32 : elementType
      return StoredTensor(
        source: try looseBlob(name, in: path, type, for: spec), layout: target?.layout(for: spec),
        reversed: target?.reversedAxes(of: spec) ?? [], shape: nil, path: name)
    }
  }

  /// Returns a loader for the parameters of a model that netconv reads, by the names of its layers.
  ///
  /// - Parameters:
  ///   - path: the path of a model: a Keras checkpoint, a folder with `model.json`, or the output of a conversion, a
  ///     folder or an archive.
  ///   - architecture: a file with the architecture, for sources that hold only weights.
  ///   - observer: called to check for cancellation while the hashes of a conversion are compared.
  /// - Returns: a loader that returns `nil` for a parameter that the model does not have.
  /// - Throws: `badData`, `cannotOpen`, `inputOutput` or `interrupted`.
  public static func model(
    _ path: String, architecture: Architecture? = nil, observer: Observer = Observer()
  ) throws(NetconvError) -> ParameterLoader {
    let source = try ReaderRegistry.read(path, ReaderOptions(architecture: architecture))
    _ = try source.checkIntegrity(observer)
    var parameters: [String: [ParameterRole: StoredTensor]] = [:]
    for tensor in try source.model.tensors {
      parameters[tensor.layer, default: [:]][tensor.spec.role] = StoredTensor(
        source: tensor.stored.source, layout: tensor.storedLayout,
        reversed: tensor.stored.reversed, shape: tensor.storedShape, path: tensor.stored.path)
    }
    let known = parameters
    return ParameterLoader { layer, spec in known[layer]?[spec.role] }
  }

  /// Returns a loader for weights without a graph, by their names: a PyTorch, safetensors or NumPy file, a TensorFlow
  /// checkpoint or Keras weights.
  ///
  /// The tensors of the layer `conv1` are `conv1.weight` or `conv1/kernel`, after any prefix that all names share, or
  /// as `bindings` define. Tensors that no layer asks for are not read.
  ///
  /// - Parameters:
  ///   - path: the path of the weights.
  ///   - bindings: rules such as `features.{n}.weight=conv{#}.kernel`, as for `netconv convert --bind`.
  ///   - convention: the convention of names and layouts: `torch`, `mlx` or `tensorflow`; `nil` to detect it.
  ///   - entry: the name of the network, if a PyTorch file contains several.
  /// - Returns: a loader that returns `nil` for a parameter without a tensor.
  /// - Throws: `usage` if a rule is invalid or the source does not determine the convention; `badData`, `cannotOpen`
  ///   or `inputOutput`.
  public static func weights(
    _ path: String, bindings: [String] = [], convention: String? = nil, entry: String? = nil
  ) throws(NetconvError) -> ParameterLoader {
    let source = try ReaderRegistry.read(
      path, ReaderOptions(acceptsWeights: true, graph: GraphSelection(entry: entry)))
    let weights: NamedWeights
    do {
      weights = try NamedWeights(source, bindings: bindings, convention: convention)
    } catch {
      throw error.inFile(path)
    }
    return ParameterLoader { layer, spec throws(NetconvError) in
      try weights.stored(spec, of: layer)
    }
  }
}
