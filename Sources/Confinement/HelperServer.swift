internal import CSystemCalls
internal import Memory
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a process does for another that has started it.
package protocol HelperService {
  static var purpose: HelperPurpose { get }

  /// Loads what cannot be loaded any more once the process has given up all that it does not need.
  static func prepare() throws(NetconvError)

  /// Begins to serve; `memory` is what both share.
  init(memory: HelperMemory)

  /// Does what a message asks for, with the file that came along.
  ///
  /// - Returns: messages to answer with, if any; an error that is thrown is an answer, too.
  /// - Throws: `MalformedWire`, which ends the process, or `NetconvError`.
  mutating func answer(_ request: [UInt8], _ file: Int32) throws -> [[UInt8]]
}

/// A process that does one thing for another: it loads what it needs, gives up all that this does not take, and answers
/// until nobody asks.
package enum HelperServer {
  /// Serves, and ends the process, if this process was started for one of `services`; else does nothing.
  package static func run(_ services: [any HelperService.Type]) {
    guard CommandLine.argc == 2, let argument = CommandLine.unsafeArgv[1] else { return }
    let name = String(cString: argument)
    for service in services where service.purpose.argument == name { run(service) }
  }

  private static func run<Service: HelperService>(_ service: Service.Type) {
    let purpose = Service.purpose
    guard let memory = netconv_shared_memory(HelperMemory.size(for: purpose)) else { return }
    netconv_confine_resources(purpose.addressSpace)
    // Once more: what the machine lets this process use is found out under the limit of the purpose.
    netconv_confine_resources(purpose.addressSpace(memory: MachineMemory.limit.bytes))
    guard netconv_end_with(STDIN_FILENO) == 0 else { return }
    let socket = HelperSocket(descriptor: STDIN_FILENO)
    do {
      try serve(service, HelperMemory(memory, for: purpose), socket)
    } catch {}
    // At once: what a damaged file has left in a library could go wrong in its last moments.
    _exit(0)
  }

  private static func serve<Service: HelperService>(
    _ service: Service.Type, _ memory: HelperMemory, _ socket: HelperSocket
  ) throws {
    do throws(NetconvError) {
      try Service.prepare()
    } catch {
      return try socket.send(HelperReply.failed(error))
    }
    MachineMemory.confine()
    try socket.send(
      HelperReply.ready(filterError: netconv_confine_calls(), for: Service.purpose))
    var session = Service(memory: memory)
    while true {
      let (bytes, file) = try socket.receive(limit: .max) { () throws(Never) in }
      allowTime(for: Service.purpose)
      do {
        try socket.send(session.answer(bytes, file))
      } catch let error as NetconvError {
        try socket.send(HelperReply.failed(error))
      }
    }
  }

  /// Gives this process the time for one more step.
  package static func allowTime(for purpose: HelperPurpose) {
    netconv_limit_processor_time(purpose.processorTime)
  }
}
