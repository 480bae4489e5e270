//===- ReadNetworks.h - A unit that builds networks to a model -----*- C++ -* -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_READNETWORKS_H
#define CONDLINT_CXX_TENSORRT_READNETWORKS_H

#include "../Reading.h"
#include <optional>

namespace condlint::cxx {

/// Reads the functions of the unit that build TensorRT networks: one root graph for
/// each and for each path it can take (docs/cxx-graph.md). Nothing when none does. What
/// is not followed is told in \p notUnderstood.
std::optional<Model> readNetworks(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options,
                                  std::vector<NotUnderstood> &notUnderstood);

/// The version of TensorRT's headers as the preprocessor saw them, 100 * major +
/// minor; 0 when they do not say it. \p pp may be null.
std::int32_t tensorrtVersion(clang::Preprocessor *pp);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_READNETWORKS_H
