//===- TextTest.cpp - What is asked of one text ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions about one text from outside: where the first one holds, whether the second
// one may.
//
//===----------------------------------------------------------------------===//
#include "Questions.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {
namespace {

void expectOfTexts(const std::vector<Questions> &all) {
  expectTogether(R"(#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
struct Config { std::string mode; std::string modes[2]; };
void poke(std::string &);
)",
                 "const std::string &name, std::string_view view, const char *chars, const std::string &other, "
                 "Config config, int n",
                 all);
}

TEST(Text, IsOneTextOrAnother) {
  expectOfTexts({
      {R"(name == "a")", R"(name == "b")", "never"},
      {R"(name == "a")", R"(name != "b")", "may"},
      {R"(name == "a")", R"(name != "a")", "never"},
      {R"(name != "a")", R"(name == "b")", "may"},
      {R"(name != "a")", R"(name == "a")", "never"},
      {R"("a" == name)", R"(name == "a")", "may"},
      {R"(name == "a" || name == "b")", R"(name == "b")", "may"},
      {R"(!(name == "a") && name != "b")", R"(name == "c")", "may"},
      {R"(name == "a")", R"(name < "b")", "may"},
      {R"(name == "b")", R"(name < "b")", "never"},
      {R"(name > "b")", R"(name == "a")", "never"},
      {R"(name == "a")", R"(other == "b")", "may"},
      {R"([&] { bool both = false; if (name == "a" && name == "b") both = true; return both; }())", "n > 2", "never"},
      {R"([&] { bool both = false; if (n > 3 && n < 2) both = true; return both; }())", "true", "never"},
      {R"(name == other)", R"(name != other)", "never"},
      {R"(view == "a")", R"(view == "b")", "never"},
      {R"(view == "a")", R"(std::string(view) == "b")", "never"},
      {R"(std::strcmp(chars, "a") == 0)", R"(std::strcmp(chars, "b") == 0)", "never"},
      {R"(std::strcmp(chars, "a") == 0)", R"(chars[0] == 'a')", "may"},
      {R"(config.mode == "a")", R"(config.mode == "b")", "never"},
      {R"(config.mode == "a")", R"(config.mode.empty())", "never"},
      {R"(config.mode == "a")", R"(config.modes[0] == "b")", "may"},
      {R"(config.modes[0] == "a")", R"(config.modes[1] == "b")", "may"},
      {R"(config.modes[0] == "a")", R"(config.modes[0] == "b")", "never"},
  });
}

TEST(Text, WhatIsFoundInIt) {
  expectOfTexts({
      {R"(name == "ab")", R"(name.find("b") == std::string::npos)", "never"},
      {R"(name == "ab")", R"(name.find("b") != std::string::npos)", "may"},
      {R"(name == "ab")", R"(name.find("b") == 1)", "may"},
      {R"(name == "ab")", R"(name.find("b") < name.npos)", "may"},
      {R"(name == "ac")", R"(name.find("b") < name.npos)", "never"},
      {R"(name.find("b") == 0)", R"(name.find("b") == std::string::npos)", "never"},
      {R"(name.find("b") == 0)", R"(name == "ab")", "never"},
      {R"(name.find("b") == 0)", R"(name == "ba")", "may"},
      {R"(name.find("b") == std::string::npos)", R"(name == "ab")", "never"},
      {R"(name.find("b") == std::string::npos)", R"(name == "a")", "may"},
      {R"(name.find("b") == std::string::npos)", R"(name.find("ab") != std::string::npos)", "never"},
      {R"(name.find("b") == std::string::npos)", R"(name.find("b") > 5)", "may"},
      {R"(int(name.find("b")) == -1)", R"(name == "ab")", "never"},
      {R"(int(name.find("b")) == -1)", R"(name == "a")", "may"},
      {R"(name.find("b") != std::string::npos)", R"(name.empty())", "never"},
      {R"(name.find("ab") != std::string::npos)", R"(name.size() < 2)", "never"},
      {R"(name.find("ab") != std::string::npos)", R"(name.size() == 2)", "may"},
      {R"(name.find('b') != std::string::npos)", R"(name == "ab")", "may"},
      {R"(name.rfind("a", 0) == 0)", R"(name.starts_with("b"))", "never"},
      {R"(name.rfind("a", 0) == 0)", R"(name == "ab")", "may"},
  });
}

TEST(Text, HowLongItIsAndWhatItBeginsWith) {
  expectOfTexts({
      {R"(name == "ab")", R"(name.size() == 2)", "may"},
      {R"(name == "ab")", R"(name.size() > 2)", "never"},
      {R"(name == "ab")", R"(name.empty())", "never"},
      {R"(name.empty())", R"(name == "")", "may"},
      {R"(name.empty())", R"(name != "")", "never"},
      {R"(name.size() > 2)", R"(name == "ab")", "never"},
      {R"(name.size() > 2)", R"(name == "abc")", "may"},
      {R"(name.size() == 3)", R"(name.empty())", "never"},
      {R"(name == "ab")", R"(name[0] == 'a')", "may"},
      {R"(name == "ab")", R"(name[0] == 'b')", "never"},
      {R"(name == "ab")", R"(name.starts_with("b"))", "never"},
      {R"(name.starts_with("a"))", R"(name.starts_with("b"))", "never"},
      {R"(name.starts_with("a"))", R"(name.starts_with("ab"))", "may"},
      {R"(name.starts_with("a"))", R"(name.empty())", "never"},
      {R"(name.starts_with("a"))", R"(name.ends_with("b"))", "may"},
      {R"(name.ends_with("a"))", R"(name.ends_with("b"))", "never"},
      {R"(name == "ab")", R"(name.compare("ab") == 0)", "may"},
      {R"(name == "ab")", R"(name.compare("ac") == 0)", "never"},
      {R"(name == "ab")", R"(name.substr(0, 1) == "a")", "may"},
      {R"(name == "ab")", R"(name.substr(0, 1) == "b")", "never"},
      {R"(name == "ab")", R"(name.compare(0, 1, "b") == 0)", "never"},
      {R"(name.size() == 3)", R"(std::strlen(name.c_str()) == 3)", "may"},
  });
}

TEST(Text, WhatIsNotWorkedOutIsNoVerdict) {
  expectOfTexts({
      {R"(name == "ab")", R"(std::count(name.begin(), name.end(), 'b') > 0)", "unknown"},
      {R"(name == "ab")", R"((name + "x") == "bx")", "unknown"},
      {R"(name == "ab")", R"(std::stoi(name) == 3)", "unknown"},
      {R"(name.starts_with("a"))", R"(name < "a")", "unknown"},
      // What hangs on nothing of that is as certain as it was.
      {R"(n > 2)", R"(name == "ab")", "may"},
      {R"(std::count(name.begin(), name.end(), 'b') > 0)", R"(n > 2)", "may"},
  });
}

} // namespace
} // namespace condlint::test
