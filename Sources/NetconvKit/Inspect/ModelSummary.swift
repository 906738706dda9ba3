import ModelIR

extension Model {
  /// Returns a table of the layers with their shapes and parameters, as `netconv inspect` prints it.
  public func summary() -> String {
    let report = InspectReport(
      .model(self), format: "", path: name, framework: nil, bytes: 0, problem: nil, statistics: nil)
    return (report.layerTable.lines() + ["", report.totals]).joined(separator: "\n")
  }
}

extension InspectReport {
  /// A table of the inputs and layers, with a row for each.
  package var layerTable: TextTable {
    var table = TextTable([
      ("layer", .name), ("type", .name), ("output shape", .left), ("parameters", .right),
      ("reads", .name),
    ])
    for input in inputs {
      table.append(input.name, "Input", shapeText([nil] + input.shape), "0", "")
    }
    for layer in layers {
      table.append(
        layer.name, layer.className ?? layer.operator ?? "-",
        layer.outputShape.map { shapeText([nil] + $0) } ?? "-", grouped(layer.parameterCount),
        hasGraph ? layer.inputs.joined(separator: ", ") : "-")
      for output in layer.furtherOutputs ?? [] {
        table.append(output.name, "", shapeText([nil] + output.shape), "", "")
      }
    }
    return table
  }

  /// Text such as `8 layers, 3,274,634 parameters in 8 tensors; outputs: fc2`.
  package var totals: String {
    let trainingOnly =
      trainingOnlyCount == 0 ? "" : " (\(grouped(trainingOnlyCount)) for training only)"
    let ofInputs = inputs.isEmpty ? "" : " behind \(counted(inputs.count, "input"))"
    return "\(counted(layers.count, "layer"))\(ofInputs), "
      + "\(counted(parameterCount, "parameter")) in "
      + "\(counted(tensors.count, "tensor"))\(trainingOnly); "
      + (hasGraph
        ? "outputs: " + outputs.map { escaped($0.name) }.joined(separator: ", ") : "no graph")
  }
}
