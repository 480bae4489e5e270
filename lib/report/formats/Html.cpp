//===- Html.cpp - The report as one page ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file that needs nothing else: counts, a table of all findings, each conditional with both its branches side by
// side, the pages of the rules. It is read without a script and without its style sheet too. Models come from
// strangers: their text is escaped, and the page itself admits no script but its own and loads nothing.
//
// Its size is bounded, whatever was found: the most severe findings come first, the rest is counted in words.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "HtmlParts.h"
#include "HtmlText.h"
#include "Markdown.h"
#include "Tally.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

namespace condlint {

namespace {

using html::ConditionalPart;

constexpr std::size_t rowBytes = 2'000'000, sectionBytes = 1'200'000, wholePictureBytes = 1'000'000;
constexpr std::size_t mostInputs = 500, longestCell = 300;
/// A browser lays out a table as a whole: of several it does so for those alone that somebody looks at.
constexpr std::size_t rowsOfTable = 500;

/// A finding with where it is told.
struct Row {
  const InputReport *input;
  FindingGroup group;
  std::size_t section; ///< position in the list of sections
};

class Page {
public:
  Page(const Report &report, const RenderOptions &given) : r(report), o(given), sources(given.workingFolder) {
    for (const RuleText &rule : o.rules)
      rules.emplace(rule.id, &rule);
    gather();
  }

  std::string run() {
    const std::string title = titleText();
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'sha256-{}'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        html::scriptHash(), htmlText(title), html::style());
    out += "<a class=\"skip\" href=\"#conditionals\">Skip to the conditionals</a>\n";
    out += fmt::format("<header>\n<h1>{}</h1>\n</header>\n<main>\n", htmlText(title));
    summary(out);
    table(out);
    conditionals(out);
    rulePages(out);
    out +=
        fmt::format("</main>\n<footer><p>Written by condlint {}.</p></footer>\n<script>{}</script>\n</body>\n</html>\n",
                    CONDLINT_VERSION, html::script());
    return out;
  }

private:
  /// The conditionals that are told of, the worst first, and the findings with them.
  void gather() {
    std::map<std::pair<const InputReport *, std::string_view>, std::size_t> known;
    const auto sectionOf = [&](const InputReport &input, std::string_view path) {
      const auto [at, isNew] = known.try_emplace({&input, path}, sections.size());
      if (isNew) {
        sections.emplace_back();
        sections.back().input = &input;
        sections.back().path = path;
      }
      return at->second;
    };
    for (const InputReport &input : r.inputs)
      for (FindingGroup &group : groupByTarget(input.findings))
        rows.push_back({&input, std::move(group), 0});
    std::ranges::stable_sort(rows, std::greater<>(), [](const Row &row) { return row.group.severity; });
    for (Row &row : rows) {
      row.section = sectionOf(*row.input, row.group.finding->conditional);
      sections[row.section].findings.push_back(row.group);
    }
    for (const InputReport &input : r.inputs) {
      for (const Drawing &d : input.drawings)
        sections[sectionOf(input, d.path)].drawing = &d;
      for (const ConditionalSummary &s : input.summaries)
        if (const auto at = known.find({&input, s.path}); at != known.end() && sections[at->second].summary == nullptr)
          sections[at->second].summary = &s;
    }
    for (std::size_t i = 0; i < sections.size(); ++i)
      sections[i].id = fmt::format("c{}", i + 1);
  }

  static std::string counted(std::size_t n, std::string_view noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  }

  std::string titleText() const {
    std::string found;
    for (const auto &[severity, noun] :
         {std::pair(Severity::Error, "error"), {Severity::Warning, "warning"}, {Severity::Note, "note"}})
      if (const std::size_t n = r.count(severity); n != 0)
        found += (found.empty() ? "" : ", ") + counted(n, noun);
    const std::string what = r.inputs.size() == 1
                                 ? cutToColumns(relativePath(r.inputs.front().path, o.workingFolder), 120)
                                 : counted(r.inputs.size(), "input");
    return fmt::format("condlint: {} in {}", found.empty() ? "no findings" : found, what);
  }

  void summary(std::string &out) const {
    const ReportTotals totals = totalsOf(r);
    const ConditionalTally &c = totals.conditionals;
    const InputTally &inputs = totals.inputs;
    out += "<section aria-labelledby=\"summary\">\n<h2 id=\"summary\">Summary</h2>\n<ul class=\"counts\">\n";
    for (const auto &[severity, noun] :
         {std::pair(Severity::Error, "error"), {Severity::Warning, "warning"}, {Severity::Note, "note"}})
      out += fmt::format("<li class=\"{}\">{}</li>\n", noun, counted(r.count(severity), noun));
    out += fmt::format("</ul>\n<p>{}: {} {}, {} broken, {} possibly broken, {} not decided. {}: {} analysed",
                       counted(c.total, "conditional"), c.proved, c.proved == 1 ? "holds" : "hold", c.violated,
                       c.possible, c.unknown, counted(r.inputs.size(), "input"), inputs.analyzed);
    for (const auto &[n, words] :
         {std::pair(inputs.partial, "in part"), {inputs.failed, "failed"}, {inputs.skipped, "skipped"}})
      if (n != 0)
        out += fmt::format(", {} {}", n, words);
    out += ".</p>\n";
    byRule(out);
    byInput(out);
    out += "</section>\n";
  }

  void byRule(std::string &out) const {
    std::map<std::string_view, std::map<Severity, std::size_t>> counts;
    for (const InputReport &input : r.inputs)
      for (const Finding &f : input.findings)
        ++counts[f.rule][f.severity];
    if (counts.empty())
      return;
    out += "<table>\n<caption>Findings by rule</caption>\n<tr><th scope=\"col\">rule</th><th scope=\"col\">errors</th>"
           "<th scope=\"col\">warnings</th><th scope=\"col\">notes</th><th scope=\"col\">what must hold</th></tr>\n";
    for (auto &[rule, by] : counts) {
      const auto known = rules.find(rule);
      const auto of = [&](Severity s) { return by.contains(s) ? by.at(s) : 0; };
      out += fmt::format("<tr><th scope=\"row\"><a "
                         "href=\"#rule-{0}\">{0}</a></th><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td></tr>\n",
                         htmlText(rule), of(Severity::Error), of(Severity::Warning), of(Severity::Note),
                         known == rules.end() ? "" : htmlText(known->second->summary));
    }
    out += "</table>\n";
  }

  void byInput(std::string &out) const {
    std::vector<const InputReport *> order;
    for (const InputReport &input : r.inputs)
      order.push_back(&input);
    const auto rank = [](const InputReport *input) {
      Severity worst = Severity::Off;
      for (const Finding &f : input->findings)
        worst = std::max(worst, f.severity);
      return std::pair(input->status == InputStatus::Ok, -static_cast<int>(worst));
    };
    std::ranges::stable_sort(order, {}, rank);
    out += "<table>\n<caption>Inputs</caption>\n<tr><th scope=\"col\">input</th><th scope=\"col\">state</th><th "
           "scope=\"col\">"
           "conditionals</th><th scope=\"col\">findings</th><th scope=\"col\">targets</th></tr>\n";
    for (std::size_t i = 0; i < std::min(order.size(), mostInputs); ++i) {
      const InputReport &input = *order[i];
      std::string state(statusName(input.status));
      if (!input.reason.empty())
        state += ": " + cutToColumns(input.reason, longestCell);
      for (std::size_t k = 0; k < std::min<std::size_t>(input.notes.size(), 4); ++k)
        state += "\n" + cutToColumns(input.notes[k], longestCell);
      std::string targets;
      for (const std::string &target : input.targets)
        targets += (targets.empty() ? "" : ", ") + target;
      out += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
          htmlText(cutToColumns(relativePath(input.path, o.workingFolder), longestCell)), statusName(input.status),
          htmlText(state), input.conditionals, input.findings.size(), htmlText(targets));
    }
    out += "</table>\n";
    if (order.size() > mostInputs)
      out += fmt::format("<p>{} more inputs, of which none is worse, are in the other formats.</p>\n",
                         order.size() - mostInputs);
  }

  void table(std::string &out) {
    if (rows.empty())
      return;
    out += "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n<form id=\"filters\" "
           "hidden></form>\n<p id=\"shown\" role=\"status\"></p>\n<div id=\"table\">\n";
    const std::size_t begin = out.size();
    std::size_t told = 0;
    while (told < rows.size() && out.size() - begin < rowBytes) {
      std::string part;
      const std::size_t first = told;
      for (; told < std::min(rows.size(), first + rowsOfTable) && out.size() + part.size() - begin < rowBytes; ++told)
        addRow(part, rows[told]);
      const std::string which =
          told - first == rows.size() ? "All findings" : fmt::format("Findings {} to {}", first + 1, told);
      out += fmt::format("<div class=\"rows\"><table>\n<caption>{}, the most severe first</caption>\n"
                         "<thead><tr><th scope=\"col\">severity</th><th scope=\"col\">rule</th><th "
                         "scope=\"col\">where</th><th scope=\"col\">what</th></tr></thead>\n<tbody>\n{}</tbody>\n"
                         "</table></div>\n",
                         which, part);
    }
    out += "</div>\n";
    if (told < rows.size())
      out += fmt::format(
          "<p>{} more findings, of which none is more severe, do not fit into this page. They are in the other "
          "formats, such as --output json=FILE.</p>\n",
          rows.size() - told);
    out += "</section>\n";
  }

  void addRow(std::string &out, const Row &row) {
    const Finding &f = *row.group.finding;
    linked.insert(row.section);
    std::string where = htmlText(cutToColumns(relativePath(row.input->path, o.workingFolder), 120));
    if (const std::string at =
            f.location.valid() ? relativePath(f.location.path, o.workingFolder) + fmt::format(":{}", f.location.line)
                               : f.graphPath;
        !at.empty())
      where += " <small>" + htmlText(cutToColumns(at, 120)) + "</small>";
    out += fmt::format("<tr><td class=\"badge {0}\">{0}</td><td>{1}</td><td><a href=\"#{2}\">{3}</a></td>"
                       "<td>{4}</td></tr>\n",
                       severityName(row.group.severity), htmlText(f.rule), sections[row.section].id, where,
                       htmlText(cutToColumns(f.message, longestCell)));
  }

  void conditionals(std::string &out) {
    out += "<section aria-labelledby=\"conditionals\">\n<h2 id=\"conditionals\">Conditionals</h2>\n";
    if (sections.empty())
      out += "<p>There is nothing to be told of any.</p>\n";
    else
      legend(out);
    const std::size_t begin = out.size();
    std::size_t wholeBytes = wholePictureBytes, left = 0;
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (out.size() - begin < sectionBytes + (wholePictureBytes - wholeBytes)) {
        out += html::conditionalSection(sections[i], o, sources, wholeBytes);
        continue;
      }
      ++left;
    }
    if (left != 0)
      out += fmt::format("<p id=\"more\">{} more do not fit into this page. Each is drawn by "
                         "<code>condlint show MODEL --at PATH</code>.</p>\n",
                         left);
    drawn = sections.size() - left;
    // A link to a section that is not there leads to what says so.
    if (left != 0)
      leadOn(out);
    out += "</section>\n";
  }

  void leadOn(std::string &out) const {
    for (std::size_t i = drawn; i < sections.size(); ++i)
      if (linked.contains(i))
        out += fmt::format("<span id=\"{}\"></span>", sections[i].id);
    out += '\n';
  }

  void legend(std::string &out) const {
    bool hasTones = false;
    for (const ConditionalPart &part : sections)
      if (part.drawing != nullptr)
        for (const Drawing::Side &side : part.drawing->sides)
          for (const Drawing::Box &box : side.boxes)
            hasTones = hasTones || box.tone != Drawing::Tone::Plain;
    out += "<p class=\"dim\">A box stands below what it reads. Round boxes are ports: operands and captures at the "
           "top, outputs at "
           "the bottom. A thick red edge: a finding stands there, or (≠) the branches differ in it.";
    if (hasTones)
      out += " Layers of TensorRT: <span class=\"key lazy\">lazy</span> runs when its branch is taken, <span "
             "class=\"key eager\">"
             "eager</span> runs always though one branch alone needs it, <span class=\"key shared\">shared</span> runs "
             "always.";
    out += "</p>\n";
  }

  void rulePages(std::string &out) const {
    std::set<std::string_view> met;
    for (const Row &row : rows)
      met.insert(row.group.finding->rule);
    if (met.empty())
      return;
    out += "<section aria-labelledby=\"rules\">\n<h2 id=\"rules\">Rules</h2>\n";
    for (const std::string_view id : met) {
      const auto rule = rules.find(id);
      const std::string page = rule == rules.end() ? std::string() : markdownToHtml(rule->second->page, 2);
      out += fmt::format("<details id=\"rule-{0}\"><summary>{0}{1}</summary>\n{2}</details>\n", htmlText(id),
                         rule == rules.end() ? "" : ": " + htmlText(rule->second->summary), page);
    }
    out += "</section>\n";
  }

  const Report &r;
  const RenderOptions &o;
  SourceText sources;
  std::unordered_map<std::string_view, const RuleText *> rules;
  std::vector<ConditionalPart> sections;
  std::vector<Row> rows;
  std::set<std::size_t> linked; ///< sections to which the table leads
  std::size_t drawn = 0;        ///< sections that are there
};

} // namespace

std::string formats::html(const Report &r, const RenderOptions &options) { return Page(r, options).run(); }

} // namespace condlint
