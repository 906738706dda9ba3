import ModelIR

/// An operator that only the code of a program knows: no document and no language can say what it computes.
package protocol ClosureOperator: Operator {
  /// What copies of one operator have in common with each other, and with nothing else.
  var identity: ObjectIdentifier { get }
}
