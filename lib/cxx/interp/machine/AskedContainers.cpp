//===- AskedContainers.cpp - Questions about containers from outside -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskedContainers.h"
#include "Machine.h"
#include "Names.h"
#include "StmtWalk.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <clang/AST/DeclCXX.h>
#include <fmt/format.h>
#include <limits>

namespace condlint::cxx {

namespace {

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

std::int64_t sum(std::int64_t a, std::int64_t b) { return a > greatest - b ? greatest : a + b; }

} // namespace

Dim AskedContainers::count(DimTable &dims, SignedNumbers &numbers, Dim size, std::string_view key, std::int64_t most,
                           bool isWritten) {
  const auto whole = size.known() ? dims.asSymbol(size) : std::nullopt;
  if (!whole)
    return {};
  const Dim d = numbers.made(dims, fmt::format("count {} in {}", key, whole->name), {}, {0, most});
  const auto symbol = dims.asSymbol(d);
  if (symbol && answers.try_emplace(symbol->name, ContainerAnswer{whole->name, true, isWritten}).second) {
    dims.setBounds(symbol->name, {0, most});
    answers.try_emplace(whole->name, ContainerAnswer{whole->name, false, true});
    counts[whole->name].push_back(symbol->name);
  }
  return d;
}

const AskedPosition *AskedContainers::positionAt(const Step &step) const {
  std::int64_t index = step.index;
  if (step.field || (step.key && !step.hasUnknownKey()))
    return nullptr;
  if (step.key) {
    const std::string_view number = std::string_view(*step.key).substr(Step::anyElement.size());
    if (std::from_chars(number.data(), number.data() + number.size(), index).ec != std::errc())
      return nullptr;
  }
  const auto known = positions.find(index);
  return known == positions.end() ? nullptr : &known->second;
}

const ContainerAnswer *AskedContainers::answerOf(const condlint::Symbol &symbol) const {
  const auto known = answers.find(symbol.name);
  return known == answers.end() ? nullptr : &known->second;
}

PossibleValues AskedContainers::valuesOf(const condlint::Symbol &symbol, const Known &known) const {
  PossibleValues own = known(symbol.name);
  const ContainerAnswer *asked = answerOf(symbol);
  const auto all = asked ? counts.find(asked->container) : counts.end();
  if (all == counts.end())
    return own;
  std::int64_t together = 0, single = 0; // the least that there are of the keys that are told apart, and of one of them
  for (const std::string &name : all->second) {
    const std::int64_t least = std::max<std::int64_t>(known(name).lowest().value_or(0), 0);
    if (name == symbol.name)
      continue;
    if (answers.find(name)->second.isWritten)
      together = sum(together, least);
    else
      single = std::max(single, least);
  }
  if (!asked->isCount) {
    own.restrict(clang::BO_GE, std::max(together, single));
  } else if (const auto most = known(asked->container).highest()) {
    own.restrict(clang::BO_LE, asked->isWritten ? std::max<std::int64_t>(*most - std::min(together, *most), 0) : *most);
    if (asked->isWritten && together > *most) // that they are not so is another answer's
      own.restrict(clang::BO_LE, 0);
  }
  return own;
}

bool AskedContainers::mayBe(const std::string &container, const Known &chosen) const {
  const auto all = counts.find(container);
  if (all == counts.end())
    return true;
  std::int64_t together = 0;
  std::size_t number = 0;
  bool isAnyOpen = false;
  for (const std::string &name : all->second)
    if (const auto value = chosen(name).lowest()) {
      together = sum(together, std::max<std::int64_t>(*value, 0));
      ++number;
      isAnyOpen = isAnyOpen || !answers.find(name)->second.isWritten;
    }
  // A key that is not known may be the same as another one.
  if (isAnyOpen && number > 1)
    return false;
  const auto size = chosen(container).lowest();
  return !size || together <= *size;
}

std::optional<Value> askCount(Machine &m, const Value &whole, const Value &key, clang::QualType type, bool several) {
  const Symbol *s = whole.symbol();
  if (!m.domain().relatesAnswers() || !s)
    return std::nullopt;
  const Value size = m.sizeOf(whole);
  const Number *all = size.number();
  std::optional<std::string> words;
  bool isWritten = true;
  if (const std::string *text = key.text()) {
    words = "'" + *text + "'";
  } else if (const Number *n = key.number(); n && n->kind == Number::Kind::Integer) {
    isWritten = n->known;
    if (n->known)
      words = std::to_string(n->integer);
    else if (n->dim.known())
      words = fmt::format("#{}", n->dim.index);
  } else if (const Symbol *given = key.symbol(); given && !m.symbol(given->id).type->isPointerType()) {
    words = fmt::format("s{}", given->id.index());
    isWritten = false;
  }
  // Characters that are told apart by where they lie are no keys that are known.
  if (!all || !words || (!type.isNull() && type->isPointerType()))
    return std::nullopt;
  const Dim d =
      m.askedContainers().count(m.dims(), m.signedNumbers(), m.dimOf(*all), *words, several ? greatest : 1, isWritten);
  if (!d.known())
    return std::nullopt;
  const Number n = Number::ofDim(d, Provenance::Varies);
  return m.isDetermined(whole) && m.isDetermined(key) ? m.determined(n) : Value(n);
}

void assumeElement(Machine &m, const Value &whole, std::int64_t index) {
  const List *list = whole.list();
  if (!m.domain().relatesAnswers() || (!whole.symbol() && !(list && list->rest)))
    return;
  const Value size = m.sizeOf(whole);
  if (const Number *n = size.number(); n && !n->known)
    atLeast(m, *n, std::max<std::int64_t>(index, 0) + 1);
}

bool isContainerType(clang::QualType type) {
  if (type.isNull())
    return false;
  type = type.getNonReferenceType();
  if (type->isPointerType())
    type = type->getPointeeType();
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  constexpr std::array names{"vector",
                             "deque",
                             "list",
                             "forward_list",
                             "stack",
                             "queue",
                             "priority_queue",
                             "set",
                             "multiset",
                             "unordered_set",
                             "unordered_multiset",
                             "map",
                             "multimap",
                             "unordered_map",
                             "unordered_multimap"};
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         std::ranges::find(names, record->getName()) != names.end();
}

bool asksContainer(const clang::Stmt *s) {
  return findStatement(s, [](const clang::Stmt &inner) {
    const auto *part = llvm::dyn_cast<clang::Expr>(&inner);
    return part && isContainerType(part->getType()) ? Walk::Found : Walk::On;
  });
}

} // namespace condlint::cxx
