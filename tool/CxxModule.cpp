//===- CxxModule.cpp - The module that parses C++ -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CxxModule.h"
#include "graph/OwnFile.h"
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <vector>

namespace condlint {

namespace {

namespace fs = std::filesystem;

constexpr const char *fileName = "libcondlint-cxx.so";

/// Opens the module where it is one of this condlint.
CxxReaderFunction *readerIn(void *module) {
  auto *version = reinterpret_cast<CxxModuleVersionFunction *>(dlsym(module, cxxModuleVersionSymbol));
  if (version == nullptr || std::string_view(version()) != CONDLINT_VERSION)
    return nullptr;
  return reinterpret_cast<CxxReaderFunction *>(dlsym(module, cxxReaderSymbol));
}

Expected<CxxReader *> load() {
  const std::string path = ownModule(fileName);
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
  CxxReaderFunction *reader = readerIn(module);
  if (reader == nullptr)
    return Error{"", "", fmt::format("{} belongs to another version of condlint", path), ""};
  return reader();
}

} // namespace

std::string ownModule(std::string_view file) {
  const fs::path folder = fs::path(ownFile()).parent_path();
  std::vector<fs::path> folders;
  for (const std::string &packages : pythonPackages())
    folders.push_back(fs::path(packages) / "condlint" / "_lib");
  // The same in the build folder and where it is installed, as seen from the program and from the library.
  for (const char *below : {CONDLINT_MODULE_FOLDER, "../lib/condlint", "condlint"})
    folders.push_back(folder / below);
  std::error_code error;
  for (const fs::path &each : folders)
    if (fs::path path = (each / file).lexically_normal(); fs::exists(path, error))
      return path.string();
  return {};
}

Expected<CxxReader *> cxxReader() {
  static const Expected<CxxReader *> reader = load();
  return reader;
}

} // namespace condlint
