import Documents
import ModelIR

/// The quantisation of a Keras layer by `model.quantize("int8")`.
///
/// Source: keras/src/dtype_policies/dtype_policy.py; keras/src/layers/core/dense.py, `variable_serialization_spec`
/// and the functions `_int8_call`, `_int4_call` and `_float8_call`.
struct KerasQuantization: Equatable {
  /// `int8`, `int4`, `float8`, `gptq` or `awq`.
  let mode: String
  /// True if the layer quantises its input as well.
  let roundsInputs: Bool

  /// Keras's name of the scale by which integers are divided or multiplied.
  private static let scaleName = "kernel_scale"
  /// The name in netconv's outputs, where `kernel_scale` denotes a scale by which integers are multiplied.
  private static let scaleRole = "keras_kernel_scale"

  /// Returns the name under which a weight is written.
  static func role(of name: String) -> String { name == scaleName ? scaleRole : name }

  /// Returns the variables of a Dense layer in the numbering of Keras's own format.
  ///
  /// - Parameter hasBias: True if the layer has a bias.
  func names(hasBias: Bool) -> [String] {
    let bias = hasBias ? ["bias"] : []
    let zeros = ["kernel_zero", "g_idx"]
    return switch mode {
    case "int8", "int4": ["kernel"] + bias + [Self.scaleName] + zeros
    case "float8":
      ["kernel"] + bias + [
        "inputs_scale", "inputs_amax_history", Self.scaleName, "kernel_amax_history",
        "outputs_grad_scale", "outputs_grad_amax_history",
      ]
    case "gptq": bias + ["quantized_kernel", Self.scaleName] + zeros
    case "awq": bias + ["quantized_kernel", Self.scaleName, "kernel_zero", "awq_scales", "g_idx"]
    default: []
    }
  }

  /// Returns the formula for the kernel's values in terms of the written tensors.
  ///
  /// - Parameters:
  ///   - names: The weights of the layer.
  ///   - isPacked: True if two integers are packed into each byte.
  func formula(names: [String], isPacked: Bool) -> String {
    let packed = isPacked ? ", two of them in a byte, the first in its low half" : ""
    let product = "; lora_alpha / lora_rank * lora_kernel_a · lora_kernel_b is added to it"
    let inputs =
      (names.contains("lora_kernel_a") ? product : "")
      + (roundsInputs ? "; as it runs, Keras rounds what the layer reads, too" : "")
    switch mode {
    case "float8":
      return
        "kernel is as it was; as it runs, Keras rounds it, and what the layer reads, to float8_e4m3fn times "
        + "a scale"
    case "int4" where names.contains("g_idx"):
      return
        "a value is (kernel - kernel_zero[g]) * \(Self.scaleRole)[g], g being g_idx of its input; integers "
        + "are from -8 to 7" + packed + inputs
    case "int8", "int4":
      return "a value is kernel / \(Self.scaleRole); integers are from "
        + (mode == "int4" ? "-8 to 7" : "-127 to 127") + packed + inputs
    default: return "integers are written as Keras packs them for \(mode)"
    }
  }
}

extension KerasLayerConfig {
  /// The quantisation of the layer; `nil` if it is not quantised.
  var quantization: KerasQuantization? {
    let policy = settings["dtype"]
    let stated: String?
    if let name = policy?.string ?? policy?["config"]?["name"]?.string, name.contains("_from_") {
      stated = String(name.prefix { $0 != "_" })
    } else {
      stated = policy?["config"]?["mode"]?.string
    }
    guard let stated else { return nil }
    // The block size follows the mode, as in `int4/128`.
    let mode = String(stated.prefix { $0 != "/" })
    let roundsInputs =
      switch (mode, settings["quantization_config"]) {
      case ("float8", _): true
      case ("gptq", _), ("awq", _): false
      case (_, let config?): config["config"]?["activation_quantizer"] != nil
      // Before Keras 3.13, the policy alone decides.
      case (_, nil): mode == stated
      }
    return KerasQuantization(mode: mode, roundsInputs: roundsInputs)
  }

  /// The names of a quantised layer's weights if the file only numbers them; `nil` if unknown.
  var numberedNames: [String]? {
    switch className {
    case "Dense": quantization?.names(hasBias: (try? bool("use_bias", default: true)) ?? true)
    case "EinsumDense": quantization?.names(hasBias: settings["bias_axes"] != nil)
    default: nil
    }
  }

  /// Returns the weights of a quantised layer as they are written: integers unpacked, and scales named `keras_…`.
  ///
  /// - Parameter found: The weights of the layer in the file.
  func unpackingIntegers(
    of found: [(name: String, stored: StoredTensor)]
  ) -> [(name: String, stored: StoredTensor)] {
    guard let quantization else { return found }
    let names = found.map(\.name)
    return found.map { name, stored in
      var integers = stored
      if name == "kernel", let columns = unpackedColumns(of: stored, names, quantization) {
        integers.source = Int4Values(
          packed: stored.source, columns: columns, packedColumns: stored.shape?.last ?? 1)
        integers.shape = [stored.shape?.first ?? 0, columns]
      }
      if stored.source.elementType == .int8 { integers.source = IntegerValues(integers.source) }
      return (KerasQuantization.role(of: name), integers)
    }
  }

  /// Returns the number of integers per row of a packed kernel; `nil` if it is not packed along its rows.
  ///
  /// Before Keras 3.13 two rows were packed into one, which is ambiguous for a layer with one unit.
  private func unpackedColumns(
    of kernel: StoredTensor, _ names: [String], _ quantization: KerasQuantization
  ) -> Int? {
    guard quantization.mode == "int4", className == "Dense", let units = settings["units"]?.int,
      let shape = kernel.shape, shape.count == 2, units > 0, shape[1] == units / 2 + units % 2,
      units > 1 || names.contains("g_idx"), kernel.source.elementType == .int8,
      !shape[0].multipliedReportingOverflow(by: units).overflow
    else { return nil }
    return units
  }

  /// Explains the values of a quantised layer in the output; `nil` if the layer is not quantised.
  func quantizationNote(of found: [(name: String, stored: StoredTensor)]) -> String? {
    guard let quantization else { return nil }
    let names = found.map(\.name)
    let isPacked =
      quantization.mode == "int4"
      && !found.contains {
        $0.name == "kernel" && unpackedColumns(of: $0.stored, names, quantization) != nil
      }
    return quantization.formula(names: names, isPacked: isPacked)
  }
}

/// Integers that are written unchanged, because they are not values of the network by themselves.
public struct IntegerValues: TensorSource {
  private let integers: any TensorSource

  /// Creates a source of integers that fit in int8.
  init(_ integers: any TensorSource) { self.integers = integers }

  /// The element type, int8.
  public var elementType: ElementType { .int8 }

  /// The number of integers.
  public var count: Int { integers.count }

  /// True if the source must be read sequentially.
  public var isSequential: Bool { integers.isSequential }

  /// Reads the integers at `range`.
  public func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try integers.read(range, into: values)
  }
}

/// Integers from -8 to 7, two per byte, the first in the low half.
///
/// Source: keras/src/quantizers/quantizers.py, `pack_int4`.
private struct Int4Values: TensorSource {
  let packed: any TensorSource
  /// The number of integers per row.
  let columns: Int
  /// The number of bytes per row; the last byte holds one integer if `columns` is odd.
  let packedColumns: Int

  var elementType: ElementType { .int8 }
  var count: Int { packed.count / packedColumns * columns }
  var isSequential: Bool { packed.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    guard let last = range.last else { return }
    let first = place(of: range.lowerBound)
    let bytes = UnsafeMutableBufferPointer<Float>.allocate(capacity: place(of: last) + 1 - first)
    defer { bytes.deallocate() }
    try packed.read(first..<place(of: last) + 1, into: bytes)
    for index in range {
      let byte = Int(bytes[place(of: index) - first])
      let half = (index % columns).isMultiple(of: 2) ? byte & 15 : (byte >> 4) & 15
      values[index - range.lowerBound] = Float(half < 8 ? half : half - 16)
    }
  }

  /// Returns the index of the byte that holds an integer.
  private func place(of index: Int) -> Int {
    index / columns * packedColumns + index % columns / 2
  }
}
