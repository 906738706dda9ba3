"""Prints the table of NeuronTests.swift: each neuron's formula, as Apple's documentation of MPSCNNNeuronType has it."""

from math import erf, exp, log, sqrt, tanh

NEURONS = [
    ("sigmoid", (0, 0, 0), lambda x, a, b, c: 1 / (1 + exp(-x))),
    ("linear", (2, 3, 0), lambda x, a, b, c: a * x + b),
    ("reLU", (0.25, 0, 0), lambda x, a, b, c: x if x >= 0 else a * x),
    ("reLUN", (0.5, 2, 0), lambda x, a, b, c: min(x if x >= 0 else a * x, b)),
    ("hardSigmoid", (0.2, 0.5, 0), lambda x, a, b, c: min(max(a * x + b, 0), 1)),
    ("tanH", (2, 0.5, 0), lambda x, a, b, c: a * tanh(b * x)),
    ("absolute", (0, 0, 0), lambda x, a, b, c: abs(x)),
    ("softPlus", (2, 0.5, 0), lambda x, a, b, c: a * log(1 + exp(b * x))),
    ("softSign", (0, 0, 0), lambda x, a, b, c: x / (1 + abs(x))),
    ("ELU", (1.5, 0, 0), lambda x, a, b, c: x if x >= 0 else a * (exp(x) - 1)),
    ("power", (1, 4, 2), lambda x, a, b, c: (a * x + b) ** c),
    ("exponential", (2, 1, 3), lambda x, a, b, c: c ** (a * x + b)),
    ("exponential", (2, 1, -1), lambda x, a, b, c: exp(a * x + b)),
    ("logarithm", (1, 4, 10), lambda x, a, b, c: log(a * x + b) / log(c)),
    ("logarithm", (1, 4, -1), lambda x, a, b, c: log(a * x + b)),
    ("geLU", (0, 0, 0), lambda x, a, b, c: (1 + erf(x * sqrt(0.5))) * 0.5 * x),
]

for name, (a, b, c), function in NEURONS:
    values = ", ".join(f"{function(x, a, b, c):.9g}" for x in (-2, -0.5, 0, 3))
    print(f"    (.{name}, {a}, {b}, {c}, [{values}]),")
