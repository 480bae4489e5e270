//===- FileBytesTest.cpp - Opening files of every kind ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Reader.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace condlint {
namespace {

class FileBytesTest : public ::testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("condlint-bytes-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string &name, const std::string &bytes) {
    const std::string path = (folder / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder;
};

TEST_F(FileBytesTest, HoldsTheBytesAndZerosBehindThem) {
  // Around the ends of pages, copied and mapped.
  constexpr std::size_t mapped =
      8 << 20; // up to here a file is copied; what fills its last page has few zeros behind it
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{4096}, mapped - 1, mapped,
                                 mapped + 1, mapped + 4032, mapped + 4033, mapped + 4095, mapped + 4096}) {
    const auto bytes = FileBytes::open(write("f", std::string(size, 'x')));
    ASSERT_TRUE(bytes);
    const std::string_view view = (*bytes)->view();
    ASSERT_EQ(view.size(), size);
    EXPECT_EQ(std::count(view.begin(), view.end(), 'x'), static_cast<std::ptrdiff_t>(size));
    for (std::size_t i = 0; i < 64; ++i)
      ASSERT_EQ(view.data()[size + i], '\0') << size << " + " << i;
  }
}

TEST_F(FileBytesTest, CopiesBytes) {
  const auto bytes = FileBytes::copy("abc");
  EXPECT_EQ(bytes->view(), "abc");
  EXPECT_EQ(bytes->view().data()[3], '\0');
  EXPECT_EQ(bytes->view().data()[66], '\0');
  EXPECT_EQ(FileBytes::copy("")->view().size(), 0u);
}

TEST_F(FileBytesTest, PathsWithSpacesAndUtf8) {
  const auto bytes = FileBytes::open(write("ein Modell – größer.pt2", "abc"));
  ASSERT_TRUE(bytes);
  EXPECT_EQ((*bytes)->view(), "abc");
}

TEST_F(FileBytesTest, SaysWhyAFileCannotBeRead) {
  const std::string absent = (folder / "absent").string();
  auto bytes = FileBytes::open(absent);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().str(), absent + ": no such file");
  bytes = FileBytes::open(write("file", "x") + "/below");
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("no such file"), std::string::npos);
  bytes = FileBytes::open(folder.string());
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("is a folder"), std::string::npos);
  bytes = FileBytes::open("/dev/zero");
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "is not a regular file");
  bytes = FileBytes::open(std::string("a\0b", 3));
  ASSERT_FALSE(bytes);
}

TEST_F(FileBytesTest, DoesNotWaitForAPipe) {
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto bytes = FileBytes::open(pipe);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "is not a regular file");
}

TEST_F(FileBytesTest, PermissionDenied) {
  const std::string path = write("secret", "x");
  ::chmod(path.c_str(), 0);
  if (::access(path.c_str(), R_OK) == 0)
    GTEST_SKIP() << "this user may read everything";
  const auto bytes = FileBytes::open(path);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "permission denied");
}

TEST(ReaderTest, FormatsByName) {
  EXPECT_EQ(formatOfPath("a/b.pt2"), Format::Pt2);
  EXPECT_EQ(formatOfPath("B.PT2"), Format::Pt2);
  EXPECT_EQ(formatOfPath("m.onnx"), Format::Onnx);
  EXPECT_EQ(formatOfPath("g.json"), Format::Json);
  EXPECT_EQ(formatOfPath("m.pt"), std::nullopt);
  EXPECT_EQ(formatOfPath("pt2"), std::nullopt);
  EXPECT_EQ(formatOfPath(""), std::nullopt);
}

TEST_F(FileBytesTest, ReadModelNamesTheFileAndTheReason) {
  const std::string text = write("notes.txt", "x");
  auto model = readModel(text);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().file, text);
  EXPECT_NE(model.error().message.find("expected a .pt2"), std::string::npos);
  const std::string empty = write("empty.pt2", "");
  model = readModel(empty);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().str().find(empty + ": is empty"), std::string::npos);
}

TEST(ErrorTest, LeavesOutWhatIsEmpty) {
  EXPECT_EQ((Error{"f", "byte 3", "no", "do"}).str(), "f: byte 3: no; do");
  EXPECT_EQ((Error{"", "", "no", ""}).str(), "no");
  EXPECT_EQ((Error{"f", "", "no", ""}).str(), "f: no");
}

} // namespace
} // namespace condlint
