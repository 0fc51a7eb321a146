"""Sixteen numbers side by side, for kernels: what a processor does to all of them at once.

Numba makes sixteen steps of a loop of sixteen. Each function here is such a loop in a few LLVM instructions, on `U16`,
`U32` and `F32`: sixteen unsigned numbers of 16 or 32 bits, or floats of 32 bits; the same ones come out on every
machine. They can be called in kernels alone, which are compiled anew where this file was edited: `compiler` has it in
the name of their cache.
"""

import inspect
from collections.abc import Callable
from typing import Any, Final

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

LANES: Final = 16

Values = Any
"""Values of LLVM, and its builder of instructions: neither library has types for them."""


class Lanes(numba.types.Type):
    """The Numba type of `LANES` numbers of one LLVM type."""

    def __init__(self, name: str, item: Values) -> None:
        self.vector = ir.VectorType(item, LANES)
        super().__init__(name=f"Lanes({name})")


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Values, lanes: Lanes) -> None:
        super().__init__(manager, lanes, lanes.vector)  # type: ignore[no-untyped-call]


U16: Final = Lanes("u16", ir.IntType(16))
U32: Final = Lanes("u32", ir.IntType(32))
F32: Final = Lanes("f32", ir.FloatType())
_ARRAY: Final = numba.uint16[::1]


def _instruction(result: Values, *arguments: Values) -> Callable[[Callable[..., Values]], Values]:
    """Make a function that kernels can call of one that builds its instructions, from the builder and its values."""

    def decorated(build: Callable[..., Values]) -> Values:
        def generate(context: Values, builder: Values, signature: Values, values: Values) -> Values:
            values = [
                context.make_array(_ARRAY)(context, builder, value).data if kind == _ARRAY else value
                for kind, value in zip(signature.args, values, strict=True)
            ]
            return build(builder, *values) or context.get_dummy_value()

        def typed(*_: Values) -> Values:
            return result(*arguments), generate

        # Numba calls by the parameters it finds: those of `build`, a context of types in the place of the builder.
        typed.__signature__ = inspect.signature(build)  # type: ignore[attr-defined]
        typed.__name__ = typed.__qualname__ = build.__name__
        typed.__doc__ = build.__doc__
        return intrinsic(typed)

    return decorated


def _all(lanes: Lanes, number: float) -> Values:
    return ir.Constant(lanes.vector, [number] * LANES)


def _each(builder: Values, lanes: Lanes, number: Values) -> Values:
    one = builder.insert_element(_all(lanes, 0), number, ir.IntType(32)(0))
    return builder.shuffle_vector(one, one, _all(U32, 0))


def _moved(builder: Values, numbers: Values, places: int, below: Values) -> Values:
    """Each lane some places up, the lowest ones those of `below`."""
    lanes = [LANES + q - places if q >= places else q for q in range(LANES)]
    return builder.shuffle_vector(below, numbers, ir.Constant(U32.vector, lanes))


def _whole(builder: Values, numbers: Values) -> Values:
    nearest = builder.fptosi(builder.fadd(numbers, _all(F32, 0.5)), U32.vector)
    return builder.trunc(nearest, U16.vector)


def _at(builder: Values, data: Values, place: Values) -> Values:
    return builder.bitcast(builder.gep(data, [place]), U16.vector.as_pointer())


@_instruction(U16, _ARRAY, numba.uint64)
def take(builder: Values, array: Values, place: Values) -> Values:
    """`array[place : place + LANES]`."""
    return builder.load(_at(builder, array, place), align=2)


@_instruction(numba.void, _ARRAY, numba.uint64, U16)
def put(builder: Values, array: Values, place: Values, numbers: Values) -> None:
    """`array[place : place + LANES] = numbers`."""
    builder.store(numbers, _at(builder, array, place), align=2)


@_instruction(U16)
def zero16(_: Values) -> Values:
    return _all(U16, 0)


@_instruction(U32, numba.uint32)
def each32(builder: Values, number: Values) -> Values:
    """The number in every lane."""
    return _each(builder, U32, number)


@_instruction(U16, U16, U16)
def higher(builder: Values, one: Values, other: Values) -> Values:
    """The greater of two in each lane."""
    return builder.select(builder.icmp_unsigned(">", one, other), one, other)


@_instruction(numba.boolean, U16, U16)
def exceeds(builder: Values, one: Values, other: Values) -> Values:
    """Whether the first is greater in any lane."""
    greater = builder.bitcast(builder.icmp_unsigned(">", one, other), ir.IntType(LANES))
    return builder.icmp_unsigned("!=", greater, ir.IntType(LANES)(0))


@_instruction(U32, U32, U16, U16, numba.uint32)
def add_below(builder: Values, total: Values, one: Values, other: Values, weight: Values) -> Values:
    """`total + (weight if one < other else 0)`."""
    weights = _each(builder, U32, weight)
    return builder.add(total, builder.select(builder.icmp_unsigned("<", one, other), weights, _all(U32, 0)))


@_instruction(U32, U32, U16, U16, numba.uint32)
def add_weighed(builder: Values, total: Values, one: Values, other: Values, weight: Values) -> Values:
    """`total + (0 if one < other else weight * one)`."""
    weighed = builder.mul(builder.zext(one, U32.vector), _each(builder, U32, weight))
    return builder.add(total, builder.select(builder.icmp_unsigned("<", one, other), _all(U32, 0), weighed))


@_instruction(F32, U32, U32, numba.float32, numba.float32)
def climb(builder: Values, slopes: Values, sums: Values, share: Values, start: Values) -> Values:
    """x[q] = share * (slopes[q] * x[q - 1] + sums[q]), x[-1] being `start`: a prefix sum in log2(LANES) steps."""
    shares = _each(builder, F32, share)
    slope = builder.fmul(builder.sitofp(slopes, F32.vector), shares)
    total = builder.fmul(builder.sitofp(sums, F32.vector), shares)
    nothing = _all(F32, 0.0)
    first = builder.insert_element(nothing, start, ir.IntType(32)(0))
    total = builder.fadd(total, builder.fmul(slope, first))
    places = 1
    while places < LANES:
        total = builder.fadd(total, builder.fmul(slope, _moved(builder, total, places, nothing)))
        slope = builder.fmul(slope, _moved(builder, slope, places, nothing))
        places *= 2
    return total


@_instruction(U16, F32)
def whole(builder: Values, numbers: Values) -> Values:
    """The nearest whole numbers; they must be less than 2^16."""
    return _whole(builder, numbers)


@_instruction(U16, F32, numba.float32)
def whole_before(builder: Values, numbers: Values, start: Values) -> Values:
    """The nearest whole numbers of the lanes before, those of `start` in the first."""
    return _whole(builder, _moved(builder, numbers, 1, _each(builder, F32, start)))


@_instruction(numba.float32, F32)
def last(builder: Values, numbers: Values) -> Values:
    return builder.extract_element(numbers, ir.IntType(32)(LANES - 1))


@_instruction(numba.uint64, numba.uint64)
def lowest_bit(builder: Values, number: Values) -> Values:
    """The place of the lowest bit that is set, in a number that is not 0."""
    return builder.cttz(number, ir.IntType(1)(1))
