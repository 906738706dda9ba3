import Documents
import ModelIR
import Operators

/// The layers of a scaffold as a chain.
struct ScaffoldChain {
  private var scopes: [(name: String, tensors: [NamedTensor])]
  private let convention: WeightConvention
  private let name: String
  private(set) var layers: [OrderedJSON] = []
  private(set) var questions: [ScaffoldLayer.Remark] = []
  private(set) var guesses: [ScaffoldLayer.Remark] = []
  private(set) var leftOut: [String] = []
  private var names: UniqueNames
  private let input: String
  private var last: String
  private var channels: Int?
  private var earlierChannels: Set<Int> = []
  private var inputChannels: Int?
  private var spatialAxes: Int?
  /// True if every convolution may be followed by a pooling; otherwise only the first may.
  private var asksForPools = true
  private var hasConvolution = false
  /// True if the output of the last layer is a vector.
  private var isFlat = false
  /// A convolution whose activation is pending until it is known whether a normalisation follows.
  private var openConvolution: (axes: Int, name: String)?
  /// True if the last layer does not read its predecessor, so that the input of the next layer is uncertain as well.
  private var isBranch = false

  /// - Parameters:
  ///   - scopes: The tensors by scope, in source order.
  ///   - convention: The convention of the tensors.
  ///   - name: The name of the network.
  init(
    _ scopes: [(name: String, tensors: [NamedTensor])], _ convention: WeightConvention,
    called name: String
  ) {
    self.scopes = scopes
    self.convention = convention
    self.name = name
    names = UniqueNames(separator: "_", from: 2, besides: Set(scopes.map(\.name)))
    input = names.next("input")
    last = input
  }

  private var key: String { "layers[\(layers.count)]" }

  private mutating func ask(_ place: String, _ text: String) {
    questions.append(ScaffoldLayer.Remark(place: place, text: text))
  }

  private mutating func guess(_ place: String, _ text: String) {
    guesses.append(ScaffoldLayer.Remark(place: place, text: text))
  }

  // MARK: - Layers

  /// Adds the layers of all scopes.
  ///
  /// - Parameter isOrdered: True if the source lists the scopes in the order of the network.
  /// - Returns: The basis of the layers' order.
  mutating func addAll(isOrdered: Bool) -> ScaffoldOrder.Basis {
    let order = ScaffoldOrder(
      scopes.indices.map { (scopes[$0].name, layer($0)) }, isKept: isOrdered)
    scopes = order.places.map { scopes[$0] }
    asksForPools = !endsInMean
    for index in scopes.indices { add(index) }
    closeConvolution()
    guesses.insert(
      ScaffoldLayer.Remark(
        place: "layers",
        text:
          "each layer reads the one before, in the order \(order.basis.words); edit inputs for branches, and add "
          + "their Add or Concatenate"), at: 0)
    if !asksForPools, hasConvolution {
      guesses.insert(
        ScaffoldLayer.Remark(
          place: "layers",
          text: "no poolings between convolutions but the first, since a mean follows the last"),
        at: 1)
    }
    return order.basis
  }

  private func layer(_ index: Int, _ neighbors: ScaffoldLayer.Neighbors = .init())
    -> ScaffoldLayer?
  {
    let members = Dictionary(
      scopes[index].tensors.map { ($0.word, $0) }, uniquingKeysWith: { first, _ in first })
    return ScaffoldLayer.recognized(scopes[index].name, members, convention, beside: neighbors)
  }

  /// True if the first dense layer has as many inputs as the last convolution has output channels: a mean is between
  /// them, as in networks that use larger strides instead of poolings.
  private var endsInMean: Bool {
    var channels: Int?
    for index in scopes.indices {
      guard let layer = layer(index) else { continue }
      if layer.isDense { return channels == layer.inputChannels }
      if layer.isConvolution { channels = layer.outputChannels }
    }
    return false
  }

  /// Adds the layer to which the tensors of a scope belong.
  private mutating func add(_ index: Int) {
    let (scope, tensors) = scopes[index]
    var neighbors = ScaffoldLayer.Neighbors(
      channels: channels, earlierChannels: earlierChannels)
    if index + 1 < scopes.count, let next = layer(index + 1), next.isNormalization {
      neighbors.isNormalized = layer(index)?.outputChannels == next.inputChannels
    }
    guard var layer = layer(index, neighbors) else {
      leftOut += tensors.map(\.name)
      return
    }
    let used = Set(layer.roles.map(\.tensor.name))
    leftOut += tensors.map(\.name).filter { !used.contains($0) }
    if !(layer.isNormalization && layer.inputChannels == channels) { closeConvolution() }
    if layers.isEmpty {
      inputChannels = layer.inputChannels
      spatialAxes = layer.spatialAxes
    } else if layer.isDense, !isFlat, let channels, spatialAxes != nil {
      flatten(&layer, channels: channels)
    }
    if layer.isDense { isFlat = true }
    append(scope, layer)
    if layer.isConvolution, let axes = layer.spatialAxes { openConvolution = (axes, scope) }
  }

  /// Adds the activation after a convolution's normalisation, and an optional pooling.
  private mutating func closeConvolution() {
    guard let (axes, convolution) = openConvolution else { return }
    openConvolution = nil
    let isFirst = !hasConvolution
    hasConvolution = true
    if last != convolution {
      ask("\(key).attributes.function", "what follows '\(last)': linear, relu, …")
      append(
        Activation.name, called: names.next("activation"),
        [("attributes", .object([("function", .question)]))])
    }
    guard asksForPools || isFirst else { return }
    ask(
      "\(key).attributes.poolSize",
      "the window of a pooling behind '\(last)'; \([Int](repeating: 1, count: axes)) if there is none"
    )
    guess(
      "\(key).operator",
      "a pooling takes the maximum, of windows side by side; AveragePooling\(axes)D takes the mean")
    append(
      axes == 1 ? MaxPooling1D.name : MaxPooling2D.name, called: names.next("pool"),
      [("attributes", .object([("poolSize", .question)]))])
  }

  /// Adds the layer that turns an image into a vector before a dense layer, whose kernel then has the image's axes.
  private mutating func flatten(_ layer: inout ScaffoldLayer, channels: Int) {
    let axes = spatialAxes ?? 2
    guard let inputs = layer.inputChannels, inputs != channels else {
      guess(
        "\(key).operator",
        "a mean over all places, since the next layer reads as many values as there are channels")
      append(
        axes == 1 ? GlobalAveragePooling1D.name : GlobalAveragePooling2D.name,
        called: names.next("pool"), reading: joinedInput())
      return
    }
    append(Flatten.name, called: names.next("flatten"), reading: joinedInput())
    guard inputs % channels == 0 else {
      ask(
        "\(key).inputs[0]",
        "the layer that it reads: its kernel has \(inputs) inputs, no multiple of the \(channels) channels before it"
      )
      layer.isQuestion = true
      return
    }
    guard let index = layer.roles.firstIndex(where: { $0.role == .kernel }),
      let layout = convention.layoutBehindFlatten(of: axes)
    else { return }
    let places = inputs / channels
    let side = Int(Double(places).squareRoot())
    let image = axes == 2 && side * side == places ? "\(side) x \(side)" : "\(places) places"
    guess(
      "\(key).parameters[\(index)].layout",
      "\(inputs) inputs are \(channels) channels of \(image), flattened as \(convention.target.name) does it: \(layout)"
    )
    layer.roles[index].layout = layout
    // The shape of the kernel's input is known now.
    layer.inputChannels = nil
  }

  private mutating func append(_ name: String, _ layer: ScaffoldLayer) {
    let start = key
    questions += layer.questions.map {
      ScaffoldLayer.Remark(place: "\(start).\($0.place)", text: $0.text)
    }
    guesses += layer.guesses.map {
      ScaffoldLayer.Remark(place: "\(start).\($0.place)", text: $0.text)
    }
    var input = layer.isQuestion ? OrderedJSON.question : .text(last)
    var startsBranch = layer.isQuestion
    if let wanted = layer.inputChannels, let channels, wanted != channels {
      ask(
        "\(start).inputs[0]",
        "the layer that it reads: one that gives \(wanted) channels; '\(last)' gives \(channels)")
      input = .question
      startsBranch = true
    } else if !layer.isNormalization {
      input = joinedInput()
    }
    isBranch = isBranch || startsBranch
    var members: [(String, OrderedJSON)] = [
      ("name", .text(name)), ("operator", .text(layer.operation)), ("inputs", .array([input])),
    ]
    if !layer.attributes.isEmpty { members.append(("attributes", .object(layer.attributes))) }
    members.append(("parameters", .array(layer.roles.map(Self.parameter))))
    layers.append(.object(members))
    last = name
    channels = layer.outputChannels ?? channels
    if let channels { earlierChannels.insert(channels) }
  }

  /// Returns the last layer, or a question about the layer that merges the branch which it ends.
  private mutating func joinedInput() -> OrderedJSON {
    guard isBranch else { return .text(last) }
    isBranch = false
    ask(
      "\(key).inputs[0]",
      "the layer that it reads: '\(last)', or one that joins it with another, such as an Add that you put before"
    )
    return .question
  }

  private mutating func append(
    _ operation: String, called name: String, reading input: OrderedJSON? = nil,
    _ members: [(String, OrderedJSON)] = []
  ) {
    layers.append(
      .object(
        [
          ("name", .text(name)), ("operator", .text(operation)),
          ("inputs", .array([input ?? .text(last)])),
        ] + members))
    last = name
  }

  private static func parameter(
    _ role: ParameterRole, _ tensor: NamedTensor, _ layout: Layout?
  ) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = [
      ("role", .text(role.rawValue)), ("tensor", .text(tensor.name)),
      ("shape", .sizes(tensor.shape)),
    ]
    if let layout { members.append(("layout", .text(layout.description))) }
    return .object(members)
  }

  // MARK: - The document

  /// The questions for the input and the layers.
  var allQuestions: [ScaffoldLayer.Remark] {
    guard let spatialAxes else { return questions }
    let axes =
      spatialAxes == 2
      ? ["the height of an image", "the width of an image"]
      : ["the steps of a sequence; null if they are open"]
    return axes.enumerated().map { axis, text in
      ScaffoldLayer.Remark(place: "inputs[0].shape[\(axis)]", text: text)
    } + questions
  }

  /// The complete document.
  var document: OrderedJSON {
    var shape = (0..<(spatialAxes ?? 0)).map { _ in OrderedJSON.question }
    shape.append(inputChannels.map { .number($0) } ?? .question)
    func notes(_ notes: [ScaffoldLayer.Remark]) -> OrderedJSON {
      .array(notes.map { .object([("key", .text($0.place)), ("text", .text($0.text))]) })
    }
    return .object([
      ("format", .text(ModelDocument.format)), ("version", .number(ModelDocument.version)),
      ("name", .text(name)),
      ("inputs", .array([.object([("name", .text(input)), ("shape", .array(shape))])])),
      ("outputs", .array([.text(last)])), ("layers", .array(layers)),
      (
        GraphScaffold.notesKey,
        .object([("questions", notes(allQuestions)), ("guesses", notes(guesses))])
      ),
    ])
  }
}
