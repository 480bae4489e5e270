//===- CxxModule.cpp - The module that parses C++ -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CxxModule.h"
#include <array>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace condlint {

namespace {

namespace fs = std::filesystem;

constexpr const char *fileName = "libcondlint-cxx.so";

/// Where the module lies, seen from the program: the same in the build folder
/// and where it is installed.
fs::path modulePath() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return {};
  for (const char *folder : {CONDLINT_MODULE_FOLDER, "../lib/condlint"}) {
    fs::path path = (program.parent_path() / folder / fileName).lexically_normal();
    if (fs::exists(path, error))
      return path;
  }
  return {};
}

Expected<CxxReader *> load() {
  const fs::path path = modulePath();
  if (path.empty())
    return CONDLINT_WITH_CXX != 0
               ? Error{"", "",
                       fmt::format("{}, which reads C++, is not where this program was built or installed", fileName),
                       "copy the folder lib/condlint along with bin, or install condlint again"}
               : Error{"", "", "this condlint is built without C++ support", ""};
  void *module = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (module == nullptr)
    return Error{"", "", fmt::format("the module that reads C++ cannot be loaded: {}", dlerror()),
                 "it needs the packages libclang-cpp22 and libllvm22"};
  auto *version = reinterpret_cast<CxxModuleVersionFunction *>(dlsym(module, cxxModuleVersionSymbol));
  auto *reader = reinterpret_cast<CxxReaderFunction *>(dlsym(module, cxxReaderSymbol));
  if (version == nullptr || reader == nullptr || std::string_view(version()) != CONDLINT_VERSION)
    return Error{"", "", fmt::format("{} belongs to another version of condlint", path.string()), ""};
  return reader();
}

} // namespace

Expected<CxxReader *> cxxReader() {
  static const Expected<CxxReader *> reader = load();
  return reader;
}

} // namespace condlint
