//===- MemberName.h - Names in an archive that lead nowhere good *- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_ARCHIVE_MEMBERNAME_H
#define CONDLINT_LIB_READERS_ARCHIVE_MEMBERNAME_H

#include <string_view>

namespace condlint {

/// A name that leaves the folder an archive would be unpacked in. Nothing is ever unpacked; such a name belongs to no
/// layout that is known, and beside it lies what is nobody's business.
bool leadsOut(std::string_view name);

} // namespace condlint

#endif // CONDLINT_LIB_READERS_ARCHIVE_MEMBERNAME_H
