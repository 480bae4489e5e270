#!/usr/bin/env python3
"""Random libtorch conditionals, and what their branches do when they run.

    branches.py --program condlint --torch FOLDER [--count 200] [--seed 0] [--keep FOLDER]

Each program is a conditional whose branches loop, ask flags, call helpers and code that is not seen, write in place and through
globals, and ask of texts, lists and maps, and of what loops over these leave. Both branches are run by libtorch itself with all of the flags, with 0 to 4 trips, numbers below zero and the one that a
branch asks for, and with several texts, lists, maps, element types and shapes; what condlint calls `proved` must hold in each execution, and what it calls `violated` of types must be broken in each.
A write or an alias is broken where the code does it on some path: in one execution at least. FOLDER is that of the Python
package. Exit code 1 where they contradict each other."""
import collections
import json
import os
import random
import subprocess
import sys

import batches

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "include")

PRELUDE = r"""
#pragma once
#include <algorithm>
#include <condlint/cond.h>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <torch/torch.h>
struct Holder {
  torch::Tensor t;
  bool flag = false;
};
extern torch::Tensor shared;
extern bool sharedFlag;
void poke();
void touch(Holder &);
bool ask();
int count();
torch::Tensor make(const torch::Tensor &);
#ifdef CONCRETE
namespace recorded {
template <class P, class T, class F, std::size_t N> torch::Tensor cond(int site, const P &, T yes, F no, const at::Tensor (&operands)[N]);
}
#define COND(site, ...) recorded::cond(site, __VA_ARGS__)
#else
#define COND(site, ...) condlint::cond(__VA_ARGS__)
#endif
"""

UNSEEN = r"""
#include <cstdio>
#include <set>
#include <string>
torch::Tensor shared;
bool sharedFlag;
static int mood;
static int form; // of what the global holds before a branch begins
static Holder *held;
static int asked;
static void change() {
  if (mood & 1) {
    shared = torch::ones({2, 3}, torch::kLong);
    sharedFlag = !sharedFlag;
    if (held) {
      held->t = torch::ones({3}, torch::kInt);
      held->flag = !held->flag;
    }
  }
}
void poke() { change(); }
void touch(Holder &h) {
  held = &h;
  change();
}
// Each by bits of its own: one way of the unseen code says nothing of another.
bool ask() { return ((mood >> 2) + asked++) % 2 == 0; }
int count() { return mood >> 3 & 3; }
torch::Tensor make(const torch::Tensor &t) {
  const torch::Tensor made = mood & 1 ? t.to(torch::kDouble) : t.clone();
  return mood & 32 ? made.flatten() : made;
}
namespace recorded {
std::set<std::string> seen;
struct Side {
  torch::Tensor result;
  bool writes = false, aliases = false, fails = false;
};
template <class Branch> Side run(Branch branch, std::vector<torch::Tensor> operands) {
  Side side;
  std::vector<int64_t> before;
  for (auto &t : operands) {
    t = t.clone();
    before.push_back(t._version());
  }
  shared = form == 0 ? torch::ones({2, 3}) : form == 1 ? torch::ones({4}, torch::kLong) : torch::ones({1, 1, 2}, torch::kDouble);
  sharedFlag = mood & 2;
  const torch::Tensor captured = shared;
  asked = 0;
  held = nullptr;
  try {
    if constexpr (std::is_invocable_v<Branch, at::Tensor, at::Tensor>)
      side.result = branch(operands[0], operands[1]);
  } catch (const std::exception &) {
    side.fails = true;
  }
  side.aliases = !side.fails && side.result.storage().data() == captured.storage().data();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    side.writes = side.writes || operands[i]._version() != before[i];
    side.aliases = side.aliases || (!side.fails && side.result.storage().data() == operands[i].storage().data());
  }
  return side;
}
template <class P, class T, class F, std::size_t N> torch::Tensor cond(int site, const P &, T yes, F no, const at::Tensor (&operands)[N]) {
  const std::vector<torch::Tensor> all(operands, operands + N);
  try {
    const Side a = run(yes, all), b = run(no, all);
    std::string line = std::to_string(site);
    if (a.fails || b.fails) { // it says nothing of what did not come, but what was done was done
      line += a.writes || b.writes ? " input-mutation=violated" : " input-mutation=ended";
      line += a.aliases || b.aliases ? " output-alias=violated" : " output-alias=ended";
      if (seen.insert(line).second)
        std::puts(line.c_str());
      return a.fails ? all[0] : a.result;
    }
    const auto say = [&](const char *rule, bool broken) { line += std::string(" ") + rule + (broken ? "=violated" : "=proved"); };
    const bool types = a.result.scalar_type() != b.result.scalar_type(), ranks = a.result.dim() != b.result.dim();
    say("output-dtype", types);
    say("output-rank", ranks);
    if (!ranks)
      say("output-shape", a.result.sizes() != b.result.sizes());
    say("input-mutation", a.writes || b.writes);
    say("output-alias", a.aliases || b.aliases);
    if (seen.insert(line).second)
      std::puts(line.c_str());
    return a.result;
  } catch (const std::exception &) {
    return all[0]; // what does not run says nothing
  }
}
} // namespace recorded
"""


class Program:
    def __init__(self, rng, number):
        self.rng, self.number, self.fresh, self.loops, self.helpers = rng, number, 0, 0, []

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def tensor(self):
        places = ["a", "b", "t", "t", "t", "u", "own.t", "list.back()", "shared"]
        if self.loops:
            places.append(f"q[{self.index()}]")
        return self.pick(*places)

    def target(self):
        return self.pick("t", "t", "t", "u", "own.t", "a", "shared" if self.chance(0.3) else "t")

    def index(self):
        return f"i{self.rng.randint(1, self.loops)} % 3" if self.loops and self.chance(0.7) else str(self.rng.randint(0, 2))

    def value(self, t=None):
        t = t or self.tensor()
        return self.pick(f"{t}.sin()", f"{t}.abs()", f"{t} + 1", f"{t} * 0.5", f"{t}.neg()", f"{t}.to(torch::kFloat)", f"{t}.to(torch::kDouble)",
                         f"{t}.to(torch::kLong)", f"{t}.sum(0)", f"{t}.sum()", f"{t}.unsqueeze(0)", f"{t} + {self.tensor()}", f"{t}.clone()",
                         f"{t}.contiguous()", f"{t}.reshape(-1)", f"{t}.flatten()", f"{t} > 0", f"torch::cat({{{t}, {t}}}, 0)",
                         f"torch::zeros_like({t})", f"{t}.view(-1)", f"{t}.expand_as({t})", f"{t}.sum(0, true)", f"{t}.select(0, 0)")

    def condition(self):
        choices = ["f", "g", "!f", "f && g", "own.flag", "sharedFlag", "local", "ask()", "n > 2", "n == 3", "list.size() > 2", "count() > 1",
                   "t.dim() > 1", "t.scalar_type() == torch::kFloat", "a.size(0) == 2", "total > 2", "n % 2 < 0", "n % 2 == 1", "n % 2 == -1", "n / 2 < 0", "(n & 1) == 1",
                   "std::size_t(n) > 5", "unsigned(n) == 0xffffffffu", "static_cast<std::uint8_t>(n) == 255", "n < list.size()", "n < a.size(0)", "std::max(n, 0) == 0",
                   "std::min(n, 0) < 0", "~n == 0", "std::abs(n) > 1", "int(name.find(\"b\")) == -1", "n < 0", "n == -1", "n * 2 < -2", "n + 3 < 2",
                   'name.find("b") == std::string::npos', 'name.find("b") < name.npos', "name.empty()", 'name == "ab"', self.textual(), self.textual(),
                   self.contained(), self.contained()]
        if self.loops:
            i = f"i{self.rng.randint(1, self.loops)}"
            choices += [f"{i} == 2", f"{i} > 0", f"{i} == n - 1", f"{i} % 2 == 1"] * 2
        return self.pick(*choices)

    def textual(self):
        one, character, k = self.pick("a", "b", "ab", "ba", "abc", "c"), self.pick("a", "b", "c"), self.rng.randint(0, 2)
        compared = self.pick("==", "!=", "<", ">", "<=", ">=")
        search = self.pick("find", "rfind", "find_first_of", "find_last_of", "find_first_not_of", "find_last_not_of")
        return self.pick(f'name == "{one}"', f'name != "{one}"', f'name {compared} "{one}"', f"name.size() {compared} {k}u", f'name.{search}("{one}") {compared} {k}u',
                         f'int(name.{search}("{one}")) {compared} {k - 1}', f"name.find('{character}') != name.npos", f"name[0] == '{character}'",
                         f'name.starts_with("{one}")', f'name.ends_with("{one}")', f'name.compare("{one}") {compared} 0', f'name.substr(0, {k}) == "{one}"',
                         f'name.rfind("{one}", 0) == 0', f'std::strcmp(name.c_str(), "{one}") == 0', f'std::string_view(name) == "{one}"', "name.size() % 2 == 1",
                         f"std::count(name.begin(), name.end(), '{character}') > {k}")

    def contained(self):
        k, compared = self.rng.randint(0, 3), self.pick("==", "!=", "<", ">")
        position = self.pick("sizes", "table", "kinds", "grown")
        key, number = self.pick('"a"', '"b"', "name"), self.pick("3", "0", "n")
        return self.pick("sizes.empty()", f"sizes.size() {compared} {k}u", f"{position}.begin() {self.pick('==', '!=')} {position}.end()",
                         f"sizes.end() - sizes.begin() {compared} {k}", f"std::find(sizes.begin(), sizes.end(), {number}) == sizes.end()",
                         f"std::find(sizes.begin(), sizes.end(), 3) - sizes.begin() {compared} {k - 1}", f"std::count(grown.begin(), grown.end(), 3) {compared} {k}",
                         f"std::accumulate(sizes.begin(), sizes.end(), 0) {compared} {k}", f"table.count({key})", f"table.find({key}) == table.end()",
                         "table.empty()", f"table.size() {compared} {k}u", f"table.lower_bound({key}) == table.end()", f"!sizes.empty() && sizes[0] {compared} {k}",
                         f"!sizes.empty() && sizes.back() {compared} {k}", "grown.empty()", "grown.size() <= sizes.size()", f"grown.back() {compared} {k}",
                         f"kinds.find({number}) == kinds.end()", f"kinds.count({number})", f"kinds.size() {compared} {k}u", f"chosen && *chosen {compared} {k}",
                         "chosen.has_value()", f"chosen.value_or(1) {compared} {k}", f"(f ? n : {k}) {compared} 2", f'(name + "x").size() {compared} {k}u',
                         f"low {compared} high", f"low {compared} {k}", f"(n | 1) {compared} {k}", f"n * 2 {compared} {k}", f"std::sqrt(double(n * n)) {compared} {k}")

    def counting(self, nesting, out, depth):
        """A loop that counts, adds up or looks for something, and a question about what it leaves."""
        pad, k, m, e = "  " * depth, self.name("k"), self.name("m"), self.name("e")
        compared, c, small = self.pick("==", "!=", "<", ">", "<=", ">="), self.rng.randint(0, 3), self.rng.randint(-1, 3)
        over = self.pick("sizes", "sizes", "grown", "kinds", "n", "n", "name", "table", "while")
        head = {"n": f"for (int {e} = 0; {e} < n; ++{e})", "name": f"for (char {e} : name)", "table": f"for (const auto &[{e}key, {e}] : table)",
                "while": f"while ({k} < n)"}.get(over, f"for (int {e} : {over})")
        asks = f"{e} == '{self.pick('a', 'b', 'c')}'" if over == "name" else f"{e} {compared} {self.pick(str(c), 'n', '3')}"
        bodies = [f"++{k};", f"++{k};", f"{k} += 2;", f"if ({asks}) ++{k};", f"if ({asks}) ++{k}; else ++{m};", f"if ({asks}) break; ++{k};", f"++{k}; {m} += 2;",
                  f"if ({asks}) {k} = 3;", f"if ({self.condition()}) {k} = 2;", f"{m} = 1 - {m}; ++{k};"]
        if over != "name":
            bodies += [f"{k} += {e};", f"{k} += {e} * {e};", f"if ({asks}) {k} = {e};", f"{k} = std::max({k}, {e});", f"if ({e} > {k}) {k} = {e};",
                       f"if ({e} == 0) continue; ++{k};", f"if ({asks}) {{ {k} = {e}; {m} = 1; }}"]
        body = f"++{k}; {self.pick('', f'++{m};', f'{m} += 2;')}" if over == "while" else self.pick(*bodies)
        out.append(pad + "{")
        pad += "  "
        out.append(f"{pad}int {k} = {self.pick('0', '0', '0', '1', '-1')}, {m} = 0;")
        questions = [f"{k} {compared} {small}", f"{k} {compared} {small}", f"{k} {compared} {m}", f"{k} % 2 == 1", f"{k} == {m} + 1", f"{k} {compared} n", f"{k} < 0",
                     f"{m} > 0"]
        if over in ("sizes", "grown", "name", "kinds", "table"):
            questions += [f"{k} {compared} int({over}.size())", f"{k} > 0 && {over}.empty()", f"{m} == 1 && {over}.empty()"]
        if self.chance(0.3):
            out.append(f"{pad}std::string {k}text = {self.pick('name', 'std::string()')};")
            body += f" {k}text += {e};" if over == "name" else f' {k}text += "b";'
            questions += [f"{k}text.empty()", f"{k}text == name", f"{k}text.size() > 1u"] * 2
        out.append(f"{pad}{head} {{ {body} }}")
        out.append(f"{pad}if ({self.pick(*questions)}) {{")
        self.block(1, nesting + 1, out, depth + 2)
        out.append(f"{pad}}}")
        out.append("  " * depth + "}")

    def block(self, budget, nesting, out, depth):
        for _ in range(budget):
            self.statement(nesting, out, depth)

    def statement(self, nesting, out, depth):
        pad = "  " * depth
        kind = self.rng.randrange(20)
        if kind < 6:
            out.append(f"{pad}{self.target()} = {self.value()};")
        elif kind < 8:
            out.append(f"{pad}{self.target()} = {self.tensor()};")
        elif kind < 9:
            out.append(pad + self.pick("poke();", "touch(own);", f"{self.target()} = make({self.tensor()});", "local = !local;", "local = f;", "++total;",
                                       "own.flag = g;", f"list.push_back({self.tensor()});", "list.clear(); list.push_back(a);"))
        elif kind < 11:
            out.append(pad + self.pick(f"{self.tensor()}.add_(1);", f"{self.tensor()}.zero_();", f"{self.tensor()}.select(0, 0).fill_(1);",
                                       f"{self.tensor()} += 1;") if self.chance(0.5) else f"{pad}u = {self.value()};")
        elif kind < 12:
            name = self.name(f"help{self.number}_")
            body = self.pick(f"  if (on)\n    return {self.value('t')};\n  return t;".replace("q[", "t+q["),
                             f"  for (int i = 0; i < k; ++i)\n    t = t.sin();\n  return t;",
                             "  torch::Tensor r = t;\n  while (on && k-- > 0) {\n    if (k == 1)\n      break;\n    r = r.sum(0);\n  }\n  return r;",
                             "  if (!on)\n    t.add_(1);\n  return t + 0;")
            if any(word in body for word in ("own", "list", "q[", " a", " b", " u", "(a", "(b", "(u")):
                body = "  return on ? t.sin() : t.neg();"
            self.helpers.append(f"static torch::Tensor {name}(torch::Tensor t, bool on, int k) {{\n{body}\n}}\n")
            out.append(f"{pad}{self.target()} = {name}({self.tensor()}, {self.pick('f', 'g', 'local')}, {self.pick('n', '2')});")
        elif kind < 16 and nesting < 3:
            out.append(f"{pad}if ({self.condition()}) {{")
            self.block(self.rng.randint(1, 2), nesting + 1, out, depth + 1)
            if self.chance(0.5):
                out.append(f"{pad}}} else {{")
                self.block(self.rng.randint(1, 2), nesting + 1, out, depth + 1)
            out.append(f"{pad}}}")
        elif kind < 17 and nesting < 3 and self.chance(0.7):
            self.counting(nesting, out, depth)
        elif kind < 19 and nesting < 3 and self.loops < 2:
            self.loops += 1
            i = f"i{self.loops}"
            out.append(f"{pad}for (int {i} = 0; {i} < {self.pick('n', 'n', '3', 'count()')}; ++{i}) {{")
            self.block(self.rng.randint(1, 3), nesting + 1, out, depth + 1)
            if self.chance(0.3):
                out.append(f"{pad}  if ({self.condition()}) {self.pick('break', 'continue')};")
                self.block(1, nesting + 1, out, depth + 1)
            out.append(f"{pad}}}")
            self.loops -= 1
        elif self.chance(0.3):
            out.append(f"{pad}if ({self.condition()}) return {self.value()};")
        elif self.chance(0.2) and nesting < 3:
            out.append(f"{pad}switch ({self.pick('n', 'total', 'n % 3')}) {{")
            for label in ("case 0:", "case 2:", "default:"):
                out.append(pad + label)
                self.block(1, nesting + 1, out, depth + 1)
                out.append(f"{pad}  {self.pick('break', 'break', '[[fallthrough]]') if label != 'default:' else 'break'};")
            out.append(f"{pad}}}")
        elif self.chance(0.3) and nesting < 3:
            out.append(f"{pad}[&] {{")
            out.append(f"{pad}  if ({self.condition()}) return;")
            out.append(f"{pad}  {self.target()} = {self.value()};")
            out.append(f"{pad}}}();")
        elif self.chance(0.2):
            out.append(f"{pad}{self.target()} = {self.condition()} ? {self.value()} : {self.value()};")
        elif self.chance(0.2) and nesting < 3:
            out.append(f"{pad}for (int each : {self.pick('sizes', 'kinds', 'grown')}) {{")
            out.append(f"{pad}  if (each == {self.pick('3', 'n', '0')}) {self.pick('break;', 'continue;', 'total += each;', f'return {self.value()};')}")
            self.block(1, nesting + 1, out, depth + 1)
            out.append(f"{pad}}}")
        else:
            out.append(f"{pad}t = {self.value()};")

    def branch(self):
        out = []
        out.append("    torch::Tensor t = a, u = b;")
        out.append("    torch::Tensor q[3] = {a, b, " + self.pick("a.sum(0)", "b.neg()", "a.to(torch::kDouble)") + "};")
        out.append("    Holder own{a, f};")
        out.append("    bool local = g;")
        out.append("    int total = 0;")
        out.append("    std::vector<torch::Tensor> list{a};")
        out.append("    std::vector<int> grown = sizes;")
        out.append("    grown.push_back(3);")
        out.append("    const std::set<int> kinds(sizes.begin(), sizes.end());")
        out.append("    const std::optional<int> chosen = n > 1 ? std::optional<int>(n) : std::nullopt;")
        out.append("    const auto [low, high] = std::minmax({n, 2});")
        self.block(self.rng.randint(1, 4), 0, out, 2)
        out.append(f"    return {self.pick('t', 't', 't', 'u', 'own.t', 'list.back()', 't + 1', 't.clone()', 't.sin()')};")
        return "\n".join(out)

    def make(self):
        known = self.chance(0.6)
        first, second = self.branch(), self.branch()
        if self.chance(0.3):  # alike but for little
            lines = first.split("\n")
            second = "\n".join(lines if self.chance(0.5) else [line.replace("sin()", "abs()") for line in lines])
        text = f"torch::Tensor pick{self.number}(torch::Tensor x, torch::Tensor y, torch::Tensor p, bool f, bool g, int n, const std::string &name, const std::vector<int> &sizes, const std::map<std::string, int> &table) {{\n"
        if known:
            text += "  CONDLINT_TENSOR(x, Float, 2, 3);\n  CONDLINT_TENSOR(y, Float, 2, 3);\n"
        text += f"  return COND({self.number}, p, [=](torch::Tensor a, torch::Tensor b) {{\n{first}\n  }}, [=](torch::Tensor a, torch::Tensor b) {{\n{second}\n  }}, {{x, y}});\n}}\n"
        return "".join(self.helpers) + text, known


# Findings on these stand at the code that does it, which flags may lead around.
OF_CODE = {"input-mutation", "output-alias"}

MAIN = r"""
int main() {
  torch::set_num_threads(1);
  using Pick = torch::Tensor (*)(torch::Tensor, torch::Tensor, torch::Tensor, bool, bool, int, const std::string &, const std::vector<int> &, const std::map<std::string, int> &);
  const Pick all[] = {%s};
  const bool known[] = {%s};
  const std::string names[] = {"ab", "", "c", "a", "b", "ba", "abc", "ca", "xb"};
  const std::vector<int> lists[] = {{}, {3}, {1, 3, 0}, {0, 2}, {2, 0, 3, 1, 4}, {3, 3, 0, 3}, {-1, 2, 2}, {4, 1, 0, 2, 3}};
  const std::map<std::string, int> maps[] = {{}, {{"a", 1}}, {{"a", 3}, {"b", 0}, {"c", 2}}};
  const int texts[] = {%s}; // of them, three by three
  const int numbers[] = {-3, -2, -1, 0, 1, 2, 3, 4, 255};
  const int asked[] = {%s}; // so many of them
  for (std::size_t which = 0; which < sizeof all / sizeof *all; ++which)
    for (int run = 0; run < asked[which] * 4 * 64 * 3 * (known[which] ? 1 : 4) * texts[which]; ++run) {
      const int n = numbers[run %% asked[which]], other = run / asked[which];
      mood = other / 4 %% 64;
      form = other / 256 %% 3;
      const int given = other / 768 %% (known[which] ? 1 : 4), text = other / 768 / (known[which] ? 1 : 4);
      const auto x = given == 0 ? torch::ones({2, 3}) : given == 1 ? torch::ones({2}, torch::kLong) : given == 2 ? torch::ones({2, 2}, torch::kDouble) : torch::ones({1, 3}).t();
      const auto y = given %% 2 ? torch::ones({2}, torch::kDouble) : torch::ones({2, 3});
      try {
        all[which](x, y, torch::tensor(true), other & 1, other / 2 & 1, n, names[mood %% 3 + 3 * text],
                   lists[mood / 3 %% 8], maps[mood / 24 %% 3]);
      } catch (const std::exception &) {
      }
    }
}
"""


def asks_much(text):
    """Something may be reached with n = 255 alone."""
    return "== 255" in text


def loops(text):
    """It goes around n times, which takes all memory where n is large and a tensor doubles."""
    return "< n;" in text or ", n)" in text


def contradicts(rule, got):
    """What executions came to is not what `violated` says. Where libtorch ended one, the rest of its code was not run."""
    return not got & {"violated", "ended"} if rule in OF_CODE else "proved" in got


def precompile(folder, flags):
    """The headers of libtorch are read once by the compiler; a folder that is kept keeps them."""
    header = os.path.join(folder, "prelude.h")
    if os.path.exists(header + ".gch") and open(header, encoding="utf-8").read() == PRELUDE:
        return
    with open(header, "w", encoding="utf-8") as out:
        out.write(PRELUDE)
    subprocess.run(["g++", "-O0", "-DCONCRETE", *flags, "-x", "c++-header", "-o", header + ".gch", header], check=True)


def batch(args, first, count, folder, tally):
    programs = []
    for number in range(first, first + count):
        text, known = Program(random.Random(f"{args.seed}-{number}"), number).make()
        programs.append((number, text, known))
    source = os.path.join(folder, f"branches{first}.cpp")
    with open(source, "w", encoding="utf-8") as out:
        out.write('#include "prelude.h"\n' + "\n".join(text for _, text, _ in programs))
    main = os.path.join(folder, f"run{first}.cpp")
    with open(main, "w", encoding="utf-8") as out:
        out.write('#include "prelude.h"\n' + f'#include "{source}"\n' + UNSEEN + MAIN % (", ".join(f"pick{n}" for n, _, _ in programs),
                                                           ", ".join("true" if k else "false" for _, _, k in programs),
                                                           ", ".join("3" if text.count("name") > 1 else "1" for _, text, _ in programs),
                                                           ", ".join("9" if asks_much(text) and not loops(text) else "8" for _, text, _ in programs)))
    libraries = os.path.join(args.torch, "lib")
    program = os.path.join(folder, f"run{first}")
    flags = args.flags
    subprocess.run(["g++", "-O0", "-DCONCRETE", *flags, "-o", program, main, f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-ltorch", "-ltorch_cpu",
                    "-lc10"], check=True)
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    facts = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in lines:
        number, *words = line.split()
        for word in words:
            rule, verdict = word.split("=")
            facts[int(number)][rule].add(verdict)
    done = subprocess.run([args.program, "check", "--output", "json", "--target", "torch@2.13", source, "--", "-xc++", *flags],
                          capture_output=True, text=True)
    report = json.loads(done.stdout)
    if report["inputs"][0]["status"] != "ok":
        raise SystemExit(f"{source}: {report['inputs'][0]}")
    where = {one["location"]["line"]: one["rules"] for one in report["conditionals"]}
    body = {number: text for number, text, _ in programs}
    bad = []
    for at, text in enumerate(open(source, encoding="utf-8").read().splitlines(), 1):
        if "return COND(" not in text:
            continue
        number = int(text.split("COND(")[1].split(",")[0])
        tally["programs"] += 1
        for rule, got in facts.get(number, {}).items():
            verdict = where.get(at, {}).get(rule)
            tally[verdict] += 1
            if rule in OF_CODE and asks_much(body[number]) and loops(body[number]):
                got = got | {"ended"}  # what is reached with n = 255 was not run
            if (verdict == "proved" and "violated" in got) or (verdict == "violated" and contradicts(rule, got)):
                bad.append(f"{source}:{at}: {rule} is {verdict}, and executions say {sorted(got)}")
    print("\n".join(bad), end="\n" if bad else "", flush=True)
    if not bad and not args.keep:
        for path in (source, main, program):
            os.remove(path)
    return len(bad)


def main():
    parser = batches.arguments(__doc__, count=200, batch=20)
    parser.add_argument("--torch", required=True)
    args = parser.parse_args()
    folder = batches.folder_of(args, "branches")
    args.flags = ["-std=c++20", "-w", f"-I{INCLUDE}", "-isystem", os.path.join(args.torch, "include"), "-isystem",
                  os.path.join(args.torch, "include", "torch", "csrc", "api", "include")]
    precompile(folder, args.flags)
    bad, tally = batches.run_all(args, batch, folder)
    print(f"{tally['programs']} conditionals: {tally['proved']} proved, {tally['violated']} violated, {tally['possible']} possible, "
          f"{tally['unknown']} unknown, {bad} contradictions")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
