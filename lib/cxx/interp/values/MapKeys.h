//===- MapKeys.h - The keys of maps ----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keys as the text that `Map` sorts by (strings, numbers, pointers, pairs, tuples and lists of them, and objects of the
// user's own), and the steps that lead to an entry as the pair that an iterator points to.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_MAPKEYS_H
#define CONDLINT_CXX_INTERP_VALUES_MAPKEYS_H

#include "Value.h"
#include <clang/AST/Type.h>

namespace condlint::cxx {

/// The key that \p v is, if it is known: numbers sort as numbers do.
std::optional<std::string> mapKey(const Value &v);
/// How the keys of \p a and \p b compare: below 0, 0 or above it; nothing where one is not known.
std::optional<int> compareKeys(const Value &a, const Value &b);
/// \p v, of the \p type, is characters that are told from others by where they lie.
bool isAddressOfText(const Value &v, clang::QualType type);
/// The same of an object of the user's own, by its fields; its class says whether two that differ are two keys.
std::optional<std::string> recordKey(const Value &v);
/// \p key in a map that begins with the greatest: they sort the other way.
std::string descendingKey(const std::string &key);
/// \p key, made by these, at the position \p rank of a map in which what it is does not say where it stands: one
/// that a comparison of the program's own orders, or that may hold a key more than once.
std::string rankedKey(std::uint64_t rank, const std::string &key);
/// The position of \p key in such a map; nothing for a key of another one.
std::optional<std::uint64_t> rankOf(const std::string &key);
/// The key without its position.
std::string unrankedKey(const std::string &key);
/// What \ref mapKey or \ref recordKey made a key of.
Value mapKeyValue(const std::string &key);
/// The same for people.
std::string spellMapKey(const std::string &key);

/// To the entry \p key: the pair of key and value. `Step::ofKey` leads to the value.
Step entryStep(std::string key);
/// Behind the last entry.
Step endStep();
bool isEntry(const Step &s);
bool isEnd(const Step &s);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_MAPKEYS_H
