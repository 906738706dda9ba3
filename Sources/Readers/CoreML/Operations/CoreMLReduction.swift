import ModelIR

/// Reductions along axes, and indices of values.
///
/// Source: coremltools, converters/mil/mil/ops/defs/iOS15/reduction.py and tensor_operation.py.
enum CoreMLReduction: CoreMLOperationKind {
  private static let reductions = [
    "reduce_l1_norm": "ReduceL1", "reduce_l2_norm": "ReduceL2", "reduce_log_sum": "ReduceLogSum",
    "reduce_log_sum_exp": "ReduceLogSumExp", "reduce_max": "ReduceMax", "reduce_mean": "ReduceMean",
    "reduce_min": "ReduceMin", "reduce_prod": "ReduceProd", "reduce_sum": "ReduceSum",
    "reduce_sum_square": "ReduceSumSquare",
  ]

  static let names: [String] = ["reduce_argmax", "reduce_argmin", "topk"] + reductions.keys

  static func write(
    _ operation: MappedCoreMLOperation, to nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    switch operation.type {
    case "reduce_argmax", "reduce_argmin": try index(operation, &nodes)
    case "topk": try top(operation, &nodes)
    default: try reduce(reductions[operation.type] ?? "", operation, &nodes)
    }
  }

  private static func reduce(
    _ type: String, _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    var operands = [try operation.input("x")]
    let keeps = try operation.flag("keep_dims")
    var attributes: [String: ONNXAttribute] = ["keepdims": .integer(keeps ? 1 : 0)]
    if let axes = try operation.ints("axes") {
      // The sum has its axes as an operand in this operator set.
      if type == "ReduceSum" {
        operands.append(nodes.ints(axes))
      } else {
        attributes["axes"] = .integers(axes)
      }
    }
    nodes.node(type, operands, attributes, to: [operation.output])
  }

  private static func index(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      operation.type == "reduce_argmax" ? "ArgMax" : "ArgMin", [try operation.input("x")],
      [
        "axis": .integer(try operation.int("axis", -1)),
        "keepdims": .integer(try operation.flag("keep_dims") ? 1 : 0),
      ], to: [operation.output])
  }

  private static func top(
    _ operation: MappedCoreMLOperation, _ nodes: inout CoreMLNodes
  ) throws(NetconvError) {
    nodes.node(
      "TopK", [try operation.input("x"), nodes.ints([try operation.int("k", 1)])],
      [
        "axis": .integer(try operation.int("axis", -1)),
        "largest": .integer(try operation.flag("ascending") ? 0 : 1),
      ], to: operation.outputs)
  }
}
