"""What the modes of a recording answer of operators, beside torch's own: the same, for whatever operands."""

import itertools
import random

import pytest

torch = pytest.importorskip("torch")

from condlint import _torch_fakes

_BINARY = "add sub mul div maximum minimum eq lt ge pow atan2 fmod where3 cat".split()
_UNARY = """relu gelu silu sigmoid tanh exp log neg abs sqrt rsqrt hardswish hardsigmoid hardtanh leaky_relu erf sin cos clamp softmax cumsum sum mean
    clone layer_norm pow2 add1 rsub t0 view_flat flatten permute transpose unsqueeze squeeze expand slice select narrow split unbind chunk
    as_strided diagonal unfold reshape contiguous to_half to_int argmax topk sort roll pad detach alias relu_ add_ mul_ tanh_ clamp_ fill_ elu_
    dropout norm embedding masked_fill stack bmm bad_view bad_select bad_permute bad_expand bad_clamp bad_clamp_ bad_gelu
    index index_truth index_byte index_some""".split()


def _apply(name, x, y):
    """One of the operators above on one or two tensors."""
    f = torch.nn.functional
    last = x.dim() - 1
    own = {
        "where3": lambda: torch.where(x > 0, x, y), "cat": lambda: torch.cat([x, y], -1), "atan2": lambda: torch.atan2(x, y),
        "softmax": lambda: x.softmax(-1), "cumsum": lambda: x.cumsum(0), "sum": lambda: x.sum(-1), "mean": lambda: x.mean(0, keepdim=True),
        "layer_norm": lambda: torch.native_layer_norm(x, x.shape[-1:], y if y.dim() == 1 else None, None, 1e-5),
        "pow2": lambda: x**2, "add1": lambda: torch.add(x, 1, alpha=2), "rsub": lambda: 1 - x, "t0": lambda: x.t(), "view_flat": lambda: x.view(-1),
        "permute": lambda: x.permute(list(reversed(range(x.dim())))), "transpose": lambda: x.transpose(0, -1), "unsqueeze": lambda: x.unsqueeze(1),
        "expand": lambda: x.expand(2, *x.shape), "slice": lambda: x[1:], "select": lambda: x.select(last, 0), "narrow": lambda: x.narrow(0, 0, 1),
        "split": lambda: x.split(2), "unbind": lambda: x.unbind(-1), "chunk": lambda: x.chunk(2, -1),
        "as_strided": lambda: x.as_strided((2, 2), (1, 1), 0), "unfold": lambda: x.unfold(0, 1, 1), "reshape": lambda: x.reshape(-1, 1),
        "to_half": lambda: x.half(), "to_int": lambda: x.int(), "topk": lambda: x.topk(1), "roll": lambda: x.roll(1, 0), "pad": lambda: f.pad(x, (1, 1)),
        "alias": lambda: torch.ops.aten.alias.default(x), "add_": lambda: x.add_(y), "mul_": lambda: x.mul_(2), "clamp_": lambda: x.clamp_(0, 1),
        "fill_": lambda: x.fill_(1), "dropout": lambda: f.dropout(x, training=True), "norm": lambda: torch.linalg.vector_norm(x),
        "embedding": lambda: f.embedding(torch.ops.aten.zeros_like.default(x, dtype=torch.int64), y), "masked_fill": lambda: x.masked_fill(x > 0, 1.0),
        "stack": lambda: torch.stack([x, x]), "bmm": lambda: x.unsqueeze(0).bmm(y.unsqueeze(0)), "bad_view": lambda: x.view(7, 11),
        "bad_select": lambda: x.select(0, 99), "bad_clamp": lambda: x.clamp(), "bad_clamp_": lambda: x.clamp_(),
        "bad_gelu": lambda: f.gelu(x, approximate="fast"), "bad_permute": lambda: x.permute(0, 0), "bad_expand": lambda: x.expand(7, 7),
        "index_truth": lambda: x[y > 0], "index_byte": lambda: x[(y > 0).to(torch.uint8)],
        "index_some": lambda: x[:, torch.ops.aten.zeros_like.default(x, dtype=torch.int64)],
        "index": lambda: x[torch.ops.aten.zeros_like.default(y, dtype=torch.int64)], "elu_": lambda: f.elu_(x), "hardswish": lambda: f.hardswish(x), "gelu": lambda: f.gelu(x, approximate="tanh"),
        "silu": lambda: f.silu(x), "hardsigmoid": lambda: f.hardsigmoid(x), "hardtanh": lambda: f.hardtanh(x), "leaky_relu": lambda: f.leaky_relu(x),
        "clamp": lambda: x.clamp(min=0.5), "flatten": lambda: x.flatten(1), "mm": lambda: x.mm(y), "addmm": lambda: torch.addmm(y.select(0, 0), x, y),
    }
    if name in own:
        return own[name]()
    if name in _BINARY:
        return getattr(torch, name)(x, y)
    return getattr(x, name)()


def _operands(draw):
    """A tensor of some shape, order and type."""
    shape = [draw.choice([0, 1, 1, 2, 3, 4]) if draw.random() < 0.9 else 8 for _ in range(draw.randint(0, 4))]
    dtype = draw.choice([torch.float32] * 4 + [torch.float64, torch.bfloat16, torch.int64, torch.bool, torch.complex64])
    order = draw.sample(range(len(shape)), len(shape)) if draw.random() < 0.3 else list(range(len(shape)))
    x = torch.zeros([shape[at] for at in order], dtype=dtype).permute([order.index(at) for at in range(len(shape))])
    if shape and draw.random() < 0.15:
        x = x.expand(2, *x.shape) if draw.random() < 0.5 else x[..., :1]
    return x


def _pair(draw):
    x = _operands(draw)
    kind = draw.random()
    if kind < 0.4:
        return x, torch.zeros_like(x)
    if kind < 0.6 and x.dim():
        return x, torch.zeros(x.shape[draw.randint(0, x.dim() - 1):], dtype=x.dtype)
    return x, _operands(draw)


def _said(mode, name, x, y, again):
    """All that an answer says: of each tensor its type, and which operand's memory it lies in."""
    with mode, torch.no_grad():
        operands = [mode.from_tensor(t, static_shapes=True) for t in (x, y)]
        try:
            for _ in range(again):
                out = _apply(name, *operands)
        except Exception as error:
            return type(error).__name__, str(error).splitlines()[:1]
        memories = [t.untyped_storage()._cdata for t in operands]
        found = []
        for t in out if isinstance(out, (tuple, list)) else [out]:
            memory = t.untyped_storage()._cdata
            found.append((t.shape, t.stride(), t.storage_offset(), t.dtype, t.device, t.layout, str(torch._C._dispatch_keys(t)), type(t),
                          sorted(t.__dict__), memories.index(memory) if memory in memories else None, t._version,
                          [other is t for other in operands]))
        return found


@pytest.mark.parametrize("name", [*_BINARY, *_UNARY, "mm", "addmm"])
def test_answers_are_those_of_torch(name):
    from torch._subclasses.fake_tensor import FakeTensorMode

    draw = random.Random(name)
    assert _torch_fakes.mode_class() is not FakeTensorMode
    ours = _torch_fakes.mode_class()(allow_non_fake_inputs=True)
    for _, again in itertools.product(range(10), (1, 2)):
        x, y = _pair(draw)
        theirs = FakeTensorMode(allow_non_fake_inputs=True)
        found, expected = _said(ours, name, x, y, again), _said(theirs, name, x, y, again)
        assert found == expected, (name, again, x.shape, x.stride(), x.dtype, y.shape, y.stride(), y.dtype)
