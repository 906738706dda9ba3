/// Messages about unsupported graphs: the first three lines of a list of nodes, or else the error.
enum TensorFlowGraphRefusals {
  /// Graphs that TensorFlow can compute, with operations that are not used in networks, or that netconv has no layer
  /// for.
  static let unread: [String: String] = [
    "local-response":
      "'LRN (LRN)': the operation 'LRN' is not read; it reads 'Placeholder'",
    "matmul-swapped":
      "'MatMul (MatMul)': the first operand is transposed, which is not read",
  ]

  /// Graphs with one property that must be refused.
  static let refused: [String: String] = [
    "refused-batch-of-none":
      "'Reshape (Reshape)': cannot give [4] the shape [3, 4]",
    "refused-batch-concat":
      "'concat (ConcatV2)': works along the batch, which is not read",
    "refused-batch-mean":
      "'Mean (Mean)': works along the batch, which is not read",
    "refused-batch-reshape":
      "'Softmax': the first axis of this output counts more than the batch; expected a value before "
      + "it is merged",
    "refused-batch-reverse":
      "'ReverseV2 (ReverseV2)': works along the batch, which is not read",
    "refused-batch-size":
      "'mul (Mul)': Mul is only read as a part of a function that netconv knows",
    "refused-batch-slice":
      "'strided_slice (StridedSlice)': works along the batch, which is not read",
    "refused-batch-transpose":
      "'transpose': the batch is axis 1 of this output; expected the first",
    "refused-circle":
      "2 nodes wait for each other in a circle, as loops do, which are not read: 'circle', "
      + "'result'",
    "refused-compiled":
      "'XlaCallModule (XlaCallModule)': the operation 'XlaCallModule' is not read; it "
      + "reads 'Placeholder', 'W/read'",
    "refused-constant-only":
      "no node states the shape of what is fed; name the input and its shape with "
      + "'graph.inputs', such as name=?x28x28x1",
    "refused-crossing":
      "'MatMul (MatMul)': input 1 of MatMul follows from what is fed, expected a constant",
    "refused-decoded":
      "no node states the shape of what is fed; name the input and its shape with "
      + "'graph.inputs', such as name=?x28x28x1",
    "refused-constant-too-large":
      "'Cast (Cast)': makes uint8 of 300.0, which does not fit, and wraps around",
    "refused-far-output":
      "'FusedBatchNormV3 (FusedBatchNormV3)': output 1048577 is not read",
    "refused-fill-alone":
      "'Fill (Fill)': Fill has no input 1",
    "refused-divided-integers":
      "'Div (Div)': divides int32, which cuts fractions off, and is not read",
    "refused-mean-of-integers":
      "'Mean (Mean)': divides int32, which cuts fractions off, and is not read",
    "refused-morphology":
      "'Dilation2D (Dilation2D)': the operation 'Dilation2D' is not read; it reads 'Placeholder', "
      + "'W/read'",
    "refused-narrower-cast":
      "'Cast (Cast)': makes uint8 of int32, where what does not fit wraps around, which is not read",
    "refused-padded-too-far":
      "'SpaceToBatchND (SpaceToBatchND)': deals places out by blocks of [2, 2], which do not fit",
    "refused-split-too-far":
      "'split (SplitV)': asks for a part that its input does not have",
    "refused-wrapping-sums":
      "'sub (Sub)': computes with uint8, which wraps around, and is not read; cast to a float "
      + "before",
    "refused-hidden-size":
      "layer 'conv1/W': its shape [0, 1099511627776, 1099511627776, 4] has more values than can "
      + "be counted",
    "refused-if-data":
      "'Sum (Sum)': works along the batch, which is not read\n"
      + "'cond (StatelessIf)': the operation 'StatelessIf' is not read; it reads 'Greater', "
      + "'Conv2D'",
    "refused-kernel-data":
      "the first axes of the inputs are 3; expected the batch, the same in all",
    "refused-lookup":
      "'HashTableV2 (HashTableV2)': the operation 'HashTableV2' is not read\n"
      + "'LookupTableFindV2 (LookupTableFindV2)': the operation 'LookupTableFindV2' is not "
      + "read; it reads 'HashTableV2', 'words'",
    "refused-missing-node":
      "layer 'result': reads the node 'nowhere', which the graph does not have",
    "refused-missing-output":
      "'circle (Relu)': output 3 is not read",
    "refused-not-frozen":
      "'conv1/W (VariableV2)': a variable has no values here; name the SavedModel, the "
      + ".meta file beside its checkpoint, or a frozen graph",
    "refused-not-frozen-resources":
      "'W (VarHandleOp)': a variable has no values here; name the SavedModel, the .meta "
      + "file beside its checkpoint, or a frozen graph",
    "refused-open-size":
      "'Reshape (Reshape)': depends on the sizes of (None, None, 4), which are open; "
      + "state them with 'graph.inputs', such as name=?x224x224x3",
    "refused-pad-batch":
      "'Pad (Pad)': works along the batch, which is not read",
    "refused-python":
      "'PyFunc (PyFunc)': the operation 'PyFunc' is not read; it reads 'Conv2D'",
    "refused-quantized":
      "'FakeQuantWithMinMaxVars (FakeQuantWithMinMaxVars)': the operation "
      + "'FakeQuantWithMinMaxVars' is not read; it reads 'Conv2D', "
      + "'FakeQuantWithMinMaxVars/min'",
    "refused-random":
      "'random_normal/RandomStandardNormal (RandomStandardNormal)': the operation "
      + "'RandomStandardNormal' is not read; it reads 'Shape'",
    "refused-reshape-data":
      "the first axes of the inputs are 4; expected the batch, the same in all",
    "refused-same-names":
      "two nodes are called 'result'",
    "refused-switch-data":
      "'Sum (Sum)': works along the batch, which is not read\n"
      + "'cond/Merge (Merge)': the operation 'Merge' is not read; it reads 'cond/Tanh', "
      + "'cond/Relu'",
    "refused-training":
      "'FusedBatchNormV3 (FusedBatchNormV3)': is_training is set: means are taken over "
      + "what is fed; freeze the graph for inference",
    "refused-training-graph":
      "'gradients/Relu_grad/ReluGrad (ReluGrad)': the operation 'ReluGrad' is not read; it "
      + "reads 'gradients/Square_grad/Mul_1', 'Relu'\n"
      + "'gradients/Conv2D_grad/Conv2DBackpropFilter (Conv2DBackpropFilter)': the operation "
      + "'Conv2DBackpropFilter' is not read; it reads 'Placeholder', "
      + "'gradients/Conv2D_grad/ShapeN'",
    "refused-unknown":
      "'Cumsum (Cumsum)': the operation 'Cumsum' is not read; it reads 'Conv2D', "
      + "'Cumsum/axis'",
    "refused-unnamed-operator":
      "'shiny (ShinyThreshold)': the operation 'ShinyThreshold' is not read; it reads "
      + "'Conv2D'",
    "refused-while-frames":
      "7 nodes wait for each other in a circle, as loops do, which are not read: "
      + "'rnn/while/Exit_2', 'rnn/while/LoopCond', 'rnn/while/NextIteration_2', …",
    "refused-while-loop":
      "'rnn/TensorArrayV2 (TensorListReserve)': the operation 'TensorListReserve' is not "
      + "read; it reads 'rnn/TensorArrayV2/element_shape', 'rnn/strided_slice_1'\n"
      + "'rnn/LSTMCellZeroState/zeros (Fill)': 'rnn/LSTMCellZeroState/concat' depends on how many "
      + "samples are fed at once, which is not read\n"
      + "'rnn/LSTMCellZeroState/zeros_1 (Fill)': 'rnn/LSTMCellZeroState/concat_1' depends on how many "
      + "samples are fed at once, which is not read",
    "refused-wrong-size":
      "layer 'conv1/W': a tensor of type float32 and shape [3, 2, 2, 4] has 188 bytes, "
      + "which do not fit",
  ]

  /// Graphs of the same kind that are read, with a note or without one.
  static let read = ["double", "dropout", "no-values", "open-image", "unknown-shape"]
}
