import ModelIR

/// The tensors of a part of a file.
struct TorchTensors {
  private(set) var tensors: [(name: String, stored: StoredTensor)] = []
  /// Groups of tensors that share their values.
  private(set) var shared: [[String]] = []
  /// The error about unsupported tensors; `nil` if all are supported.
  private(set) var refusal: NetconvError?

  /// Locates the values of each tensor.
  ///
  /// - Throws: `badData` if two tensors have the same name.
  init(_ entries: TorchEntries, in file: TorchFile) throws(NetconvError) {
    tensors.reserveCapacity(entries.tensors.count)
    var names = Set<String>(minimumCapacity: entries.tensors.count)
    var refused: [(name: String, error: NetconvError)] = []
    var groups: [(first: String, others: [String])] = []
    var places: [View: Int] = [:]
    places.reserveCapacity(entries.tensors.count)
    for chosen in entries.tensors {
      guard names.insert(chosen.name).inserted else { throw .torchTwice(chosen.name) }
      do throws(NetconvError) {
        tensors.append((chosen.name, try Self.stored(chosen, in: file)))
      } catch {
        refused.append((chosen.name, error))
        continue
      }
      guard case .tensor(let tensor) = chosen.leaf.content, tensor.count > 0 else { continue }
      let view = View(
        key: tensor.storage.key, start: tensor.storage.part.lowerBound, offset: tensor.offset,
        sizes: tensor.sizes)
      if let place = places[view] {
        groups[place].others.append(chosen.name)
      } else {
        places[view] = groups.count
        groups.append((chosen.name, []))
      }
    }
    shared = groups.filter { !$0.others.isEmpty }.map { [$0.first] + $0.others }
    if !refused.isEmpty { refusal = .torchRefused(refused) }
  }

  /// The view that tied tensors have in common.
  private struct View: Hashable {
    let key: String
    let start: Int
    let offset: Int
    let sizes: [Int]

    /// Few tensors share a storage.
    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
    }
  }

  private static func stored(
    _ chosen: TorchEntries.Chosen, in file: TorchFile
  ) throws(NetconvError) -> StoredTensor {
    switch chosen.leaf.content {
    case .tensor(let tensor): try file.stored(tensor, as: chosen.name)
    case .array(let array): file.stored(array, as: chosen.name)
    case .refused(let error): throw error
    }
  }
}

extension NetconvError {
  fileprivate static func torchRefused(_ tensors: [(name: String, error: NetconvError)])
    -> NetconvError
  {
    let listed = tensors.prefix(20).map { "\(quoted($0.name)) \($0.error.text)" as Message }
    let more: [Message] = tensors.count > 20 ? ["and \(tensors.count - 20) more"] : []
    return NetconvError(
      .badData,
      text: tensors.count == 1
        ? "has a tensor that netconv does not read"
        : "has \(tensors.count) tensors that netconv does not read", list: listed + more)
  }

  fileprivate static func torchTwice(_ name: String) -> NetconvError {
    NetconvError(.badData, "the tensor \(quoted(name)) occurs twice")
  }
}
