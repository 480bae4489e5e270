#!/usr/bin/env python3
"""Records what torch itself answers for operators that move, index, multiply
and normalise: the second half of torch_oracle.py, in the same format.

    python3 torch_oracle_shapes.py > ../data/ops/torch_shapes.txt
"""
import logging
import sys
import torch
from torch_oracle import FLOAT, LAYOUTS, Tensor, case, channels_last, expanded, has, seen, sliced, transposed

logging.disable(logging.ERROR)  # torch logs whatever it refuses
F = torch.float32
I = torch.int64


def t(*size, dtype=F):
    return Tensor(dtype, size)


def channels_last_of(size, dtype=F):
    order = [0] + list(range(2, len(size))) + [1]
    stride, n = [0] * len(size), 1
    for axis in reversed(order):
        stride[axis] = n
        n *= size[axis]
    return Tensor(dtype, size, stride)


def layouts():
    return [make(F) for make in LAYOUTS] + [t(2, 3, 4), t(4, 6), t(1, 3, 1, 2), t(0, 3), t(5), t(2, 3, 4, 5, 6),
                                             Tensor(F, [2, 4, 3], [24, 6, 2], 1), t(2, 3, 4, 5)]


def views():
    for x in layouts():
        rank, n = len(x.size), 1
        for s in x.size:
            n *= s
        for shape in ([-1], [n], list(x.size), [1] + list(x.size), [n, 1], [2, -1], [-1, 2], [6, -1], [2, 2, -1]):
            for name, argument in (("view", "size"), ("reshape", "shape"), ("_unsafe_view", "size")):
                case("aten.%s.default" % name, **{"self": x, argument: shape})
        case("aten.flatten.using_ints", self=x)
        case("aten.ravel.default", self=x)
        for name in ("t", "mT", "mH", "adjoint", "numpy_T", "detach", "alias", "positive", "conj", "squeeze", "fliplr",
                     "resolve_conj", "resolve_neg", "real", "view_as_complex", "clone", "atleast_1d", "atleast_2d",
                     "atleast_3d", "argwhere_", "unsqueeze_copy"):
            if has("aten.%s.default" % name):
                case("aten.%s.default" % name, self=x)
        case("aten.squeeze_.default", self=x)
        case("aten.t_.default", self=x)
        case("aten.squeeze_copy.default", self=x)
        for d in range(-rank - 1, rank + 1):
            case("aten.unsqueeze.default", self=x, dim=d)
            case("aten.unsqueeze_.default", self=x, dim=d)
            case("aten.squeeze.dim", self=x, dim=d)
            case("aten.squeeze.dims", self=x, dim=[d])
            case("aten.flatten.using_ints", self=x, start_dim=d)
            case("aten.flatten.using_ints", self=x, start_dim=0, end_dim=d)
            case("aten.transpose.int", self=x, dim0=d, dim1=0)
            case("aten.transpose_copy.int", self=x, dim0=d, dim1=-1)
            case("aten.swapaxes.default", self=x, axis0=d, axis1=0)
            case("aten.movedim.int", self=x, source=d, destination=0)
            case("aten.movedim.int", self=x, source=0, destination=d)
            for k in (0, -1, 1) if -rank <= d < rank else ():  # its FakeTensor kernel checks no range
                case("aten.select.int", self=x, dim=d, index=k)
                case("aten.select_copy.int", self=x, dim=d, index=k)
            for start, end, step in ((None, None, 1), (1, None, 1), (None, -1, 1), (0, 9223372036854775807, 2),
                                     (-2, None, 1), (1, 1, 1), (5, 2, 1), (0, 3, 2), (-9, 2, 1)):
                case("aten.slice.Tensor", self=x, dim=d, start=start, end=end, step=step)
            case("aten.narrow.default", self=x, dim=d, start=1, length=1)
            case("aten.narrow.default", self=x, dim=d, start=-1, length=1)
            for k in (1, 2, 3):
                case("aten.split.Tensor", self=x, split_size=k, dim=d)
                case("aten.chunk.default", self=x, chunks=k, dim=d)
                case("aten.tensor_split.sections", self=x, sections=k, dim=d)
                case("aten.unfold.default", self=x, dimension=d, size=k, step=2)
            case("aten.tensor_split.indices", self=x, indices=[1, 2], dim=d)
            case("aten.unbind.int", self=x, dim=d)
            case("aten.split_with_sizes.default", self=x, split_sizes=[1, 2], dim=d)
            case("aten.split.sizes", self=x, split_size=[1, 1, 1], dim=d)
            case("aten.unflatten.int", self=x, dim=d, sizes=[-1, 2])
            case("aten.flip.default", self=x, dims=[d])
            case("aten.roll.default", self=x, shifts=[1], dims=[d])
            case("aten.tril.default", self=x, diagonal=d)
            case("aten.diagonal.default", self=x, offset=d)
            case("aten.diagonal.default", self=x, offset=1, dim1=d, dim2=0)
            case("aten.diag_embed.default", self=x, offset=1)
            case("aten.diag.default", self=x, diagonal=d)
            if -rank <= d < rank:  # their FakeTensor kernels check no range
                case("aten.sort.default", self=x, dim=d)
                case("aten.argsort.default", self=x, dim=d)
            case("aten.topk.default", self=x, k=1, dim=d)
            case("aten.glu.default", self=x, dim=d)
            case("aten.index_select.default", self=x, dim=d, index=t(4, dtype=I))
            case("aten.index_add.default", self=x, dim=d, index=t(2, dtype=I), source=x)
            case("aten.repeat_interleave.self_int", self=x, repeats=2, dim=d)
            case("aten.cat.default", tensors=[x, x], dim=d)
            case("aten.stack.default", tensors=[x, x], dim=d)
            if -rank <= d < rank:
                case("aten.select_scatter.default", self=x, src=t(3), dim=d, index=0)
        for sizes in ([-1] * rank, [4] + [-1] * rank, [2, 3], [5, 2, 3], [3, 2, 3, 4], [4, 3], [2, 3, 4, 5], [1, 2, 3], [7]):
            case("aten.expand.default", self=x, size=sizes)
            case("aten.broadcast_to.default", self=x, size=sizes)
            case("aten.resize_.default", self=x, size=[abs(s) for s in sizes])
            case("aten.expand_copy.default", self=x, size=sizes)
            case("aten.repeat.default", self=x, repeats=[abs(s) for s in sizes])
            case("aten.tile.default", self=x, dims=[abs(s) for s in sizes])
        for order in ([0], [1, 0], [0, 2, 1], [2, 0, 1], [0, 2, 3, 1], [3, 2, 1, 0], [-1, 0, 1]):
            case("aten.permute.default", self=x, dims=order)
            case("aten.permute_copy.default", self=x, dims=order)
        case("aten.movedim.intlist", self=x, source=[0, 1], destination=[1, 2])
        case("aten.as_strided.default", self=x, size=[2, 2], stride=[2, 1])
        case("aten.as_strided.default", self=x, size=[2], stride=[1], storage_offset=1)
        case("aten.linalg_diagonal.default", A=x)
        case("aten.expand_as.default", self=x, other=t(2, 3, 4, 5))
        case("aten.view_as.default", self=x, other=t(3, 2))
        case("aten.reshape_as.default", self=x, other=t(3, 2))
        case("aten.rot90.default", self=x, k=1, dims=[0, 1])
        case("aten.fliplr.default", self=x)
        case("aten.meshgrid.indexing", tensors=[t(2), t(3)], indexing="xy")
        case("aten.broadcast_tensors.default", tensors=[x, t(3, 1)])
        for dtype in (torch.float64, torch.int32, torch.float16, torch.uint8):
            case("aten.view.dtype", self=x, dtype=dtype)
        for pads in ([1, 2], [1, 0, 0, 2], [1, 1, 1, 1], [-1, 0], [0, 0], [1, 1, 1, 1, 1, 1]):
            case("aten.constant_pad_nd.default", self=x, pad=pads)
            case("aten.pad.default", self=x, pad=pads)
            case("aten.pad.default", self=x, pad=pads, mode="reflect")
            if rank - len(pads) // 2 in (1, 2):  # FakeTensors take any rank
                case("aten.reflection_pad%dd.default" % (len(pads) // 2), self=x, padding=pads)
                case("aten.replication_pad%dd.default" % (len(pads) // 2), self=x, padding=pads)
    for x in (t(2, 3, dtype=torch.complex64), transposed(torch.complex64), sliced(torch.complex64)):
        for name in ("view_as_real", "real", "imag", "conj", "_conj", "mH", "adjoint", "conj_physical"):
            case("aten.%s.default" % name, self=x)
    case("aten.view_as_complex.default", self=t(3, 2))
    case("aten.view_as_complex.default", self=Tensor(F, [3, 2], [4, 1], 2))


def joining():
    for a, b in ((t(2, 3), t(4, 3)), (channels_last(F), channels_last(F)), (t(2, 3, 4, 5), channels_last(F)),
                 (t(0), t(2, 3)), (t(2, 3), t(2, 3, dtype=torch.float64)), (t(2, 3), t(2, 3, dtype=I)),
                 (transposed(F), transposed(F)), (t(1, 3, 1, 1), t(1, 3, 1, 1)), (t(3), t(4))):
        for d in range(-2, 3):
            case("aten.cat.default", tensors=[a, b], dim=d)
            case("aten.stack.default", tensors=[a, a], dim=d)
        for name in ("hstack", "vstack", "dstack", "column_stack"):
            case("aten.%s.default" % name, tensors=[a, b])
            case("aten.%s.default" % name, tensors=[a, a, a])
    for x in (t(2, 8, 4, 4), channels_last_of([2, 8, 4, 4]), t(8, 4, 4)):
        case("aten.pixel_shuffle.default", self=x, upscale_factor=2)
        case("aten.pixel_unshuffle.default", self=x, downscale_factor=2)
        case("aten.channel_shuffle.default", self=x, groups=2)


def indexing():
    for x in (t(4, 5), transposed(F), t(4, 5, 6), channels_last(F), sliced(F), expanded(F)):
        for index in (t(3, dtype=I), t(2, 3, dtype=I), t(1, 1, dtype=I), t(2, 2, 2, dtype=I), t(dtype=I)):
            for d in (0, 1, -1):
                case("aten.gather.default", self=x, dim=d, index=index)
                case("aten.scatter.src", self=x, dim=d, index=index, src=x)
                case("aten.scatter_add.default", self=x, dim=d, index=index, src=x)
                case("aten.scatter_reduce.two", self=x, dim=d, index=index, src=x, reduce="sum")
                case("aten.take_along_dim.default", self=x, indices=index, dim=d)
                case("aten.index_copy.default", self=x, dim=d, index=index, source=x)
            case("aten.take.default", self=x, index=index)
            for indices in ([index], [None, index], [index, index], [index, None, index], [None, None, index],
                            [index, t(3, dtype=I)], [None, index, index]):
                case("aten.index.Tensor", self=x, indices=indices)
            case("aten.index_put.default", self=x, indices=[index], values=t())
            case("aten.index_put_.default", self=x, indices=[index], values=t())
            case("aten.embedding.default", weight=x, indices=index)
            case("aten.one_hot.default", self=index, num_classes=5)
        case("aten.bucketize.Tensor", self=x, boundaries=t(4))
        case("aten.searchsorted.Tensor", sorted_sequence=t(4), self=x, out_int32=True)
        case("aten.masked_scatter.default", self=x, mask=Tensor(torch.bool, x.size), source=x)
        case("aten.index_fill.int_Scalar", self=x, dim=0, index=t(2, dtype=I), value=1)
        case("aten.msort.default", self=x)
    for dtype in (torch.int64, torch.int32):
        case("aten.embedding_bag.default", weight=t(10, 3), indices=t(6, dtype=dtype), offsets=t(2, dtype=dtype))
        case("aten._embedding_bag.default", weight=t(10, 3), indices=t(6, dtype=dtype), offsets=t(2, dtype=dtype), mode=2)
        case("aten._embedding_bag.default", weight=t(10, 3), indices=t(6, dtype=dtype), offsets=t(2, dtype=dtype),
             include_last_offset=True)
    case("aten.embedding_dense_backward.default", grad_output=t(4, 3), indices=t(4, dtype=I), num_weights=7,
         padding_idx=-1, scale_grad_by_freq=False)


def products():
    shapes = [[], [3], [2, 3], [3, 2], [4, 2, 3], [4, 3, 2], [5, 1, 2, 3], [4, 3, 5], [1, 3, 3], [3, 3]]
    for a in shapes:
        for b in shapes:
            case("aten.matmul.default", self=t(*a), other=t(*b))
            case("aten.linear.default", input=t(*a), weight=t(*b))
            case("aten.mv.default", self=t(*a), vec=t(*b))
            case("aten.dot.default", self=t(*a), tensor=t(*b))
            case("aten.inner.default", self=t(*a), other=t(*b))
            case("aten.kron.default", self=t(*a), other=t(*b))
            case("aten.mm.default", self=t(*a), mat2=t(*b))
            case("aten.bmm.default", self=t(*a), mat2=t(*b))
            case("aten.addmm.default", self=t(1), mat1=t(*a), mat2=t(*b))
            case("aten.addmm_.default", self=t(2, 2), mat1=t(*a), mat2=t(*b))
            case("aten.addmv.default", self=t(1), mat=t(*a), vec=t(*b))
            case("aten.addr.default", self=t(1), vec1=t(*a), vec2=t(*b))
            case("aten.baddbmm.default", self=t(1), batch1=t(*a), batch2=t(*b))
            case("aten.addbmm.default", self=t(1), batch1=t(*a), batch2=t(*b))
            case("aten.outer.default", self=t(*a), vec2=t(*b))
            case("aten.tensordot.default", self=t(*a), other=t(*b), dims_self=[-1], dims_other=[0])
            for equation in ("ij,jk->ik", "bij,bjk->bik", "...i,i->...", "i,j->ij", "ij,ij", "bij,jk", "ii,ij->j"):
                case("aten.einsum.default", equation=equation.replace(" ", ""), tensors=[t(*a), t(*b)])
    for a, b in ((transposed(F), t(3, 2)), (t(2, 3), transposed(F)), (expanded(F), t(3, 2)),
                 (Tensor(F, [4, 2, 3], [6, 1, 2]), t(3, 2)), (Tensor(F, [4, 2, 3], [6, 1, 2]), t(4, 3, 2)),
                 (Tensor(F, [5, 4, 2, 3], [24, 3, 12, 1]), t(5, 4, 3, 2))):
        case("aten.matmul.default", self=a, other=b)
        case("aten.linear.default", input=a, weight=t(5, 3))
        case("aten.linear.default", input=a, weight=t(5, 3), bias=t(5))
        case("aten.mm.default", self=a, mat2=b)
    case("aten._int_mm.default", self=t(32, 16, dtype=torch.int8), mat2=t(16, 8, dtype=torch.int8))
    half, ends = torch.bfloat16, t(3, dtype=torch.int32)
    for a, b in ((t(6, 8, dtype=half), t(3, 8, 16, dtype=half)), (t(3, 4, 8, dtype=half), t(8, 16, dtype=half)),
                 (t(4, 8, dtype=half), t(8, 16, dtype=half)), (t(6, 8, dtype=half), Tensor(half, [3, 8, 5], [40, 1, 8])),
                 (t(3, 6, 8, dtype=half), t(3, 8, 16, dtype=half))):
        case("aten._grouped_mm.default", self=a, mat2=b, offs=ends)
        case("aten._grouped_mm.default", self=a, mat2=b)
    for dtype in FLOAT:
        case("aten.mm.default", self=t(2, 3, dtype=dtype), mat2=t(3, 4, dtype=dtype))
        case("aten.linear.default", input=t(2, 3, dtype=dtype), weight=t(4, 3, dtype=dtype))
        case("aten.addmm.default", self=t(4, dtype=dtype), mat1=t(2, 3, dtype=dtype), mat2=t(3, 4, dtype=dtype))


def windows():
    for n in (1, 2, 3):
        sizes = [7, 9, 8][:n]
        operands = [t(2, 4, *sizes), t(4, *sizes)]
        if n > 1:
            operands.append(channels_last_of([2, 4] + sizes))
        for x in operands:
            for kernel, stride, pad, dilation in ((3, 1, 0, 1), (3, 2, 1, 1), (2, 2, 0, 1), (3, 2, 1, 2), (1, 1, 0, 1)):
                w = t(6, 4, *[kernel] * n)
                for weight, groups in ((w, 1), (t(6, 2, *[kernel] * n), 2), (t(4, 1, *[kernel] * n), 4)):
                    case("aten.conv%dd.default" % n, input=x, weight=weight, stride=[stride], padding=[pad] * n,
                         dilation=[dilation], groups=groups)
                    case("aten.convolution.default", input=x, weight=weight, bias=None, stride=[stride] * n,
                         padding=[pad] * n, dilation=[dilation] * n, transposed=False, output_padding=[0] * n,
                         groups=groups)
                case("aten.conv%dd.padding" % n, input=x, weight=w, padding="same")
                case("aten.conv%dd.padding" % n, input=x, weight=w, padding="valid", stride=[stride] * n)
                tw = t(4, 3, *[kernel] * n)
                name = "aten.conv_transpose%dd.%s" % (n, "default" if n == 1 else "input")
                case(name, input=x, weight=tw, stride=[stride] * n, padding=[pad] * n, dilation=[dilation] * n)
                case(name.replace("default", "default"), input=x, weight=tw, stride=[2] * n, output_padding=[1] * n)
                for ceil in (False, True):
                    window = {"kernel_size": [kernel] * n, "stride": [stride], "padding": [pad], "ceil_mode": ceil}
                    case("aten.avg_pool%dd.default" % n, self=x, **window)
                    case("aten.max_pool%dd.default" % n, self=x, **dict(window, dilation=[dilation]))
                    case("aten.max_pool%dd_with_indices.default" % n, self=x, **window)
                case("aten.max_pool%dd.default" % n, self=x, kernel_size=[kernel])
            for size in ([1] * n, [3] * n):
                for name in ("adaptive_avg_pool", "adaptive_max_pool", "_adaptive_avg_pool"):
                    if has("aten.%s%dd.default" % (name, n)):
                        case("aten.%s%dd.default" % (name, n), self=x, output_size=size)
            factors = [2.0] * n
            for name in ("upsample_nearest%dd" % n, "_upsample_nearest_exact%dd" % n):
                case("aten.%s.default" % name, self=x, output_size=[5] * n)
                case("aten.%s.vec" % name, input=x, output_size=None, scale_factors=factors)
                case("aten.%s.vec" % name, input=x, output_size=None, scale_factors=[1.5] * n)
                case("aten.%s.vec" % name, input=x, output_size=[4] * n, scale_factors=None)
            linear = {1: "upsample_linear1d", 2: "upsample_bilinear2d", 3: "upsample_trilinear3d"}[n]
            if len(x.size) == n + 2:
                case("aten.%s.default" % linear, self=x, output_size=[5] * n, align_corners=True)
            case("aten.%s.vec" % linear, input=x, output_size=None, align_corners=False, scale_factors=factors)
    case("aten.upsample_bicubic2d.default", self=t(2, 3, 4, 5), output_size=[8, 8], align_corners=False)
    for x in (t(2, 3, 4, 5), channels_last(F)):
        case("aten.grid_sampler_2d.default", input=x, grid=t(2, 6, 7, 2), interpolation_mode=0, padding_mode=0,
             align_corners=False)
        case("aten.grid_sampler.default", input=x, grid=t(2, 6, 7, 2), interpolation_mode=0, padding_mode=0,
             align_corners=False)
        case("aten.im2col.default", self=x, kernel_size=[2, 2], dilation=[1, 1], padding=[0, 0], stride=[1, 1])
    case("aten.col2im.default", self=t(2, 12, 12), output_size=[4, 5], kernel_size=[2, 2], dilation=[1, 1],
         padding=[0, 0], stride=[1, 1])
    case("aten.affine_grid_generator.default", theta=t(2, 2, 3), size=[2, 3, 4, 5], align_corners=False)
    case("aten.affine_grid_generator.default", theta=t(2, 3, 4), size=[2, 3, 4, 5, 6], align_corners=False)
    case("aten.conv_tbc.default", self=t(7, 2, 4), weight=t(3, 4, 5), bias=t(5), pad=1)


def normalisation():
    for x in (t(2, 4, 6), t(2, 4), t(2, 4, 3, 5), channels_last_of([2, 4, 3, 5]), Tensor(F, [2, 4, 6], [24, 1, 4]),
              t(2, 4, 3, 5, 2), t(2, 4, 6, dtype=torch.float16), t(2, 4, 6, dtype=torch.float64)):
        last = x.size[-1:]
        w = t(*last, dtype=x.dtype)
        c = t(x.size[1], dtype=x.dtype)
        case("aten.layer_norm.default", input=x, normalized_shape=last, weight=w, bias=w)
        case("aten.layer_norm.default", input=x, normalized_shape=x.size[-2:])
        case("aten.native_layer_norm.default", input=x, normalized_shape=last, weight=w, bias=w, eps=1e-5)
        case("aten.rms_norm.default", input=x, normalized_shape=last, weight=w)
        case("aten._fused_rms_norm.default", input=x, normalized_shape=last, weight=w, eps=1e-5)
        case("aten.group_norm.default", input=x, num_groups=2)
        n = 1
        for s in x.size[2:]:
            n *= s
        case("aten.native_group_norm.default", input=x, weight=None, bias=None, N=2, C=4, HxW=n, group=2, eps=1e-5)
        for training in (False, True):
            case("aten.batch_norm.default", input=x, weight=c, bias=c, running_mean=c, running_var=c,
                 training=training, momentum=0.1, eps=1e-5, cudnn_enabled=False)
            case("aten.native_batch_norm.default", input=x, weight=c, bias=c, running_mean=c, running_var=c,
                 training=training, momentum=0.1, eps=1e-5)
            case("aten._native_batch_norm_legit.default", input=x, weight=c, bias=c, running_mean=c, running_var=c,
                 training=training, momentum=0.1, eps=1e-5)
            case("aten._native_batch_norm_legit_functional.default", input=x, weight=c, bias=c, running_mean=c,
                 running_var=c, training=training, momentum=0.1, eps=1e-5)
            case("aten.instance_norm.default", input=x, weight=c, bias=c, running_mean=c, running_var=c,
                 use_input_stats=training, momentum=0.1, eps=1e-5, cudnn_enabled=False)
        case("aten._native_batch_norm_legit.no_stats", input=x, weight=c, bias=c, training=True, momentum=0.1, eps=1e-5)
        case("aten._native_batch_norm_legit_no_training.default", input=x, weight=c, bias=c, running_mean=c,
             running_var=c, momentum=0.1, eps=1e-5)
        case("aten._batch_norm_with_update.default", input=x, weight=c, bias=c, running_mean=c, running_var=c,
             momentum=0.1, eps=1e-5)
        case("aten._batch_norm_no_update.default", input=x, weight=c, bias=c, running_mean=c, running_var=c,
             momentum=0.1, eps=1e-5)
        case("aten._weight_norm.default", v=x, g=t(2, *[1] * (len(x.size) - 1), dtype=x.dtype), dim=0)
        case("aten.renorm.default", self=x, p=2, dim=0, maxnorm=1)


def attention():
    for dtype in FLOAT:
        for q, k, v in (([2, 4, 5, 8], [2, 4, 6, 8], [2, 4, 6, 8]), ([2, 5, 8], [2, 6, 8], [2, 6, 7]),
                        ([5, 8], [6, 8], [6, 8]), ([2, 4, 5, 8], [2, 4, 5, 8], [2, 4, 5, 16])):
            args = {"query": t(*q, dtype=dtype), "key": t(*k, dtype=dtype), "value": t(*v, dtype=dtype)}
            case("aten.scaled_dot_product_attention.default", **args)
            case("aten._scaled_dot_product_attention_math.default", **args)
            if len(q) == 4 and v[-1] == k[-1]:
                case("aten._scaled_dot_product_flash_attention_for_cpu.default", **args)
    case("aten.scaled_dot_product_attention.default", query=t(2, 8, 5, 8), key=t(2, 2, 6, 8), value=t(2, 2, 6, 8),
         enable_gqa=True)


if __name__ == "__main__":
    print("# Written by torch_oracle_shapes.py with torch %s; do not edit." % torch.__version__)
    views()
    joining()
    indexing()
    products()
    windows()
    normalisation()
    attention()
    print(len(seen), "cases asked", file=sys.stderr)
