//===- WaysTest.cpp - Ways that code that builds can go, and its loops -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

TEST(BranchLeak, OnOneWayOnlyItIsPossible) {
  const Checked c = checkNetwork(networks(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool debug) {
  auto *a = n.addIfConditional();
  a->setCondition(p);
  auto *hidden = n.addUnary(*a->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  if (debug)
    n.markOutput(*hidden);
  n.markOutput(*a->addOutput(*hidden, x)->getOutput(0));
}
)"),
                                 1003);
  EXPECT_EQ(c.functions, 2U);
  EXPECT_EQ(c.of("branch-leak").verdict, Verdict::Possible);
  EXPECT_EQ(c.of("branch-leak").location.line, 9U);
}

// An edit changes every way that comes to its place.
TEST(BranchEager, AWayAloneHasNoRepairThatIsWrittenIntoAll) {
  const auto edits = [](const std::string &code) {
    const Finding f = checkNetwork(networks(code), 1003).of("branch-eager");
    return f.fixes.size() == 1 ? static_cast<int>(f.fixes[0].edits.size()) : -1;
  };
  const auto build = [](const std::string &before, const std::string &read, const std::string &after = "") {
    return "void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool routed) {\n  auto *c = n.addIfConditional();\n"
           "  c->setCondition(p);\n  ITensor *v = &x;\n" +
           before + "  auto *t = n.addUnary(*" + read + ", UnaryOperation::kEXP)->getOutput(0);\n" + after +
           "  n.markOutput(*c->addOutput(*t, x)->getOutput(0));\n}\n";
  };
  EXPECT_EQ(edits(build("  if (routed)\n    v = c->addInput(x)->getOutput(0);\n", "v")), 0);
  EXPECT_EQ(edits(build("", "v")), 2);
  EXPECT_EQ(edits(build("", "v", "  if (routed)\n    t = n.addUnary(*t, UnaryOperation::kABS)->getOutput(0);\n")), 2);
  EXPECT_EQ(edits("void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool gated) {\n  if (!gated)\n    return;\n"
                  "  auto *c = n.addIfConditional();\n  c->setCondition(p);\n"
                  "  auto *t = n.addUnary(x, UnaryOperation::kEXP)->getOutput(0);\n"
                  "  n.markOutput(*c->addOutput(*t, x)->getOutput(0));\n}\n"),
            2);
}

TEST(Ways, ItSaysWhichConditionShowsIt) {
  const Checked c = checkNetwork(networks(R"(struct Config { bool gated; };
void f(INetworkDefinition &n, ITensor &p, ITensor &x, const Config &config) {
  auto *c = n.addIfConditional();
  if (config.gated)
    c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), *in)->getOutput(0));
}
)"),
                                 1013);
  const Finding f = c.of("predicate-missing");
  EXPECT_EQ(f.verdict, Verdict::Possible);
  ASSERT_EQ(f.related.size(), 1U);
  EXPECT_EQ(f.related[0].message, "it is so where 'config.gated' is false");
  EXPECT_EQ(f.related[0].location.line, 6);
}

TEST(Ways, ConditionsThatAreTheSameGoTheSameWay) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool gated, int mode) {
  IIfConditional *c = nullptr;
  ITensor *in = &x;
  if (gated) {
    c = n.addIfConditional();
    c->setCondition(p);
    in = c->addInput(x)->getOutput(0);
  }
  ITensor *y = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  if (mode == 2)
    y = n.addUnary(*y, UnaryOperation::kNEG)->getOutput(0);
  if (gated)
    y = c->addOutput(*y, x)->getOutput(0);
  n.markOutput(*y);
}
)");
}

TEST(Ways, AnEarlyReturnWithHalfAConditionalIsNoFinding) {
  expectNone(R"(
bool ready();
bool f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  if (!ready())
    return false;
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  if (!ready())
    throw 1;
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
  return true;
}
)");
}

// The second question is decided by the first: the way on which it leaves is given up all the same. What
// leaves because it is complete is none.
TEST(Ways, AnEarlyReturnThatIsDecidedIsNoFindingEither) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool known) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *y = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  if (known)
    y = n.addUnary(*y, UnaryOperation::kNEG)->getOutput(0);
  if (!known)
    return;
  n.markOutput(*c->addOutput(*y, x)->getOutput(0));
}
void g(INetworkDefinition &n, ITensor &p, ITensor &x, bool half) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *y = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  auto *z = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  if (half)
    y = n.addCast(*y, DataType::kHALF)->getOutput(0);
  else
    y = n.addCast(*y, DataType::kINT32)->getOutput(0);
  if (!half) {
    n.markOutput(*c->addOutput(*y, *n.addCast(*z, DataType::kBOOL)->getOutput(0))->getOutput(0)); // expect: error output-dtype
    return;
  }
  n.markOutput(*c->addOutput(*y, *n.addCast(*z, DataType::kHALF)->getOutput(0))->getOutput(0));
}
)");
}

// Whoever goes through what he expects and leaves a null pointer for all else takes it for granted that
// nothing else comes; one option alone does come either way.
TEST(Ways, NullPointersForWhatNobodyPassesAreNoFinding) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <string>
using namespace nvinfer1;
enum class Act { Relu, Tanh, Swish };
ITensor *byKind(INetworkDefinition &n, ITensor &x, Act a) {
  switch (a) {
  case Act::Relu:
    return n.addActivation(x, ActivationType::kRELU)->getOutput(0);
  case Act::Tanh:
    return n.addActivation(x, ActivationType::kTANH)->getOutput(0);
  default:
    return nullptr;
  }
}
ITensor *byName(INetworkDefinition &n, ITensor &x, const std::string &name) {
  if (name == "relu")
    return n.addActivation(x, ActivationType::kRELU)->getOutput(0);
  if (name == "tanh")
    return n.addActivation(x, ActivationType::kTANH)->getOutput(0);
  return nullptr;
}
template <class Make> void choice(INetworkDefinition &n, ITensor &p, ITensor &x, Make make) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *t = make(*in);
  n.markOutput(*c->addOutput(*t, *in)->getOutput(0)); // expect: error branch-missing
}
void kinds(INetworkDefinition &n, ITensor &p, ITensor &x, Act a) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*byKind(n, *in, a), *in)->getOutput(0));
}
void names(INetworkDefinition &n, ITensor &p, ITensor &x, const std::string &name) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*byName(n, *in, name), *in)->getOutput(0));
}
void modes(INetworkDefinition &n, ITensor &x, int mode) {
  ITensor *p = nullptr;
  if (mode == 0)
    p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  if (mode == 1)
    p = n.addInput("q", DataType::kBOOL, Dims{0, {}});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addSoftMax(*in)->getOutput(0), *in)->getOutput(0));
}
void option(INetworkDefinition &n, ITensor &p, ITensor &x, bool deep) {
  choice(n, p, x, [&](ITensor &in) -> ITensor * {
    ITensor *t = nullptr;
    if (deep)
      t = n.addActivation(in, ActivationType::kRELU)->getOutput(0);
    return t;
  });
}
)"),
            "");
}

// What was asked before has been answered: the opposite, a narrower range, a text, an optional, a pointer.
TEST(Ways, ConditionsThatExcludeEachOtherAreNoWay) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <optional>
#include <string>
using namespace nvinfer1;
enum class Kind { Plain, Gated, Looped };
struct Config { int layers; int in; int out; std::string mode; std::optional<int> limit; const char *head; float threshold; };
template <class Gate> void gated(INetworkDefinition &n, Gate gate) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  auto *c = n.addIfConditional();
  gate(*c, *p);
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
}
void ranges(INetworkDefinition &n, const Config &config) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  const DataType type = config.layers > 6 ? DataType::kINT8 : DataType::kFLOAT;
  if (config.layers >= 6)
    return;
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *t = n.addCast(*c->addInput(*x)->getOutput(0), type)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *x)->getOutput(0));
}
void others(INetworkDefinition &n, const Config &config) {
  gated(n, [&](IIfConditional &c, ITensor &p) {
    if (config.mode == "always")
      c.setCondition(*n.addConstant(Dims{0, {}}, Weights{DataType::kBOOL, nullptr, 1})->getOutput(0));
    if (config.mode != "always")
      c.setCondition(p);
  });
  gated(n, [&](IIfConditional &c, ITensor &p) {
    if (config.limit)
      c.setCondition(p);
    if (!config.limit.has_value())
      c.setCondition(*n.addIdentity(p)->getOutput(0));
  });
  gated(n, [&](IIfConditional &c, ITensor &p) {
    if (config.head != nullptr && config.threshold > 0.5F)
      c.setCondition(p);
    if (!config.head || !(config.threshold > 0.5F))
      c.setCondition(*n.addIdentity(p)->getOutput(0));
  });
  gated(n, [&](IIfConditional &c, ITensor &p) {
    const bool narrow = config.in < config.out;
    if (narrow)
      c.setCondition(p);
    if (!narrow)
      c.setCondition(*n.addIdentity(p)->getOutput(0));
  });
}
void switched(INetworkDefinition &n, Kind kind) {
  gated(n, [&](IIfConditional &c, ITensor &p) {
    switch (kind) {
    case Kind::Gated:
    case Kind::Looped:
      c.setCondition(p);
      break;
    default:
      break;
    }
    if (kind == Kind::Plain)
      c.setCondition(*n.addIdentity(p)->getOutput(0));
  });
  gated(n, [&](IIfConditional &c, ITensor &p) {
    switch (kind) {
    case Kind::Gated:
      c.setCondition(p);
    }
    switch (kind) {
    case Kind::Gated:
      break;
    default:
      c.setCondition(*n.addIdentity(p)->getOutput(0));
    }
  });
}
std::optional<int> next();
void changed(INetworkDefinition &n, Config &config) {
  gated(n, [&](IIfConditional &c, ITensor &p) {
    if (config.limit)
      c.setCondition(p);
    config.limit = next();
    if (!config.limit)
      c.setCondition(p); // expect: error predicate-missing
  });
}
void twice(INetworkDefinition &n, const Config &config) {
  gated(n, [&](IIfConditional &c, ITensor &p) {
    if (config.limit)
      c.setCondition(p);
    if (config.limit)
      c.setCondition(p); // expect: error predicate-missing
  });
}
)",
                        1003),
            "");
}

// `wanted && able` that is asked twice goes one way, however it is written; what is asked once
// may break.
TEST(Ways, ConditionsMadeOfOthersGoTheSameWay) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <string>
using namespace nvinfer1;
enum class Mode { Plain, Half, Mixed };
struct Options { bool half; bool fast; int level; std::string precision; };
template <class Both> void build(INetworkDefinition &n, Both both) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  ITensor *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  ITensor *f = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  both(t, f);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0)); // expect: error output-dtype
}
ITensor *half(INetworkDefinition &n, ITensor *t) { return n.addCast(*t, DataType::kHALF)->getOutput(0); }
struct Device { bool hasFastHalf() const; };
void same(INetworkDefinition &n, const Device &b, const Options &o, Mode mode, int k, bool wanted, bool able) {
  build(n, [&](ITensor *&t, ITensor *&f) {
    if (o.half && b.hasFastHalf()) t = half(n, t);
    if (o.half && b.hasFastHalf()) f = half(n, f);
  });
  build(n, [&](ITensor *&t, ITensor *&f) {
    if (wanted && able) t = half(n, t);
    if (!(!able || !wanted)) f = half(n, f);
  });
  build(n, [&](ITensor *&t, ITensor *&f) {
    const auto prepared = [&](ITensor *y) { return o.fast || o.level > 3 ? half(n, y) : y; };
    t = prepared(t);
    f = prepared(f);
  });
  build(n, [&](ITensor *&t, ITensor *&f) {
    if (o.precision == "fp16" || o.precision == "half") t = half(n, t);
    if (o.precision == "fp16" || o.precision == "half") f = half(n, f);
  });
  build(n, [&](ITensor *&t, ITensor *&f) {
    if (mode == Mode::Half || mode == Mode::Mixed) t = half(n, t);
    if (mode != Mode::Plain) f = half(n, f);
  });
  build(n, [&](ITensor *&t, ITensor *&f) {
    switch (k) { case 1: case 2: t = half(n, t); }
    switch (k) { case 1: case 2: f = half(n, f); }
    if (k != 1 && k != 2) f = half(n, half(n, f));
    if (std::max(k, 3) % 4 == 3) f = n.addCast(*f, DataType::kHALF)->getOutput(0);
    else f = n.addCast(*f, DataType::kHALF)->getOutput(0);
    t = half(n, t);
  });
}
void implied(INetworkDefinition &n, bool wanted, bool able) {
  build(n, [&](ITensor *&t, ITensor *&f) {
    if (wanted && able) { t = half(n, t); f = half(n, f); }
    if (wanted) { if (able) t = half(n, t); }
  });
}
void differ(INetworkDefinition &n, bool wanted, bool able, bool other) {
  build(n, [&](ITensor *&t, ITensor *&f) {
    if (wanted && able) t = half(n, t);
    if (wanted && other) f = n.addUnary(*f, UnaryOperation::kEXP)->getOutput(0);
  });
}
)"),
            "");
}

// More conditions than there can be runs of their combinations: each is decided each way.
TEST(Ways, ManyConditions) {
  std::string flags, steps;
  for (char flag = 'a'; flag <= 't'; ++flag) {
    flags += std::string("  bool ") + flag + ";\n";
    steps += std::string("  if (config.") + flag + ") x = n.addUnary(*x, UnaryOperation::kABS)->getOutput(0);\n";
  }
  const auto build = [&](const std::string &name, const std::string &first, const std::string &last) {
    return "void " + name + "(INetworkDefinition &n, ITensor &p, const Config &config) {\n" +
           "  ITensor *x = n.addInput(\"x\", DataType::kFLOAT, Dims2{4, 8});\n" + steps + first +
           "  ITensor *in = c->addInput(*x)->getOutput(0);\n"
           "  ITensor *t = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0), *f = in;\n" +
           last + "}\n";
  };
  const std::string output = "  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));";
  expectNone("struct Config {\n" + flags + "  bool half; bool debug;\n};\n" +
             build("missing", "  auto *c = n.addIfConditional(); // expect: error predicate-missing\n", output + "\n") +
             build("configured", "  auto *c = n.addIfConditional();\n  c->setCondition(p);\n",
                   "  if (config.half) t = n.addCast(*t, DataType::kHALF)->getOutput(0);\n" + output +
                       " // expect: error output-dtype\n  if (config.debug)\n    n.markOutput(*in); // expect: error "
                       "branch-leak\n") +
             build("consistent", "  auto *c = n.addIfConditional();\n  if (config.debug) c->setCondition(p);\n",
                   "  if (config.half) t = n.addCast(*t, DataType::kHALF)->getOutput(0);\n"
                   "  if (!config.debug) c->setCondition(*n.addIdentity(p)->getOutput(0));\n"
                   "  if (config.half) f = n.addCast(*f, DataType::kHALF)->getOutput(0);\n" +
                       output + "\n"));
}

// Two calls make two networks.
TEST(Ways, NetworksThatAreMadeHereDiffer) {
  expectNone(R"(
void f(IBuilder &b, ITensor &p, ITensor &x) {
  INetworkDefinition *first = b.createNetworkV2(0U), *second = b.createNetworkV2(0U);
  auto *c = first->addIfConditional();
  c->setCondition(p);
  if (first == second) c->setCondition(p);
  if (second != first)
    first->markOutput(*c->addOutput(*first->addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
}
void g(INetworkDefinition *first, INetworkDefinition *second, ITensor &p, ITensor &x) {
  auto *c = first->addIfConditional();
  c->setCondition(p);
  if (first == second) c->setCondition(p); // expect: error predicate-missing
  first->markOutput(*c->addOutput(*first->addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
}
)");
}

// Two trips of a loop of unknown length do not show what a later one does: what asks for a certain
// trip goes both ways.
TEST(Loops, WhatALaterTripDoesIsNotProved) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, int layers) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ITensor *h = x;
  for (int i = 0; i < layers; ++i) {
    h = n.addUnary(*h, UnaryOperation::kABS)->getOutput(0);
    if (i == 5)
      h = n.addCast(*h, DataType::kHALF)->getOutput(0);
  }
  n.markOutput(*h);
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype
  c->setCondition(p);
  auto *in = c->addInput(*h)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *x)->getOutput(0));
}
void g(INetworkDefinition &n, ITensor &p, int layers, bool last) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ITensor *h = x;
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional();
    c->setCondition(p);
    if (i > 0)
      h = n.addUnary(*h, UnaryOperation::kNEG)->getOutput(0);
    auto *in = c->addInput(*h)->getOutput(0);
    ITensor *t = i == 0 ? n.addUnary(*in, UnaryOperation::kABS)->getOutput(0) : n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
    h = c->addOutput(*t, *in)->getOutput(0);
  }
  n.markOutput(*h);
}
void k(INetworkDefinition &n, ITensor &p, int layers) {
  ITensor *h = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional();
    if (i >= 0)
      c->setCondition(p);
    auto *in = c->addInput(*h)->getOutput(0);
    ITensor *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
    if (i == 1)
      t = n.addCast(*t, DataType::kHALF)->getOutput(0);
    h = c->addOutput(*t, *in)->getOutput(0); // expect-unknown@-7: output-dtype
  }
  n.markOutput(*h);
}
)");
}

// What is computed of the counter, or read by it, is something else in later trips too.
TEST(Loops, WhatFollowsFromTheCounterIsOpenToo) {
  const auto layers = [](const std::string &condition, const std::string &conditional) {
    return R"(
enum class Kind { kPlain, kHalf };
void f(INetworkDefinition &n, ITensor &p, int layers) {
  static const Kind kinds[] = {Kind::kPlain, Kind::kPlain, Kind::kPlain, Kind::kHalf};
  static const bool halves[] = {false, false, false, true};
  ITensor *h = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional(); // )" +
           conditional + R"(
    c->setCondition(p);
    auto *in = c->addInput(*h)->getOutput(0);
    ITensor *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
    if ()" +
           condition + R"()
      t = n.addCast(*t, DataType::kHALF)->getOutput(0);
    h = c->addOutput(*t, *in)->getOutput(0);
  }
  n.markOutput(*h);
}
)";
  };
  for (const char *condition : {"i % 4 == 3", "(i + 1) % 4 == 0", "i / 2 > 3", "(i & 3) == 3", "!(i % 8 != 5)",
                                "kinds[i] == Kind::kHalf", "halves[i]", "i - 4 > 0"})
    expectNone(layers(condition, "expect-unknown: output-dtype"));
  // These are the same in all trips.
  for (const char *condition : {"i + 1 < 1", "i * 2 < 0", "layers < 0 && i < 0"})
    expectNone(layers(condition, ""));
}

TEST(Loops, ASwitchByTheCounterGoesAllWays) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, int layers) {
  ITensor *h = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional(); // expect-unknown: output-dtype
    c->setCondition(p);
    auto *in = c->addInput(*h)->getOutput(0);
    ITensor *t = in;
    switch (i % 3) {
    case 0:
      t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
      break;
    case 1:
      t = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
      break;
    default:
      t = n.addCast(*in, DataType::kHALF)->getOutput(0);
    }
    h = c->addOutput(*t, *in)->getOutput(0);
  }
  n.markOutput(*h);
}
void g(INetworkDefinition &n, ITensor &p, int layers) {
  ITensor *h = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional();
    c->setCondition(p);
    auto *in = c->addInput(*h)->getOutput(0);
    ITensor *t = nullptr;
    if (i % 4 == 3)
      t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
    else
      t = n.addActivation(*in, ActivationType::kRELU)->getOutput(0);
    h = c->addOutput(*t, *in)->getOutput(0);
  }
  n.markOutput(*h);
}
)");
}

// Which of two chains a layer is added to is not known: neither is the other's.
TEST(CrossBranchEdge, F2OfATensorThatIsOneOfSeveral) {
  expectNone(R"(
ITensor *u(INetworkDefinition &n, ITensor *t) { return n.addUnary(*t, UnaryOperation::kABS)->getOutput(0); } // expect: error cross-branch-edge
void f(INetworkDefinition &n, ITensor &p, ITensor &x, int side) {
  auto *c = n.addIfConditional(); // expect-unknown: cross-branch-edge
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  ITensor *ends[2] = {u(n, in), u(n, in)};
  ends[side] = u(n, ends[side]);
  n.markOutput(*c->addOutput(*ends[0], *ends[1])->getOutput(0));
}
void g(INetworkDefinition &n, ITensor &p, ITensor &x, int side) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *in = u(n, c->addInput(x)->getOutput(0));
  ITensor *ends[2] = {u(n, in), u(n, in)};
  ends[side] = u(n, ends[side]);
  n.markOutput(*c->addOutput(*u(n, in), *u(n, in))->getOutput(0));
}
)");
}

// An element type or a size that an option picks is a way of its own: the break that one of them shows is
// possible, and what holds for each of them is proved.
TEST(Ways, AnOptionPicksATypeOrASize) {
  expectNone(R"(
struct Config { bool half; bool large; };
DataType typeOf(const Config &config) {
  if (config.half)
    return DataType::kHALF;
  return DataType::kFLOAT;
}
ITensor *gate(INetworkDefinition &n, ITensor &p, ITensor &x, IIfConditional *&c) {
  c = n.addIfConditional();
  c->setCondition(p);
  return c->addInput(x)->getOutput(0);
}
void assigned(INetworkDefinition &n, ITensor &p, bool half) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  DataType type = DataType::kFLOAT;
  if (half)
    type = DataType::kHALF;
  IIfConditional *c;
  auto *in = gate(n, p, *x, c);
  n.markOutput(*c->addOutput(*n.addCast(*in, type)->getOutput(0), *in)->getOutput(0)); // expect: error output-dtype
}
void returned(INetworkDefinition &n, ITensor &p, const Config &config) {
  auto *x = n.addInput("x", typeOf(config), Dims2{4, 8});
  IIfConditional *c;
  auto *in = gate(n, p, *x, c);
  auto *t = n.addCast(*in, typeOf(config))->getOutput(0);
  n.markOutput(*c->addOutput(*t, *in)->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*t, UnaryOperation::kNEG)->getOutput(0), *n.addCast(*in, DataType::kFLOAT)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
void sized(INetworkDefinition &n, ITensor &p, const Config &config) {
  const int width = config.large ? 1024 : 512;
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, width});
  IIfConditional *c;
  auto *in = gate(n, p, *x, c);
  auto *k = n.addConstant(Dims2{1, width}, Weights{DataType::kFLOAT, nullptr, width})->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *k)->getOutput(0));
  auto *fixed = n.addConstant(Dims2{1, 512}, Weights{DataType::kFLOAT, nullptr, 512})->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0), *fixed)->getOutput(0)); // expect: error output-shape
}
)",
             1003);
}

// So are an object, a text, what can be called, and what a list or a map holds.
TEST(Ways, AnOptionPicksAnObjectATextOrAList) {
  expectNone(R"(
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Block {
  virtual ~Block() = default;
  virtual ITensor *build(INetworkDefinition &n, ITensor *t) const { return n.addUnary(*t, UnaryOperation::kABS)->getOutput(0); }
};
struct Half : Block {
  ITensor *build(INetworkDefinition &n, ITensor *t) const override { return n.addCast(*t, DataType::kHALF)->getOutput(0); }
};
std::unique_ptr<Block> blockOf(bool half) {
  if (half)
    return std::make_unique<Half>();
  return std::make_unique<Block>();
}
ITensor *gate(INetworkDefinition &n, ITensor &p, IIfConditional *&c) {
  c = n.addIfConditional();
  c->setCondition(p);
  return c->addInput(*n.addInput("x", DataType::kFLOAT, Dims2{4, 8}))->getOutput(0);
}
void objects(INetworkDefinition &n, ITensor &p, bool half) {
  IIfConditional *c;
  auto *in = gate(n, p, c);
  const auto block = blockOf(half);
  n.markOutput(*c->addOutput(*block->build(n, in), *block->build(n, in))->getOutput(0));
  std::unique_ptr<Block> other = std::make_unique<Block>();
  if (half)
    other.reset(new Half);
  n.markOutput(*c->addOutput(*other->build(n, in), *in)->getOutput(0)); // expect: error output-dtype
}
void texts(INetworkDefinition &n, ITensor &p, bool half) {
  IIfConditional *c;
  auto *in = gate(n, p, c);
  const std::map<std::string, DataType> types{{"fp16", DataType::kHALF}, {"fp32", DataType::kFLOAT}};
  const std::string type = half ? "fp16" : "fp32";
  auto *t = n.addCast(*in, types.at(type))->getOutput(0);
  n.markOutput(*c->addOutput(*t, *n.addCast(*in, type == "fp16" ? DataType::kHALF : DataType::kFLOAT)->getOutput(0))->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*t, UnaryOperation::kNEG)->getOutput(0), *in)->getOutput(0)); // expect: error output-dtype
}
void lists(INetworkDefinition &n, ITensor &p, bool half) {
  IIfConditional *c;
  auto *in = gate(n, p, c), *t = in, *u = in;
  std::vector<std::string> steps{"abs"};
  std::map<std::string, int> options;
  if (half) {
    steps.push_back("half");
    options["half"] = 1;
  }
  for (const auto &step : steps)
    t = step == "half" ? n.addCast(*t, DataType::kHALF)->getOutput(0) : n.addUnary(*t, UnaryOperation::kABS)->getOutput(0);
  if (options.count("half") != 0)
    u = n.addCast(*u, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *n.addUnary(*u, UnaryOperation::kEXP)->getOutput(0))->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*t, UnaryOperation::kNEG)->getOutput(0), *in)->getOutput(0)); // expect: error output-dtype
}
void called(INetworkDefinition &n, ITensor &p, bool half) {
  IIfConditional *c;
  auto *in = gate(n, p, c);
  std::function<ITensor *(ITensor *)> act = [&](ITensor *t) { return n.addUnary(*t, UnaryOperation::kABS)->getOutput(0); };
  if (half)
    act = [&](ITensor *t) { return n.addCast(*t, DataType::kHALF)->getOutput(0); };
  n.markOutput(*c->addOutput(*act(in), *act(in))->getOutput(0));
}
void switched(INetworkDefinition &n, ITensor &p, int mode) {
  IIfConditional *c;
  auto *in = gate(n, p, c);
  std::string type = "float";
  switch (mode) {
  case 0:
    type = "half";
    break;
  default:
    break;
  }
  auto *t = n.addCast(*in, type == "half" ? DataType::kHALF : DataType::kFLOAT)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *n.addCast(*in, type == "half" ? DataType::kHALF : DataType::kFLOAT)->getOutput(0))->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*t, UnaryOperation::kNEG)->getOutput(0), *in)->getOutput(0)); // expect: error output-dtype
}
)",
             1003);
}

// What an option only says is none; with more options than can be followed types and sizes still are.
TEST(Ways, OfManyOptionsTypesAreFollowed) {
  const auto waysOf = [](const std::string &options) {
    const Checked c = checkNetwork(networks("#include <cstdio>\nstruct Options { bool a, b, c, d, e; };\n"
                                            "void f(INetworkDefinition &n, ITensor &p, const Options &o, bool half) {\n"
                                            "  Options own{};\n" +
                                            options + R"(
  const DataType type = half ? DataType::kHALF : DataType::kFLOAT;
  auto *x = n.addInput("x", type, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addCast(*in, type)->getOutput(0), *in)->getOutput(0));
}
)"),
                                   1003);
    EXPECT_EQ(c.conditionals.front().verdicts.find("output-dtype")->second, Verdict::Proved);
    return c.functions;
  };
  EXPECT_EQ(waysOf("  if (o.a)\n    std::puts(\"a\");\n"), 2U);
  EXPECT_EQ(waysOf("  if (o.a)\n    own.a = true;\n"), 4U);
  // The first run stands beside those of the type alone.
  EXPECT_EQ(waysOf("  if (o.a)\n    own.a = true;\n  if (o.b)\n    own.b = true;\n  if (o.c)\n    own.c = true;\n"
                   "  if (o.d)\n    own.d = true;\n  if (o.e)\n    own.e = true;\n"),
            3U);
}

// A loop that goes through a container makes a trip where that is not empty.
TEST(Ways, AContainerIsEmptyWhereALoopThroughItMakesNoTrip) {
  const auto verdictOf = [](const std::string &code) {
    return checkNetwork(
               networks("#include <vector>\nvoid f(INetworkDefinition &n, ITensor &p, const std::vector<int> &all) {\n"
                        "  auto *c = n.addIfConditional();\n  c->setCondition(p);\n"
                        "  auto *in = c->addInput(*n.addInput(\"x\", DataType::kFLOAT, Dims2{4, 8}))->getOutput(0);\n"
                        "  ITensor *y = in, *z = in;\n" +
                        code +
                        "  n.markOutput(*c->addOutput(*y, *n.addUnary(*z, "
                        "UnaryOperation::kABS)->getOutput(0))->getOutput(0));\n}\n"),
               1003)
        .conditionals.front()
        .verdicts.find("output-dtype")
        ->second;
  };
  const std::string half = "y = n.addCast(*y, DataType::kHALF)->getOutput(0);\n";
  const std::string other = "z = n.addCast(*z, DataType::kHALF)->getOutput(0);\n";
  const std::string loops[] = {"  for (int one : all)\n    " + half,
                               "  for (std::size_t i = 0; i < all.size(); ++i)\n    " + half,
                               "  for (auto i = all.begin(); i != all.end(); ++i)\n    " + half};
  for (const std::string &loop : loops) {
    for (const char *some : {"  if (!all.empty())\n    ", "  if (all.size() > 0)\n    ", "  if (all.size())\n    "}) {
      EXPECT_EQ(verdictOf(loop + some + other), Verdict::Unknown) << loop << some;
      EXPECT_EQ(verdictOf(some + other + loop), Verdict::Unknown) << some << loop;
    }
    EXPECT_EQ(verdictOf("  if (all.empty())\n    return;\n" + loop + "  " + other), Verdict::Unknown) << loop;
    EXPECT_EQ(verdictOf(loop + "  if (all.empty())\n    " + other), Verdict::Possible) << loop;
    EXPECT_EQ(verdictOf(loop), Verdict::Possible) << loop;
  }
}

// Of a size that is given or has a default both are followed.
TEST(Ways, ADefaultIsAWayToo) {
  const Checked c = checkNetwork(networks(R"(
void f(INetworkDefinition &n, ITensor &p, int size) {
  const int width = size > 0 ? size : 64;
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, width});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *k = n.addConstant(Dims2{1, width}, Weights{DataType::kFLOAT, nullptr, width})->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *k)->getOutput(0));
}
)"),
                                 1003);
  EXPECT_EQ(c.functions, 2U);
  ASSERT_EQ(c.conditionals.size(), 1U);
  EXPECT_EQ(c.conditionals[0].verdicts.find("output-shape")->second, Verdict::Proved);
}

// A value that nobody gives from outside is some value; with more options than can be followed each is.
TEST(Ways, WhatIsPickedOtherwiseIsNotKnown) {
  expectNone(R"(
bool supportsHalf();
void asked(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  const DataType type = supportsHalf() ? DataType::kHALF : DataType::kFLOAT;
  n.markOutput(*c->addOutput(*n.addCast(*in, type)->getOutput(0), *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}
void many(INetworkDefinition &n, ITensor &p, bool a, bool b, bool d, bool e, bool f) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  const int sizes = (a ? 1 : 2) * (b ? 3 : 4) * (d ? 5 : 6);
  const DataType type = e ? DataType::kHALF : DataType::kFLOAT;
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype, output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *t = n.addCast(*in, type)->getOutput(0);
  if (f)
    t = n.addUnary(*t, UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *n.addCast(*in, type)->getOutput(0))->getOutput(0));
  auto *k = n.addConstant(Dims2{sizes, 8}, Weights{DataType::kFLOAT, nullptr, 8 * sizes})->getOutput(0);
  auto *fill = n.addFill(Dims2{sizes, 8}, FillOperation::kLINSPACE, DataType::kFLOAT)->getOutput(0);
  n.markOutput(*c->addOutput(*k, *n.addUnary(*fill, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*x, UnaryOperation::kEXP)->getOutput(0), *in)->getOutput(0)); // expect: warning branch-eager
}
)",
             1003);
}

TEST(Loops, UnknownTripsOfTheHostAreOneTrip) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor *x, int layers) {
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional();
    c->setCondition(p);
    auto *in = c->addInput(*x)->getOutput(0);
    auto *t = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
    x = c->addOutput(*t, *x)->getOutput(0);
  }
  n.markOutput(*x);
}
void broken(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional(); // expect: error predicate-missing
    auto *in = c->addInput(x)->getOutput(0);
    n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
  }
}
)");
}

TEST(Ways, AHelperThatEndsInAnExceptionBuiltNothing) {
  expectNone(R"(
ITensor *act(INetworkDefinition &n, ITensor &x, int mode) {
  if (mode == 1)
    return n.addUnary(x, UnaryOperation::kEXP)->getOutput(0);
  if (mode == 2)
    return n.addUnary(x, UnaryOperation::kABS)->getOutput(0);
  throw 1;
}
void f(INetworkDefinition &n, ITensor &p, ITensor &x, int mode) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *t = act(n, *in, mode);
  n.markOutput(*c->addOutput(*t, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0));
}
void broken(INetworkDefinition &n, ITensor &p, ITensor &x, int mode) {
  auto *c = n.addIfConditional(); // expect: error output-none
  c->setCondition(p);
  act(n, *c->addInput(x)->getOutput(0), mode);
}
)");
}

} // namespace
} // namespace condlint::test
