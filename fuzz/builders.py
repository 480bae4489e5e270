#!/usr/bin/env python3
"""Random code that builds TensorRT networks, and what it builds when it runs.

    builders.py --program condlint [--count 500] [--seed 0] [--keep FOLDER]

Each program is a function with loops, flags, calls of code that is not seen, and pointers. It is run with all of its flags,
with 0 to 5 trips, numbers below zero, texts and several ways of the unseen code, against the stand-in for TensorRT's headers; every call that builds
writes itself down as code that runs straight on. What condlint says of that code, in which nothing is unknown, is held against
what it says of the program: what is `proved` must be broken in no execution, and what is `violated` must be broken in each that
comes to it. Exit code 1 where they contradict each other."""
import collections
import json
import os
import random
import subprocess
import sys

import batches

HERE = os.path.dirname(os.path.abspath(__file__))
MOCKS = os.path.join(HERE, "..", "tests", "mocks", "tensorrt")

# What the programs share. Under CONCRETE it is run: the unseen code has bodies then, which `mood` picks.
PRELUDE = r"""
#ifdef CONCRETE
#include "builders_runtime.h"
#define SITE(n) recorded::site = n;
#else
#include <NvInfer.h>
#define SITE(n)
#endif
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>
using namespace nvinfer1;
struct Holder {
  ITensor *t;
  ITensor *u;
  bool flag;
  int n;
};
extern ITensor *shared;
extern bool sharedFlag;
extern int sharedCount;
void other(INetworkDefinition &);
void poke();
void keep(ITensor **);
void touch(Holder &);
void look(const Holder &);
bool ask();
int count();
ITensor *make(INetworkDefinition &, ITensor *);
"""

UNSEEN = r"""
ITensor *shared;
bool sharedFlag;
int sharedCount;
static int mood;
static ITensor **kept;
static Holder *held;
static ITensor *spare;
static int asked, turn;
// What code that is not seen gets, or finds left behind, is used.
static void leave(ITensor *t) {
  if (t && recorded::names.count(t))
    recorded::code += "  left[" + std::to_string(++recorded::number) + "] = " + recorded::names[t] + ";\n";
}
static void change() {
  if (mood & 1) {
    shared = spare;
    sharedFlag = !sharedFlag;
    ++sharedCount;
    if (kept)
      *kept = spare;
    if (held) {
      held->t = spare;
      held->flag = !held->flag;
      held->n = (held->n + 1) % 6;
    }
  }
}
void other(INetworkDefinition &) { change(); }
void poke() { change(); }
void keep(ITensor **p) {
  leave(*p);
  kept = p;
}
void touch(Holder &h) {
  leave(h.t);
  leave(h.u);
  held = &h;
  change();
}
void look(const Holder &h) {
  leave(h.t);
  leave(h.u);
  change();
}
bool ask() { return ((mood >> 1) + turn + asked++) % 2 == 0; }
int count() { return mood >> 1; }
ITensor *make(INetworkDefinition &net, ITensor *t) {
  leave(t);
  return mood & 1 ? net.addCast(*t, DataType::kHALF)->getOutput(0) : t;
}
"""


class Program:
    """One function. Tensors that variables hold are always valid, and indexes lie in their arrays."""

    def __init__(self, rng, number):
        self.rng, self.number, self.lines, self.depth, self.sites = rng, number, [], 1, {}
        self.loops, self.fresh, self.helpers = 0, 0, []

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    # --- expressions --------------------------------------------------------------
    def tensor(self):
        """What a tensor variable may be: a place that holds one."""
        places = ["yes", "yes", "yes", "no", "t", "in", "h->t", "shared", "own.t", "*pp", "q[k % 6]"]
        if self.loops:
            places.append(f"q[{self.index()}]")
        places.append("list.back()")
        return self.pick(*places)

    def target(self):
        return self.pick("yes", "yes", "yes", "yes", "no", "t", "t", "h->t", "shared", "own.t", "*pp")

    def index(self):
        if self.loops and self.chance(0.7):
            return f"i{self.rng.randint(1, self.loops)} % 6"
        return str(self.rng.randint(0, 5))

    def layer(self, t):
        kind = self.rng.randrange(10)
        if kind < 5:
            return f"net.addUnary(*{t}, UnaryOperation::k{self.pick('ABS', 'NEG')})"
        if kind < 7:
            return f"net.addCast(*{t}, DataType::k{self.pick('HALF', 'FLOAT', 'INT32')})"
        if kind < 8:
            return f"net.addReduce(*{t}, ReduceOperation::kSUM, 1, {self.pick('true', 'false')})"
        return f"net.addElementWise(*{t}, *{t}, ElementWiseOperation::k{self.pick('SUM', 'PROD')})"

    def condition(self):
        choices = ["f", "g", "!f", "k > 1", "k == 2", "f && g", "h->flag", "sharedFlag", "local", "ask()", "n > 2", "n == 3",
                   "list.size() > 2", "count() > 1", "own.flag", "h->n > 2", "total == 1", "total > 3",
                   "axis % 2 < 0", "axis % 2 == 1", "axis % 3 == -2", "axis / 2 < 0", "(axis & 1) == 1", "axis >> 1 < 0", "std::size_t(axis) > 5",
                   "unsigned(axis) == 0xffffffffu", "static_cast<std::uint8_t>(axis) == 255", "axis < list.size()", "axis < int(kinds.size())", "static_cast<std::int8_t>(axis) < 0",
                   "std::int64_t(most) < 0", "int(most) == -1", "most - 1 > 5", "int(name.find(\"b\")) == -1", "std::max(axis, 0) == 0", "std::min(axis, 0) < 0", "~axis == 0",
                   "std::abs(axis) > 1", "(f == g) == f", "kinds.size() - 1 > 5", "local", "axis < 0", "axis == -1", "axis + 2 < 1", "axis * 2 < -2", "most == ~std::uint64_t(0)", "most > 1",
                   'name.find("b") == std::string::npos', 'name.find("b") < name.npos', "name.empty()", 'name == "ab"', "on[k % 3]", "on[n % 3]", "kinds[k % kinds.size()] == 1", "kinds[n % kinds.size()] == 1"]
        if self.loops:
            i = f"i{self.rng.randint(1, self.loops)}"
            choices += [f"{i} == 2", f"{i} > 0", f"{i} == n - 1", f"kinds[{i} % kinds.size()] == 1", f"{i} % 2 == 1", f"on[{i} % 3]"] * 2
        return self.pick(*choices)

    # --- statements -----------------------------------------------------------------
    def block(self, budget, nesting):
        for _ in range(budget):
            self.statement(nesting)

    def statement(self, nesting):
        makers = [(self.assign, 6), (self.move, 4), (self.opaque, 2), (self.flags, 2), (self.rewire, 2), (self.mark, 1)]
        if nesting < 3:
            makers += [(self.branch, 4), (self.loop, 4), (self.jump, 2)]
        if nesting < 2:
            makers += [(self.conditional, 1)]
        makers += [(self.help, 1), (self.push, 1)]
        self.rng.choices([m for m, _ in makers], [w for _, w in makers])[0](nesting)

    def assign(self, _):
        self.emit(f"{self.target()} = {self.layer(self.tensor())}->getOutput(0);")

    def move(self, _):
        self.emit(f"{self.target()} = {self.tensor()};")

    def opaque(self, _):
        self.emit(self.pick("other(net);", "poke();", "keep(&yes);", "keep(&t);", "touch(*h);", "touch(own);", "look(own);",
                            f"{self.target()} = make(net, {self.tensor()});"))

    def flags(self, _):
        self.emit(self.pick("local = !local;", "local = f;", "local = true;", "local = ask();", "local = k > 1;", "on[k % 3] = g;",
                            "f = ask();", "sharedFlag = g;", "sharedFlag = true;", "h->flag = f;",
                            "own.flag = g;", "++total;", "total += k;", "pp = f ? &yes : &t;", "pp = &no;", "sharedCount = k;",
                            "h->n = 3;"))

    def rewire(self, _):
        self.emit(self.pick(f"last->setInput(0, *{self.tensor()});", f"last->setOutputType(0, DataType::k{self.pick('HALF', 'FLOAT')});",
                            "last = net.addUnary(*in, UnaryOperation::kABS);", f"{self.target()} = last->getOutput(0);"))

    def mark(self, _):
        self.emit(f"net.markOutput(*{self.pick('x', 'c->addInput(*x)->getOutput(0)') if self.chance(0.1) else 'out'});")

    def push(self, _):
        self.emit(f"list.push_back({self.tensor()});")

    def branch(self, nesting):
        self.emit(f"if ({self.condition()}) {{")
        self.inner(nesting)
        if self.chance(0.5):
            self.emit("} else {")
            self.inner(nesting)
        self.emit("}")

    def inner(self, nesting):
        self.depth += 1
        self.block(self.rng.randint(1, 3), nesting + 1)
        self.depth -= 1

    def loop(self, nesting):
        if self.loops >= 2:
            return self.assign(nesting)
        self.loops += 1
        i = f"i{self.loops}"
        kind = self.rng.randrange(6)
        end = None
        if kind < 3:
            self.emit(f"for (int {i} = 0; {i} < {self.pick('n', 'n', 'k', 'h->n', '3', 'count()')}; ++{i}) {{")
        elif kind == 3:
            self.emit(f"{{ int {i} = 0; for (int kind : kinds) {{ if (kind == 2) {{ {self.target()} = {self.tensor()}; }}")
            end = f"++{i}; }} }}"
        elif kind == 4:
            self.emit(f"{{ int {i} = 0; while ({i} < {self.pick('n', 'k')}) {{")
            end = f"++{i}; }} }}"
        else:
            self.emit(f"{{ int {i} = 0; do {{")
            end = f"++{i}; }} while ({i} < n); }}"
        no_continue = kind >= 3
        self.depth += 1
        before, self.no_continue = getattr(self, "no_continue", False), no_continue
        self.block(self.rng.randint(1, 4), nesting + 1)
        self.no_continue = before
        self.depth -= 1
        self.emit(end or "}")
        self.loops -= 1

    def jump(self, nesting):
        if not self.loops:
            return self.assign(nesting)
        word = "break" if self.no_continue or self.chance(0.5) else "continue"
        self.emit(f"if ({self.condition()}) {word};")

    def help(self, _):
        name = self.name(f"help{self.number}_")
        kind = self.rng.randrange(4)
        if kind == 0:
            body = f"  if (on)\n    return {self.layer('a')}->getOutput(0);\n  return a;"
        elif kind == 1:
            body = f"  for (int i = 0; i < k; ++i)\n    a = {self.layer('a')}->getOutput(0);\n  return a;"
        elif kind == 2:
            body = f"  shared = {self.layer('a')}->getOutput(0);\n  poke();\n  return on ? shared : a;"
        else:
            body = f"  ITensor *b = {self.layer('a')}->getOutput(0);\n  while (on && k-- > 0) {{\n    if (k == 1)\n      break;\n    b = {self.layer('b')}->getOutput(0);\n  }}\n  return b;"
        self.helpers.append(f"static ITensor *{name}(INetworkDefinition &net, ITensor *a, bool on, int k) {{\n{body}\n}}\n")
        self.emit(f"{self.target()} = {name}(net, {self.tensor()}, {self.pick('f', 'g', 'local', 'h->flag', 'ask()')}, {self.pick('n', 'k', '2')});")

    def site(self, what):
        number = self.number * 100 + len(self.sites)
        self.sites[number] = what
        return number

    def conditional(self, _):
        if self.chance(0.3):
            return self.network_loop()
        c, a, b, o = (self.name(s) for s in "cabo")
        self.emit(f"SITE({self.site('cond')}) auto *{c} = net.addIfConditional();")
        if self.chance(0.8):
            self.emit(f"{c}->setCondition(*p);")
        else:
            self.emit(f"if ({self.condition()}) {c}->setCondition(*p);")
        self.emit(f"ITensor *{a} = {c}->addInput(*{self.tensor()})->getOutput(0);")
        self.emit(f"ITensor *{b} = {self.layer(a)}->getOutput(0);")
        if self.chance(0.5):
            self.emit(f"if ({self.condition()}) {b} = {self.layer(b)}->getOutput(0);")
        self.emit(f"ITensor *{o} = {c}->addOutput(*{b}, *{a})->getOutput(0);")
        self.emit(self.pick(f"net.markOutput(*{o});", f"{self.target()} = {o};", f"if ({self.condition()}) net.markOutput(*{o});"))

    def network_loop(self):
        c, r, o = (self.name(s) for s in "cro")
        self.emit(f"SITE({self.site('loop')}) auto *{c} = net.addLoop();")
        if self.chance(0.8):
            self.emit(f"{c}->addTripLimit(*{self.pick('trips', 'trips', 'trips', self.tensor())}, TripLimit::kCOUNT);")
        else:
            self.emit(f"if ({self.condition()}) {c}->addTripLimit(*trips, TripLimit::kCOUNT);")
        self.emit(f"auto *{r} = {c}->addRecurrence(*{self.tensor()});")
        if self.chance(0.8):
            self.emit(f"{r}->setInput(1, *{self.layer(r + '->getOutput(0)')}->getOutput(0));")
        else:
            self.emit(f"if ({self.condition()}) {r}->setInput(1, *{self.layer(r + '->getOutput(0)')}->getOutput(0));")
        self.emit(f"auto *{o} = {c}->addLoopOutput(*{r}->getOutput(0), LoopOutput::kLAST_VALUE, 0);")
        self.emit(f"net.markOutput(*{o}->getOutput(0));")

    def make(self):
        self.depth = 1
        main = self.site("cond")
        self.emit('ITensor *x = net.addInput("x", DataType::kFLOAT, Dims2{2, 2});')
        self.emit('ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});')
        self.emit('ITensor *trips = net.addInput("trips", DataType::kINT32, Dims{0, {}});')
        self.emit(f"SITE({main}) auto *c = net.addIfConditional();")
        late = self.chance(0.2)
        if not late:
            self.emit("c->setCondition(*p);")
        self.emit("ITensor *in = c->addInput(*x)->getOutput(0);")
        self.emit("ITensor *yes = net.addUnary(*in, UnaryOperation::kABS)->getOutput(0);")
        self.emit("auto *last = net.addUnary(*in, UnaryOperation::kNEG);")
        self.emit("ITensor *no = last->getOutput(0);")
        self.emit("ITensor *t = in, *out = x;")
        self.emit("ITensor *q[6] = {yes, yes, net.addCast(*in, DataType::kHALF)->getOutput(0), no, in, yes};"
                  if self.chance(0.7) else "ITensor *q[6] = {yes, no, in, yes, no, in};")
        self.emit("Holder own{yes, no, f, k};")
        self.emit("bool local = g;")
        self.emit("int total = 0;")
        self.emit("bool on[3] = {f, g, !f};")
        self.emit("ITensor **pp = &yes;")
        self.emit("std::vector<ITensor *> list{yes};")
        self.emit("h->t = h->u = in;" if self.chance(0.5) else "h->t = yes; h->u = no;")
        self.emit("shared = no;")
        self.block(self.rng.randint(1, 4), 0)
        if late:
            if self.chance(0.5):
                self.emit(f"if ({self.condition()})")
            self.emit("c->setCondition(*p);")
        if self.chance(0.15):
            self.emit(f"if ({self.condition()})")
        self.emit("out = c->addOutput(*yes, *no)->getOutput(0);")
        self.block(self.rng.randint(0, 2), 1)
        if self.chance(0.15):
            self.emit(f"if ({self.condition()})")
        self.emit("net.markOutput(*out);")
        head = f"void build{self.number}(INetworkDefinition &net, bool f, bool g, int k, int n, int axis, std::uint64_t most, const std::string &name, const std::vector<int> &kinds, Holder *h) {{"
        return "".join(self.helpers) + "\n".join([head, *self.lines, "  (void)last; (void)trips;", "}"]) + "\n"


MAIN = r"""
#include <cstdio>
#include <set>
int main() {
  const std::vector<std::vector<int>> kindsOf{{0}, {0, 1}, {1, 0, 2}, {1}, {2, 2, 1, 0}};
  const std::vector<std::string> names{"ab", "", "c"};
  using Build = void (*)(INetworkDefinition &, bool, bool, int, int, int, std::uint64_t, const std::string &, const std::vector<int> &, Holder *);
  const Build all[] = {%s};
  const int numbers[] = {%s};
  for (std::size_t which = 0; which < sizeof all / sizeof *all; ++which) {
    std::set<std::string> seen;
    for (int run = 0; run < 6 * 4 * 8 * 2; ++run) {
      const int n = run %% 6, flags = run / 6 %% 4;
      mood = run / 24 %% 8;
      const int more = run / 192;
      turn = more;
      recorded::begin();
      INetworkDefinition net;
      recorded::names[&net] = "net";
      spare = net.addInput("spare", DataType::kINT32, Dims2{2, 2});
      kept = nullptr;
      held = nullptr;
      asked = 0;
      sharedFlag = mood & 2;
      sharedCount = n;
      Holder h{nullptr, nullptr, (mood & 4) != 0, (n + mood) %% 6};
      all[which](net, flags & 1, flags & 2, (n + more * 2 + mood) %% 4, n, (n * 2 + mood + flags) %% 5 - 3,
                 (n + flags) %% 3 == 0 ? ~std::uint64_t(0) : static_cast<std::uint64_t>(mood), names[static_cast<std::size_t>(mood + flags) %% 3], kindsOf[static_cast<std::size_t>(n + mood + more) %% kindsOf.size()], &h);
      leave(h.t);
      leave(h.u);
      leave(shared);
      if (seen.insert(recorded::code).second)
        std::printf("@%%d\n%%s", numbers[which], recorded::code.c_str());
    }
  }
}
"""


def verdicts(args, path, extra=()):
    cmd = [args.program, "check", "--output", "json", "--target", "tensorrt@8.6", path, "--", "-xc++", "-std=c++17", "-w", f"-I{MOCKS}",
           "-DCONDLINT_MOCK_TENSORRT=806", *extra]
    done = subprocess.run(cmd, capture_output=True, text=True)
    if done.returncode > 2:
        raise SystemExit(f"{' '.join(cmd)}: exit code {done.returncode}: {done.stderr[-2000:]} {done.stdout[-500:]}")
    report = json.loads(done.stdout)
    out = collections.defaultdict(list)
    for one in report["conditionals"] + report.get("loops", []):
        out[one["location"]["line"]].append(one)
    return report, out


def batch(args, first, count, folder, tally):
    programs = []
    for number in range(first, first + count):
        program = Program(random.Random(f"{args.seed}-{number}"), number)
        programs.append((program, program.make()))
    source = os.path.join(folder, f"builders{first}.cpp")
    with open(source, "w", encoding="utf-8") as out:
        out.write(PRELUDE + "\n".join(text for _, text in programs))
    main = os.path.join(folder, f"run{first}.cpp")
    with open(main, "w", encoding="utf-8") as out:
        out.write(f'#include "{source}"\n' + UNSEEN + MAIN % (", ".join(f"build{p.number}" for p, _ in programs),
                                                           ", ".join(str(p.number) for p, _ in programs)))
    program = os.path.join(folder, f"run{first}")
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-DCONCRETE", "-DCONDLINT_MOCK_TENSORRT=806", f"-I{MOCKS}", f"-I{HERE}", "-o", program,
                    main], check=True)
    traces = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    # The straight code, with what each of its lines adds.
    straight, sites, where = ["#include <NvInfer.h>", "using namespace nvinfer1;", "extern ITensor *left[100000];"], {}, None
    for text in traces.splitlines():
        if text.startswith("@"):
            if where is not None:
                straight.append("}")
            where = (int(text[1:]), len(straight))
            straight.append(f"void trace{len(straight)}(INetworkDefinition &net) {{")
            continue
        straight.append(text)
        if "// site" in text:
            sites[len(straight)] = (int(text.rsplit(" ", 1)[1]), where)
    straight.append("}")
    concrete = os.path.join(folder, f"straight{first}.cpp")
    with open(concrete, "w", encoding="utf-8") as out:
        out.write("\n".join(straight) + "\n")
    _, said = verdicts(args, source)
    _, happened = verdicts(args, concrete)
    # By site and execution: the worst of each rule.
    facts = collections.defaultdict(lambda: collections.defaultdict(dict))
    for at, (site, execution) in sites.items():
        for one in happened[at]:
            for rule, verdict in one["rules"].items():
                rules = facts[site][execution]
                rules[rule] = max(rules.get(rule, "proved"), verdict, key=["proved", "unknown", "possible", "violated"].index)
    lines = open(source, encoding="utf-8").read().splitlines()
    bad = []
    for at, text in enumerate(lines, 1):
        if "SITE(" not in text or text.startswith("#"):
            continue
        site = int(text.split("SITE(")[1].split(")")[0])
        executions = facts.get(site, {})
        tally["sites"] += 1
        tally["executions"] += len(executions)
        for one in said.get(at, []):
            for rule, verdict in one["rules"].items():
                tally[verdict] += 1
                got = {rules.get(rule, "unknown") for rules in executions.values()}
                if verdict == "proved" and got & {"violated", "possible"}:
                    bad.append((site, at, rule, verdict, got))
                if verdict == "violated" and "proved" in got:
                    bad.append((site, at, rule, verdict, got))
    for site, at, rule, verdict, got in bad:
        print(f"{source}:{at}: {rule} is {verdict}, and executions say {sorted(got)}", flush=True)
    if not bad and not args.keep:
        for path in (source, main, program, concrete):
            os.remove(path)
    return len(bad)


def main():
    args = batches.arguments(__doc__, count=500, batch=50).parse_args()
    bad, tally = batches.run_all(args, batch, batches.folder_of(args, "builders"))
    print(f"{args.count} programs, {tally['sites']} conditionals and loops, {tally['executions']} executions of these: "
          f"{tally['proved']} proved, {tally['violated']} violated, {tally['possible']} possible, {tally['unknown']} unknown, {bad} contradictions")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
