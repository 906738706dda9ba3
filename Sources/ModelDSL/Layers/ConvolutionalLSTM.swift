import ModelIR
import Operators

/// A convolutional LSTM layer: ``ConvolutionalLSTM`` over sequences of images, ``ConvolutionalLSTM1D`` over sequences
/// of sequences.
public struct ConvolutionalLSTMLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name for looking up the kernels and the bias.
  public let name: String?
  /// The prefix of default names, `lstm`.
  public var kind: String { "lstm" }
  /// The operator, `ConvolutionalLSTM2D` or `ConvolutionalLSTM1D`.
  public let operation: any Operator
  /// The bias, if it is omitted.
  public let omittedParameters: Set<ParameterRole>
  /// The initial states, if given.
  public let furtherInputs: [any NodeSource]

  private init(
    kernel: SpatialSize<Space>, channels: Int, stride: SpatialSize<Space>,
    dilation: SpatialSize<Space>, _ padding: Padding, _ activation: ActivationFunction,
    _ recurrentActivation: ActivationFunction, _ returns: RecurrentResult, _ goesBackwards: Bool,
    _ initialState: (hidden: any NodeSource, cell: any NodeSource)?, _ statefulBatch: Int?,
    useBias: Bool, _ name: String
  ) {
    let further = RecurrentInputs(mask: nil, state: initialState.map { [$0.hidden, $0.cell] })
    operation = SpatialConvolutionalLSTM<Space>(
      outputChannels: channels, kernelSize: kernel, strides: stride, dilation: dilation,
      padding: padding, activation: activation, recurrentActivation: recurrentActivation,
      recurrence: further.recurrence(returns, goesBackwards, false, statefulBatch))
    furtherInputs = further.nodes
    omittedParameters = useBias ? [] : [.bias]
    self.name = name
  }
}

/// A convolutional LSTM layer over sequences of images: (steps, height, width, channels).
public typealias ConvolutionalLSTM = ConvolutionalLSTMLayer<Plane>

/// A convolutional LSTM layer over sequences of sequences: (steps, length, channels).
public typealias ConvolutionalLSTM1D = ConvolutionalLSTMLayer<Line>

extension ConvolutionalLSTMLayer where Space == Plane {
  /// Creates a layer over sequences of images; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of both kernels.
  ///   - channels: the number of channels of the state, and of an output.
  ///   - stride: the distance between outputs, in input pixels.
  ///   - dilation: the distance between taps, in input pixels.
  ///   - padding: the padding at the edges of the input; the state keeps its size.
  ///   - activation: the activation function of the cell's input and of the cell.
  ///   - recurrentActivation: the activation function of the gates.
  ///   - returns: the output: that of the last step, those of all steps, or the final state.
  ///   - goesBackwards: true to process the sequence from the last step to the first.
  ///   - initialState: the initial states: (height, width, channels) each; zeros by default.
  ///   - statefulBatch: the batch size of a stateful layer; by default each sequence starts from its own initial state.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: (width: Int, height: Int), channels: Int, stride: (width: Int, height: Int) = (1, 1),
    dilation: (width: Int, height: Int) = (1, 1), padding: Padding = .same,
    activation: ActivationFunction = .tanh, recurrentActivation: ActivationFunction = .sigmoid,
    returns: RecurrentResult = .last, goesBackwards: Bool = false,
    initialState: (hidden: any NodeSource, cell: any NodeSource)? = nil, statefulBatch: Int? = nil,
    useBias: Bool = true, name: String
  ) {
    self.init(
      kernel: Size2D(kernel), channels: channels, stride: Size2D(stride),
      dilation: Size2D(dilation),
      padding, activation, recurrentActivation, returns, goesBackwards, initialState, statefulBatch,
      useBias: useBias, name)
  }
}

extension ConvolutionalLSTMLayer where Space == Line {
  /// Creates a layer over sequences of sequences: (steps, length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the length of both kernels.
  ///   - channels: the number of channels of the state, and of an output.
  ///   - stride: the distance between outputs, in input positions.
  ///   - dilation: the distance between taps, in input positions.
  ///   - padding: the padding at the ends of the input; the state keeps its length.
  ///   - activation: the activation function of the cell's input and of the cell.
  ///   - recurrentActivation: the activation function of the gates.
  ///   - returns: the output: that of the last step, those of all steps, or the final state.
  ///   - goesBackwards: true to process the sequence from the last step to the first.
  ///   - initialState: the initial states: (length, channels) each; zeros by default.
  ///   - statefulBatch: the batch size of a stateful layer; by default each sequence starts from its own initial state.
  ///   - useBias: true to add a bias.
  ///   - name: the name for looking up the parameters.
  public init(
    kernel: Int, channels: Int, stride: Int = 1, dilation: Int = 1, padding: Padding = .same,
    activation: ActivationFunction = .tanh, recurrentActivation: ActivationFunction = .sigmoid,
    returns: RecurrentResult = .last, goesBackwards: Bool = false,
    initialState: (hidden: any NodeSource, cell: any NodeSource)? = nil, statefulBatch: Int? = nil,
    useBias: Bool = true, name: String
  ) {
    self.init(
      kernel: Size1D(kernel), channels: channels, stride: Size1D(stride),
      dilation: Size1D(dilation),
      padding, activation, recurrentActivation, returns, goesBackwards, initialState, statefulBatch,
      useBias: useBias, name)
  }
}
