//===- PrefixStore.h - Library headers parsed once --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_PREFIXSTORE_H
#define CONDLINT_CXX_DRIVER_PREFIXSTORE_H

#include <cstdint>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace condlint::cxx {

/// A precompiled header that a source can begin with.
struct PrecompiledPrefix {
  std::string path; ///< empty: there is none
  /// Its headers are the first ones of the source in this very order, so that
  /// errors are the source's own.
  bool sameOrder = false;
};

/// Keeps precompiled headers of the library headers that sources begin with:
/// parsing libtorch takes seconds, loading it parsed takes none. They lie in a
/// folder that several runs, also at a time, share; each is written aside and
/// moved into place, and Clang checks at every use that no header has changed.
///
/// A source takes the one that holds most of its headers and no other. Standard
/// headers cost little and differ from source to source, so they are left out of
/// what is made.
class PrefixStore {
public:
  enum class Make : std::uint8_t {
    No,        ///< take what is there
    WhenKnown, ///< when an earlier run, or this one, has met the same headers
    Now,
    Aside, ///< nobody waits for it: unless another process makes it now, or one could not a few minutes ago
  };
  /// What fits \p lines under the flags of \p invocation: one that is there, or one that is made.
  PrecompiledPrefix find(const std::vector<std::string> &lines, const clang::CompilerInvocation &invocation,
                         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const std::string &workingFolder,
                         const std::string &cacheFolder, Make make);
  /// Removes \p path, which could not be used: a header has changed since. What
  /// cannot be used a second time is not made again in this run.
  void giveUp(const std::string &path);
  /// Whether \p path is \p cacheFolder, or lies there because a store has put it there: made from the rest of what a
  /// parse looks at, and no source depends on it by itself.
  static bool keeps(const std::string &path, const std::string &cacheFolder);

private:
  /// One precompiled header; its mutex lets one thread make it and the others wait.
  struct Entry {
    std::mutex mutex;
    unsigned met = 0, givenUp = 0;
    bool unusable = false;
  };
  std::shared_ptr<Entry> entryOf(const std::string &path);

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Entry>> entries;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_PREFIXSTORE_H
