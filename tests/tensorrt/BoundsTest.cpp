//===- BoundsTest.cpp - What lies behind the bounds of an analysis --------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each bound of docs/interpreter.md, with code that breaks behind it: nothing is proved
// there. Beside it what does not rest on the bound, which stays proved.
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>
#include <optional>

namespace condlint::test {
namespace {

/// A function in which `yes` and `no` are float tensors of the branches of `c`, and behind \p body its outputs; the
/// verdict on their types is \p verdict.
std::string joining(const std::string &verdict, const std::string &parameters, const std::string &body,
                    const std::string &before = "") {
  return "#include <vector>\n" + before + "void build(INetworkDefinition &net" + parameters + ") {\n" + R"(
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional(); // expect-)" +
         verdict + R"(: output-dtype
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *yes = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  ITensor *no = net.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  ITensor *half = net.addCast(*in, DataType::kHALF)->getOutput(0);
  net.markOutput(*half);
)" + body +
         "  net.markOutput(*c->addOutput(*yes, *no)->getOutput(0));\n}\n";
}

void expectTypes(const std::string &verdict, const std::string &parameters, const std::string &body,
                 const std::string &before = "") {
  // That `half` is marked is no matter here.
  const Checked checked = checkNetwork(networks(joining(verdict, parameters, body, before)), 1013);
  ASSERT_TRUE(checked.compiled) << body;
  for (const ConditionalSummary &s : checked.conditionals) {
    const auto found = s.verdicts.find("output-dtype");
    ASSERT_NE(found, s.verdicts.end());
    const Verdict v = found->second;
    if (verdict == "proved") {
      EXPECT_EQ(v, Verdict::Proved) << body;
    } else {
      EXPECT_TRUE(v == Verdict::Unknown || v == Verdict::Possible) << body << static_cast<int>(v);
    }
    if (v == Verdict::Unknown) {
      EXPECT_NE(s.reasons.find("output-dtype"), s.reasons.end()) << body;
    }
  }
  EXPECT_FALSE(checked.conditionals.empty());
}

/// On the first conditional; nothing where there is none, or the rule cannot occur.
std::optional<Verdict> firstVerdict(const Checked &checked, std::string_view rule) {
  if (checked.conditionals.empty())
    return std::nullopt;
  const auto &verdicts = checked.conditionals.front().verdicts;
  const auto found = verdicts.find(rule);
  return found == verdicts.end() ? std::nullopt : std::optional(found->second);
}

TEST(Bounds, TheThirdTripOfALoop) {
  expectTypes("open", ", int n",
              "  ITensor *q[] = {yes, yes, half};\n  for (int i = 0; i < n; ++i)\n    yes = q[i];\n");
  expectTypes("open", ", int n",
              "  for (int i = 0; i < n; ++i)\n    if (i == 2)\n      yes = net.addCast(*yes, "
              "DataType::kHALF)->getOutput(0);\n");
  // A layer that a later trip reaches, though the first two do not.
  expectTypes(
      "open", ", int n",
      "  IUnaryLayer *ls[3];\n  for (int k = 0; k < 3; ++k)\n    ls[k] = net.addUnary(*in, UnaryOperation::kABS);\n"
      "  for (int i = 0; i < n; ++i)\n    ls[i]->setInput(0, *half);\n  yes = ls[2]->getOutput(0);\n");
}

TEST(Bounds, ALoopThatDoesNotRestOnIt) {
  expectTypes("proved", ", int n",
              "  ITensor *y = x;\n  for (int i = 0; i < n; ++i)\n    y = net.addUnary(*y, "
              "UnaryOperation::kABS)->getOutput(0);\n"
              "  net.markOutput(*y);\n");
}

TEST(Bounds, TripsThatGoDifferentWays) {
  expectTypes("open", ", const std::vector<int> &kinds",
              "  bool isHalf = false;\n  for (int kind : kinds) {\n    if (kind == 0)\n      isHalf = true;\n"
              "    else if (isHalf)\n      yes = net.addCast(*yes, DataType::kHALF)->getOutput(0);\n  }\n");
}

TEST(Bounds, NoTripAtAll) {
  expectTypes("open", ", int n",
              "  yes = net.addCast(*yes, DataType::kHALF)->getOutput(0);\n"
              "  for (int i = 0; i < n; ++i)\n    yes = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);\n");
}

TEST(Bounds, ALoopThatOnlyAJumpLeaves) {
  expectTypes("open", ", int n",
              "  for (int i = 0;; ++i) {\n    if (i >= n)\n      break;\n    yes = i < 2 ? net.addUnary(*in, "
              "UnaryOperation::kABS)->getOutput(0) : half;\n  }\n");
}

TEST(Bounds, MoreWaysThanAreFollowed) {
  std::string parameters, body;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    parameters += ", bool f" + n;
    body += "  if (f" + n + ")\n    yes = net.addUnary(*yes, UnaryOperation::kABS)->getOutput(0);\n";
  }
  expectTypes("open", parameters, body + "  if (f0 && !f1 && f2 && !f3 && f4 && !f5 && f6 && !f7)\n    yes = half;\n");
  expectTypes("proved", ", bool f, bool g",
              "  if (f)\n    yes = net.addUnary(*yes, UnaryOperation::kABS)->getOutput(0);\n  if (g)\n    no = "
              "net.addUnary(*no, UnaryOperation::kABS)->getOutput(0);\n");
}

TEST(Bounds, CodeThatIsNotSeen) {
  const std::string unseen =
      "extern ITensor *shared;\nvoid other(INetworkDefinition &);\nvoid poke();\nvoid keep(ITensor **);\n"
      "struct Holder { ITensor *t; };\n";
  expectTypes("open", "", "  shared = yes;\n  other(net);\n  yes = shared;\n", unseen);
  expectTypes("open", ", Holder *h", "  h->t = yes;\n  poke();\n  yes = h->t;\n", unseen);
  expectTypes("open", ", Holder &h", "  h.t = yes;\n  poke();\n  yes = h.t;\n", unseen);
  expectTypes("open", "", "  keep(&yes);\n  poke();\n", unseen);
  expectTypes("open", "", "  keep(&yes);\n  yes = no;\n  poke();\n", unseen);
  expectTypes("open", ", ITensor *&out", "  out = yes;\n  poke();\n  yes = out;\n", unseen);
  // What it cannot name it may change by a function of this unit.
  const std::string inner = unseen + "static ITensor *mine;\n";
  const std::string use = "  mine = yes;\n  poke();\n  yes = mine;\n";
  expectTypes("proved", "", use, inner);
  expectTypes("proved", "", use, inner + "static void set(ITensor *t) { mine = t; }\n");
  expectTypes("proved", "", use, inner + "ITensor *get() { return mine; }\n");
  expectTypes("open", "", use, inner + "void set(ITensor *t) { mine = t; }\n");
  expectTypes("open", "", use,
              inner + "static void set(ITensor *t) { mine = t; }\nvoid both(ITensor *t) { set(t); }\n");
  expectTypes("open", "", use,
              inner + "static void set(ITensor *t) { mine = t; }\nvoid add(void (*)(ITensor *));\n"
                      "static void both() { add(&set); }\n");
  expectTypes("open", "", use, inner + "ITensor *&get() { return mine; }\n");
  expectTypes("proved", "", "  shared = yes;\n  poke();\n", unseen);
  expectTypes("proved", ", Holder h", "  h.t = yes;\n  poke();\n  yes = h.t;\n", unseen);
}

TEST(Bounds, FlagsThatCodeWhichIsNotSeenMayChange) {
  const std::string unseen = "void poke();\n";
  expectTypes("open", ", bool *f",
              "  ITensor *t = no;\n  if (*f)\n    t = half;\n  poke();\n  if (!*f)\n    yes = t;\n", unseen);
}

TEST(Bounds, WhatIsOnlyThereWhereNothingWasLeft) {
  expectNone(R"(
bool ask();
void build(INetworkDefinition &net, int n) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  for (int i = 0; i < n; ++i) {
    auto *c = net.addIfConditional(); // expect-open: predicate-missing
    ITensor *in = c->addInput(*x)->getOutput(0);
    net.markOutput(*c->addOutput(*net.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
    if (ask())
      continue;
    c->setCondition(*p);
  }
}
)");
}

TEST(Bounds, OutputsThatALoopMarks) {
  expectNone(R"(
void build(INetworkDefinition &net, int n) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional(); // expect-open: output-unused
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *out = c->addOutput(*net.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0);
  for (int i = 0; i < n; ++i)
    net.markOutput(*out);
}
)");
}

// What only some executions use, or code that may forget it, leaves the branch in some alone.
TEST(Bounds, UsesThatNotEachExecutionHas) {
  const auto verdictOf = [](const std::string &body, std::string_view rule = "branch-leak") {
    const Checked checked = checkNetwork(networks(R"(
extern ITensor *shared, *left[100000];
void poke();
bool ask();
ITensor *make(INetworkDefinition &, ITensor *);
void build(INetworkDefinition &net, int n) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional();
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *yes = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  ITensor *no = net.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
)" + body + "}\n"),
                                         806);
    EXPECT_TRUE(checked.compiled && !checked.conditionals.empty()) << body;
    return firstVerdict(checked, rule).value_or(Verdict::Proved);
  };
  const std::string close = "  net.markOutput(*c->addOutput(*yes, *no)->getOutput(0));\n";
  // Code that is not seen gets at it, and may forget it.
  EXPECT_EQ(verdictOf(close + "  shared = net.addUnary(*no, UnaryOperation::kABS)->getOutput(0);\n  poke();\n"),
            Verdict::Possible);
  EXPECT_EQ(verdictOf(close + "  net.markOutput(*no);\n  poke();\n"), Verdict::Violated);
  // What is made elsewhere of what is inside may lead anything inside.
  const std::string made = "  yes = make(net, yes);\n";
  const std::string beside = "  shared = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);\n";
  EXPECT_EQ(verdictOf(made + beside + close), Verdict::Unknown);
  EXPECT_EQ(verdictOf(beside + close), Verdict::Violated);
  EXPECT_EQ(verdictOf("  ITensor *other = make(net, x);\n  net.markOutput(*other);\n" + close), Verdict::Proved);
  // Only a trip uses it.
  EXPECT_EQ(verdictOf(close + "  for (int i = 0; i < n; ++i)\n    net.markOutput(*no);\n"), Verdict::Possible);
  // What comes back by the loop may lead inside.
  EXPECT_EQ(
      verdictOf("  ITensor *y = net.addUnary(*yes, UnaryOperation::kABS)->getOutput(0);\n"
                "  for (int i = 0; i < n; ++i)\n    no = net.addUnary(*y, UnaryOperation::kNEG)->getOutput(0);\n" +
                close + "  shared = y;\n"),
      Verdict::Unknown);
  // A construct that only a trip adds does not stand beside this one in each.
  const auto withLoop = [&](const std::string &around) {
    return around +
           " {\n    auto *l = net.addLoop();\n    l->addTripLimit(*p, TripLimit::kWHILE);\n"
           "    auto *r = l->addRecurrence(*yes);\n"
           "    r->setInput(1, *net.addUnary(*r->getOutput(0), UnaryOperation::kNEG)->getOutput(0));\n"
           "    net.markOutput(*l->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE, 0)->getOutput(0));\n  }\n" +
           close;
  };
  EXPECT_EQ(verdictOf(withLoop(""), "nesting"), Verdict::Violated);
  EXPECT_EQ(verdictOf(withLoop("  for (int i = 0; i < n; ++i)"), "nesting"), Verdict::Possible);
  // What code that is not seen makes of a tensor need not be made of it.
  EXPECT_EQ(verdictOf("  yes = no;\n" + close, "cross-branch-edge"), Verdict::Violated);
  EXPECT_NE(verdictOf("  yes = make(net, no);\n" + close, "cross-branch-edge"), Verdict::Violated);
  // An output that only some use is not used in each.
  const std::string out = "  ITensor *out = c->addOutput(*yes, *no)->getOutput(0);\n"
                          "  int sum = 0;\n  for (int i = 0; i < n; ++i)\n    sum += i;\n";
  EXPECT_EQ(verdictOf(out + "  net.markOutput(*out);\n", "output-unused"), Verdict::Proved);
  EXPECT_NE(verdictOf(out + "  for (int i = 0; i < n; ++i) {\n    if (i == 2)\n      net.markOutput(*out);\n  }\n",
                      "output-unused"),
            Verdict::Proved);
  // Where one of many places of an array from outside is written, it is not followed what the array holds.
  const std::string leak = "net.addReduce(*in, ReduceOperation::kSUM, 1, false)->getOutput(0);\n";
  EXPECT_EQ(verdictOf(close + "  left[2] = yes;\n  left[4] = " + leak), Verdict::Violated);
  EXPECT_NE(verdictOf(close + "  left[2] = yes;\n  left[64] = " + leak), Verdict::Proved);
  // Nor what a pointer leads to that may lead to more than eight places.
  const std::string used =
      "  ITensor *out = c->addOutput(*yes, *no)->getOutput(0);\n  left[62] = out;\n  left[63] = x;\n";
  EXPECT_EQ(verdictOf(used, "output-unused"), Verdict::Proved);
  EXPECT_NE(verdictOf(used + "  left[64] = x;\n", "output-unused"), Verdict::Violated);
  // What a loop forgets in which code runs that is not seen may be there still.
  const std::string forgotten = "  shared = c->addOutput(*yes, *no)->getOutput(0);\n  for (int i = 0; i < n; ++i) {\n";
  const std::string over = "    shared = net.addUnary(*x, UnaryOperation::kABS)->getOutput(0);\n  }\n";
  EXPECT_NE(verdictOf(forgotten + "    poke();\n    if (n > 3)\n" + over, "output-unused"), Verdict::Violated);
  EXPECT_NE(verdictOf(forgotten + "    poke();\n    for (int k = 0; k < n; ++k)\n" + over, "output-unused"),
            Verdict::Violated);
  // One of several tensors, of which not all are inside.
  const std::string loop =
      "  auto *l = net.addLoop();\n  l->addTripLimit(*p, TripLimit::kWHILE);\n  auto *r = l->addRecurrence(*yes);\n"
      "  r->setInput(1, *net.addUnary(*r->getOutput(0), UnaryOperation::kNEG)->getOutput(0));\n"
      "  net.markOutput(*l->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE, 0)->getOutput(0));\n";
  EXPECT_EQ(verdictOf(loop + close, "nesting"), Verdict::Violated);
  const std::string replaced = "  for (int i = 0; i < n; ++i)\n    if (ask())\n      yes = no;\n";
  EXPECT_NE(verdictOf(loop + replaced + close, "nesting"), Verdict::Violated);
  const std::string marked = "  net.markOutput(*net.addUnary(*yes, UnaryOperation::kABS)->getOutput(0));\n";
  EXPECT_EQ(verdictOf(marked + close), Verdict::Violated);
  EXPECT_NE(verdictOf(marked + replaced + close), Verdict::Violated);
  const std::string several =
      "  ITensor *q[] = {yes, x};\n  net.markOutput(*net.addUnary(*q[n % 2], UnaryOperation::kABS)";
  EXPECT_NE(verdictOf(several + "->getOutput(0));\n" + close), Verdict::Proved);
  EXPECT_EQ(verdictOf("  ITensor *q[] = {x, x};\n  net.markOutput(*net.addUnary(*q[n % 2], UnaryOperation::kABS)"
                      "->getOutput(0));\n" +
                      close),
            Verdict::Proved);
}

// What is asked of one element, entry or number says nothing of another one, of which as little is known.
TEST(Bounds, ElementsOfWhichNobodyKnowsTheIndex) {
  const std::string types = "struct E { bool on; int k; };\nbool ask();\n#include <map>\n#include <string>\n";
  const auto twice = [&](const std::string &parameters, const std::string &first, const std::string &second,
                         const std::string &between = "") {
    return std::pair(parameters,
                     "  if (" + first + ") yes = half;\n  " + between + "  if (" + second + ") yes = no;\n");
  };
  const auto isOpen = [&](const auto &code) { expectTypes("open", code.first, code.second, types); };
  const auto isProved = [&](const auto &code) { expectTypes("proved", code.first, code.second, types); };
  const std::string list = ", const std::vector<int> &v, int i, int j";
  isOpen(twice(list, "v[i] == 1", "v[j] == 1"));
  isOpen(twice(list, "v[i] == 1", "v[i] == 1", "++i;"));
  isOpen(twice(list, "v[i] == 1", "v[i + 1] == 1"));
  isOpen(twice(list, "v.at(i) == 1", "v.at(j) == 1"));
  isOpen(twice(list, "v[v[i]] == 1", "v[v[j]] == 1"));
  isOpen(twice(list, "v[i % v.size()] == 1", "v[j % v.size()] == 1"));
  isProved(twice(list, "v[i] == 1", "v[i] == 1"));
  isProved(twice(list, "v[i] == 1", "v[k] == 1", "const int k = i;"));
  isProved(twice(list, "v[i % v.size()] == 1", "v[i % v.size()] == 1"));
  isOpen(twice(", std::vector<int> &v, int i", "v[i] == 1", "v[i] == 1", "v[i] = ask();"));
  const std::string table = ", const std::vector<std::vector<int>> &v, int i, int j";
  isOpen(twice(table, "v[i][0] == 1", "v[j][0] == 1"));
  isOpen(twice(table, "v[0][i] == 1", "v[0][j] == 1"));
  isProved(twice(table, "v[i][j] == 1", "v[i][j] == 1"));
  const std::string objects = ", const std::vector<E> &v, int i, int j";
  isOpen(twice(objects, "v[i].on", "v[j].on"));
  isProved(twice(objects, "v[i].on", "v[i].on"));
  isOpen(twice(", const std::vector<E *> &v, int i, int j", "v[i]->on", "v[j]->on"));
  isProved(twice(", const std::vector<E *> &v, int i, int j", "v[i]->on", "v[i]->on"));
  isOpen(twice(", const bool (&v)[6], int i, int j", "v[i]", "v[j]"));
  isOpen(twice(", const std::vector<int> &v, int i", "*(v.begin() + i) == 1", "*(v.begin() + i + 1) == 1"));
  isOpen(twice(", std::map<std::string, E> &v, const std::string &a, const std::string &b", "v[a].on", "v[b].on"));
  isOpen(twice(", std::map<std::string, E> &v", "v[\"a\"].on", "v[\"b\"].on"));
  isProved(twice(", std::map<std::string, E> &v, const std::string &a", "v[a].on", "v[a].on"));
  // Each trip asks of another element.
  expectTypes("open", ", const std::vector<int> &v, bool g",
              "  for (int i = 0; i < 3; ++i)\n    if (v[i % v.size()] == 1) {\n      if (!g) yes = half;\n"
              "      if (i > 0) yes = no;\n    }\n");
  expectTypes("proved", ", const std::vector<int> &v",
              "  for (int i = 0; i < 3; ++i) {\n    if (v[i % v.size()] == 1) yes = half;\n"
              "    if (v[i % v.size()] == 1) yes = no;\n  }\n");
}

TEST(Bounds, AFlagThatWasAssignedInBetween) {
  const std::string unseen = "bool ask();\nstruct H { bool on; };\n";
  expectTypes("open", ", bool f, bool g", "  bool l = f;\n  if (l) yes = half;\n  l = g;\n  if (l) yes = no;\n");
  expectTypes("open", "", "  bool l = ask();\n  if (l) yes = half;\n  l = ask();\n  if (l) yes = no;\n", unseen);
  expectTypes("open", ", bool f, bool g", "  if (f) yes = half;\n  f = g;\n  if (f) yes = no;\n");
  expectTypes("open", ", H *h, bool g", "  if (h->on) yes = half;\n  h->on = g;\n  if (h->on) yes = no;\n", unseen);
  expectTypes("open", ", bool f, bool g, H *h",
              "  H *a = f ? h : nullptr;\n  if (a) yes = half;\n  a = g ? h : nullptr;\n  if (a) yes = no;\n", unseen);
  expectTypes("proved", ", bool f", "  bool l = f;\n  if (l) yes = half;\n  if (l) yes = no;\n");
  expectTypes("proved", ", bool f, bool g",
              "  bool l = false;\n  if (f) l = g;\n  if (l) yes = half;\n  if (l) yes = no;\n");
  expectTypes("proved", ", bool f", "  if (f) yes = half;\n  bool l = f;\n  if (l) yes = no;\n");
}

// No run comes to the conditional: each of the ways to it that an execution can go counts.
TEST(Bounds, WhatNoRunComesTo) {
  const auto code = [](const std::string &use) {
    return R"(
bool ask();
void build(INetworkDefinition &net, int k, int n) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  ITensor *t = x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j)
      t = x;
  if (k <= 1) {
    auto *c = net.addIfConditional(); // )" +
           use + R"(
    c->setCondition(*p);
    ITensor *a = c->addInput(*x)->getOutput(0);
    ITensor *o = c->addOutput(*net.addUnary(*a, UnaryOperation::kABS)->getOutput(0), *a)->getOutput(0);
)";
  };
  expectNone(code("expect-unknown: output-unused") + "    if (ask())\n      net.markOutput(*o);\n  }\n}\n");
  expectNone(code("expect-proved: output-unused") + "    net.markOutput(*o);\n  }\n}\n");
}

TEST(Bounds, WhatLeadsFurtherThanIsFollowed) {
  // To objects.
  const std::string chain = "struct Node { Node *next; ITensor **t; };\nvoid keep(Node *);\n";
  const auto within = [](int count) {
    std::string body = "  Node last{nullptr, &yes};\n  Node *n = &last;\n";
    for (int i = 0; i < count; ++i)
      body += "  Node n" + std::to_string(i) + "{n, nullptr};\n  n = &n" + std::to_string(i) + ";\n";
    return body + "  keep(n);\n";
  };
  expectTypes("open", "", within(3), chain);
  expectTypes("open", "", within(80), chain);
  // To tensors: what is given away may be used.
  std::string deep = "struct D0 { ITensor *t; };\n";
  std::string init = "t";
  for (int i = 1; i < 20; ++i) {
    deep += "struct D" + std::to_string(i) + " { D" + std::to_string(i - 1) + " d; };\n";
    init = "{" + init + "}";
  }
  for (const std::string at : {"0", "19"})
    expectNone(deep + "void take(const D" + at + " &);\n" + R"(
void build(INetworkDefinition &net) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional(); // expect-open: output-unused
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *t = c->addOutput(*net.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0);
  D)" + at + " d" +
               (at == "0" ? "{t}" : "{" + init + "}") + ";\n  take(d);\n}\n");
}

TEST(Bounds, AFunctionThatGivesUp) {
  const auto helper = [](const std::string &first) {
    return "static ITensor *made(INetworkDefinition &net, ITensor *t, bool none) {\n" + first +
           "  return net.addUnary(*t, UnaryOperation::kABS)->getOutput(0);\n}\n";
  };
  const std::string body = "  if (ITensor *t = made(net, yes, none))\n    yes = t;\n  else\n    yes = half;\n";
  expectTypes("open", ", bool none", body, helper("  if (none)\n    return nullptr;\n"));
  expectTypes("proved", ", bool none", body, helper("  if (none)\n    t = net.addIdentity(*t)->getOutput(0);\n"));
}

TEST(Bounds, AnOutputThatSomeWaysTakeBack) {
  const auto code = [](const std::string &verdict, const std::string &finding, const std::string &taken) {
    return R"(
void build(INetworkDefinition &net, int n) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional(); // )" +
           verdict + R"(: output-unused
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *t = c->addOutput(*net.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0); // )" +
           finding + R"(
  net.markOutput(*t);
)" + taken +
           "}\n";
  };
  expectNone(code("expect-open", "expect: warning output-unused",
                  "  for (int i = 0; i < n; ++i)\n    net.unmarkOutput(*t);\n"));
  expectNone(code("expect-proved", "", "  for (int i = 0; i < n; ++i)\n    net.addUnary(*x, UnaryOperation::kABS);\n"));
}

// No run comes to the conditional: each of the ways to it that an execution can go counts.
TEST(Bounds, CallsWithinOneAnother) {
  std::string before;
  for (int i = 60; i-- > 0;) {
    const std::string n = std::to_string(i);
    before += "static ITensor *deep" + n + "(INetworkDefinition &net, ITensor *t, ITensor *u) { return " +
              (i == 59 ? std::string("u") : "deep" + std::to_string(i + 1) + "(net, t, u)") + "; }\n";
  }
  std::string ordered;
  for (std::size_t end = before.size(), at; end > 0; end = at) { // callees first
    at = before.rfind('\n', end - 2);
    at = at == std::string::npos ? 0 : at + 1;
    ordered = before.substr(at, end - at) + ordered;
  }
  expectTypes("open", "", "  yes = deep0(net, yes, half);\n", ordered);
}

TEST(Bounds, CallsOfOneFunction) {
  const std::string before = "static ITensor *again(INetworkDefinition &net, ITensor *t, ITensor *u, int n) {\n"
                             "  return n == 0 ? u : again(net, t, u, n - 1);\n}\n";
  expectTypes("open", "", "  yes = again(net, yes, half, 40);\n", before);
}

TEST(Bounds, TooMuchCode) {
  expectTypes(
      "open", "",
      "  int sum = 0;\n  for (int i = 0; i < 60; ++i)\n    for (int j = 0; j < 60; ++j)\n      for (int k = 0; k < "
      "60; ++k)\n        for (int l = 0; l < 60; ++l)\n          sum += i * j * k * l;\n  if (sum != 7)\n    yes = "
      "half;\n");
}

TEST(Bounds, AnswersOfTheNetworkWithinALoop) {
  expectTypes("open", ", int n",
              "  auto *l = net.addUnary(*in, UnaryOperation::kABS);\n  for (int i = 0; i < n; ++i) {\n"
              "    if (l->getInput(0) == half)\n      yes = half;\n    l->setInput(0, *half);\n  }\n");
}

TEST(Bounds, JumpsBack) {
  expectTypes("open", ", int n",
              "  int i = 0;\nagain:\n  if (i == 3)\n    yes = half;\n  if (++i < n)\n    goto again;\n");
}

TEST(Bounds, ExceptionsThatAreCaught) {
  expectTypes("open", "", "  try {\n    mayThrow();\n    yes = no;\n  } catch (int) {\n    yes = half;\n  }\n",
              "void mayThrow();\n");
}

/// A network whose outputs are marked; \p rule of the construct on line 8 is \p verdict.
std::string picking(const std::string &verdict, const std::string &rules, const std::string &body) {
  return R"(
void build(INetworkDefinition &net, int k) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  ITensor *n = net.addInput("n", DataType::kINT32, Dims{0, {}});
  auto *c = net.addIfConditional(); // expect-)" +
         verdict + ": " + rules + R"(
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *yes = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
)" + body +
         "}\n";
}

// An edge from one of several tensors is there in some executions alone: what needs it is not known, in either
// direction.
TEST(Bounds, AUserThatOneOfSeveralTensorsAloneKeepsAlive) {
  const std::string ends = "  net.markOutput(*c->addOutput(*yes, *in)->getOutput(0));\n";
  const std::string dead = "  ITensor *half = net.addCast(*in, DataType::kHALF)->getOutput(0);";
  const std::string pick = "\n  ITensor *q[] = {x, half};\n";
  expectNone(picking("open", "branch-leak",
                     dead + " // expect: error branch-leak" + pick +
                         "  net.markOutput(*net.addUnary(*q[k % 2], UnaryOperation::kABS)->"
                         "getOutput(0));\n" +
                         ends));
  // Nobody reads it: nothing leaks. Somebody reads it whatever k is: it does.
  expectNone(picking("proved", "branch-leak", dead + pick + ends));
  const std::string sure = picking("proved", "predicate-missing",
                                   dead + " // expect: error branch-leak" + pick + "  net.markOutput(*half);\n" + ends);
  EXPECT_EQ(checkNetwork(networks(sure), 1013).of("branch-leak").verdict, Verdict::Violated);
  const std::string open = picking("open", "branch-leak", dead + pick + "  net.markOutput(*q[k % 2]);\n" + ends);
  EXPECT_NE(checkNetwork(networks(open), 1013).of("branch-leak").verdict, Verdict::Violated);
}

TEST(Bounds, ALayerThatDependsOnTheInputByOneOfSeveralTensors) {
  // Both branches read `last`, which is inside where the index leads there.
  const std::string last = "  auto *last = net.addUnary(*in, UnaryOperation::kNEG);\n  ITensor *q[] = {x, yes};\n";
  const std::string both = "  net.markOutput(*c->addOutput(*last->getOutput(0), *net.addUnary(*last->getOutput(0), "
                           "UnaryOperation::kABS)->getOutput(0))->getOutput(0));\n";
  const auto isBroken = [&](const std::string &rewire) {
    const Finding f = checkNetwork(networks(picking("open", "cross-branch-edge", last + rewire + both)), 1013)
                          .of("cross-branch-edge");
    return !f.rule.empty() && f.verdict == Verdict::Violated;
  };
  EXPECT_FALSE(isBroken("  last->setInput(0, *q[k % 2]);\n"));
  EXPECT_TRUE(isBroken("  last->setInput(0, *q[1]);\n"));
  EXPECT_TRUE(isBroken(""));
  // What would stand outside would always run.
  expectNone(
      picking("unknown", "branch-eager",
              "  ITensor *q[] = {x, in};\n  ITensor *z = net.addUnary(*q[k % 2], UnaryOperation::kABS)->getOutput(0);\n"
              "  net.markOutput(*c->addOutput(*yes, *z)->getOutput(0));\n"));
  expectNone(picking(
      "proved", "branch-eager, cross-branch-edge, branch-leak",
      "  ITensor *q[] = {in, in};\n  ITensor *z = net.addUnary(*q[k % 2], UnaryOperation::kABS)->getOutput(0);\n"
      "  net.markOutput(*c->addOutput(*yes, *z)->getOutput(0));\n"));
}

TEST(Bounds, AUseThatIsOneOfSeveral) {
  const std::string ends = "  net.markOutput(*c->addOutput(*yes, *in)->getOutput(0));\n";
  // An input layer, an output, a layer that others need too: where the index leads to another tensor they are not.
  expectNone(picking("unknown", "operand-unused",
                     "  ITensor *q[] = {in, c->addInput(*x)->getOutput(0)};\n"
                     "  net.markOutput(*c->addOutput(*yes, *q[k % 2])->getOutput(0));\n"));
  expectNone(picking("unknown", "output-unused",
                     "  ITensor *q[] = {x, c->addOutput(*yes, *in)->getOutput(0)};\n"
                     "  net.markOutput(*net.addUnary(*q[k % 2], UnaryOperation::kABS)->getOutput(0));\n"));
  const std::string eager = "  ITensor *e = net.addUnary(*x, UnaryOperation::kABS)->getOutput(0);\n"
                            "  ITensor *q[] = {e, x};\n"
                            "  yes = net.addElementWise(*yes, *e, ElementWiseOperation::kSUM)->getOutput(0);\n";
  expectNone(
      picking("unknown", "branch-eager",
              eager + "  net.markOutput(*net.addUnary(*q[k % 2], UnaryOperation::kNEG)->getOutput(0));\n" + ends));
  expectNone(picking("proved", "branch-eager",
                     eager + "  net.markOutput(*net.addUnary(*e, UnaryOperation::kNEG)->getOutput(0));\n" + ends));
}

// It may overwrite what it can get at, and use nothing of that.
TEST(Bounds, WhatCodeThatIsNotSeenCanGetAt) {
  // That what is left there leaks is no matter here.
  const auto verdictWith = [](const std::string &body) {
    const Checked checked = checkNetwork(networks(R"(
struct Holder { ITensor *t; };
extern ITensor *shared;
void poke();
void use(ITensor &);
void build(INetworkDefinition &net, Holder *h) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional();
  c->setCondition(*p);
  ITensor *other = c->addInput(*x)->getOutput(0);
  ITensor *yes = net.addUnary(*other, UnaryOperation::kABS)->getOutput(0);
  ITensor *no = net.addUnary(*other, UnaryOperation::kNEG)->getOutput(0);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *left = net.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
)" + body + "  net.markOutput(*c->addOutput(*yes, *no)->getOutput(0));\n}\n"),
                                         1013);
    EXPECT_TRUE(checked.compiled && checked.conditionals.size() == 1) << body;
    return firstVerdict(checked, "operand-unused");
  };
  EXPECT_EQ(verdictWith(""), Verdict::Violated);
  for (const std::string place : {"h->t", "shared"}) {
    EXPECT_EQ(verdictWith("  " + place + " = left;\n"), Verdict::Proved);
    EXPECT_EQ(verdictWith("  poke();\n  " + place + " = left;\n"), Verdict::Proved);
    EXPECT_EQ(verdictWith("  " + place + " = left;\n  poke();\n"), Verdict::Unknown);
    EXPECT_EQ(verdictWith("  " + place + " = left;\n  use(*yes);\n"), Verdict::Unknown);
    EXPECT_EQ(verdictWith("  " + place + " = left;\n  poke();\n  use(*left);\n"), Verdict::Proved);
  }
}

TEST(Bounds, ALoopThatMayComputeWhatItBeginsWith) {
  const auto loop = [](const std::string &verdict, const std::string &rules, const std::string &body) {
    return R"(
void build(INetworkDefinition &net, int k) {
  ITensor *n = net.addInput("n", DataType::kINT32, Dims{0, {}});
  auto *l = net.addLoop(); // expect-)" +
           verdict + ": " + rules + R"(
  auto *r = l->addRecurrence(*n);
  ITensor *s = net.addElementWise(*r->getOutput(0), *n, ElementWiseOperation::kSUM)->getOutput(0);
  r->setInput(1, *s);
  ITensor *q[] = {n, s};
  ITensor *t = q[k % 2];
)" + body + "}\n";
  };
  const std::string count = "  l->addTripLimit(*n, TripLimit::kCOUNT);\n";
  const std::string last =
      "  net.markOutput(*l->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));\n";
  expectNone(loop("unknown", "loop-trip-type", "  l->addTripLimit(*t, TripLimit::kCOUNT);\n" + last));
  expectNone(
      loop("unknown", "loop-trip-type",
           "  l->addTripLimit(*net.addUnary(*t, UnaryOperation::kABS)->getOutput(0), TripLimit::kCOUNT);\n" + last));
  expectNone(loop("unknown", "loop-output",
                  count + "  auto *o = l->addLoopOutput(*s, LoopOutput::kCONCATENATE, 0);\n  o->setInput(1, *t);\n"
                          "  net.markOutput(*o->getOutput(0));\n"));
  expectNone(loop("unknown", "loop-output",
                  count + "  auto *o = l->addLoopOutput(*t, LoopOutput::kCONCATENATE, 0);\n  o->setInput(1, *n);\n"
                          "  net.markOutput(*o->getOutput(0));\n"));
  expectNone(
      loop("unknown", "loop-recurrence",
           count + "  auto *z = l->addRecurrence(*t);\n  z->setInput(1, *n);\n"
                   "  net.markOutput(*l->addLoopOutput(*z->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));\n"));
  expectNone(loop("proved", "loop-output, loop-trip-type, loop-recurrence, loop-cycle", count + last));
}

TEST(Bounds, ACycleThatOneOfSeveralTensorsCloses) {
  const auto code = [](const std::string &verdict, const std::string &index) {
    return R"(
void build(INetworkDefinition &net, int k) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional(); // expect-)" +
           verdict + R"(: predicate-self
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *o = c->addOutput(*net.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0);
  net.markOutput(*o);
  ITensor *q[] = {p, net.addCast(*o, DataType::kBOOL)->getOutput(0)};
  c->setCondition(*q[)" +
           index + "]);\n}\n";
  };
  const auto verdictOf = [](const std::string &source) {
    for (const ConditionalSummary &s : checkNetwork(networks(source), 1013).conditionals)
      if (const auto found = s.verdicts.find("predicate-self"); found != s.verdicts.end())
        return found->second;
    return Verdict::Possible;
  };
  // That the condition need not be a scalar is no matter here.
  EXPECT_EQ(verdictOf(code("unknown", "k % 2")), Verdict::Unknown);
  EXPECT_EQ(verdictOf(code("proved", "0")), Verdict::Proved);
}

// One run shows it for certain, the other one leaves it open.
TEST(Bounds, ALeakThatOneOfTheRunsLeavesOpen) {
  expectNone(R"(
void build(INetworkDefinition &net, bool f, int k) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = net.addIfConditional(); // expect-open: branch-leak
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *yes = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  auto *last = net.addUnary(*in, UnaryOperation::kNEG);
  ITensor *no = last->getOutput(0);
  ITensor *q[3] = {yes, no, in};
  if (f)
    last->setInput(0, *q[k % 3]);
  net.markOutput(*c->addOutput(*yes, *no)->getOutput(0));
  net.markOutput(*net.addUnary(*no, UnaryOperation::kNEG)->getOutput(0)); // expect: error branch-leak
}
)");
}

TEST(Loops, AreListedWithWhatIsOpen) {
  expectNone(R"(
ITensor *unseen(INetworkDefinition &);
void build(INetworkDefinition &net, ITensor &trips) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{6, 4});
  ITensor *n = net.addInput("n", DataType::kINT32, Dims{0, {}});
  ILoop *known = net.addLoop(); // expect-proved: loop-trip-type, loop-trip-limit, loop-recurrence, loop-output
  known->addTripLimit(*n, TripLimit::kCOUNT);
  auto *r = known->addRecurrence(*x);
  r->setInput(1, *net.addUnary(*r->getOutput(0), UnaryOperation::kABS)->getOutput(0));
  net.markOutput(*known->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
  ILoop *open = net.addLoop(); // expect-unknown: loop-trip-type, loop-recurrence
  open->addTripLimit(trips, TripLimit::kCOUNT);
  auto *s = open->addRecurrence(*unseen(net));
  s->setInput(1, *net.addUnary(*s->getOutput(0), UnaryOperation::kABS)->getOutput(0));
  net.markOutput(*open->addLoopOutput(*s->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
)");
}

/// A loop of the network, made in a loop of the code, of which \p body sets what is still to be set.
void expectSecondInput(const std::string &said, const std::string &body) {
  expectNone(std::string("int ask();\nvoid build(INetworkDefinition &net, int k, int n) {\n") + R"(
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});
  ITensor *trips = net.addInput("trips", DataType::kINT32, Dims{0, {}});
  for (int i = 0; i < n; ++i) {
    auto *l = net.addLoop(); // )" +
             said + R"(
    l->addTripLimit(*trips, TripLimit::kCOUNT);
    auto *r = l->addRecurrence(*x);
    ITensor *a = net.addUnary(*r->getOutput(0), UnaryOperation::kABS)->getOutput(0);
    auto *o = l->addLoopOutput(*r->getOutput(0), LoopOutput::kCONCATENATE, 0);
    net.markOutput(*o->getOutput(0));
)" + body + "  }\n}\n");
}

TEST(Bounds, AnInputThatIsSetOnSomeWays) {
  const std::string closed = "    r->setInput(1, *a);\n", counted = "    o->setInput(1, *trips);\n";
  expectSecondInput("expect-proved: loop-recurrence, loop-output", closed + counted);
  for (const std::string asked : {"ask()", "k % 2", "ask() > i"}) {
    expectSecondInput("expect-open: loop-recurrence", "    if (" + asked + ")\n" + closed + counted);
    expectSecondInput("expect-open: loop-output", closed + "    if (" + asked + ")\n" + counted);
    expectSecondInput("expect-proved: loop-recurrence, loop-output",
                      counted + "    if (" + asked + ")\n" + closed + "    else\n" + closed);
    expectSecondInput("expect-proved: loop-recurrence, loop-output",
                      closed + counted + "    if (" + asked + ")\n" + closed);
  }
}

// From a tensor nobody gets at the layer that makes it.
TEST(LoopOutput, WhoHasOnlyTheTensorSetsNoLength) {
  expectNone(R"(
ITensor *scan(INetworkDefinition &net, ITensor *x, ITensor *n) {
  ILoop *loop = net.addLoop();
  loop->addTripLimit(*n, TripLimit::kCOUNT);
  ITensor *row = loop->addIterator(*x, 0)->getOutput(0);
  ITensor *y = net.addUnary(*row, UnaryOperation::kABS)->getOutput(0);
  return loop->addLoopOutput(*y, LoopOutput::kCONCATENATE, 0)->getOutput(0); // expect: error loop-output
}
ILoopOutputLayer *layer(INetworkDefinition &net, ITensor *x, ITensor *n) {
  ILoop *loop = net.addLoop();
  loop->addTripLimit(*n, TripLimit::kCOUNT);
  ITensor *row = loop->addIterator(*x, 0)->getOutput(0);
  ITensor *y = net.addUnary(*row, UnaryOperation::kABS)->getOutput(0);
  return loop->addLoopOutput(*y, LoopOutput::kCONCATENATE, 0);
}
)");
}

} // namespace
} // namespace condlint::test
