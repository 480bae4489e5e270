//===- Launcher.cpp - The program of a Python wheel -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wheel holds all of condlint in libcondlint.so, for Python. There the program finds the
// same library, beside the environment's other packages, instead of holding it once more.
//
//===----------------------------------------------------------------------===//
#include "graph/OwnFile.h"
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <string_view>

namespace {

using Version = const char *();
using Program = int(int, char **);

/// The program in the library \p path; null, with the reason in \p why, where it is not there or of another version.
Program *programIn(const std::string &path, std::string &why) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why = dlerror();
    return nullptr;
  }
  auto *version = reinterpret_cast<Version *>(dlsym(library, "condlint_version"));
  if (version == nullptr || std::string_view(version()) != CONDLINT_VERSION) {
    why = path + " is of another version than this program, which is " CONDLINT_VERSION;
    return nullptr;
  }
  return reinterpret_cast<Program *>(dlsym(library, "condlint_main"));
}

} // namespace

int main(int argc, char **argv) {
  constexpr int internal = 4;
  std::string why = "there is no Python package 'condlint' beside it";
  for (const std::string &packages : condlint::pythonPackages())
    if (Program *program = programIn(packages + "/condlint/_lib/libcondlint.so", why))
      return program(argc, argv);
  std::fprintf(stderr,
               "condlint: the library that this program belongs to cannot be used: %s; install condlint again\n",
               why.c_str());
  return internal;
}
