import ModelIR
import Processor

extension ThreadTeam {
  /// Runs `body` for 0..<`count` on all threads, and returns the results in order.
  ///
  /// - Throws: The error for the lowest index that fails.
  func results<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws(NetconvError) -> Value
  ) throws(NetconvError) -> [Value] {
    let results = UnsafeMutableBufferPointer<Result<Value, NetconvError>?>.allocate(capacity: count)
    results.initialize(repeating: nil)
    defer {
      results.deinitialize()
      results.deallocate()
    }
    let shared = Shared(results)
    perform(count) { number, _ in
      do throws(NetconvError) {
        shared.value[number] = .success(try body(number))
      } catch {
        shared.value[number] = .failure(error)
      }
    }
    var values: [Value] = []
    for case let result? in results { values.append(try result.get()) }
    return values
  }
}
