//===- Rereading.cpp - Another body in a parsed source --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang parses the bodies of some templates late, from tokens that were kept: at
// the end of the source it enters the scopes of the function again. The same is
// done here with the tokens of a new body, for functions that are no templates.
//
//===----------------------------------------------------------------------===//
#include "Rereading.h"
#include "../interp/machine/StmtWalk.h"
#include "BodyInstances.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Scope.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/DenseSet.h>
#include <memory>
#include <optional>

namespace condlint::cxx {

namespace {

constexpr std::size_t roomPerLine = 64;

clang::LangOptions newestLanguage() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CPlusPlus20 = true;
  options.LineComment = options.RawStringLiterals = options.Digraphs = true;
  return options;
}

/// Where blanks may be put into \p text: before its line ends, but for those in literals and those that are none for
/// the compiler.
std::vector<std::size_t> lineEnds(const std::string &text) {
  std::vector<std::size_t> out;
  const clang::LangOptions language = newestLanguage();
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language, text.data(), text.data(),
                     text.data() + text.size());
  const auto add = [&](std::size_t from, std::size_t to) {
    for (std::size_t at = text.find('\n', from); at < to; at = text.find('\n', at + 1)) {
      const std::size_t end = at > from && text[at - 1] == '\r' ? at - 1 : at;
      if (end == 0 || text[end - 1] != '\\')
        out.push_back(end);
    }
  };
  std::size_t begin = 0;
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - text.data());
    add(begin, end - token.getLength());
    begin = end;
  } while (token.isNot(clang::tok::eof));
  add(begin, text.size());
  return out;
}

std::optional<clang::tok::TokenKind> closing(clang::tok::TokenKind kind) {
  switch (kind) {
  case clang::tok::l_paren:
    return clang::tok::r_paren;
  case clang::tok::l_square:
    return clang::tok::r_square;
  case clang::tok::l_brace:
    return clang::tok::r_brace;
  default:
    return std::nullopt;
  }
}

/// The part of the text that is another: from \c first to \c oldEnd, and to \c newEnd in the new text.
struct Change {
  std::size_t first = 0, oldEnd = 0, newEnd = 0;
};

Change changeBetween(std::string_view before, std::string_view after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  const auto first = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shorter), after.begin()).first -
      before.begin());
  std::size_t same = 0;
  while (same < shorter - first && before[before.size() - 1 - same] == after[after.size() - 1 - same])
    ++same;
  return {first, before.size() - same, after.size() - same};
}

class Rereader {
public:
  Rereader(clang::Sema &s, std::vector<clang::Decl *> &d, const RoomyText &r)
      : sema(s), sm(s.getSourceManager()), main(sm.getMainFileID()), declarations(d), roomy(r) {}

  bool reread(std::string_view text) {
    const Change change = changeBetween(roomy.plain(), text);
    if (change.first == change.oldEnd && change.first == change.newEnd)
      return true;
    const llvm::StringRef buffer = sm.getBufferData(main);
    if (buffer != roomy.text() || sema.LateTemplateParser == nullptr || sema.OpaqueParser == nullptr)
      return false;
    clang::FunctionDecl *function = findAround(declarations, change);
    if (function == nullptr || !standsAlone(*function))
      return false;
    const std::size_t open = offset(function->getBody()->getBeginLoc()),
                      close = offset(function->getBody()->getEndLoc());
    BodyInstances instances = instancesOf(open, close);
    if (!instances.collect(*function))
      return false;
    const std::size_t from = roomy.toPlain(open);
    const std::size_t to = roomy.toPlain(close) + change.newEnd - change.oldEnd + 1;
    if (!put(text.substr(from, to - from), open, close + 1))
      return false;
    const std::optional<std::vector<clang::Token>> tokens = tokensBetween(open, close);
    if (!tokens)
      return false;
    takeOut(*function, open, close);
    parse(*function, *tokens);
    instances.takeOutUnused();
    return function->getBody() != nullptr && namesNothingLater(*function);
  }

private:
  /// In the main file's text; none elsewhere, and where a macro wrote it.
  std::size_t offset(clang::SourceLocation at) const {
    if (!at.isFileID())
      return std::string::npos;
    const auto [file, offset] = sm.getDecomposedLoc(at);
    return file == main ? offset : std::string::npos;
  }

  bool isAround(const clang::FunctionDecl &f, const Change &change) const {
    const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(f.getBody());
    if (body == nullptr)
      return false;
    const std::size_t open = offset(body->getLBracLoc()), close = offset(body->getRBracLoc());
    return open != std::string::npos && close != std::string::npos && open < close &&
           roomy.toPlain(open) < change.first && change.oldEnd <= roomy.toPlain(close);
  }

  template <class Decls> clang::FunctionDecl *findAround(const Decls &all, const Change &change) const {
    for (clang::Decl *d : all) {
      clang::FunctionDecl *found = nullptr;
      if (auto *f = llvm::dyn_cast<clang::FunctionDecl>(d)) {
        if (f->doesThisDeclarationHaveABody() && isAround(*f, change))
          found = f;
      } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(d)) {
        found = findAround(llvm::cast<clang::DeclContext>(d)->decls(), change);
      }
      if (found != nullptr)
        return found;
    }
    return nullptr;
  }

  clang::FileID fileOf(const clang::Decl &d) const { return sm.getFileID(sm.getExpansionLoc(d.getLocation())); }

  /// Neither its type nor a value comes of its body.
  static bool standsAlone(const clang::FunctionDecl &f) {
    return !f.isDependentContext() && f.getTemplatedKind() == clang::FunctionDecl::TK_NonTemplate && !f.isConstexpr() &&
           !f.isInvalidDecl() && !llvm::isa<clang::CXXConstructorDecl>(f) &&
           f.getDeclaredReturnType()->getContainedDeducedType() == nullptr;
  }

  /// What was made of templates for the body between \p open and \p close.
  BodyInstances instancesOf(std::size_t open, std::size_t close) {
    auto files = std::make_shared<llvm::DenseSet<clang::FileID>>(); // from which something is read
    for (const clang::Decl *d : declarations)
      files->insert(fileOf(*d));
    return {declarations, [this, files](const clang::Decl &d) { return files->contains(fileOf(d)); },
            [this, open, close](const clang::Decl &d) {
              const std::size_t at = offset(sm.getExpansionLoc(d.getLocation()));
              return at != std::string::npos && at > open && at < close;
            }};
  }

  /// Writes \p body into the text from \p open to \p end, with blanks for what is left.
  bool put(std::string_view body, std::size_t open, std::size_t end) {
    std::string filled(body);
    if (filled.size() > end - open)
      return false;
    if (const std::size_t left = end - open - filled.size(); left != 0) {
      const std::vector<std::size_t> ends = lineEnds(filled);
      if (ends.empty())
        return false; // what stands behind it in its line would move
      filled.insert(ends.back(), left, ' ');
    }
    // The buffer is that of the text that was made for this.
    char *at =
        const_cast<char *>(sm.getBufferData(main).data()) + open; // NOLINT(cppcoreguidelines-pro-type-const-cast)
    std::ranges::copy(filled, at);
    forgetLines();
    return true;
  }

  /// Lines are looked up in a table that is of the old text.
  void forgetLines() const {
    sm.getSLocEntry(main).getFile().getContentCache().SourceLineCache = clang::SrcMgr::LineOffsetMapping();
    for (unsigned i = 0; i < sm.local_sloc_entry_size(); ++i)
      if (const clang::SrcMgr::SLocEntry &entry = sm.getLocalSLocEntry(i); entry.isFile() && i != 0) {
        const clang::FileID file = sm.getFileID(clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
        if (file == main || file.isInvalid())
          continue;
        (void)sm.getLineNumber(file, 0); // the last answer is kept as well
        return;
      }
  }

  /// Of the body whose braces are at \p open and \p close, with macros expanded; none where it is not one, or where a
  /// directive or a later macro decides what it means.
  std::optional<std::vector<clang::Token>> tokensBetween(std::size_t open, std::size_t close) {
    const llvm::StringRef buffer = sm.getBufferData(main);
    clang::Preprocessor &pp = sema.getPreprocessor();
    clang::Lexer lexer(sm.getLocForStartOfFile(main), pp.getLangOpts(), buffer.begin(), buffer.begin() + open,
                       buffer.end());
    std::vector<clang::Token> raw;
    std::vector<clang::tok::TokenKind> awaited; // the ends of brackets
    for (;;) {
      clang::Token token;
      lexer.LexFromRawLexer(token);
      const std::size_t at = offset(token.getLocation());
      if (token.is(clang::tok::eof) || at > close || (token.is(clang::tok::hash) && token.isAtStartOfLine()))
        return std::nullopt;
      if (token.is(clang::tok::raw_identifier) && isDefinedLater(*pp.LookUpIdentifierInfo(token), at))
        return std::nullopt;
      raw.push_back(token);
      if (const std::optional<clang::tok::TokenKind> end = closing(token.getKind()))
        awaited.push_back(*end);
      else if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) {
        if (awaited.back() != token.getKind())
          return std::nullopt; // the parser looks for the other one behind the body
        awaited.pop_back();
        if (awaited.empty() && at != close)
          return std::nullopt;
        if (awaited.empty())
          break;
      }
    }
    clang::Token end;
    end.startToken();
    end.setKind(clang::tok::eof);
    end.setLocation(raw.back().getEndLoc());
    end.setEofData(&roomy);
    raw.push_back(end);
    pp.EnterTokenStream(raw, /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
    std::vector<clang::Token> out;
    for (;;) {
      clang::Token token;
      pp.Lex(token);
      if (token.is(clang::tok::eof)) {
        if (token.getEofData() != &roomy)
          return std::nullopt;
        return out;
      }
      out.push_back(token);
    }
  }

  /// At the end of the source it may mean something else than at \p at.
  bool isDefinedLater(const clang::IdentifierInfo &name, std::size_t at) const {
    if (!name.hadMacroDefinition())
      return false;
    const clang::MacroDirective *last = sema.getPreprocessor().getLocalMacroDirectiveHistory(&name);
    const std::size_t where = last != nullptr ? offset(last->getLocation()) : std::string::npos;
    return where != std::string::npos && where > at;
  }

  void takeOut(clang::FunctionDecl &function, std::size_t open, std::size_t close) {
    // The parameters too: the parser adds them once more, and behind itself none may stand.
    const std::vector<clang::Decl *> inside(function.decls_begin(), function.decls_end());
    for (clang::Decl *d : inside)
      function.removeDecl(d);
    // Among them the call operators of lambdas that were instantiated.
    std::erase_if(declarations, [&](const clang::Decl *d) {
      const std::size_t at = offset(sm.getExpansionLoc(d->getLocation()));
      return at != std::string::npos && at > open && at < close;
    });
    for (clang::ParmVarDecl *p : function.parameters())
      p->setReferenced(false);
    function.setBody(nullptr);
  }

  void parse(clang::FunctionDecl &function, const std::vector<clang::Token> &tokens) {
    // Clang forgets it at the end of the source.
    clang::Scope *outermost = sema.getCurScope();
    while (outermost != nullptr && outermost->getParent() != nullptr)
      outermost = outermost->getParent();
    sema.TUScope = outermost;
    clang::LateParsedTemplate late;
    late.Toks.append(tokens.begin(), tokens.end());
    late.D = &function;
    late.FPO = sema.getCurFPFeatures();
    sema.LateTemplateParser(sema.OpaqueParser, late);
    sema.PerformPendingInstantiations();
    sema.TUScope = nullptr;
  }

  /// At its place the body would not have seen what stands behind it.
  bool namesNothingLater(const clang::FunctionDecl &f) const {
    clang::SourceLocation end = f.getEndLoc();
    for (const clang::DeclContext *c = f.getLexicalDeclContext(); c->isRecord(); c = c->getLexicalParent())
      end = llvm::cast<clang::CXXRecordDecl>(c)->getEndLoc();
    const std::size_t behind = offset(end);
    bool sound = true;
    forEachStatement(f.getBody(), [&](const clang::Stmt &s) {
      const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(&s);
      const clang::NamedDecl *d = named != nullptr ? named->getFoundDecl() : nullptr;
      if (d == nullptr || !d->getDeclContext()->getRedeclContext()->isFileContext())
        return;
      const std::size_t at = offset(sm.getExpansionLoc(d->getCanonicalDecl()->getLocation()));
      if (at != std::string::npos && at > behind)
        sound = false;
    });
    return sound;
  }

  clang::Sema &sema;
  clang::SourceManager &sm;
  clang::FileID main;
  std::vector<clang::Decl *> &declarations;
  const RoomyText &roomy;
};

} // namespace

RoomyText::RoomyText(std::string text) : original(std::move(text)), ends(lineEnds(original)) {
  roomy.reserve(original.size() + ends.size() * roomPerLine);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    roomy.append(original, begin, end - begin).append(roomPerLine, ' ');
    begin = end;
  }
  roomy.append(original, begin);
}

std::size_t RoomyText::toPlain(std::size_t at) const {
  std::size_t low = 0, high = ends.size(); // how many line ends lie before it
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (ends[middle] + roomPerLine * (middle + 1) <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return at - roomPerLine * low;
}

bool rereadBody(clang::Sema &sema, std::vector<clang::Decl *> &declarations, const RoomyText &roomy,
                std::string_view text) {
  return Rereader(sema, declarations, roomy).reread(text);
}

} // namespace condlint::cxx
