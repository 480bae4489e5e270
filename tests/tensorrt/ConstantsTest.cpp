//===- ConstantsTest.cpp - Constants of networks ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, sizes and whole tables that builders keep as constants of their files.
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// What the builders below name their tensors and sizes by.
const std::string constants = R"(
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
const char kInput[] = "data";
static const char kPadded[16] = "data";
static constexpr std::string_view kView = "data";
static const char *const kNames[] = {"data", "other"};
constexpr std::array<const char *, 2> kTable{"data", "other"};
struct Spec { int64_t rows; const char *name; };
static const Spec kSpecs[2] = {{4, "data"}, {5, "other"}};
static const std::pair<int64_t, int64_t> kSize{4, 8};
using Tensors = std::map<std::string, ITensor *>;
Tensors filled(INetworkDefinition &n, const std::string &first) {
  Tensors t;
  t[first] = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  t["other"] = n.addInput("z", DataType::kINT32, Dims2{4, 8});
  return t;
}
// A macro, so that what is found stands where it is used.
#define BOTH(n, a, b)                                                               \
  auto *c = n.addIfConditional();                                                   \
  c->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));                  \
  auto *y = c->addInput(*a)->getOutput(0);                                          \
  auto *z = c->addInput(*b)->getOutput(0);                                          \
  n.markOutput(*c->addOutput(*y, *z)->getOutput(0));
)";

TEST(Constants, TextsOfAFileAreKeys) {
  expectNone(constants + R"(
void array(INetworkDefinition &n) { auto t = filled(n, kInput); BOTH(n, t.at("data"), t.at("other")) } // expect: error output-dtype
void padded(INetworkDefinition &n) { auto t = filled(n, kPadded); BOTH(n, t.at("data"), t.at("other")) } // expect: error output-dtype
void view(INetworkDefinition &n) { auto t = filled(n, std::string(kView)); BOTH(n, t.at("data"), t.at("other")) } // expect: error output-dtype
void names(INetworkDefinition &n) { auto t = filled(n, kNames[0]); BOTH(n, t.at("data"), t.at(kNames[1])) } // expect: error output-dtype
void table(INetworkDefinition &n) { auto t = filled(n, kTable[0]); BOTH(n, t.at("data"), t.at(kTable[1])) } // expect: error output-dtype
void spec(INetworkDefinition &n) { auto t = filled(n, kSpecs[0].name); BOTH(n, t.at("data"), t.at(kSpecs[1].name)) } // expect: error output-dtype
)");
}

TEST(Constants, TheSameTextIsTheSameTensor) {
  expectNone(constants + R"(
void array(INetworkDefinition &n) { auto t = filled(n, kInput); BOTH(n, t.at("data"), t.at(kTable[0])) }
void view(INetworkDefinition &n) { auto t = filled(n, std::string(kView)); BOTH(n, t.at(kPadded), t.at(kNames[0])) }
void spec(INetworkDefinition &n) {
  auto t = filled(n, kSpecs[0].name);
  t["more"] = n.addInput("y", DataType::kFLOAT, Dims2{kSize.first, kSize.second});
  BOTH(n, t.at("data"), t.at("more"))
}
// What is no constant may be any text.
void changed(INetworkDefinition &n) {
  char name[8] = "data";
  name[0] = 'o';
  auto t = filled(n, "data");
  if (t.count(name) != 0)
    { BOTH(n, t.at("data"), t.at("data")) }
}
)");
}

} // namespace
} // namespace condlint::test
