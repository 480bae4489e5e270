//===- Libarchive.h - libarchive, when an archive is opened -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_ARCHIVE_LIBARCHIVE_H
#define CONDLINT_LIB_READERS_ARCHIVE_LIBARCHIVE_H

#include "condlint/Expected.h"
#include <archive.h>
#include <archive_entry.h>
#include <string>

namespace condlint {

/// The functions of libarchive, by their names there in our case. They are found when the first archive of
/// models is opened, not linked: few runs meet one, and the library draws in a dozen of others.
struct Libarchive {
  decltype(&::archive_entry_filetype) entryFiletype;
  decltype(&::archive_entry_hardlink) entryHardlink;
  decltype(&::archive_entry_pathname) entryPathname;
  decltype(&::archive_entry_pathname_utf8) entryPathnameUtf8;
  decltype(&::archive_error_string) errorString;
  decltype(&::archive_read_data) readData;
  decltype(&::archive_read_free) readFree;
  decltype(&::archive_read_new) readNew;
  decltype(&::archive_read_next_header) readNextHeader;
  decltype(&::archive_read_open) readOpen;
  decltype(&::archive_read_open_filename) readOpenFilename;
  decltype(&::archive_read_support_filter_bzip2) readSupportFilterBzip2;
  decltype(&::archive_read_support_filter_gzip) readSupportFilterGzip;
  decltype(&::archive_read_support_filter_xz) readSupportFilterXz;
  decltype(&::archive_read_support_filter_zstd) readSupportFilterZstd;
  decltype(&::archive_read_support_format_tar) readSupportFormatTar;
  decltype(&::archive_read_support_format_zip) readSupportFormatZip;

  /// All of them, for as long as the program runs. The error, of the file \p path that wants them, says what to
  /// install.
  static Expected<const Libarchive *> load(const std::string &path);
};

} // namespace condlint

#endif // CONDLINT_LIB_READERS_ARCHIVE_LIBARCHIVE_H
