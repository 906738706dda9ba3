import ModelIR
import Operators

/// Gates of a recurrent layer in the order of another framework, in all or some of its parameters.
enum GateOrderMistake: Mistake {
  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let cell = (layer.operation as? any RecurrentOperator)?.cell else { return [] }
    let roles = layer.recurrentRoles
    var tried: Set<[Move]> = []
    return GateReading.all(of: roles.all.compactMap { layer.parameters[$0] }, cell).flatMap {
      reading in
      roles.groups.compactMap { group -> Repair? in
        let moves = group.compactMap { role in
          layer.parameters[role].flatMap(reading.move).map { Move(role: role, move: $0) }
        }
        // A group with parameters that do not change is covered by another group.
        guard !moves.isEmpty, reading.moves(group, of: moves.map(\.role)),
          tried.insert(moves).inserted
        else { return nil }
        return repair(moves, reading, others: roles.all.filter { !group.contains($0) })
      }
    }
  }

  private static func repair(
    _ moves: [Move], _ reading: GateReading, others: [ParameterRole]
  ) -> Repair {
    let roles = moves.map(\.role)
    return Repair(
      reading.kind, reading.finding(roles, others: others), advice: reading.advice,
      role: roles.count == 1 ? roles[0] : nil
    ) { layer in
      for (role, move) in moves.map({ ($0.role, $0.move) }) {
        if let values = layer.parameters[role]?.values {
          layer.parameters[role]?.values = move.applied(to: values)
        }
      }
    }
  }

  /// The rearrangement of one parameter; equal if it has the same effect.
  private struct Move: Hashable {
    let role: ParameterRole
    let move: Rereading

    static func == (a: Self, b: Self) -> Bool {
      a.role == b.role && a.move.signature == b.move.signature
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(role)
      hasher.combine(move.signature)
    }
  }
}

/// The parameters of a recurrent layer that reveal the order of the gates.
struct RecurrentRoles {
  let kernels: [ParameterRole]
  let biases: [ParameterRole]

  var all: [ParameterRole] { kernels + biases }

  /// The parameters that may have been converted together: all, the kernels, the biases, or a
  /// single one.
  var groups: [[ParameterRole]] {
    var groups: [[ParameterRole]] = []
    for group in [all, kernels, biases] + all.map({ [$0] })
    where !group.isEmpty && !groups.contains(group) {
      groups.append(group)
    }
    return groups
  }
}

extension LayerCase {
  /// The kernels and biases that are not all zeros, which have no order.
  var recurrentRoles: RecurrentRoles {
    let seen = { (roles: [ParameterRole]) in
      roles.filter { parameters[$0]?.values.values.contains { $0 != 0 } ?? false }
    }
    return RecurrentRoles(
      kernels: seen([.kernel, .recurrent]), biases: seen([.bias, .recurrentBias]))
  }
}

extension [ParameterRole] {
  /// A list in words: `kernel, recurrent and bias`.
  var text: String {
    guard let last, count > 1 else { return first.map { "\($0)" } ?? "" }
    return dropLast().map(\.description).joined(separator: ", ") + " and \(last)"
  }
}
