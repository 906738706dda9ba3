import Lowering
import ModelIR
import Operators

/// The statements of a network, made from a plan of its storages.
struct CWriter {
  private(set) var inputs: [CNetwork.End] = []
  private(set) var outputs: [CNetwork.End] = []
  private(set) var statements: [CNetwork.Statement] = []
  private(set) var functions: [CFunction] = []
  private(set) var places: [CNetwork.Place] = []
  private(set) var arenaCount = 1
  var arrays: [CNetwork.Array] { parameters.arrays }

  private var parameters: CArrays
  private var names: CIdentifiers
  /// The address of each storage.
  private var addresses: [Int: String] = [:]

  init(
    _ model: Model, _ plan: StoragePlan<CWork>, _ shapes: [String: [Int]]
  ) throws(NetconvError) {
    functions = plan.steps.flatMap(\.work.step.functions)
    let taken = Set(functions.definitions.map(\.name))
    names = CIdentifiers(besides: taken.union(["sampling"]))
    parameters = CArrays()
    placeEnds(model, plan, shapes)
    try placeBuffers(plan)
    for index in plan.steps.indices { append(plan.steps[index], scratch: places[safe: index]) }
    copyOutputs(model, plan)
    places.removeAll { $0.identifier.isEmpty }
    let called = Set(statements.flatMap(\.lines).flatMap(\.cWords))
    functions.removeAll { !called.contains($0.name) }
  }

  /// Gives inputs and outputs their names, and outputs that a step writes their storages.
  private mutating func placeEnds(
    _ model: Model, _ plan: StoragePlan<CWork>, _ shapes: [String: [Int]]
  ) {
    for (index, input) in model.inputs.enumerated() {
      let identifier = names.next(input.name)
      inputs.append(
        .init(name: input.name, identifier: identifier, shape: shapes[input.name] ?? []))
      addresses[index] = identifier
    }
    for output in model.outputs {
      let identifier = names.next(output)
      outputs.append(.init(name: output, identifier: identifier, shape: shapes[output] ?? []))
      if let storage = plan.storages[output], storage >= plan.inputCount,
        addresses[storage] == nil
      {
        addresses[storage] = identifier
      }
    }
  }

  /// Places all other values, and the memory of steps, in the arena.
  private mutating func placeBuffers(_ plan: StoragePlan<CWork>) throws(NetconvError) {
    var buffered: [(storage: Int, name: String, shape: [Int])] = []
    var seen: Set<Int> = []
    for step in plan.steps {
      let names = [step.work.layer.output] + step.work.layer.furtherOutputs
      for (storage, (name, shape)) in zip(step.outputs, zip(names, step.work.shapes))
      where addresses[storage] == nil && seen.insert(storage).inserted {
        buffered.append((storage, name, shape))
      }
    }
    let scratch = plan.steps.indices.map {
      ArenaLayout.Request(count: plan.steps[$0].work.step.scratchCount, lifetime: $0...$0)
    }
    let layout = try ArenaLayout(
      scratch
        + buffered.map {
          .init(count: plan.counts[$0.storage], lifetime: plan.life(of: $0.storage))
        })
    for (index, request) in scratch.enumerated() {
      let name = request.count == 0 ? "" : names.next(plan.steps[index].layer + "_memory")
      places.append(
        .init(
          identifier: name, offset: layout.offsets[index], count: request.count,
          shape: [request.count]))
    }
    for (value, offset) in zip(buffered, layout.offsets.dropFirst(scratch.count)) {
      let identifier = names.next(value.name.replacing("\0", with: " "))
      addresses[value.storage] = identifier
      places.append(
        .init(
          identifier: identifier, offset: offset, count: plan.counts[value.storage],
          shape: value.shape))
    }
    arenaCount = max(1, layout.count)
  }

  private mutating func append(
    _ step: StoragePlan<CWork>.NumberedStep, scratch: CNetwork.Place?
  ) {
    let work = step.work
    let own = work.step.parameters.map { parameter in
      (parameter.name, parameters.name(of: parameter, in: work.layer.layer.name, &names))
    }
    let places = CPlaces(
      inputs: step.inputs.map { addresses[$0] ?? "" },
      outputs: step.outputs.map { addresses[$0] ?? "" }, scratch: scratch?.identifier ?? "",
      parameters: Dictionary(own) { first, _ in first })
    statements.append(
      .init(
        value: work.layer.output, comment: Self.comment(work), lines: work.step.statements(places),
        address: places.output, count: work.shapes[0].reduce(1, *)))
  }

  /// Copies the values of outputs that are inputs, views of them, or outputs twice.
  private mutating func copyOutputs(_ model: Model, _ plan: StoragePlan<CWork>) {
    for (output, end) in zip(model.outputs, outputs) {
      guard let storage = plan.storages[output], let address = addresses[storage],
        address != end.identifier
      else { continue }
      functions.append(.copy)
      statements.append(
        .init(
          value: output, comment: "\(output): the values of \(address)",
          lines: ["copy_values(\(address), \(end.count), \(end.identifier));"],
          address: end.identifier, count: end.count))
    }
  }

  /// The layer, its operator and what it does besides, in words.
  private static func comment(_ work: CWork) -> String {
    let layer = work.layer
    var words = "\(layer.layer.name): \(type(of: layer.operation).name)"
    if layer.fusion.padding != nil { words += " with the zeros in front of it" }
    if !layer.scales.isEmpty { words += ", the scales behind it in its kernel" }
    if layer.fusion.addsInput { words += ", plus a value" }
    if layer.fusion.activation != nil, layer.output != layer.layer.name {
      words += ", then \(layer.output)"
    }
    return words + "; \(CText.sizes(work.shapes[0]))"
  }
}

extension StoragePlan {
  /// The steps during which a storage is needed.
  fileprivate func life(of storage: Int) -> ClosedRange<Int> {
    let uses = steps.indices.filter {
      steps[$0].outputs.contains(storage) || steps[$0].inputs.contains(storage)
    }
    let first = uses.first ?? 0
    return first...(uses.last ?? first)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}

/// The arrays of parameters, each values once.
private struct CArrays {
  private(set) var arrays: [CNetwork.Array] = []
  /// The arrays with the same hash of their values.
  private var known: [Int: [Int]] = [:]

  /// Returns the name of the array that has the values of a parameter.
  mutating func name(
    of parameter: CStep.Parameter, in layer: String, _ names: inout CIdentifiers
  ) -> String {
    var hasher = Hasher()
    for value in parameter.values { hasher.combine(value.bitPattern) }
    let hash = hasher.finalize()
    let same = known[hash, default: []].first { index in
      arrays[index].values.count == parameter.values.count
        && zip(arrays[index].values, parameter.values).allSatisfy { $0.bitPattern == $1.bitPattern }
    }
    if let same { return arrays[same].name }
    known[hash, default: []].append(arrays.count)
    let name = names.next(layer + "_" + parameter.name)
    arrays.append(.init(name: name, values: parameter.values))
    return name
  }
}
