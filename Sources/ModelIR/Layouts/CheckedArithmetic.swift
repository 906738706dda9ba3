/// Returns the product of sizes that may come from a file.
///
/// - Throws: `badData` if a factor is negative or the product overflows `Int`.
@inlinable
public func product(_ factors: some Sequence<Int>) throws(NetconvError) -> Int {
  var result = 1
  for factor in factors {
    let (next, overflow) = result.multipliedReportingOverflow(by: factor)
    guard factor >= 0, !overflow else { throw .sizeOverflow(Array(factors)) }
    result = next
  }
  return result
}

/// Returns the product of the elements' sizes.
///
/// - Throws: as for the sizes themselves.
func product<Element>(
  _ elements: some Collection<Element>, _ size: (Element) -> Int
) throws(NetconvError) -> Int {
  var result = 1
  for element in elements {
    let factor = size(element)
    let (next, overflow) = result.multipliedReportingOverflow(by: factor)
    guard factor >= 0, !overflow else { throw .sizeOverflow(elements.map(size)) }
    result = next
  }
  return result
}
