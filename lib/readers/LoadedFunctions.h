//===- LoadedFunctions.h - Functions of a library at run time ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_LOADEDFUNCTIONS_H
#define CONDLINT_READERS_LOADEDFUNCTIONS_H

#include <dlfcn.h>

namespace condlint {

/// Looks functions up in a library that stays loaded, and remembers the first that it lacks.
class LoadedFunctions {
public:
  /// \p l is what `dlopen` gave.
  explicit LoadedFunctions(void *l) : library(l) {}

  /// Null where the library has no \p name.
  template <class F> void find(const char *name, F *&function) {
    function = reinterpret_cast<F *>(dlsym(library, name));
    if (function == nullptr && missing == nullptr)
      missing = name;
  }

  const char *missing = nullptr; ///< the first name that was not there

private:
  void *library;
};

} // namespace condlint

#endif // CONDLINT_READERS_LOADEDFUNCTIONS_H
