//===- HostTest.cpp - The C++ around a network: texts and virtual calls ------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

void expectNone(const std::string &code, int version = 1013) {
  EXPECT_EQ(differences("#include <NvInfer.h>\n#include <memory>\n#include <string>\n#include <vector>\n"
                        "using namespace nvinfer1;\n" +
                            code,
                        version),
            "");
}

TEST(Text, ItsCharactersAreKnown) {
  expectNone(R"(
ITensor *block(INetworkDefinition &n, ITensor &x, char kind) {
  return kind == 'h' ? n.addCast(x, DataType::kHALF)->getOutput(0) : n.addUnary(x, UnaryOperation::kABS)->getOutput(0);
}
void build(INetworkDefinition &n, ITensor &p, const std::string &given) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  const std::string kinds = "afh";
  std::string changed = kinds;
  changed[2] = 'f';
  const char *literal = "fh";
  ITensor *last = in;
  for (char kind : kinds)
    last = block(n, *last, kind);
  const auto a = [&] { return block(n, *in, kinds.front()); };
  n.markOutput(*c->addOutput(*a(), *block(n, *in, changed.back()))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *block(n, *in, changed.at(1)))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *block(n, *in, literal[0]))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *block(n, *in, *literal))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *last)->getOutput(0)); // expect: error output-dtype
  n.markOutput(*c->addOutput(*a(), *block(n, *in, kinds[2]))->getOutput(0)); // expect: error output-dtype
  n.markOutput(*c->addOutput(*a(), *block(n, *in, literal[1]))->getOutput(0)); // expect: error output-dtype
}
)");
}

TEST(Virtual, TheBodyOfTheObjectsOwnClassBuilds) {
  expectNone(R"(
struct Block {
  virtual ~Block() = default;
  virtual ITensor *build(INetworkDefinition &n, ITensor &x) const { return n.addCast(x, DataType::kHALF)->getOutput(0); }
};
struct Abs : Block {
  ITensor *build(INetworkDefinition &n, ITensor &x) const override { return n.addUnary(x, UnaryOperation::kABS)->getOutput(0); }
};
struct Neg final : Block {
  ITensor *build(INetworkDefinition &n, ITensor &x) const override { return n.addUnary(x, UnaryOperation::kNEG)->getOutput(0); }
};
ITensor *either(INetworkDefinition &n, ITensor &p, ITensor &x, const Block &yes, const Block &no) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *a = yes.build(n, *in);
  auto *b = no.build(n, *in);
  return c->addOutput(*a, *b)->getOutput(0); // expect: error output-dtype
}
void wrong(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  n.markOutput(*either(n, p, *x, Abs(), Block()));
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<Abs>());
  blocks.push_back(std::make_unique<Neg>());
  n.markOutput(*either(n, p, *x, *blocks[0], *blocks[1]));
}
)");
}

// What a reference from outside names may be of any class that overrides; a final one is just that.
TEST(Virtual, OfAnObjectFromOutsideOnlyAFinalBodyIsKnown) {
  expectNone(R"(
struct Block {
  virtual ~Block() = default;
  virtual ITensor *build(INetworkDefinition &n, ITensor &x) const { return n.addCast(x, DataType::kHALF)->getOutput(0); }
};
struct Neg final : Block {
  ITensor *build(INetworkDefinition &n, ITensor &x) const override { return n.addUnary(x, UnaryOperation::kNEG)->getOutput(0); }
};
void open(INetworkDefinition &n, ITensor &p, const Block &block) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype, output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = block.build(n, *in);
  n.markOutput(*c->addOutput(*a, *in)->getOutput(0));
}
void final(INetworkDefinition &n, ITensor &p, const Neg &block) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = block.build(n, *in);
  n.markOutput(*c->addOutput(*a, *n.addCast(*in, DataType::kHALF)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
)");
}

} // namespace
} // namespace condlint::test
