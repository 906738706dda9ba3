import Foundation
import Metal

/// Runs a network on one picture after the other, with several of them on their way.
///
/// While the device works on a picture, the CPU encodes the next. Each picture that is on its way has textures of its
/// own: none is written again before the device has finished with it. It can be used from several threads, and the
/// network must not be used elsewhere meanwhile.
public final class NAMERunner: @unchecked Sendable {
  /// How many pictures can be on their way.
  public let inflightBuffers: Int

  private let network: NAME
  private let slots: DispatchSemaphore
  private let waiting = DispatchQueue(label: "NAMERunner")
  private let lock = NSLock()
  // Behind the lock, as the network is.
  private var free: [NAMEPictures]
  private var count = 0
  private var nanoseconds: UInt64 = 0
  private var first: UInt64?
  private var last: UInt64 = 0

  /// A runner of `network`.
  public init(_ network: NAME, inflightBuffers: Int = 3) throws {
    guard inflightBuffers > 0 else {
      throw NAMEError("a runner of \(inflightBuffers) buffers; wanted is one at least")
    }
    self.network = network
    self.inflightBuffers = inflightBuffers
    slots = DispatchSemaphore(value: inflightBuffers)
    let pictures = try network.readyPictures()
    free = [pictures]
    for _ in 1..<inflightBuffers { free.append(NAMEPictures(sharing: pictures)) }
  }

  /// Runs the network on a picture, which must not change before it is done.
  ///
  /// Returns when the device has been told; if `inflightBuffers` pictures are on their way, it waits for one of them.
  ///
  /// - Parameter completion: is called on a thread of Metal's with what comes out, or with the device's error; or on
  ///   this thread if the picture cannot be encoded.
  public func predict(
    _ texture: MTLTexture, region: MTLRegion? = nil,
    completion: @escaping @Sendable (Result<NAME.Outputs, Error>) -> Void
  ) {
    predict(Picture(texture: texture, region: region), completion)
  }

  private func predict(
    _ picture: Picture, _ completion: @escaping @Sendable (Result<NAME.Outputs, Error>) -> Void
  ) {
    slots.wait()
    do {
      try encode(picture, DispatchTime.now().uptimeNanoseconds, completion)
    } catch {
      slots.signal()
      completion(.failure(error))
    }
  }

  /// Runs the network on a picture and waits for what comes out.
  public func predict(_ texture: MTLTexture, region: MTLRegion? = nil) throws -> NAME.Outputs {
    let answer = Answer()
    predict(texture, region: region) { answer.give($0) }
    return try answer.wait()
  }

  /// Runs the network on a picture, which must not change before it is done.
  public func predict(
    _ texture: MTLTexture, region: MTLRegion? = nil
  ) async throws -> NAME.Outputs {
    let picture = Picture(texture: texture, region: region)
    return try await withCheckedThrowingContinuation { continuation in
      // It is this queue that waits for a free buffer, and no task.
      waiting.async { self.predict(picture) { continuation.resume(with: $0) } }
    }
  }

  /// A picture on its way to another thread.
  private struct Picture: @unchecked Sendable {
    let texture: MTLTexture
    let region: MTLRegion?
  }

  /// A result that a thread waits for.
  private final class Answer: @unchecked Sendable {
    private let isThere = DispatchSemaphore(value: 0)
    private var result: Result<NAME.Outputs, Error>?

    func give(_ result: Result<NAME.Outputs, Error>) {
      self.result = result
      isThere.signal()
    }

    func wait() throws -> NAME.Outputs {
      isThere.wait()
      guard let result else { throw NAMEError("a picture has no result") }
      return try result.get()
    }
  }

  private func encode(
    _ picture: Picture, _ start: UInt64,
    _ completion: @escaping @Sendable (Result<NAME.Outputs, Error>) -> Void
  ) throws {
    lock.lock()
    defer { lock.unlock() }
    let pictures = free.removeLast()
    do {
      try autoreleasepool {
        let run = try network.run(picture.texture, picture.region, pictures)
        run.commandBuffer.addCompletedHandler { _ in
          let result = Result { () throws -> NAME.Outputs in
            if let error = run.error { throw error }
            return run.outputs()
          }
          self.finish(pictures, start)
          completion(result)
        }
        run.commandBuffer.commit()
      }
    } catch {
      free.append(pictures)
      throw error
    }
  }

  private func finish(_ pictures: NAMEPictures, _ start: UInt64) {
    lock.lock()
    free.append(pictures)
    count += 1
    last = DispatchTime.now().uptimeNanoseconds
    nanoseconds += last - start
    first = min(first ?? start, start)
    lock.unlock()
    slots.signal()
  }

  // MARK: Times

  /// The mean time from when a picture is taken on to when its result is there, in seconds.
  public var averageLatency: Double {
    locked { count == 0 ? 0 : Double(nanoseconds) / Double(count) / 1e9 }
  }

  /// Pictures in a second, from when the first was taken on to when the last was done.
  public var framesPerSecond: Double {
    locked {
      guard let first, last > first else { return 0 }
      return Double(count) * 1e9 / Double(last - first)
    }
  }

  /// `250 pictures, average latency 0.0123 s, 81.2 frames a second`.
  public var timing: String {
    let latency = (averageLatency * 1e4).rounded() / 1e4
    let frames = (framesPerSecond * 10).rounded() / 10
    return "\(locked { count }) pictures, average latency \(latency) s, \(frames) frames a second"
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}
