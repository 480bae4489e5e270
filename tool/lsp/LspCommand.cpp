//===- LspCommand.cpp - condlint lsp --------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LspCommand.h"
#include "Server.h"
#include "Workshop.h"
#include <fcntl.h>
#include <unistd.h>

namespace condlint {

int runLsp(const CheckArguments &arguments) {
  // Before any thread is there.
  lsp::Workshop workshop(arguments);
  // What a library prints must not come between the messages.
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  auto *server = new lsp::Server(workshop, arguments, STDIN_FILENO, out);
  const int code = server->run();
  // The thread that reads may still wait for a client that says no more.
  workshop.end();
  _exit(code);
}

} // namespace condlint
