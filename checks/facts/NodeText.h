//===- NodeText.h - What a node is called and what it says ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NODETEXT_H
#define CONDLINT_CHECKS_FACTS_NODETEXT_H

#include "condlint/Graph.h"
#include <string_view>

namespace condlint {

/// The text of an attribute; empty where \p n has none of that name.
std::string_view attributeText(const Model &m, NodeId n, std::string_view name);
/// The operator of the node that makes \p v; empty for a parameter or constant.
std::string_view operatorOf(const Model &m, ValueId v);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NODETEXT_H
