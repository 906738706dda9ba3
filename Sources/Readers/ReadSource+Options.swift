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
