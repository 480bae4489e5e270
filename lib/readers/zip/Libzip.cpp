//===- Libzip.cpp - libzip, when an archive is opened ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Libzip.h"
#include "../LoadedFunctions.h"
#include <dlfcn.h>
#include <fmt/format.h>
#include <optional>

namespace condlint {

namespace {

#ifdef CONDLINT_LIBZIP_IS_LINKED // a wheel brings its own

#define CONDLINT_FIND(name, place) zip.place = &::name

#else

#define CONDLINT_FIND(name, place) functions.find(#name, zip.place)

#endif

Expected<Libzip> find() {
  Libzip zip;
#ifndef CONDLINT_LIBZIP_IS_LINKED
  // The version whose header this was compiled with: another may have other structures.
  constexpr const char *file = CONDLINT_LIBZIP_FILE;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{
        {}, {}, fmt::format("{}, which reads archives, cannot be loaded: {}", file, dlerror()), "install libzip"};
  LoadedFunctions functions(library);
#endif
  CONDLINT_FIND(zip_close, close);
  CONDLINT_FIND(zip_discard, discard);
  CONDLINT_FIND(zip_error_code_zip, errorCodeZip);
  CONDLINT_FIND(zip_error_fini, errorFini);
  CONDLINT_FIND(zip_error_init, errorInit);
  CONDLINT_FIND(zip_error_init_with_code, errorInitWithCode);
  CONDLINT_FIND(zip_error_set, errorSet);
  CONDLINT_FIND(zip_error_strerror, errorStrerror);
  CONDLINT_FIND(zip_error_to_data, errorToData);
  CONDLINT_FIND(zip_fclose, fclose);
  CONDLINT_FIND(zip_file_add, fileAdd);
  CONDLINT_FIND(zip_file_get_error, fileGetError);
  CONDLINT_FIND(zip_file_set_dostime, fileSetDostime);
  CONDLINT_FIND(zip_fopen_index, fopenIndex);
  CONDLINT_FIND(zip_fread, fread);
  CONDLINT_FIND(zip_get_error, getError);
  CONDLINT_FIND(zip_get_num_entries, getNumEntries);
  CONDLINT_FIND(zip_open, open);
  CONDLINT_FIND(zip_open_from_source, openFromSource);
  CONDLINT_FIND(zip_set_file_compression, setFileCompression);
  CONDLINT_FIND(zip_source_buffer, sourceBuffer);
  CONDLINT_FIND(zip_source_free, sourceFree);
  CONDLINT_FIND(zip_source_function_create, sourceFunctionCreate);
  CONDLINT_FIND(zip_source_make_command_bitmap, sourceMakeCommandBitmap);
  CONDLINT_FIND(zip_source_seek_compute_offset, sourceSeekComputeOffset);
  CONDLINT_FIND(zip_stat_index, statIndex);
  CONDLINT_FIND(zip_stat_init, statInit);
  CONDLINT_FIND(zip_strerror, strerror);
#ifndef CONDLINT_LIBZIP_IS_LINKED
  if (functions.missing != nullptr)
    return Error{{}, {}, fmt::format("{} has no {}", file, functions.missing), "install libzip as the system has it"};
#endif
  return zip;
}

#undef CONDLINT_FIND

} // namespace

Expected<const Libzip *> Libzip::load(const std::string &path) {
  static const Expected<Libzip> zip = find();
  if (!zip)
    return Error{path, {}, zip.error().message, zip.error().hint};
  return &*zip;
}

} // namespace condlint
