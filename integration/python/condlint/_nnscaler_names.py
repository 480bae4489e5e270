"""Names in Python source: what the imports make of them, and what is known of torch's own."""

from __future__ import annotations

import ast

# Methods of a tensor that say nothing of its elements.
HOST_METHODS = frozenset(
    "size dim numel ndimension stride element_size is_contiguous type get_device is_floating_point is_complex "
    "data_ptr storage_offset".split()
)
HOST_ATTRIBUTES = frozenset("shape ndim dtype device is_cuda requires_grad layout names is_sparse is_quantized".split())
VALUE_METHODS = frozenset("item tolist is_nonzero".split())
_OF_FUNCTIONAL = {
    "dropout": ["input", "p", "training", "inplace"],
    "alpha_dropout": ["input", "p", "training", "inplace"],
    "dropout1d": ["input", "p", "training", "inplace"],
    "dropout2d": ["input", "p", "training", "inplace"],
    "dropout3d": ["input", "p", "training", "inplace"],
    "feature_alpha_dropout": ["input", "p", "training", "inplace"],
    "batch_norm": ["input", "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps"],
    "rrelu": ["input", "lower", "upper", "training", "inplace"],
}
# Those of the package torch itself.
_OF_TORCH = {
    **dict.fromkeys(("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"), ["input", "p", "train"]),
    "batch_norm": ["input", "weight", "bias", "running_mean", "running_var", "training"],
    "rrelu": ["input", "lower", "upper", "training"],
}
# Functions of torch that give no tensor, besides those that are called `is_…` and `get_…`.
_NO_TENSORS = frozenset(
    """Generator Size allclose are_deterministic_algorithms_enabled autocast broadcast_shapes can_cast compile device dtype enable_grad
    equal finfo iinfo inference_mode initial_seed manual_seed no_grad numel promote_types result_type seed set_grad_enabled
    typename vmap""".split()
)
# As sources write them where nothing is imported, as in a part of one.
_USUAL = {"F": "torch.nn.functional", "nn": "torch.nn"}


class Names:
    """What the imports of a source make of its names."""

    def __init__(self, tree: ast.Module) -> None:
        self._known = dict(_USUAL)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    if name.asname is not None:
                        self._known[name.asname] = name.name
            elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
                for name in node.names:
                    self._known[name.asname or name.name] = f"{node.module}.{name.name}"

    def full(self, name: str) -> str:
        """A name with its dots, from the package on: `torch.nn.functional.dropout` of `F.dropout`."""
        first, dot, rest = name.partition(".")
        return self._known.get(first, first) + dot + rest

    def parameters(self, name: str) -> list[str]:
        """The parameters of a function of torch that takes a flag; none of others."""
        package, _, function = self.full(name).rpartition(".")
        return {"torch.nn.functional": _OF_FUNCTIONAL, "torch": _OF_TORCH}.get(package, {}).get(function, [])

    def gives_tensor(self, name: str) -> bool:
        """Whether a function is one of torch's that gives a tensor."""
        package, _, function = self.full(name).rpartition(".")
        return package in ("torch", "torch.nn.functional", "torch.special", "torch.linalg", "torch.fft") and not (
            function in _NO_TENSORS or function.startswith(("is_", "get_"))
        )

    def is_module(self, name: str) -> bool:
        """Whether a class is one of torch's modules."""
        package, _, cls = self.full(name).rpartition(".")
        return (package == "torch.nn" or package.startswith("torch.nn.modules")) and cls not in ("Parameter", "Buffer")
