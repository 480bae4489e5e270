//===- Flags.cpp - Compiler flags, guessed and made fit -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompileCommands.h"
#include "ProjectFiles.h"
#include <algorithm>
#include <array>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <optional>
#include <string_view>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view cudaFolder = "/usr/local/cuda";

/// The include folders of the libtorch that the surroundings point to; empty
/// where there is none.
std::vector<std::string> torchIncludes() {
  std::vector<fs::path> prefixes;
  auto fromEnvironment = [&](const char *name, const char *below) {
    const char *value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody here sets any
    if (value != nullptr && *value != '\0')
      prefixes.push_back(fs::path(value) / below);
  };
  fromEnvironment("CONDLINT_TORCH", "");
  fromEnvironment("Torch_DIR", "../../..");
  fromEnvironment("LIBTORCH", "");
  // A list, as CMake's own: separated by colons here.
  const char *list = std::getenv("CMAKE_PREFIX_PATH"); // NOLINT(concurrency-mt-unsafe)
  for (std::string_view rest = list != nullptr ? list : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0)
      prefixes.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  for (const char *prefix : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const char *value = std::getenv(prefix); // NOLINT(concurrency-mt-unsafe)
    std::error_code error;
    if (value == nullptr || *value == '\0')
      continue;
    for (fs::directory_iterator at(fs::path(value) / "lib", error), end; !error && at != end; at.increment(error))
      if (at->path().filename().native().starts_with("python3"))
        prefixes.push_back(at->path() / "site-packages" / "torch");
  }
  for (const char *place : {"/usr/local/libtorch", "/opt/libtorch", "/usr"})
    prefixes.emplace_back(place);
  for (const fs::path &prefix : prefixes) {
    std::error_code error;
    const fs::path include = (prefix / "include").lexically_normal();
    if (fs::exists(include / "ATen" / "ATen.h", error))
      return {include.string(), (include / "torch/csrc/api/include").string()};
  }
  return {};
}

/// nvcc's flags in Clang's words: what only nvcc understands goes, what is for
/// the host compiler stays.
std::vector<std::string> fromNvcc(const std::vector<std::string> &arguments) {
  static constexpr std::array<std::string_view, 14> withValue{
      "-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code",     "--gpu-code", "-ccbin", "-Xcudafe",
      "-Xptxas",  "-Xnvlink",        "-t",    "-maxrregcount",      "--threads", "-Werror"};
  static constexpr std::array<std::string_view, 15> alone{"--expt-",
                                                          "-expt-",
                                                          "--extended-lambda",
                                                          "-extended-lambda",
                                                          "--use_fast_math",
                                                          "-use_fast_math",
                                                          "-rdc",
                                                          "-dc",
                                                          "-lineinfo",
                                                          "--relocatable-device-code",
                                                          "-forward-unknown-to",
                                                          "--forward-unknown-to",
                                                          "--diag-",
                                                          "-diag-",
                                                          "-G"};
  std::vector<std::string> out{"clang++"};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string_view word = arguments[i];
    const bool hasNext = i + 1 < arguments.size();
    auto valueOf = [&](std::string_view name) -> std::optional<std::string> {
      if (word == name && hasNext)
        return arguments[++i];
      if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=')
        return std::string(word.substr(name.size() + 1));
      return std::nullopt;
    };
    std::optional<std::string> host = valueOf("-Xcompiler");
    if (!host)
      host = valueOf("--compiler-options");
    if (host) {
      for (std::string_view rest = *host; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        out.emplace_back(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
      }
      continue;
    }
    if (std::optional<std::string> folder = valueOf("-isystem")) {
      out.insert(out.end(), {"-isystem", *folder});
      continue;
    }
    if (word == "-x") {
      i += hasNext ? 1 : 0; // told by `prepare`
      continue;
    }
    const bool known = std::any_of(withValue.begin(), withValue.end(),
                                   [&](std::string_view name) { return valueOf(name).has_value(); });
    if (!known &&
        std::none_of(alone.begin(), alone.end(), [&](std::string_view start) { return word.starts_with(start); }))
      out.emplace_back(word);
  }
  return out;
}

/// The headers that CMake's own header of those to precompile includes; nothing for another file. It calls itself
/// a system header, and what it includes would count as the system's.
std::optional<std::vector<std::string>> headersToPrecompile(const std::string &path) {
  constexpr std::string_view mark = "/* generated by CMake */", include = "#include ";
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || line != mark)
    return std::nullopt;
  std::vector<std::string> headers;
  while (std::getline(in, line))
    if (line.starts_with(include) && line.size() > include.size() + 2)
      headers.push_back(line.substr(include.size() + 1, line.size() - include.size() - 2));
  return headers;
}

/// Without precompiled headers, which are another compiler's or another
/// version's: the header itself is included instead, or what CMake's includes.
std::vector<std::string> withoutPrecompiledHeaders(const std::vector<std::string> &arguments) {
  std::vector<std::string> out;
  auto word = [&](std::size_t i) { return i < arguments.size() ? std::string_view(arguments[i]) : std::string_view(); };
  // CMake's way names the header beside the precompiled one.
  const bool namesHeader = std::find(arguments.begin(), arguments.end(), "-include") != arguments.end();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool forFrontEnd = word(i) == "-Xclang";
    const std::size_t at = i + (forFrontEnd ? 1 : 0);
    if (word(at) == "-include" && at + 1 < arguments.size()) {
      const std::size_t value = at + (forFrontEnd && word(at + 1) == "-Xclang" ? 2 : 1);
      if (const auto headers = headersToPrecompile(std::string(word(value)))) {
        for (const std::string &header : *headers)
          out.insert(out.end(), {"-include", header});
        i = value;
        continue;
      }
    }
    if (word(at) != "-include-pch") {
      out.push_back(arguments[i]);
      continue;
    }
    i = at + (forFrontEnd ? 2 : 1);
    std::string header(word(i));
    for (std::string_view suffix : {".pch", ".gch"})
      if (header.ends_with(suffix))
        header.resize(header.size() - suffix.size());
    std::error_code error;
    if (!namesHeader && fs::exists(header, error))
      out.insert(out.end(), {"-include", header});
  }
  return out;
}

/// The folder of CUDA: beside nvcc, where the environment says, or in the usual place; else empty.
std::string cudaInstallation(const std::string &compiler) {
  std::vector<fs::path> places;
  if (compiler.starts_with('/'))
    places.push_back(fs::path(compiler).parent_path().parent_path());
  bool told = false;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(name); value != nullptr && *value != '\0') { // NOLINT(concurrency-mt-unsafe)
      places.emplace_back(value);
      told = true;
    }
  if (!told)
    places.emplace_back(cudaFolder);
  std::error_code error;
  for (const fs::path &place : places)
    if (fs::exists(place / "include" / "cuda_runtime.h", error))
      return place.string();
  return {};
}

bool isCuda(const std::string &file) { return file.ends_with(".cu") || file.ends_with(".cuh"); }

} // namespace

CompileCommand guessedCommand(const std::string &file) {
  CompileCommand command;
  std::error_code error;
  command.folder = fs::path(file).parent_path().string();
  std::vector<std::string> flags;
  if (!file.ends_with(".c"))
    flags.emplace_back("-std=c++20");
  const ProjectFiles project(file, command.folder, "");
  for (const fs::path &folder : {project.root() / "include", project.root() / "src", project.root()})
    if (fs::is_directory(folder, error))
      flags.push_back("-I" + folder.string());
  const std::vector<std::string> torch = torchIncludes();
  for (const std::string &folder : torch)
    flags.insert(flags.end(), {"-isystem", folder});
  if (const fs::path cuda = fs::path(cudaFolder) / "include"; fs::is_directory(cuda, error))
    flags.insert(flags.end(), {"-isystem", cuda.string()});
  command.notes.push_back(fmt::format(
      "no compile command; parsed with {}{} (-p DIR names the folder of compile_commands.json, and what stands "
      "behind -- are flags)",
      fmt::join(flags, " "), torch.empty() ? ", without libtorch, whose folder CONDLINT_TORCH=DIR names" : ""));
  command.arguments = {file.ends_with(".c") ? "clang" : "clang++"};
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.insert(command.arguments.end(), {"--", file});
  return command;
}

void prepare(CompileCommand &command, const std::string &file) {
  using namespace clang::tooling;
  std::vector<std::string> &arguments = command.arguments;
  if (arguments.empty())
    arguments = {"clang++", "--", file};
  const std::string program = arguments.front();
  const bool isNvcc = fs::path(program).stem() == "nvcc";
  if (isNvcc)
    arguments = fromNvcc(arguments);
  static const ArgumentsAdjuster adjust =
      combineAdjusters(combineAdjusters(getClangStripOutputAdjuster(), getClangStripDependencyFileAdjuster()),
                       combineAdjusters(getStripPluginsAdjuster(), getClangSyntaxOnlyAdjuster()));
  arguments = withoutPrecompiledHeaders(adjust(arguments, file));
  // The project's taste in warnings is not our question; what is an error is.
  std::vector<std::string> ours{"-w", "-fno-spell-checking"};
  if (isNvcc || isCuda(file)) {
    // The host side; without an installed CUDA, with what little the host's code needs of it.
    ours.insert(ours.end(), {"-xcuda", "--cuda-host-only", "-nogpulib"});
    const bool named = std::any_of(arguments.begin(), arguments.end(),
                                   [](const std::string &a) { return a.starts_with("--cuda-path"); });
    if (const std::string cuda = named ? std::string() : cudaInstallation(program); !cuda.empty())
      ours.push_back("--cuda-path=" + cuda);
    else if (!named)
      ours.insert(ours.end(), {"-nogpuinc", "-include", "condlint/cuda_host.h"});
  } else if (file.ends_with(".h") && std::find(arguments.begin(), arguments.end(), "-x") == arguments.end() &&
             std::none_of(arguments.begin(), arguments.end(),
                          [](const std::string &a) { return a.starts_with("-x"); })) {
    ours.emplace_back("-xc++"); // a header by its name is C
  }
  arguments.insert(arguments.begin() + 1, ours.begin(), ours.end());
}

} // namespace condlint::cxx
