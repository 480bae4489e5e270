//===- Store.cpp - Objects and what they hold -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Store.h"

namespace condlint::cxx {

void Trace::add(ObjectId o, const Value &v) {
  const auto [row, isNew] = rows.try_emplace(o.index(), written.size());
  if (isNew)
    written.push_back({o, {}, false});
  Entry &e = written[row->second];
  if (e.overflown || std::ranges::any_of(e.values, [&](const Value &old) { return old.same(v); }))
    return;
  if (e.values.size() == most)
    e.overflown = true;
  else
    e.values.push_back(v);
}

void Store::trace(ObjectId o) {
  const Value &v = slots[o.index()];
  if (v.isAbsent())
    return;
  for (Trace *t : traces)
    t->add(o, v);
}

ObjectId Store::create(Value v) {
  const ObjectId o(static_cast<std::uint32_t>(slots.size()));
  slots.emplace_back();
  seen.push_back(0);
  logged.push_back(0);
  isChanged.push_back(false);
  // Born with this path: on another one there is nothing.
  set(o, std::move(v));
  return o;
}

ObjectId Store::createTimeless(Value v) {
  const ObjectId o(static_cast<std::uint32_t>(slots.size()));
  slots.push_back(std::move(v));
  seen.push_back(0);
  logged.push_back(0);
  isChanged.push_back(false);
  noteChange(o);
  return o;
}

bool Store::isLogged(ObjectId o) const {
  const Mark at = logged[o.index()];
  return at >= newest && at < log.size() && log[at].first == o;
}

void Store::note(ObjectId o) const {
  const Watch &w = watches.back();
  if (o.index() >= w.before)
    return;
  if (metAt.size() <= o.index())
    metAt.resize(slots.size());
  if (metAt[o.index()] > w.firstMet)
    return;
  met.emplace_back(o, slots[o.index()]);
  metAt[o.index()] = met.size();
}

void Store::beginWatch() { watches.push_back({static_cast<std::uint32_t>(slots.size()), met.size(), written.size()}); }

Store::Use Store::endWatch() {
  const Watch w = watches.back();
  watches.pop_back();
  Use use;
  llvm::DenseMap<std::uint32_t, const Value *> held;
  for (std::size_t i = w.firstMet; i < met.size(); ++i)
    if (const auto &[o, value] = met[i]; o.index() < w.before && held.try_emplace(o.index(), &value).second)
      use.reads.push_back(met[i]);
  for (std::size_t i = w.firstWritten; i < written.size(); ++i)
    if (const auto before = held.find(written[i].index()); before != held.end())
      use.leavesWrites = use.leavesWrites || !slots[before->first].same(*before->second);
  if (watches.empty()) {
    met.clear();
    metAt.clear();
    written.clear();
  }
  return use;
}

std::vector<ObjectId> Store::takeChanged() {
  for (const ObjectId o : changed)
    isChanged[o.index()] = false;
  return std::exchange(changed, {});
}

void Store::set(ObjectId o, Value v) {
  noteWrite(o);
  noteChange(o);
  if (!isLogged(o)) {
    logged[o.index()] = log.size();
    log.emplace_back(o, std::move(slots[o.index()]));
  }
  slots[o.index()] = std::move(v);
  trace(o);
}

void Store::edit(ObjectId o, const std::function<void(Value &)> &change, Told isTold) {
  noteWrite(o);
  if (isTold == Told::No)
    noteChange(o);
  if (!isLogged(o)) {
    logged[o.index()] = log.size();
    log.emplace_back(o, slots[o.index()]);
  }
  // Objects that are made meanwhile move the slots.
  Value v = std::move(slots[o.index()]);
  change(v);
  slots[o.index()] = std::move(v);
  trace(o);
}

Delta Store::changes(Mark since) {
  ++round;
  Delta d;
  for (std::size_t i = since; i < log.size(); ++i) {
    const ObjectId o = log[i].first;
    if (seen[o.index()] == round)
      continue;
    seen[o.index()] = round;
    d.emplace_back(o, slots[o.index()]);
  }
  return d;
}

void Store::undo(Mark since) {
  while (log.size() > since) {
    noteChange(log.back().first);
    slots[log.back().first.index()] = std::move(log.back().second);
    log.pop_back();
  }
  newest = std::min(newest, log.size());
}

void Store::apply(const Delta &d) {
  for (const auto &[object, value] : d)
    set(object, value);
}

} // namespace condlint::cxx
