import Documents
import Emission
import Execution
import Readers
import Transforms
import Writers

// Types of other modules that requests use, so that `import NetconvKit` is enough.

/// The engine that runs a model.
public typealias EngineKind = Execution.EngineKind

/// The precision in which a model is computed.
public typealias Precision = Execution.Precision

/// A graph for weights that have none, and the bindings between the two.
public typealias Architecture = Readers.Architecture

/// An initial `model.json` for weights without a graph.
public typealias GraphScaffold = Readers.GraphScaffold

/// A container to which tensors can be written.
public typealias OutputFormat = Documents.OutputFormat

/// A quantisation of weights that are written.
public typealias WeightQuantization = Writers.WeightQuantization

/// A consumer of weights.
public typealias Target = Transforms.Target

/// A language in which models can be emitted.
public typealias EmittedLanguage = Emission.EmittedLanguage

/// A form in which a network in C has its weights.
public typealias LibraryWeights = Emission.LibraryWeights

/// An option for emitting a model.
public typealias EmitOption = Emission.EmitOption
