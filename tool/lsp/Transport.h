//===- Transport.h - Messages of the language server protocol ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_TRANSPORT_H
#define CONDLINT_TOOL_LSP_TRANSPORT_H

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace condlint::lsp {

using Json = nlohmann::json;

/// The codes of JSON-RPC and of the protocol that we answer with.
enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ContentModified = -32801,
  RequestCancelled = -32800,
};

/// Carries messages between the client and who handles them, over two file descriptors. What is no message is
/// answered as the protocol says, and reading goes on. Replies and notifications may come from any thread.
///
/// The one file that knows LLVM's implementation of the protocol.
class Transport {
public:
  struct Handlers {
    /// A request of the client, to be answered with \p id sooner or later. Called by the thread that reads.
    std::function<void(const std::string &method, Json params, const std::string &id)> request;
    std::function<void(const std::string &method, Json params)> notification;
    /// The client's answer to a request of ours; null where it refused.
    std::function<void(int id, Json result)> answer;
  };

  Transport(int in, int out, Handlers handlers);
  ~Transport();
  Transport(const Transport &) = delete;
  Transport &operator=(const Transport &) = delete;

  /// Reads messages until the input ends, or the client says `exit`.
  void run();

  void reply(const std::string &id, Json result);
  void refuse(const std::string &id, ErrorCode code, const std::string &message);
  /// \p method is one of those in `Transport.cpp`.
  void notify(std::string_view method, const Json &params);
  void request(std::string_view method, const Json &params, int id);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation;
};

/// The path that a `file:` URI names; empty for any other.
std::string pathOfUri(const std::string &uri);
std::string uriOfPath(const std::string &path);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_TRANSPORT_H
