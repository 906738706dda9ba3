import PackagePlugin

/// Converts the checkpoints of a target while it is built, and puts the archives among its resources.
///
/// A file beside a checkpoint says what is to be done with it, `lenet.netconv.json` for `lenet.h5`. netconv itself reads
/// that. The plugin only says which command makes which files of which. It is asked again only when files come or go.
@main
struct NetconvPlugin: BuildToolPlugin {
  func createBuildCommands(
    context: PluginContext, target: any Target
  ) async throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let checkpoints = try Checkpoint.all(in: module.sourceFiles.map(\.url), of: target.name)
    let netconv = try context.tool(named: "netconv").url
    return checkpoints.map {
      $0.command(
        netconv, into: context.pluginWorkDirectoryURL, takesCode: module is SwiftSourceModuleTarget)
    }
  }
}
