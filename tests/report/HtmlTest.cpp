//===- HtmlTest.cpp - The page --------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportSamples.h"
#include "condlint/ReportFormat.h"
#include "report/HtmlText.h"
#include "report/Markdown.h"
#include "report/formats/HtmlParts.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>
#include <vector>

using namespace condlint;
using namespace condlint::test;

namespace {

RenderOptions options(const std::string &folder = CONDLINT_SOURCE_DIR) {
  RenderOptions o;
  o.rules = {{"output-dtype", "Outputs", "Both branches return the same dtype in each position.",
              "# output-dtype\n\nBoth.\n\n| a | b |\n|---|---|\n| `x|y` | 2 |\n", Severity::Error}};
  o.workingFolder = folder;
  return o;
}

std::string page(Report r, const RenderOptions &o = options()) {
  finishReport(r);
  return findReportFormat("html")->render(r, o);
}

Drawing drawing(const std::string &path, std::size_t boxes = 3) {
  Drawing d;
  d.path = path;
  d.op = "If";
  d.predicate = "p";
  d.predicateType = "bool[]";
  for (const char *name : {"then_branch", "else_branch"}) {
    Drawing::Side &s = d.sides.emplace_back();
    s.name = name;
    for (std::size_t i = 0; i < boxes; ++i) {
      Drawing::Box &b = s.boxes.emplace_back();
      b.title = i + 1 == boxes ? "output 0" : "Relu";
      b.kind = i + 1 == boxes ? Drawing::Kind::Output : Drawing::Kind::Node;
      b.name = "v" + std::to_string(i);
      b.type = d.sides.size() == 1 ? "float32[2]" : "int64[2]";
      b.isInSlice = boxes <= 40 || i + 40 > boxes;
      b.differs = b.kind == Drawing::Kind::Output;
      if (i > 0)
        s.edges.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i)});
    }
  }
  return d;
}

Report sample() {
  Report r;
  InputReport m = input("m.onnx");
  m.findings = {finding("output-dtype", "onnx")};
  m.findings.front().witness = {{"n", 3}};
  m.findings.front().executed = true;
  m.summaries = {conditional("main/If_0", "onnx")};
  m.drawings = {drawing("main/If_0")};
  r.inputs = {m};
  return r;
}

bool says(const std::string &text, std::string_view what) { return text.find(what) != std::string::npos; }

std::size_t countOf(const std::string &text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
    ++n;
  return n;
}

} // namespace

TEST(Html, ShowsBothBranchesAndWhatDiffers) {
  const std::string html = page(sample());
  EXPECT_EQ(countOf(html, "<svg"), 2U);
  EXPECT_TRUE(says(html, "<code>then_branch</code>"));
  EXPECT_TRUE(says(html, "≠ <code>float32[2]</code>"));
  EXPECT_TRUE(says(html, "≠ <code>int64[2]</code>"));
  EXPECT_TRUE(says(html, "It was seen with <code>n = 3</code>"));
  EXPECT_TRUE(says(html, "what a run of both branches showed"));
  EXPECT_TRUE(says(html, "predicate <code>p</code>: <code>bool[]</code>"));
  EXPECT_TRUE(says(html, "<details id=\"rule-output-dtype\">"));
  EXPECT_TRUE(says(html, "<td><code>x|y</code></td>"));
}

TEST(Html, LoadsNothingAndAdmitsNoOtherScript) {
  const std::string html = page(sample());
  for (const char *part : {"src=", "href=\"http", "url(", "@import", "<link", "<iframe", "<object"})
    EXPECT_FALSE(says(html, part)) << part;
  EXPECT_TRUE(says(html, "default-src 'none'"));
  EXPECT_EQ(countOf(html, "<script>"), 1U);
}

TEST(Html, TheScriptHasTheHashThatThePageAdmits) {
  // coreutils know SHA-256; base 64 of it is a few lines.
  const std::string file = testing::TempDir() + "condlint-script-" + std::to_string(getpid());
  std::ofstream(file, std::ios::binary) << html::script();
  FILE *pipe = popen(("sha256sum " + file).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::array<char, 65> hex{};
  const std::size_t read = std::fread(hex.data(), 1, 64, pipe);
  pclose(pipe);
  ASSERT_EQ(read, 64U);
  std::string bits, base64;
  for (const char c : std::string_view(hex.data(), 64)) {
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    for (int bit = 3; bit >= 0; --bit)
      bits += (digit >> bit & 1) != 0 ? '1' : '0';
  }
  bits += "00";
  for (std::size_t i = 0; i < bits.size(); i += 6)
    base64 +=
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[std::stoul(bits.substr(i, 6), nullptr, 2)];
  EXPECT_EQ(html::scriptHash(), base64 + "=");
}

TEST(Html, ForeignTextIsNoMarkup) {
  const std::string evil = "\"><script>alert(1)</script><img onerror=x>'&\x01\xff \xE2\x80\xAEoverride";
  Report r;
  InputReport m = input(evil + ".onnx");
  m.reason = evil;
  m.notes = {evil};
  m.status = InputStatus::Partial;
  Finding f = finding(evil, evil, evil);
  f.message = f.help = f.conditional = evil;
  f.related = {{evil, {}, evil}};
  f.witness = {{evil, 1}};
  f.fixes = {{evil, {{{evil, "", 1, 1, 1, 1}, evil}}}};
  m.findings = {f};
  Drawing d = drawing(evil);
  d.op = d.predicate = d.predicateType = evil;
  for (Drawing::Side &s : d.sides) {
    s.name = s.problem = evil;
    for (Drawing::Box &b : s.boxes)
      b.title = b.name = b.type = evil;
  }
  m.drawings = {d};
  r.inputs = {m};
  const std::string html = page(r);
  EXPECT_EQ(countOf(html, "<script"), 1U);
  EXPECT_FALSE(says(html, "<img"));
  EXPECT_FALSE(says(html, "\x01"));
  EXPECT_FALSE(says(html, "\xff"));
  EXPECT_FALSE(says(html, "\xE2\x80\xAE"));
  EXPECT_TRUE(says(html, "\\u{202e}override"));
}

TEST(Html, ManyFindingsAreBoundedAndTheWorstAreKept) {
  Report r;
  for (int i = 0; i < 2000; ++i) {
    InputReport m = input("some/folder/model" + std::to_string(i) + ".onnx");
    for (int k = 0; k < 5; ++k) {
      Finding f = finding("output-dtype", "onnx", "main/If_" + std::to_string(k) + "/then_branch/Cast");
      f.conditional = "main/If_" + std::to_string(k);
      f.message += std::string(200, 'x');
      f.severity = i == 1999 ? Severity::Error : Severity::Warning;
      m.findings.push_back(f);
      if (k == 0)
        m.drawings.push_back(drawing(f.conditional, 100));
      m.summaries.push_back(conditional(f.conditional, "onnx"));
    }
    r.inputs.push_back(m);
  }
  const std::string html = page(r);
  EXPECT_LT(html.size(), 5'000'000U);
  EXPECT_TRUE(says(html, "model1999.onnx")) << "the errors come first";
  EXPECT_TRUE(says(html, "do not fit into this page"));
  EXPECT_TRUE(says(html, "<svg"));
  // Every link leads somewhere.
  std::set<std::string> ids;
  for (std::size_t at = html.find(" id=\""); at != std::string::npos; at = html.find(" id=\"", at + 1))
    ids.insert(html.substr(at + 5, html.find('"', at + 5) - at - 5));
  for (std::size_t at = html.find("href=\"#"); at != std::string::npos; at = html.find("href=\"#", at + 1)) {
    const std::size_t begin = at + 7;
    const std::string id = html.substr(begin, html.find('"', begin) - begin);
    EXPECT_TRUE(ids.contains(id)) << "nothing is called " << id;
  }
}

TEST(Html, TheWholeBranchStandsBesideThePart) {
  Report r = sample();
  r.inputs.front().drawings = {drawing("main/If_0", 100)};
  const std::string html = page(r);
  EXPECT_EQ(countOf(html, "<svg"), 4U);
  EXPECT_EQ(countOf(html, "<summary>The whole branch</summary>"), 2U);
  EXPECT_TRUE(says(html, "… reads 1 more"));
  r.inputs.front().drawings.front().sides.front().leftOut = 5000;
  EXPECT_TRUE(says(page(r), "too large for this page"));
}

TEST(Html, SourceIsQuotedAndAFixIsADiff) {
  const std::string folder = testing::TempDir() + "condlint-html-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/net.cc") << "one\ntwo <T>\nthree\nfour\nfive\n";
  Report r = sample();
  Finding &f = r.inputs.front().findings.front();
  f.location = {"net.cc", "", 2, 1, 2, 4};
  f.fixes = {{"say it in capitals", {{{"net.cc", "", 2, 1, 2, 4}, "TWO"}}}};
  const std::string html = page(r, options(folder));
  EXPECT_TRUE(says(html, "<mark>    2 two &lt;T&gt;</mark>"));
  EXPECT_TRUE(says(html, "    4 four"));
  EXPECT_TRUE(says(html, "<del>-two &lt;T&gt;</del>"));
  EXPECT_TRUE(says(html, "<ins>+TWO &lt;T&gt;</ins>"));
}

TEST(Html, TonesAreWordsToo) {
  Report r = sample();
  Drawing::Side &s = r.inputs.front().drawings.front().sides.front();
  s.boxes[0].tone = Drawing::Tone::Eager;
  s.boxes[1].tone = Drawing::Tone::Lazy;
  const std::string html = page(r);
  EXPECT_TRUE(says(html, ">eager</text>"));
  EXPECT_TRUE(says(html, ">lazy</text>"));
  EXPECT_TRUE(says(html, "eager: it always runs</title>"));
  EXPECT_TRUE(says(html, "Layers of TensorRT"));
}

TEST(HtmlText, ColumnsAreCounted) {
  EXPECT_EQ(columnsOf("abc"), 3U);
  EXPECT_EQ(columnsOf("日本"), 4U);
  EXPECT_EQ(cutToColumns("abcdef", 4), "abc…");
  EXPECT_EQ(cutToColumns("日本語", 4), "日…");
  EXPECT_EQ(cutToColumns("äöü", 3), "äöü");
}

TEST(Markdown, UnderstandsWhatRulePagesAreWrittenIn) {
  EXPECT_EQ(markdownToHtml("# a `b`\n", 2), "<h3>a <code>b</code></h3>\n");
  EXPECT_EQ(markdownToHtml("one\ntwo **three**\n\nfour", 0), "<p>one\ntwo <strong>three</strong></p>\n<p>four</p>\n");
  EXPECT_EQ(markdownToHtml("- a\n  b\n- c\n", 0), "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n");
  EXPECT_EQ(markdownToHtml("```python\nx < 1\n```\n", 0), "<pre tabindex=\"0\"><code>x &lt; 1\n</code></pre>\n");
  EXPECT_EQ(markdownToHtml("|a|b|\n|---|---|\n|1|2|\n", 0),
            "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n");
  EXPECT_EQ(markdownToHtml("see [the page](x.md) and [1]\n", 0), "<p>see the page and [1]</p>\n");
  EXPECT_EQ(markdownToHtml("a <b> ** c `d", 0), "<p>a &lt;b&gt; ** c `d</p>\n");
}
