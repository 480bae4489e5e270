//===- Watch.cpp - Files that other programs write ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Watch.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <sys/inotify.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace condlint::lsp {

namespace {

namespace fs = std::filesystem;

/// A file is told of when it has been written, not at each write.
constexpr std::uint32_t kinds = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR;

/// The folder of \p file, or the first one above it that is there.
fs::path folderThatIsThere(const std::string &file) {
  std::error_code error;
  fs::path at = fs::path(file).parent_path();
  while (at.has_relative_path() && !fs::is_directory(at, error))
    at = at.parent_path();
  return at;
}

} // namespace

void Watch::set(std::set<std::string> files) {
  const std::lock_guard lock(mutex);
  if (files == wanted)
    return;
  wanted = std::move(files);
  begin();
  update();
}

void Watch::begin() {
  if (std::exchange(begun, true))
    return;
  descriptor = inotify_init1(IN_CLOEXEC);
  if (descriptor >= 0) // else there are as many as the system allows
    std::thread([this] { run(); }).detach();
}

std::set<std::string> Watch::foldersToWatch() const {
  std::set<std::string> out;
  for (const std::string &file : wanted)
    out.insert(folderThatIsThere(file).string());
  return out;
}

void Watch::update() {
  if (descriptor < 0)
    return;
  const std::set<std::string> now = foldersToWatch();
  for (auto at = folders.begin(); at != folders.end();)
    if (now.contains(at->second)) {
      ++at;
    } else {
      inotify_rm_watch(descriptor, at->first);
      at = folders.erase(at);
    }
  for (const std::string &folder : now) // of one that is watched already the number is the same
    if (const int number = inotify_add_watch(descriptor, folder.c_str(), kinds); number >= 0)
      folders.insert_or_assign(number, folder);
}

void Watch::tell(const std::string &path, bool isFolder) {
  std::vector<std::string> told;
  {
    const std::lock_guard lock(mutex);
    if (!isFolder) {
      told.push_back(path);
    } else if (const auto first = wanted.lower_bound(path + '/');
               first != wanted.end() && first->starts_with(path + '/')) {
      update();
      for (auto at = first; at != wanted.end() && at->starts_with(path + '/'); ++at)
        told.push_back(*at);
    }
  }
  for (const std::string &each : told)
    changed(each);
}

void Watch::run() {
  constexpr std::size_t most = 64UL << 10U;
  alignas(inotify_event) std::array<char, most> bytes;
  for (;;) {
    const ssize_t got = read(descriptor, bytes.data(), bytes.size());
    if (got <= 0)
      return;
    inotify_event event{};
    for (std::size_t at = 0; at + sizeof event <= static_cast<std::size_t>(got); at += sizeof event + event.len) {
      std::memcpy(&event, bytes.data() + at, sizeof event);
      std::string folder;
      {
        const std::lock_guard lock(mutex);
        if (const auto found = folders.find(event.wd); found != folders.end())
          folder = found->second;
        if ((event.mask & IN_IGNORED) != 0 && folders.erase(event.wd) != 0) // it is gone, and may come again
          update();
      }
      if (folder.empty() || event.len == 0)
        continue;
      const fs::path path = fs::path(folder) / (bytes.data() + at + sizeof event);
      const bool isFolder = (event.mask & IN_ISDIR) != 0;
      std::error_code error;
      if (isFolder || (event.mask & IN_CREATE) == 0 || fs::is_symlink(path, error)) // else it will be written
        tell(path.string(), isFolder);
    }
  }
}

} // namespace condlint::lsp
