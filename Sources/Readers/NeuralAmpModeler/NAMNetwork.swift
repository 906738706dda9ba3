import Documents
import ModelIR
import Operators

/// The network of a `.nam` file: a single network, or a chain of several.
///
/// The input is padded at the start with zeros for the receptive field of the whole chain. The trainer's `pad_start`
/// does the same, and so does a plugin that has processed silence. Later networks of a chain receive the response to
/// silence rather than zeros of their own.
/// Source: neural-amp-modeler, nam/models/base.py, `forward`, and sequential.py; NeuralAmpModelerCore, NAM/sequential.cpp.
indirect enum NAMNetwork {
  case waveNet(NAMWaveNet, NAMWeights)
  case lstm(NAMLSTM, NAMWeights)
  case chain([NAMNetwork])

  /// Reads the network of a document.
  ///
  /// - Throws: `badData` if the architecture is not supported.
  init(_ document: NAMDocument) throws(NetconvError) {
    let (config, place) = (document.config, document.configPlace)
    switch document.architecture {
    case "WaveNet":
      self = .waveNet(try NAMWaveNet(config, at: place), try document.weights())
    case "LSTM":
      self = .lstm(try NAMLSTM(config, at: place), try document.weights())
    case "Sequential", "sequential":
      self = .chain(try Self.parts(of: document))
    case "Linear": throw .linearOfNAM(document.place.isEmpty ? "architecture" : document.place)
    case "SlimmableContainer": throw .containerInChain(document.place)
    default: throw .unknownNAMArchitecture(document.architecture)
    }
  }

  private static func parts(of document: NAMDocument) throws(NetconvError) -> [NAMNetwork] {
    try document.checkNoWeights()
    let fields = try JSONFields(
      document.config, at: document.configPlace, known: ["models", "layers"])
    let key = fields["models"] == nil && fields["layers"] != nil ? "layers" : "models"
    if key == "models", fields["layers"] != nil {
      throw .bothKeys("models", "layers", in: document.configPlace)
    }
    var parts: [NAMNetwork] = []
    var rate = try document.sampleRate
    for (index, value) in try fields.list(key).enumerated() {
      let place = "\(fields.path(key))[\(index)]"
      guard value["architecture"] != nil else { throw .partWithoutArchitecture(place) }
      let part = try NAMDocument(value, at: place, in: document.version)
      if let own = try part.sampleRate {
        if let rate, rate != own { throw .otherSampleRate(own, expected: rate, in: place) }
        rate = own
      }
      parts.append(try NAMNetwork(part))
    }
    guard !parts.isEmpty else { throw .noLayers(fields.path(key)) }
    return parts
  }

  /// The number of input channels.
  private var inputChannels: Int {
    switch self {
    case .waveNet(let network, _): network.inputChannels
    case .lstm(let network, _): network.inputSize
    case .chain(let parts): parts[0].inputChannels
    }
  }

  /// The number of leading steps without an output.
  private var reach: Int {
    switch self {
    case .waveNet(let network, _): network.reach
    case .lstm: 0
    case .chain(let parts): parts.reduce(0) { $0 + $1.reach }
    }
  }

  /// Returns the model and the number of unused weights.
  func model(name: String) throws(NetconvError) -> (model: Model, unusedCount: Int) {
    var graph = NAMGraph(inputChannels: inputChannels)
    guard reach < NAMWaveNet.largestReach else {
      throw .longReach(reach, limit: NAMWaveNet.largestReach)
    }
    let signal =
      reach == 0
      ? graph.input : graph.add("start", ZeroPadding1D(before: reach, after: 0), [graph.input])
    var unusedCount = 0
    let output = try add(to: &graph, over: signal, &unusedCount)
    return (try graph.model(name: name, output: output), unusedCount)
  }

  private func add(
    to graph: inout NAMGraph, over signal: String, _ unusedCount: inout Int
  ) throws(NetconvError) -> String {
    switch self {
    case .waveNet(let network, var weights):
      let added = try NAMWaveNetGraph(network, behind: graph, over: signal, &weights)
      try weights.finish()
      graph = added.graph
      unusedCount += added.unusedCount
      return added.output
    case .lstm(let network, var weights):
      let output = try network.add(to: &graph, over: signal, &weights)
      try weights.finish()
      return output
    case .chain(let parts):
      var value = signal
      let prefix = graph.prefix
      for (index, part) in parts.enumerated() {
        graph.prefix = "\(prefix)model_\(index)_"
        value = try part.add(to: &graph, over: value, &unusedCount)
      }
      graph.prefix = prefix
      return value
    }
  }
}

extension NetconvError {
  fileprivate static func unknownNAMArchitecture(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the architecture \(quoted(name)) of Neural Amp Modeler is not read; WaveNet, LSTM, and chains and containers of "
        + "them are")
  }

  fileprivate static func linearOfNAM(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is Linear, whose weights the trainer takes from the oldest sample on and plugins from the newest; it "
        + "is not read")
  }

  fileprivate static func partWithoutArchitecture(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) has no 'architecture'; the trainer once wrote chains so, and what their parts are cannot be told"
    )
  }

  fileprivate static func otherSampleRate(
    _ found: Double, expected: Double, in place: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is for \(found) samples a second, expected \(expected), as in the rest of the chain"
    )
  }

  fileprivate static func containerInChain(_ place: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(place)) is a container of networks inside a chain, where none can be chosen; it is not read"
    )
  }
}
