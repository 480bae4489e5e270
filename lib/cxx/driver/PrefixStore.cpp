//===- PrefixStore.cpp - Library headers parsed once ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefixStore.h"
#include "Diagnostics.h"
#include "EmbeddedHeaders.h"
#include "graph/FolderLimit.h"
#include "graph/NewFile.h"
#include <algorithm>
#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <cstdint>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;

std::string digest(const std::vector<std::string> &parts) {
  std::string all;
  for (const std::string &part : parts)
    all.append(part).push_back('\0');
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(all.data(), all.size()));
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.digest), /*LowerCase=*/true);
}

/// Tells apart all that a precompiled header depends on, but for the headers in
/// it: their names are told by the file beside it, their content is checked by Clang.
std::string flagsKey(const clang::CompilerInvocation &invocation, const std::string &workingFolder) {
  // What names the source, or where something goes, says nothing of the headers.
  clang::CompilerInvocation plain(invocation);
  clang::FrontendOptions &frontEnd = plain.getFrontendOpts();
  frontEnd.Inputs = {clang::FrontendInputFile("source", frontEnd.Inputs.front().getKind())};
  frontEnd.OutputFile.clear();
  plain.getCodeGenOpts().MainFileName.clear();
  plain.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  plain.getPreprocessorOpts().ImplicitPCHInclude.clear();
  std::vector<std::string> parts{clang::getClangFullVersion(), workingFolder};
  for (const EmbeddedHeader &header : embeddedHeaders)
    parts.emplace_back(header.text);
  for (std::string &argument : plain.getCC1CommandLine())
    parts.push_back(std::move(argument));
  return digest(parts);
}

/// `#include <vector>`, and the headers that models include from condlint.
bool isLight(const std::string &line) {
  const bool standard = line.find('<') != std::string::npos && line.find_first_of("./") == std::string::npos;
  return standard || line.find("<condlint/") != std::string::npos;
}

/// Of \p lines those whose order means something: the standard's headers, and condlint's, mean the same in any.
std::vector<std::string> ordered(const std::vector<std::string> &lines) {
  std::vector<std::string> out;
  std::ranges::remove_copy_if(lines, std::back_inserter(out), isLight);
  return out;
}

/// \p lines begin with what \p held holds, as far as order means something.
bool beginsWith(const std::vector<std::string> &lines, const std::vector<std::string> &held) {
  const std::vector<std::string> first = ordered(held), all = ordered(lines);
  return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
}

/// The precompiled header in \p folder, of those whose names begin with \p key,
/// that holds most of \p lines and nothing else.
fs::path largestSubset(const fs::path &folder, const std::string &key, const std::vector<std::string> &lines,
                       std::vector<std::string> &held) {
  fs::path best;
  std::error_code error, ignored;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path &path = at->path();
    if (path.extension() != ".h" || !path.filename().native().starts_with(key))
      continue;
    fs::path precompiled = path;
    precompiled.replace_extension(".pch");
    std::vector<std::string> own;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      own.push_back(line);
    const bool fits = std::all_of(own.begin(), own.end(), [&](const std::string &line) {
      return std::find(lines.begin(), lines.end(), line) != lines.end();
    });
    const bool better = own.size() > held.size() || (own.size() == held.size() && precompiled < best);
    if (fits && better && fs::exists(precompiled, ignored)) {
      held = std::move(own);
      best = std::move(precompiled);
    }
  }
  return best;
}

/// Keeps \p folder from growing without bounds: what was not used for longest goes.
void prune(const fs::path &folder) {
  constexpr std::uintmax_t most = std::uintmax_t{2} << 30U;
  std::vector<CachedFile> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".pch")
      addCachedFile(*at, files);
  removeOldest(std::move(files), most, most);
}

/// Of several processes the one that makes a precompiled header, by a file beside it that is locked meanwhile. The
/// file stays, with something in it, where none could be made: the next try is for later.
class Turn {
public:
  explicit Turn(std::string p) : path(std::move(p)), file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    constexpr std::time_t untilNextTry = 600; // seconds
    struct stat found{};
    isMine = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &found) == 0 &&
             (found.st_size == 0 || std::time(nullptr) - found.st_mtime >= untilNextTry);
  }
  ~Turn() {
    if (file >= 0)
      close(file);
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

  explicit operator bool() const { return isMine; }
  void done(bool isMade) {
    if (isMade)
      unlink(path.c_str());
    else if (ftruncate(file, 0) != 0 || pwrite(file, "failed", 6, 0) < 0)
      return; // it is tried again sooner
  }

private:
  std::string path;
  int file;
  bool isMine = false;
};

/// Writes \p text to \p path, whole or not at all.
bool writeWhole(const fs::path &path, const std::string &text) {
  Expected<NewFile> file = NewFile::beside(path.string());
  if (!file)
    return false;
  std::ofstream out(file->path(), std::ios::binary);
  out << text;
  out.close();
  return out && !file->keep();
}

bool precompile(const fs::path &header, const fs::path &result, const clang::CompilerInvocation &invocation,
                llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  Expected<NewFile> file = NewFile::beside(result.string());
  if (!file)
    return false;
  auto own = std::make_shared<clang::CompilerInvocation>(invocation);
  clang::FrontendOptions &frontEnd = own->getFrontendOpts();
  const clang::InputKind kind = frontEnd.Inputs.front().getKind();
  frontEnd.Inputs = {clang::FrontendInputFile(header.string(), kind.getHeader())};
  frontEnd.ProgramAction = clang::frontend::GeneratePCH;
  frontEnd.OutputFile = file->path();
  frontEnd.SkipFunctionBodies = true;
  ErrorCollector errors;
  clang::CompilerInstance compiler(std::move(own));
  compiler.setVirtualFileSystem(std::move(files));
  compiler.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  clang::GeneratePCHAction action;
  std::error_code error;
  const bool made = compiler.ExecuteAction(action) && errors.count == 0 && fs::file_size(file->path(), error) != 0;
  return made && !error && !file->keep();
}

} // namespace

std::shared_ptr<PrefixStore::Entry> PrefixStore::entryOf(const std::string &path) {
  const std::scoped_lock lock(mutex);
  std::shared_ptr<Entry> &entry = entries[path];
  if (!entry)
    entry = std::make_shared<Entry>();
  return entry;
}

PrecompiledPrefix PrefixStore::find(const std::vector<std::string> &lines, const clang::CompilerInvocation &invocation,
                                    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                    const std::string &workingFolder, const std::string &cacheFolder, Make make) {
  std::error_code error;
  fs::create_directories(cacheFolder, error);
  if (error)
    return {};
  std::vector<std::string> wanted = ordered(lines);
  if (wanted.empty())
    wanted = lines;
  const std::string key = flagsKey(invocation, workingFolder) + '-';
  const fs::path base = fs::path(cacheFolder) / (key + digest(wanted));
  const fs::path result = base.string() + ".pch", header = base.string() + ".h";
  const std::shared_ptr<Entry> entry = entryOf(result.string());
  const std::scoped_lock lock(entry->mutex);

  std::vector<std::string> held;
  if (fs::path found = largestSubset(cacheFolder, key, lines, held); !found.empty()) {
    fs::last_write_time(found, fs::file_time_type::clock::now(), error); // it was used
    return {found.string(), beginsWith(lines, held)};
  }
  if (make == Make::No)
    return {};
  std::optional<Turn> turn;
  if (make == Make::Aside && (!turn.emplace(base.string() + ".turn") || fs::exists(result, error)))
    return {};
  std::string text;
  for (const std::string &line : wanted)
    text += line + '\n';
  // The header is left where nothing was made, as a sign that it was met.
  const bool metBefore = entry->met++ != 0 || fs::exists(header, error);
  if (entry->unusable || (!fs::exists(header, error) && !writeWhole(header, text)) ||
      (make == Make::WhenKnown && !metBefore))
    return {};
  prune(cacheFolder);
  // A crash of Clang ends here, so that the lock is given back: others wait for it.
  bool made = false;
  llvm::CrashRecoveryContext crash;
  crash.RunSafely([&] { made = precompile(header, result, invocation, std::move(files)); });
  entry->unusable = !made;
  if (turn)
    turn->done(made);
  if (entry->unusable)
    return {};
  return {result.string(), beginsWith(lines, wanted)};
}

void PrefixStore::giveUp(const std::string &path) {
  const std::shared_ptr<Entry> entry = entryOf(path);
  const std::scoped_lock lock(entry->mutex);
  std::error_code error;
  fs::remove(path, error);
  entry->unusable = ++entry->givenUp > 1;
}

bool PrefixStore::keeps(const std::string &path, const std::string &cacheFolder) {
  if (cacheFolder.empty())
    return false;
  std::error_code error;
  fs::path folder = fs::absolute(cacheFolder, error).lexically_normal();
  if (!folder.has_filename()) // it was named with a slash at its end
    folder = folder.parent_path();
  const fs::path file = fs::path(path).lexically_normal();
  if (file == folder)
    return true;
  const std::string stem = file.stem().string();
  constexpr std::size_t half = 2 * sizeof(XXH128_canonical_t); // a digest in hexadecimal
  return file.parent_path() == folder && (file.extension() == ".pch" || file.extension() == ".h") &&
         stem.size() == 2 * half + 1 && stem[half] == '-' &&
         stem.find_first_not_of("0123456789abcdef-") == std::string::npos;
}

} // namespace condlint::cxx
