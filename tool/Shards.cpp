//===- Shards.cpp - Parts of the inputs, for several machines -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shards.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace condlint {

namespace {

constexpr std::size_t mostShards = 1000000;
/// Of a file its size, its begin and its end are looked at: that of weights tells no more, and takes long.
constexpr std::size_t looked = 16 * 1024;

std::uint64_t hashOf(std::string_view begin, std::string_view end, std::uint64_t size) {
  return XXH3_64bits_withSeed(end.data(), end.size(), XXH3_64bits_withSeed(begin.data(), begin.size(), size));
}

std::optional<std::uint64_t> hashOfFile(const std::string &path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return std::nullopt;
  struct stat info = {};
  std::array<char, looked> begin, end;
  std::optional<std::uint64_t> hash;
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
    const ssize_t first = ::pread(file, begin.data(), looked, 0);
    const ssize_t last =
        ::pread(file, end.data(), looked, std::max<off_t>(0, info.st_size - static_cast<off_t>(looked)));
    if (first >= 0 && last >= 0)
      hash = hashOf({begin.data(), static_cast<std::size_t>(first)}, {end.data(), static_cast<std::size_t>(last)},
                    static_cast<std::uint64_t>(info.st_size));
  }
  ::close(file);
  return hash;
}

std::uint64_t contentOf(const InputFile &file) {
  if (file.bytes) {
    const std::string_view all = file.bytes->view();
    return hashOf(all.substr(0, looked), all.substr(all.size() - std::min(looked, all.size())), all.size());
  }
  const std::optional<std::uint64_t> hash = file.problem.empty() ? hashOfFile(file.path) : std::nullopt;
  // What cannot be read is some shard's to say so.
  return hash ? *hash : XXH3_64bits(file.path.data(), file.path.size());
}

} // namespace

Expected<Shard> parseShard(const std::string &word) {
  const auto number = [](std::string_view text) -> std::size_t {
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc() && end == text.data() + text.size() ? n : 0;
  };
  const std::size_t slash = std::min(word.find('/'), word.size());
  Shard shard;
  shard.index = number(std::string_view(word).substr(0, slash));
  shard.count = slash < word.size() ? number(std::string_view(word).substr(slash + 1)) : 0;
  if (shard.index == 0 || shard.count > mostShards || shard.index > shard.count)
    return Error{"", "--shard", "'" + word + "' is no shard, such as 1/4 for the first of four", ""};
  return shard;
}

struct ShardFilter::State {
  Shard shard;
  XXH3_state_t *digest = XXH3_createState();
  State() { XXH3_64bits_reset(digest); }
  ~State() { XXH3_freeState(digest); }
  State(const State &) = delete;
  State &operator=(const State &) = delete;
};

ShardFilter::ShardFilter(const Shard &s) : state(std::make_unique<State>()) { state->shard = s; }
ShardFilter::~ShardFilter() = default;

void ShardFilter::keepOwn(std::vector<InputFile> &files) {
  Shard &s = state->shard;
  std::erase_if(files, [&](InputFile &file) {
    XXH3_64bits_update(state->digest, file.path.c_str(), file.path.size() + 1);
    file.position = s.inputs++;
    return contentOf(file) % s.count != s.index - 1;
  });
}

Shard ShardFilter::shard() const {
  Shard s = state->shard;
  s.digest = fmt::format("{:016x}", XXH3_64bits_digest(state->digest));
  return s;
}

} // namespace condlint
