//===- UnitReader.cpp - One C++ source to its models ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnitReader.h"
#include "CompileCommands.h"
#include "ParseUnit.h"
#include "PrefixStore.h"
#include "ProjectFiles.h"
#include "ReadUnit.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <clang/Basic/Version.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <llvm/Support/CrashRecoveryContext.h>
#include <optional>
#include <string_view>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

class UnitReader : public CxxReader {
public:
  UnitReader() { llvm::CrashRecoveryContext::Enable(); }
  CxxUnit read(const std::string &path, const CxxSettings &settings) override;
  std::string circumstances(const std::string &path, const CxxSettings &settings) override;
  std::string llvmVersion() const override { return CLANG_VERSION_STRING; }

private:
  void readOnThisStack(const std::string &path, const CxxSettings &settings, CxxUnit &unit);

  CompileCommands commands;
  PrefixStore prefixes;
};

void fail(CxxUnit &unit, std::string reason) {
  unit.status = CxxStatus::Failed;
  unit.reason = std::move(reason);
  unit.models.clear();
}

/// \p file begins with the byte order mark of UTF-16, which Clang does not read.
bool isUtf16(const std::string &file) {
  std::array<char, 2> head{};
  std::ifstream(file, std::ios::binary).read(head.data(), head.size());
  return head == std::array{'\xff', '\xfe'} || head == std::array{'\xfe', '\xff'};
}

/// What the editor holds of it, or the disk.
std::string textOf(const std::string &file, const CxxSettings &settings) {
  if (settings.unsaved)
    if (const auto open = std::ranges::find(*settings.unsaved, file, &UnsavedFile::path);
        open != settings.unsaved->end())
      return open->text;
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

CxxUnit UnitReader::read(const std::string &path, const CxxSettings &settings) {
  // Deeply nested code takes much stack. The memory is only used where it is needed.
  constexpr unsigned stackSize = 64U << 20U;
  CxxUnit unit;
  llvm::CrashRecoveryContext recovery;
  // Who forks while it is read has given the one thread that goes on a stack as large.
  const auto read = [&] { readOnThisStack(path, settings, unit); };
  if (!(settings.rereading ? recovery.RunSafely(read) : recovery.RunSafelyOnThread(read, stackSize)))
    fail(unit, "the C++ front end broke down on it, which is a fault of condlint's or of Clang's");
  return unit;
}

std::string UnitReader::circumstances(const std::string &path, const CxxSettings &settings) {
  std::error_code error;
  const std::string file = fs::absolute(path, error).lexically_normal().string();
  Expected<CompileCommand> command = commands.find(file, settings);
  if (!command)
    return {};
  prepare(*command, file);
  const ProjectFiles project(file, command->folder, fs::path(command->database).parent_path().string());
  std::string out;
  const auto add = [&](std::string_view part) { out.append(part).push_back('\0'); };
  add(file);
  add(command->folder);
  add(command->database);
  add(project.root().native());
  for (const std::vector<std::string> *words : {&command->arguments, &command->notes, &command->problems}) {
    for (const std::string &word : *words)
      add(word);
    add("");
  }
  // What Clang's driver asks for besides.
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "SDKROOT",
                           "GCC_EXEC_PREFIX", "CUDA_PATH", "CUDA_HOME"}) {
    const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody here sets any
    add(value != nullptr ? value : "");
  }
  add(clang::getClangFullVersion());
  return out;
}

void UnitReader::readOnThisStack(const std::string &path, const CxxSettings &settings, CxxUnit &unit) {
  std::error_code error;
  const std::string file = fs::absolute(path, error).lexically_normal().string();
  const bool isOpen =
      settings.unsaved && std::ranges::any_of(*settings.unsaved, [&](const UnsavedFile &f) { return f.path == file; });
  if (!isOpen) {
    if (!fs::exists(file, error))
      return fail(unit, "there is no such file");
    if (!fs::is_regular_file(file, error))
      return fail(unit, "is no file");
    if (isUtf16(file))
      return fail(unit, "is UTF-16, expected UTF-8");
  }
  Expected<CompileCommand> command = commands.find(file, settings);
  if (!command)
    return fail(unit, command.error().str());
  prepare(*command, file);
  for (std::string &note : command->notes)
    unit.notes.push_back({{}, std::move(note)});
  unit.folder = command->folder;

  const ProjectFiles project(file, command->folder, fs::path(command->database).parent_path().string());
  unit.root = project.root().string();
  SourceOptions options = sourceOptions(settings, project);
  SharedPrefix shared{prefixes,
                      project,
                      settings.cacheFolder,
                      settings.units > 1,
                      settings.unsaved.get(),
                      settings.recordsFiles ? &unit.dependencies : nullptr};
  std::optional<RoomyText> roomy;
  std::vector<UnsavedFile> withRoom;
  if (settings.rereading) {
    roomy.emplace(textOf(file, settings));
    if (settings.unsaved)
      withRoom = *settings.unsaved;
    std::erase_if(withRoom, [&](const UnsavedFile &f) { return f.path == file; });
    withRoom.push_back({file, roomy->text()});
    shared.unsaved = &withRoom;
    shared.roomy = &*roomy;
    shared.rereading = settings.rereading.get();
  }
  const auto started = Clock::now();
  const ParseOutcome outcome =
      parseUnit(*command, options, shared,
                [&](clang::ASTContext &ast, clang::Preprocessor &preprocessor, const ErrorPlaces &errors) {
                  const auto parsed = Clock::now();
                  options.errors = errors;
                  readUnit(ast, &preprocessor, file, settings, options, unit);
                  unit.readSeconds = Seconds(Clock::now() - parsed).count();
                });
  unit.parseSeconds = Seconds(Clock::now() - started).count() - unit.readSeconds;
  unit.files = outcome.files;
  unit.notes.insert(unit.notes.end(), outcome.notes.begin(), outcome.notes.end());
  // What is missing of the command stands before what came of that.
  for (const std::string &problem : command->problems)
    unit.errors.push_back({{}, problem});
  unit.errors.insert(unit.errors.end(), outcome.errors.begin(), outcome.errors.end());
  unit.errorCount = outcome.errorCount + command->problems.size();
  if (!outcome.parsed)
    return fail(unit, outcome.problem);
  if (unit.errorCount != 0)
    unit.status = CxxStatus::Partial;
  if (outcome.errorCount != 0 && outcome.declarations == 0)
    fail(unit, "");
}

} // namespace

CxxReader &unitReader() {
  static UnitReader reader;
  return reader;
}

} // namespace condlint::cxx
