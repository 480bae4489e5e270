//===- MapKeys.cpp - The keys of maps --------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MapKeys.h"
#include <algorithm>
#include <charconv>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

// The first character of a key that is no text; texts that begin with one are not known.
constexpr char numberMark = '\1';
constexpr char pointerMark = '\2';
constexpr char listMark = '\3';       // of a pair, a tuple or a list: the keys of its elements, each with an end
constexpr char recordMark = '\4';     // of an object: its class, and the keys of its fields, each with an end
constexpr char descendingMark = '\5'; // of another key: its characters turned round, and an end
constexpr char rankMark = '\6';       // of another key: its position, and that key
constexpr char endOfElement = '\0';
constexpr char endOfDescending = '\xff';
constexpr std::size_t longestList = 8;
constexpr std::size_t digitsOfNumber = 20;
constexpr std::int64_t entryIndex = 1;
constexpr std::int64_t endIndex = 2;
constexpr std::uint64_t signBit = std::uint64_t{1} << 63;

std::string digits(std::uint64_t n) {
  std::string text = std::to_string(n);
  return std::string(digitsOfNumber - text.size(), '0') + text;
}

std::uint64_t numberOf(const std::string &key) {
  std::uint64_t n = 0;
  std::from_chars(key.data() + 1, key.data() + key.size(), n);
  return n;
}

} // namespace

/// Of a pair, a tuple or a list of what are keys themselves.
static std::optional<std::string> listKey(const List &list) {
  if (!list.isComplete() || list.rest || list.items.size() > longestList)
    return std::nullopt;
  std::string out(1, listMark);
  for (const Value &item : list.items) {
    const auto key = item.list() ? std::nullopt : mapKey(item);
    if (!key || key->find(endOfElement) != std::string::npos)
      return std::nullopt;
    out += *key + endOfElement;
  }
  return out;
}

bool isAddressOfText(const Value &v, clang::QualType type) {
  return v.text() && !type.isNull() && type.getNonReferenceType()->isPointerType();
}

std::optional<std::string> mapKey(const Value &v) {
  if (const std::string *s = v.text()) {
    const bool isMarked = (!s->empty() && s->front() <= rankMark && s->front() > 0) || s->starts_with(Step::anyElement);
    return isMarked ? std::nullopt : std::optional(*s);
  }
  if (const List *list = v.list())
    return listKey(*list);
  if (const Number *n = v.number(); n && n->known && n->kind != Number::Kind::Floating)
    return numberMark + digits(static_cast<std::uint64_t>(n->integer) ^ signBit);
  if (const Pointer *p = v.pointer())
    if (const Place *only = p->only(); only && only->object && only->path.empty())
      return pointerMark + digits(only->object.index());
  return std::nullopt;
}

std::optional<int> compareKeys(const Value &a, const Value &b) {
  // Numbers, of which there may be many, compare as their keys do, and without them.
  const auto isWhole = [](const Number *n) { return n && n->known && n->kind != Number::Kind::Floating; };
  if (const Number *x = a.number(), *y = b.number(); isWhole(x) && isWhole(y))
    return x->integer < y->integer ? -1 : x->integer > y->integer ? 1 : 0;
  const auto x = mapKey(a), y = mapKey(b);
  return x && y ? std::optional(x->compare(*y)) : std::nullopt;
}

std::optional<std::string> recordKey(const Value &v) {
  const Record *r = v.record();
  if (!r || !r->type || !r->type->hasDefinition() || r->type->isLambda() || r->type->getNumBases() != 0)
    return std::nullopt;
  std::string out = recordMark + digits(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(r->type)));
  for (const clang::FieldDecl *f : r->type->fields()) {
    const Value *held = r->find(f);
    const auto key = held && !held->list() ? mapKey(*held) : std::nullopt;
    if (!key || key->find(endOfElement) != std::string::npos)
      return std::nullopt;
    out += *key + endOfElement;
  }
  return out;
}

/// Behind those that begin with it.
std::string descendingKey(const std::string &key) {
  std::string out(1, descendingMark);
  for (const char c : key)
    out += static_cast<char>(~c);
  return out + endOfDescending;
}

static std::optional<std::string> ascending(const std::string &key) {
  if (key.size() < 2 || key.front() != descendingMark || key.back() != endOfDescending)
    return std::nullopt;
  std::string out = key.substr(1, key.size() - 2);
  for (char &c : out)
    c = static_cast<char>(~c);
  return out;
}

std::string rankedKey(std::uint64_t rank, const std::string &key) { return rankMark + digits(rank) + key; }

std::optional<std::uint64_t> rankOf(const std::string &key) {
  return !key.empty() && key.front() == rankMark ? std::optional(numberOf(key.substr(0, 1 + digitsOfNumber)))
                                                 : std::nullopt;
}

std::string unrankedKey(const std::string &key) { return rankOf(key) ? key.substr(1 + digitsOfNumber) : key; }

/// The values of the elements from \p at on.
static std::vector<Value> elementsOf(const std::string &key, std::size_t at) {
  std::vector<Value> values;
  for (std::size_t end = 0; at < key.size(); at = end + 1) {
    end = std::min(key.find(endOfElement, at), key.size());
    values.push_back(mapKeyValue(key.substr(at, end - at)));
  }
  return values;
}

/// What \ref recordKey made a key of.
static Value recordOf(const std::string &key) {
  Record r;
  r.type = reinterpret_cast<const clang::CXXRecordDecl *>(
      static_cast<std::uintptr_t>(numberOf(key.substr(0, 1 + digitsOfNumber))));
  const std::vector<Value> values = elementsOf(key, 1 + digitsOfNumber);
  std::size_t i = 0;
  for (const clang::FieldDecl *f : r.type->fields())
    if (i < values.size())
      r.set(f, values[i++]);
  return r;
}

Value mapKeyValue(const std::string &key) {
  if (rankOf(key))
    return mapKeyValue(unrankedKey(key));
  if (const auto turned = ascending(key))
    return mapKeyValue(*turned);
  if (!key.empty() && key.front() == numberMark)
    return Number::ofInteger(static_cast<std::int64_t>(numberOf(key) ^ signBit), Provenance::Varies);
  if (!key.empty() && key.front() == pointerMark)
    return Pointer::to(ObjectId(static_cast<std::uint32_t>(numberOf(key))));
  if (!key.empty() && key.front() == listMark) {
    List list;
    list.items = elementsOf(key, 1);
    return list;
  }
  if (!key.empty() && key.front() == recordMark)
    return recordOf(key);
  return Value::text(key);
}

std::string spellMapKey(const std::string &key) {
  if (rankOf(key))
    return spellMapKey(unrankedKey(key));
  if (const auto turned = ascending(key))
    return spellMapKey(*turned);
  if (!key.empty() && key.front() == numberMark)
    return std::to_string(static_cast<std::int64_t>(numberOf(key) ^ signBit));
  return !key.empty() && key.front() >= pointerMark && key.front() <= recordMark ? "…" : key;
}

Step entryStep(std::string key) {
  Step s = Step::ofKey(std::move(key));
  s.index = entryIndex;
  return s;
}

Step endStep() {
  Step s = Step::ofKey({});
  s.index = endIndex;
  return s;
}

bool isEntry(const Step &s) { return s.key && s.index == entryIndex; }
bool isEnd(const Step &s) { return s.key && s.index == endIndex; }

} // namespace condlint::cxx
