/// A number for people: the shortest text that reads as no other number of its type.
///
/// What is not finite is `nan`, `inf` or `-inf`. Swift would also show the sign and the bits of what is not a number,
/// `-nan(0x3ffffe)`, which nobody can read and which differ from one processor to the next.
public func numeral(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
  value.isNaN ? "nan" : value.description
}
