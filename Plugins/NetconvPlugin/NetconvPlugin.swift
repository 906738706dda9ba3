import PackagePlugin

/// Converts the checkpoints of a target during the build, and adds the archives to its resources.
///
/// A file next to a checkpoint contains its options, such as `lenet.netconv.json` for `lenet.h5`.
/// netconv itself reads the options. The plugin only declares the commands with their input and
/// output files. It runs again only when files are added or removed.
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
