//===- KernelWindows.h - Windows and images that kernels refuse -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELWINDOWS_H
#define CONDLINT_CHECKS_FACTS_KERNELWINDOWS_H

#include "KernelNode.h"

namespace condlint {

/// What ONNX Runtime's kernels refuse of the sizes of images, of windows that go over them, and of what is put around
/// them: of `Resize`, `MaxUnpool`, the convolutions, the pools, and `Pad`.
std::optional<TargetLimit> refusedScales(const KernelNode &x);
std::optional<TargetLimit> refusedUnpooling(const KernelNode &x);
std::optional<TargetLimit> refusedConvolution(const KernelNode &x);
/// The same of all convolutions, as soon as they are loaded: padding is named once (conv_attributes.h).
std::optional<TargetLimit> paddedTwice(const KernelNode &x);
/// What onnx's inference refuses of a `ConvTranspose`: padding that is named twice, and an output_shape below the
/// operand, of which it makes two axes where the file records others.
std::optional<TargetLimit> misreadTransposed(const KernelNode &x);
std::optional<TargetLimit> refusedWindow(const KernelNode &x);
std::optional<TargetLimit> refusedPads(const KernelNode &x);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELWINDOWS_H
