//===- Loader.cpp - What clang-tidy -load is given ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks fit one version of clang-tidy; loaded into another one they would
// end it with a name that is missing, or worse. So what is loaded is this: it
// needs nothing of Clang, looks into whom it was loaded, and then brings the checks.
//
//===----------------------------------------------------------------------===//
#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <string_view>

namespace {

/// clang::getClangFullVersion(), in the library of whoever loads us.
constexpr const char *versionSymbol = "_ZN5clang19getClangFullVersionB5cxx11Ev";
using VersionFunction = std::string();

[[noreturn]] void giveUp(const std::string &reason) {
  // clang-tidy would go on without our checks, and be taken for content.
  std::fprintf(stderr, "condlint-tidy.so: %s\n", reason.c_str());
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

/// "14.0.6" of "Debian clang version 14.0.6"; empty where nobody says.
std::string hostVersion() {
  auto *version = reinterpret_cast<VersionFunction *>(dlsym(RTLD_DEFAULT, versionSymbol));
  if (version == nullptr)
    return {};
  const std::string full = version();
  constexpr std::string_view before = "clang version ";
  const std::size_t at = full.find(before);
  return at == std::string::npos
             ? full
             : full.substr(at + before.size(), full.find(' ', at + before.size()) - at - before.size());
}

__attribute__((constructor)) void bringChecks() {
  const std::string made = CONDLINT_CLANG_VERSION; // "22.1"
  const std::string host = hostVersion();
  if (host != made && host.rfind(made + '.', 0) != 0)
    giveUp("is made for clang-tidy " + made + ", and this is " +
           (host.empty() ? "none of a version that can be told" : "version " + host));
  Dl_info self;
  if (dladdr(reinterpret_cast<void *>(&bringChecks), &self) == 0 || self.dli_fname == nullptr)
    giveUp("cannot tell where it lies");
  std::string path = self.dli_fname;
  path = path.substr(0, path.rfind('/') + 1) + CONDLINT_TIDY_CHECKS;
  if (path.find('/') == std::string::npos)
    path.insert(0, "./");
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    giveUp(std::string("its checks cannot be loaded: ") + dlerror());
}

} // namespace
