#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// The functions in expressions of graphs, in double precision.

func exponential(_ x: Double) -> Double { exp(x) }
func exponentialMinusOne(_ x: Double) -> Double { expm1(x) }
func logarithm(_ x: Double) -> Double { log(x) }
func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
func hyperbolicTangent(_ x: Double) -> Double { tanh(x) }
func logisticSigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
func softplus(_ x: Double) -> Double { max(x, 0) + log1p(exp(-abs(x))) }
