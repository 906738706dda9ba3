import ModelIR

/// The `NetconvError` that `body` throws; `nil` if there is none.
public func thrown<Result>(_ body: () throws -> Result) -> NetconvError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? NetconvError
  }
}
