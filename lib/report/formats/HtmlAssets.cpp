//===- HtmlAssets.cpp - Style and script of the page ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HtmlParts.h"

namespace condlint::html {

std::string_view style() {
  return R"css(:root { color-scheme: light dark;
  --paper: #fff; --ink: #1b1b1f; --dim: #55565c; --rule: #d0d0d6; --soft: #f4f4f7; --link: #0b57b0;
  --error: #b3151b; --warning: #8a5300; --note: #1a5fa8; --box: #fff; --port: #eef1f6; --edge: #70737c;
  --lazy: #dff2e1; --eager: #fde8cf; --shared: #e6e6ea; --mark: #fff3b0; --add: #d9f2dc; --del: #fbdcdc; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #17181c; --ink: #e8e8ec; --dim: #a9abb3; --rule: #3c3e46; --soft: #22242a; --link: #8ab8ff;
  --error: #ff8f8a; --warning: #f2b04e; --note: #8cc0ff; --box: #1f2127; --port: #2b3140; --edge: #8b8f9a;
  --lazy: #1d3b25; --eager: #4a3314; --shared: #33353c; --mark: #4d4310; --add: #17391f; --del: #4a1d1f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 110rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2rem; } h3 { font-size: 1.1rem; } h4 { margin: 0; font-size: 1rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; } .skip:focus { position: static; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.87em; }
pre { background: var(--soft); border: 1px solid var(--rule); border-radius: 4px; padding: 0.5rem; overflow: auto; margin: 0.3rem 0; }
small, .dim, caption { color: var(--dim); } small { font-weight: normal; }
table { border-collapse: collapse; margin: 0.8rem 0; } caption { text-align: left; }
th, td { border: 1px solid var(--rule); padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; font-weight: normal;
  white-space: pre-line; }
tr:first-child > th[scope=col], thead th { background: var(--soft); font-weight: bold; }
.badge { white-space: nowrap; } #table td:nth-child(-n+2), th[scope=col] { overflow-wrap: normal; }
.rows { content-visibility: auto; contain-intrinsic-size: auto 1500rem; } #table table { width: 100%; }
@media (max-width: 50rem) { table { font-size: 0.8rem; } th, td { padding: 0.2rem 0.25rem; } }
@media (min-width: 50rem) { #table table { table-layout: fixed; } #table th:nth-child(1) { width: 6rem; }
  #table th:nth-child(2) { width: 13rem; } #table th:nth-child(3) { width: 35%; } }
td.failed, td.partial, td.differs { color: var(--error); }
.counts { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 1rem; font-size: 1.2rem; }
.counts .error { color: var(--error); } .counts .warning { color: var(--warning); } .counts .note { color: var(--note); }
.badge { font-weight: bold; } .badge.error { color: var(--error); } .badge.warning { color: var(--warning); } .badge.note { color: var(--note); }
#filters { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; } #filters[hidden] { display: none; }
#filters label { display: flex; flex-direction: column; }
#filters select, #filters input { font: inherit; background: var(--paper); color: var(--ink); border: 1px solid var(--edge); padding: 0.2rem; }
.conditional { content-visibility: auto; contain-intrinsic-size: auto 40rem; border-top: 2px solid var(--rule); margin-top: 1.5rem; }
.finding { border-left: 4px solid var(--note); padding: 0 0 0 0.8rem; margin: 0.8rem 0; }
.finding.error { border-color: var(--error); } .finding.warning { border-color: var(--warning); }
.finding p { margin: 0.2rem 0; max-width: 70rem; }
figure { margin: 0.4rem 0; } figcaption { font-weight: bold; }
.source figcaption { font-weight: normal; color: var(--dim); }
mark { background: var(--mark); color: inherit; }
ins { background: var(--add); text-decoration: none; } del { background: var(--del); text-decoration: none; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 1rem; }
.side { min-width: 0; border: 1px solid var(--rule); border-radius: 6px; padding: 0.6rem; }
.scroll { overflow: auto; max-height: 46rem; }
summary { cursor: pointer; }
.graph { display: block; }
.graph .lines { stroke: var(--edge); } .graph .words { fill: var(--ink); }
.graph rect { fill: var(--box); stroke: var(--edge); }
.graph .operand, .graph .capture, .graph .output { fill: var(--port); }
.graph .cond { stroke-width: 3; }
.graph .lazy { fill: var(--lazy); } .graph .eager { fill: var(--eager); stroke-dasharray: 5 3; } .graph .shared { fill: var(--shared); }
.graph .named, .graph .differs { stroke: var(--error); stroke-width: 2.5; }
.key { padding: 0 0.4rem; color: var(--ink); border: 1px solid var(--edge); } .key.lazy { background: var(--lazy); }
.key.eager { background: var(--eager); border-style: dashed; } .key.shared { background: var(--shared); }
@media print { .rows, .conditional { content-visibility: visible; contain-intrinsic-size: none; } #filters, .skip { display: none; }
  .scroll { overflow: visible; max-height: none; } .side svg { max-width: 100%; height: auto; }
  .sides { grid-template-columns: 1fr 1fr; } .finding, .side, .outputs, tr { break-inside: avoid; }
  h2, h3, h4, .head, caption, .outputs { break-after: avoid; } body { max-width: none; font-size: 10pt; } }
)css";
}

std::string_view script() {
  return R"js(
"use strict";
(() => {
  const table = document.getElementById("table"), form = document.getElementById("filters");
  const open = () => {
    const at = document.getElementById(location.hash.slice(1));
    if (at && at.tagName === "DETAILS") at.open = true;
  };
  addEventListener("hashchange", open);
  open();
  if (!table) return;
  const tables = [...table.querySelectorAll(".rows")].map((part) => [part, [...part.querySelectorAll("tbody tr")]]);
  const rows = tables.flatMap(([, own]) => own);
  const text = (row, i) => row.cells[i].textContent;
  const chosen = [];
  const field = (name, make) => {
    const label = document.createElement("label");
    label.textContent = name;
    const input = make();
    label.append(input);
    form.append(label);
    input.addEventListener("input", show);
    return input;
  };
  const select = (name, column) => {
    const input = field(name, () => {
      const s = document.createElement("select");
      for (const word of ["all", ...new Set(rows.map((r) => text(r, column)))]) s.append(new Option(word));
      return s;
    });
    chosen.push((row) => input.selectedIndex === 0 || text(row, column) === input.value);
  };
  function show() {
    let n = 0;
    for (const [part, own] of tables) {
      const before = n;
      for (const row of own) {
        row.hidden = !chosen.every((holds) => holds(row));
        n += row.hidden ? 0 : 1;
      }
      part.hidden = n === before;
    }
    document.getElementById("shown").textContent = n === rows.length ? "" : n + " of " + rows.length + " findings are shown";
  }
  select("Severity", 0);
  select("Rule", 1);
  const where = field("Where", () => document.createElement("input"));
  where.type = "search";
  chosen.push((row) => text(row, 2).includes(where.value));
  form.addEventListener("submit", (e) => e.preventDefault());
  form.hidden = false;
})();
)js";
}

// tests/report asks whether it is the script's.
std::string_view scriptHash() { return "46YcrUSw/va6G78vuxti5sbsaAJCwcTq5ZsU363g2ao="; }

} // namespace condlint::html
