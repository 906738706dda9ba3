import Diagnosis
import Files
import ModelIR

/// How a loader read a probe.
public struct ProbeCheckReport: Report {
  /// The folder of the probe.
  public let probe: String
  /// The file with what the loader saw.
  public let answers: String
  /// Whether all of it is right.
  public let passed: Bool
  /// The tensors, in the order of the model; none if the answers have none.
  public let tensors: [Row]
  /// What layers give, in the order of the model, as far as the answers have it.
  public let outputs: [Row]

  /// A tensor, or what a layer gives.
  public struct Row: Sendable, Encodable {
    /// The tensor's name, or the layer's.
    public let name: String
    /// The layer.
    public let layer: String
    /// What a tensor is to its layer; `nil` for what a layer gives.
    public let role: String?
    /// The order of the axes.
    public let layout: String
    /// Whether it is what it should be.
    public let right: Bool
    /// What is wrong.
    public let finding: String?
  }
}

extension Netconv {
  /// Compares what somebody's loader saw of a probe with what it should have seen, and says what it did with it.
  ///
  /// - Parameters:
  ///   - answers: an `.npz` with arrays called like tensors, or like layers for what these give; or JSON lines.
  ///   - probe: the folder of the probe; `nil` for the folder of `answers`, or the one above.
  /// - Throws: `usage` if there is no probe, `cannotOpen`, or `badData` if answers are missing. A wrong answer is no
  ///   error: see ``ProbeCheckReport/passed``.
  public static func checkProbe(
    _ answers: String, probe: String? = nil
  ) throws(NetconvError) -> ProbeCheckReport {
    let folder: String
    if let probe { folder = probe } else { folder = try neighbour(of: answers) }
    let document = try ProbeDocument.read(in: Directory.withoutTrailingSlashes(folder))
    let seen = try ProbeAnswers(answers, for: document)
    let tensors = document.tensors.compactMap { tensor in
      seen.tensors[tensor.name].map { tensor.row($0, among: document.tensors) }
    }
    let outputs = document.outputs.compactMap { output in
      seen.outputs[output.name].map { output.row($0) }
    }
    return ProbeCheckReport(
      probe: folder, answers: answers, passed: (tensors + outputs).allSatisfy(\.right),
      tensors: tensors, outputs: outputs)
  }

  private static func neighbour(of path: String) throws(NetconvError) -> String {
    _ = try RandomAccessFile(path: path)
    let folder = Directory.parent(of: path)
    for candidate in [folder, folder + "/.."] {
      if try Directory.kind(of: candidate + "/" + ProbeDocument.fileName) == .file {
        return candidate
      }
    }
    throw NetconvError.noProbe(beside: path).inFile(path)
  }
}

extension ProbeDocument.Tensor {
  fileprivate func row(
    _ seen: [Float], among tensors: [ProbeDocument.Tensor]
  ) -> ProbeCheckReport.Row {
    let order = Layout(layout) ?? .c
    let sizes = Dictionary(
      uniqueKeysWithValues: order.axes.map { ($0, self.sizes[$0.description] ?? 1) })
    let reading = Reading(values, order, sizes: sizes, type: ElementType(rawValue: dtype))
    let isRight = reading.isRight(seen)
    // Kernels count alike: only vectors are told from each other by their values.
    let other = isRight ? nil : tensors.first { $0.name != name && $0.values == seen }
    return ProbeCheckReport.Row(
      name: name, layer: layer, role: role, layout: layout, right: isRight,
      finding: isRight
        ? nil : other.map { "holds the values of \($0.layer) \($0.role)" } ?? reading.finding(seen))
  }
}

extension ProbeDocument.Array {
  /// A hundred times what float32 loses in a sum of some dozens of products, and far below what any wrong weight
  /// does.
  private static let tolerance: Float = 1e-4

  fileprivate func row(_ seen: [Float]) -> ProbeCheckReport.Row {
    let order: Layout = shape.count == 4 ? Layout("HWC") ?? .c : .c
    let sizes = Dictionary(uniqueKeysWithValues: zip(order.axes, shape.dropFirst()))
    let largest = values.map(\.magnitude).max() ?? 0
    let reading = Reading(
      values, order, sizes: sizes, type: nil, tolerance: Self.tolerance * largest)
    let isRight = reading.isRight(seen)
    return ProbeCheckReport.Row(
      name: name, layer: name, role: nil, layout: order.description, right: isRight,
      finding: isRight ? nil : reading.finding(seen))
  }
}
