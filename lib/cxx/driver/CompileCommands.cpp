//===- CompileCommands.cpp - How a source is compiled ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompileCommands.h"
#include "cxx/CompilationDatabase.h"
#include <algorithm>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;
using clang::tooling::CompilationDatabase;
using clang::tooling::FixedCompilationDatabase;
using clang::tooling::JSONCompilationDatabase;

/// \p text with the folders of its entries made absolute: they are relative to
/// the file where a generator wrote them so. Nothing when there is no such entry
/// or \p text is no such database.
std::optional<std::string> withAbsoluteFolders(llvm::StringRef text, const fs::path &home) {
  // Nearly every database is absolute: look before parsing.
  constexpr llvm::StringRef key = "\"directory\"";
  bool relative = false;
  for (std::size_t at = text.find(key); at != llvm::StringRef::npos && !relative; at = text.find(key, at + 1)) {
    llvm::StringRef rest = text.substr(at + key.size()).ltrim(" \t\r\n:");
    relative = rest.consume_front("\"") && !rest.starts_with("/") && !rest.starts_with("\\");
  }
  if (!relative)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  if (llvm::json::Array *entries = parsed->getAsArray())
    for (llvm::json::Value &entry : *entries)
      if (llvm::json::Object *object = entry.getAsObject())
        if (std::optional<llvm::StringRef> folder = object->getString("directory"))
          (*object)["directory"] = (home / folder->str()).lexically_normal().string();
  return llvm::formatv("{0}", *parsed).str();
}

std::unique_ptr<CompilationDatabase> loadJson(const fs::path &path, std::string &problem) {
  auto buffer = llvm::MemoryBuffer::getFile(path.string());
  if (!buffer) {
    problem = buffer.getError().message();
    return nullptr;
  }
  std::optional<std::string> absolute = withAbsoluteFolders((*buffer)->getBuffer(), path.parent_path());
  auto syntax = clang::tooling::JSONCommandLineSyntax::AutoDetect;
  std::unique_ptr<JSONCompilationDatabase> json =
      absolute ? JSONCompilationDatabase::loadFromBuffer(*absolute, problem, syntax)
               : JSONCompilationDatabase::loadFromFile(path.string(), problem, syntax);
  if (!json)
    return nullptr;
  return inferTargetAndDriverMode(
      inferMissingCompileCommands(expandResponseFiles(std::move(json), llvm::vfs::getRealFileSystem())));
}

/// The flags behind `--`, with the response files among them.
std::vector<std::string> expanded(const std::vector<std::string> &flags, const std::string &folder) {
  llvm::BumpPtrAllocator allocator;
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  llvm::SmallVector<const char *, 32> words;
  for (const std::string &flag : flags)
    words.push_back(flag.c_str());
  context.setCurrentDir(folder).setRelativeNames(true);
  if (llvm::Error error = context.expandResponseFiles(words))
    llvm::consumeError(std::move(error)); // what is left is told by the compiler
  return {words.begin(), words.end()};
}

} // namespace

CompileCommands::CompileCommands() = default;
CompileCommands::~CompileCommands() = default;

CompileCommands::DatabasePtr CompileCommands::databaseIn(const std::string &folder) {
  auto [known, isNew] = byFolder.try_emplace(folder);
  if (!isNew)
    return known->second;
  std::error_code error;
  for (const std::string_view name : compilationDatabases) {
    const fs::path path = fs::path(folder) / name;
    if (!fs::is_regular_file(path, error))
      continue;
    auto database = std::make_shared<Database>();
    database->path = path.string();
    database->commands = path.extension() == ".json"
                             ? loadJson(path, database->problem)
                             : FixedCompilationDatabase::loadFromFile(path.string(), database->problem);
    known->second = std::move(database);
    break;
  }
  return known->second;
}

CompileCommands::DatabasePtr CompileCommands::nearest(const std::string &file) {
  for (fs::path at = fs::path(file).parent_path(); !at.empty(); at = at.parent_path()) {
    if (DatabasePtr found = databaseIn(at.string()))
      return found;
    if (at == at.root_path())
      break;
  }
  return nullptr;
}

/// Takes those response files out of \p command that are not there: those that are were expanded before.
static void dropResponseFiles(CompileCommand &command) {
  std::vector<std::string> &all = command.arguments;
  const auto end = std::find(all.begin(), all.end(), "--"); // behind it is the source
  std::vector<std::string> kept;
  for (auto at = all.begin(); at != end; ++at)
    if (at->size() > 1 && at->front() == '@')
      command.problems.push_back(
          fmt::format("there is no response file {}: the flags in it are missing", at->substr(1)));
    else
      kept.push_back(std::move(*at));
  std::move(end, all.end(), std::back_inserter(kept));
  all = std::move(kept);
}

Expected<CompileCommand> CompileCommands::find(const std::string &file, const CxxSettings &settings) {
  CompileCommand command;
  if (settings.flags) {
    std::error_code error;
    command.folder = fs::current_path(error).string();
    command.arguments = {"clang++"};
    for (std::string &flag : expanded(*settings.flags, command.folder))
      command.arguments.push_back(std::move(flag));
    command.arguments.insert(command.arguments.end(), {"--", file});
    dropResponseFiles(command);
    return command;
  }
  const std::scoped_lock lock(mutex);
  std::error_code ignored;
  DatabasePtr database = settings.buildFolder.empty()
                             ? nearest(file)
                             : databaseIn(fs::absolute(settings.buildFolder, ignored).lexically_normal().string());
  if (!database)
    return guessedCommand(file);
  if (!database->commands)
    return Error{database->path, "", "is no database of compile commands: " + database->problem, ""};
  std::vector<clang::tooling::CompileCommand> commands = database->commands->getCompileCommands(file);
  if (commands.empty()) {
    command = guessedCommand(file);
    command.notes.front() = database->path + " has no command for it; " + command.notes.front();
    return command;
  }
  const auto differs = [&](const clang::tooling::CompileCommand &other) {
    return other.CommandLine != commands.front().CommandLine || other.Directory != commands.front().Directory;
  };
  if (std::ranges::any_of(commands, differs))
    command.notes.push_back(fmt::format("{} has {} commands for it; it is read with the first (another is read with "
                                        "its flags behind --)",
                                        database->path, commands.size()));
  command.arguments = std::move(commands.front().CommandLine);
  command.folder = std::move(commands.front().Directory);
  command.database = database->path;
  dropResponseFiles(command);
  if (!commands.front().Heuristic.empty())
    command.notes.push_back(fmt::format("{} has no command for it; the flags are {}", database->path,
                                        std::move(commands.front().Heuristic)));
  return command;
}

} // namespace condlint::cxx
