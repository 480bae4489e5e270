//===- FindingsCache.h - What runs before found out -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_FINDINGSCACHE_H
#define CONDLINT_TOOL_FINDINGSCACHE_H

#include "AnalyseInput.h"
#include "Inputs.h"
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// Keeps what was found out of inputs, findings too, and gives it back where nothing has changed that it came from:
/// this condlint, rules, configuration, flags, the input's bytes, and all else that was looked at (headers, folders in
/// which a header is not, sizes of external data). Safe to use from many threads and by many runs at a time, whenever
/// they end: an entry is there as a whole or not at all, and one that is damaged counts for nothing.
class FindingsCache {
public:
  /// Keeps its entries in \p folder, which is made when there is one.
  explicit FindingsCache(std::string folder);
  /// Removes what was not used for longest where there is too much.
  ~FindingsCache();
  FindingsCache(const FindingsCache &) = delete;
  FindingsCache &operator=(const FindingsCache &) = delete;

  /// By what \p file is known; empty where nothing can be kept of it. A model is read for it: its bytes go to \p bytes,
  /// so that what is not known is not read again.
  std::string keyOf(const InputFile &file, const CheckSettings &settings, std::shared_ptr<const FileBytes> &bytes);
  std::optional<InputReport> find(const std::string &key);
  void keep(const std::string &key, const InputFile &file, const InputReport &report);

private:
  std::string placeOf(const std::string &key) const;
  std::string stateOf(const InputDependency &d);
  void prune() const;

  std::string folder, tool;
  std::vector<std::string_view> ruleIds;
  std::int64_t started; ///< in nanoseconds: what changed since is not kept
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> states; ///< of dependencies, by their state's letter and path
  std::atomic<bool> hasKept{false};
};

} // namespace condlint

#endif // CONDLINT_TOOL_FINDINGSCACHE_H
