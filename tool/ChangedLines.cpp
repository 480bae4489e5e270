//===- ChangedLines.cpp - What a change touched ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ChangedLines.h"
#include "Inputs.h"
#include "StandardInput.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <ranges>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace condlint {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view suppressedBy = "diff";

/// What a command of git printed. The error is the last line that it said, or why it could not be started.
Expected<std::string> git(std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false"});
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> out{}, err{};
  if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0)
    return Error{"", "--diff", std::string("git cannot be asked: ") + std::strerror(errno), ""};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  pid_t process = 0;
  const int failed = ::posix_spawnp(&process, "git", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  ::close(err[1]);
  const auto readAll = [](int from) {
    std::string text;
    std::array<char, 1 << 14> buffer;
    for (;;) {
      const ssize_t n = ::read(from, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      text.append(buffer.data(), static_cast<std::size_t>(n));
    }
    ::close(from);
    return text;
  };
  std::string text, said;
  if (failed == 0) {
    text = readAll(out[0]); // what git complains of is short, and fits into its pipe meanwhile
    said = readAll(err[0]);
  } else {
    ::close(out[0]);
    ::close(err[0]);
    return Error{"", "--diff", std::string("git cannot be started: ") + std::strerror(failed), "install git"};
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return text;
  while (said.ends_with('\n'))
    said.pop_back();
  return Error{"", "--diff", "git says: " + said.substr(said.rfind('\n') + 1), ""};
}

/// A path of a diff: in quotes where it holds what is not printed, with what stands for that.
std::string unquoted(std::string_view text) {
  if (!text.starts_with('"'))
    return std::string(text.substr(0, text.find('\t'))); // what follows is a time
  constexpr std::string_view escapes = "abtnvfr", values = "\a\b\t\n\v\f\r";
  std::string out;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    unsigned octal = 0;
    const char *begin = text.data() + i, *end = text.data() + std::min(i + 3, text.size());
    const auto [rest, error] = std::from_chars(begin, end, octal, 8);
    if (error == std::errc()) {
      out += static_cast<char>(octal);
      i += static_cast<std::size_t>(rest - begin) - 1;
    } else {
      const std::size_t known = escapes.find(text[i]);
      out += known == std::string_view::npos ? text[i] : values[known];
    }
  }
  return out;
}

/// A folder that git puts before paths, as `a/` and `b/`: of the index, a commit, an object, the working tree others.
bool hasPrefix(std::string_view path) {
  return path.size() > 2 && path[1] == '/' && std::string_view("abciow").find(path[0]) != std::string_view::npos;
}

/// \p path, which a diff of files below \p folder calls new, without git's prefix. \p old is what it is called as old:
/// the two have different prefixes or none.
std::string withoutPrefix(const std::string &path, std::string_view old, const fs::path &folder) {
  if (!hasPrefix(path) || (old != "/dev/null" && (!hasPrefix(old) || old.front() == path.front())))
    return path;
  std::error_code error;
  const std::string bare = path.substr(2);
  return !fs::exists(folder / bare, error) && fs::exists(folder / path, error) ? path : bare;
}

/// \p text without the colours that git gives a diff on request.
std::string withoutColors(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\x1b[")) {
      const std::size_t end = text.find_first_not_of("0123456789;", i + 2);
      if (end != std::string_view::npos && (text[end] == 'm' || text[end] == 'K')) {
        i = end;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

/// The file that holds the input called \p path: an archive's models are called after it. Empty for standard input.
std::string fileOf(const std::string &path) {
  std::error_code error;
  fs::path file = path;
  while (!fs::exists(file, error) && file.has_parent_path() && file != file.parent_path())
    file = file.parent_path();
  return file == fs::path(standardInput) && !fs::exists(file, error) ? std::string()
         : fs::exists(file, error)                                   ? file.string()
                                                                     : path;
}

/// The numbers of "@@ -1,2 +3,4 @@": 1, 2, 3, 4.
std::optional<std::array<std::uint32_t, 4>> hunkOf(std::string_view line) {
  std::array<std::uint32_t, 4> numbers{0, 1, 0, 1};
  if (!line.starts_with("@@ -"))
    return std::nullopt;
  line.remove_prefix(4);
  for (std::size_t i = 0; i < 4; i += 2) {
    const auto read = [&](std::uint32_t &into) {
      const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), into);
      line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
      return error == std::errc();
    };
    if (!read(numbers[i]))
      return std::nullopt;
    if (line.starts_with(',')) {
      line.remove_prefix(1);
      if (!read(numbers[i + 1]))
        return std::nullopt;
    }
    if (!line.starts_with(i == 0 ? " +" : " @@"))
      return std::nullopt;
    line.remove_prefix(2);
  }
  return numbers;
}

std::vector<std::string> zeroSeparated(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    all.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

} // namespace

std::string ChangedLines::absolute(const std::string &path) {
  const std::scoped_lock lock(mutex);
  auto [entry, isNew] = known.try_emplace(path);
  if (isNew) {
    std::error_code error;
    fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
    entry->second = (error ? fs::path(path).lexically_normal() : whole).string();
  }
  return entry->second;
}

ChangedLines::File &ChangedLines::add(const std::string &path) {
  File &file = files[absolute(path)];
  if (file.shown.empty()) {
    std::error_code error;
    file.shown = fs::path(path).lexically_proximate(fs::current_path(error)).string();
  }
  return file;
}

/// Reads a unified diff whose paths are relative to \p folder. \p name is for the error.
std::optional<Error> ChangedLines::parse(std::string_view diff, const std::string &folder, const std::string &name) {
  File *file = nullptr;
  std::uint32_t oldLeft = 0, newLeft = 0; // lines of the hunk
  std::size_t line = 0;
  bool any = false;
  std::string header;          // "diff --git a/x b/x"
  std::string old;             // what the file was called
  std::optional<bool> isThere; // one of the files that are named
  std::string named;
  const auto pathOf = [&](std::string_view text) {
    const std::string path = withoutPrefix(unquoted(text), old, folder);
    std::string whole = (fs::path(folder) / path).string();
    std::error_code error;
    isThere = isThere.value_or(false) || fs::exists(whole, error);
    if (named.empty())
      named = path;
    return whole;
  };
  // The two names of a header are equal but for their prefixes, unless the file was renamed.
  const auto halfOfHeader = [&](bool second) -> std::string_view {
    const std::size_t half = header.size() / 2;
    if (header.size() < 3 || header[half] != ' ')
      return {};
    return second ? std::string_view(header).substr(half + 1) : std::string_view(header).substr(0, half);
  };
  for (std::string_view rest = diff; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line;
    if (text.ends_with('\r'))
      text.remove_suffix(1);
    if (oldLeft != 0 || newLeft != 0) { // what stands in a hunk is no header, whatever it looks like
      const char kind = text.empty() ? ' ' : text.front();
      if (kind == '-' || kind == ' ')
        oldLeft -= std::min(oldLeft, 1U);
      if (kind == '+' || kind == ' ')
        newLeft -= std::min(newLeft, 1U);
      continue;
    }
    if (text.starts_with("diff --git ")) {
      header = text.substr(11);
      old = unquoted(halfOfHeader(false));
      file = nullptr;
    } else if (text.starts_with("--- ")) {
      if (std::string path = unquoted(text.substr(4)); path != "/dev/null" || old.empty())
        old = std::move(path);
    } else if (text.starts_with("+++ ")) {
      const std::string_view path = text.substr(4);
      file = path.starts_with("/dev/null") ? nullptr : &add(pathOf(path));
      any = true;
    } else if (text.starts_with("Binary files ") || text.starts_with("GIT binary patch")) {
      if (const std::string_view path = halfOfHeader(true); !path.empty())
        add(pathOf(path)).whole = true;
      any = true;
    } else if (const auto hunk = hunkOf(text)) {
      const auto [oldFirst, oldCount, first, count] = *hunk;
      oldLeft = oldCount;
      newLeft = count;
      if (file != nullptr) // where lines went, those around it changed
        file->lines.emplace_back(first, count == 0 ? first + 1 : first + count - 1);
      any = true;
    } else if (text.starts_with("@@")) {
      return Error{name, fmt::format("line {}", line), "is no unified diff", ""};
    }
  }
  if (!any && diff.find_first_not_of(" \t\r\n") != std::string_view::npos &&
      diff.find("diff --git ") == std::string_view::npos)
    return Error{name, "", "is no unified diff", "make one with `git diff` or `diff -u`"};
  if (isThere == false && tracked.empty()) // then nothing would be reported, whatever changed
    return Error{name, "", "none of the files that it names is here: '" + named + "'",
                 "its paths must be relative to the working folder, with git's own prefixes or none"};
  return std::nullopt;
}

std::optional<Error> ChangedLines::askGit(const std::string &base) {
  Expected<std::string> folder = git({"rev-parse", "--show-toplevel"});
  if (!folder)
    return folder.error();
  while (folder->ends_with('\n'))
    folder->pop_back();
  top = *folder;
  const Expected<std::string> commit =
      git({"rev-parse", "--verify", "--quiet", "--end-of-options", base + "^{commit}"});
  if (!commit)
    return Error{"", "--diff", "git knows no commit '" + base + "'", "fetch it, or name another"};
  const std::string id = commit->substr(0, commit->find('\n'));
  const auto ask = [&](std::vector<std::string> how) {
    how.insert(how.begin(), {"-C", top, "diff", "--merge-base", "--no-ext-diff", "--no-textconv", "--no-color",
                             "--no-relative", "--no-renames", "--diff-filter=d"});
    how.insert(how.end(), {id, "--"});
    return git(std::move(how));
  };
  const Expected<std::string> names = ask({"--name-only", "-z"});
  const Expected<std::string> diff = names ? ask({"--unified=0", "--src-prefix=a/", "--dst-prefix=b/"}) : names;
  const Expected<std::string> untracked =
      diff ? git({"-C", top, "ls-files", "--others", "--exclude-standard", "-z"}) : diff;
  const Expected<std::string> all = untracked ? git({"-C", top, "ls-files", "-z"}) : untracked;
  if (!all)
    return all.error();
  std::vector<std::string> allNames = zeroSeparated(*all);
  tracked = {std::make_move_iterator(allNames.begin()), std::make_move_iterator(allNames.end())};
  if (std::optional<Error> error = parse(*diff, top, "git diff"))
    return error;
  for (const std::string &name : zeroSeparated(*names))
    if (File &file = add((fs::path(top) / name).string()); file.lines.empty())
      file.whole = true; // what has no lines
  for (const std::string &name : zeroSeparated(*untracked))
    add((fs::path(top) / name).string()).whole = true;
  return std::nullopt;
}

Expected<std::unique_ptr<ChangedLines>> ChangedLines::of(const DiffArguments &arguments) {
  std::unique_ptr<ChangedLines> lines(new ChangedLines(arguments.base.empty()
                                                           ? "is not on a line that the diff touches"
                                                           : "is not on a line that differs from " + arguments.base));
  if (!arguments.base.empty()) {
    if (std::optional<Error> error = lines->askGit(arguments.base))
      return *error;
    return lines;
  }
  std::string text;
  if (arguments.file == standardInput) {
    Expected<std::string> read = readStandardInput();
    if (!read)
      return read.error();
    text = std::move(*read);
  } else {
    Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(arguments.file);
    if (!bytes)
      return bytes.error();
    text = (*bytes)->view();
  }
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  lines->top = lines->absolute(here);
  if (std::optional<Error> wrong = lines->parse(withoutColors(text), here, arguments.file))
    return *wrong;
  return lines;
}

bool ChangedLines::touches(const SourceLocation &l) {
  if (!l.valid())
    return false;
  const auto file = files.find(absolute(l.path));
  if (file == files.end())
    return false;
  const std::uint32_t last = std::max(l.line, l.endLine);
  return file->second.whole || std::ranges::any_of(file->second.lines, [&](const auto &lines) {
           return lines.first <= last && l.line <= lines.second;
         });
}

/// Whether what is not in the diff has not changed: of what lies outside of its folder, or is ignored, a diff says
/// nothing.
bool ChangedLines::isKnown(const std::string &path) const {
  if (path.empty())
    return false;
  if (files.contains(path))
    return true;
  const fs::path relative = fs::path(path).lexically_relative(top);
  const bool isOutside = relative.empty() || *relative.begin() == "..";
  return !isOutside && (tracked.empty() || tracked.contains(relative.string()));
}

std::string ChangedLines::unknownFiles() const {
  constexpr std::size_t named = 10;
  if (unknown.empty())
    return {};
  std::string names;
  for (const std::string &name : unknown | std::views::take(named))
    names += (names.empty() ? "" : ", ") + name;
  const bool isOne = unknown.size() == 1;
  return fmt::format("{} file{} not part of what the change is told of (ignored, outside, or standard input): all "
                     "findings of {} are reported: {}{}",
                     unknown.size(), isOne ? " is" : "s are", isOne ? "it" : "them", names,
                     unknown.size() > named ? ", …" : "");
}

void ChangedLines::noteUnknown(const std::string &path) {
  const std::scoped_lock lock(mutex);
  unknown.insert(path);
}

bool ChangedLines::isInUnknown(const SourceLocation &l) {
  if (!l.valid() || isKnown(absolute(l.path)))
    return false;
  noteUnknown(l.path);
  return true;
}

void ChangedLines::apply(InputReport &input) {
  const std::string holder = fileOf(input.path), path = holder.empty() ? holder : absolute(holder);
  if (!isKnown(path)) {
    if (!input.findings.empty())
      noteUnknown(input.path);
    return;
  }
  std::vector<std::string> own{path};
  bool isChanged = input.kind != "cxx" && files.contains(path);
  for (const InputDependency &d : input.dependencies)
    if (d.state == InputDependency::State::Content || d.state == InputDependency::State::Size) {
      own.push_back(absolute(d.path));
      isChanged |= input.kind != "cxx" && files.contains(own.back());
    }
  {
    const std::scoped_lock lock(mutex);
    for (std::string &each : own)
      if (files.contains(each))
        reached.insert(std::move(each));
  }
  if (isChanged)
    return;
  const bool isSource = input.kind == "cxx"; // a model says what is in it, whatever the code that made it says now
  std::vector<Finding> left;
  for (Finding &f : input.findings) {
    if (touches(f.location) || (isSource && isInUnknown(f.location)) ||
        std::ranges::any_of(f.related, [&](const Related &r) { return touches(r.location); })) {
      left.push_back(std::move(f));
      continue;
    }
    f.suppressedBy = suppressedBy;
    f.justification = where;
    input.suppressed.push_back(std::move(f));
  }
  input.findings = std::move(left);
}

std::vector<std::string> ChangedLines::notReached() const {
  std::vector<std::string> names;
  for (const auto &[path, file] : files) {
    const std::optional<Format> format = formatOfPath(path);
    const bool isModel = format == Format::Pt2 || format == Format::Onnx;
    if ((isModel || isCxxSource(path)) && !reached.contains(path))
      names.push_back(file.shown);
  }
  return names;
}

} // namespace condlint
