//===- OtherClangTidy.cpp - Stands for a clang-tidy of another version ----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands for a clang-tidy of another version: says that it is the second
// argument, and loads the first.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <dlfcn.h>
#include <string>

static std::string version;

namespace clang {
std::string getClangFullVersion();
std::string getClangFullVersion() { return version; }
} // namespace clang

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  version = argv[2];
  if (dlopen(argv[1], RTLD_NOW) == nullptr)
    std::fprintf(stderr, "%s\n", dlerror());
  std::puts("went on");
  return 0;
}
