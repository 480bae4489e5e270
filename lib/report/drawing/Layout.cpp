//===- Layout.cpp - Places for boxes, and lines between them --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After Sugiyama: circles are cut, boxes get rows (the longest way from the top, a row never wider than some boxes),
// lines that pass rows get a point in each, points and boxes of a row are ordered by the mean place of their
// neighbours, up and down by turns, and then moved under these as far as the order allows.
//
//===----------------------------------------------------------------------===//
#include "Layout.h"
#include <algorithm>
#include <limits>
#include <numeric>

namespace condlint::drawing {

namespace {

using Where = LayoutBox::Where;

constexpr std::uint32_t widest = 8; ///< boxes in a row
constexpr std::uint32_t noBox = 0xffffffffu;
constexpr double gapAcross = 18, gapBetween = 36, lineWidth = 10, margin = 8;
constexpr unsigned sweeps = 12, moves = 8;
/// How much every box wants to the middle of the picture, beside 1 for where its neighbours are: without it the rows of
/// a long branch wander off.
constexpr double pull = 0.03;
/// A line over more rows is told in words; with very many lines fewer rows are enough.
constexpr std::uint32_t longestLine = 24, longestOfMany = 6;
constexpr std::size_t manyPoints = 12000;

/// A box, or the point at which a line passes a row.
struct Item {
  std::uint32_t row = 0;
  double width = 0;
  double x = 0; ///< of its middle
  std::vector<std::uint32_t> above, below;
};

class Layouter {
public:
  Layouter(std::span<const LayoutBox> given, std::span<const Drawing::Edge> lines)
      : boxes(given), edges(lines), items(given.size()), ways(lines.size()) {}

  Placement run() {
    cutCircles();
    findRows();
    addPoints();
    order();
    for (unsigned i = 0; i < moves; ++i)
      move(i % 2 == 0);
    return result();
  }

private:
  /// Reverses, for this file, each edge that closes a circle.
  void cutCircles() {
    arrows.assign(edges.begin(), edges.end());
    std::vector<std::vector<std::uint32_t>> out(boxes.size());
    for (std::uint32_t e = 0; e < edges.size(); ++e)
      out[edges[e].from].push_back(e);
    enum class State : std::uint8_t { New, Open, Done };
    std::vector<State> state(boxes.size(), State::New);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack;
    for (std::uint32_t root = 0; root < boxes.size(); ++root) {
      if (state[root] != State::New)
        continue;
      stack.emplace_back(root, 0);
      state[root] = State::Open;
      while (!stack.empty()) {
        auto &[v, next] = stack.back();
        if (next == out[v].size()) {
          state[v] = State::Done;
          stack.pop_back();
          continue;
        }
        const std::uint32_t e = out[v][next++];
        const std::uint32_t to = edges[e].to;
        if (state[to] == State::Open) {
          std::swap(arrows[e].from, arrows[e].to);
        } else if (state[to] == State::New) {
          state[to] = State::Open;
          stack.emplace_back(to, 0);
        }
      }
    }
  }

  /// The first row from \p least on that has room.
  std::uint32_t roomIn(std::uint32_t least) {
    while (least < filled.size() && filled[least] >= widest)
      ++least;
    if (least >= filled.size())
      filled.resize(least + 1, 0);
    ++filled[least];
    return least;
  }

  void findRows() {
    std::vector<std::uint32_t> waiting(boxes.size(), 0), least(boxes.size(), 0), queue;
    std::vector<std::vector<std::uint32_t>> out(boxes.size()), in(boxes.size());
    for (const Drawing::Edge &a : arrows)
      if (a.from != a.to) {
        out[a.from].push_back(a.to);
        in[a.to].push_back(a.from);
        ++waiting[a.to];
      }
    std::uint32_t first = 0;
    for (std::uint32_t v = 0; v < boxes.size(); ++v)
      if (boxes[v].where == Where::Top)
        first = std::max(first, items[v].row = roomIn(0));
    const bool hasTop = !filled.empty();
    for (std::uint32_t &l : least)
      l = hasTop ? first + 1 : 0;
    for (std::uint32_t v = 0; v < boxes.size(); ++v)
      if (waiting[v] == 0)
        queue.push_back(v);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t v = queue[i];
      if (boxes[v].where == Where::Free && !(in[v].empty() && !out[v].empty()))
        items[v].row = roomIn(least[v]);
      else if (boxes[v].where == Where::Free)
        items[v].row = least[v]; // what reads nothing goes where it is used
      for (const std::uint32_t to : out[v]) {
        least[to] = std::max(least[to], items[v].row + 1);
        if (--waiting[to] == 0)
          queue.push_back(to);
      }
    }
    for (std::uint32_t v = 0; v < boxes.size(); ++v)
      if (boxes[v].where == Where::Free && in[v].empty() && !out[v].empty())
        placeAboveUser(v, out[v], hasTop ? first + 1 : 0);
    dropEmptyRows();
    const auto below = static_cast<std::uint32_t>(filled.size());
    for (std::uint32_t v = 0; v < boxes.size(); ++v)
      if (boxes[v].where == Where::Bottom)
        items[v].row = roomIn(below);
  }

  /// The nearest row above the users of \p v that has room; where none has, the first, which then is wider.
  void placeAboveUser(std::uint32_t v, const std::vector<std::uint32_t> &users, std::uint32_t least) {
    std::uint32_t user = noBox;
    for (const std::uint32_t u : users)
      if (boxes[u].where == Where::Free)
        user = std::min(user, items[u].row);
    const std::uint32_t bottom = std::max<std::uint32_t>(least, static_cast<std::uint32_t>(filled.size()));
    std::uint32_t row = user == noBox ? bottom : user;
    while (row > least && filled[row - 1] >= widest)
      --row;
    row = row > least ? row - 1 : least;
    if (row >= filled.size())
      filled.resize(row + 1, 0);
    ++filled[row];
    items[v].row = row;
  }

  void dropEmptyRows() {
    std::vector<std::uint32_t> moved(filled.size(), 0);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t r = 0; r < filled.size(); ++r) {
      moved[r] = static_cast<std::uint32_t>(kept.size());
      if (filled[r] != 0)
        kept.push_back(filled[r]);
    }
    filled = std::move(kept);
    for (std::uint32_t v = 0; v < boxes.size(); ++v)
      if (boxes[v].where != Where::Bottom)
        items[v].row = items[v].row < moved.size() ? moved[items[v].row] : 0;
  }

  /// Lines of one box run together as far as they can, and part where they end.
  void addPoints() {
    for (std::uint32_t v = 0; v < boxes.size(); ++v)
      items[v].width = boxes[v].width;
    std::size_t points = 0;
    for (const Drawing::Edge &a : arrows)
      points += spanOf(a) > 1 ? std::min(spanOf(a), longestLine) : 0;
    const std::uint32_t longest = points > manyPoints ? longestOfMany : longestLine;
    std::vector<std::uint32_t> byMaker(edges.size());
    std::iota(byMaker.begin(), byMaker.end(), 0U);
    std::ranges::stable_sort(byMaker, {},
                             [&](std::uint32_t e) { return std::pair(arrows[e].from, items[arrows[e].to].row); });
    std::uint32_t maker = noBox;
    std::vector<std::uint32_t> trunk; // the points below the maker, by row
    for (const std::uint32_t e : byMaker) {
      const auto [from, to] = arrows[e];
      if (from == to || items[to].row <= items[from].row || spanOf(arrows[e]) > longest)
        continue;
      if (maker != from)
        trunk.clear();
      maker = from;
      ways[e].push_back(from);
      for (std::uint32_t row = items[from].row + 1; row < items[to].row; ++row) {
        const std::size_t i = row - items[from].row - 1;
        if (i == trunk.size()) {
          Item point;
          point.row = row;
          point.width = lineWidth;
          pending.emplace_back(ways[e].back(), static_cast<std::uint32_t>(items.size()));
          trunk.push_back(static_cast<std::uint32_t>(items.size()));
          items.push_back(std::move(point));
        }
        ways[e].push_back(trunk[i]);
      }
      pending.emplace_back(ways[e].back(), to);
      ways[e].push_back(to);
    }
    for (const auto &[upper, lower] : pending) {
      items[upper].below.push_back(lower);
      items[lower].above.push_back(upper);
    }
  }

  std::uint32_t spanOf(const Drawing::Edge &a) const {
    const std::uint32_t from = items[a.from].row, to = items[a.to].row;
    return to > from ? to - from : from - to;
  }

  void order() {
    rows.assign(filled.size(), {});
    for (std::uint32_t v = 0; v < items.size(); ++v)
      rows[items[v].row].push_back(v);
    for (const std::vector<std::uint32_t> &row : rows)
      number(row);
    std::vector<double> key(items.size());
    for (unsigned s = 0; s < sweeps; ++s) {
      const bool isDown = s % 2 == 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<std::uint32_t> &row = rows[isDown ? i : rows.size() - 1 - i];
        for (const std::uint32_t v : row) {
          const std::vector<std::uint32_t> &near = isDown ? items[v].above : items[v].below;
          key[v] = near.empty() ? items[v].x : meanOf(near);
        }
        std::ranges::stable_sort(row, {}, [&](std::uint32_t v) { return key[v]; });
        number(row);
      }
    }
    for (const std::vector<std::uint32_t> &row : rows) {
      double x = 0;
      for (const std::uint32_t v : row)
        x -= (items[v].width + gapAcross) / 2;
      for (const std::uint32_t v : row) {
        items[v].x = x + items[v].width / 2;
        x += items[v].width + gapAcross;
      }
    }
  }

  /// Until there are places, the order is one: spread over one width, so that rows of any length compare.
  void number(const std::vector<std::uint32_t> &row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      items[row[i]].x = (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
  }

  double meanOf(const std::vector<std::uint32_t> &near) const {
    double sum = 0;
    for (const std::uint32_t v : near)
      sum += items[v].x;
    return sum / static_cast<double>(near.size());
  }

  bool isPoint(std::uint32_t v) const { return v >= boxes.size(); }

  /// Moves each row under (over) its neighbours: the least sum of squared distances that keeps the order and the gaps,
  /// by pooling what would overlap.
  void move(bool isDown) {
    struct Pool {
      double sum, weight; ///< of where its members want to be, less their place in it
      std::size_t begin;
    };
    std::vector<Pool> pools;
    std::vector<double> offset;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::vector<std::uint32_t> &row = rows[isDown ? r : rows.size() - 1 - r];
      pools.clear();
      offset.assign(row.size(), 0);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const Item &item = items[row[i]];
        if (i > 0)
          offset[i] = offset[i - 1] + items[row[i - 1]].width / 2 + gapAcross + item.width / 2;
        const std::vector<std::uint32_t> &near = isDown ? item.above : item.below;
        const double wish = near.empty() ? item.x : meanOf(near);
        // Long lines shall be straight.
        const double weight = near.empty() ? 0.2 : isPoint(row[i]) ? 3 : 1;
        pools.push_back({(wish - offset[i]) * weight - offset[i] * pull, weight + pull, i});
        while (pools.size() > 1) {
          const Pool &last = pools[pools.size() - 1];
          Pool &before = pools[pools.size() - 2];
          if (before.sum / before.weight <= last.sum / last.weight)
            break;
          before.sum += last.sum;
          before.weight += last.weight;
          pools.pop_back();
        }
      }
      for (std::size_t p = 0; p < pools.size(); ++p)
        for (std::size_t i = pools[p].begin; i < (p + 1 < pools.size() ? pools[p + 1].begin : row.size()); ++i)
          items[row[i]].x = pools[p].sum / pools[p].weight + offset[i];
    }
  }

  Placement result() {
    Placement out;
    double left = std::numeric_limits<double>::max(), right = std::numeric_limits<double>::lowest();
    for (const Item &item : items) {
      left = std::min(left, item.x - item.width / 2);
      right = std::max(right, item.x + item.width / 2);
    }
    if (items.empty())
      left = 0;
    for (Item &item : items)
      item.x += margin - left;
    std::vector<double> top(rows.size()), height(rows.size(), 0);
    double y = margin;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const std::uint32_t v : rows[r])
        height[r] = std::max(height[r], isPoint(v) ? 0 : boxes[v].height);
      top[r] = y;
      y += height[r] + gapBetween;
    }
    out.width = items.empty() ? 2 * margin : right - left + 2 * margin;
    out.height = rows.empty() ? 2 * margin : y - gapBetween + margin;
    for (std::uint32_t v = 0; v < boxes.size(); ++v) {
      const Item &item = items[v];
      out.corners.push_back({item.x - item.width / 2, top[item.row] + (height[item.row] - boxes[v].height) / 2});
    }
    out.lines.resize(edges.size());
    const std::vector<double> arrival = arrivals();
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      std::vector<Point> &line = out.lines[e];
      for (std::size_t i = 0; i < ways[e].size(); ++i) {
        const std::uint32_t v = ways[e][i];
        const Item &item = items[v];
        if (isPoint(v)) {
          line.push_back({item.x, top[item.row]});
          line.push_back({item.x, top[item.row] + height[item.row]});
        } else if (i == 0) { // past higher boxes of the row, before it bends
          line.push_back({item.x, out.corners[v].y + boxes[v].height});
          line.push_back({item.x, top[item.row] + height[item.row]});
        } else {
          line.push_back({arrival[e], top[item.row]});
          line.push_back({arrival[e], out.corners[v].y});
        }
      }
      if (arrows[e].from != edges[e].from)
        std::ranges::reverse(line);
    }
    return out;
  }

  /// Where each line meets the upper edge of its box: side by side, in the order in which they come.
  std::vector<double> arrivals() const {
    std::vector<double> at(edges.size(), 0);
    std::vector<std::vector<std::uint32_t>> in(boxes.size());
    for (std::uint32_t e = 0; e < edges.size(); ++e)
      if (!ways[e].empty())
        in[arrows[e].to].push_back(e);
    for (std::uint32_t v = 0; v < boxes.size(); ++v) {
      std::ranges::stable_sort(in[v], {}, [&](std::uint32_t e) { return items[ways[e][ways[e].size() - 2]].x; });
      const double step = std::min(16.0, boxes[v].width / static_cast<double>(in[v].size() + 1));
      for (std::size_t i = 0; i < in[v].size(); ++i)
        at[in[v][i]] = items[v].x + step * (static_cast<double>(i) - (static_cast<double>(in[v].size()) - 1) / 2);
    }
    return at;
  }

  std::span<const LayoutBox> boxes;
  std::span<const Drawing::Edge> edges;
  std::vector<Drawing::Edge> arrows;                            ///< the edges, from the upper box to the lower
  std::vector<Item> items;                                      ///< the boxes, then the points
  std::vector<std::vector<std::uint32_t>> ways;                 ///< by edge: the items that its line passes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pending; ///< neighbours, the upper first
  std::vector<std::uint32_t> filled;                            ///< by row: how many boxes it holds
  std::vector<std::vector<std::uint32_t>> rows;
};

} // namespace

Placement layOut(std::span<const LayoutBox> boxes, std::span<const Drawing::Edge> edges) {
  return Layouter(boxes, edges).run();
}

} // namespace condlint::drawing
