import ModelIR
import Pickles

/// The tensors of a pickle, in its order, with their names.
struct TorchWalk {
  private(set) var leaves: [TorchLeaf] = []
  /// Tensors in objects of which netconv does not know how they use them.
  private(set) var hiddenCount = 0

  private let interpreter: TorchInterpreter
  private let map: TorchMap
  private var path: [String] = []
  private var reached: Set<Int> = []

  /// Dictionaries and modules around one another.
  static let mostLevels = 64
  private static let mostLeaves = 1 << 16

  private typealias Mark = (role: TorchRole, depth: Int)

  /// Walks from the outermost value.
  ///
  /// - Throws: `badData` if tensors lie too deep, or there are too many.
  init(_ interpreter: TorchInterpreter) throws(NetconvError) {
    self.interpreter = interpreter
    map = TorchMap(interpreter)
    try walk(interpreter.pickle.root, owner: 0, mark: nil, isInModule: false, level: 0)
    hiddenCount = map.tensors.subtracting(reached).count
  }

  private mutating func walk(
    _ value: PickleValue, owner: Int, mark: Mark?, isInModule: Bool, level: Int
  ) throws(NetconvError) {
    guard case .object(let index) = value, map.holding.contains(index) else { return }
    guard level <= Self.mostLevels else { throw .torchTooDeep(limit: Self.mostLevels) }
    reached.insert(index)
    switch interpreter.meaning(of: value) {
    case .tensor(let tensor): try add(.tensor(tensor), owner, mark)
    case .array(let array): try add(.array(array), owner, mark)
    case .refused(let error): try add(.refused(error), owner, mark)
    case .container(let container):
      try walk(
        container, owner: isInModule ? owner : path.count, mark: mark, isInModule: isInModule,
        level: level)
    case .other: break
    }
  }

  private mutating func walk(
    _ container: TorchContainer, owner: Int, mark: Mark?, isInModule: Bool, level: Int
  ) throws(NetconvError) {
    let isModule = if case .module = container.kind { true } else { false }
    let outer = mark ?? (container.isOptimizer ? (.optimizer, path.count) : nil)
    for (name, value) in container.members {
      path.append(name)
      var own: Mark?
      if container.unsaved.contains(name) {
        own = (.unsaved, path.count)
      } else if !isInModule, !isModule {
        let isTensor =
          if case .object(let index) = value { map.tensors.contains(index) } else { false }
        own = TorchRole.of(name: name, isTensor: isTensor).map { ($0, path.count) }
      }
      // A module is one thing, with all modules in it.
      try walk(
        value, owner: owner, mark: outer ?? own, isInModule: isInModule || isModule,
        level: level + 1)
      path.removeLast()
    }
  }

  private mutating func add(
    _ content: TorchLeaf.Content, _ owner: Int, _ mark: Mark?
  ) throws(NetconvError) {
    guard leaves.count < Self.mostLeaves else { throw .torchTooMany(limit: Self.mostLeaves) }
    leaves.append(TorchLeaf(path: path, content: content, ownerDepth: owner, mark: mark))
  }
}

/// Which objects of a pickle are tensors, and which have some in them: nobody has to look into others, however often
/// they hold each other.
struct TorchMap {
  /// Objects that are tensors, but for those that others are wrapped around.
  let tensors: Set<Int>
  /// Those, and what holds them.
  let holding: Set<Int>

  init(_ interpreter: TorchInterpreter) {
    var tensors: Set<Int> = []
    var wrapped: Set<Int> = []
    var holders: [Int: [Int]] = [:]
    for index in interpreter.pickle.objects.indices {
      switch interpreter.meaning(of: .object(index)) {
      case .tensor, .array, .refused:
        tensors.insert(index)
        guard case .call(_, let arguments) = interpreter.pickle.objects[index].kind else { break }
        for case .object(let inner) in arguments { wrapped.insert(inner) }
      case .container(let container):
        for case (_, .object(let member)) in container.members {
          holders[member, default: []].append(index)
        }
      case .other: break
      }
    }
    var holding = tensors
    var queue = Array(tensors)
    while let next = queue.popLast() {
      for holder in holders[next] ?? [] where holding.insert(holder).inserted {
        queue.append(holder)
      }
    }
    self.tensors = tensors.subtracting(wrapped)
    self.holding = holding
  }
}
