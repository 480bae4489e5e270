//===- OpenBlas.cpp - OpenBLAS, when something is executed ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenBlas.h"
#include "Words.h"
#include "graph/OwnFile.h"
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace condlint {

namespace {

/// A variable of the environment for as long as this lives; what the user has set stays.
class Setting {
public:
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing else here sets any
  /// No value: nothing is set.
  Setting(const char *variable, const char *value)
      : name(value != nullptr && std::getenv(variable) == nullptr ? variable : nullptr) {
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
  // It chooses its kernels then, too. A name that it does not have leaves the choice to it.
  const Setting kernels("OPENBLAS_CORETYPE", openBlasKernelsFor(vectorExtensions()));
  Library library = open();
  if (library.handle == nullptr)
    return library;
  if (void *setThreads = dlsym(library.handle, (library.prefix + "openblas_set_num_threads").c_str()))
    reinterpret_cast<void (*)(int)>(setThreads)(1);
  return library;
}

} // namespace

VectorExtensions vectorExtensions() {
  VectorExtensions has;
#if defined(__x86_64__)
  has.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  has.avx512 = has.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
  has.bfloat16 = has.avx512 && __builtin_cpu_supports("avx512bf16");
  has.isAmd = __builtin_cpu_is("amd");
#endif
  return has;
}

const char *openBlasKernelsFor(const VectorExtensions &has) {
  if (has.avx512)
    return has.bfloat16 ? "Cooperlake" : "SkylakeX";
  if (has.avx2)
    return has.isAmd ? "Zen" : "Haswell";
  return nullptr;
}

void *openBlasSymbol(const char *name) {
  static const Library library = load();
  return library.handle != nullptr ? dlsym(library.handle, (library.prefix + name).c_str()) : nullptr;
}

std::string openBlasVersion() {
  char *(*config)() = nullptr;
  char *(*core)() = nullptr;
  findInOpenBlas("openblas_get_config", config);
  findInOpenBlas("openblas_get_corename", core);
  if (config == nullptr || core == nullptr)
    return {};
  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  std::string_view words = config();
  nextWord(words);
  return fmt::format("{}, kernels for {}", nextWord(words), core());
}

} // namespace condlint
