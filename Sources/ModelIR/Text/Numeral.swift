/// Formats a number as the shortest text that identifies it among the numbers of its type.
///
/// Non-finite numbers are `nan`, `inf` or `-inf`. Swift would also print the sign and the payload of a NaN,
/// `-nan(0x3ffffe)`, which is unreadable and depends on the processor.
public func numeral(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
  value.isNaN ? "nan" : value.description
}
