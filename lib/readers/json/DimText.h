//===- DimText.h - Reads sizes as they are printed --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_DIMTEXT_H
#define CONDLINT_READERS_JSON_DIMTEXT_H

#include "condlint/Dim.h"
#include "condlint/Expected.h"
#include <functional>
#include <string>
#include <string_view>

namespace condlint::json {

/// What a name in an expression means.
using SymbolByName = std::function<Dim(std::string_view)>;

/// The size that \p text says, in the notation of `DimTable::str`: sums of
/// products with `//`, `%`, `min(..)`, `max(..)`, names and calls of other
/// functions; names that are no words stand in single quotes; `?` is unknown.
/// The error says what was expected at which character. Bounded in depth and
/// in the number of words, so that no text takes long.
Expected<Dim> parseDim(DimTable &dims, std::string_view text, const SymbolByName &symbol);

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_DIMTEXT_H
