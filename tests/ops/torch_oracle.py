#!/usr/bin/env python3
"""Records what torch itself answers for the operators that condlint types.

Writes one line a case (of a sample; `--all` for every one): the overload, its arguments, and for each result element
type, sizes, strides and storage offset, as torch's FakeTensors have them. What
torch refuses is left out, also where only the computation does, of a type that no device has the operator for.
OracleTest.cpp compares. Run with an installed torch:

    python3 torch_oracle.py > ../data/ops/torch.txt
"""
import collections
import re
import sys
import zlib
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

torch.set_num_threads(1)
FLOAT = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
INT = [torch.int64, torch.int32, torch.uint8, torch.bool]
COMPLEX = [torch.complex64]
ALL = FLOAT + INT + COMPLEX
# Kernels that are made for whole numbers alone on every device.
NO_BITS = r'''"(bitwise_(and|or|xor|not)|[lr]shift|gcd|lcm)_cpu" not implemented for '.*(Float|Half|Double)'''

DTYPES = {torch.float32: "float32", torch.float16: "float16", torch.bfloat16: "bfloat16", torch.float64: "float64",
          torch.int64: "int64", torch.int32: "int32", torch.int16: "int16", torch.int8: "int8", torch.uint8: "uint8",
          torch.bool: "bool", torch.complex64: "complex64", torch.complex128: "complex128",
          torch.complex32: "complex32"}


class Tensor:
    def __init__(self, dtype, size, stride=None, offset=0):
        self.dtype, self.size, self.offset = dtype, list(size), offset
        if stride is None:
            stride, n = [], 1
            for s in reversed(size):
                stride.insert(0, n)
                n *= max(s, 1)
        self.stride = list(stride)

    def make(self):
        n = 1 + self.offset + sum((s - 1) * t for s, t in zip(self.size, self.stride) if s)
        return torch.empty(n, dtype=self.dtype).as_strided(self.size, self.stride, self.offset)

    def text(self):
        return "T:%s:%s:%s:%d" % (DTYPES[self.dtype], ",".join(map(str, self.size)), ",".join(map(str, self.stride)),
                                  self.offset)


def transposed(dtype): return Tensor(dtype, [2, 3], [1, 2])
def channels_last(dtype): return Tensor(dtype, [2, 3, 4, 5], [60, 1, 15, 3])
def expanded(dtype): return Tensor(dtype, [4, 3], [0, 1])
def sliced(dtype): return Tensor(dtype, [2, 3], [6, 2], 1)


LAYOUTS = [lambda d: Tensor(d, [2, 3]), lambda d: Tensor(d, []), transposed, channels_last, expanded, sliced,
           lambda d: Tensor(d, [3, 1, 2], [2, 2, 1]), lambda d: Tensor(d, [2, 3, 4], [4, 8, 1])]


def argument(name, value):
    if isinstance(value, Tensor):
        return name + "=" + value.text()
    if value is None:
        return name + "=n"
    if isinstance(value, bool):
        return "%s=b:%d" % (name, value)
    if isinstance(value, int):
        return "%s=i:%d" % (name, value)
    if isinstance(value, float):
        return "%s=f:%r" % (name, value)
    if isinstance(value, complex):
        return "%s=c:%r,%r" % (name, value.real, value.imag)
    if isinstance(value, str):
        return "%s=s:%s" % (name, value)
    if isinstance(value, torch.dtype):
        return "%s=d:%s" % (name, DTYPES[value])
    if isinstance(value, torch.memory_format):
        return "%s=m:%d" % (name, {torch.contiguous_format: 1, torch.channels_last: 2, torch.channels_last_3d: 3,
                                   torch.preserve_format: 4}[value])
    if isinstance(value, torch.device):
        return "%s=v:%s" % (name, value)
    if isinstance(value, (list, tuple)) and all(isinstance(v, int) for v in value):
        return "%s=l:%s" % (name, ",".join(map(str, value)))
    if isinstance(value, (list, tuple)) and all(isinstance(v, float) for v in value):
        return "%s=F:%s" % (name, ",".join(map(repr, value)))
    if isinstance(value, (list, tuple)) and all(v is None or isinstance(v, Tensor) for v in value):
        return "%s=L:%s" % (name, "|".join("n" if v is None else v.text() for v in value))
    raise TypeError(repr(value))


def result(value):
    if isinstance(value, torch.Tensor):
        return "T:%s:%s:%s:%d" % (DTYPES[value.dtype], ",".join(map(str, value.shape)),
                                  ",".join(map(str, value.stride())), value.storage_offset())
    return None


def refuses_type(function, made):
    """Whether torch follows types through the call, and computes nothing of such types."""
    try:
        function(**made)
    except Exception as e:  # what the values are is nobody's question here
        return re.search(r"support|not implemented for complex|Found dtype|" + NO_BITS, str(e)) is not None
    return False


seen = set()
recorded = collections.Counter()


def case(op, **arguments):
    domain, name, overload = op.split(".")
    function = getattr(getattr(getattr(torch.ops, domain), name), overload)
    line = op + " " + " ".join(argument(k, v) for k, v in arguments.items())
    if line in seen:
        return
    seen.add(line)
    make = lambda v: v.make() if isinstance(v, Tensor) else v
    make_all = lambda: {k: [make(e) for e in v] if isinstance(v, list) else make(v) for k, v in arguments.items()}
    try:
        with FakeTensorMode():
            answer = function(**make_all())
    except Exception:  # torch refuses it
        return
    if refuses_type(function, make_all()):
        return
    results = [result(v) for v in (answer if isinstance(answer, (list, tuple)) else [answer])]
    recorded[op] += 1
    if all(results) and ("--all" in sys.argv or recorded[op] <= 3 or zlib.crc32(line.encode()) % 5 == 0):
        print(line, "->", " ".join(results))


def has(op):
    _, name, overload = op.split(".")
    packet = getattr(torch.ops.aten, name, None)
    return packet is not None and overload in packet.overloads()


def unary():
    names = """abs neg ceil floor round trunc frac sign sgn relu square conj_physical nan_to_num bitwise_not angle
        isnan isinf isfinite isposinf isneginf signbit logical_not acos acosh asin asinh atan atanh cos cosh sin sinh
        tan tanh sinc exp exp2 expm1 log log10 log1p log2 sqrt rsqrt reciprocal erf erfc erfinv lgamma digamma i0
        logit sigmoid deg2rad rad2deg celu elu gelu hardsigmoid hardswish hardshrink hardtanh relu6 leaky_relu
        log_sigmoid mish selu softshrink silu softplus clone contiguous lift_fresh_copy zeros_like ones_like
        empty_like rand_like randn_like bernoulli special_entr special_i0e positive isreal""".split()
    for name in names:
        for dtype in ALL:
            case("aten.%s.default" % name, self=Tensor(dtype, [2, 3]))
        for layout in LAYOUTS:
            case("aten.%s.default" % name, self=layout(torch.float32))
        if has("aten.%s_.default" % name):
            case("aten.%s_.default" % name, self=transposed(torch.float32))
        if has("aten.%s.out" % name):
            case("aten.%s.out" % name, self=Tensor(torch.float32, [2, 3]), out=transposed(torch.float64))


BINARY = """add sub mul div floor_divide remainder fmod pow atan2 logaddexp xlogy copysign hypot maximum minimum fmax
    fmin eq ne lt le gt ge isclose logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
    bitwise_left_shift __and__ __or__ __xor__ __lshift__ __rshift__ gcd float_power ldexp rsub heaviside
    nextafter special_xlog1py""".split()


def binary():
    pairs = [(a, b) for a in ALL for b in ALL]
    for name in BINARY:
        second = "exponent" if name in ("pow", "float_power") else "other"
        for overload in ("Tensor", "default", "Tensor_Tensor"):
            op = "aten.%s.%s" % (name, overload)
            if not has(op):
                continue
            for a, b in pairs if name in ("add", "mul", "div", "pow", "maximum") else pairs[::5]:
                case(op, self=Tensor(a, [2, 3]), **{second: Tensor(b, [3])})
                case(op, self=Tensor(a, [2, 3]), **{second: Tensor(b, [])})
                case(op, self=Tensor(a, []), **{second: Tensor(b, [2])})
            for x in LAYOUTS:
                for y in LAYOUTS:
                    case(op, self=x(torch.float32), **{second: y(torch.float32)})
            case(op, self=Tensor(torch.float32, [4, 1, 3]), **{second: Tensor(torch.float32, [5, 1])})
            case(op, self=channels_last(torch.float32), **{second: Tensor(torch.float32, [3, 1, 1])})
            case(op, self=Tensor(torch.float32, [2, 3, 4, 5]), **{second: channels_last(torch.float32)})
            case(op, self=Tensor(torch.float32, [2, 1, 4, 1]), **{second: channels_last(torch.float32)})
            case(op, self=Tensor(torch.float32, [3, 2], [1, 3]), **{second: Tensor(torch.float32, [2])})
        for overload in ("Scalar", "Tensor_Scalar"):
            op = "aten.%s.%s" % (name, overload)
            if name == "pow" and overload == "Scalar":
                for dtype in ALL:
                    for number in (2, 2.5, True):
                        case(op, self=number, exponent=Tensor(dtype, [2, 3]))
                continue
            if has(op):
                for dtype in ALL:
                    for number in (2, 2.5, True, 1 + 2j):
                        case(op, self=Tensor(dtype, [2, 3]), **{second: number})
                        case(op, self=Tensor(dtype, []), **{second: number})
    for dtype in ALL:
        for mode in (None, "floor", "trunc"):
            case("aten.div.Tensor_mode", self=Tensor(dtype, [2]), other=Tensor(torch.int64, [2]), rounding_mode=mode)
            case("aten.div.Scalar_mode", self=Tensor(dtype, [2]), other=2.0, rounding_mode=mode)
        case("aten.add_.Tensor", self=Tensor(torch.float64, [2, 3]), other=Tensor(dtype, [3]))
        case("aten.__iand__.Tensor", self=Tensor(torch.int64, [2, 3]), other=Tensor(dtype, [3]))
        case("aten.add.out", self=Tensor(dtype, [2, 3]), other=Tensor(dtype, [3]), out=Tensor(torch.complex128, [2, 3]))


def selection():
    for a in ALL:
        for number in (1, 0.5):
            case("aten.clamp.default", self=Tensor(a, [2, 3]), min=number)
            case("aten.clamp.default", self=Tensor(a, []), min=None, max=number)
            case("aten.clamp_min.default", self=Tensor(a, [2, 3]), min=number)
            case("aten.masked_fill.Scalar", self=Tensor(a, [2, 3]), mask=Tensor(torch.bool, [3]), value=number)
            case("aten.fill.Scalar", self=transposed(a), value=number)
            case("aten.where.ScalarOther", condition=Tensor(torch.bool, [2, 3]), self=Tensor(a, [3]), other=number)
            case("aten.where.ScalarSelf", condition=Tensor(torch.bool, [2, 3]), self=number, other=Tensor(a, [3]))
            case("aten.isin.Tensor_Scalar", elements=Tensor(a, [2, 3]), test_element=number)
        for b in ALL:
            case("aten.where.self", condition=Tensor(torch.bool, [2, 1]), self=Tensor(a, [3]), other=Tensor(b, []))
            case("aten.clamp.Tensor", self=Tensor(a, [2, 3]), min=Tensor(b, [3]))
            case("aten.complex.default", real=Tensor(a, [2]), imag=Tensor(b, [2]))
            case("aten.polar.default", abs=Tensor(a, [2]), angle=Tensor(b, [2]))
            case("aten.copy.default", self=Tensor(a, [2, 3]), src=Tensor(b, [3]))
            case("aten.copy_.default", self=transposed(a), src=Tensor(b, [3]))
            case("aten.type_as.default", self=Tensor(a, [2, 3]), other=Tensor(b, [1]))
            case("aten.lerp.Scalar", self=Tensor(a, [2, 3]), end=Tensor(b, [3]), weight=0.5)
            case("aten.addcmul.default", self=Tensor(a, [2, 3]), tensor1=Tensor(b, [3]), tensor2=Tensor(a, [2, 1]))
            case("aten.addcdiv.default", self=Tensor(a, [2, 3]), tensor1=Tensor(b, [3]), tensor2=Tensor(a, [2, 1]))
            case("aten.to.dtype", self=sliced(a), dtype=b)
            case("aten._to_copy.default", self=sliced(a), dtype=b)
    for layout in LAYOUTS:
        x = layout(torch.float32)
        for dtype in (torch.float32, torch.int64):
            case("aten.to.dtype", self=x, dtype=dtype)
            case("aten._to_copy.default", self=x, dtype=dtype)
            case("aten.to.dtype_layout", self=x, dtype=dtype)
        case("aten.prelu.default", self=x, weight=Tensor(torch.float32, [1]))
        for form in (torch.contiguous_format, torch.channels_last, torch.preserve_format):
            case("aten.clone.default", self=x, memory_format=form)
            case("aten.empty_like.default", self=x, memory_format=form)
            case("aten.contiguous.default", self=x, memory_format=form)
            case("aten._to_copy.default", self=x, dtype=torch.float64, memory_format=form)
            case("aten.to.dtype", self=x, dtype=torch.float32, memory_format=form)
        case("aten.masked_fill.Scalar", self=x, mask=Tensor(torch.bool, []), value=1)
        case("aten.full_like.default", self=x, fill_value=1)
        case("aten.where.self", condition=Tensor(torch.bool, x.size), self=x, other=x)


def reduction():
    shapes = [Tensor(torch.float32, [2, 3, 4]), Tensor(torch.float32, []), transposed(torch.float32),
              channels_last(torch.float32)]
    for name in "sum mean prod nansum amax amin any all max min median argmax argmin count_nonzero std var".split():
        for dtype in ALL:
            case("aten.%s.default" % name, self=Tensor(dtype, [2, 3]))
    for x in shapes + [Tensor(d, [2, 3, 4]) for d in ALL]:
        for dims in ([0], [-1], [0, 1], [], None):
            for keep in (False, True):
                for op in ("sum.dim_IntList", "mean.dim", "amax.default", "amin.default", "var.dim", "std.correction",
                           "var.correction", "any.dims", "all.dims", "logsumexp.default", "nansum.default",
                           "linalg_vector_norm.default", "var_mean.correction", "std_mean.dim"):
                    case("aten." + op, self=x, dim=dims, keepdim=keep)
                if dims:
                    case("aten.norm.ScalarOpt_dim", self=x, p=2.0, dim=dims, keepdim=keep)
        for dim in (0, -1, None):
            for keep in (False, True):
                for op in ("argmax.default", "argmin.default", "aminmax.default"):
                    case("aten." + op, self=x, dim=dim, keepdim=keep)
                if dim is not None:
                    for op in ("any.dim", "all.dim", "prod.dim_int", "max.dim", "min.dim", "median.dim", "mode.default"):
                        case("aten." + op, self=x, dim=dim, keepdim=keep)
                    case("aten.kthvalue.default", self=x, k=1, dim=dim, keepdim=keep)
        for dtype in (torch.float64, torch.float32, torch.int64):
            case("aten.sum.default", self=x, dtype=dtype)
            case("aten.sum.dim_IntList", self=x, dim=[0], dtype=dtype)
            case("aten.mean.dim", self=x, dim=[0], dtype=dtype)
            case("aten.prod.default", self=x, dtype=dtype)
            case("aten.cumsum.default", self=x, dim=0, dtype=dtype)
            case("aten.softmax.int", self=x, dim=0, dtype=dtype)
        case("aten.count_nonzero.dim_IntList", self=x, dim=[0])
        case("aten.max.other", self=x, other=Tensor(torch.float32, [1]))
        case("aten.quantile.scalar", self=x, q=0.5, dim=0)
        case("aten.quantile.default", self=x, q=Tensor(torch.float32, [5]), dim=0)
        for layout in (x, sliced(x.dtype), expanded(x.dtype)):
            for op in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
                case("aten.%s.default" % op, self=layout, dim=0)
            case("aten.softmax.int", self=layout, dim=-1)
            case("aten.log_softmax.int", self=layout, dim=-1)
            case("aten._softmax.default", self=layout, dim=-1, half_to_float=False)
            case("aten._log_softmax.default", self=layout, dim=0, half_to_float=False)
        case("aten.diff.default", self=x)
        case("aten.dist.default", self=x, other=x)
        case("aten.norm.Scalar", self=x)
    case("aten.max.dim_max", self=Tensor(torch.float32, [2, 3]), dim=0, max=Tensor(torch.float32, [3]),
         max_values=Tensor(torch.int64, [3]))
    case("aten.any.out", self=Tensor(torch.float32, [2, 3]), dim=0, out=Tensor(torch.uint8, [3]))


def creation():
    cpu = torch.device("cpu")
    for name in ("zeros.default", "ones.default", "empty.memory_format", "rand.default", "randn.default"):
        for size in ([2, 3], [], [0]):
            case("aten." + name, size=size)
            case("aten." + name, size=size, dtype=torch.float64, device=cpu)
    case("aten.empty.memory_format", size=[2, 3, 4, 5], memory_format=torch.channels_last)
    for value in (1, 1.5, True, 1j):
        case("aten.full.default", size=[2], fill_value=value)
        case("aten.full.default", size=[2], fill_value=value, dtype=torch.int32)
        case("aten.scalar_tensor.default", s=value)
        case("aten.new_full.default", self=transposed(torch.int32), size=[4, 4], fill_value=value)
    for args in (dict(end=5), dict(end=5.5), dict(start=1, end=10), dict(start=1, end=2.5),
                 dict(start=0, end=10, step=3), dict(start=10, end=0, step=-3), dict(start=0, end=1, step=0.3),
                 dict(start=3, end=3)):
        overload = "start_step" if "step" in args else "start" if "start" in args else "default"
        case("aten.arange." + overload, **args)
        case("aten.arange." + overload, **args, dtype=torch.int32)
        case("aten.arange." + overload, **args, dtype=torch.float16)
    for name in ("linspace", "logspace"):
        case("aten.%s.default" % name, start=0, end=1, steps=5)
        case("aten.%s.default" % name, start=0, end=1j, steps=5)
        case("aten.%s.default" % name, start=0.0, end=1, steps=5, dtype=torch.float64)
    case("aten.eye.default", n=3)
    case("aten.eye.m", n=3, m=4, dtype=torch.int64)
    case("aten.empty_strided.default", size=[2, 3], stride=[1, 2])
    case("aten.empty_permuted.default", size=[2, 3, 4], physical_layout=[1, 2, 0])
    case("aten.new_empty_strided.default", self=Tensor(torch.int8, [1]), size=[2, 3], stride=[1, 2])
    for name in ("new_zeros", "new_ones", "new_empty"):
        case("aten.%s.default" % name, self=transposed(torch.int32), size=[3, 4])
        case("aten.%s.default" % name, self=transposed(torch.int32), size=[3, 4], dtype=torch.float32)
    for name in ("zeros_like", "rand_like", "ones_like"):
        case("aten.%s.default" % name, self=channels_last(torch.float32), dtype=torch.float64)
    for rows in range(5):
        for columns in range(5):
            for offset in (-2, 0, 1, 3):
                case("aten.tril_indices.default", row=rows, col=columns, offset=offset)
                case("aten.triu_indices.default", row=rows, col=columns, offset=offset)
    case("aten.hann_window.default", window_length=8)
    case("aten.randint.default", high=5, size=[2, 3])
    case("aten.randint.low", low=1, high=5, size=[2], dtype=torch.float32)
    case("aten.randperm.default", n=7)
    case("aten.normal.float_float", mean=0.0, std=1.0, size=[2, 3])
    case("aten.normal.Tensor_Tensor", mean=Tensor(torch.float32, [2, 3]), std=Tensor(torch.float32, [3]))
    case("aten.normal.Tensor_float", mean=Tensor(torch.float64, [2, 3]))
    case("aten.normal.float_Tensor", mean=0.0, std=Tensor(torch.float32, [4]))
    case("aten.bernoulli.p", self=transposed(torch.float32), p=0.5)
    case("aten.multinomial.default", self=Tensor(torch.float32, [2, 3]), num_samples=2)
    case("aten.multinomial.default", self=Tensor(torch.float32, [3]), num_samples=2)
    for layout in LAYOUTS:
        case("aten.native_dropout.default", input=layout(torch.float32), p=0.5, train=True)
        case("aten.native_dropout.default", input=layout(torch.float32), p=0.5, train=False)
        case("aten.dropout.default", input=layout(torch.float32), p=0.5, train=True)
        case("aten.uniform_.default", self=layout(torch.float32))
        case("aten.poisson.default", self=layout(torch.float32))
    case("aten.bincount.default", self=Tensor(torch.int64, [5]))
    case("aten.histc.default", self=Tensor(torch.float32, [5]), bins=7)


if __name__ == "__main__":
    print("# Written by torch_oracle.py with torch %s; do not edit." % torch.__version__)
    unary()
    binary()
    selection()
    reduction()
    creation()
    print(len(seen), "cases asked", file=sys.stderr)
