//===- UnknownWord.h - What a misspelled word was meant to be ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONFIG_UNKNOWNWORD_H
#define CONDLINT_CONFIG_UNKNOWNWORD_H

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace condlint {

/// "unknown KIND 'WORD': did you mean 'NEAREST'?", where one is near, with all of \p known behind it.
std::string unknownWord(std::string_view kind, std::string_view word, std::span<const std::string_view> known);
std::string unknownWord(std::string_view kind, std::string_view word, std::initializer_list<std::string_view> known);
/// The same for a rule's id, without the list.
std::string unknownRule(std::string_view id);

} // namespace condlint

#endif // CONDLINT_CONFIG_UNKNOWNWORD_H
