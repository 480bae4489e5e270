//===- UnchangedTest.cpp - What did not change: cache, diff, comments -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace condlint::test;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

namespace {

/// What is kept has to be older than the run that keeps it.
void age(const Workshop &w) { ASSERT_TRUE(w.shell("find . -type f -exec touch -d '2020-01-01' {} +; sleep 0.05")); }

std::vector<fs::path> entriesOf(const Workshop &w) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::recursive_directory_iterator at(w.path("kept/findings"), error), end; !error && at != end; ++at)
    if (at->is_regular_file())
      entries.push_back(at->path());
  return entries;
}

/// A repository with two models, one of which has a break, and a commit of them.
void furnishRepository(const Workshop &w) {
  w.example("nested.onnx", "a.onnx");
  w.example("float_predicate.pt2", "b.pt2");
  ASSERT_TRUE(w.shell(
      "git init -q . && git config user.email a@b && git config user.name a && git add . && git commit -qm one"));
}

} // namespace

TEST(Cache, GivesBackWhatIsKnownAndNothingElse) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.example("squeeze.onnx", "n.onnx");
  age(w);
  const Words words{"check", "m.pt2", "n.onnx", "--output", "json", "--cache", "kept"};
  const Outcome plain = w.run({"check", "m.pt2", "n.onnx", "--output", "json"});
  const Outcome first = w.run(words), second = w.run(words);
  EXPECT_EQ(first.out, plain.out);
  EXPECT_EQ(second.out, plain.out);
  EXPECT_EQ(second.code, plain.code);
  EXPECT_EQ(entriesOf(w).size(), 2U);

  // Another model under the name, other rules and another target are other questions.
  w.example("written_operand.pt2", "m.pt2");
  EXPECT_EQ(w.run(words).out, w.run({"check", "m.pt2", "n.onnx", "--output", "json"}).out);
  Words other = words;
  other.insert(other.end(), {"--ignore", "predicate-dtype", "--target", "aoti"});
  Words otherPlain{"check", "m.pt2", "n.onnx", "--output", "json", "--ignore", "predicate-dtype", "--target", "aoti"};
  EXPECT_EQ(w.run(other).out, w.run(otherPlain).out);
}

TEST(Cache, DamagedEntriesCountForNothing) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  age(w);
  const Words words{"check", "m.pt2", "--output", "json", "--cache", "kept"};
  const Outcome first = w.run(words);
  std::vector<fs::path> entries = entriesOf(w);
  ASSERT_EQ(entries.size(), 1U);
  const std::string name = fs::relative(entries.front(), w.path()).string();
  const std::string whole = w.read(name);
  for (const std::size_t size : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
    w.write(name, whole.substr(0, size));
    EXPECT_EQ(w.run(words).out, first.out) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 23) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    w.write(name, changed);
    EXPECT_EQ(w.run(words).out, first.out) << at;
  }
  // No folder that can be written to: nothing is kept, and nothing is wrong.
  w.write("file", "");
  const Outcome none = w.run({"check", "m.pt2", "--output", "json", "--cache", "file"});
  EXPECT_EQ(none.out, first.out);
  EXPECT_TRUE(none.says("--cache: file/findings: ")) << none.err;
}

TEST(Cache, ManyRunsShareIt) {
  Workshop w;
  for (int i = 0; i < 20; ++i)
    w.example("float_predicate.pt2", fmt::format("models/{}.pt2", i));
  age(w);
  const std::string plain = w.run({"check", "models", "--output", "json"}).out;
  ASSERT_TRUE(
      w.shell("for i in 1 2 3 4; do " + w.program + " check models --output json=$i.json --cache kept & done; wait"));
  for (int i = 1; i <= 4; ++i)
    EXPECT_EQ(w.read(fmt::format("{}.json", i)), plain);
  EXPECT_EQ(entriesOf(w).size(), 20U);
}

#if CONDLINT_WITH_CXX

TEST(Cache, KnowsTheHeadersOfASource) {
  Workshop w;
  w.write("near/use.h", "inline int two() { return 2; }\n");
  w.write("near/a.cc", "#include \"use.h\"\n#include <far.h>\nint main() { return two() + far(); }\n");
  w.write("second/far.h", "inline int far() { return 1; }\n");
  fs::create_directories(w.path("first"));
  age(w);
  const Words words{"check", "near/a.cc", "--output", "json", "--cache", "kept", "--", "-Ifirst", "-Isecond"};
  ASSERT_EQ(w.run(words).code, 0);
  ASSERT_EQ(entriesOf(w).size(), 1U);
  const std::string place = fs::relative(entriesOf(w).front(), w.path()).string();
  // It is read, and not made again: what stands there comes back, were it false.
  const fs::file_time_type before = fs::last_write_time(w.path(place));
  EXPECT_EQ(w.run(words).code, 0);
  EXPECT_GE(fs::last_write_time(w.path(place)), before);

  w.write("near/use.h", "inline int two() { return missing; }\n");
  EXPECT_EQ(w.run(words).code, 3) << "a header has changed";
  w.write("near/use.h", "inline int two() { return 2; }\n");
  EXPECT_EQ(w.run(words).code, 0);
  w.write("first/far.h", "#error not this one\n");
  EXPECT_EQ(w.run(words).code, 3) << "a header is found sooner than before";
}

// What is precompiled in a run lies beside the findings, and is nothing that they depend on.
TEST(Cache, TheFirstRunKeepsSourcesThatShareHeaders) {
  Workshop w, library; // what lies in the project's own folder is not precompiled
  library.write("heavy.h", "#pragma once\ninline int two() { return 2; }\n");
  for (const char *name : {"a.cc", "b.cc"})
    w.write(name, "#include <heavy.h>\nint main() { return two(); }\n");
  age(w);
  age(library);
  const Words words{"check",   "a.cc", "b.cc", "--output", "json",
                    "--cache", "kept", "--",   "-isystem", library.path().string()};
  const Outcome first = w.run(words);
  EXPECT_EQ(first.code, 0);
  EXPECT_EQ(entriesOf(w).size(), 2U);
  EXPECT_TRUE(w.shell("ls kept/*.pch"));
  EXPECT_EQ(w.run(words).out, first.out);
  library.write("heavy.h", "#error changed\n");
  EXPECT_EQ(w.run(words).code, 3) << "the header that was precompiled has changed";
}

TEST(Suppression, CommentsThatDoNothingAreTold) {
  Workshop w;
  w.write(
      "a.cc",
      "int main() { return 0; } // condlint: allow(output-dtype) nothing is here\n// condlint: allow(output-rank)\n");
  const Outcome o = w.run({"check", "a.cc", "--", "-std=c++17"});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(o.says("a.cc:1: allow(output-dtype) suppresses nothing: remove it")) << o.out << o.err;
  EXPECT_TRUE(o.says("a.cc:2: allow(output-rank) gives no reason")) << o.out << o.err;
  EXPECT_FALSE(w.run({"check", "a.cc", "--select", "output-rank", "--", "-std=c++17"}).says("suppresses nothing"));
}

#endif

TEST(Diff, ReportsModelsThatChanged) {
  Workshop w;
  furnishRepository(w);
  const Outcome same = w.run({"check", ".", "--diff", "HEAD"});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_TRUE(same.says("1 not on changed lines")) << same.out;
  const nlohmann::json report = w.run({"check", ".", "--diff", "HEAD", "--output", "json"}).json();
  ASSERT_EQ(report["suppressed"].size(), 1U);
  EXPECT_EQ(report["suppressed"][0]["suppression"]["kind"], "diff");
  EXPECT_EQ(report["suppressed"][0]["suppression"]["reason"], "is not on a line that differs from HEAD");

  w.example("written_operand.pt2", "b.pt2");
  EXPECT_EQ(w.run({"check", ".", "--diff", "HEAD"}).code, 1);
  w.example("float_predicate.pt2", "new.pt2");
  const Outcome o = w.run({"check", "a.onnx", "--diff", "HEAD"});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(o.says("2 changed files are no input and included by none: b.pt2, new.pt2")) << o.err;
}

TEST(Diff, CountsLinesOfSources) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2"); // made at line 282 of models/cond_rules.py
  const auto diffAt = [](int line, const char *more) {
    return fmt::format("--- a/models/cond_rules.py\n+++ b/models/cond_rules.py\n@@ -{0},1 +{0},1 @@\n-a\n+b\n{1}", line,
                       more);
  };
  w.write("models/cond_rules.py", "");
  w.write("x.py", "");
  w.write("at.diff", diffAt(282, ""));
  w.write("off.diff", diffAt(283, ""));
  // What looks like a header inside of a hunk is none.
  w.write("sly.diff", "--- a/x.py\n+++ b/x.py\n@@ -1,0 +1,2 @@\n+++ b/models/cond_rules.py\n+@@ -1,0 +282,1 @@\n");
  w.write("gone.diff", "--- a/models/cond_rules.py\n+++ b/models/cond_rules.py\n@@ -282,1 +281,0 @@\n-a\n");
  w.write("binary.diff", "diff --git a/m.pt2 b/m.pt2\nindex 1..2 100644\nBinary files a/m.pt2 and b/m.pt2 differ\n");
  EXPECT_EQ(w.run({"check", "m.pt2", "--diff-from", "at.diff"}).code, 1);
  EXPECT_EQ(w.run({"check", "m.pt2", "--diff-from", "off.diff"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.pt2", "--diff-from", "sly.diff"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.pt2", "--diff-from", "gone.diff"}).code, 1) << "beside a line that went";
  EXPECT_EQ(w.run({"check", "m.pt2", "--diff-from", "binary.diff"}).code, 1);
  EXPECT_EQ(w.run({"check", "m.pt2", "--diff-from", "-"}, diffAt(282, "")).code, 1);
}

TEST(Diff, KeepsWhatGitDoesNotKnow) {
  Workshop w;
  furnishRepository(w);
  w.write(".gitignore", "build/\n");
  w.example("float_predicate.pt2", "pack/m.pt2");
  ASSERT_TRUE(w.shell("git add .gitignore && git commit -qm ignore && tar cf m.tar -C pack m.pt2 && rm -r pack"));
  w.example("float_predicate.pt2", "build/m.pt2");
  const Outcome ignored = w.run({"check", "build", "--diff", "HEAD"});
  EXPECT_EQ(ignored.code, 1);
  EXPECT_TRUE(ignored.says("all findings of it are reported: build/m.pt2")) << ignored.err;
  const Outcome streamed = w.run({"check", "-", "--diff", "HEAD"}, w.read("b.pt2"));
  EXPECT_EQ(streamed.code, 1);
  EXPECT_TRUE(streamed.says("all findings of it are reported: -")) << streamed.err;
  Workshop outside;
  outside.example("float_predicate.pt2", "o.pt2");
  EXPECT_EQ(w.run({"check", outside.path("o.pt2").string(), "--diff", "HEAD"}).code, 1);

  const Outcome fresh = w.run({"check", "m.tar", "--diff", "HEAD"});
  EXPECT_EQ(fresh.code, 1) << "an archive that is new";
  EXPECT_FALSE(fresh.says("are reported: ")) << fresh.err;
  ASSERT_TRUE(w.shell("git add . && git commit -qm archive"));
  EXPECT_EQ(w.run({"check", "m.tar", "--diff", "HEAD"}).code, 0) << "and one that is not";
  EXPECT_EQ(w.run({"check", "b.pt2", "--diff", "HEAD"}).code, 0);
}

#if CONDLINT_WITH_CXX

TEST(Diff, KeepsWhatGeneratedHeadersHold) {
  Workshop w;
  w.write(".gitignore", "generated/\n");
  const std::string text = R"(#include <condlint/cond.h>
#include <torch/torch.h>
inline torch::Tensor pick(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &a) { return a.exp(); }, [](const torch::Tensor &a) { return a.to(torch::kLong); }, {x});
}
)";
  w.write("generated/made.h", text);
  w.write("own.h", text);
  w.write("a.cc", "#include \"generated/made.h\"\n");
  w.write("b.cc", "#include \"own.h\"\n");
  ASSERT_TRUE(w.shell(
      "git init -q . && git config user.email a@b && git config user.name a && git add . && git commit -qm one"));
  const auto check = [&](const char *source) {
    return w.run({"check", source, "--diff", "HEAD", "--", "-std=c++17", "-I" CONDLINT_SOURCE_DIR "/tests/mocks"});
  };
  const Outcome made = check("a.cc");
  EXPECT_EQ(made.code, 1);
  EXPECT_TRUE(made.says("all findings of it are reported: generated/made.h")) << made.err;
  const Outcome own = check("b.cc");
  EXPECT_EQ(own.code, 0) << own.out;
  EXPECT_FALSE(own.says("are reported: ")) << own.err;
}

#endif

TEST(Diff, UnderstandsWhatGitIsSetTo) {
  Workshop w;
  furnishRepository(w);
  w.example("written_operand.pt2", "b.pt2");
  for (const char *how : {"git diff --color=always", "git -c diff.mnemonicPrefix=true diff", "git diff --no-prefix",
                          "git diff -R", "git -c color.ui=always -c diff.noprefix=true diff HEAD"}) {
    ASSERT_TRUE(w.shell(std::string(how) + " > change.diff"));
    EXPECT_EQ(w.run({"check", "b.pt2", "--diff-from", "change.diff"}).code, 1) << how;
    EXPECT_EQ(w.run({"check", "a.onnx", "--diff-from", "change.diff"}).code, 0) << how;
  }
  ASSERT_TRUE(w.shell("git diff --src-prefix=old/ --dst-prefix=new/ > change.diff"));
  const Outcome other = w.run({"check", "b.pt2", "--diff-from", "change.diff"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(other.says("none of the files that it names is here")) << other.err;
  ASSERT_TRUE(w.shell("git config diff.mnemonicPrefix true && git config color.ui always && "
                      "git config diff.noprefix true"));
  EXPECT_EQ(w.run({"check", "b.pt2", "--diff", "HEAD"}).code, 1);
}

TEST(Baseline, WhatWasNotLookedForIsNotPruned) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  ASSERT_EQ(w.run({"check", "m.pt2", "--write-baseline"}).code, 0);
  const std::string before = w.read("condlint.baseline.json");
  w.write("off.json", R"({"severity": {"predicate-dtype": "off"}})");
  for (const Words &more : {Words{"--select", "output-rank"}, Words{"--ignore", "predicate-dtype"},
                            Words{"--target", "onnx"}, Words{"--config", "off.json"}}) {
    Words words{"check", "m.pt2", "--baseline", "condlint.baseline.json", "--prune-baseline"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = w.run(words);
    EXPECT_FALSE(o.says("removed")) << more.front() << o.err;
    EXPECT_EQ(w.read("condlint.baseline.json"), before) << more.front();
  }
  w.example("written_operand.pt2", "m.pt2");
  const Outcome gone = w.run({"check", "m.pt2", "--prune-baseline"});
  EXPECT_TRUE(gone.says("1 finding removed")) << gone.err;
  EXPECT_NE(w.read("condlint.baseline.json"), before);
}

TEST(Baseline, FilesThatAreNoMoreArePruned) {
  Workshop w;
  ASSERT_TRUE(w.shell("mkdir models sub"));
  w.example("float_predicate.pt2", "models/m.pt2");
  w.example("float_predicate.pt2", "models/old.pt2");
  ASSERT_TRUE(w.shell("tar cf models/m.tar -C models m.pt2"));
  ASSERT_EQ(w.run({"check", "models", "models/m.tar", "--write-baseline"}).code, 0);
  const std::string before = w.read("condlint.baseline.json");
  ASSERT_TRUE(w.shell("rm models/old.pt2"));
  const Outcome told = w.run({"check", "models/m.pt2", "--baseline", "condlint.baseline.json"});
  EXPECT_EQ(told.code, 0);
  EXPECT_TRUE(told.says("1 finding in it is not found any more")) << told.err;
  // Seen from elsewhere nothing is there, and nothing is removed.
  EXPECT_TRUE(
      w.shell("cd sub && '" + w.program +
              "' check ../models/m.pt2 --baseline ../condlint.baseline.json --prune-baseline 2> said; [ $? = 1 ]"));
  EXPECT_NE(w.read("sub/said").find("none of the files that it names is here"), std::string::npos)
      << w.read("sub/said");
  EXPECT_EQ(w.read("condlint.baseline.json"), before);
  EXPECT_TRUE(w.run({"check", "models/m.pt2", "--prune-baseline"}).says("1 finding removed"));
  const std::string after = w.read("condlint.baseline.json");
  EXPECT_EQ(after.find("old.pt2"), std::string::npos);
  EXPECT_NE(after.find("models/m.tar/m.pt2"), std::string::npos);
}

TEST(Baseline, NothingThatIsReadIsOverwritten) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.write("c.json", "{}");
  w.write("l", "m.pt2\n");
  ASSERT_EQ(w.run({"check", "m.pt2", "--write-baseline", "--baseline", "b.json"}).code, 0);
  ASSERT_TRUE(w.shell("mkdir pack && cp m.pt2 pack && tar cf m.tar -C pack m.pt2 && mkdir saved && cp *.* l saved"));
  for (const Words &words :
       {Words{"m.pt2", "--write-baseline", "--baseline", "m.pt2"},
        Words{"m.pt2", "--write-baseline", "--baseline", "c.json"},
        Words{"m.pt2", "--baseline", "b.json", "--output", "json=b.json"}, Words{"@l", "--output", "json=l"},
        Words{"m.pt2", "--config", "c.json", "--output", "json=c.json"}, Words{"m.tar", "--output", "json=m.tar"},
        Words{"m.pt2", "--write-baseline", "--baseline", "n.json", "--output", "json=n.json"},
        Words{"m.pt2", "--write-baseline", "--baseline", "-"}}) {
    Words all{"check"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(w.run(all).code, 2) << words.back();
    EXPECT_TRUE(w.shell("for f in saved/*; do cmp $f $(basename $f) || exit 1; done; [ ! -e ./- ]")) << words.back();
  }
  EXPECT_TRUE(w.run({"check", "m.pt2", "--output", "json=none/"}).says("there is no folder 'none/'"));
  // What stands beside an input is as dear.
  ASSERT_TRUE(w.shell("cp '" CONDLINT_SOURCE_DIR "'/tests/data/onnx/external_ok.* ."));
  const std::string data = w.read("external_ok.bin");
  for (const char *format : {"json=", "ndjson=./"})
    EXPECT_EQ(w.run({"check", "external_ok.onnx", "--output", format + std::string("external_ok.bin")}).code, 2);
  EXPECT_EQ(w.run({"check", "external_ok.onnx", "--write-baseline", "--baseline", "external_ok.bin"}).code, 2);
  EXPECT_EQ(w.read("external_ok.bin"), data);
#if CONDLINT_WITH_CXX
  w.write("h.h", "");
  w.write("a.cc", "#include \"h.h\"\n");
  EXPECT_EQ(w.run({"check", "a.cc", "--output", "json=h.h", "--", "-std=c++17"}).code, 2);
  EXPECT_EQ(w.read("h.h"), "");
#endif
  // A baseline takes the place of a baseline, one that was cut off too.
  w.write("b.json", w.read("b.json").substr(0, 80));
  EXPECT_EQ(w.run({"check", "m.pt2", "--write-baseline", "--baseline", "b.json"}).code, 0);
  ASSERT_EQ(w.run({"check", "m.pt2", "--output", "json=r.json"}).code, 1);
  EXPECT_TRUE(w.run({"check", "m.pt2", "--baseline", "r.json"}).says("is a report, and no baseline"));
}

TEST(Diff, SaysWhatItDoesNotKnow) {
  Workshop w;
  furnishRepository(w);
  const Outcome base = w.run({"check", ".", "--diff", "nowhere"});
  EXPECT_EQ(base.code, 2);
  EXPECT_TRUE(base.says("git knows no commit 'nowhere'")) << base.err;
  EXPECT_EQ(w.run({"check", ".", "--diff", "--output=x"}).code, 2);
  EXPECT_EQ(w.run({"check", ".", "--diff-from", "absent.diff"}).code, 2);
  w.write("no.diff", "these are words\n");
  EXPECT_EQ(w.run({"check", ".", "--diff-from", "no.diff"}).code, 2);
  EXPECT_EQ(w.run({"check", ".", "--diff-from", "no.diff", "--diff", "HEAD"}).code, 2);
  Workshop outside;
  outside.example("nested.onnx", "a.onnx");
  EXPECT_EQ(outside.run({"check", "a.onnx", "--diff", "HEAD"}).code, 2);
}
