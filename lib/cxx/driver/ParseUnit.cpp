//===- ParseUnit.cpp - A source to an AST ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ParseUnit.h"
#include "Diagnostics.h"
#include "IncludePrefix.h"
#include "LateInstantiation.h"
#include "OwnHeaders.h"
#include "RecordedFiles.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Stack.h>
#include <clang/Basic/Version.h>
#include <clang/Driver/CreateInvocationFromArgs.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <dlfcn.h>
#include <filesystem>

namespace condlint::cxx {

namespace {

namespace fs = std::filesystem;

/// What the parts of one parse share.
struct Session {
  const SourceOptions &options;
  const UseOfAst &use;
  ErrorCollector &errors;
  ParseOutcome &outcome;
  bool onlySound; ///< with errors the AST is of no use: the source is parsed again
  const SharedPrefix &shared;
  const std::function<void()> &afterFirst;
  bool reached = false; ///< the end of the source
};

class Consumer : public clang::SemaConsumer {
public:
  Consumer(Session &s, clang::CompilerInstance &c) : session(s), compiler(c), bodies(s.options) {}

  void InitializeSema(clang::Sema &s) override { sema = &s; }
  void ForgetSema() override { sema = nullptr; }
  bool shouldSkipFunctionBody(clang::Decl *d) override { return !bodies.needsBody(*d, compiler.getSourceManager()); }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *d : group)
      if (bodies.needsBody(*d, compiler.getSourceManager()))
        declarations.push_back(d);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext &ast) override {
    session.reached = true;
    if (session.onlySound && session.errors.count != 0)
      return;
    for (const clang::Decl *d : declarations)
      session.outcome.declarations += d->isInvalidDecl() ? 0U : 1U;
    session.outcome.parsed = true;
    noteFiles(ast.getSourceManager());
    instantiate();
    if (session.shared.rereading != nullptr && session.errors.count != 0 && session.afterFirst)
      session.shared.rereading->once(session.afterFirst);
    else if (session.shared.rereading != nullptr && session.errors.count == 0 && sema != nullptr)
      takeNextText();
    ast.setTraversalScope(declarations);
    session.use(ast, compiler.getPreprocessor(), session.errors.places);
  }

private:
  void instantiate() {
    session.errors.muted = true; // what follows is not the source's doing
    if (sema != nullptr)
      instantiateUsedTemplates(*sema, declarations);
  }

  /// Returns once for each text.
  void takeNextText() {
    const CxxRereading &rereading = *session.shared.rereading;
    const std::optional<std::string> text = rereading.next(session.afterFirst);
    if (!text)
      return;
    session.errors.muted = false;
    if (!rereadBody(*sema, declarations, *session.shared.roomy, *text))
      rereading.refuse();
    instantiate();
  }

  void noteFiles(const clang::SourceManager &sources) {
    for (auto at = sources.fileinfo_begin(), end = sources.fileinfo_end(); at != end; ++at)
      if (const llvm::StringRef name = at->first.getName(); session.options.isProjectFile(name))
        session.outcome.files.push_back(name.str());
    std::ranges::sort(session.outcome.files);
  }

  Session &session;
  clang::CompilerInstance &compiler;
  BodyFilter bodies;
  clang::Sema *sema = nullptr;
  std::vector<clang::Decl *> declarations;
};

class Action : public clang::ASTFrontendAction {
public:
  explicit Action(Session &s) : session(s) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<Consumer>(session, compiler);
  }

private:
  Session &session;
};

/// Cuts down \p invocation to what reading needs.
void simplify(clang::CompilerInvocation &invocation) {
  clang::FrontendOptions &frontEnd = invocation.getFrontendOpts();
  frontEnd.ProgramAction = clang::frontend::ParseSyntaxOnly;
  frontEnd.SkipFunctionBodies = true;
  frontEnd.DisableFree = false;
  frontEnd.Plugins.clear();
  frontEnd.AddPluginActions.clear();
  invocation.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  clang::DiagnosticOptions &diagnostics = invocation.getDiagnosticOpts();
  diagnostics.ErrorLimit = 0;
  diagnostics.IgnoreWarnings = true;
  diagnostics.VerifyDiagnostics = false;
  diagnostics.DiagnosticLogFile.clear();
  diagnostics.DiagnosticSerializationFile.clear();
  invocation.getLangOpts().SpellChecking = false;
  invocation.getLangOpts().CommentOpts.BlockCommandNames.clear();
  invocation.getPreprocessorOpts().ImplicitPCHInclude.clear();
  // Libraries are what the kept headers are of: that one has changed must show when
  // they are loaded, not in the middle of the source.
  invocation.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;
}

} // namespace

std::string resourceFolder() {
  Dl_info info;
  std::error_code error;
  if (dladdr(reinterpret_cast<void *>(&clang::getClangFullVersion), &info) != 0 && info.dli_fname != nullptr) {
    const fs::path library = fs::canonical(info.dli_fname, error);
    fs::path folder = library.parent_path() / "clang" / CLANG_VERSION_MAJOR_STRING;
    if (!error && fs::is_directory(folder / "include", error))
      return folder.string();
  }
  return CONDLINT_RESOURCE_FOLDER;
}

namespace {

/// The invocation that the flags of \p command ask for; null, with the problem in
/// \p outcome, where they make no sense.
std::shared_ptr<clang::CompilerInvocation> invocationFor(const CompileCommand &command,
                                                         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                         ParseOutcome &outcome) {
  static const std::string resources = resourceFolder();
  std::vector<std::string> words = command.arguments;
  words.insert(words.begin() + 1, {"-resource-dir", resources, "-idirafter", ownHeadersFolder});
  std::vector<const char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(word.c_str());
  clang::DiagnosticOptions options;
  ErrorCollector errors;
  clang::CreateInvocationOptions how;
  how.Diags = clang::CompilerInstance::createDiagnostics(*files, options, &errors, /*ShouldOwnClient=*/false);
  how.VFS = std::move(files);
  how.RecoverOnError = true; // what is wrong with the flags is no error of the source
  std::shared_ptr<clang::CompilerInvocation> invocation = clang::createInvocation(arguments, std::move(how));
  for (const CxxRemark &error : errors.errors)
    outcome.notes.push_back({{}, "the compiler's flags: " + error.message});
  if (invocation && !invocation->getFrontendOpts().Inputs.empty()) {
    simplify(*invocation);
    return invocation;
  }
  outcome.problem = "Clang makes nothing of its flags";
  if (!errors.errors.empty())
    outcome.problem += ": " + errors.errors.front().message;
  return nullptr;
}

/// False when the end of the source was not reached: what was to be loaded first could not be.
bool run(std::shared_ptr<clang::CompilerInvocation> invocation, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
         const SourceOptions &options, const SharedPrefix &shared, const std::function<void()> &afterFirst,
         const UseOfAst &use, bool onlySound, ParseOutcome &outcome) {
  // What ends with the process need not be taken down.
  invocation->getFrontendOpts().DisableFree = shared.rereading != nullptr;
  ErrorCollector collector;
  clang::CompilerInstance compiler(std::move(invocation));
  compiler.setVirtualFileSystem(std::move(files));
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  compiler.getDiagnostics().setFatalsAsError(true); // what stands behind a missing header is parsed too
  Session session{options, use, collector, outcome, onlySound, shared, afterFirst, false};
  Action action(session);
  compiler.ExecuteAction(action);
  outcome.errorCount = collector.count;
  outcome.errors = std::move(collector.errors);
  if (!outcome.parsed)
    outcome.problem = outcome.errors.empty() ? "Clang cannot parse it" : outcome.errors.front().message;
  return session.reached;
}

} // namespace

namespace {

ParseOutcome parseWith(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, const CompileCommand &command,
                       const SourceOptions &options, const SharedPrefix &shared, const UseOfAst &use) {
  ParseOutcome outcome;
  std::shared_ptr<clang::CompilerInvocation> invocation = invocationFor(command, files, outcome);
  if (!invocation)
    return outcome;

  std::function<void()> afterFirst;
  if (!shared.cacheFolder.empty()) {
    const std::string main = invocation->getFrontendOpts().Inputs.front().getFile().str();
    const std::vector<std::string> &forced = invocation->getPreprocessorOpts().Includes;
    const IncludePrefix prefix =
        includePrefix(main, forced, command.folder, shared.project, invocation->getHeaderSearchOpts(), *files);
    PrecompiledPrefix precompiled;
    if (!prefix.lines.empty()) {
      // The project's headers are parsed with the source, as their functions are read. Clang includes those
      // of the flags that the precompiled header was made without.
      clang::CompilerInvocation own(*invocation);
      own.getPreprocessorOpts().Includes.resize(prefix.forced);
      const auto find = [&store = shared.store, lines = prefix.lines, own, files, folder = command.folder,
                         cache = shared.cacheFolder](PrefixStore::Make make) {
        return store.find(lines, own, files, folder, cache, make);
      };
      // Who reads it several times wants to see the first reading soon.
      precompiled = find(shared.rereading != nullptr ? PrefixStore::Make::No
                         : shared.worthwhile         ? PrefixStore::Make::Now
                                                     : PrefixStore::Make::WhenKnown);
      if (precompiled.path.empty())
        afterFirst = [find] { find(PrefixStore::Make::Aside); };
    }
    if (!precompiled.path.empty()) {
      auto withPrefix = std::make_shared<clang::CompilerInvocation>(*invocation);
      withPrefix->getPreprocessorOpts().ImplicitPCHInclude = precompiled.path;
      // A header has changed since, or the file is damaged; in another order the
      // headers may also mean something else.
      if (!run(std::move(withPrefix), files, options, shared, afterFirst, use, /*onlySound=*/!precompiled.sameOrder,
               outcome))
        shared.store.giveUp(precompiled.path);
      if (outcome.parsed)
        return outcome;
      std::vector<CxxRemark> notes = std::move(outcome.notes);
      outcome = ParseOutcome();
      outcome.notes = std::move(notes);
    }
  }
  run(std::move(invocation), files, options, shared, afterFirst, use, /*onlySound=*/false, outcome);
  return outcome;
}

} // namespace

ParseOutcome parseUnit(const CompileCommand &command, const SourceOptions &options, const SharedPrefix &shared,
                       const UseOfAst &use) {
  clang::noteBottomOfStack();
  auto files = fileSystemWithOwnHeaders(command.folder, shared.unsaved);
  if (shared.dependencies == nullptr)
    return parseWith(std::move(files), command, options, shared, use);
  const auto recorded = llvm::makeIntrusiveRefCnt<RecordedFiles>(std::move(files));
  ParseOutcome outcome = parseWith(recorded, command, options, shared, use);
  *shared.dependencies = recorded->dependencies(shared.cacheFolder);
  return outcome;
}

} // namespace condlint::cxx
