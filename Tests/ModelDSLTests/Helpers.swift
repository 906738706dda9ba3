import ModelIR

/// The given count of numbers, no two neighbours of which are equal.
func numbers(_ count: Int) -> [Float] { (0..<count).map { Float($0 * 7 % 11 - 5) / 8 } }

/// A source of parameters that is never without an answer.
func anything(
  _ name: String, _ count: Int, _ role: ParameterRole
) throws(NetconvError) -> StoredTensor? {
  StoredTensor(role == .variance ? numbers(count).map { abs($0) + 0.5 } : numbers(count))
}

/// The error that building a model throws.
func problem(_ body: () throws(NetconvError) -> Model) -> String {
  do throws(NetconvError) {
    _ = try body()
    return "none"
  } catch {
    return error.description
  }
}
