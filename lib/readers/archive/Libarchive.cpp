//===- Libarchive.cpp - libarchive, when an archive is opened -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Libarchive.h"
#include "../LoadedFunctions.h"
#include <dlfcn.h>
#include <fmt/format.h>

namespace condlint {

namespace {

// The version whose header this was compiled with: another may have other structures.
constexpr const char *libraryFile = CONDLINT_LIBARCHIVE_FILE;

Expected<Libarchive> loadLibarchive() {
  void *library = dlopen(libraryFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{{},
                 {},
                 fmt::format("{}, which reads archives of models, cannot be loaded: {}", libraryFile, dlerror()),
                 "install libarchive, or unpack the archive and name its folder"};
  Libarchive out;
  LoadedFunctions functions(library);
  functions.find("archive_entry_filetype", out.entryFiletype);
  functions.find("archive_entry_hardlink", out.entryHardlink);
  functions.find("archive_entry_pathname", out.entryPathname);
  functions.find("archive_entry_pathname_utf8", out.entryPathnameUtf8);
  functions.find("archive_error_string", out.errorString);
  functions.find("archive_read_data", out.readData);
  functions.find("archive_read_free", out.readFree);
  functions.find("archive_read_new", out.readNew);
  functions.find("archive_read_next_header", out.readNextHeader);
  functions.find("archive_read_open", out.readOpen);
  functions.find("archive_read_open_filename", out.readOpenFilename);
  functions.find("archive_read_support_filter_bzip2", out.readSupportFilterBzip2);
  functions.find("archive_read_support_filter_gzip", out.readSupportFilterGzip);
  functions.find("archive_read_support_filter_xz", out.readSupportFilterXz);
  functions.find("archive_read_support_filter_zstd", out.readSupportFilterZstd);
  functions.find("archive_read_support_format_tar", out.readSupportFormatTar);
  functions.find("archive_read_support_format_zip", out.readSupportFormatZip);
  if (functions.missing != nullptr)
    return Error{
        {}, {}, fmt::format("{} has no {}", libraryFile, functions.missing), "install libarchive 3.4 or later"};
  return out;
}

} // namespace

Expected<const Libarchive *> Libarchive::load(const std::string &path) {
  static const Expected<Libarchive> archive = loadLibarchive();
  if (!archive)
    return Error{path, {}, archive.error().message, archive.error().hint};
  return &*archive;
}

} // namespace condlint
