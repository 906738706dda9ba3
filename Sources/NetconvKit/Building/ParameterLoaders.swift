import Documents
import ModelIR
import Readers
import Transforms
import Writers

extension ParameterLoader {
  /// A folder of files such as `conv1_W.bin` and `conv1_b.bin`, one parameter each.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - target: the consumer whose layouts the files have, such as `mps`; `nil` for the order in which the
  ///     operators are defined (kernels: H, W, I, O), which is Keras's.
  ///   - elementType: how kernels are written; vectors are float32.
  ///   - naming: how the files are called, as for `netconv convert --naming`.
  /// - Returns: a loader that throws `cannotOpen` for a file that is not there, and `badData` for one of
  ///   another size.
  /// - Throws: `usage` if there is no such target or naming.
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

  /// The parameters of a model that netconv reads, by the names of its layers: a Keras checkpoint, a folder
  /// with `model.json`, or what netconv wrote, a folder or an archive.
  ///
  /// - Parameters:
  ///   - path: anything that netconv reads.
  ///   - architecture: a file with the architecture, for sources that hold only weights.
  ///   - observer: asked whether to stop while the hashes of a conversion are compared.
  /// - Returns: a loader that gives `nil` for a parameter that the model does not have.
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

  /// Weights that have no graph, by their names: a file of PyTorch, safetensors or NumPy, a checkpoint of TensorFlow or
  /// weights of Keras.
  ///
  /// The tensors of the layer `conv1` are `conv1.weight` or `conv1/kernel`, behind any prefix that all names have, or what
  /// `bindings` say. A tensor that no layer asks for is not looked at.
  ///
  /// - Parameters:
  ///   - path: the weights.
  ///   - bindings: rules such as `features.{n}.weight=conv{#}.kernel`, as for `netconv convert --bind`.
  ///   - convention: whose names and layouts the tensors have: `torch`, `mlx` or `tensorflow`; `nil` if the source tells.
  ///   - entry: the network by its name, where a file of PyTorch holds several.
  /// - Returns: a loader that gives `nil` for a parameter that has no tensor.
  /// - Throws: `usage` if a rule is wrong or the source does not tell whose layouts it has; `badData`, `cannotOpen` or
  ///   `inputOutput`.
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
