//===- TypeInfo.cpp - For a clang-tidy without RTTI -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classes of ours that derive from Clang's refer to the type information of their bases.
// Debian's clang-tidy has it, PyPI's is built without: there these take its place. Nobody
// looks into them, since Clang's objects are never cast by it. Where clang-tidy has its
// own, it comes first.
//
//===----------------------------------------------------------------------===//

extern "C" {

/// The virtual functions of std::type_info for classes without a base; the third word is the first of them.
extern const void *const _ZTVN10__cxxabiv117__class_type_infoE[];

struct CondlintTypeInfo {
  const void *functions;
  const char *name;
};

// NOLINTBEGIN(bugprone-reserved-identifier,cppcoreguidelines-macro-usage): the names are the compiler's
#define CONDLINT_STAND_IN(mangled)                                                                                     \
  extern __attribute__((weak, visibility("default"))) const CondlintTypeInfo _ZTI##mangled;                            \
  const CondlintTypeInfo _ZTI##mangled = {static_cast<const void *>(&_ZTVN10__cxxabiv117__class_type_infoE[2]),        \
                                          #mangled};

CONDLINT_STAND_IN(N5clang12SemaConsumerE)
CONDLINT_STAND_IN(N5clang15ManagedAnalysisE)
CONDLINT_STAND_IN(N5clang17ASTFrontendActionE)
CONDLINT_STAND_IN(N5clang18DiagnosticConsumerE)
CONDLINT_STAND_IN(N5clang30DynamicRecursiveASTVisitorBaseILb0EEE)
CONDLINT_STAND_IN(N5clang30DynamicRecursiveASTVisitorBaseILb1EEE)
CONDLINT_STAND_IN(N5clang4tidy14ClangTidyCheckE)
CONDLINT_STAND_IN(N5clang4tidy15ClangTidyModuleE)
CONDLINT_STAND_IN(N4llvm3vfs10FileSystemE)
CONDLINT_STAND_IN(N4llvm3vfs15ProxyFileSystemE)
CONDLINT_STAND_IN(N4llvm7support6detail14format_adapterE)
// NOLINTEND(bugprone-reserved-identifier,cppcoreguidelines-macro-usage)

} // extern "C"
