//===- Libzip.h - libzip, when an archive is opened -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_ZIP_LIBZIP_H
#define CONDLINT_LIB_READERS_ZIP_LIBZIP_H

#include "condlint/Expected.h"
#include <string>
#include <zip.h>

namespace condlint {

/// The functions of libzip, by their names there, without `zip_` and in our case. They are found when the first
/// archive is opened, not linked: libzip draws in a library of ciphers, and loading the two would
/// take a third of the time that checking a small model takes.
struct Libzip {
  decltype(&::zip_close) close;
  decltype(&::zip_discard) discard;
  decltype(&::zip_error_code_zip) errorCodeZip;
  decltype(&::zip_error_fini) errorFini;
  decltype(&::zip_error_init) errorInit;
  decltype(&::zip_error_init_with_code) errorInitWithCode;
  decltype(&::zip_error_set) errorSet;
  decltype(&::zip_error_strerror) errorStrerror;
  decltype(&::zip_error_to_data) errorToData;
  decltype(&::zip_fclose) fclose;
  decltype(&::zip_file_add) fileAdd;
  decltype(&::zip_file_get_error) fileGetError;
  decltype(&::zip_file_set_dostime) fileSetDostime;
  decltype(&::zip_fopen_index) fopenIndex;
  decltype(&::zip_fread) fread;
  decltype(&::zip_get_error) getError;
  decltype(&::zip_get_num_entries) getNumEntries;
  decltype(&::zip_open) open;
  decltype(&::zip_open_from_source) openFromSource;
  decltype(&::zip_set_file_compression) setFileCompression;
  decltype(&::zip_source_buffer) sourceBuffer;
  decltype(&::zip_source_free) sourceFree;
  decltype(&::zip_source_function_create) sourceFunctionCreate;
  decltype(&::zip_source_make_command_bitmap) sourceMakeCommandBitmap;
  decltype(&::zip_source_seek_compute_offset) sourceSeekComputeOffset;
  decltype(&::zip_stat_index) statIndex;
  decltype(&::zip_stat_init) statInit;
  decltype(&::zip_strerror) strerror;

  /// All of them, for as long as the program runs. The error, of the file \p path that wants them, says what to
  /// install.
  static Expected<const Libzip *> load(const std::string &path);
};

} // namespace condlint

#endif // CONDLINT_LIB_READERS_ZIP_LIBZIP_H
