//===- RecordedFiles.cpp - Which files a parse looked at ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecordedFiles.h"
#include "OwnHeaders.h"
#include "PrefixStore.h"
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/Twine.h>

namespace condlint::cxx {

const char RecordedFiles::ID = 0;

void RecordedFiles::note(const llvm::Twine &path, CxxDependency::State state) {
  llvm::SmallString<256> absolute;
  path.toVector(absolute);
  if (makeAbsolute(absolute))
    return;
  met[std::string(absolute)] = state;
}

llvm::ErrorOr<llvm::vfs::Status> RecordedFiles::status(const llvm::Twine &path) {
  llvm::ErrorOr<llvm::vfs::Status> found = Base::status(path);
  note(path, !found                 ? CxxDependency::State::Absent
             : found->isDirectory() ? CxxDependency::State::Folder
                                    : CxxDependency::State::File);
  return found;
}

bool RecordedFiles::exists(const llvm::Twine &path) {
  const llvm::ErrorOr<llvm::vfs::Status> found = status(path);
  return found && found->exists();
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> RecordedFiles::openFileForRead(const llvm::Twine &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> file = Base::openFileForRead(path);
  note(path, file ? CxxDependency::State::File : CxxDependency::State::Absent);
  return file;
}

std::vector<CxxDependency> RecordedFiles::dependencies(const std::string &cacheFolder) const {
  std::vector<CxxDependency> all;
  for (const auto &[path, state] : met)
    if (!path.starts_with(ownHeadersFolder) && !PrefixStore::keeps(path, cacheFolder))
      all.push_back({path, state});
  return all;
}

} // namespace condlint::cxx
