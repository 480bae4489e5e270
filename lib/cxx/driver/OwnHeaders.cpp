//===- OwnHeaders.cpp - condlint/cond.h without an installation -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnHeaders.h"
#include "EmbeddedHeaders.h"
#include <filesystem>
#include <llvm/Support/MemoryBuffer.h>

namespace condlint::cxx {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemWithOwnHeaders(const std::string &workingFolder,
                                                                         const std::vector<UnsavedFile> *unsaved) {
  auto real = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(llvm::vfs::createPhysicalFileSystem().release());
  auto own = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  // What is in the program does not change while it runs; the time stands still.
  for (const EmbeddedHeader &header : embeddedHeaders)
    own->addFile(std::string(ownHeadersFolder) + "/" + header.name, /*ModificationTime=*/1,
                 llvm::MemoryBuffer::getMemBuffer(header.text, header.name));
  if (unsaved != nullptr)
    for (const UnsavedFile &file : *unsaved) {
      own->addFile(file.path, /*ModificationTime=*/1, llvm::MemoryBuffer::getMemBuffer(file.text, file.path));
      // A flag may name it by way of a link.
      std::error_code error;
      const std::string resolved = std::filesystem::weakly_canonical(file.path, error).string();
      if (!error && resolved != file.path)
        own->addFile(resolved, /*ModificationTime=*/1, llvm::MemoryBuffer::getMemBuffer(file.text, resolved));
    }
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(real));
  both->pushOverlay(std::move(own));
  if (both->setCurrentWorkingDirectory(workingFolder))
    return both; // a folder that is not there: relative names stay what they are
  return both;
}

} // namespace condlint::cxx
