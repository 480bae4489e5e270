//===- OpenBlas.cpp - OpenBLAS, when something is executed ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenBlas.h"
#include "graph/OwnFile.h"
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace condlint {

namespace {

/// A variable of the environment for as long as this lives; what the user has set stays.
class Setting {
public:
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing else here sets any
  Setting(const char *variable, const char *value) : name(std::getenv(variable) == nullptr ? variable : nullptr) {
    if (name != nullptr)
      ::setenv(name, value, 0);
  }
  ~Setting() {
    if (name != nullptr)
      ::unsetenv(name);
  }
  // NOLINTEND(concurrency-mt-unsafe)
  Setting(const Setting &) = delete;
  Setting &operator=(const Setting &) = delete;

private:
  const char *name;
};

/// OpenBLAS as it was found.
struct Library {
  void *handle = nullptr;
  std::string prefix; ///< before each of its names
};

/// The one of the system, or that of the Python package scipy-openblas32 beside us, which the extra `run` of
/// our own brings.
Library open() {
  if (void *handle = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL))
    return {handle, {}};
  for (const std::string &packages : pythonPackages())
    if (void *handle = dlopen((packages + "/scipy_openblas32/lib/libscipy_openblas.so").c_str(), RTLD_NOW | RTLD_LOCAL))
      return {handle, "scipy_"};
  return {};
}

Library load() {
  // One thread, so that a run is deterministic and does not disturb the machine. OpenBLAS starts
  // its threads when it is loaded, for as many as the environment says then.
  const Setting threads("OPENBLAS_NUM_THREADS", "1");
  Library library = open();
  if (library.handle == nullptr)
    return library;
  if (void *setThreads = dlsym(library.handle, (library.prefix + "openblas_set_num_threads").c_str()))
    reinterpret_cast<void (*)(int)>(setThreads)(1);
  return library;
}

} // namespace

void *openBlasSymbol(const char *name) {
  static const Library library = load();
  return library.handle != nullptr ? dlsym(library.handle, (library.prefix + name).c_str()) : nullptr;
}

} // namespace condlint
