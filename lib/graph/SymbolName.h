//===- SymbolName.h - Names of sizes that are not unique ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_SYMBOLNAME_H
#define CONDLINT_GRAPH_SYMBOLNAME_H

#include <string_view>

namespace condlint {

/// Stands in a symbol's name behind what is shown of it: the rest tells it from others
/// that are called the same, as the input "x" of each of two networks of a source.
constexpr char hiddenNamePart = '\x1f';

/// What messages call the symbol \p name.
inline std::string_view shownName(std::string_view name) { return name.substr(0, name.find(hiddenNamePart)); }

} // namespace condlint

#endif // CONDLINT_GRAPH_SYMBOLNAME_H
