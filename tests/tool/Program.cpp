//===- Program.cpp - Starts condlint with files around it -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace condlint::test {

namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void redirect(const fs::path &path, int flags, int to) {
  int fd = ::open(path.c_str(), flags, 0600);
  if (fd < 0 || ::dup2(fd, to) < 0)
    ::_exit(126);
}

} // namespace

Workshop::Workshop() {
  std::string pattern = (fs::temp_directory_path() / "condlint-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("no temporary folder");
  folder = pattern;
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

Outcome Workshop::run(const std::vector<std::string> &arguments, const std::string &input) const {
  // The streams lie beside the folder, so that a search does not meet them.
  std::string base = folder.string();
  fs::path in = base + ".in", out = base + ".out", err = base + ".err";
  std::ofstream(in, std::ios::binary) << input;
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = ::fork();
  if (child == 0) {
    redirect(in, O_RDONLY, STDIN_FILENO);
    redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    if (::chdir(folder.c_str()) != 0)
      ::_exit(126);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = contentOf(out);
  outcome.err = contentOf(err);
  for (const fs::path &each : {in, out, err})
    fs::remove(each);
  return outcome;
}

bool Workshop::shell(const std::string &command) const {
  const std::string whole = "cd '" + folder.string() + "' && { " + command + "; } >/dev/null 2>&1";
  // NOLINTNEXTLINE(bugprone-command-processor,concurrency-mt-unsafe): a test's own words
  return std::system(whole.c_str()) == 0;
}

void Workshop::write(const std::string &name, const std::string &content) const {
  fs::create_directories(path(name).parent_path());
  std::ofstream(path(name), std::ios::binary) << content;
}

void Workshop::example(const std::string &model, const std::string &name) const {
  fs::create_directories(path(name).parent_path());
  fs::copy_file(fs::path(CONDLINT_SOURCE_DIR) / "examples" / model, path(name), fs::copy_options::overwrite_existing);
}

std::string Workshop::read(const std::string &name) const { return contentOf(path(name)); }

} // namespace condlint::test
