//===- ModelArchive.cpp - The models in a zip or a tar --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelArchive.h"
#include "Libarchive.h"
#include "MemberName.h"
#include "readers/ExecuTorchProgram.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <fmt/format.h>
#include <locale.h>
#include <new>
#include <unistd.h>
#include <utility>

namespace condlint {

namespace {

constexpr std::size_t chunkSize = 64 * 1024;

/// Hands libarchive what was read already, and then what comes.
struct Stream {
  int descriptor = -1;
  std::string begun;
  bool isBegun = false;
  std::string chunk;

  static la_ssize_t read(archive *, void *state, const void **data) {
    return static_cast<Stream *>(state)->readSome(data);
  }

  la_ssize_t readSome(const void **data) {
    if (!std::exchange(isBegun, true) && !begun.empty()) {
      *data = begun.data();
      return static_cast<la_ssize_t>(begun.size());
    }
    if (descriptor < 0)
      return 0;
    chunk.resize(chunkSize);
    for (;;) {
      const ssize_t n = ::read(descriptor, chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR)
        continue;
      *data = chunk.data();
      return n;
    }
  }
};

/// Names in UTF-8 are what libarchive gives in a locale that has them, whichever the program runs in.
class NamesInUtf8 {
public:
  NamesInUtf8() : before(::uselocale(static_cast<locale_t>(nullptr))) {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", static_cast<locale_t>(nullptr));
    if (utf8 != static_cast<locale_t>(nullptr))
      ::uselocale(utf8);
  }
  ~NamesInUtf8() { ::uselocale(before); }
  NamesInUtf8(const NamesInUtf8 &) = delete;
  NamesInUtf8 &operator=(const NamesInUtf8 &) = delete;

private:
  locale_t before;
};

bool isHidden(std::string_view name) {
  for (std::string_view left = name; !left.empty();) {
    const std::size_t end = std::min(left.find('/'), left.size());
    const std::string_view part = left.substr(0, end);
    if (part.starts_with('.') && part != "." && part != "..")
      return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

} // namespace

struct ModelArchive::Handle {
  const Libarchive &library;
  std::string path;
  std::size_t most;
  archive *reader;
  Stream stream;
  bool isOver = false;

  Handle(const Libarchive &l, std::string p, std::size_t m)
      : library(l), path(std::move(p)), most(m), reader(l.readNew()) {
    if (reader == nullptr)
      return;
    // What is compressed otherwise libarchive would give to programs, which it starts.
    library.readSupportFilterGzip(reader);
    library.readSupportFilterBzip2(reader);
    library.readSupportFilterXz(reader);
    library.readSupportFilterZstd(reader);
    library.readSupportFormatTar(reader);
    library.readSupportFormatZip(reader);
  }
  ~Handle() {
    if (reader != nullptr)
      library.readFree(reader);
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;

  Error failure(const std::string &what) const {
    const char *reason = reader != nullptr ? library.errorString(reader) : nullptr;
    return {path, {}, what + (reason != nullptr ? std::string(": ") + reason : std::string()), {}};
  }

  Member memberOf(std::string name);

  ProgramsLeftOut programs;
  /// The present entry, if it is one: its beginning tells.
  void keepProgram(std::string name) {
    std::array<char, 16> begin{};
    const la_ssize_t n = library.readData(reader, begin.data(), begin.size());
    if (n > 0 && isExecuTorchProgram({begin.data(), static_cast<std::size_t>(n)}))
      programs.add(std::move(name));
  }
};

ModelArchive::ModelArchive(std::unique_ptr<Handle> h) : handle(std::move(h)) {}
ModelArchive::~ModelArchive() = default;

Expected<std::unique_ptr<ModelArchive>> ModelArchive::open(const std::string &path, std::size_t most) {
  const Expected<const Libarchive *> library = Libarchive::load(path);
  if (!library)
    return library.error();
  auto handle = std::make_unique<Handle>(**library, path, most);
  if (handle->reader == nullptr || (*library)->readOpenFilename(handle->reader, path.c_str(), chunkSize) != ARCHIVE_OK)
    return handle->failure("is no archive that can be read, expected a zip or a tar");
  return std::unique_ptr<ModelArchive>(new ModelArchive(std::move(handle)));
}

Expected<std::unique_ptr<ModelArchive>> ModelArchive::openStream(int descriptor, std::string begun,
                                                                 const std::string &path, std::size_t most) {
  const Expected<const Libarchive *> library = Libarchive::load(path);
  if (!library)
    return library.error();
  auto handle = std::make_unique<Handle>(**library, path, most);
  handle->stream.descriptor = descriptor;
  handle->stream.begun = std::move(begun);
  if (handle->reader == nullptr ||
      (*library)->readOpen(handle->reader, &handle->stream, nullptr, &Stream::read, nullptr) != ARCHIVE_OK)
    return handle->failure("is no archive that can be read, expected a zip or a tar");
  return std::unique_ptr<ModelArchive>(new ModelArchive(std::move(handle)));
}

/// What the present entry holds. Nobody believes the size that it says: it is what comes.
ModelArchive::Member ModelArchive::Handle::memberOf(std::string name) {
  Member member{std::move(name), nullptr, {}};
  try {
    std::string bytes;
    for (;;) {
      const std::size_t before = bytes.size();
      bytes.resize(std::max(chunkSize, before * 2));
      const la_ssize_t n = library.readData(reader, bytes.data() + before, bytes.size() - before);
      bytes.resize(before + static_cast<std::size_t>(std::max<la_ssize_t>(n, 0)));
      if (n < 0) {
        member.problem = failure("the archive is damaged here").message;
        return member;
      }
      if (n == 0)
        break;
      if (bytes.size() > most) {
        member.problem =
            fmt::format("is larger than {} MiB, the most that is read of an archive's member: unpack it", most >> 20U);
        return member;
      }
    }
    member.bytes = FileBytes::copy(bytes);
  } catch (const std::bad_alloc &) {
    member.problem = "there is not enough memory for this member of the archive";
  }
  return member;
}

Expected<std::optional<ModelArchive::Member>> ModelArchive::next() {
  const NamesInUtf8 locale;
  Handle &h = *handle;
  while (!h.isOver) {
    archive_entry *entry = nullptr;
    const int code = h.library.readNextHeader(h.reader, &entry);
    if (code == ARCHIVE_RETRY)
      continue;
    if (code == ARCHIVE_EOF) {
      h.isOver = true;
      break;
    }
    if (code < ARCHIVE_WARN) {
      h.isOver = true;
      return h.failure("the archive is damaged: what stands behind this place is not read");
    }
    if (h.library.entryFiletype(entry) != AE_IFREG || h.library.entryHardlink(entry) != nullptr)
      continue;
    const char *text = h.library.entryPathname(entry);
    if (text == nullptr)
      text = h.library.entryPathnameUtf8(entry);
    if (text == nullptr || *text == '\0')
      return std::optional<Member>(Member{"", nullptr, "the archive holds a file whose name cannot be read"});
    std::string name = text;
    while (name.starts_with("./"))
      name.erase(0, 2);
    const std::optional<Format> format = formatOfPath(name);
    if (isHidden(name))
      continue;
    if (!format) {
      if (isNamedExecuTorchProgram(name))
        h.keepProgram(std::move(name));
      continue;
    }
    if (leadsOut(name))
      return std::optional<Member>(
          Member{"", nullptr, "the archive holds '" + name + "', a name that leads out of it"});
    Member member = h.memberOf(std::move(name));
    if (*format == Format::Json && member.problem.empty() && !beginsLikeGraphJson(member.bytes->view()))
      continue;
    return std::optional<Member>(std::move(member));
  }
  return std::optional<Member>();
}

ProgramsLeftOut ModelArchive::takePrograms() { return std::exchange(handle->programs, {}); }

bool ModelArchive::isNamedSo(std::string_view path) {
  static constexpr std::array<std::string_view, 10> suffixes{".zip",    ".tar", ".tar.gz",  ".tgz",  ".tar.bz2",
                                                             ".tar.xz", ".txz", ".tar.zst", ".tbz2", ".tzst"};
  return std::ranges::any_of(suffixes, [&](std::string_view s) { return path.ends_with(s); });
}

bool ModelArchive::beginsLikeOne(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::size_t magicOfTar = 257;
  for (const std::string_view magic : {"PK\x03\x04"sv, "\x1f\x8b"sv, "BZh"sv, "\xfd\x37zXZ\0"sv, "\x28\xb5\x2f\xfd"sv})
    if (bytes.starts_with(magic))
      return true;
  return bytes.size() > magicOfTar && bytes.substr(magicOfTar).starts_with("ustar");
}

bool beginsLikeGraphJson(std::string_view text) {
  constexpr std::size_t window = 4096;
  constexpr std::string_view key = "\"condlint\"";
  const std::string_view head = text.substr(0, window);
  for (std::size_t at = head.find(key); at != std::string_view::npos; at = head.find(key, at + 1)) {
    const std::size_t next = head.find_first_not_of(" \t\r\n", at + key.size());
    if (next != std::string_view::npos && head[next] == ':')
      return true;
  }
  return false;
}

} // namespace condlint
