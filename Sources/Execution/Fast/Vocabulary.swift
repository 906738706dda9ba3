import Processor

// Types that kernels and steps use throughout, under their own names.

package typealias CPULevel = Processor.CPULevel
typealias Team = Processor.Team
typealias Shared = Processor.Shared
