//===- Output.cpp - Formats, and where each goes --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Output.h"
#include "condlint/Rule.h"
#include "config/UnknownWord.h"
#include "graph/NewFile.h"
#include "report/SafeText.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace condlint {

namespace {

Expected<OutputRequest> parseOutput(const std::string &text) {
  std::size_t equals = text.find('=');
  std::string name = text.substr(0, equals);
  OutputRequest request;
  request.format = findReportFormat(name);
  if (request.format == nullptr) {
    std::vector<std::string_view> known;
    for (const ReportFormat &format : reportFormats())
      known.push_back(format.name);
    return Error{"", "--output", unknownWord("format", name, known), ""};
  }
  if (equals != std::string::npos) {
    request.file = text.substr(equals + 1);
    if (request.file.empty())
      return Error{"", "--output", "'" + text + "' names no file after '='", ""};
    if (request.file == "-")
      request.file.clear();
    std::error_code error;
    if (std::filesystem::is_directory(request.file, error))
      request.file = (std::filesystem::path(request.file) / "condlint").string() + std::string(request.format->suffix);
    else if (request.file.ends_with('/'))
      return Error{"", "--output", "there is no folder '" + request.file + "'", "make it, or name a file"};
  }
  return request;
}

/// Writes \p text into what is there, or is made, at \p place, on behalf of \p path.
bool writeInto(const std::string &place, const std::string &path, std::string_view text) {
  std::FILE *file = std::fopen(place.c_str(), "wb");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  if (file != nullptr && std::fclose(file) != 0) {
    error = errno;
    written = false;
  }
  if (!written)
    complain(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
  return written;
}

} // namespace

Expected<std::vector<OutputRequest>> parseOutputs(const std::vector<std::string> &texts) {
  std::vector<OutputRequest> requests;
  std::set<std::string> places;
  for (const std::string &text : texts) {
    Expected<OutputRequest> request = parseOutput(text);
    if (!request)
      return request.error();
    if (!places.insert(request->file).second)
      return Error{"", "--output",
                   request->toStandardOutput() ? "two formats cannot share standard output"
                                               : "two formats cannot share the file '" + request->file + "'",
                   "give all but one a file of its own: --output FORMAT=FILE"};
    requests.push_back(*request);
  }
  if (requests.empty())
    requests.push_back({findReportFormat("text"), ""});
  return requests;
}

std::optional<Error> overwritten(const std::vector<std::string> &written, const std::vector<std::string> &read) {
  std::error_code error;
  for (const std::string &out : written) {
    if (out.empty())
      continue;
    const bool isThere = std::filesystem::is_regular_file(out, error);
    if (std::ranges::any_of(read, [&](const std::string &in) {
          return out == in || (isThere && !in.empty() && std::filesystem::equivalent(out, in, error));
        }))
      return Error{out, {}, "is read by this call, and would be overwritten", "name another file for what is written"};
  }
  return std::nullopt;
}

bool draws(const std::vector<OutputRequest> &requests) {
  return std::ranges::any_of(requests, [](const OutputRequest &request) { return request.format->draws; });
}

std::vector<std::string> filesOf(const std::vector<OutputRequest> &requests) {
  std::vector<std::string> files;
  for (const OutputRequest &request : requests)
    if (!request.toStandardOutput())
      files.push_back(request.file);
  return files;
}

std::string formatNames() {
  std::string names;
  for (const ReportFormat &format : reportFormats())
    names.append(names.empty() ? "" : ", ").append(format.name);
  return names;
}

RenderOptions renderOptions(const OutputRequest &request, ColorChoice color, bool quiet) {
  RenderOptions options;
  const bool colored = request.isText() && request.toStandardOutput() && useColor(color);
  options.color = colored ? ColorMode::Always : ColorMode::Never;
  options.quiet = quiet;
  for (const RuleInfo &rule : rules()) {
    RuleText text{rule.id, rule.group, rule.summary, rulePage(rule.id), Severity::Off};
    for (const RuleInfo::Row &row : rule.rows)
      text.severity = std::max(text.severity, row.severity);
    options.rules.push_back(text);
  }
  std::error_code error;
  options.workingFolder = std::filesystem::current_path(error).generic_string();
  return options;
}

bool useColor(ColorChoice choice) {
  if (choice != ColorChoice::Auto)
    return choice == ColorChoice::Always;
  const char *noColor = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  if (noColor != nullptr && *noColor != '\0')
    return false;
  return ::isatty(STDOUT_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

bool writeStandardOutput(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return true;
  complain(fmt::format("standard output cannot be written: {}", std::strerror(errno)));
  return false;
}

bool writeFile(const std::string &path, std::string_view text) {
  // A report is replaced when all of the new one is there; a pipe or a device is written to, and so is a file
  // in a folder that takes no other.
  if (::access(path.c_str(), W_OK) == 0 || errno == ENOENT)
    if (Expected<NewFile> file = NewFile::beside(path)) {
      if (!writeInto(file->path(), path, text))
        return false;
      const std::optional<Error> failed = file->keep();
      if (failed)
        complain(failed->str());
      return !failed;
    }
  return writeInto(path, path, text);
}

OutputInMaking::OutputInMaking(const OutputRequest &r) : request(r), flushed(std::chrono::steady_clock::now()) {
  if (request.toStandardOutput()) {
    file = stdout;
    // On a terminal the line that shows how far the run is stands there meanwhile.
    isTerminal = ::isatty(STDOUT_FILENO) == 1;
    if (isTerminal)
      std::setvbuf(stdout, nullptr, _IOFBF, std::size_t{1} << 20U);
    return;
  }
  const std::string &path = request.file;
  if (::access(path.c_str(), W_OK) == 0 || errno == ENOENT)
    if (Expected<NewFile> made = NewFile::beside(path))
      aside.emplace(std::move(*made));
  // A file without a name leaves nothing behind, however the run ends.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int unnamed =
      aside ? ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
  if (unnamed >= 0) {
    file = ::fdopen(unnamed, "wb");
    isUnnamed = true;
    aside.reset();
  } else {
    file = std::fopen(aside ? aside->path().c_str() : path.c_str(), "wbe");
  }
  if (file == nullptr)
    fail();
}

OutputInMaking::~OutputInMaking() {
  if (file != nullptr && file != stdout)
    std::fclose(file);
}

bool OutputInMaking::fail() {
  if (std::exchange(works, false))
    complain(fmt::format("{} cannot be written: {}",
                         request.toStandardOutput() ? "standard output" : request.file + ":", std::strerror(errno)));
  aside.reset();
  return false;
}

bool OutputInMaking::write(std::string_view text) {
  if (!works || text.empty())
    return works;
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
    return fail();
  // Who reads along should not wait for a buffer to be full.
  constexpr auto patience = std::chrono::milliseconds(200);
  if (const auto now = std::chrono::steady_clock::now(); file == stdout && !isTerminal && now - flushed > patience) {
    flushed = now;
    if (std::fflush(file) != 0)
      return fail();
  }
  return true;
}

/// Gives the file without a name the one that another has who is about to take its place.
bool OutputInMaking::nameIt() {
  Expected<NewFile> made = NewFile::beside(request.file);
  if (!made) {
    complain(made.error().str());
    return works = false;
  }
  aside.emplace(std::move(*made));
  struct stat info = {};
  const std::string self = fmt::format("/proc/self/fd/{}", ::fileno(file));
  const bool isNamed = ::stat(aside->path().c_str(), &info) == 0 &&
                       ::fchmod(::fileno(file), info.st_mode & 07777) == 0 && std::remove(aside->path().c_str()) == 0 &&
                       ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, aside->path().c_str(), AT_SYMLINK_FOLLOW) == 0;
  return isNamed || fail();
}

bool OutputInMaking::keep() {
  if (!works)
    return false;
  if (std::fflush(file) != 0)
    return fail();
  if (file == stdout)
    return true;
  if (isUnnamed && !nameIt())
    return false;
  if (std::fclose(std::exchange(file, nullptr)) != 0)
    return fail();
  const std::optional<Error> failed = aside ? aside->keep() : std::nullopt;
  if (failed) {
    complain(failed->str());
    aside.reset();
    works = false;
  }
  return works;
}

bool writeOutput(const OutputRequest &request, std::string_view text) {
  return request.toStandardOutput() ? writeStandardOutput(text) : writeFile(request.file, text);
}

void complain(std::string_view message) { fmt::print(stderr, "condlint: {}\n", safeText(message)); }

void complainAbout(const InputReport &input) {
  complain(fmt::format("{}: {}: {}", input.path, statusName(input.status), input.reason));
}

} // namespace condlint
