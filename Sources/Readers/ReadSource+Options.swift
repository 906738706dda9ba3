import ModelIR

extension ReaderOptions {
  /// Checks that each option about reading applies to at least one of the sources.
  ///
  /// - Throws: `usage` with the option that none of them accepts, and the path if there is only one.
  package func check(usedBy sources: [ReadSource]) throws(NetconvError) {
    do throws(NetconvError) {
      guard architecture == nil || sources.contains(where: \.usesNamedArchitecture) else {
        throw sources.count == 1 ? NetconvError.ownArchitecture : .architectureOfNeither
      }
      guard !graph.namesNodes || sources.contains(where: \.takesGraphEnds) else {
        throw sources.count == 1 ? NetconvError.noGraphEnds : .graphEndsOfNeither
      }
      guard graph.entry == nil || sources.contains(where: \.takesEntries) else {
        throw sources.count == 1 ? NetconvError.noEntries : .entriesOfNeither
      }
      guard !graph.readsCodes || sources.contains(where: \.holdsCodes) else {
        throw NetconvError.noCodes
      }
    } catch {
      throw sources.count == 1 ? error.inFile(sources[0].path) : error
    }
  }
}

extension NetconvError {
  fileprivate static var architectureOfNeither: NetconvError {
    NetconvError(
      .usage,
      text:
        "both hold their own architecture; leave out \(.architecture), which is for files that hold only weights"
    )
  }

  fileprivate static var graphEndsOfNeither: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.graphInput) and \(.graphOutput) name nodes of a TensorFlow or ONNX graph, and neither source is one"
    )
  }

  fileprivate static var entriesOfNeither: NetconvError {
    NetconvError(
      .usage,
      text:
        "neither source holds several networks; leave out \(.entry), which is for files of PyTorch and Neural Amp Modeler"
    )
  }
}
