import Lowering
import Processor

/// The precision in which a model is computed.
public typealias Precision = Lowering.Precision

// Types that kernels and steps use throughout, under their own names.

package typealias CPULevel = Processor.CPULevel
typealias ThreadTeam = Processor.ThreadTeam
typealias Shared = Processor.Shared
