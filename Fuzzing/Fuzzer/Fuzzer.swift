import FuzzTargets
import Glibc
import LibFuzzer

/// The fuzzer: `Fuzzer TARGET [libFuzzer's options and folders]` searches for inputs that violate a
/// target's rules; `Fuzzer --list` lists the targets.
@main enum Fuzzer {
  /// The target on the command line.
  private static let target: (any FuzzTarget.Type)? = {
    let name = CommandLine.arguments.dropFirst().first
    return FuzzTargets.all.first { $0.name == name }
  }()

  static func main() {
    guard CommandLine.arguments.dropFirst().first != "--list" else {
      for target in FuzzTargets.all { print(target.name) }
      return
    }
    guard target != nil else {
      let names = FuzzTargets.all.map { $0.name }.joined(separator: ", ")
      print("no such target; there are \(names)")
      exit(64)
    }
    // libFuzzer expects its options directly after the program's name.
    var arguments = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map {
      strdup($0)
    }
    var count = CInt(arguments.count)
    arguments.append(nil)
    let status = arguments.withUnsafeMutableBufferPointer { buffer in
      var first = buffer.baseAddress
      return LLVMFuzzerRunDriver(&count, &first) { data, size in
        Fuzzer.run(UnsafeBufferPointer(start: data, count: size))
        return 0
      }
    }
    exit(status)
  }

  private static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    if case .broken(let rule)? = target?.outcome(Array(bytes)) { fatalError(rule) }
  }
}
