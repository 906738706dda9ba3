import Documents
import Files
import ModelIR

/// What a probe is and what it should give: `probe.json`, `Schemas/probe.v1.schema.json`.
public struct ProbeDocument: Report, Decodable {
  /// The name of its schema.
  public static let schema = "probe"

  /// What `format` must say.
  static let format = "netconv-probe"
  /// The name in the probe's folder.
  static let fileName = "probe.json"
  /// The folder of the converted model in the probe's folder.
  static let modelFolder = "model"
  /// The arrays in the probe's folder.
  static let arraysName = "probe.npz"

  /// Says that this is a probe.
  public let format: String
  /// The version of this format.
  public let version: Int
  /// The consumer that the tensors are laid out for.
  public let target: String
  /// How kernels are written.
  public let dtype: String
  /// Every tensor that was written.
  public let tensors: [Tensor]
  /// What to feed.
  public let inputs: [Array]
  /// What each layer should give.
  public let outputs: [Array]

  /// A tensor that was written.
  public struct Tensor: Sendable, Codable {
    /// What the tensor is called; its own file's name without the ending.
    public let name: String
    /// The layer that it belongs to.
    public let layer: String
    /// What it is to the layer.
    public let role: String
    /// How values are written.
    public let dtype: String
    /// The order of the axes in the file.
    public let layout: String
    /// The axes, by letter, along which the file has the values in reversed order.
    public let reversed: [String]
    /// The size of each axis of the file.
    public let sizes: [String: Int]
    /// The path in the probe's folder.
    public let file: String
    /// What the tensor is called in that file, if it holds others too.
    public let tensor: String?
    /// The values, in the order in which they are in the file.
    public let values: [Float]
  }

  /// An array.
  public struct Array: Sendable, Codable {
    /// The input, or the layer that gives it.
    public let name: String
    /// With a batch of one; images are height, width, channels.
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
