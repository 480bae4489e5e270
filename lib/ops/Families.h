//===- Families.h - The files that define operators --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_FAMILIES_H
#define CONDLINT_OPS_FAMILIES_H

#include "condlint/Op.h"

namespace condlint {

// One function a file of definitions; Registry.cpp lists them all.
OpFamily assemblyFamily();
OpFamily attentionFamily();
OpFamily classicalMlFamily();
OpFamily contribFamily();
OpFamily controlFlowFamily();
OpFamily convolutionFamily();
OpFamily creationFamily();
OpFamily cxxSourceFamily();
OpFamily elementwiseFamily();
OpFamily gradientsFamily();
OpFamily imageFamily();
OpFamily indexingFamily();
OpFamily indexListsFamily();
OpFamily linearAlgebraFamily();
OpFamily linearSolveFamily();
OpFamily lossFamily();
OpFamily matrixProductFamily();
OpFamily normalizationFamily();
OpFamily optionalFamily();
OpFamily poolingFamily();
OpFamily quantizationFamily();
OpFamily randomFamily();
OpFamily recurrentFamily();
OpFamily reductionFamily();
OpFamily resizeFamily();
OpFamily sequenceFamily();
OpFamily shapeFamily();
OpFamily signalFamily();
OpFamily sortingFamily();
OpFamily statisticsFamily();
OpFamily stringFamily();
OpFamily symbolicScalarFamily();
OpFamily tensorrtFamily();
OpFamily trainingFamily();
OpFamily viewFamily();

} // namespace condlint

#endif // CONDLINT_OPS_FAMILIES_H
