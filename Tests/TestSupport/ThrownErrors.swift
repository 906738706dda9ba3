import ModelIR

/// The error that `body` throws, or `nil` if it throws none of netconv's.
public func thrown<Result>(_ body: () throws -> Result) -> NetconvError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? NetconvError
  }
}
