import FlatBuffers
import ModelIR

/// A tensor of a subgraph: an activation, or a constant whose values remain in the file.
///
/// Source: tensorflow/lite/schema/schema.fbs, `Tensor`.
struct TFLiteTensor {
  private enum Field {
    static let shape = 0
    static let type = 1
    static let buffer = 2
    static let name = 3
    static let quantization = 4
    static let isVariable = 5
    static let sparsity = 6
    static let signature = 7
    static let externalBuffer = 10
  }

  /// The name in the file, with a numeric suffix if it is not unique.
  let name: String
  let type: TFLiteType
  /// The static sizes; dynamic axes have a placeholder size.
  let shape: [Int]
  /// The sizes; `nil` for dynamic axes.
  let dimensions: [Int?]
  /// The index of the tensor's buffer.
  let buffer: Int
  /// True if the tensor keeps its values between runs.
  let isVariable: Bool
  /// The scales and zero points; `nil` if there are none.
  let quantization: TFLiteQuantization?
  /// The reason why the values cannot be read; `nil` if they can.
  let problem: NetconvError?

  init(_ table: FlatTable, _ names: inout UniqueNames, index: Int) throws(NetconvError) {
    let stated = try table.text(Field.name)
    name = names.next(stated.isEmpty ? "tensor_\(index)" : stated)
    type = TFLiteType(rawValue: try table.integer(Field.type, Int8.self))
    shape = try table.integers(Field.shape) ?? []
    let signature = try table.integers(Field.signature) ?? []
    dimensions =
      signature.count == shape.count
      ? zip(signature, shape).map { $0 < 0 ? nil : $1 } : shape.map { $0 < 0 ? nil : $0 }
    buffer = try table.unsigned(Field.buffer, width: 4)
    isVariable = try table.flag(Field.isVariable)
    var problem: NetconvError?
    var quantization: TFLiteQuantization?
    do throws(NetconvError) {
      if try table.has(Field.sparsity) { throw .sparseTensor }
      if try table.unsigned(Field.externalBuffer, width: 4) != 0 { throw .externalTFLiteBuffer }
      quantization = try TFLiteQuantization(
        table.table(Field.quantization, "QuantizationParameters"), shape: shape)
    } catch {
      problem = error
    }
    (self.quantization, self.problem) = (quantization, problem)
  }

  /// True if the values are quantised integers.
  var isQuantized: Bool { quantization != nil && type.element?.isInteger ?? true }
}

extension NetconvError {
  fileprivate static var sparseTensor: NetconvError {
    NetconvError(.badData, "the values are stored without zeros, which is not read")
  }

  fileprivate static var externalTFLiteBuffer: NetconvError {
    NetconvError(.badData, "the values are in another file, which is not read")
  }
}
