//===- ExecuTorchKernels.h - What ExecuTorch does not take of operators -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_EXECUTORCHKERNELS_H
#define CONDLINT_CHECKS_FACTS_EXECUTORCHKERNELS_H

#include "condlint/Graph.h"
#include "condlint/Target.h"
#include <string_view>

namespace condlint {

/// Whether ExecuTorch has a portable kernel for an operator of ATen, or decomposes it into such (ET3), measured
/// with 1.0 to 1.5: unknown where it hangs on the arguments or on the way of lowering, and yes of what was not
/// measured.
Tri hasPortableKernel(const Model &m, OperatorId o, Version version);

/// Whether \p n is a normalisation that trains: of those that update running statistics nothing is left but
/// themselves, whatever hasPortableKernel says of the operator (ET3).
bool updatesStatistics(const Model &m, NodeId n);

/// Whether ExecuTorch lowers an operator of a higher order (ET4, ET6): unknown of those that no export was seen to
/// hold, and yes of what is none. Unknown, too, of an operator of another library than torch (it is taken where an out
/// variant is registered), and of one of ATen that condlint does not know.
Tri isLoweredByExecuTorch(const Model &m, OperatorId o, Version version);

/// What was seen to do in place of an operator of which either is not so; empty where nothing was.
std::string_view insteadForExecuTorch(const Model &m, OperatorId o);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_EXECUTORCHKERNELS_H
