import Processor

// What kernels and steps speak of on every page, by the names that it has there.

package typealias CPULevel = Processor.CPULevel
typealias Team = Processor.Team
typealias Shared = Processor.Shared
