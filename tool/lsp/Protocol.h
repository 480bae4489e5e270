//===- Protocol.h - Features in the words of the protocol -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_PROTOCOL_H
#define CONDLINT_TOOL_LSP_PROTOCOL_H

#include "Document.h"
#include "Features.h"
#include "Transport.h"
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

namespace condlint::lsp {

/// What stands below \p keys in \p json, each in what stands below the one before; null where something is missing.
const Json &below(const Json &json, std::initializer_list<const char *> keys);

/// What the client said of itself.
struct Client {
  Encoding encoding = Encoding::Utf16;
  bool relatedInformation = false, diagnosticData = false, codeDescription = false, tags = false;
  bool hierarchicalSymbols = false, codeActionLiterals = false, documentChanges = false;
  bool progress = false, showDocument = false, watchesFiles = false;
  bool snippets = false; ///< in edits
  bool lensRefresh = false, hintRefresh = false, diagnosticRefresh = false;
  bool markdown = true;
  int processId = 0;

  // What the user chose: initializationOptions, or the settings below `condlint`.
  bool lens = true, hints = false, unknown = false;
  bool pull = false;        ///< it asks for diagnostics
  bool showsPages = false;  ///< it shows what commands yield
  std::string lensCommand;  ///< its own, for who clicks on a lens: it gets the file and the conditional
  bool wantsStatus = false; ///< it shows what the server does
  int debounce = 150;       ///< milliseconds
};
Client clientOf(const Json &initializeParams);
/// Takes over what \p options say.
void choose(Client &client, const Json &options);

/// Finds the texts of files, by which places become positions.
class Texts {
public:
  using Open = std::function<const Text *(const std::string &path)>;
  Texts(Open o, Encoding e) : open(std::move(o)), encoding(e) {}

  Json range(const SourceLocation &place);
  Json location(const SourceLocation &place);
  Json position(const SourceLocation &place); ///< its beginning
  const Text &textOf(const std::string &path);

private:
  Open open;
  Encoding encoding;
  std::map<std::string, Text> read; ///< from the disk
};

Json rangeJson(const Range &range);
/// Nothing where \p json is none.
std::optional<Position> positionOf(const Json &json);
std::optional<Range> rangeOf(const Json &json);

Json diagnosticJson(const Diagnostic &d, Texts &texts, const Client &client);
Json hoverJson(const Hover &h, Texts &texts, const Client &client);
Json lensJson(const Lens &l, Texts &texts, const std::string &uri, const Client &client);
Json hintJson(const Hint &h, Texts &texts);
Json symbolJson(const Symbol &s, Texts &texts);
Json plainSymbolJson(const Symbol &s, Texts &texts, const std::string &inside);
Json foldJson(const SourceLocation &place, Texts &texts);
/// \p versionOf yields the version of a file that is open.
Json actionJson(const Action &a, Texts &texts, const std::string &uri, const Client &client,
                const std::function<std::optional<std::int64_t>(const std::string &)> &versionOf);

/// What this server can do, for `initialize`.
Json capabilities(const Client &client);
/// The files that the client is asked to watch, in the folders of its workspace.
Json watchedFiles();
/// \p path is called as they are.
bool isWatched(std::string_view path);
/// \p path is called as what says how sources and models are read.
bool isCalledSettings(std::string_view path);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_PROTOCOL_H
