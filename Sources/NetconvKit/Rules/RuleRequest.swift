import Documents
import Files
import ModelIR
import Readers

/// A request to make the tensors of a conversion from those of the source; see Docs/rules.md.
public struct RuleRequest: Sendable, Equatable {
  /// A file with rules; see `WeightRules`.
  public var path: String?
  /// The configuration that sizes in the rules refer to; by default `config.json` beside the source.
  public var configuration: String?
  /// True to undo the rules, last one first.
  public var isReversed = false
  /// Patterns of tensor names to leave out, before the rules apply.
  public var dropped: [String] = []

  /// Creates a request without rules.
  public init() {}

  /// True if there are no rules.
  var isEmpty: Bool { self == RuleRequest() }

  /// Applies the rules to a source of weights.
  ///
  /// - Throws: `usage` if the rules are invalid, or do not fit the source; `cannotOpen` if a file cannot be read.
  package func applied(to source: ReadSource) throws(NetconvError) -> RuledSource {
    guard let named = source.namedTensors else {
      throw NetconvError.rulesNeedNames.inFile(source.path)
    }
    let folder = source.files.first.map { Directory.parent(of: $0.path) } ?? "."
    var tensors = RuledTensors(named, sizes: try RuleSizes(configuration, beside: folder))
    do throws(NetconvError) {
      if !dropped.isEmpty { try tensors.apply(.drop(dropped.map(NamePattern.init))) }
    } catch {
      throw error.inFile(source.path)
    }
    if let path { try apply(rulesAt: path, to: &tensors) }
    return RuledSource(
      source: try source.replacingTensors(tensors.entries.map { ($0.name, $0.stored) }),
      moved: Set(tensors.entries.filter(\.isMoved).map(\.name)),
      report: RulesReport(
        rules: tensors.rows, untouched: tensors.entries.filter { !$0.isTouched }.map(\.name)))
  }

  private func apply(
    rulesAt path: String, to tensors: inout RuledTensors
  ) throws(NetconvError) {
    do throws(NetconvError) {
      let rules = try JSONDocument.decode(
        WeightRules.self,
        from: RandomAccessFile(path: path).contents(limit: JSONDocument.sizeLimit)
      ).rules
      let numbered = Array(rules.enumerated())
      for (index, rule) in isReversed ? numbered.reversed() : numbered {
        do throws(NetconvError) {
          let step = try RuleStep(rule)
          for step in isReversed ? try step.reversed() : [step] {
            try tensors.apply(step, number: index + 1, isOptional: rule.optional ?? false)
          }
        } catch {
          throw error.ofRule(index + 1)
        }
      }
    } catch {
      throw error.inFile(path)
    }
  }
}

/// A source after rules.
package struct RuledSource {
  /// The source with the tensors that the rules made.
  package let source: ReadSource
  /// The names of tensors whose values were moved.
  let moved: Set<String>
  let report: RulesReport
}

extension NetconvError {
  /// The same error, for the rule with a number.
  fileprivate func ofRule(_ number: Int) -> NetconvError {
    var error = self
    error.text = "rule \(number): \(text)"
    return error
  }

  fileprivate static var rulesNeedNames: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.rules) apply to weights whose tensors have names of their own, as in a state dictionary"
    )
  }
}
