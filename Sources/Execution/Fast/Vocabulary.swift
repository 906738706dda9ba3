import Processor

// Types that kernels and steps use throughout, under their own names.

package typealias CPULevel = Processor.CPULevel
typealias ThreadTeam = Processor.ThreadTeam
typealias Shared = Processor.Shared
