//===- OwnHeaders.h - condlint/cond.h without an installation ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_OWNHEADERS_H
#define CONDLINT_CXX_DRIVER_OWNHEADERS_H

#include "cxx/CxxReader.h"
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <string>

namespace condlint::cxx {

/// A folder that exists for the parser alone: the headers that models include,
/// found last, so that a source that was never built parses too.
inline constexpr const char *ownHeadersFolder = "/condlint/include";

/// The real file system with that folder in it, with what is \p unsaved (may be null), and a working folder of its own.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemWithOwnHeaders(const std::string &workingFolder,
                                                                         const std::vector<UnsavedFile> *unsaved);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_OWNHEADERS_H
