//===- FileBytes.cpp - A file's bytes, mapped and padded --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Reader.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace condlint {

namespace {

/// Readable zeros after the bytes: what simdjson may look at beyond the end.
constexpr std::size_t padding = 64;
/// Up to this a copy is cheaper than a mapping, also where all pages of that are asked for at once, and a file that is
/// cut short by someone else while we read it cannot hurt. Most of a larger file is weights, which nobody touches.
constexpr std::size_t copyLimit = 8 * 1024 * 1024;

/// Closes a descriptor whatever the way out.
class Descriptor {
public:
  explicit Descriptor(int number) : fd(number) {}
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int get() const { return fd; }

private:
  int fd;
};

Error failure(const std::string &path, std::string message, std::string hint = {}) {
  return {path, {}, std::move(message), std::move(hint)};
}

Error cannotRead(const std::string &path, int code) {
  switch (code) {
  case ENOENT:
    return failure(path, "no such file");
  case ENOTDIR:
    return failure(path, "no such file: a part of the path before the last is not a folder");
  case EACCES:
  case EPERM:
    return failure(path, "permission denied", "make the file readable for this user");
  case EISDIR:
    return failure(path, "is a folder, expected a file");
  case ENXIO:
    return failure(path, "is not a regular file");
  case ENAMETOOLONG:
    return failure(path, "the path is too long");
  case ELOOP:
    return failure(path, "too many symbolic links");
  default:
    return failure(path, std::string("cannot be read: ") + std::strerror(code));
  }
}

/// Reads exactly \p size bytes, fewer only when the file ends before.
bool readAll(int fd, char *to, std::size_t size, std::size_t &done) {
  done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, to + done, size - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    if (n == 0)
      return true;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

} // namespace

Expected<std::shared_ptr<const FileBytes>> FileBytes::open(const std::string &path) {
  if (path.find('\0') != std::string::npos)
    return failure(path, "no such file: the path holds a zero byte");
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0)
    return cannotRead(path, errno);
  struct stat info{};
  if (::fstat(file.get(), &info) != 0)
    return cannotRead(path, errno);
  if (S_ISDIR(info.st_mode))
    return failure(path, "is a folder, expected a file");
  if (!S_ISREG(info.st_mode))
    return failure(path, "is not a regular file");

  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > std::numeric_limits<std::size_t>::max() / 4)
    return failure(path, "is too large for this machine");

  try {
    std::shared_ptr<FileBytes> bytes(new FileBytes);
    bytes->size = static_cast<std::size_t>(size);
    if (bytes->size <= copyLimit) {
      bytes->owned = std::make_unique_for_overwrite<char[]>(bytes->size + padding);
      std::size_t done = 0;
      if (!readAll(file.get(), bytes->owned.get(), bytes->size, done))
        return cannotRead(path, errno);
      std::memset(bytes->owned.get() + done, 0, padding);
      bytes->size = done;
      bytes->data = bytes->owned.get();
      return std::shared_ptr<const FileBytes>(std::move(bytes));
    }

    // The last page of a mapping is filled with zeros, but a file that ends near
    // or on a page boundary leaves too few: one anonymous page follows it.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t whole = (bytes->size + page - 1) / page * page;
    void *space = ::mmap(nullptr, whole + page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED)
      return failure(path, "is too large: " + std::to_string(size) + " bytes cannot be mapped");
    bytes->data = static_cast<const char *>(space);
    bytes->mapped = whole + page;
    if (::mmap(space, whole, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.get(), 0) == MAP_FAILED)
      return cannotRead(path, errno);
    return std::shared_ptr<const FileBytes>(std::move(bytes));
  } catch (const std::bad_alloc &) {
    return failure(path, "not enough memory to read the file");
  }
}

std::shared_ptr<const FileBytes> FileBytes::copy(std::string_view bytes) {
  std::shared_ptr<FileBytes> result(new FileBytes);
  result->owned = std::make_unique_for_overwrite<char[]>(bytes.size() + padding);
  if (!bytes.empty())
    std::memcpy(result->owned.get(), bytes.data(), bytes.size());
  std::memset(result->owned.get() + bytes.size(), 0, padding);
  result->data = result->owned.get();
  result->size = bytes.size();
  return result;
}

FileBytes::~FileBytes() {
  if (mapped != 0)
    ::munmap(const_cast<char *>(data), mapped);
}

} // namespace condlint
