//===- RecordedFiles.h - Which files a parse looked at ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_RECORDEDFILES_H
#define CONDLINT_CXX_DRIVER_RECORDEDFILES_H

#include "cxx/CxxReader.h"
#include <llvm/Support/VirtualFileSystem.h>
#include <map>
#include <string>
#include <vector>

namespace condlint::cxx {

/// A file system that remembers of which paths something was asked, whether it was there, and what: all that a parse
/// depends on. That a header is not in one folder decides that it is taken from the next.
class RecordedFiles : public llvm::RTTIExtends<RecordedFiles, llvm::vfs::ProxyFileSystem> {
public:
  static const char ID; // NOLINT(readability-identifier-naming): LLVM asks for it by this name
  using Base = llvm::RTTIExtends<RecordedFiles, llvm::vfs::ProxyFileSystem>;
  explicit RecordedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) : Base(std::move(files)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  bool exists(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

  /// Absolute paths, sorted; without what is in the program, and without what is kept in \p cacheFolder, which was
  /// precompiled from the rest.
  std::vector<CxxDependency> dependencies(const std::string &cacheFolder) const;

private:
  void note(const llvm::Twine &path, CxxDependency::State state);
  std::map<std::string, CxxDependency::State> met;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_RECORDEDFILES_H
