#if canImport(XcodeProjectPlugin)
  import PackagePlugin
  import XcodeProjectPlugin

  // Untested: this code has not been built or run, because Xcode was not available.
  extension NetconvPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(
      context: XcodePluginContext, target: XcodeTarget
    ) throws -> [Command] {
      let files = target.inputFiles.map(\.url)
      let checkpoints = try Checkpoint.all(in: files, of: target.displayName)
      let netconv = try context.tool(named: "netconv").url
      let takesCode = files.contains { $0.pathExtension == "swift" }
      return checkpoints.map {
        $0.command(netconv, into: context.pluginWorkDirectoryURL, takesCode: takesCode)
      }
    }
  }
#endif
