import ModelIR
import Pickles

/// The tensors of a pickle with their names, in its order.
struct TorchWalk {
  private(set) var leaves: [TorchLeaf] = []
  /// The number of tensors in objects of unknown classes.
  private(set) var hiddenCount = 0

  private let interpreter: TorchInterpreter
  private let map: TorchMap
  private var path: [String] = []
  private var reached: Set<Int> = []

  /// The maximum nesting depth of collections and modules.
  static let mostLevels = 64
  private static let mostLeaves = 1 << 16

  private typealias Mark = (role: TorchRole, depth: Int)

  /// Walks the pickle from its root value.
  ///
  /// - Throws: `badData` if the nesting is too deep, or there are too many tensors.
  init(_ interpreter: TorchInterpreter) throws(NetconvError) {
    self.interpreter = interpreter
    map = try TorchMap(interpreter)
    leaves.reserveCapacity(map.tensors.count)
    try walk(interpreter.pickle.root, owner: 0, mark: nil, isInModule: false, level: 0)
    hiddenCount = map.tensors.keys.count { !reached.contains($0) }
  }

  private mutating func walk(
    _ value: PickleValue, owner: Int, mark: Mark?, isInModule: Bool, level: Int
  ) throws(NetconvError) {
    guard case .object(let index) = value, map.holds(index) else { return }
    guard level <= Self.mostLevels else { throw .torchTooDeep(limit: Self.mostLevels) }
    reached.insert(index)
    switch map.tensors[index] ?? interpreter.meaning(of: value) {
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
    if case .wrapper = container.kind {
      for (_, value) in container.members {
        try walk(value, owner: owner, mark: mark, isInModule: isInModule, level: level + 1)
      }
      return
    }
    let isModule = if case .module = container.kind { true } else { false }
    let outer = mark ?? (container.isOptimizer ? (.optimizer, path.count) : nil)
    for (name, value) in container.members {
      path.append(name)
      var own: Mark?
      if container.unsaved.contains(name) {
        own = (.unsaved, path.count)
      } else if !isInModule, !isModule {
        let isTensor =
          if case .object(let index) = value { map.tensors[index] != nil } else { false }
        own = TorchRole.of(name: name, isTensor: isTensor).map { ($0, path.count) }
      }
      // A module counts as one part, with all its submodules.
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

/// The objects of a pickle that are tensors or contain tensors, so that the walk skips all others.
struct TorchMap {
  /// The objects that are tensors, except those inside a wrapper.
  private(set) var tensors: [Int: TorchMeaning] = [:]
  /// True for the tensors and their containers, by index.
  private var holding: [Bool]
  /// The last holder of each object, as an index in ``holders``; -1 if there is none.
  private var lastHolder: [Int]
  /// A holder of an object, and the index of the previous holder; -1 if there is none.
  private var holders: [(object: Int, before: Int)] = []

  /// The maximum number of visited container members, since many calls may share a long container.
  private static let mostMembers = 1 << 25

  /// - Throws: `badData` if containers are nested excessively.
  init(_ interpreter: TorchInterpreter) throws(NetconvError) {
    let objects = interpreter.pickle.objects
    holding = [Bool](repeating: false, count: objects.count)
    lastHolder = [Int](repeating: -1, count: objects.count)
    var wrapped: [Int] = []
    var members = 0
    for index in objects.indices {
      switch objects[index].kind {
      case .list, .tuple: add(objects[index].elements, in: index)
      case .dictionary: add(objects[index].pairs, in: index)
      case .call(_, let arguments):
        for argument in arguments {
          guard let given = interpreter.pickle[argument] else { continue }
          members += given.pairs.count + given.elements.count
        }
        guard members <= Self.mostMembers else {
          throw .torchTooManyMembers(limit: Self.mostMembers)
        }
        switch interpreter.meaning(of: .object(index)) {
        case .container(let container): add(container.members.map(\.value), in: index)
        case .other: break
        case let tensor:
          tensors[index] = tensor
          for case .object(let inner) in arguments { wrapped.append(inner) }
        }
      default: break
      }
    }
    var queue = Array(tensors.keys)
    for tensor in queue { holding[tensor] = true }
    while let next = queue.popLast() {
      var place = lastHolder[next]
      while place >= 0 {
        let holder = holders[place]
        if !holding[holder.object] {
          holding[holder.object] = true
          queue.append(holder.object)
        }
        place = holder.before
      }
    }
    for inner in wrapped { tensors[inner] = nil }
    holders = []
    lastHolder = []
  }

  /// Returns true if an object is a tensor or contains one.
  func holds(_ index: Int) -> Bool { holding[index] }

  private mutating func add(_ members: [PickleValue], in holder: Int) {
    for case .object(let member) in members {
      holders.append((holder, lastHolder[member]))
      lastHolder[member] = holders.count - 1
    }
  }
}

extension NetconvError {
  fileprivate static func torchTooDeep(limit: Int) -> NetconvError {
    NetconvError(.badData, "has tensors in more than \(limit) nested dictionaries")
  }

  fileprivate static func torchTooManyMembers(limit: Int) -> NetconvError {
    NetconvError(
      .badData,
      "nests containers with more than \(limit) members in all, more than any network needs")
  }

  fileprivate static func torchTooMany(limit: Int) -> NetconvError {
    NetconvError(.badData, "has more than \(limit) tensors, shared ones counted each time")
  }
}
