//===- HtmlConditional.cpp - A conditional in the page --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Edits.h"
#include "HtmlParts.h"
#include "HtmlText.h"
#include "drawing/Svg.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace condlint::html {

namespace {

using drawing::Extent;

constexpr std::size_t mostFindings = 40, mostRelated = 12, mostExcerpts = 4, longestMessage = 2000, longestLine = 160;
constexpr std::size_t mostOutputs = 64, mostEdits = 50;

std::string code(std::string_view text) { return "<code>" + htmlText(cutToColumns(text, longestLine)) + "</code>"; }

/// A sentence, with what stands between backticks in it as code.
std::string sentence(std::string_view text) {
  std::string out;
  const std::string whole = cutToColumns(text, longestMessage);
  std::string_view left = whole;
  for (;;) {
    const std::size_t begin = left.find('`');
    const std::size_t end = begin == std::string_view::npos ? begin : left.find('`', begin + 1);
    if (end == std::string_view::npos)
      return out + htmlText(left);
    out += htmlText(left.substr(0, begin)) + "<code>" + htmlText(left.substr(begin + 1, end - begin - 1)) + "</code>";
    left.remove_prefix(end + 1);
  }
}

/// The lines around \p l, where the source can be read.
std::string excerpt(const SourceLocation &l, const RenderOptions &o, SourceText &sources) {
  constexpr std::uint32_t around = 2;
  if (!l.valid() || !sources.line(l.path, l.line))
    return {};
  std::string out = fmt::format("<figure class=\"source\"><figcaption>{}</figcaption><pre tabindex=\"0\">",
                                code(fmt::format("{}:{}", relativePath(l.path, o.workingFolder), l.line)));
  const std::uint32_t first = l.line > around ? l.line - around : 1;
  for (std::uint32_t n = first; n <= l.line + around; ++n) {
    const auto line = sources.line(l.path, n);
    if (!line)
      break;
    const std::string text = fmt::format("{:5} {}", n, htmlText(cutToColumns(*line, longestLine)));
    out += n == l.line ? "<mark>" + text + "</mark>\n" : text + '\n';
  }
  return out + "</pre></figure>\n";
}

/// The edits of \p fix as a diff; without the text that they change, what they write.
std::string diffOf(const Fix &fix, SourceText &sources) {
  std::map<std::string, std::vector<Edit>> byFile;
  for (std::size_t i = 0; i < std::min(fix.edits.size(), mostEdits); ++i)
    byFile[fix.edits[i].at.path].push_back(fix.edits[i]);
  std::string out;
  for (const auto &[path, edits] : byFile) {
    const auto text = sources.text(path);
    const Expected<std::string> diff =
        text ? unifiedDiff(path, *text, edits) : Expected<std::string>(Error{path, "", "cannot be read", ""});
    if (diff) {
      std::string_view left = *diff;
      while (!left.empty()) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        const std::string line = htmlText(cutToColumns(left.substr(0, end), longestLine));
        const bool isHead = left.starts_with("--- ") || left.starts_with("+++ ");
        const std::string_view tag = isHead ? "" : left.front() == '+' ? "ins" : left.front() == '-' ? "del" : "";
        out += tag.empty() ? line + '\n' : fmt::format("<{0}>{1}</{0}>\n", tag, line);
        left.remove_prefix(std::min(end + 1, left.size()));
      }
      continue;
    }
    for (const Edit &edit : edits)
      out +=
          fmt::format("{}: <ins>{}</ins>\n", htmlText(edit.at.str()), htmlText(cutToColumns(edit.text, longestLine)));
  }
  return out.empty() ? out : "<pre class=\"diff\" tabindex=\"0\">" + out + "</pre>\n";
}

std::string place(const SourceLocation &l, const std::string &graphPath, const RenderOptions &o) {
  std::string out;
  if (l.valid()) {
    SourceLocation shown = l;
    shown.path = relativePath(l.path, o.workingFolder);
    out = code(shown.str());
  }
  if (!graphPath.empty())
    out += (out.empty() ? "" : ", ") + code(graphPath);
  return out;
}

std::string witnessOf(const Finding &f) {
  std::string out;
  for (const auto &[symbol, value] : f.witness)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", symbol, value);
  return out;
}

std::string findingHtml(const FindingGroup &group, const RenderOptions &o, SourceText &sources) {
  const Finding &f = *group.finding;
  const std::string_view severity = severityName(group.severity);
  std::string out =
      fmt::format("<div class=\"finding {0}\">\n<h4><span class=\"badge {0}\">{0}</span> <a href=\"#rule-{1}\">"
                  "{1}</a> <small>{2}</small></h4>\n<p>{3}</p>\n",
                  severity, htmlText(f.rule), htmlText(group.targets()), sentence(f.message));
  if (!f.help.empty())
    out += fmt::format("<p>Repair: {}</p>\n", sentence(f.help));
  if (const std::string at = place(f.location, f.graphPath, o); !at.empty())
    out += fmt::format("<p>At {}</p>\n", at);
  if (const std::string witness = witnessOf(f); !witness.empty())
    out += fmt::format("<p>{} {}</p>\n", f.executed ? "It was seen with" : "It happens with", code(witness));
  if (f.executed)
    out += "<p>This is what a run of both branches showed.</p>\n";
  if (!f.related.empty()) {
    out += "<ul>\n";
    for (std::size_t i = 0; i < std::min(f.related.size(), mostRelated); ++i) {
      const Related &r = f.related[i];
      const std::string at = place(r.location, r.graphPath, o);
      out += fmt::format("<li>{}{}{}</li>\n", sentence(r.message), at.empty() || r.message.empty() ? "" : ": ", at);
    }
    if (f.related.size() > mostRelated)
      out += fmt::format("<li>and {} more places</li>\n", f.related.size() - mostRelated);
    out += "</ul>\n";
  }
  std::set<std::pair<std::string, std::uint32_t>> shown;
  const auto show = [&](const SourceLocation &l) {
    if (shown.size() < mostExcerpts && shown.insert({l.path, l.line}).second)
      out += excerpt(l, o, sources);
  };
  show(f.location);
  for (const Related &r : f.related)
    show(r.location);
  for (const Fix &fix : f.fixes)
    out += fmt::format("<p>Fix: {}</p>\n{}", sentence(fix.description), diffOf(fix, sources));
  return out + "</div>\n";
}

const Drawing::Box *outputOf(const Drawing::Side &side, std::size_t i) {
  const std::string title = fmt::format("output {}", i);
  const auto box = std::ranges::find_if(
      side.boxes, [&](const Drawing::Box &b) { return b.kind == Drawing::Kind::Output && b.title == title; });
  return box == side.boxes.end() ? nullptr : &*box;
}

/// What the branches return, position by position.
std::string outputsTable(const Drawing &d) {
  std::size_t count = 0;
  for (const Drawing::Side &side : d.sides)
    count = std::max(
        count, static_cast<std::size_t>(std::ranges::count(side.boxes, Drawing::Kind::Output, &Drawing::Box::kind)));
  if (count == 0)
    return {};
  std::string out =
      "<table class=\"outputs\"><caption>What the branches return</caption>\n<tr><th scope=\"col\">output</th>";
  for (const Drawing::Side &side : d.sides)
    out += fmt::format("<th scope=\"col\">{}</th>", code(side.name));
  out += "</tr>\n";
  for (std::size_t i = 0; i < std::min(count, mostOutputs); ++i) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", i);
    for (const Drawing::Side &side : d.sides) {
      const Drawing::Box *box = outputOf(side, i);
      const bool differs = box != nullptr && box->differs;
      const std::string type = box == nullptr ? "nothing" : box->type.empty() ? "not known" : box->type;
      out += fmt::format("<td{}>{}{}</td>", differs ? " class=\"differs\"" : "", differs ? "≠ " : "", code(type));
    }
    out += "</tr>\n";
  }
  if (count > mostOutputs)
    out +=
        fmt::format("<tr><td colspan=\"{}\">and {} more outputs</td></tr>\n", d.sides.size() + 1, count - mostOutputs);
  return out + "</table>\n";
}

std::size_t operatorsOf(const Drawing::Side &side) {
  return side.leftOut + static_cast<std::size_t>(std::ranges::count_if(side.boxes, [](const Drawing::Box &b) {
           return b.kind == Drawing::Kind::Node || b.kind == Drawing::Kind::Conditional;
         }));
}

/// A picture that can be scrolled, by keys too.
std::string scrolled(const std::string &svg, const std::string &label) {
  return fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">\n{}</div>\n",
                     htmlText(label), svg);
}

std::string sideHtml(const Drawing &d, const Drawing::Side &side, std::size_t &wholeBytes) {
  const std::size_t operators = operatorsOf(side);
  std::string out = fmt::format("<figure class=\"side\">\n<figcaption>{} <small>{} operator{}</small></figcaption>\n",
                                code(side.name), operators, operators == 1 ? "" : "s");
  if (!side.problem.empty())
    out += fmt::format("<p>{}</p>\n", htmlText(side.problem));
  if (side.boxes.empty())
    return out + (side.problem.empty() ? "<p>It is empty.</p>\n" : "") + "</figure>\n";
  const bool partial = drawing::isPartial(side);
  const Extent shown = partial ? Extent::Slice : Extent::Whole;
  const std::string label =
      fmt::format("{} of {}{}", side.name, cutToColumns(d.path, longestLine), partial ? ", the part that matters" : "");
  out += scrolled(drawing::svgOf(side, shown, label), label);
  out += fmt::format("<details><summary>The same in words</summary>\n<ul>\n{}</ul></details>\n",
                     drawing::listOf(side, shown));
  if (partial && side.leftOut == 0) {
    const std::string whole = fmt::format("{} of {}, all of it", side.name, cutToColumns(d.path, longestLine));
    if (const std::string svg = drawing::svgOf(side, Extent::Whole, whole); svg.size() <= wholeBytes) {
      wholeBytes -= svg.size();
      return out +
             fmt::format("<details class=\"whole\"><summary>The whole branch</summary>\n{}</details>\n</figure>\n",
                         scrolled(svg, whole));
    }
  }
  if (partial)
    out += "<p class=\"dim\">The whole branch is too large for this page.</p>\n";
  return out + "</figure>\n";
}

std::string headOf(const ConditionalPart &part, const RenderOptions &o) {
  std::string out;
  const auto add = [&](const std::string &words) { out += (out.empty() ? "" : " · ") + words; };
  if (part.drawing != nullptr && !part.drawing->op.empty())
    add(code(part.drawing->op));
  if (part.summary != nullptr && part.summary->location.valid())
    add(place(part.summary->location, "", o));
  if (part.drawing != nullptr) {
    std::string predicate =
        "predicate " + code(part.drawing->predicate.empty() ? "(no name)" : part.drawing->predicate);
    if (!part.drawing->predicateType.empty())
      predicate += ": " + code(part.drawing->predicateType);
    add(predicate);
  }
  if (part.summary != nullptr && !part.summary->inside.empty())
    add(fmt::format("inside {} of {}", code(part.summary->insideBranch), code(part.summary->inside)));
  return out.empty() ? out : "<p class=\"head\">" + out + "</p>\n";
}

/// What no rule could decide of it, and why.
std::string openHtml(const ConditionalSummary &s) {
  if (s.reasons.empty())
    return {};
  std::string out = "<details><summary>What is not decided</summary>\n<ul>\n";
  for (const auto &[rule, reason] : s.reasons)
    out += fmt::format("<li>{}: {}</li>\n", code(rule), sentence(reason));
  return out + "</ul></details>\n";
}

} // namespace

std::string conditionalSection(const ConditionalPart &part, const RenderOptions &options, SourceText &sources,
                               std::size_t &wholeBytes) {
  std::string out =
      fmt::format("<section class=\"conditional\" id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h3 id=\"{0}-title\">"
                  "{1} <small>{2}</small></h3>\n",
                  part.id, htmlText(part.path.empty() ? "The model as a whole" : cutToColumns(part.path, 200)),
                  htmlText(cutToColumns(relativePath(part.input->path, options.workingFolder), 200)));
  out += headOf(part, options);
  for (std::size_t i = 0; i < std::min(part.findings.size(), mostFindings); ++i)
    out += findingHtml(part.findings[i], options, sources);
  if (part.findings.size() > mostFindings)
    out += fmt::format("<p>{} more findings are in the table above.</p>\n", part.findings.size() - mostFindings);
  if (part.summary != nullptr)
    out += openHtml(*part.summary);
  if (part.drawing != nullptr) {
    out += outputsTable(*part.drawing);
    out += "<div class=\"sides\">\n";
    for (const Drawing::Side &side : part.drawing->sides)
      out += sideHtml(*part.drawing, side, wholeBytes);
    out += "</div>\n";
  }
  return out + "</section>\n";
}

} // namespace condlint::html
