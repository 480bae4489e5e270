//===- StorageTest.cpp - Memory of tensors ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Storages, views, versions and write logs: what makes aliases and writes real.
#include "executor/cpu/CpuDevice.h"
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace condlint::test {
namespace {

Tensor counted(Device &d, std::vector<std::int64_t> sizes) {
  const std::int64_t count = elementCount(sizes).value_or(0);
  Tensor t(d.allocate(static_cast<std::size_t>(count) * 4), DType::Float32, sizes);
  std::iota(t.out<float>(), t.out<float>() + count, 0.0F);
  return t;
}

TEST(Storage, ViewsShareItAndKeepItAlive) {
  CpuDevice d;
  Tensor row;
  {
    const Tensor t = counted(d, {2, 3});
    row = t.selected(0, 1);
    EXPECT_TRUE(row.sharesStorage(t));
    EXPECT_FALSE(row.same(t));
  }
  EXPECT_EQ(row.rank(), 1U);
  EXPECT_EQ(row.offset(), 3);
  EXPECT_FLOAT_EQ(row.as<float>()[0], 3);
  EXPECT_EQ(d.used(), 24U);
  row = Tensor();
  EXPECT_EQ(d.used(), 0U);
  EXPECT_EQ(d.peak(), 24U);
}

TEST(Storage, StridesFollowTheView) {
  CpuDevice d;
  const Tensor t = counted(d, {2, 3, 4});
  EXPECT_TRUE(t.isContiguous());
  const Tensor turned = t.transposed(0, 2);
  EXPECT_EQ(turned.size(0), 4);
  EXPECT_EQ(turned.stride(0), 1);
  EXPECT_EQ(turned.stride(2), 12);
  EXPECT_FALSE(turned.isContiguous());
  const Tensor every = t.sliced(2, 1, 2, 2);
  EXPECT_EQ(every.offset(), 1);
  EXPECT_EQ(every.stride(2), 2);
  EXPECT_FLOAT_EQ(every.as<float>()[2], 3);
  const std::int64_t flat[] = {24}, wide[] = {5, 2, 3, 4}, wrong[] = {2, 3, 5};
  EXPECT_TRUE(t.viewed(flat).has_value());
  EXPECT_FALSE(turned.viewed(flat).has_value());
  ASSERT_TRUE(t.expanded(wide).has_value());
  EXPECT_EQ(t.expanded(wide)->stride(0), 0);
  EXPECT_FALSE(t.expanded(wrong).has_value());
  EXPECT_EQ(t.unsqueezed(1).rank(), 4U);
  EXPECT_TRUE(t.unsqueezed(1).squeezed(1).same(t));
}

TEST(Storage, CountsWritesAndKnowsWhoWrote) {
  CpuDevice d;
  const Tensor t = counted(d, {4}), view = t.sliced(0, 1, 2);
  EXPECT_EQ(t.storage().version(), 0U);
  EXPECT_TRUE(t.storage().writers().empty());
  ASSERT_TRUE(view.storage().noteWrite(NodeId(7)));
  ASSERT_TRUE(t.storage().noteWrite(NodeId(9)));
  EXPECT_EQ(view.storage().version(), 2U);
  ASSERT_EQ(t.storage().writers().size(), 2U);
  EXPECT_EQ(t.storage().writers()[0], NodeId(7));
  t.storage().forgetWrites(1);
  EXPECT_EQ(t.storage().version(), 1U);
  EXPECT_EQ(t.storage().writers().size(), 1U);
}

TEST(Storage, MemoryOfSomebodyElseIsCopiedBeforeItIsWritten) {
  CpuDevice d;
  const auto weights = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  Tensor t(d.borrow(reinterpret_cast<const char *>(weights->data()), 8, weights), DType::Float32,
           std::vector<std::int64_t>{2});
  EXPECT_EQ(d.used(), 0U);
  EXPECT_EQ(static_cast<const void *>(t.bytes()), weights->data());
  ASSERT_TRUE(t.storage().noteWrite(NodeId(1)));
  t.out<float>()[0] = 5;
  EXPECT_FLOAT_EQ((*weights)[0], 1);
  EXPECT_EQ(d.used(), 8U);
}

TEST(Storage, NothingIsGivenBeyondTheLimit) {
  CpuDevice d;
  d.setLimit(100);
  Tensor kept(d.allocate(80), DType::UInt8, std::vector<std::int64_t>{80});
  EXPECT_EQ(d.allocate(40), nullptr);
  kept = Tensor();
  Tensor again(d.allocate(100), DType::UInt8, std::vector<std::int64_t>{100});
  EXPECT_TRUE(static_cast<bool>(again));
}

TEST(Storage, SizesThatDoNotFitAreNoCount) {
  EXPECT_EQ(elementCount(std::vector<std::int64_t>{}), 1);
  EXPECT_EQ(elementCount(std::vector<std::int64_t>{3, 0}), 0);
  EXPECT_FALSE(elementCount(std::vector<std::int64_t>{-1}).has_value());
  EXPECT_FALSE(elementCount(std::vector<std::int64_t>{1LL << 40, 1LL << 40}).has_value());
}

} // namespace
} // namespace condlint::test
