#!/usr/bin/env python3
"""Small torch modules for the ExecuTorch oracle, each with one thing that its exporter or runtime may refuse or mistreat.

`CASES` maps a name to a function that gives (module, inputs, keywords of torch.export.export). What stands under `remedy/` is
what condlint advises where the case of the same name is wrong.
"""
import torch

X = torch.tensor([0.5, -1.25, 2.0, 0.75])
YES, NO = torch.tensor(True), torch.tensor(False)
DIM = torch.export.Dim("n", min=2, max=8)
TURNED = torch.tensor([3, 2, 1, 0])
PAIRS = torch.tensor([0, 1, 0, 1])
CASES = {}


class Wrapped(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def case(name, function, *inputs, **keywords):
    """Inputs are run as they are; a predicate that is the first of them both ways."""
    ways = [tuple(inputs)]
    if inputs and isinstance(inputs[0], torch.Tensor) and inputs[0].dtype == torch.bool and inputs[0].numel() == 1:
        ways.append((~inputs[0], *inputs[1:]))
    made = function if isinstance(function, torch.nn.Module) else Wrapped(function)
    CASES[name] = lambda: (made, ways, keywords)


def branch(name, operation, *inputs, other=None):
    """An operator in one branch alone, beside what keeps its type."""
    inputs = inputs or (X,)
    other = other or (lambda *a: torch.zeros_like(operation(*a)) + 1)
    case(name, lambda p, *a: torch.cond(p, operation, other, a), YES, *inputs)


def square():
    return torch.tensor([[2.0, 0.5], [0.25, 1.5]])


# Operators in a branch.
branch("operator/sort", lambda x: torch.sort(x)[0], other=torch.neg)
branch("remedy/operator/sort", lambda x: torch.topk(x, 4, largest=False)[0], other=torch.neg)
branch("operator/argsort", torch.argsort, other=lambda x: torch.arange(4))
branch("remedy/operator/argsort", lambda x: torch.topk(x, 4, largest=False)[1], other=lambda x: torch.arange(4))
def normalised(trains, tracks):
    """Of copies: to what an operand holds no branch writes."""
    def side(x):
        statistics = (torch.zeros(3), torch.ones(3)) if tracks else (None, None)
        return torch.nn.functional.batch_norm(x, *statistics, None, None, trains)
    return side


IMAGE = torch.randn(2, 3, 4, 4, generator=torch.Generator().manual_seed(1))
branch("operator/batch_norm_updates", normalised(True, True), IMAGE, other=torch.neg)
branch("remedy/operator/batch_norm", normalised(True, False), IMAGE, other=torch.neg)
branch("operator/batch_norm_evaluates", normalised(False, True), IMAGE, other=torch.neg)
branch("operator/cumprod", lambda x: torch.cumprod(x, 0), other=torch.neg)
branch("remedy/operator/cumprod", lambda x: torch.stack([x[0], x[0] * x[1], x[0] * x[1] * x[2], x[0] * x[1] * x[2] * x[3]]),
       other=torch.neg)
branch("operator/cumsum", lambda x: torch.cumsum(x, 0), other=torch.neg)
branch("operator/cummax", lambda x: torch.cummax(x, 0)[0], other=torch.neg)
branch("operator/logcumsumexp", lambda x: torch.logcumsumexp(x, 0), other=torch.neg)
branch("operator/det", torch.linalg.det, square(), other=lambda x: x.sum())
branch("remedy/operator/det", lambda x: x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0], square(), other=lambda x: x.sum())
branch("operator/inverse", torch.linalg.inv, square(), other=torch.neg)
branch("operator/cholesky", lambda x: torch.linalg.cholesky(x @ x.t()), square(), other=torch.neg)
branch("operator/qr", lambda x: torch.linalg.qr(x)[1], square(), other=torch.neg)
branch("operator/solve", lambda x: torch.linalg.solve(x, x), square(), other=torch.neg)
branch("operator/linalg_norm", torch.linalg.norm, other=lambda x: x.sum())
branch("remedy/operator/linalg_norm", lambda x: (x * x).sum().sqrt(), other=lambda x: x.sum())
branch("operator/vector_norm", torch.linalg.vector_norm, other=lambda x: x.sum())
branch("operator/norm", torch.norm, other=lambda x: x.sum())
branch("operator/rand_like", lambda x: torch.rand_like(x) * 0 + x, other=torch.neg)
branch("operator/randn_like", lambda x: torch.randn_like(x) * 0 + x, other=torch.neg)
branch("operator/rand", lambda x: torch.rand(4) * 0 + x, other=torch.neg)
branch("operator/bernoulli", lambda x: torch.bernoulli(torch.sigmoid(x)) * 0 + x, other=torch.neg)
branch("operator/dropout", lambda x: torch.nn.functional.dropout(x, 0.0, True), other=torch.neg)
branch("operator/complex", lambda x: torch.view_as_real(torch.complex(x, x) * 2), other=lambda x: torch.stack([x, x], -1))
branch("remedy/operator/complex", lambda x: torch.stack([x * 2, x * 2], -1), other=lambda x: torch.stack([x, x], -1))
branch("operator/fft", lambda x: torch.fft.fft(x).real, other=torch.neg)
branch("operator/unique", lambda x: torch.unique(x).sum(), other=lambda x: x.sum())
branch("operator/nonzero", lambda x: torch.nonzero(x).sum(), other=lambda x: x.sum().long())
ROWS = torch.tensor([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]])
branch("operator/nonzero-of-rows", lambda x: torch.nonzero(x).sum(), ROWS, other=lambda x: x.sum().long())
branch("operator/nonzero-by-columns", lambda x: torch.nonzero(x).sum(0), ROWS, other=lambda x: x.sum(1).long())
branch("operator/nonzero-times", lambda x: (torch.nonzero(x) * 2).sum(), ROWS, other=lambda x: x.sum().long())
branch("operator/nonzero-counted", lambda x: torch.nonzero(x > 0).shape[0] * x, other=torch.neg)
branch("operator/mask", lambda x: x[x > 0].sum(), other=lambda x: x.sum())
branch("operator/rfft-abs", lambda x: torch.fft.rfft(x).abs(), other=lambda x: x[:3] * 1)
branch("operator/fft-abs", lambda x: torch.fft.fft(x).abs(), other=torch.neg)
TURNING = torch.complex(X, X.flip(0))
branch("operator/complex-product", lambda z: z * z, TURNING, other=lambda z: z.clone())
branch("operator/complex-exp", torch.exp, TURNING, other=lambda z: z.clone())
branch("operator/channels-last", lambda x: torch.nn.functional.conv2d(x.to(memory_format=torch.channels_last), torch.ones(3, 3, 1, 1)),
       IMAGE, other=lambda x: x.to(memory_format=torch.channels_last) * 2)
branch("operator/masked_select", lambda x: torch.masked_select(x, x > 0).sum(), other=lambda x: x.sum())
branch("operator/median", lambda x: torch.median(x), other=lambda x: x.sum())
branch("operator/mode", lambda x: torch.mode(x)[0], other=lambda x: x.sum())
branch("operator/kthvalue", lambda x: torch.kthvalue(x, 2)[0], other=lambda x: x.sum())
branch("operator/searchsorted", lambda x, s: torch.searchsorted(s, x), X, torch.tensor([0.0, 1.0]), other=lambda x, s: x.long())
branch("operator/bucketize", lambda x, s: torch.bucketize(x, s), X, torch.tensor([0.0, 1.0]), other=lambda x, s: x.long())
branch("operator/histc", lambda x: torch.histc(x, 4), other=torch.neg)
branch("operator/bincount", lambda x: torch.bincount(x.abs().long(), minlength=4)[:4], other=lambda x: x.long())
branch("operator/erfinv", torch.erfinv, other=torch.neg)
branch("operator/digamma", torch.digamma, other=torch.neg)
branch("operator/lgamma", torch.lgamma, other=torch.neg)
branch("operator/i0", torch.special.i0, other=torch.neg)
branch("operator/nextafter", lambda x: torch.nextafter(x, x + 1), other=torch.neg)
branch("operator/frexp", lambda x: torch.frexp(x)[0], other=torch.neg)
branch("operator/heaviside", lambda x: torch.heaviside(x, x), other=torch.neg)
branch("operator/gcd", lambda x: torch.gcd(x.long(), x.long() + 1), other=lambda x: x.long())
branch("operator/trace", torch.trace, square(), other=lambda x: x.sum())
branch("operator/triu", torch.triu, square(), other=torch.neg)
branch("operator/diag", torch.diag, square(), other=lambda x: x[0] * 1)
branch("operator/diagonal", lambda x: torch.diagonal(x) * 1, square(), other=lambda x: x[0] * 1)
branch("operator/roll", lambda x: torch.roll(x, 1), other=torch.neg)
branch("operator/renorm", lambda x: torch.renorm(x, 2, 0, 1.0), square(), other=torch.neg)
branch("operator/cdist", lambda x: torch.cdist(x, x), square(), other=torch.neg)
branch("operator/cross", lambda x: torch.linalg.cross(x, x + 1), torch.tensor([1.0, 2.0, 3.0]), other=torch.neg)
branch("operator/outer", lambda x: torch.outer(x, x), other=lambda x: torch.stack([x, x, x, x]))
branch("operator/tensordot", lambda x: torch.tensordot(x, x, 1), square(), other=torch.neg)
branch("operator/einsum", lambda x: torch.einsum("ij,jk->ik", x, x), square(), other=torch.neg)
branch("operator/kron", lambda x: torch.kron(x, torch.ones(1)), other=torch.neg)
branch("operator/scatter_reduce", lambda x, i: x.scatter_reduce(0, i, x, "sum"), X, PAIRS, other=lambda x, i: -x)
branch("operator/index_put", lambda x, i: x.index_put((i,), x), X, TURNED, other=lambda x, i: -x)
branch("operator/index_reduce", lambda x, i: x.index_reduce(0, i, x, "prod"), X, PAIRS, other=lambda x, i: -x)
branch("operator/put", lambda x, i: x.put(i, x), X, TURNED, other=lambda x, i: -x)
branch("operator/take", lambda x, i: torch.take(x, i), X, TURNED, other=lambda x, i: -x)
branch("operator/gather", lambda x, i: torch.gather(x, 0, i), X, TURNED, other=lambda x, i: -x)
branch("operator/logspace", lambda x: torch.logspace(0, 1, 4) + x, other=torch.neg)
branch("operator/linspace", lambda x: torch.linspace(0, 1, 4) + x, other=torch.neg)
branch("operator/softmax", lambda x: torch.softmax(x, 0), other=torch.neg)
branch("operator/layer_norm", lambda x: torch.nn.functional.layer_norm(x, (4,)), other=torch.neg)
branch("operator/group_norm", lambda x: torch.nn.functional.group_norm(x.view(1, 4, 1), 2).view(4), other=torch.neg)
branch("operator/gelu", torch.nn.functional.gelu, other=torch.neg)
branch("operator/silu", torch.nn.functional.silu, other=torch.neg)
branch("operator/linear", lambda x: torch.nn.functional.linear(x, torch.ones(4, 4)), other=torch.neg)
branch("operator/attention", lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x), square()[None, None],
       other=torch.neg)
branch("operator/conv1d", lambda x: torch.nn.functional.conv1d(x.view(1, 1, 4), torch.ones(1, 1, 1)).view(4), other=torch.neg)
branch("operator/max_pool1d", lambda x: torch.nn.functional.max_pool1d(x.view(1, 1, 4), 1).view(4), other=torch.neg)
branch("operator/avg_pool2d", lambda x: torch.nn.functional.avg_pool2d(x[None, None], 1)[0, 0], square(), other=torch.neg)
branch("operator/adaptive_avg_pool2d", lambda x: torch.nn.functional.adaptive_avg_pool2d(x[None, None], 2)[0, 0], square(),
       other=torch.neg)
branch("operator/adaptive_max_pool2d", lambda x: torch.nn.functional.adaptive_max_pool2d(x[None, None], 2)[0, 0], square(),
       other=torch.neg)
branch("operator/interpolate_bilinear", lambda x: torch.nn.functional.interpolate(x[None, None], size=2, mode="bilinear")[0, 0],
       square(), other=torch.neg)
branch("operator/interpolate_bicubic", lambda x: torch.nn.functional.interpolate(x[None, None], size=2, mode="bicubic")[0, 0],
       square(), other=torch.neg)
branch("operator/grid_sample", lambda x: torch.nn.functional.grid_sample(x[None, None], torch.zeros(1, 2, 2, 2))[0, 0],
       square(), other=torch.neg)
branch("operator/embedding_bag", lambda x, i: torch.nn.functional.embedding_bag(i, x)[0], square(),
       torch.tensor([[0, 1]]), other=lambda x, i: x[0] * 1)
branch("operator/multinomial", lambda x: torch.multinomial(x.abs(), 2) * 0, other=lambda x: x[:2].long())
branch("operator/lstm_cell", lambda x: torch.lstm_cell(x[None], (torch.zeros(1, 2), torch.zeros(1, 2)), torch.ones(8, 4),
                                                       torch.ones(8, 2))[0], other=lambda x: x[None, :2] * 1)
branch("operator/print", lambda x: (print("seen"), x * 1)[1], other=torch.neg)

branch("remedy/operator/rand_like", lambda x: torch.rand(x.shape) * 0 + x, other=torch.neg)
branch("remedy/operator/randn_like", lambda x: torch.randn(x.shape) * 0 + x, other=torch.neg)
branch("operator/erfc", torch.erfc, other=torch.neg)
branch("remedy/operator/erfc", lambda x: 1 - torch.erf(x), other=torch.neg)
branch("operator/exp2", torch.exp2, other=torch.neg)
branch("remedy/operator/exp2", lambda x: torch.pow(2.0, x), other=torch.neg)
branch("operator/hypot", lambda x: torch.hypot(x, x + 1), other=torch.neg)
branch("remedy/operator/hypot", lambda x: torch.sqrt(x * x + (x + 1) * (x + 1)), other=torch.neg)
branch("remedy/operator/bucketize", lambda x, s: (x.unsqueeze(-1) > s).sum(-1), X, torch.tensor([0.0, 1.0]),
       other=lambda x, s: x.long())
branch("remedy/operator/scatter_reduce", lambda x, i: x.scatter_add(0, i, x), X, PAIRS, other=lambda x, i: -x)
branch("remedy/operator/det-as-input", lambda x, d: d * 1, square(), torch.tensor(2.875), other=lambda x, d: x.sum())
branch("operator/view_as_real", lambda x: torch.view_as_real(torch.view_as_complex(x)) * 2, square(), other=torch.neg)

# Single overloads, and what is decomposed into an operator that has no kernel.
branch("operator/var_mean", lambda x: torch.var_mean(x)[0], other=lambda x: x.sum())
branch("remedy/operator/var_mean", lambda x: torch.var(x) + torch.mean(x), other=lambda x: x.sum())
branch("operator/std_mean", lambda x: torch.std_mean(x)[0], other=lambda x: x.sum())
branch("operator/unfold", lambda x: x.unfold(0, 2, 1) * 2, other=lambda x: torch.stack([x[:2], x[:2], x[1:3]]))
branch("remedy/operator/unfold", lambda x: torch.stack([x[0:3], x[1:4]], -1) * 2, other=lambda x: torch.stack([x[:2], x[:2], x[1:3]]))
branch("operator/round-decimals", lambda x: torch.round(x, decimals=2), other=torch.neg)
branch("remedy/operator/round-decimals", lambda x: torch.round(x * 100) / 100, other=torch.neg)
branch("operator/round", torch.round, other=torch.neg)
branch("operator/adaptive_avg_pool3d", lambda x: torch.nn.functional.adaptive_avg_pool3d(x[None, None, None], 1).sum(), square(),
       other=lambda x: x.sum())
branch("operator/repeat_interleave", lambda x, i: torch.repeat_interleave(x, i, output_size=2), X, PAIRS, other=lambda x, i: x[:2] * 1)
branch("operator/repeat_interleave-of-number", lambda x: torch.repeat_interleave(x, 2), other=lambda x: torch.cat([x, x]))
branch("operator/scatter-reduce", lambda x, i: x.scatter(0, i, x, reduce="add"), X, PAIRS, other=lambda x, i: -x)
branch("operator/scatter", lambda x, i: x.scatter(0, i, x), X, TURNED, other=lambda x, i: -x)
branch("operator/shift", lambda x: torch.bitwise_left_shift(x, x), torch.tensor([1, 2, 3, 4]), other=lambda x: x * 3)
branch("operator/shift-of-number", lambda x: torch.bitwise_right_shift(x, 1), torch.tensor([1, 2, 3, 4]), other=lambda x: x * 3)
branch("operator/and-of-number", lambda x: torch.bitwise_and(6, x), torch.tensor([1, 2, 3, 4]), other=lambda x: x * 3)
branch("operator/remainder-of-number", lambda x: torch.remainder(7, x), other=torch.neg)
branch("operator/bernoulli-p", lambda x: torch.bernoulli(x, 1.0) + x, other=torch.neg)
branch("operator/logaddexp2", lambda x: torch.logaddexp2(x, x), other=torch.neg)
branch("operator/mvlgamma", lambda x: torch.mvlgamma(x.abs() + 2, 1), other=torch.neg)
branch("operator/bilinear", lambda x: torch.nn.functional.bilinear(x, x, torch.ones(3, 2, 2)), square(), other=lambda x: torch.ones(2, 3))
branch("operator/stft", lambda x: torch.view_as_real(torch.stft(x, 4, center=False, return_complex=True)).sum(), other=lambda x: x.sum())
branch("operator/view-of-type", lambda x: x.view(torch.int32) + 1, other=lambda x: x.int())
branch("operator/upsample-itself", lambda x: torch.ops.aten.upsample_bilinear2d.default(x[None, None], [2, 2], False)[0, 0], square(),
       other=torch.neg)
branch("operator/combinations", lambda x: torch.combinations(x).sum(), other=lambda x: x.sum())
branch("operator/mm-of-type", lambda x: torch.mm(x.to(torch.bfloat16), x.to(torch.bfloat16), out_dtype=torch.float32), square(),
       other=torch.neg)
branch("operator/lu", lambda x: torch.linalg.lu_factor(x)[0], square(), other=torch.neg)

# Operators of a higher order.


@torch.compiler.nested_compile_region
def compiled(x):
    return x.sin() + 1


def hinted(x):
    from torch._higher_order_ops.hints_wrap import hints_wrapper
    return hints_wrapper(lambda v: v.sin() + 1, (x,), {}, hints={"key": True})


def strictly(x):
    from torch._higher_order_ops.strict_mode import strict_mode
    return strict_mode(lambda v: v.sin() + 1, (x,))


def mapped(x):
    from torch._higher_order_ops.foreach_map import foreach_map
    return foreach_map(lambda v: v.sin() + 1, [x])[0]


def widened(x):
    from torch._higher_order_ops.out_dtype import out_dtype
    return out_dtype(torch.ops.aten.mul.Tensor, torch.int32, x.to(torch.int8), 3).float()


def unrecorded(x):
    with torch.no_grad():
        y = x.sin()
    return y + 1


def cast(x):
    with torch.autocast("cpu", enabled=False):
        y = x.sin()
    return y + 1


branch("region/compiled", compiled, other=torch.neg)
case("region/around", lambda p, x: torch.compiler.nested_compile_region(
    lambda q, v: torch.cond(q, torch.sin, torch.cos, (v,)))(p, x), YES, X)
branch("region/hints", hinted, other=torch.neg)
branch("region/strict", strictly, other=torch.neg)
branch("region/foreach", mapped, other=torch.neg)
branch("region/out_dtype", widened, other=torch.neg)
for wrapper in ("compiled", "hints", "strict", "foreach"):
    branch(f"remedy/region/{wrapper}", lambda x: x.sin() + 1, other=torch.neg)
branch("remedy/region/out_dtype", lambda x: (x.to(torch.int8).to(torch.int32) * 3).float(), other=torch.neg)
branch("region/no_grad", unrecorded, other=torch.neg)
branch("region/autocast", cast, other=torch.neg)

# Other control flow.
case("loop/while", lambda x: torch._higher_order_ops.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2),
                                                                (torch.tensor(0), x)), X)
case("loop/map", lambda x: torch._higher_order_ops.map(lambda row: row * 2, x), X)
case("remedy/loop/while", lambda p, x: torch.cond(p, lambda v: v * 2 * 2 * 2, torch.neg, (x,)), YES, X)
case("loop/cond-in-while", lambda x, s: torch._higher_order_ops.while_loop(
    lambda i, v: i < 3, lambda i, v: (i + 1, torch.cond(v.sum() > 0, torch.sin, torch.cos, (v,))), (s, x)), X, torch.tensor(0))
case("loop/map-two", lambda x: torch._higher_order_ops.map(lambda rows: rows[0] * rows[1], (x, x * 2)), X)
case("loop/scan", lambda x: torch._higher_order_ops.scan(lambda c, v: (c + v, c * v), torch.zeros(()), x), X)
case("loop/cond-then-while", lambda p, x: torch._higher_order_ops.while_loop(
    lambda i, v: i < 3, lambda i, v: (i + 1, v * 2), (torch.tensor(0), torch.cond(p, torch.sin, torch.cos, (x,)))), YES, X)
case("loop/cond-then-map", lambda p, x: (lambda y: y + torch._higher_order_ops.map(lambda row: row.exp(), x))(
    torch.cond(p, torch.sin, torch.cos, (x,))), YES, X)
case("loop/cond-then-scan", lambda p, x: (lambda y: y + torch._higher_order_ops.scan(
    lambda c, v: (c + v, c * v), torch.zeros(()), x)[1])(torch.cond(p, torch.sin, torch.cos, (x,))), YES, X)
case("loop/map-in-branch", lambda p, x: torch.cond(p, lambda v: torch._higher_order_ops.map(lambda row: row * 2, v), torch.neg,
                                                   (x,)), YES, X)
case("loop/while-in-branch", lambda p, x, s: torch.cond(p, lambda v, i: torch._higher_order_ops.while_loop(
    lambda i, w: i < 3, lambda i, w: (i + 1, w * 2), (i.clone(), v.clone()))[1], lambda v, i: -v, (x, s)), YES, X, torch.tensor(0))
case("loop/scan-in-branch", lambda p, x: torch.cond(p, lambda v: torch._higher_order_ops.scan(
    lambda c, w: (c + w, c * w), torch.zeros(()), v)[1], torch.neg, (x,)), YES, X)
case("loop/cond-in-map", lambda x: torch._higher_order_ops.map(
    lambda row: torch.cond(row > 0, torch.sin, torch.cos, (row,)), x), X)
case("loop/cond-in-scan", lambda x: torch._higher_order_ops.scan(
    lambda c, v: (torch.cond(v > 0, torch.sin, torch.cos, (c,)), c + v), torch.ones(()), x), X)

# Predicates.
case("predicate/scalar", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)), YES, X)
case("predicate/one-element", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)), torch.tensor([True]), X)
case("predicate/two-axes", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)), torch.tensor([[True]]), X)
case("predicate/computed", lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)), X)
case("predicate/all", lambda x: torch.cond((x > 0).all(), torch.sin, torch.cos, (x,)), X)
case("predicate/not", lambda p, x: torch.cond(~p, torch.sin, torch.cos, (x,)), YES, X)
case("predicate/cast", lambda x: torch.cond(x.sum().to(torch.bool), torch.sin, torch.cos, (x,)), X)
case("predicate/size", lambda x: torch.cond(x.shape[0] > 4, torch.sin, torch.cos, (x,)), X,
     dynamic_shapes=(({0: DIM},),))
case("predicate/item", lambda x: torch.cond(x.sum().item() > 0, torch.sin, torch.cos, (x,)), X)
case("predicate/constant", lambda x: torch.cond(True, torch.sin, torch.cos, (x,)), X)

# Sizes.
case("sizes/dynamic", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)), YES, X, dynamic_shapes=((None, {0: DIM}),))
case("sizes/dynamic-two", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)) + torch.cond(p, torch.exp, torch.neg, (x,)), YES,
     X, dynamic_shapes=((None, {0: DIM}),))
case("sizes/dynamic-unbounded", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)), YES, X,
     dynamic_shapes=((None, {0: torch.export.Dim("n")}),))
case("sizes/differ", lambda p, x: torch.cond(p, lambda v: v[:2] * 1, lambda v: v[:3] * 1, (x,)), YES, X)
case("sizes/differ-used", lambda p, x: torch.cond(p, lambda v: v[:2] * 1, lambda v: v[:3] * 1, (x,)) * 2, YES, X)
case("sizes/unbacked", lambda p, x: torch.cond(p, torch.sin, torch.cos, (torch.nonzero(x > 0).float(),)), YES, X)
case("remedy/sizes/unbacked", lambda p, x: torch.cond(p, torch.sin, torch.cos, (torch.where(x > 0, x, 0.0),)), YES, X)
case("sizes/unbacked-closed", lambda p, x: torch.cond(p, lambda v: v.sum(), lambda v: v.sum() * 2, (torch.nonzero(x > 0).float(),)),
     YES, X)
case("sizes/differ-then-later", lambda p, x: torch.cond(p, torch.sin, torch.cos, (torch.cond(p, lambda v: v[:2] * 1,
                                                                                             lambda v: v[:3] * 1, (x,)),)), YES, X)
case("sizes/nonzero-outside", lambda p, x: torch.nonzero(x > 0).sum() + torch.cond(p, lambda v: v.sum().long(),
                                                                                     lambda v: v.sum().long() * 2, (x,)), YES, X)
case("sizes/size-as-operand", lambda p, x: torch.cond(p, lambda v, n: v * n, lambda v, n: v + n, (x, x.shape[0])), YES, X,
     dynamic_shapes=((None, {0: DIM}),))
case("sizes/empty", lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)), YES, torch.zeros(0, 4))

# Types.
for dtype in ("float16", "bfloat16", "float64", "int8", "uint8", "int16", "int32", "int64", "bool", "complex64", "float8_e4m3fn"):
    one = (X * 4).to(getattr(torch, dtype)) if dtype != "bool" else X > 0
    case(f"dtype/{dtype}", lambda p, x: torch.cond(p, lambda v: v.clone(), lambda v: torch.cat([v[2:], v[:2]]), (x,)), YES, one)

# Buffers, parameters, operands.


class Buffered(torch.nn.Module):
    def __init__(self, forward):
        super().__init__()
        self.register_buffer("state", torch.zeros(4))
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0, 4.0]), requires_grad=False)
        self.linear = torch.nn.Linear(4, 4)
        self.body = forward

    def forward(self, *inputs):
        return self.body(self, *inputs)


def counted(self, p, x):
    self.state.add_(x)
    return torch.cond(p, torch.sin, torch.cos, (x,)) + self.state


def kept(self, p, x):
    self.state.copy_(torch.cond(p, torch.sin, torch.cos, (x,)))
    return self.state * 2


def kept_twice(self, p, x):
    y = torch.cond(p, torch.sin, torch.cos, (x,))
    self.state.copy_(y)
    return torch.cond(p, torch.exp, torch.neg, (x,)) + self.state


def weighed(self, p, x):
    return torch.cond(p, lambda v: v * self.weight, lambda v: v + self.weight, (x,))


def applied(self, p, x):
    return torch.cond(p, lambda v: self.linear(v), lambda v: v + self.weight, (x,))


def returned(self, p, x):
    return torch.cond(p, lambda v: self.weight * 1, lambda v: v + 1, (x,))


for forward in (counted, kept, kept_twice, weighed, applied, returned):
    case(f"buffer/{forward.__name__}", Buffered(forward), YES, X)
case("alias/operand-twice", lambda p, x: torch.cond(p, lambda a, b: a + b, lambda a, b: a - b, (x, x)), YES, X)
case("alias/result-twice", lambda p, x: (lambda y: (y, y))(torch.cond(p, torch.sin, torch.cos, (x,))), YES, X)
case("alias/identity", lambda p, x: torch.cond(p, lambda v: v.clone(), lambda v: v * 2, (x,)), YES, X)
case("alias/view-of-operand", lambda p, x: torch.cond(p, lambda v: v.view(2, 2).clone(), lambda v: v.view(2, 2) * 2, (x,)), YES, X)
case("alias/in-place-inside", lambda p, x: torch.cond(p, lambda v: v.clone().mul_(2), torch.neg, (x,)), YES, X)
case("alias/input-changed", lambda p, x: (lambda y: x.add_(1) + y)(torch.cond(p, torch.sin, torch.cos, (x,))), YES, X)

# Two conditionals, and what saves the first result.
LATER = (lambda p, x: torch.cond(p, torch.exp, torch.neg, (x,)))
FIRST = (lambda p, x: torch.cond(p, torch.sin, torch.cos, (x,)))
case("memory/two", lambda p, x: FIRST(p, x) + LATER(p, x), YES, X)
case("remedy/memory/two", lambda p, x: FIRST(p, x).clone() + LATER(p, x), YES, X)
case("memory/view", lambda p, x: FIRST(p, x).view(2, 2) * 2, YES, X)
case("remedy/memory/view", lambda p, x: FIRST(p, x).clone().view(2, 2) * 2, YES, X)
case("memory/returned", lambda p, x: (FIRST(p, x), LATER(p, x)), YES, X)
case("memory/nested", lambda p, x: torch.cond(p, lambda v: torch.cond(v.sum() > 0, torch.sin, torch.cos, (v,)) + torch.cond(
    v.sum() > 1, torch.exp, torch.neg, (v,)), torch.neg, (x,)), YES, X)
case("memory/outer-then-nested", lambda p, x: FIRST(p, x) + torch.cond(p, lambda v: torch.cond(
    v.sum() > 0, torch.exp, torch.neg, (v,)), torch.neg, (x,)), YES, X)
case("memory/three", lambda p, x: (lambda a: (lambda b: a + b + torch.cond(p, torch.abs, torch.neg, (x,)))(LATER(p, x)))(
    FIRST(p, x)), YES, X)

# The result of the first true branch is lost, and only to the later false branch: each other pair has places of its own.
SPACED = (lambda p, x: torch.cond(p, lambda v: (v.sin(), v.cos()), lambda v: (v.sin(), v.cos().exp()), (x,))[0])
TWICE = (lambda p, x: torch.cond(p, torch.exp, lambda v: v.exp().neg(), (x,)))


class Weighed(torch.nn.Module):
    """Predicates that follow from a weight: always the one side of the one that is asked so."""

    def __init__(self, sign, is_first):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((4,), sign), requires_grad=False)
        self.is_first = is_first

    def forward(self, p, x):
        fixed = self.weight.sum() > 0
        return SPACED(fixed if self.is_first else p, x) + TWICE(p if self.is_first else fixed, x)


case("memory/one-flag", lambda p, x: SPACED(p, x) + TWICE(p, x), YES, X)
case("memory/two-flags", lambda p, q, x: SPACED(p, x) + TWICE(q, x), YES, NO, X)
case("memory/flag-and-not", lambda p, x: SPACED(p, x) + TWICE(~p, x), YES, X)
case("memory/not-and-flag", lambda p, x: SPACED(torch.logical_not(p), x) + TWICE(p, x), YES, X)
case("memory/computed-alike", lambda p, x: SPACED(x.sum() > p, x) + TWICE(x.sum() > p, x), YES, X)
case("memory/computed", lambda p, x: SPACED(x.sum() > p, x) + TWICE(x.sum() > 3, x), YES, X)
case("memory/within-not", lambda p, q, x: torch.cond(p, lambda v: SPACED(~p, v) + TWICE(q, v), torch.neg, (x,)), YES, NO, X)
case("memory/within", lambda p, q, x: torch.cond(p, lambda v: SPACED(p, v) + TWICE(q, v), torch.neg, (x,)), YES, NO, X)
for _first in (True, False):
    for _sign in (1.0, -1.0):
        case(f"memory/weight-{'first' if _first else 'later'}-{'yes' if _sign > 0 else 'no'}", Weighed(_sign, _first), YES, X)
