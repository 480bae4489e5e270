//===- InputWalk.cpp - The files behind the arguments, one by one ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CxxSources.h"
#include "Inputs.h"
#include "StandardInput.h"
#include "cxx/CompilationDatabase.h"
#include "readers/ExecuTorchProgram.h"
#include "readers/archive/ModelArchive.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <filesystem>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>
#include <utility>
#include <xxhash.h>

namespace condlint {

namespace {

namespace fs = std::filesystem;

bool holdsGraphJson(const std::string &path) {
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(path);
  return bytes && beginsLikeGraphJson((*bytes)->view());
}

bool holdsProgram(const std::string &path) {
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(path);
  return bytes && isExecuTorchProgram((*bytes)->view());
}

bool isModelInFolder(const std::string &path) {
  std::optional<Format> format = formatOfPath(path);
  return format == Format::Pt2 || format == Format::Onnx || (format == Format::Json && holdsGraphJson(path));
}

/// Why Python has to read \p argument: it is a source of its, or names what makes a module
/// ("package.module:factory"); empty for what it is not needed for.
std::string whyPythonReads(const std::string &argument) {
  constexpr std::string_view suffix = ".py";
  const std::size_t colon = argument.find(':');
  const auto isDotted = [](std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
      return c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
  };
  std::error_code none;
  const bool isFactory = colon != std::string::npos && isDotted(std::string_view(argument).substr(0, colon)) &&
                         isDotted(std::string_view(argument).substr(colon + 1)) && !fs::exists(argument, none);
  if (!isFactory && !argument.ends_with(suffix))
    return {};
  return "is for the Python package: `python -m condlint check " + argument +
         (isFactory ? "` imports and runs it" : " --target nnscaler` reads Python source");
}

/// What went wrong, without the name of the file, which the report shows.
std::string walkProblem(Error error) {
  error.file.clear();
  return error.str();
}

struct CloseFolder {
  void operator()(DIR *folder) const { ::closedir(folder); }
};

/// The kind of file (S_IFMT) that \p entry of \p folder is or, where it is a link, leads to; 0: that cannot be told.
mode_t kindOf(const dirent &entry, const std::string &folder) {
  if (entry.d_type == DT_DIR)
    return S_IFDIR;
  if (entry.d_type == DT_REG)
    return S_IFREG;
  struct stat info{};
  return ::stat((folder + entry.d_name).c_str(), &info) == 0 ? info.st_mode & S_IFMT : 0;
}

/// Several inputs, one after the other. One is held back, so that what is left out behind the last of them is told.
class InputSource {
public:
  virtual ~InputSource() = default;

  std::optional<InputFile> next() {
    if (!isBegun)
      held = take();
    isBegun = true;
    std::optional<InputFile> now = std::move(held);
    held = now ? take() : std::nullopt;
    if (const ProgramsLeftOut programs = now ? takePrograms() : ProgramsLeftOut(); !programs.empty())
      now->notes.push_back(programs.note());
    return now;
  }

private:
  std::optional<InputFile> held;
  bool isBegun = false;

  virtual std::optional<InputFile> take() = 0;
  /// The programs of ExecuTorch that were passed over since this was asked last.
  virtual ProgramsLeftOut takePrograms() = 0;
};

/// What is to be analysed in a folder: its models in the order of their paths, as they are met, and then its C++
/// sources.
class FolderSource : public InputSource {
public:
  FolderSource(std::string argument, std::string build) : root(std::move(argument)), buildFolder(std::move(build)) {
    enter(root + (root.ends_with('/') ? "" : "/"));
  }

private:
  std::optional<InputFile> take() override {
    std::optional<InputFile> file = nextModel();
    if (!file)
      file = nextSource();
    if (!file && !any)
      file = InputFile{root,
                       "the folder holds no .pt2 and no .onnx file, and no C++ source that a compile_commands.json "
                       "knows" +
                           programsFound(),
                       true};
    any = true;
    return file;
  }

  ProgramsLeftOut takePrograms() override { return std::exchange(programs, {}); }

  struct Level {
    std::string path;               ///< with a slash at its end
    std::vector<std::string> names; ///< those of folders with a slash: so they stand where their content does
    std::size_t at = 0;
  };

  /// Goes into \p path, unless it was searched already: links can lead in circles.
  void enter(std::string path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0 || !visited.emplace(info.st_dev, info.st_ino).second)
      return;
    Level level{std::move(path), {}};
    // The system's own calls: std::filesystem's iterator makes a path of each entry, which takes longer than all else.
    const std::unique_ptr<DIR, CloseFolder> folder(::opendir(level.path.c_str()));
    const dirent *entry = nullptr;
    while (folder && (errno = 0, entry = ::readdir(folder.get())) != nullptr) {
      std::string name = entry->d_name;
      if (name.starts_with('.'))
        continue;
      const mode_t kind = kindOf(*entry, level.path);
      if (S_ISDIR(kind))
        level.names.push_back(name + '/');
      else if (name == compileCommandsName)
        databases.push_back(level.path + name);
      else if (formatOfPath(name))
        level.names.push_back(std::move(name));
      else if (isNamedExecuTorchProgram(name) && holdsProgram(level.path + name))
        programs.add(level.path + name);
      else if (others.size() < mostOthers && S_ISREG(kind))
        others.push_back(level.path + name);
    }
    if (errno != 0)
      unread = InputFile{level.path.substr(0, level.path.size() - 1),
                         std::string("the folder cannot be searched: ") + std::strerror(errno)};
    std::sort(level.names.begin(), level.names.end());
    levels.push_back(std::move(level));
  }

  std::optional<InputFile> nextModel() {
    while (!levels.empty() || unread) {
      if (unread)
        return std::exchange(unread, std::nullopt);
      Level &level = levels.back();
      if (level.at == level.names.size()) {
        levels.pop_back();
        continue;
      }
      std::string path = level.path + level.names[level.at++];
      if (path.ends_with('/'))
        enter(std::move(path));
      else if (isModelInFolder(path))
        return InputFile{std::move(path), {}};
    }
    return std::nullopt;
  }

  /// What a folder without models may hold in their place: programs of ExecuTorch, whatever they are called.
  std::string programsFound() {
    if (const ProgramsLeftOut named = takePrograms(); !named.empty())
      return "; " + executorchProgramError(named.names().front()).str();
    const auto found = std::ranges::find_if(others, holdsProgram);
    return found == others.end() ? std::string() : "; " + executorchProgramError(*found).str();
  }

  std::optional<InputFile> nextSource() {
    if (!sources) {
      std::sort(databases.begin(), databases.end());
      if (!buildFolder.empty())
        databases = {compileCommandsIn(buildFolder)};
      else if (std::string above = compileCommandsAbove(root); !above.empty())
        databases.push_back(std::move(above)); // when it is one of those, its sources are taken once
      sources = cxxSourcesBelow(root, databases);
    }
    if (taken == sources->size())
      return std::nullopt;
    return std::move((*sources)[taken++]);
  }

  std::string root, buildFolder;
  std::vector<Level> levels;
  std::set<std::pair<dev_t, ino_t>> visited;
  std::optional<InputFile> unread; ///< a folder
  static constexpr std::size_t mostOthers = 256;
  std::vector<std::string> others; ///< some of the files that are no inputs
  ProgramsLeftOut programs;        ///< as their names say, in the order in which folders are entered
  std::vector<std::string> databases;
  std::optional<std::vector<InputFile>> sources;
  std::size_t taken = 0;
  bool any = false;
};

/// The models in an archive, called after it: "models.tar/dir/m.onnx".
class ArchiveSource : public InputSource {
public:
  ArchiveSource(std::string p, std::unique_ptr<ModelArchive> a) : path(std::move(p)), archive(std::move(a)) {}

private:
  std::optional<InputFile> take() override {
    if (!archive)
      return std::nullopt;
    Expected<std::optional<ModelArchive::Member>> member = archive->next();
    programs.add(archive->takePrograms(), path + '/');
    if (!member || !*member) {
      archive.reset();
      if (!member)
        return InputFile{path, walkProblem(member.error())};
      if (!any)
        return InputFile{path, "the archive holds no .pt2 and no .onnx file, and no graph .json" + programsFound(),
                         true};
      return std::nullopt;
    }
    any = true;
    ModelArchive::Member &m = **member;
    InputFile file{m.name.empty() ? path : path + '/' + m.name, std::move(m.problem)};
    file.bytes = std::move(m.bytes);
    return file;
  }

  ProgramsLeftOut takePrograms() override { return std::exchange(programs, {}); }

  std::string programsFound() {
    const ProgramsLeftOut found = takePrograms();
    return found.empty() ? std::string() : "; " + executorchProgramError(found.names().front()).str();
  }

  std::string path;
  std::unique_ptr<ModelArchive> archive;
  ProgramsLeftOut programs;
  bool any = false;
};

/// The lines of a file or of standard input.
class LineReader {
public:
  explicit LineReader(const std::string &path) : file(path == standardInput ? stdin : std::fopen(path.c_str(), "re")) {}
  ~LineReader() {
    if (file != nullptr && file != stdin)
      std::fclose(file);
    std::free(line); // NOLINT(cppcoreguidelines-no-malloc): getline's
  }
  LineReader(const LineReader &) = delete;
  LineReader &operator=(const LineReader &) = delete;

  explicit operator bool() const { return file != nullptr; }

  /// The next line that is not empty, without its end.
  std::optional<std::string> next() {
    for (;;) {
      const ssize_t n = ::getline(&line, &size, file);
      if (n < 0)
        return std::nullopt;
      std::string_view text(line, static_cast<std::size_t>(n));
      while (text.ends_with('\n') || text.ends_with('\r'))
        text.remove_suffix(1);
      if (!text.empty())
        return std::string(text);
    }
  }
  bool failed() const { return std::ferror(file) != 0; }

private:
  std::FILE *file;
  char *line = nullptr;
  std::size_t size = 0;
};

} // namespace

struct InputWalk::State {
  std::vector<std::string> arguments;
  std::string buildFolder;
  std::size_t at = 0; ///< of the next argument
  std::string listName;
  std::unique_ptr<LineReader> list;
  bool listIsEmpty = false;
  std::unique_ptr<InputSource> source;
  fs::path here;
  bool isOver = false;

  // One argument alone names nothing twice. Else what was met is known by its hash: a path takes ten times as much.
  struct Hash128 {
    std::uint64_t low, high;
    bool operator==(const Hash128 &) const = default;
  };
  struct LowHalf {
    std::size_t operator()(const Hash128 &h) const { return h.low; }
  };
  bool mayRepeat = false;
  std::unordered_set<Hash128, LowHalf> taken;

  bool isNew(const InputFile &file) {
    if (!mayRepeat)
      return true;
    const std::string path = (here / file.path).lexically_normal().string();
    const XXH128_hash_t hash = XXH3_128bits(path.data(), path.size());
    return taken.insert({hash.low64, hash.high64}).second;
  }

  Expected<std::optional<std::string>> word();
  std::optional<InputFile> begin(std::string argument);
  std::optional<InputFile> standardInputs();
  Expected<std::optional<InputFile>> one();
};

/// The next argument, or line of a list.
Expected<std::optional<std::string>> InputWalk::State::word() {
  for (;;) {
    if (list) {
      std::optional<std::string> line = list->next();
      const bool failed = !line && list->failed();
      if (line || failed || listIsEmpty) {
        const Error error{listName, {}, failed ? "the list cannot be read" : "the list names no input", {}};
        listIsEmpty = false;
        if (!line)
          return error;
        return line;
      }
      list.reset();
    }
    if (at == arguments.size())
      return std::optional<std::string>();
    std::string argument = std::move(arguments[at++]);
    if (argument.size() < 2 || !argument.starts_with('@'))
      return std::optional<std::string>(std::move(argument));
    listName = argument.substr(1);
    list = std::make_unique<LineReader>(listName);
    listIsEmpty = true;
    if (!*list) {
      const Error error{listName, {}, std::string("the list cannot be read: ") + std::strerror(errno), {}};
      list.reset();
      return error;
    }
  }
}

/// An input that \p argument is; or nothing, and `source` has those that it stands for.
std::optional<InputFile> InputWalk::State::begin(std::string argument) {
  if (argument == standardInput)
    return standardInputs();
  if (argument.find('\0') != std::string::npos)
    return InputFile{std::move(argument), "no such file: the path holds a zero byte"};
  std::error_code error;
  if (fs::is_directory(argument, error)) {
    source = std::make_unique<FolderSource>(std::move(argument), buildFolder);
    return std::nullopt;
  }
  if (ModelArchive::isNamedSo(argument) && fs::is_regular_file(argument, error)) {
    Expected<std::unique_ptr<ModelArchive>> archive = ModelArchive::open(argument, mostOfStandardInput());
    if (!archive)
      return InputFile{argument, walkProblem(archive.error())};
    source = std::make_unique<ArchiveSource>(std::move(argument), std::move(*archive));
    return std::nullopt;
  }
  std::string problem = whyPythonReads(argument);
  return InputFile{std::move(argument), std::move(problem)};
}

/// Standard input is a model, or an archive of models, which is read as it comes.
std::optional<InputFile> InputWalk::State::standardInputs() {
  const std::string name(standardInput);
  Expected<std::string> begun = beginStandardInput(ModelArchive::bytesToTell);
  if (!begun)
    return InputFile{name, walkProblem(begun.error())};
  const bool isZip = begun->starts_with("PK");
  std::unique_ptr<ModelArchive> archive;
  if (ModelArchive::beginsLikeOne(*begun) && !isZip) {
    Expected<std::unique_ptr<ModelArchive>> opened =
        ModelArchive::openStream(STDIN_FILENO, std::move(*begun), name, mostOfStandardInput());
    if (!opened)
      return InputFile{name, walkProblem(opened.error())};
    source = std::make_unique<ArchiveSource>(name, std::move(*opened));
    return std::nullopt;
  }
  Expected<std::string> rest = readStandardInput();
  if (!rest)
    return InputFile{name, walkProblem(rest.error())};
  std::string text = std::move(*begun) + *rest;
  if (text.empty())
    return InputFile{name, "standard input is empty, expected a .pt2, an .onnx or a graph .json"};
  if (isZip) { // a .pt2 is a zip as well, which holds no models with a name of their own
    Expected<std::unique_ptr<ModelArchive>> opened = ModelArchive::openStream(-1, text, name, mostOfStandardInput());
    Expected<std::optional<ModelArchive::Member>> first =
        opened ? (*opened)->next() : Expected<std::optional<ModelArchive::Member>>(std::nullopt);
    if (first && *first) {
      opened = ModelArchive::openStream(-1, std::move(text), name, mostOfStandardInput());
      source = std::make_unique<ArchiveSource>(name, std::move(*opened));
      return std::nullopt;
    }
  }
  InputFile file{name, {}};
  file.bytes = FileBytes::copy(text);
  return file;
}

Expected<std::optional<InputFile>> InputWalk::State::one() {
  for (;;) {
    std::optional<InputFile> file;
    if (source) {
      file = source->next();
      if (!file) {
        source.reset();
        continue;
      }
    } else {
      Expected<std::optional<std::string>> next = word();
      if (!next)
        return next.error();
      if (!*next)
        return std::optional<InputFile>();
      file = begin(std::move(**next));
      if (!file)
        continue;
    }
    if (isNew(*file))
      return file;
  }
}

InputWalk::InputWalk(std::vector<std::string> arguments, std::string buildFolder) : state(std::make_unique<State>()) {
  std::error_code none;
  state->here = fs::current_path(none);
  state->mayRepeat =
      arguments.size() > 1 || std::ranges::any_of(arguments, [](const std::string &a) { return a.starts_with('@'); });
  state->arguments = std::move(arguments);
  state->buildFolder = std::move(buildFolder);
}

InputWalk::~InputWalk() = default;

Expected<std::vector<InputFile>> InputWalk::next(std::size_t most, std::size_t mostBytes) {
  std::vector<InputFile> files;
  std::size_t bytes = 0;
  while (files.size() < most && bytes < mostBytes && !state->isOver) {
    Expected<std::optional<InputFile>> file = state->one();
    if (!file)
      return file.error();
    state->isOver = !*file;
    if (!*file)
      break;
    if ((*file)->bytes)
      bytes += (*file)->bytes->view().size();
    files.push_back(std::move(**file));
  }
  return files;
}

bool InputWalk::mayBeMany() const {
  std::error_code error;
  return state->mayRepeat || (state->arguments.size() == 1 && fs::is_directory(state->arguments.front(), error));
}

bool InputWalk::isOver() const { return state->isOver; }

std::vector<InputFile> expandInputs(const std::vector<std::string> &arguments, const std::string &buildFolder) {
  Expected<std::vector<InputFile>> all = InputWalk(arguments, buildFolder).next(SIZE_MAX, SIZE_MAX);
  if (!all)
    return {InputFile{all.error().file, all.error().message}};
  return std::move(*all);
}

} // namespace condlint
