import ModelIR

/// An operator defined by a closure, which no document and no other language can represent.
package protocol ClosureOperator: Operator {
  /// An identity shared by copies of one operator, and different for all others.
  var identity: ObjectIdentifier { get }
}
