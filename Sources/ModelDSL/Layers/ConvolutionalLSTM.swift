import ModelIR
import Operators

/// A layer of long short-term memory whose products are convolutions: ``ConvolutionalLSTM`` of sequences of images,
/// ``ConvolutionalLSTM1D`` of sequences of sequences.
public struct ConvolutionalLSTMLayer<Space: SpatialAxes>: NetworkLayer {
  /// The name by which kernels and bias are asked for.
  public let name: String?
  /// `lstm`.
  public var kind: String { "lstm" }
  /// `ConvolutionalLSTM2D` or `ConvolutionalLSTM1D`.
  public let operation: any Operator
  /// The bias, if there is none.
  public let omittedParameters: Set<ParameterRole>
  /// The states, if there are any.
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

/// A layer of long short-term memory over images: (steps, height, width, channels).
public typealias ConvolutionalLSTM = ConvolutionalLSTMLayer<Plane>

/// A layer of long short-term memory over sequences of sequences: (steps, length, channels).
public typealias ConvolutionalLSTM1D = ConvolutionalLSTMLayer<Line>

extension ConvolutionalLSTMLayer where Space == Plane {
  /// A layer that goes through a sequence of images; tuples are (width, height).
  ///
  /// - Parameters:
  ///   - kernel: the size of both kernels.
  ///   - channels: of the state, and of an output.
  ///   - stride: the distance of two outputs, in input pixels.
  ///   - dilation: the distance of two taps, in input pixels.
  ///   - padding: what happens at the edges of the input; the state keeps its size.
  ///   - activation: applied to what goes into the cell, and to the cell.
  ///   - recurrentActivation: applied to the gates.
  ///   - returns: the output of the last step, those of all steps, or what is left of the state.
  ///   - goesBackwards: whether it begins with the last step.
  ///   - initialState: what it begins with: (height, width, channels) each; by default zeros.
  ///   - statefulBatch: after how many sequences one goes on where another has ended; by default each begins by itself.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
  /// A layer that goes through a sequence of sequences: (steps, length, channels).
  ///
  /// - Parameters:
  ///   - kernel: the taps of both kernels.
  ///   - channels: of the state, and of an output.
  ///   - stride: the distance of two outputs, in places of the input.
  ///   - dilation: the distance of two taps, in places of the input.
  ///   - padding: what happens at the ends of the input; the state keeps its length.
  ///   - activation: applied to what goes into the cell, and to the cell.
  ///   - recurrentActivation: applied to the gates.
  ///   - returns: the output of the last step, those of all steps, or what is left of the state.
  ///   - goesBackwards: whether it begins with the last step.
  ///   - initialState: what it begins with: (length, channels) each; by default zeros.
  ///   - statefulBatch: after how many sequences one goes on where another has ended; by default each begins by itself.
  ///   - useBias: whether a bias is added.
  ///   - name: the name by which the parameters are asked for.
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
