//===- Indexing.h - Kernels of indexing -------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for indexing; some of them stand in Scatter.cpp.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_INDEXING_H
#define CONDLINT_LIB_OPS_KERNELS_INDEXING_H

namespace condlint {

class ExecContext;

void executeGather(ExecContext &c);
void executeGatherElements(ExecContext &c);
void executeGatherNd(ExecContext &c);
void executeIndexSelect(ExecContext &c);
void executeTakeAlongDim(ExecContext &c);
void executeTake(ExecContext &c);
void executeIndex(ExecContext &c);
void executeNonzero(ExecContext &c);
void executeNonzeroStatic(ExecContext &c);
void executeNonzeroNumpy(ExecContext &c);
void executeMaskedSelect(ExecContext &c);
void executeCompress(ExecContext &c);
void executeEmbedding(ExecContext &c);
void executeOneHot(ExecContext &c);
void executeBucketize(ExecContext &c);
void executeScatter(ExecContext &c);
void executeIndexPut(ExecContext &c);
void executeMaskedScatter(ExecContext &c);
void executeSelectScatter(ExecContext &c);
void executeEmbeddingBag(ExecContext &c);
void executeEmbeddingRenorm(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_INDEXING_H
