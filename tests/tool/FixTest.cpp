//===- FixTest.cpp - Fixes of C++ sources ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fixes of C++ sources: they are made, what comes out compiles, and the finding
// is gone.
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>
#include <unistd.h>

#if CONDLINT_WITH_CXX
namespace condlint::test {
namespace {

const std::string mocks = "-I" CONDLINT_SOURCE_DIR "/tests/mocks";

/// A source with two conds whose true branches are \p a and \p b.
std::string source(const std::string &a, const std::string &b = "[](const Tensor &x) { return x.cos(); }") {
  return "#include <torch/torch.h>\n#include <condlint/cond.h>\nusing torch::Tensor;\n"
         "auto f(const Tensor &x) {\n  return condlint::cond(x.any(),\n" +
         a + ",\n    [](const Tensor &x) { return x.sin(); }, {x});\n}\n" +
         "auto g(const Tensor &x) {\n  return condlint::cond(x.any(),\n" + b +
         ",\n    [](const Tensor &x) { return x.sin(); }, {x});\n}\n";
}

class Fixes : public testing::Test {
protected:
  void SetUp() override { w.write(".git/HEAD", ""); } // the project's root

  Outcome check(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {"check", "--target", "torch@2.13", "--select", "output-alias,output-duplicate"});
    arguments.insert(arguments.end(), {"--", mocks, "-std=c++17"});
    return w.run(arguments);
  }
  /// \p text after `--fix`; the exit code must be 0, so that nothing is left to find and all compiles.
  std::string fixed(const std::string &text) const {
    w.write("m.cc", text);
    EXPECT_EQ(check({"m.cc"}).code, 1) << "there is something to fix in " << text;
    const Outcome o = check({"--fix", "m.cc"});
    EXPECT_EQ(o.code, 0) << o.out << o.err << w.read("m.cc");
    return w.read("m.cc");
  }
  static std::string with(std::string text, const std::string &part, const std::string &replacement) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return at == std::string::npos ? text : text.replace(at, part.size(), replacement);
  }

  Workshop w;
};

TEST_F(Fixes, AReturnedOperandBecomesACopy_A1) {
  const std::string text = source("[](const Tensor &x) { return x; }");
  EXPECT_EQ(fixed(text), with(text, "return x;", "return x.clone();"));
}

TEST_F(Fixes, WhatIsNoSimpleExpressionIsPutInParentheses_A1) {
  const std::string text = source("[](const Tensor &x) { const Tensor *p = &x; return *p; }");
  EXPECT_EQ(fixed(text), with(text, "*p;", "(*p).clone();"));
}

TEST_F(Fixes, AViewAndAMovedOperandBecomeCopies_A1) {
  const std::string text = source("[](Tensor x) { return x.t(); }", "[](Tensor x) { return std::move(x); }");
  EXPECT_EQ(fixed(text), with(with(text, "x.t()", "x.t().clone()"), "std::move(x)", "std::move(x).clone()"));
}

TEST_F(Fixes, OneOfSeveralOutputsIsChangedAlone_A1_A2) {
  std::string text = source("[](const Tensor &x) { Tensor y = x.exp(); return std::make_tuple(y, y); }",
                            "[](const Tensor &x) { return std::tuple<Tensor, Tensor>{x.exp() + 1, x}; }");
  for (int i = 0; i < 2; ++i)
    text = with(text, "{ return x.sin(); }", "{ return std::make_tuple(x.sin(), x.exp()); }");
  EXPECT_EQ(fixed(text), with(with(text, "(y, y)", "(y, y.clone())"), "+ 1, x}", "+ 1, x.clone()}"));
}

TEST_F(Fixes, AllOutputsOfAReturnAreCopiedThatNeedIt_A1) {
  const std::string text = with(source("[](const Tensor &x) { return std::make_tuple(x, x.t()); }"),
                                "{ return x.sin(); }", "{ return std::make_tuple(x.sin(), x.t().exp()); }");
  EXPECT_EQ(fixed(text), with(text, "(x, x.t())", "(x.clone(), x.t().clone())"));
}

TEST_F(Fixes, APredicateThatIsNoBoolIsCompared_P4) {
  const std::string head = "#include <torch/torch.h>\n#include <condlint/cond.h>\nusing torch::Tensor;\n"
                           "#define SCORE(x) (x).sum()\n",
                    rest =
                        ", [](const Tensor &x) { return x.sin(); }, [](const Tensor &x) { return x.cos(); }, {x}); }\n";
  const auto conditional = [&](const std::string &predicate) {
    return "Tensor f(const Tensor &x) { CONDLINT_TENSOR(x, Float, 4); return condlint::cond(" + predicate + rest;
  };
  for (const auto &[before, after] :
       {std::pair("x.sum()", "x.sum() != 0"), std::pair("x.sum() + x[0]", "(x.sum() + x[0]) != 0")}) {
    w.write("m.cc", head + conditional(before));
    const Outcome o = check({"--select", "predicate-dtype", "--fix", "m.cc"});
    EXPECT_EQ(o.code, 0) << o.out << o.err;
    EXPECT_EQ(w.read("m.cc"), head + conditional(after));
  }
  // A macro, and a template of several instances.
  const std::string left = head + conditional("SCORE(x)") +
                           "template <int N> Tensor g(const Tensor &x) { CONDLINT_TENSOR(x, Float, 4); return "
                           "condlint::cond(x.sum()" +
                           rest + "Tensor h(const Tensor &x) { return g<1>(x) + g<2>(x); }\n";
  w.write("m.cc", left);
  EXPECT_EQ(check({"--select", "predicate-dtype", "--fix", "m.cc"}).code, 1);
  EXPECT_EQ(w.read("m.cc"), left);
}

TEST_F(Fixes, EachReturnOfABranchIsFixed) {
  const std::string text =
      source("[](const Tensor &x) {\n if (x.dim() == 2)\n  return x.t();\n return x;\n }", "[](auto x) { return x; }");
  EXPECT_EQ(fixed(text),
            with(with(with(text, "return x.t();", "return x.t().clone();"), "return x;\n", "return x.clone();\n"),
                 "return x; }", "return x.clone(); }"));
}

TEST_F(Fixes, ACopyLiesInMemoryAsTheOtherBranchDoes) {
  const auto view = [](const std::string &other) {
    return "#include <torch/torch.h>\n#include <condlint/cond.h>\nusing torch::Tensor;\nTensor f(const Tensor &x) {\n"
           "  Tensor y = torch::zeros({3, 4});\n  return condlint::cond(x.any(), [](const Tensor &z) { return z.t(); "
           "},\n"
           "      [](const Tensor &z) { return " +
           other + "; }, {y});\n}\n";
  };
  EXPECT_EQ(fixed(view("torch::ones({4, 3})")),
            with(view("torch::ones({4, 3})"), "z.t();", "z.t().clone(torch::MemoryFormat::Contiguous);"));
  EXPECT_EQ(fixed(view("z.t().exp()")), with(view("z.t().exp()"), "return z.t();", "return z.t().clone();"));
}

TEST_F(Fixes, ABranchThatTwoConditionalsShareIsFixedOnce) {
  std::string text = source("same", "same");
  text.insert(text.find("auto f"), "static Tensor same(const Tensor &x) { return x; }\n");
  EXPECT_EQ(fixed(text), with(text, "return x;", "return x.clone();"));
}

TEST_F(Fixes, WhereAnEditWouldMeanMoreThereIsNone) {
  // A macro, a template of several instances, a reference, an output that is not spelled where it is returned.
  const std::string text =
      "#include <torch/torch.h>\n#include <condlint/cond.h>\nusing torch::Tensor;\n#define SAME return x\n"
      "template <int N> Tensor same(const Tensor &x) { return x; }\n"
      "static const Tensor &reference(const Tensor &x) { return x; }\n"
      "static Tensor other(const Tensor &x) { return x.sin(); }\n"
      "Tensor a(const Tensor &x) { return condlint::cond(x.any(), [](const Tensor &x) { SAME; }, other, {x}); }\n"
      "Tensor b(const Tensor &x) { return condlint::cond(x.any(), same<1>, same<2>, {x}); }\n"
      "Tensor c(const Tensor &x) { return condlint::cond(x.any(), [](const Tensor &x) -> const Tensor & { return x; }, "
      "reference, {x}); }\n";
  w.write("m.cc", text);
  const Outcome o = check({"--fix", "--output", "json", "m.cc"});
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_EQ(w.read("m.cc"), text);
  const nlohmann::json report = o.json();
  for (const nlohmann::json &f : report["findings"])
    for (const nlohmann::json &fix : f["fixes"])
      EXPECT_TRUE(fix["edits"].empty()) << f;
}

TEST_F(Fixes, ADryRunPrintsADiffThatPatchTakes) {
  const std::string text = source("[](const Tensor &x) { return x; }");
  w.write("src/m.cc", text);
  const Outcome o = check({"--fix-dry-run", "src/m.cc", "--output", "json=report.json"});
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_EQ(o.out.find("--- a/src/m.cc\n+++ b/src/m.cc\n@@ -3,7 +3,7 @@\n"), 0u) << o.out;
  EXPECT_TRUE(o.says("\n-[](const Tensor &x) { return x; },\n+[](const Tensor &x) { return x.clone(); },\n")) << o.out;
  EXPECT_EQ(w.read("src/m.cc"), text) << "nothing is changed";
  const nlohmann::json edit = nlohmann::json::parse(w.read("report.json"))["findings"][0]["fixes"][0]["edits"][0];
  EXPECT_EQ(edit["text"], ".clone()");
  EXPECT_EQ(edit["location"]["line"], 6);
  w.write("change.diff", o.out);
  const std::string command = "cd '" + w.path().string() + "' && patch -s -p1 <change.diff";
  if (std::system("patch --version >/dev/null 2>&1") == 0) {
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(w.read("src/m.cc"), with(text, "return x;", "return x.clone();"));
    w.write("src/m.cc", text);
  }
  EXPECT_EQ(check({"--fix-dry-run", "src/m.cc", "--output", "json"}).code, 2) << "standard output is the diff's";
  EXPECT_EQ(check({"--fix-dry-run", "--fix", "src/m.cc"}).code, 2);
}

TEST_F(Fixes, NothingOutsideOfTheProjectIsWritten) {
  const std::string header =
      "#pragma once\n#include <torch/torch.h>\ninline torch::Tensor same(const torch::Tensor &x) { return x; }\n";
  std::string text = source("same");
  text.insert(0, "#include \"same.h\"\n");
  w.write("elsewhere/same.h", header);
  w.write("project/.git/HEAD", "");
  w.write("project/m.cc", text);
  std::filesystem::create_symlink(w.path("elsewhere/same.h"), w.path("project/same.h"));
  const Outcome o = check({"--fix", "project/m.cc"});
  EXPECT_EQ(w.read("elsewhere/same.h"), header) << o.err;
}

TEST_F(Fixes, WhatDoesNotCompileIsLeftAlone) {
  const std::string text = source("[](const Tensor &x) { return x; }") + "int broken = nothing;\n";
  w.write("m.cc", text);
  const Outcome o = check({"--fix", "m.cc"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(o.says("is not fixed: the source does not compile")) << o.err;
  EXPECT_EQ(w.read("m.cc"), text);
}

TEST_F(Fixes, AFileThatMayNotBeWrittenIsToldAndLeft) {
  const std::string text = source("[](const Tensor &x) { return x; }");
  w.write("m.cc", text);
  std::filesystem::permissions(w.path("m.cc"), std::filesystem::perms::owner_read);
  if (::access(w.path("m.cc").c_str(), W_OK) == 0)
    GTEST_SKIP() << "this user may write everything";
  EXPECT_TRUE(check({"--fix", "m.cc"}).says("may not be written"));
  EXPECT_EQ(w.read("m.cc"), text);
}

TEST_F(Fixes, ClangTidyMakesTheSameOnes) {
  if (std::string_view(CONDLINT_CLANG_TIDY).empty())
    GTEST_SKIP() << "clang-tidy-22 is not installed";
  const std::string text =
      source("[](const Tensor &x) { const Tensor *p = &x; return *p; }", "[](const Tensor &x) { return x; }");
  w.write("m.cc", text);
  w.program = CONDLINT_CLANG_TIDY;
  const Outcome o = w.run({"-load", CONDLINT_TIDY_PLUGIN, "-checks=-*,condlint-output-alias", "-fix",
                           "-config={CheckOptions: {'condlint-*.Target': 'torch@2.13'}}", "m.cc", "--", mocks,
                           "-I" CONDLINT_SOURCE_DIR "/include", "-std=c++17"});
  EXPECT_EQ(w.read("m.cc"), with(with(text, "*p;", "(*p).clone();"), "return x;", "return x.clone();"))
      << o.out << o.err;
}

} // namespace
} // namespace condlint::test
#endif
