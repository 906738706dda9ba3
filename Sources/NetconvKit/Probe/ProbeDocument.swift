import Documents
import Files
import ModelIR

/// The description of a probe and its expected values: `probe.json`, `Schemas/probe.v1.schema.json`.
public struct ProbeDocument: Report, Decodable {
  /// The name of the report's schema.
  public static let schema = "probe"

  /// The required value of `format`.
  static let format = "netconv-probe"
  /// The name of the document in the probe's folder.
  static let fileName = "probe.json"
  /// The folder of the converted model in the probe's folder.
  static let modelFolder = "model"
  /// The name of the file with the arrays in the probe's folder.
  static let arraysName = "probe.npz"

  /// Identifies the document as a probe.
  public let format: String
  /// The version of this format.
  public let version: Int
  /// The consumer whose layouts the tensors have.
  public let target: String
  /// The dtype of kernels.
  public let dtype: String
  /// Every tensor that was written.
  public let tensors: [Tensor]
  /// The inputs to feed.
  public let inputs: [Array]
  /// The expected output of each layer.
  public let outputs: [Array]

  /// A tensor that was written.
  public struct Tensor: Sendable, Codable {
    /// The name of the tensor: that of its own file, without the extension.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// The role of the tensor in the layer.
    public let role: String
    /// The dtype of the values.
    public let dtype: String
    /// The order of the axes in the file.
    public let layout: String
    /// The axes, by letter, along which the values in the file are reversed.
    public let reversed: [String]
    /// The size of each axis in the file.
    public let sizes: [String: Int]
    /// The path in the probe's folder.
    public let file: String
    /// The name of the tensor in that file, if it contains several.
    public let tensor: String?
    /// The values, in the order of the file.
    public let values: [Float]
  }

  /// An array.
  public struct Array: Sendable, Codable {
    /// The name of the input, or of the layer.
    public let name: String
    /// The shape, with a batch of one; images have the order height, width, channels.
    public let shape: [Int]
    /// The values in C order.
    public let values: [Float]
  }

  /// Reads the probe in `folder`.
  ///
  /// - Throws: `cannotOpen` or `badData`.
  static func read(in folder: String) throws(NetconvError) -> ProbeDocument {
    let path = folder + "/" + fileName
    let bytes = try RandomAccessFile(path: path).contents(limit: 16 << 20)
    do throws(NetconvError) {
      return try decode(bytes)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func decode(_ bytes: [UInt8]) throws(NetconvError) -> ProbeDocument {
    let document = try JSONDocument.decode(ProbeDocument.self, from: bytes)
    guard document.format == format, document.version == 1 else { throw .notAProbe }
    for tensor in document.tensors {
      guard let layout = Layout(tensor.layout), ElementType(rawValue: tensor.dtype) != nil,
        layout.axes.count <= 5,
        tensor.reversed.allSatisfy({ $0.count == 1 && tensor.layout.contains($0) }),
        try product(layout.axes.map { tensor.sizes[$0.description] ?? 1 }) == tensor.values.count
      else { throw NetconvError.notAProbe.inTensor(tensor.name) }
    }
    for array in document.inputs + document.outputs {
      guard try product(array.shape) == array.values.count, array.shape.count <= 5 else {
        throw NetconvError.notAProbe.inTensor(array.name)
      }
    }
    return document
  }
}

extension NetconvError {
  fileprivate static var notAProbe: NetconvError {
    NetconvError(.badData, "is not a probe of this netconv; write one with netconv probe DIR")
  }
}
