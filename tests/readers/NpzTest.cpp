//===- NpzTest.cpp - Archives of numpy's arrays ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pt2Files.h"
#include "condlint/Array.h"
#include "graph/NewFile.h"
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace condlint;
using namespace condlint::test;
namespace fs = std::filesystem;

namespace {

class Npz : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) /
             fmt::format("npz-{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
    fs::create_directories(folder);
    file = (folder / "a.npz").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  /// One array: "float32[2, 3] strides [], 24 bytes" with its texts, or why it is refused.
  std::string read(const std::string &type, const std::string &shape, const std::string &data,
                   const std::string &fortran = "False") const {
    const std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", type, fortran, shape);
    std::string npy("\x93NUMPY\x01\x00", 8);
    npy += static_cast<char>(header.size() & 0xff);
    npy += static_cast<char>(header.size() >> 8);
    Zip zip;
    zip.add("x.npy", npy + header + data);
    std::ofstream(file, std::ios::binary) << zip.bytes();
    const auto arrays = readNpz(file);
    if (!arrays)
      return arrays.error().message;
    const Array &a = arrays->front();
    return fmt::format("{} {}[{}] strides [{}], {} bytes{}", a.name, dtypeName(a.dtype), fmt::join(a.shape, ", "),
                       fmt::join(a.strides, ", "), a.bytes.size(), fmt::join(a.strings, "|"));
  }

  std::string file;
  fs::path folder;
};

} // namespace

TEST_F(Npz, ArraysAreRead) {
  const std::string six(24, 'x');
  EXPECT_EQ(read("<f4", "(2, 3)", six), "x float32[2, 3] strides [], 24 bytes");
  EXPECT_EQ(read("<f4", "(2, 3)", six, "True"), "x float32[2, 3] strides [1, 2], 24 bytes");
  EXPECT_EQ(read("|b1", "()", "x"), "x bool[] strides [], 1 bytes");
  EXPECT_EQ(read("|O", "(2,)", "abc").substr(0, 24), "holds objects of Python,");
  EXPECT_EQ(read("<q3", "(2,)", "abc"), "has elements of the type '<q3', which condlint does not read");
  EXPECT_EQ(read("|S2", "(2,)", "abc"), "holds 3 byte(s) of data, its type and shape take 4");
  EXPECT_EQ(read("|S2", "(2,)", std::string("abc\0", 4)), "x string[2] strides [], 0 bytesab|c");
}

TEST_F(Npz, NumbersOfTheOtherByteOrderAreTurned) {
  const auto bytes = [&](const std::string &type, const std::string &shape, const std::string &data) {
    read(type, shape, data);
    const auto arrays = readNpz(file);
    return arrays ? std::string(arrays->front().bytes) : arrays.error().message;
  };
  EXPECT_EQ(bytes(">i4", "(2,)", "abcdefgh"), "dcbahgfe");
  EXPECT_EQ(bytes(">c8", "(1,)", "abcdefgh"), "dcbahgfe") << "a complex number is two";
  EXPECT_EQ(bytes("|u1", "(3,)", "abc"), "abc");
  EXPECT_EQ(bytes("?", "(1,)", std::string(1, '\1')), std::string(1, '\1'));
  EXPECT_EQ(read(">U1", "(2,)", std::string("\0\0\0a\0\0\0b", 8)), "x string[2] strides [], 0 bytesa|b");
}

TEST_F(Npz, TextsAreInRows) {
  EXPECT_EQ(read("|S1", "(2, 3)", "adbecf", "True"), "x string[2, 3] strides [], 0 bytesa|b|c|d|e|f");
}

TEST_F(Npz, ShapesThatClaimTooMuchAreRefused) {
  EXPECT_EQ(read("<f4", "(4611686018427387904, 4)", ""),
            "holds 0 byte(s) of data, its type and shape take more than 64 bits can count");
  EXPECT_EQ(read("<U0", "(2305843009213693951,)", ""), "holds more empty texts than condlint reads");
  EXPECT_EQ(read("<U0", "(2,)", ""), "x string[2] strides [], 0 bytes|");
  // No element, so no stride matters, and none is computed.
  EXPECT_EQ(read("<f4", "(0, 4611686018427387904, 4611686018427387904)", "", "True").substr(0, 8), "x float3");
}

TEST_F(Npz, WritingLeavesOtherFilesAlone) {
  const fs::path other = folder / "a.npz.part";
  std::ofstream(other) << "somebody else's";
  Array a;
  a.name = "out0";
  a.dtype = DType::Float32;
  a.shape = {2};
  a.bytes = "12345678";
  ASSERT_FALSE(writeNpz(file, {&a, 1}));
  const auto back = readNpz(file);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->front().bytes, "12345678");
  EXPECT_EQ(fileText(other.string()), "somebody else's");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
}

TEST_F(Npz, TextsAreWrittenAsWideAsTheLongest) {
  Array a;
  a.name = "out0";
  a.dtype = DType::String;
  a.shape = {3};
  a.strings = {"", "h\u00e9", "\u4e16\U0001f600x"};
  ASSERT_FALSE(writeNpz(file, {&a, 1}));
  const auto back = readNpz(file);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->front().shape, a.shape);
  EXPECT_EQ(back->front().strings, a.strings);
  a.shape = {0};
  a.strings.clear();
  ASSERT_FALSE(writeNpz(file, {&a, 1}));
  const auto none = readNpz(file);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->front().strings.empty());
}

TEST_F(Npz, WhatCannotBeWrittenLeavesNothing) {
  std::ofstream(file) << "as it was";
  Array a;
  a.name = "out0";
  a.dtype = DType::Int4;
  const auto error = writeNpz(file, {&a, 1});
  ASSERT_TRUE(error);
  EXPECT_EQ(fileText(file), "as it was");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
  EXPECT_TRUE(writeNpz((folder / "nowhere" / "a.npz").string(), {&a, 1}));
}

TEST_F(Npz, AFileKeepsThePermissionsOfTheOneItReplaces) {
  std::ofstream(file) << "old";
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  {
    auto fresh = NewFile::beside(file);
    ASSERT_TRUE(fresh);
    std::ofstream(fresh->path()) << "new";
    EXPECT_FALSE(fresh->keep());
  }
  EXPECT_EQ(fileText(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Npz, WhatNumpyHasNotIsItsBits) {
  for (const auto &[dtype, suffix, width] : {std::tuple(DType::BFloat16, "__bf16", 2u),
                                             {DType::Float8E4M3FN, "__f8e4m3fn", 1u},
                                             {DType::Float8E4M3FNUZ, "__f8e4m3fnuz", 1u},
                                             {DType::Float8E5M2, "__f8e5m2", 1u},
                                             {DType::Float8E5M2FNUZ, "__f8e5m2fnuz", 1u},
                                             {DType::Float8E8M0FNU, "__f8e8m0fnu", 1u}}) {
    const auto bytes = std::make_shared<std::string>(3 * width, '\x38');
    Array a;
    a.name = "out0";
    a.dtype = dtype;
    a.shape = {3};
    a.bytes = *bytes;
    a.keepAlive = bytes;
    ASSERT_FALSE(writeNpz(file, std::vector<Array>{a}));
    std::ifstream in(file, std::ios::binary);
    const std::string archive{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(archive.find(std::string("out0") + suffix + ".npy"), std::string::npos);
    const auto again = readNpz(file);
    ASSERT_TRUE(again) << again.error().str();
    EXPECT_EQ(again->front().name, "out0");
    EXPECT_EQ(again->front().dtype, dtype);
    EXPECT_EQ(again->front().bytes, a.bytes);
  }
}
