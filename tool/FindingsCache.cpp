//===- FindingsCache.cpp - What runs before found out ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry is a text: a line with the key, a line for each dependency with its state, the report's records, and a line
// with the hash of all before it.
//
//===----------------------------------------------------------------------===//
#include "FindingsCache.h"
#include "CxxModule.h"
#include "condlint/Reader.h"
#include "condlint/Rule.h"
#include "graph/FolderLimit.h"
#include "graph/NewFile.h"
#include "graph/OwnFile.h"
#include "report/ReportReader.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <utility>
#include <xxhash.h>

namespace condlint {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "condlint-findings-1";
constexpr std::uintmax_t mostBytes = std::uintmax_t{256} << 20U;
/// To hash what is larger takes longer than to analyse it: weights are not read.
constexpr std::uintmax_t largestInput = std::uintmax_t{512} << 20U;
constexpr std::string_view replaced = "\xEF\xBF\xBD"; ///< stands in a text for bytes that are none

std::string hexOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string hashOfContent(const std::string &path) {
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(path);
  return bytes ? hexOf((*bytes)->view()) : std::string();
}

std::int64_t nanosecondsOf(const timespec &t) { return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec; }

/// When \p path was changed last, its content or what is known of it.
std::int64_t changeOf(const std::string &path) {
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 ? std::max(nanosecondsOf(info.st_mtim), nanosecondsOf(info.st_ctim)) : 0;
}

/// The parts of a key, which zero bytes keep apart.
class Key {
public:
  template <class T> void add(const T &part) { text += fmt::format("{}", part) + '\0'; }
  template <class All, class Text> void addAll(const All &all, const Text &textOf) {
    for (const auto &item : all)
      add(textOf(item));
    add("");
  }
  std::string hash() const { return hexOf(text); }

private:
  std::string text;
};

char letterOf(InputDependency::State state) {
  switch (state) {
  case InputDependency::State::Content:
    return 'c';
  case InputDependency::State::Size:
    return 's';
  case InputDependency::State::Folder:
    return 'd';
  case InputDependency::State::Absent:
    break;
  }
  return '-';
}

std::optional<InputDependency::State> stateByLetter(char letter) {
  using State = InputDependency::State;
  for (const State state : {State::Content, State::Size, State::Folder, State::Absent})
    if (letterOf(state) == letter)
      return state;
  return std::nullopt;
}

/// The text up to the next \p end, which is taken from \p rest with it.
std::optional<std::string_view> takeUntil(std::string_view &rest, char end) {
  const std::size_t at = rest.find(end);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string_view text = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return text;
}

/// This condlint: another build may find other things.
std::string ownIdentity() {
  Key key;
  key.add(std::string_view(CONDLINT_VERSION));
  key.add(hashOfContent(ownFile()));
  // The module that reads C++ may hold all of Clang: it is known by its file.
  struct stat info = {};
  const std::string module = ownModule("libcondlint-cxx.so");
  if (::stat(module.c_str(), &info) == 0)
    key.add(fmt::format("{} {} {}", module, info.st_size, nanosecondsOf(info.st_mtim)));
  return key.hash();
}

} // namespace

FindingsCache::FindingsCache(std::string f)
    : folder(std::move(f)), tool(ownIdentity()),
      started(std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count()) {
  for (const RuleInfo &rule : rules())
    ruleIds.push_back(rule.id);
}

FindingsCache::~FindingsCache() {
  if (hasKept)
    prune();
}

std::string FindingsCache::placeOf(const std::string &key) const {
  return (fs::path(folder) / key.substr(0, 2) / key.substr(2)).string();
}

std::string FindingsCache::keyOf(const InputFile &file, const CheckSettings &settings,
                                 std::shared_ptr<const FileBytes> &bytes) {
  const bool isSource = !file.bytes && isCxxSource(file.path);
  if (!file.problem.empty() || file.path.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
    return {};
  // What is drawn or described for who looks at it is not kept; what an editor holds lies in no file.
  if (settings.drawing.which != DrawingLimits::Which::None || settings.rules.details || settings.cxx.unsaved)
    return {};
  // Where links among external data lead is not known of a model; the finding that would tell is not asked for.
  constexpr std::string_view malformed = "graph-malformed";
  const RuleOptions &chosen = settings.rules;
  if (chosen.ignore.contains(malformed) || (!chosen.select.empty() && !chosen.select.contains(malformed)))
    if (!isSource)
      return {};
  Key key;
  key.add(tool);
  key.add(file.path);
  std::error_code error;
  key.add(fs::current_path(error).string());
  std::shared_ptr<const FileBytes> read = file.bytes;
  if (!read) {
    if (fs::file_size(file.path, error) > largestInput || error)
      return {};
    Expected<std::shared_ptr<const FileBytes>> opened = FileBytes::open(file.path);
    if (!opened)
      return {};
    read = std::move(*opened);
    if (formatOfPath(file.path)) // Clang reads a source itself, and what has another name is refused for it
      bytes = read;
  }
  key.add(hexOf(read->view()));
  key.addAll(settings.targets, [](const Target &t) { return t.str(); });
  const auto same = [](const std::string &text) { return text; };
  key.addAll(settings.rules.select, same);
  key.addAll(settings.rules.ignore, same);
  key.addAll(settings.rules.severity,
             [](const auto &s) { return s.first + '=' + std::string(severityName(s.second)); });
  key.add(severityName(settings.failOn));
  key.add(settings.leavesOutProved);
  key.add(settings.configFile);
  if (!settings.configFile.empty()) { // operators are described there
    if (changeOf(settings.configFile) >= started)
      return {};
    key.add(stateOf({settings.configFile, InputDependency::State::Content}));
  }
  if (isSource) {
    const Expected<CxxReader *> reader = cxxReader();
    if (!reader)
      return {};
    for (const CondFunction &f : settings.cxx.condFunctions)
      key.add(fmt::format("{} {} {} {} {} {}", f.name, f.predicate, f.trueBranch, f.falseBranch,
                          f.operands ? std::to_string(*f.operands) : "-", f.operandsAreTheRest));
    const std::string circumstances = (*reader)->circumstances(file.path, settings.cxx);
    if (circumstances.empty())
      return {};
    key.add(circumstances);
  }
  return key.hash();
}

/// What \p d is now. Many inputs depend on one header: it is looked at once.
std::string FindingsCache::stateOf(const InputDependency &d) {
  const std::string name = letterOf(d.state) + d.path;
  {
    const std::scoped_lock lock(mutex);
    if (const auto known = states.find(name); known != states.end())
      return known->second;
  }
  struct stat info = {};
  std::string state = "-";
  const bool isSize = d.state == InputDependency::State::Size; // a link is passed over there
  if ((isSize ? ::lstat(d.path.c_str(), &info) : ::stat(d.path.c_str(), &info)) == 0) {
    if (S_ISLNK(info.st_mode))
      state = "link";
    else if (S_ISDIR(info.st_mode))
      state = "folder";
    else if (isSize)
      state = std::to_string(info.st_size);
    else if (d.state == InputDependency::State::Content)
      state = hashOfContent(d.path);
    else
      state = "file";
  }
  const std::scoped_lock lock(mutex);
  return states.try_emplace(name, std::move(state)).first->second;
}

std::optional<InputReport> FindingsCache::find(const std::string &key) {
  if (key.empty())
    return std::nullopt;
  const std::string place = placeOf(key);
  const Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(place);
  if (!bytes)
    return std::nullopt;
  std::string_view rest = (*bytes)->view();
  // The hash of all stands in the last line.
  if (rest.size() < 33 || rest.back() != '\n')
    return std::nullopt;
  const std::string_view sum = rest.substr(rest.size() - 33, 32);
  rest.remove_suffix(33);
  if (hexOf(rest) != sum || takeUntil(rest, ' ') != magic || takeUntil(rest, '\n') != std::string_view(key))
    return std::nullopt;
  std::vector<InputDependency> dependencies;
  for (;;) {
    std::optional<std::string_view> line = takeUntil(rest, '\n');
    if (!line)
      return std::nullopt;
    if (line->empty())
      break; // the report follows
    const std::optional<InputDependency::State> state = stateByLetter(line->front());
    line->remove_prefix(1);
    const std::optional<std::string_view> before = takeUntil(*line, ' ');
    if (!state || !before)
      return std::nullopt;
    dependencies.push_back({std::string(*line), *state});
    if (stateOf(dependencies.back()) != *before)
      return std::nullopt;
  }
  std::optional<InputReport> report = parseInput(rest, ruleIds);
  if (!report)
    return std::nullopt;
  ::utimensat(AT_FDCWD, place.c_str(), nullptr, 0); // it was used
  report->dependencies = std::move(dependencies);
  return report;
}

void FindingsCache::keep(const std::string &key, const InputFile &file, const InputReport &report) {
  // What a file that contradicts its format depends on, such as where a link leads, is not known.
  if (key.empty() || report.status != InputStatus::Ok ||
      std::ranges::any_of(report.findings, [](const Finding &f) { return f.rule == "graph-malformed"; }) ||
      (!file.bytes && changeOf(file.path) >= started))
    return;
  std::string text = fmt::format("{} {}\n", magic, key);
  for (const InputDependency &d : report.dependencies) {
    if (d.path.find('\n') != std::string::npos ||
        (d.state == InputDependency::State::Content && changeOf(d.path) >= started))
      return;
    const std::string state = stateOf(d);
    if (state.empty())
      return;
    text += fmt::format("{}{} {}\n", letterOf(d.state), state, d.path);
  }
  text += '\n';
  const std::string records = inputText(report);
  if (records.find(replaced) != std::string::npos)
    return; // names that are no text would come back as others
  text += records;
  text += hexOf(text) + '\n';
  const std::string place = placeOf(key);
  std::error_code error;
  fs::create_directories(fs::path(place).parent_path(), error);
  Expected<NewFile> made = NewFile::beside(place);
  if (!made)
    return;
  std::FILE *out = std::fopen(made->path().c_str(), "wbe");
  if (out == nullptr)
    return;
  const bool isWritten = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) == 0 && isWritten && !made->keep())
    hasKept = true;
}

void FindingsCache::prune() const {
  std::vector<CachedFile> entries;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code one;
    if (at->is_regular_file(one))
      addCachedFile(*at, entries);
  }
  removeOldest(std::move(entries), mostBytes, mostBytes / 4 * 3);
}

} // namespace condlint
