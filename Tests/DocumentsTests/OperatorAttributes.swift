import ModelIR
import Operators

/// Every operator with its attributes in `model.json`.
enum OperatorAttributes {
  /// Each operator with non-default attributes, and these attributes in a document.
  static let operators: [(operation: any Operator, attributes: String)] = [
    (
      Activation(.leakyReLU(negativeSlope: 0.5)),
      #"{"function":{"function":"leakyRelu","negativeSlope":0.5}}"#
    ),
    (Add(), "{}"),
    (
      Attention(
        heads: 4, keyHeads: 2, scale: 0.5, softCap: 20, before: 3, after: 0,
        masks: [.queries, .results], zerosEmpty: true, result: .weights),
      #"{"after":0,"before":3,"heads":4,"keyHeads":2,"masks":["queries","results"],"#
        + #""result":"weights","scale":0.5,"score":"dot","softCap":20,"zerosEmpty":true}"#
    ),
    (Average(), "{}"),
    (
      AveragePooling2D(poolSize: Size2D(2, 3), strides: Size2D(1, 4), padding: .same),
      #"{"padding":"same","poolSize":[2,3],"strides":[1,4]}"#
    ),
    (BatchNormalization(epsilon: 0.25, axis: 1), #"{"axis":1,"epsilon":0.25}"#),
    (CenterCrop(size: Size2D(2, 3)), #"{"size":[2,3]}"#),
    (Concatenate(axis: 1), #"{"axis":1}"#),
    (Constant(shape: [3, 4]), #"{"shape":[3,4]}"#),
    (
      Reduce(.maximum, axes: [0, -1], keepDimensions: true),
      #"{"axes":[0,-1],"function":"maximum","keepDimensions":true}"#
    ),
    (
      Operators.Slice(starts: [5, 0], counts: [2, nil], steps: [-3, 1]),
      #"{"counts":[2,null],"starts":[5,0],"steps":[-3,1]}"#
    ),
    (
      Convolution2D(
        outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5), dilation: Size2D(6, 7),
        groups: 3, padding: .same, activation: .elu(alpha: 0.5)),
      #"{"activation":{"alpha":0.5,"function":"elu"},"dilation":[6,7],"groups":3,"#
        + #""kernelSize":[2,3],"outputChannels":6,"padding":"same","strides":[4,5]}"#
    ),
    (
      Cropping2D(top: 1, bottom: 2, left: 3, right: 4), #"{"cropping":[[1,2],[3,4]]}"#
    ),
    (
      Dense(units: 7, activation: .softmax(axis: 0)),
      #"{"activation":{"axis":0,"function":"softmax"},"units":7}"#
    ),
    (
      DepthwiseConvolution2D(
        kernelSize: Size2D(2, 3), depthMultiplier: 4, strides: Size2D(5, 6),
        dilation: Size2D(7, 8), padding: .same, activation: .tanh),
      #"{"activation":"tanh","depthMultiplier":4,"dilation":[7,8],"kernelSize":[2,3],"#
        + #""padding":"same","strides":[5,6]}"#
    ),
    (Divide(), "{}"),
    (Dot(axes: [1, 0], smallestNorm: 0.5), #"{"axes":[1,0],"smallestNorm":0.5}"#),
    (Flatten(), "{}"),
    (GatedLinearUnit(axis: 1), #"{"axis":1}"#),
    (Gather(axis: -2, byElement: true), #"{"axis":-2,"byElement":true}"#),
    (
      TopK(count: 2, axis: -1, takesSmallest: true, result: .indices),
      #"{"axis":-1,"count":2,"result":"indices","takesSmallest":true}"#
    ),
    (GlobalAveragePooling2D(keepDimensions: true), #"{"keepDimensions":true}"#),
    (GlobalMaxPooling2D(keepDimensions: true), #"{"keepDimensions":true}"#),
    (
      GroupNormalization(groups: 4, epsilon: 0.25, axis: 1),
      #"{"axis":1,"epsilon":0.25,"groups":4}"#
    ),
    (Identity(), "{}"),
    (
      LayerNormalization(epsilon: 0.25, axis: [1, 2], subtractsMean: false),
      #"{"axis":[1,2],"epsilon":0.25,"subtractsMean":false}"#
    ),
    (
      MaxPooling2D(poolSize: Size2D(2, 3), strides: Size2D(1, 4), padding: .same),
      #"{"padding":"same","poolSize":[2,3],"strides":[1,4]}"#
    ),
    (Maximum(), "{}"),
    (Minimum(), "{}"),
    (Multiply(), "{}"),
    (
      Normalization(
        axes: [2], invert: true,
        statistics: Normalization.Statistics(mean: [1, 2], variance: [3, 4])),
      #"{"axes":[2],"invert":true,"mean":[1,2],"variance":[3,4]}"#
    ),
    (PReLU(sharedAxes: [0, 1]), #"{"sharedAxes":[0,1]}"#),
    (Permute(order: [2, 0, 1]), #"{"order":[2,0,1]}"#),
    (RMSNormalization(epsilon: 0.25, axis: 1), #"{"axis":1,"epsilon":0.25}"#),
    (RepeatVector(count: 3), #"{"count":3}"#),
    (Rescaling(scale: [0.5, 2], offset: [-1]), #"{"offset":[-1],"scale":[0.5,2]}"#),
    (Reshape(shape: [2, -1]), #"{"shape":[2,-1]}"#),
    (
      Resizing(
        size: Size2D(2, 3), interpolation: .lanczos3, antialias: true, proportion: .pad, fill: 0.5),
      #"{"antialias":true,"fill":0.5,"interpolation":"lanczos3","proportion":"pad","size":[2,3]}"#
    ),
    (Scale(), "{}"),
    (ScaledAdd(scale: 0.5), #"{"scale":0.5}"#),
    (
      SeparableConvolution2D(
        outputChannels: 9, kernelSize: Size2D(2, 3), depthMultiplier: 4, strides: Size2D(5, 6),
        dilation: Size2D(7, 8), padding: .same, activation: .relu6),
      #"{"activation":"relu6","depthMultiplier":4,"dilation":[7,8],"kernelSize":[2,3],"#
        + #""outputChannels":9,"padding":"same","strides":[5,6]}"#
    ),
    (Subtract(), "{}"),
    (
      TransposedConvolution2D(
        outputChannels: 9, kernelSize: Size2D(2, 3), strides: Size2D(5, 6),
        dilation: Size2D(7, 8), padding: .same, outputPadding: Size2D(4, 1), activation: .tanh),
      #"{"activation":"tanh","dilation":[7,8],"kernelSize":[2,3],"outputChannels":9,"#
        + #""outputPadding":[4,1],"padding":"same","strides":[5,6]}"#
    ),
    (
      UnitNormalization(smallestNorm: 0.5, axis: -2), #"{"axis":-2,"smallestNorm":0.5}"#
    ),
    (
      UpSampling2D(size: Size2D(2, 3), interpolation: .bilinear),
      #"{"interpolation":"bilinear","size":[2,3]}"#
    ),
    (ZeroPadding2D(top: 1, bottom: 2, left: 3, right: 4), #"{"padding":[[1,2],[3,4]]}"#),
  ]

  static let ofSequences: [(operation: any Operator, attributes: String)] = [
    (
      AveragePooling1D(poolSize: Size1D(2), strides: Size1D(3), padding: .same),
      #"{"padding":"same","poolSize":[2],"strides":[3]}"#
    ),
    (
      Convolution1D(
        outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4), dilation: Size1D(6),
        groups: 3, padding: .causal, activation: .relu),
      #"{"activation":"relu","dilation":[6],"groups":3,"#
        + #""kernelSize":[2],"outputChannels":6,"padding":"causal","strides":[4]}"#
    ),
    (Cropping1D(before: 1, after: 2), #"{"cropping":[[1,2]]}"#),
    (
      DepthwiseConvolution1D(
        kernelSize: Size1D(2), depthMultiplier: 4, strides: Size1D(5), dilation: Size1D(7),
        padding: .same, activation: .tanh),
      #"{"activation":"tanh","depthMultiplier":4,"dilation":[7],"kernelSize":[2],"#
        + #""padding":"same","strides":[5]}"#
    ),
    (AdaptiveAveragePooling1D(outputSize: Size1D(2)), #"{"outputSize":[2]}"#),
    (AdaptiveAveragePooling2D(outputSize: Size2D(2, 3)), #"{"outputSize":[2,3]}"#),
    (AdaptiveMaxPooling1D(outputSize: Size1D(2)), #"{"outputSize":[2]}"#),
    (AdaptiveMaxPooling2D(outputSize: Size2D(2, 3)), #"{"outputSize":[2,3]}"#),
    (
      ConvolutionalLSTM1D(
        outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4), dilation: Size1D(6),
        padding: .same, activation: .relu),
      #"{"activation":"relu","dilation":[6],"kernelSize":[2],"outputChannels":6,"#
        + #""padding":"same","recurrence":\#(recurrence("last")),"#
        + #""recurrentActivation":"sigmoid","strides":[4]}"#
    ),
    (
      ConvolutionalLSTM2D(
        outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5),
        dilation: Size2D(6, 7), recurrentActivation: .softsign,
        recurrence: Recurrence(returns: .cell, goesBackwards: true)),
      #"{"activation":"tanh","dilation":[6,7],"kernelSize":[2,3],"outputChannels":6,"#
        + #""padding":"valid","recurrence":\#(recurrence("cell", goesBackwards: true)),"#
        + #""recurrentActivation":"softsign","strides":[4,5]}"#
    ),
    (
      LocallyConnected1D(outputChannels: 6, kernelSize: Size1D(2), strides: Size1D(4)),
      #"{"activation":"linear","kernelSize":[2],"outputChannels":6,"strides":[4]}"#
    ),
    (
      LocallyConnected2D(
        outputChannels: 6, kernelSize: Size2D(2, 3), strides: Size2D(4, 5), activation: .relu),
      #"{"activation":"relu","kernelSize":[2,3],"outputChannels":6,"strides":[4,5]}"#
    ),
    (Elementwise(power: 2.5), #"{"exponent":2.5,"function":"power"}"#),
    (Pairwise(.lessOrEqual), #"{"function":"lessOrEqual"}"#),
    (Where(), "{}"),
    (
      ArgReduce(.minimum, axis: -2, keepDimensions: true, takesLast: true),
      #"{"axis":-2,"function":"minimum","keepDimensions":true,"takesLast":true}"#
    ),
    (Embedding(count: 5, outputChannels: 3), #"{"count":5,"outputChannels":3}"#),
    (
      GRU(units: 4, activation: .relu, recurrentActivation: .softsign, resetsAfter: true),
      #"{"activation":"relu","recurrence":\#(recurrence("last")),"#
        + #""recurrentActivation":"softsign","resetsAfter":true,"units":4}"#
    ),
    (GlobalAveragePooling1D(keepDimensions: true), #"{"keepDimensions":true}"#),
    (GlobalMaxPooling1D(keepDimensions: true), #"{"keepDimensions":true}"#),
    (
      LSTM(units: 4, recurrence: Recurrence(returns: .cell, goesBackwards: true)),
      #"{"activation":"tanh","recurrence":\#(recurrence("cell", goesBackwards: true)),"#
        + #""recurrentActivation":"sigmoid","units":4}"#
    ),
    (MaskedAverage(keepDimensions: true), #"{"keepDimensions":true}"#),
    (Masking(value: 0.5), #"{"value":0.5}"#),
    (
      MatMul(transposesSecond: true), #"{"transposesFirst":false,"transposesSecond":true}"#
    ),
    (
      MaxPooling1D(poolSize: Size1D(2), strides: Size1D(3), padding: .same),
      #"{"padding":"same","poolSize":[2],"strides":[3]}"#
    ),
    (Reverse(), "{}"),
    (
      SeparableConvolution1D(
        outputChannels: 9, kernelSize: Size1D(2), depthMultiplier: 4, strides: Size1D(5),
        dilation: Size1D(7), padding: .same, activation: .relu6),
      #"{"activation":"relu6","depthMultiplier":4,"dilation":[7],"kernelSize":[2],"#
        + #""outputChannels":9,"padding":"same","strides":[5]}"#
    ),
    (
      SimpleRNN(units: 4, recurrence: Recurrence(returns: .sequence)),
      #"{"activation":"tanh","recurrence":\#(recurrence("sequence")),"units":4}"#
    ),
    (StepMask(value: 0.5, isPerValue: true), #"{"isPerValue":true,"value":0.5}"#),
    (
      Quantized(Flatten(), inputs: [], output: nil, kernelScales: [0.5, 0.25], isAsymmetric: true),
      #"{"attributes":{},"isAsymmetric":true,"kernelScales":[0.5,0.25],"operator":"Flatten"}"#
    ),
    (
      TimeDistributed(Flatten()), #"{"attributes":{},"operator":"Flatten"}"#
    ),
    (
      TransposedConvolution1D(
        outputChannels: 9, kernelSize: Size1D(2), strides: Size1D(5), dilation: Size1D(7),
        padding: .same, outputPadding: Size1D(4), activation: .tanh),
      #"{"activation":"tanh","dilation":[7],"kernelSize":[2],"outputChannels":9,"#
        + #""outputPadding":[4],"padding":"same","strides":[5]}"#
    ),
    (
      UpSampling1D(size: Size1D(2), interpolation: .bilinear),
      #"{"interpolation":"bilinear","size":[2]}"#
    ),
    (ZeroPadding1D(before: 1, after: 2), #"{"padding":[[1,2]]}"#),
  ]

  /// The same for operators of volumes.
  static let ofVolumes: [(operation: any Operator, attributes: String)] = [
    (AdaptiveAveragePooling3D(outputSize: Size3D(2, 3, 4)), #"{"outputSize":[2,3,4]}"#),
    (AdaptiveMaxPooling3D(outputSize: Size3D(2, 3, 4)), #"{"outputSize":[2,3,4]}"#),
    (
      AveragePooling3D(poolSize: Size3D(2, 3, 4), strides: Size3D(1, 4, 2), padding: .same),
      #"{"padding":"same","poolSize":[2,3,4],"strides":[1,4,2]}"#
    ),
    (
      Convolution3D(
        outputChannels: 6, kernelSize: Size3D(2, 3, 4), strides: Size3D(4, 5, 6),
        dilation: Size3D(6, 7, 8), groups: 3, padding: .amounts([[1, 0], [0, 2], [3, 0]]),
        activation: .relu),
      #"{"activation":"relu","dilation":[6,7,8],"groups":3,"kernelSize":[2,3,4],"#
        + #""outputChannels":6,"padding":[[1,0],[0,2],[3,0]],"strides":[4,5,6]}"#
    ),
    (
      ConvolutionalLSTM3D(
        outputChannels: 6, kernelSize: Size3D(2, 3, 4), strides: Size3D(4, 5, 1), padding: .same),
      #"{"activation":"tanh","dilation":[1,1,1],"kernelSize":[2,3,4],"outputChannels":6,"#
        + #""padding":"same","recurrence":\#(recurrence("last")),"#
        + #""recurrentActivation":"sigmoid","strides":[4,5,1]}"#
    ),
    (Cropping3D(sides: [[1, 2], [3, 4], [5, 6]]), #"{"cropping":[[1,2],[3,4],[5,6]]}"#),
    (GlobalAveragePooling3D(keepDimensions: true), #"{"keepDimensions":true}"#),
    (GlobalMaxPooling3D(keepDimensions: true), #"{"keepDimensions":true}"#),
    (
      MaxPooling3D(poolSize: Size3D(2, 3, 4), padding: .sameLower),
      #"{"padding":"sameLower","poolSize":[2,3,4],"strides":[2,3,4]}"#
    ),
    (
      TransposedConvolution3D(
        outputChannels: 9, kernelSize: Size3D(2, 3, 4), strides: Size3D(5, 6, 2), padding: .same,
        outputPadding: Size3D(4, 0, 1), activation: .tanh),
      #"{"activation":"tanh","dilation":[1,1,1],"kernelSize":[2,3,4],"outputChannels":9,"#
        + #""outputPadding":[4,0,1],"padding":"same","strides":[5,6,2]}"#
    ),
    (UpSampling3D(size: Size3D(2, 3, 4)), #"{"interpolation":"nearest","size":[2,3,4]}"#),
    (ZeroPadding3D(sides: [[1, 2], [3, 4], [5, 6]]), #"{"padding":[[1,2],[3,4],[5,6]]}"#),
  ]

  private static func recurrence(_ returns: String, goesBackwards: Bool = false) -> String {
    #"{"goesBackwards":\#(goesBackwards),"returns":"\#(returns)","takesMask":false,"#
      + #""takesState":false,"zerosMasked":false}"#
  }
}
