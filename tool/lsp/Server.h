//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_SERVER_H
#define CONDLINT_TOOL_LSP_SERVER_H

#include "Analysis.h"
#include "Document.h"
#include "Events.h"
#include "Protocol.h"
#include "Transport.h"
#include "Watch.h"
#include "Workshop.h"
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace condlint::lsp {

/// Answers one client: keeps the texts that are open, has them analysed when they have changed, and tells what came
/// of it. The analyses run in the workshop; all else is done by the thread of `run`.
class Server {
public:
  /// The workshop does its work as the command line \p arguments says.
  Server(Workshop &workshop, const CheckArguments &arguments, int in, int out);
  /// Until the client says `exit`, or is gone. \returns the exit code of the program.
  int run();

private:
  using Clock = Events::Clock;
  using Report = std::shared_ptr<const InputReport>;

  /// A request that waits for an analysis of the text as it is now.
  struct Waiting {
    std::string id;
    std::function<Json()> answer;
  };

  /// A file that is open in the editor, or a model that it shows.
  struct Document {
    std::string uri, path;
    Text text;
    std::int64_t version = 0;
    bool isModel = false;

    Report report;               ///< the last one
    std::set<std::string> whole; ///< what it was read from when nothing was missing
    bool isCurrent = false;      ///< it is of the text as it is, and nothing of what it was read from has changed
    std::uint64_t job = 0;       ///< that runs for it
    std::shared_ptr<Kept> kept;  ///< has parsed a text of it, and with it the files as they are
    std::uint64_t changes = 0;   ///< the number of the last one of all documents'
    bool isOtherwise = false;    ///< another file has changed since the job began
    bool isReread = false;       ///< the job goes on from what is kept
    bool mustParse = false;      ///< what is kept does not do for the text
    std::optional<Clock::time_point> parseDue;   ///< after a rereading: to be parsed as a whole then
    std::uint64_t jobBegan = 0;                  ///< after which change
    std::chrono::system_clock::time_point began; ///< the same in the time of files
    std::uint64_t read = 0;                      ///< the same of the job that the report is from
    bool isOutdated = false;                     ///< what the job reads has changed since
    std::optional<Clock::time_point> due;        ///< to be analysed then
    unsigned breakdowns = 0;                     ///< one after the other
    std::vector<Waiting> waiting;
    std::map<std::string, std::vector<Diagnostic>> diagnostics; ///< by the file that they are in
    std::string progress;                                       ///< its token, while it is shown
    std::string told;                                           ///< the problem that the user was told last
  };

  /// An analysis, or a command that runs as long.
  struct Running {
    Job job;
    std::string document; ///< its path; empty: a command
    std::string request;  ///< a command's
    std::string progress;
  };

  // --- Server.cpp: the protocol ---
  /// The file that \p json names, normal; empty where it names none.
  static std::string pathAt(const Json &json);
  /// Models are exported from such ones.
  static bool isScript(std::string_view path);
  void onRequest(const std::string &method, const Json &params, const std::string &id);
  void onNotification(const std::string &method, const Json &params);
  void initialize(const Json &params, const std::string &id);
  void initialized();
  void open(const Json &params);
  void change(const Json &params);
  void save(const Json &params);
  void close(const Json &params);
  void cancel(const Json &params);
  void watchClient() const;
  void tell(int type, const std::string &message);
  void log(int type, const std::string &message);
  Document *documentOf(const Json &params);
  /// \p path is, or is included by, what the report of \p d is of.
  static bool isReadFrom(const Document &d, const std::string &path);
  Texts texts() const;
  int nextNumber() { return ++lastNumber; }

  // --- Watching.cpp: what changes on the disk ---
  void filesChanged(const Json &params);
  /// It was written, is gone, or is there for the first time.
  void fileChanged(const std::string &path);
  void foldersChanged(const Json &params);
  std::string folderOf(const std::string &path) const;
  std::set<std::string> settingsOf(const Document &d) const;
  bool isInFolders(const std::string &path) const;
  void noteChangesUnseen(const Document &d);
  void watchFiles();

  // --- Schedule.cpp: when what is analysed, and what comes of it ---
  void schedule(Document &d, std::chrono::milliseconds delay);
  /// What is kept of \p d is of files that are others now.
  static void forget(Document &d);
  /// Of the documents that were changed last something is kept, and no more.
  void keep(Document &d, std::shared_ptr<Kept> kept);
  /// \p path has another text: what was said of the one before is not of it.
  void noteChange(const std::string &path) { textChanges[path] = ++lastChange; }
  /// Whether the report of \p d was read from a text of \p path that is not the one of now.
  bool isOlder(const Document &d, const std::string &path) const;
  /// \p path has another text: so has what is read from it.
  void scheduleReadersOf(const std::string &path, std::chrono::milliseconds delay);
  void scheduleAll();
  void startDue();
  void start(Document &d);
  std::string inputOf(const Document &d) const;
  std::vector<UnsavedFile> unsavedFiles() const;
  static bool isOnDisk(const Document &d);
  void finished(std::uint64_t id, const Json &result, std::shared_ptr<Kept> kept);
  Workshop::Done whenDone();
  void analysed(Document &d, const Outcome &outcome);
  void reread(Document &d, const Outcome &outcome);
  void brokeDown(Document &d);
  void leaveAlone(Document &d, const std::string &reason);
  std::uint64_t startProcess(const Job &job);
  void answerWaiting(Document &d);
  void beginProgress(std::uint64_t job);
  void endProgress(Running &r);
  void tellStatus();
  void refresh();

  // --- Publishing.cpp: what the client is told of findings ---
  void take(Document &d, Report report);
  /// \p path is a script, of which other lines are there now: models were perhaps exported from it.
  void takeAgain(const std::string &path);
  bool isOfWorkspace(const std::string &path) const;
  IsOfUser isOfUser() const;
  /// The files of which \p d says something, or said it, or may say what was held back.
  std::set<std::string> spokenOfBy(const Document &d) const;
  void publish(const std::set<std::string> &paths);
  bool isHeldBack(const std::string &path) const;
  void withdraw(const std::string &path);
  std::vector<Diagnostic> diagnosticsIn(const std::string &path) const;

  // --- Requests.cpp: what the client asks ---
  void ask(const std::string &method, const Json &params, const std::string &id);
  /// Answers \p id when the report of the document is current.
  using Answer = std::function<Json(Document &, const InputReport &)>;
  void whenAnalysed(const std::string &method, const Json &params, const std::string &id, Answer answer);
  Json ofModels(const std::string &method, Document source, const Answer &answer) const;
  std::string uriFor(const Document &d, const InputReport &report) const;
  Report reportOn(const Document &d) const;
  Json hover(const Json &params, Document &d, const InputReport &report) const;
  Json codeActions(const Json &params, Document &d, const InputReport &report) const;
  Json pulled(Document &d) const;
  Json workspaceSymbols(const Json &params) const;
  void command(const Json &params, const std::string &id);
  void startRun(const std::string &path, const std::string &id, const Json &params);
  void startDrawing(const std::string &path, const std::string &conditional, const std::string &id, const Json &params);
  void startCommand(Job job, const std::string &id, const Json &params);
  void drawn(Running &r, const Outcome &outcome);
  void commandDone(Running &r, const Outcome &outcome);
  void explain(const Json &arguments, const std::string &id);

  static constexpr int typeError = 1, typeWarning = 2, typeInfo = 3; ///< of messages

  Workshop &workshop;
  Events events;
  Transport transport;
  Watch watch;
  Client client;
  std::string configFile;   ///< of the command line, for all; empty: the nearest one
  std::string commandsFile; ///< the same of compile commands
  bool isInitialized = false, isShutDown = false, toldOfRenewal = false;
  int exitCode = 1;
  int lastNumber = 0;
  std::uint64_t lastChange = 0;
  std::vector<std::string> folders;
  std::set<std::string> settings;                   ///< of the documents that are open
  std::map<std::string, Document> documents;        ///< by path
  std::map<std::string, std::uint64_t> textChanges; ///< by path: the last one of its text
  std::map<std::string, std::string> pushed;        ///< by path: the URI under which the client was sent findings
  std::map<std::uint64_t, Running> running;
  std::map<std::string, std::uint64_t> commands; ///< by the id of the request
  std::set<std::string> skipsTold;               ///< why files are left out, as far as the user was told
};

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_SERVER_H
