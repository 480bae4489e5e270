//===- ControlFlow.h - Typing what operators own ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_CONTROLFLOW_H
#define CONDLINT_OPS_CONTROLFLOW_H

#include "InferState.h"

namespace condlint {

/// What a region is passed for one of its parameters.
struct Passed {
  TypeId type;
  ContentId content = {}; ///< the numbers in it, where every run of the region sees the same
  bool isThere = false;   ///< false: nothing is known of it
};

/// Types a region whose own nodes need no saved state of the caller.
void inferRegion(InferState &state, GraphId g);

/// Types a branch. Where a parameter's record and what is passed exclude each other one of them is wrong: the record,
/// if the body has no fault when it is typed with what is passed, and has one with the record.
void inferBranch(InferState &state, GraphId g, std::span<const Passed> passed);

/// Types the regions of torch's `while_loop`, `scan` and `map`, holds them against what they are called for, and
/// types what they yield. False for any other operator, and where the arguments are no lists.
bool inferTorchLoop(InferState &state, InferContext &ctx);

/// The same for ONNX's Loop, Scan and SequenceMap. False for any other operator.
bool inferOnnxLoop(InferState &state, InferContext &ctx);

/// `auto_functionalized` and its second version (Functionalized.cpp).
extern const OpDef functionalized, functionalizedBases;
/// An operator whose effects have an order (Functionalized.cpp).
extern const OpDef withEffects, outDtype, print;

/// What stands around the nodes that torch.vmap runs once a slice, and what takes slices and puts them
/// together (Vmap.cpp).
extern const OpDef vmapPrepare, vmapBegin, vmapEnd, vmapSlice, vmapStack;

/// \p n calls an operator that may do anything, on copies: it writes none of the node's operands, and the results
/// have storage of their own.
bool worksOnCopies(const Model &m, NodeId n);

} // namespace condlint

#endif // CONDLINT_OPS_CONTROLFLOW_H
