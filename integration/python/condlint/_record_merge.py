"""What a conditional or a loop hands on: a value that is either branch's, and rows that are stacked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _torch_compat as compat

if TYPE_CHECKING:
    from ._record import Recorder
    from ._record_branches import Region


class Merging:
    """Makes the values that a conditional or a loop hands on."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.torch = recorder.torch

    def of(self, regions: list[Region]) -> list[Any] | None:
        """The values of a conditional: of the first branch that has outputs; sizes that differ become a symbol."""
        done = [region for region in regions if not region.failed]
        for region in regions:
            if region.failed:
                other = next((r for r in regions if not r.failed), None)
                region.results = [{"literal": {"kind": "unknown"}} for _ in (other.outputs if other else [None])]
        if not done:
            return None
        first = done[0]
        out = []
        for at, value in enumerate(first.outputs):
            others = [region.outputs[at] for region in done[1:] if at < len(region.outputs)]
            tensors = [v for v in (value, *others) if isinstance(v, self.torch.Tensor)]
            if tensors:
                out.append(self._merged(tensors))
            elif isinstance(value, int) and not isinstance(value, bool) and any(o != value for o in others):
                numbers = [v for v in (value, *others) if isinstance(v, int)]
                out.append(compat.unbacked(self.recorder.env, min(numbers), max(numbers)))
            else:
                out.append(value)
        return out

    def _merged(self, tensors: list[Any]) -> Any:
        """A new tensor that is either of `tensors`."""
        merged = self._new_merged(tensors)
        facets = [(t.dtype, t.device, t.dim(), t.layout, t.is_conj()) for t in tensors]
        if any(facet != facets[0] for facet in facets) or any(id(t) in self.recorder.writer.doubtful for t in tensors):
            self.recorder.writer.doubtful.add(id(merged))
        text = self.recorder.sizes.text
        if any(t.layout is not self.torch.strided or [text(s) for s in t.stride()] != [text(s) for s in tensors[0].stride()]
               or text(t.storage_offset()) != text(tensors[0].storage_offset()) for t in tensors):
            self.recorder.writer.loose.add(id(merged))
        self.recorder.writer.kept.append(merged)
        return merged

    def _new_merged(self, tensors: list[Any]) -> Any:
        torch = self.torch
        first = tensors[0]
        others = [t for t in tensors[1:] if t.dim() == first.dim()]
        sizes = []
        equal = True
        for at, size in enumerate(first.shape):
            if all(compat.is_known_true(size == other.shape[at]) for other in others):
                sizes.append(size)
                continue
            equal = False
            sizes.append(self._either([size, *(other.shape[at] for other in others)]))
        with self.recorder.mode:
            self.recorder.silent += 1
            try:
                kwargs = {"dtype": first.dtype, "device": first.device}
                if equal and first.layout is torch.strided:
                    return torch.empty_strided(sizes, first.stride(), **kwargs)
                return torch.empty(sizes, **kwargs)
            finally:
                self.recorder.silent -= 1

    def _either(self, sizes: list[Any]) -> Any:
        low = high = None
        if all(isinstance(size, int) for size in sizes):
            low, high = min(sizes), max(sizes)
        return compat.unbacked(self.recorder.env, 0 if low is None else low, high)

    def stacked(self, value: Any, row: Any) -> Any:
        if row is None or not isinstance(value, self.torch.Tensor):
            return value
        count, dim = row
        with self.recorder.mode:
            self.recorder.silent += 1
            try:
                sizes = list(value.shape)
                sizes.insert(dim, count)
                return self.torch.empty(sizes, dtype=value.dtype, device=value.device)
            finally:
                self.recorder.silent -= 1
