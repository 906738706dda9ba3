internal import CSystemCalls
internal import Memory
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The service of a helper process.
package protocol HelperService {
  static var purpose: HelperPurpose { get }

  /// Loads everything that cannot be loaded after the process has dropped its privileges.
  static func prepare() throws(NetconvError)

  /// Creates the service; `memory` is the shared memory.
  init(memory: HelperMemory)

  /// Handles a request and the file that came with it.
  ///
  /// - Returns: The replies, if any; a thrown error is also a reply.
  /// - Throws: `MalformedWire`, which ends the process, or `NetconvError`.
  mutating func answer(_ request: [UInt8], _ file: Int32) throws -> [[UInt8]]
}

/// The server loop of a helper process: it loads libraries, drops privileges, and answers requests until the socket
/// is closed.
package enum HelperServer {
  /// Serves requests and ends the process, if it was started for one of `services`; otherwise returns at once.
  package static func run(_ services: [any HelperService.Type]) {
    guard CommandLine.argc == 2, let argument = CommandLine.unsafeArgv[1] else { return }
    let name = String(cString: argument)
    for service in services where service.purpose.argument == name { run(service) }
  }

  private static func run<Service: HelperService>(_ service: Service.Type) {
    let purpose = Service.purpose
    guard let memory = netconv_shared_memory(HelperMemory.size(for: purpose)) else { return }
    netconv_confine_resources(purpose.addressSpace)
    // Called a second time because the available memory is determined under the limit of the purpose.
    netconv_confine_resources(purpose.addressSpace(memory: MachineMemory.limit.bytes))
    guard netconv_end_with(STDIN_FILENO) == 0 else { return }
    let socket = HelperSocket(descriptor: STDIN_FILENO)
    do {
      try serve(service, HelperMemory(memory, for: purpose), socket)
    } catch {}
    // Skips cleanup, which could crash after a damaged file has corrupted a library's state.
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

  /// Resets the processor time for the next step.
  package static func allowTime(for purpose: HelperPurpose) {
    netconv_limit_processor_time(purpose.processorTime)
  }
}
