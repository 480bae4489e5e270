//===- Svg.cpp - A branch as a static picture -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Svg.h"
#include "../HtmlText.h"
#include "Layout.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace condlint::drawing {

namespace {

using Kind = Drawing::Kind;
using Tone = Drawing::Tone;

constexpr double column = 6.7, lineHeight = 14, padding = 9, least = 56;
constexpr std::size_t mostColumns = 30;

std::string_view classOf(Kind k) {
  switch (k) {
  case Kind::Operand:
    return "operand";
  case Kind::Capture:
    return "capture";
  case Kind::Node:
    return "node";
  case Kind::Conditional:
    return "cond";
  case Kind::Output:
    return "output";
  }
  return "node";
}

std::string_view classOf(Tone t) {
  switch (t) {
  case Tone::Plain:
    return "";
  case Tone::Lazy:
    return " lazy";
  case Tone::Eager:
    return " eager";
  case Tone::Shared:
    return " shared";
  }
  return "";
}

/// The tone in words, since colour alone says nothing to some.
std::string_view wordOf(Tone t) {
  switch (t) {
  case Tone::Plain:
    return "";
  case Tone::Lazy:
    return "lazy";
  case Tone::Eager:
    return "eager: it always runs";
  case Tone::Shared:
    return "always runs";
  }
  return "";
}

std::string wholeTextOf(const Drawing::Box &b) {
  std::string out = b.title;
  for (const std::string *part : {&b.name, &b.type})
    if (!part->empty() && *part != b.title)
      out += fmt::format(", {}", *part);
  if (b.differs)
    out += ", which is another type in the other branch";
  if (const std::string_view word = wordOf(b.tone); !word.empty())
    out += fmt::format(", {}", word);
  if (b.location.valid())
    out += fmt::format(", {}", b.location.str());
  return out;
}

/// What stands in a box, a line each.
std::vector<std::string> linesOf(const Drawing::Box &b) {
  std::vector<std::string> lines{cutToColumns(b.title, mostColumns)};
  if (!b.name.empty() && b.name != b.title)
    lines.push_back(cutToColumns(b.name, mostColumns));
  if (!b.type.empty())
    lines.push_back(cutToColumns((b.differs ? "≠ " : "") + b.type, mostColumns));
  if (b.tone == Tone::Eager || b.tone == Tone::Lazy)
    lines.emplace_back(b.tone == Tone::Eager ? "eager" : "lazy");
  return lines;
}

/// Coordinates to a tenth of a pixel, without a point where there is none.
std::string number(double x) {
  const double rounded = std::round(x * 10) / 10;
  return rounded == std::floor(rounded) ? fmt::format("{:.0f}", rounded) : fmt::format("{:.1f}", rounded);
}

class Picture {
public:
  Picture(const Drawing::Side &side, Extent extent) {
    std::vector<std::uint32_t> place(side.boxes.size(), none);
    for (std::uint32_t i = 0; i < side.boxes.size(); ++i)
      if (extent == Extent::Whole || side.boxes[i].isInSlice) {
        place[i] = static_cast<std::uint32_t>(boxes.size());
        boxes.push_back(&side.boxes[i]);
        hidden.push_back(side.boxes[i].hiddenInputs);
      }
    for (const Drawing::Edge &e : side.edges)
      if (place[e.to] == none)
        continue;
      else if (place[e.from] == none)
        ++hidden[place[e.to]];
      else
        edges.push_back({place[e.from], place[e.to]});
    from.resize(boxes.size());
    arrange();
    // A line that would be too long is a word in the box that it leads to.
    std::vector<Drawing::Edge> drawn;
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (layout.lines[e].empty())
        from[edges[e].to].push_back(edges[e].from);
      else
        drawn.push_back(edges[e]);
    if (drawn.size() != edges.size()) {
      edges = std::move(drawn);
      arrange();
    }
  }

  std::string svg(const std::string &label) const {
    const std::string width = number(std::ceil(layout.width)), height = number(std::ceil(layout.height));
    std::string out = fmt::format("<svg class=\"graph\" role=\"img\" aria-label=\"{0}\" width=\"{1}\" height=\"{2}\" "
                                  "viewBox=\"0 0 {1} {2}\" font-family=\"monospace\" font-size=\"11\">\n",
                                  htmlText(label), width, height);
    out += "<g class=\"lines\" fill=\"none\" stroke=\"#888\">\n";
    for (const std::vector<Point> &line : layout.lines)
      if (!line.empty())
        addLine(out, line);
    out += "</g>\n<g class=\"boxes\" fill=\"#fff\" stroke=\"#555\">\n";
    for (std::size_t i = 0; i < boxes.size(); ++i)
      addBox(out, i);
    out += "</g>\n<g class=\"words\" fill=\"#111\" text-anchor=\"middle\">\n";
    for (std::size_t i = 0; i < boxes.size(); ++i)
      addWords(out, i);
    return out + "</g>\n</svg>\n";
  }

  std::string list() const {
    std::string out;
    for (std::size_t i = 0; i < boxes.size(); ++i)
      out += fmt::format("<li>{}{}</li>\n", htmlText(wholeTextOf(*boxes[i])), htmlText(readsOf(i)));
    return out;
  }

private:
  static constexpr std::uint32_t none = 0xffffffffu;

  void arrange() {
    std::vector<LayoutBox> sizes;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const std::vector<std::string> lines = words(i);
      std::size_t widest = 0;
      for (const std::string &line : lines)
        widest = std::max(widest, columnsOf(line));
      LayoutBox size;
      size.width = std::max(least, static_cast<double>(widest) * column + 2 * padding);
      size.height = static_cast<double>(lines.size()) * lineHeight + padding;
      const Kind k = boxes[i]->kind;
      size.where = k == Kind::Operand || k == Kind::Capture ? LayoutBox::Where::Top
                   : k == Kind::Output                      ? LayoutBox::Where::Bottom
                                                            : LayoutBox::Where::Free;
      sizes.push_back(size);
    }
    layout = layOut(sizes, edges);
    boxSizes = std::move(sizes);
  }

  static std::string_view nameOf(const Drawing::Box &b) { return b.name.empty() ? b.title : b.name; }

  std::vector<std::string> words(std::size_t i) const {
    std::vector<std::string> lines = linesOf(*boxes[i]);
    if (!from[i].empty()) {
      std::string names = "↑ ";
      for (std::size_t k = 0; k < std::min<std::size_t>(from[i].size(), 3); ++k)
        names.append(k == 0 ? "" : ", ").append(nameOf(*boxes[from[i][k]]));
      if (from[i].size() > 3)
        names += fmt::format(" and {} more", from[i].size() - 3);
      lines.push_back(cutToColumns(names, mostColumns));
    }
    if (hidden[i] != 0)
      lines.push_back(fmt::format("… reads {} more", hidden[i]));
    return lines;
  }

  std::string readsOf(std::size_t i) const {
    constexpr std::size_t most = 8;
    std::string out;
    std::size_t n = 0;
    const auto add = [&](std::uint32_t maker) {
      if (n++ < most)
        out.append(out.empty() ? "; reads " : ", ").append(nameOf(*boxes[maker]));
    };
    for (const Drawing::Edge &e : edgesTo(i))
      add(e.from);
    for (const std::uint32_t maker : from[i])
      add(maker);
    const std::size_t more = hidden[i] + (n > most ? n - most : 0);
    return more == 0 ? out : fmt::format("{} and {} more", out.empty() ? "; reads" : out, more);
  }

  std::vector<Drawing::Edge> edgesTo(std::size_t i) const {
    std::vector<Drawing::Edge> out;
    std::ranges::copy_if(edges, std::back_inserter(out), [&](const Drawing::Edge &e) { return e.to == i; });
    return out;
  }

  static void addLine(std::string &out, const std::vector<Point> &line) {
    out += fmt::format("<path d=\"M{} {}", number(line[0].x), number(line[0].y));
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Point &a = line[i - 1], &b = line[i];
      if (std::abs(a.x - b.x) < 0.5) {
        out += fmt::format("L{} {}", number(b.x), number(b.y));
        continue;
      }
      const std::string middle = number((a.y + b.y) / 2);
      out += fmt::format("C{} {} {} {} {} {}", number(a.x), middle, number(b.x), middle, number(b.x), number(b.y));
    }
    out += "l-3-5m3 5l3-5\"/>\n";
  }

  void addBox(std::string &out, std::size_t i) const {
    const Drawing::Box &b = *boxes[i];
    const bool isPort = b.kind == Kind::Operand || b.kind == Kind::Capture || b.kind == Kind::Output;
    out += fmt::format("<rect class=\"{}{}{}{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"",
                       classOf(b.kind), classOf(b.tone), b.isNamed ? " named" : "", b.differs ? " differs" : "",
                       number(layout.corners[i].x), number(layout.corners[i].y), number(boxSizes[i].width),
                       number(boxSizes[i].height), isPort ? 12 : 3);
    if (b.isNamed || b.differs)
      out += " stroke=\"#c00\" stroke-width=\"2\"";
    out += fmt::format("><title>{}</title></rect>\n", htmlText(wholeTextOf(b)));
  }

  void addWords(std::string &out, std::size_t i) const {
    const std::vector<std::string> lines = words(i);
    const double x = layout.corners[i].x + boxSizes[i].width / 2;
    double y = layout.corners[i].y + padding / 2 + lineHeight - 4;
    for (std::size_t k = 0; k < lines.size(); ++k, y += lineHeight)
      out += fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>\n", k == 0 ? " font-weight=\"bold\"" : "", number(x),
                         number(y), htmlText(lines[k]));
  }

  std::vector<const Drawing::Box *> boxes;
  std::vector<std::uint32_t> hidden;            ///< by box: what it reads and is not shown
  std::vector<std::vector<std::uint32_t>> from; ///< by box: what it reads over too long a line
  std::vector<Drawing::Edge> edges;
  std::vector<LayoutBox> boxSizes;
  Placement layout;
};

} // namespace

std::string svgOf(const Drawing::Side &side, Extent extent, const std::string &label) {
  return Picture(side, extent).svg(label);
}

std::string listOf(const Drawing::Side &side, Extent extent) { return Picture(side, extent).list(); }

bool isPartial(const Drawing::Side &side) {
  const auto isCut = [](const Drawing::Box &b) {
    return !b.isInSlice && (b.kind == Kind::Node || b.kind == Kind::Conditional);
  };
  return side.leftOut != 0 || std::ranges::any_of(side.boxes, isCut);
}

} // namespace condlint::drawing
