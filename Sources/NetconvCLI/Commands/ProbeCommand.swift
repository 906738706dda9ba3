import ArgumentParser
import ModelIR
import NetconvKit

/// `netconv probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract:
      "Writes a model whose weights number their places, and checks what a loader made of it.",
    usage: """
      netconv probe DIR [--target T] [--dtype T] [--force]
      netconv probe --check FILE [--probe DIR]
      """,
    discussion: """
      DIR gets model/, as convert writes it, and in probe.npz and probe.json one
      input and what each layer must give. Load model/ with your own code, write
      what it holds of each tensor to an .npz with arrays called like the tensors
      (conv_W), or like the layers for what they give, or to JSON lines
      {"tensor": "conv_W", "values": [0, 1, 2]}, and --check says for each in which
      order it was read. Exits with 1 if anything is wrong.

        netconv probe probe/ --target mps
        netconv probe --check probe/seen.npz
      """)

  @Argument(help: "The folder to write.", completion: .directory)
  var dir: String?

  @Option(help: ArgumentHelp("Who will read the weights.", valueName: "target"))
  var target = "mps"

  @Option(help: ArgumentHelp("How kernels are written.", valueName: "type"))
  var dtype = ElementType.float32

  @Flag(help: "Replace an earlier probe.")
  var force = false

  @Option(
    help: ArgumentHelp("Check what a loader saw: .npz or JSON lines.", valueName: "file"),
    completion: .file())
  var check: String?

  @Option(
    help: ArgumentHelp(
      "The probe that was loaded (default: the folder of FILE, or the one above).",
      valueName: "dir"),
    completion: .directory)
  var probe: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try checkPaths(("DIR", dir), ("--check", check), ("--probe", probe))
    guard (dir == nil) != (check == nil) else {
      throw ValidationError("probe takes a DIR to write, or --check FILE, one of the two")
    }
    if probe != nil, check == nil { throw ValidationError("--probe needs --check FILE") }
  }

  func run() throws {
    if let check {
      let report = try Netconv.checkProbe(check, probe: probe)
      if output.json {
        Output.write(try report.json())
      } else if !output.quiet {
        ProbeRendering.print(report)
      }
      if !report.passed { throw ExitStatus.verdictIsNo }
    } else if let dir {
      var request = ProbeRequest(directory: dir)
      request.target = target
      request.elementType = dtype
      request.force = force
      let bar = ProgressBar("writing")
      let document = try Netconv.probe(request, observer: bar.observer(isQuiet: output.quiet))
      if output.json {
        Output.write(try document.json())
      } else if !output.quiet {
        ProbeRendering.print(document, in: dir)
      }
    }
  }
}
