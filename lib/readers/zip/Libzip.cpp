//===- Libzip.cpp - libzip, when an archive is opened ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Libzip.h"
#include <dlfcn.h>
#include <fmt/format.h>
#include <optional>

namespace condlint {

namespace {

/// Looks functions up in a library that stays loaded, and remembers the first that it lacks.
class Lookup {
public:
  explicit Lookup(void *l) : library(l) {}

  template <class F> void operator()(const char *name, F *&function) {
    function = reinterpret_cast<F *>(dlsym(library, name));
    if (function == nullptr && missing == nullptr)
      missing = name;
  }

  const char *missing = nullptr;

private:
  void *library;
};

Expected<Libzip> find() {
  // The version whose header this was compiled with: another may have other structures.
  constexpr const char *file = CONDLINT_LIBZIP_FILE;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{
        {}, {}, fmt::format("{}, which reads archives, cannot be loaded: {}", file, dlerror()), "install libzip"};
  Libzip zip;
  Lookup lookup(library);
  lookup("zip_close", zip.close);
  lookup("zip_discard", zip.discard);
  lookup("zip_error_code_zip", zip.errorCodeZip);
  lookup("zip_error_fini", zip.errorFini);
  lookup("zip_error_init", zip.errorInit);
  lookup("zip_error_init_with_code", zip.errorInitWithCode);
  lookup("zip_error_set", zip.errorSet);
  lookup("zip_error_strerror", zip.errorStrerror);
  lookup("zip_error_to_data", zip.errorToData);
  lookup("zip_fclose", zip.fclose);
  lookup("zip_file_add", zip.fileAdd);
  lookup("zip_file_get_error", zip.fileGetError);
  lookup("zip_file_set_dostime", zip.fileSetDostime);
  lookup("zip_fopen_index", zip.fopenIndex);
  lookup("zip_fread", zip.fread);
  lookup("zip_get_error", zip.getError);
  lookup("zip_get_num_entries", zip.getNumEntries);
  lookup("zip_open", zip.open);
  lookup("zip_open_from_source", zip.openFromSource);
  lookup("zip_set_file_compression", zip.setFileCompression);
  lookup("zip_source_buffer", zip.sourceBuffer);
  lookup("zip_source_free", zip.sourceFree);
  lookup("zip_source_function_create", zip.sourceFunctionCreate);
  lookup("zip_source_make_command_bitmap", zip.sourceMakeCommandBitmap);
  lookup("zip_source_seek_compute_offset", zip.sourceSeekComputeOffset);
  lookup("zip_stat_index", zip.statIndex);
  lookup("zip_stat_init", zip.statInit);
  lookup("zip_strerror", zip.strerror);
  if (lookup.missing != nullptr)
    return Error{{}, {}, fmt::format("{} has no {}", file, lookup.missing), "install libzip as the system has it"};
  return zip;
}

} // namespace

Expected<const Libzip *> Libzip::load(const std::string &path) {
  static const Expected<Libzip> zip = find();
  if (!zip)
    return Error{path, {}, zip.error().message, zip.error().hint};
  return &*zip;
}

} // namespace condlint
