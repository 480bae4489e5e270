//===- Transport.cpp - Messages of the language server protocol -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transport.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <list>
#include <llvm/Support/LSP/Logging.h>
#include <llvm/Support/LSP/Transport.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <mutex>
#include <optional>
#include <unistd.h>

namespace condlint::lsp {

namespace {

/// Requests that are handled. LLVM answers all others.
constexpr llvm::StringLiteral requests[] = {
    "initialize",
    "shutdown",
    "textDocument/hover",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/implementation",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/codeAction",
    "textDocument/diagnostic",
    "workspace/symbol",
    "workspace/executeCommand",
};
constexpr llvm::StringLiteral notifications[] = {
    "initialized",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "window/workDoneProgress/cancel",
    "$/cancelRequest",
};
constexpr llvm::StringLiteral sentNotifications[] = {
    "textDocument/publishDiagnostics", "window/showMessage", "window/logMessage", "$/progress", "condlint/status",
};
constexpr llvm::StringLiteral sentRequests[] = {
    "window/workDoneProgress/create", "client/registerCapability",    "workspace/codeLens/refresh",
    "workspace/inlayHint/refresh",    "workspace/diagnostic/refresh", "window/showDocument",
};
/// What a message is turned into that is none: it is answered by the side that writes.
constexpr llvm::StringLiteral unsound = "condlint/unsound";

llvm::json::Value toLlvm(const Json &json) {
  switch (json.type()) {
  case Json::value_t::boolean:
    return json.get<bool>();
  case Json::value_t::number_integer:
    return json.get<std::int64_t>();
  case Json::value_t::number_unsigned:
    return static_cast<std::int64_t>(json.get<std::uint64_t>());
  case Json::value_t::number_float:
    return json.get<double>();
  case Json::value_t::string:
    return llvm::json::fixUTF8(json.get_ref<const std::string &>());
  case Json::value_t::array: {
    llvm::json::Array out;
    for (const Json &each : json)
      out.push_back(toLlvm(each));
    return out;
  }
  case Json::value_t::object: {
    llvm::json::Object out;
    for (const auto &[key, value] : json.items())
      out[key] = toLlvm(value);
    return out;
  }
  default:
    return nullptr;
  }
}

Json fromLlvm(const llvm::json::Value &value) {
  if (const auto boolean = value.getAsBoolean())
    return *boolean;
  if (const auto integer = value.getAsInteger())
    return *integer;
  if (const auto number = value.getAsNumber())
    return *number;
  if (const auto string = value.getAsString())
    return string->str();
  if (const llvm::json::Array *array = value.getAsArray()) {
    Json out = Json::array();
    for (const llvm::json::Value &each : *array)
      out.push_back(fromLlvm(each));
    return out;
  }
  if (const llvm::json::Object *object = value.getAsObject()) {
    Json out = Json::object();
    for (const auto &[key, each] : *object)
      out[key.str()] = fromLlvm(each);
    return out;
  }
  return nullptr;
}

/// Parameters of any form: their meaning is the handler's.
struct Any {
  Json json;
};
bool fromJSON(const llvm::json::Value &value, Any &out, llvm::json::Path /*path*/) {
  out.json = fromLlvm(value);
  return true;
}

std::string unsoundMessage(const llvm::json::Value &id, ErrorCode code, llvm::StringRef problem) {
  return llvm::formatv("{0}",
                       llvm::json::Value(llvm::json::Object{
                           {"jsonrpc", "2.0"},
                           {"id", id},
                           {"method", unsound},
                           {"params", llvm::json::Object{{"code", static_cast<int>(code)}, {"message", problem}}}}))
      .str();
}

/// Reads messages off a file descriptor and hands on those that LLVM's side can take: it would end at the first that
/// is no JSON-RPC, and passes over what is no JSON without a word.
class Input : public llvm::lsp::JSONTransportInput {
public:
  explicit Input(int in) : descriptor(in) {}

  bool hasError() const final { return false; }
  bool isEndOfInput() const final { return ended; }
  llvm::LogicalResult readDelimitedMessage(std::string & /*json*/) final { return llvm::failure(); }

  llvm::LogicalResult readStandardMessage(std::string &json) final {
    std::optional<std::size_t> length;
    bool any = false;
    for (std::string line; readLine(line);) {
      if (line.empty()) {
        if (any)
          return readBody(length, json);
        continue;
      }
      any = true;
      const std::size_t colon = line.find(':');
      if (llvm::StringRef(line).take_front(colon).equals_insensitive("content-length") && colon != std::string::npos)
        length = numberIn(std::string_view(line).substr(colon + 1));
    }
    return llvm::failure();
  }

  std::string id; ///< of the request that was read last, as JSON

private:
  static constexpr std::size_t longest = std::size_t{1} << 29U;

  static std::optional<std::size_t> numberIn(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && number <= longest ? std::optional(number) : std::nullopt;
  }

  llvm::LogicalResult readBody(std::optional<std::size_t> length, std::string &json) {
    if (!length) {
      json = unsoundMessage(nullptr, ErrorCode::ParseError, "a message without a Content-Length that can be read");
      id = "null";
      return llvm::success();
    }
    std::string body;
    while (body.size() < *length) {
      if (at == end && !fill())
        return llvm::failure();
      const std::size_t some = std::min(end - at, *length - body.size());
      body.append(buffer.data() + at, some);
      at += some;
    }
    json = sound(body);
    return llvm::success();
  }

  /// \p body, or what says that it is no message.
  std::string sound(std::string &body) {
    id = "null";
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(body);
    if (!parsed)
      return unsoundMessage(nullptr, ErrorCode::ParseError, llvm::toString(parsed.takeError()));
    const llvm::json::Object *message = parsed->getAsObject();
    if (message == nullptr)
      return unsoundMessage(nullptr, ErrorCode::InvalidRequest, "a message is an object");
    const llvm::json::Value *number = message->get("id");
    const bool sayable = number != nullptr && (number->getAsString() || number->getAsInteger());
    if (number != nullptr && !sayable && !number->getAsNull())
      return unsoundMessage(nullptr, ErrorCode::InvalidRequest, "an id is a whole number or a string");
    if (sayable)
      id = llvm::formatv("{0}", *number).str();
    const llvm::json::Value known = sayable ? *number : llvm::json::Value(nullptr);
    if (message->getString("jsonrpc") != llvm::StringRef("2.0"))
      return unsoundMessage(known, ErrorCode::InvalidRequest, "expected \"jsonrpc\": \"2.0\"");
    const bool isAnswer = message->get("result") != nullptr || message->get("error") != nullptr;
    const auto method = message->getString("method");
    if (!method && (!isAnswer || !sayable))
      return unsoundMessage(known, ErrorCode::InvalidRequest, "neither a method nor a result");
    if (const llvm::json::Value *params = message->get("params");
        params != nullptr && params->kind() != llvm::json::Value::Object &&
        params->kind() != llvm::json::Value::Array && !params->getAsNull())
      return unsoundMessage(known, ErrorCode::InvalidRequest, "parameters are an object or an array");
    if (method && number != nullptr && !sayable)
      return unsoundMessage(nullptr, ErrorCode::InvalidRequest, "an id is a whole number or a string");
    return std::move(body);
  }

  bool readLine(std::string &line) {
    line.clear();
    constexpr std::size_t longestLine = 1 << 16;
    for (;;) {
      if (at == end && !fill())
        return false;
      const char c = buffer[at++];
      if (c == '\n') {
        if (line.ends_with('\r'))
          line.pop_back();
        return true;
      }
      if (line.size() < longestLine)
        line += c;
    }
  }

  bool fill() {
    ssize_t got = 0;
    do {
      got = ::read(descriptor, buffer.data(), buffer.size());
    } while (got < 0 && errno == EINTR);
    ended = got <= 0;
    at = 0;
    end = ended ? 0 : static_cast<std::size_t>(got);
    return !ended;
  }

  int descriptor;
  bool ended = false;
  std::array<char, 1 << 16> buffer{};
  std::size_t at = 0, end = 0;
};

} // namespace

struct Transport::Implementation {
  Handlers handlers;
  llvm::raw_fd_ostream out;
  Input *input;
  llvm::lsp::JSONTransport transport;
  llvm::lsp::MessageHandler handler;
  std::mutex mutex;
  std::map<std::string, llvm::lsp::Callback<llvm::json::Value>> unanswered; ///< by the id as JSON
  std::map<std::string, llvm::lsp::OutgoingNotification<llvm::json::Value>, std::less<>> sent;
  std::map<std::string, llvm::lsp::OutgoingRequest<llvm::json::Value>, std::less<>> asked;

  /// LLVM tells a handler its parameters alone: each method has an object of its own.
  struct Method {
    Implementation *owner;
    std::string name;
    void request(const Any &params, llvm::lsp::Callback<llvm::json::Value> reply) {
      const std::string id = owner->input->id;
      {
        const std::lock_guard lock(owner->mutex);
        owner->unanswered.insert_or_assign(id, std::move(reply));
      }
      owner->handlers.request(name, params.json, id);
    }
    void notification(const Any &params) { owner->handlers.notification(name, params.json); }
    void refuse(const Any &params, llvm::lsp::Callback<llvm::json::Value> reply) {
      reply(llvm::make_error<llvm::lsp::LSPError>(params.json.value("message", std::string()),
                                                  llvm::lsp::ErrorCode(params.json.value("code", 0))));
    }
  };
  std::list<Method> methods;

  Implementation(int to, Handlers h, std::unique_ptr<Input> reader)
      : handlers(std::move(h)), out(to, /*shouldClose=*/false), input(reader.get()), transport(std::move(reader), out),
        handler(transport) {
    for (const llvm::StringLiteral &name : requests)
      handler.method(name, &methods.emplace_back(Method{this, name.str()}), &Method::request);
    handler.method(unsound, &methods.emplace_back(Method{this, unsound.str()}), &Method::refuse);
    for (const llvm::StringLiteral &name : notifications)
      handler.notification(name, &methods.emplace_back(Method{this, name.str()}), &Method::notification);
    for (const llvm::StringLiteral &name : sentNotifications)
      sent.emplace(name.str(), handler.outgoingNotification<llvm::json::Value>(name));
    for (const llvm::StringLiteral &name : sentRequests)
      asked.emplace(name.str(), handler.outgoingRequest<llvm::json::Value, Any>(
                                    name, [this](const llvm::json::Value &id, llvm::Expected<Any> result) {
                                      Json json;
                                      if (result)
                                        json = std::move(result->json);
                                      else
                                        llvm::consumeError(result.takeError());
                                      handlers.answer(static_cast<int>(id.getAsInteger().value_or(0)), std::move(json));
                                    }));
  }

  ~Implementation() { out.clear_error(); } // a client that has gone is no failure of ours
  Implementation(const Implementation &) = delete;
  Implementation &operator=(const Implementation &) = delete;

  void answer(const std::string &id, llvm::Expected<llvm::json::Value> result) {
    llvm::lsp::Callback<llvm::json::Value> reply;
    {
      const std::lock_guard lock(mutex);
      const auto at = unanswered.find(id);
      if (at == unanswered.end())
        return llvm::consumeError(result.takeError());
      reply = std::move(at->second);
      unanswered.erase(at);
    }
    reply(std::move(result));
  }
};

Transport::Transport(int in, int out, Handlers handlers)
    : implementation(std::make_unique<Implementation>(out, std::move(handlers), std::make_unique<Input>(in))) {}

Transport::~Transport() = default;

void Transport::run() { llvm::consumeError(implementation->transport.run(implementation->handler)); }

void Transport::reply(const std::string &id, Json result) { implementation->answer(id, toLlvm(result)); }

void Transport::refuse(const std::string &id, ErrorCode code, const std::string &message) {
  implementation->answer(id,
                         llvm::make_error<llvm::lsp::LSPError>(message, llvm::lsp::ErrorCode(static_cast<int>(code))));
}

void Transport::notify(std::string_view method, const Json &params) {
  if (const auto at = implementation->sent.find(method); at != implementation->sent.end())
    at->second(toLlvm(params));
}

void Transport::request(std::string_view method, const Json &params, int id) {
  if (const auto at = implementation->asked.find(method); at != implementation->asked.end())
    at->second(toLlvm(params), id);
}

std::string pathOfUri(const std::string &uri) {
  llvm::Expected<llvm::lsp::URIForFile> file = llvm::lsp::URIForFile::fromURI(uri);
  if (file)
    return file->file().str();
  llvm::consumeError(file.takeError());
  return {};
}

std::string uriOfPath(const std::string &path) {
  llvm::Expected<llvm::lsp::URIForFile> file = llvm::lsp::URIForFile::fromFile(path);
  if (file)
    return file->uri().str();
  llvm::consumeError(file.takeError());
  return {};
}

} // namespace condlint::lsp
