import ModelIR
import ProtocolBuffers

/// A graph with its signatures and the operation that restores its variables.
///
/// Source: tensorflow/core/protobuf/meta_graph.proto and saver.proto.
struct MetaGraph {
  /// The inputs and outputs of a signature.
  struct Signature {
    /// The tensor names by the signature's keys.
    var inputs: [(key: String, tensor: String)] = []
    var outputs: [(key: String, tensor: String)] = []
  }

  /// The tags: `serve`, `train`, ….
  private(set) var tags: [String] = []
  /// The version of TensorFlow that wrote the file.
  private(set) var version: String?
  private(set) var graph: GraphDefinition?
  private(set) var signatures: [String: Signature] = [:]
  /// The operation that restores the variables from a checkpoint.
  private(set) var restoreOperation: String?

  private enum Number: Int {
    case information = 1
    case graph = 2
    case saver = 3
    case signature = 5
  }

  private enum InformationNumber: Int {
    case tag = 4
    case version = 5
  }

  private enum SaverNumber: Int {
    case restoreOperation = 3
  }

  private enum SignatureNumber: Int {
    case input = 1
    case output = 2
  }

  init(_ message: WireMessage) throws(NetconvError) {
    var tags: [String] = []
    var version: String?
    var graph: GraphDefinition?
    var signatures: [String: Signature] = [:]
    var restoreOperation: String?
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .information:
        try field.inner("MetaInfoDef").forEachField { field throws(NetconvError) in
          switch InformationNumber(rawValue: field.number) {
          case .tag: tags.append(try field.text())
          case .version: version = try field.text()
          case nil: break
          }
        }
      case .graph: graph = try GraphDefinition(field.inner("GraphDef"))
      case .saver:
        try field.inner("SaverDef").forEachField { field throws(NetconvError) in
          if SaverNumber(rawValue: field.number) == .restoreOperation {
            restoreOperation = try field.text()
          }
        }
      case .signature:
        let (key, value) = try mapEntry(field, "MetaGraphDef.SignatureDefEntry")
        if let value { signatures[key] = try Self.signature(value) }
      case nil: break
      }
    }
    self.tags = tags
    self.version = version
    self.graph = graph
    self.signatures = signatures
    self.restoreOperation = restoreOperation
  }

  private static func signature(_ message: WireMessage) throws(NetconvError) -> Signature {
    var signature = Signature()
    try message.forEachField { field throws(NetconvError) in
      guard let number = SignatureNumber(rawValue: field.number) else { return }
      let (key, value) = try mapEntry(field, "SignatureDef.Entry")
      var tensor: String?
      try value?.forEachField { field throws(NetconvError) in
        if field.number == 1 { tensor = try field.text() }
      }
      guard let tensor else { throw .signatureWithoutTensor(key) }
      if number == .input {
        signature.inputs.append((key, tensor))
      } else {
        signature.outputs.append((key, tensor))
      }
    }
    // Map entries are unordered.
    signature.inputs.sort { $0.key < $1.key }
    signature.outputs.sort { $0.key < $1.key }
    return signature
  }
}

extension NetconvError {
  fileprivate static func signatureWithoutTensor(_ key: String) -> NetconvError {
    NetconvError(
      .badData, "\(quoted(key)) of a signature names no tensor; composite tensors are not read")
  }
}
