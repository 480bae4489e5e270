//===- Arguments.cpp - The kinds of argument of a .pt2 ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace condlint::pt2 {

namespace {

/// Arguments that hold arguments nest this deep.
constexpr unsigned maxArgumentDepth = 16;

} // namespace

// --- a node's inputs -------------------------------------------------------------

void ProgramReader::nodeInputs() {
  if (!c.is(JsonKind::Array))
    return unexpected("a list of inputs");
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    nodeInput();
  });
}

/// NamedArgument: {name, arg, kind}. A higher-order operator is called by
/// position, so a broken argument still takes its place.
void ProgramReader::nodeInput() {
  Attribute a;
  a.kind = AttributeKind::Opaque;
  StringId name;
  bool found = false;
  bool hasName = false;
  if (!c.is(JsonKind::Object)) {
    unexpected("a named argument, which is an object");
  } else {
    fields([&](std::string_view key) {
      hasName = hasName || same(key, "name");
      if (same(key, "arg") && !found) {
        found = true;
        a = argument();
      } else if (same(key, "name") && !c.is(JsonKind::Null)) {
        if (const auto s = text("an argument's name"))
          name = intern(*s);
      } else {
        c.skip();
      }
    });
    if (!found)
      malformed("the argument has no 'arg'");
    if (!hasName)
      malformed("the argument has no 'name'");
  }
  a.name = name ? name : intern("");
  if (a.kind == AttributeKind::String && m.text(a.name) == "device" && frame.target.starts_with("torch.ops."))
    deviceOfString(a);
  attributes.push_back(a);
}

/// torch's own passes (`move_to_device_pass`) write a device as Python does: "cuda:0". What torch does not read stays a
/// string, which the operator refuses.
void ProgramReader::deviceOfString(Attribute &a) {
  const std::string_view text = m.text(a.text);
  const std::string_view type = text.substr(0, text.find(':'));
  const auto isOfType = [](char x) { return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || x == '_'; };
  if (type.empty() || !std::ranges::all_of(type, isOfType))
    return;
  std::int64_t index = -1;
  if (type.size() != text.size()) {
    const std::string_view digits = text.substr(type.size() + 1);
    const auto isDigit = [](char x) { return x >= '0' && x <= '9'; };
    if (digits.empty() || !std::ranges::all_of(digits, isDigit) || (digits.size() > 1 && digits.starts_with('0')))
      return;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (read.ec != std::errc() || index > std::numeric_limits<std::int16_t>::max())
      return;
  }
  a.kind = AttributeKind::Device;
  a.text = intern(type);
  a.number = index;
}

Attribute ProgramReader::argument() {
  Attribute a;
  a.kind = AttributeKind::Opaque;
  const bool isOne = oneOf("an argument", [&](std::string_view tag) {
    const At at(*this, tag);
    payload(tag, a);
  });
  if (!isOne && a.kind != AttributeKind::Region) {
    a = {};
    a.kind = AttributeKind::Opaque;
  }
  return a;
}

void ProgramReader::payload(std::string_view tag, Attribute &a) {
  if (inOutputs && ((tag.starts_with("as_") && tag.ends_with('s')) || same(tag, "as_optional_tensor")))
    malformed(fmt::format("a graph yields values, one by one, not '{}'", tag));
  const auto number = [&](AttributeKind kind, std::string_view what) {
    if (const auto n = integer(what)) {
      a.kind = kind;
      a.number = *n;
    }
  };
  if (same(tag, "as_tensor") || same(tag, "as_custom_obj")) {
    if (const auto name = namedArgument(same(tag, "as_tensor") ? "a tensor" : "a custom object")) {
      a.kind = AttributeKind::Operand;
      a.list = {operandPosition(), 1};
      operands.push_back(use(*name));
    }
  } else if (same(tag, "as_none")) {
    a.kind = AttributeKind::None; // true, [] or (): the value has changed over the versions
    c.skip();
  } else if (same(tag, "as_int")) {
    number(AttributeKind::Int, "an integer");
  } else if (same(tag, "as_float")) {
    a.kind = AttributeKind::Float;
    floatNumber(a.real);
  } else if (same(tag, "as_bool")) {
    if (!c.is(JsonKind::Bool))
      return unexpected("true or false");
    a.kind = AttributeKind::Bool;
    a.number = c.boolean() ? 1 : 0;
  } else if (same(tag, "as_string") || same(tag, "as_operator")) {
    if (const auto s = text("a string")) {
      a.kind = AttributeKind::String;
      a.text = intern(*s);
    }
  } else if (same(tag, "as_scalar_type")) {
    a.kind = AttributeKind::DType;
    a.number = static_cast<std::int64_t>(dtype(true).value_or(DType::Unknown));
  } else if (same(tag, "as_layout")) {
    a.kind = AttributeKind::Layout;
    a.number = static_cast<std::int64_t>(layoutAsked().value_or(Layout::Unknown));
  } else if (same(tag, "as_memory_format")) {
    number(AttributeKind::MemoryFormat, "a memory format's number");
    constexpr std::int64_t lastFormat = 4;
    if (a.kind == AttributeKind::MemoryFormat && (a.number < 1 || a.number > lastFormat))
      unknownKind(fmt::format("{} is the number of no memory format", a.number));
  } else if (same(tag, "as_device")) {
    Type t;
    device(t);
    a.kind = AttributeKind::Device;
    a.text = t.device;
    a.number = t.deviceIndex;
  } else if (same(tag, "as_graph")) {
    a = nestedGraph();
  } else if (!symbolPayload(tag, a) && !listPayload(tag, a)) {
    unknownKind(fmt::format("'{}' is no kind of argument", tag));
    a.kind = AttributeKind::Opaque;
    a.text = intern(tag);
    c.skip();
  }
}

/// Symbolic scalars: {as_name}, or a literal of their kind.
bool ProgramReader::symbolPayload(std::string_view tag, Attribute &a) {
  const auto one = [&](ValueKind kind, AttributeKind literal, std::string_view what) {
    oneOf(what, [&](std::string_view t) {
      const At at(*this, t);
      if (same(t, "as_name")) {
        if (const auto name = text("a name")) {
          a.kind = AttributeKind::Operand;
          a.list = {operandPosition(), 1};
          operands.push_back(use(*name));
        }
      } else if (kind == ValueKind::SymInt && same(t, "as_int")) {
        if (const auto n = integer("an integer")) {
          a.kind = literal;
          a.number = *n;
        }
      } else if (kind == ValueKind::SymBool && same(t, "as_bool") && c.is(JsonKind::Bool)) {
        a.kind = literal;
        a.number = c.boolean() ? 1 : 0;
      } else if (kind == ValueKind::SymFloat && same(t, "as_float")) {
        a.kind = literal;
        floatNumber(a.real);
      } else {
        unexpected(what);
      }
    });
    return true;
  };
  const auto many = [&](ValueKind kind) {
    if (!c.is(JsonKind::Array)) {
      unexpected("a list of symbolic values");
      return true;
    }
    a.kind = AttributeKind::Operands;
    a.list = {operandPosition(), 0};
    c.array([&](std::uint32_t i) {
      const At at(*this, {}, i);
      if (symbolicOperand(kind))
        ++a.list.count;
    });
    return true;
  };
  if (same(tag, "as_sym_int"))
    return one(ValueKind::SymInt, AttributeKind::Int, "a symbolic integer, 'as_name' or 'as_int'");
  if (same(tag, "as_sym_bool"))
    return one(ValueKind::SymBool, AttributeKind::Bool, "a symbolic boolean, 'as_name' or 'as_bool'");
  if (same(tag, "as_sym_float"))
    return one(ValueKind::SymFloat, AttributeKind::Float, "a symbolic number, 'as_name' or 'as_float'");
  if (same(tag, "as_sym_bools"))
    return many(ValueKind::SymBool);
  if (same(tag, "as_sym_floats"))
    return many(ValueKind::SymFloat);
  if (!same(tag, "as_sym_ints"))
    return false;
  // A higher-order operator's operands are values, whatever their kind.
  if (frame.target.starts_with("torch.ops.higher_order."))
    return many(ValueKind::SymInt);
  symbolicInts(a);
  return true;
}

/// Pushes one element of a list of symbolic values, a literal one too.
bool ProgramReader::symbolicOperand(ValueKind kind) {
  ValueId v;
  oneOf("a symbolic value", [&](std::string_view tag) {
    const At at(*this, tag);
    if (same(tag, "as_name")) {
      if (const auto name = text("a name"))
        v = use(*name);
      return;
    }
    std::optional<std::int64_t> number;
    std::optional<double> real;
    if (same(tag, "as_int") && c.is(JsonKind::Number)) {
      number = integer("an integer");
    } else if (same(tag, "as_bool") && c.is(JsonKind::Bool)) {
      number = c.boolean() ? 1 : 0;
    } else if (same(tag, "as_float")) {
      floatNumber(real.emplace());
    } else {
      return unexpected("a symbolic value");
    }
    ContentId content;
    if (number) {
      const Dim d = m.dims.constant(*number);
      content = m.addContent({&d, 1});
    }
    v = m.addLiteral(currentGraph, kindType(kind), content);
    if (real)
      m.setReal(v, *real);
  });
  if (v)
    operands.push_back(v);
  return v.valid();
}

/// A list of sizes: numbers, and symbolic integers whose content is known only
/// when the graph has been read.
void ProgramReader::symbolicInts(Attribute &a) {
  if (!c.is(JsonKind::Array))
    return unexpected("a list of integers");
  std::vector<Dim> list;
  std::vector<std::pair<std::uint32_t, ValueId>> named;
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    Dim d;
    oneOf("a symbolic integer, 'as_name' or 'as_int'", [&](std::string_view tag) {
      const At here(*this, tag);
      if (same(tag, "as_int")) {
        if (const auto n = integer("an integer"))
          d = m.dims.constant(*n);
      } else if (same(tag, "as_name")) {
        if (const auto name = text("a name")) {
          const ValueId v = use(*name);
          operands.push_back(v);
          named.emplace_back(static_cast<std::uint32_t>(list.size()), v);
        }
      } else {
        unexpected("a symbolic integer, 'as_name' or 'as_int'");
      }
    });
    list.push_back(d);
  });
  a.kind = AttributeKind::Dims;
  a.list = m.poolDims(list);
  for (const auto &[index, v] : named)
    pendingDims.push_back({a.list, index, v});
}

bool ProgramReader::listPayload(std::string_view tag, Attribute &a) {
  const auto isList = [&] {
    if (c.is(JsonKind::Array))
      return true;
    unexpected("a list");
    return false;
  };
  const auto each = [&](auto &&element) {
    c.array([&](std::uint32_t i) {
      const At at(*this, {}, i);
      element();
    });
  };
  if (same(tag, "as_tensors")) {
    // Symbolic integers among tensors are written as if they were tensors.
    if (!isList())
      return true;
    a.kind = AttributeKind::Operands;
    a.list = {operandPosition(), 0};
    each([&] {
      const auto name = namedArgument("a tensor");
      operands.push_back(name ? use(*name) : ValueId());
      ++a.list.count;
    });
  } else if (same(tag, "as_optional_tensors")) {
    if (!isList())
      return true;
    a.kind = AttributeKind::Operands;
    a.list = {operandPosition(), 0};
    each([&] {
      std::optional<std::string_view> name;
      if (!optionalTensor(name))
        return;
      operands.push_back(name ? use(*name) : ValueId());
      ++a.list.count;
    });
  } else if (same(tag, "as_optional_tensor")) {
    // The schema has it for an entry of as_optional_tensors; by itself no version of torch reads it.
    if (!inOutputs)
      malformed("an argument is a tensor or none, and no 'as_optional_tensor', which torch refuses");
    a.kind = AttributeKind::Opaque;
    a.text = intern(tag);
    a.list = {operandPosition(), 0};
    std::optional<std::string_view> name;
    if (optionalTensor(name) && name) {
      operands.push_back(use(*name));
      a.list.count = 1;
    }
  } else if (same(tag, "as_ints") || same(tag, "as_bools")) {
    if (!isList())
      return true;
    std::vector<std::int64_t> list;
    each([&] {
      if (same(tag, "as_ints"))
        list.push_back(integer("an integer").value_or(0));
      else if (c.is(JsonKind::Bool))
        list.push_back(c.boolean() ? 1 : 0);
      else
        unexpected("true or false");
    });
    a.kind = same(tag, "as_ints") ? AttributeKind::Ints : AttributeKind::Bools;
    a.list = m.poolInts(list);
  } else if (same(tag, "as_floats")) {
    if (!isList())
      return true;
    std::vector<double> list;
    each([&] { floatNumber(list.emplace_back()); });
    a.kind = AttributeKind::Floats;
    a.list = m.poolReals(list);
  } else if (same(tag, "as_strings")) {
    if (!isList())
      return true;
    std::vector<StringId> list;
    each([&] {
      const auto s = text("a string");
      list.push_back(s ? intern(*s) : StringId());
    });
    a.kind = AttributeKind::Strings;
    a.list = m.poolStrings(list);
  } else if (same(tag, "as_complex")) {
    if (!c.is(JsonKind::Object)) {
      unexpected("a complex number");
      return true;
    }
    std::array<double, 2> parts{};
    fields([&](std::string_view key) {
      if (same(key, "real") || same(key, "imag"))
        floatNumber(parts[same(key, "imag") ? 1 : 0]);
      else
        c.skip();
    });
    a.kind = AttributeKind::Complex;
    a.list = m.poolReals(parts);
  } else if (same(tag, "as_nested_tensors") || same(tag, "as_string_to_argument")) {
    a.kind = AttributeKind::Opaque;
    a.text = intern(tag);
    a.list = {operandPosition(), 0};
    if (same(tag, "as_nested_tensors")) {
      if (isList())
        each([&] {
          if (!isList())
            return;
          each([&] {
            if (const auto name = namedArgument("a tensor"))
              operands.push_back(use(*name));
          });
        });
    } else {
      opaqueValues();
    }
    a.list.count = operandPosition() - a.list.first;
  } else if (same(tag, "as_int_lists") || same(tag, "as_float_lists")) {
    a.kind = AttributeKind::Opaque;
    a.text = intern(tag);
    if (isList())
      each([&] {
        ++a.number;
        c.skip();
      });
    if (a.number == 0) // no list in it: a list all the same
      a.kind = AttributeKind::Ints;
  } else {
    return false;
  }
  return true;
}

/// Arguments by name: the model has no words for them, but what they use is used.
void ProgramReader::opaqueValues() {
  if (!c.is(JsonKind::Object))
    return unexpected("arguments by name");
  if (argumentDepth >= maxArgumentDepth) {
    malformed(fmt::format("arguments nest deeper than {} levels", maxArgumentDepth));
    return c.skip();
  }
  ++argumentDepth;
  fields([&](std::string_view) { argument(); });
  --argumentDepth;
}

Attribute ProgramReader::nestedGraph() {
  Attribute a;
  a.kind = AttributeKind::Region;
  GraphId g;
  StringId name;
  bool found = false;
  bool hasName = false;
  const std::size_t before = issueCount;
  if (inOutputs) {
    unexpected("a value, not a graph");
    a.kind = AttributeKind::Opaque;
    return a;
  }
  if (!c.is(JsonKind::Object)) {
    unexpected("a graph with its name");
  } else {
    fields([&](std::string_view key) {
      if (same(key, "graph") && !found) {
        found = true;
        g = graph(currentGraph);
      } else if (same(key, "name")) {
        hasName = true;
        if (const auto s = text("a graph's name"))
          name = intern(*s);
      } else {
        c.skip();
      }
    });
    if (!found && issueCount == before)
      malformed("the argument has no 'graph'");
    if (found && !hasName)
      malformed("the graph has no 'name'");
  }
  a.list = {static_cast<std::uint32_t>(regions.size() - frame.regions), 1};
  if (g) {
    if (!name)
      name = m.strings.intern(fmt::format("graph_{}", a.list.first));
    m[g].name = m[g].role = name;
  }
  regions.push_back(g);
  return a;
}

/// {name, ...}: a tensor, a custom object, a token.
std::optional<std::string_view> ProgramReader::namedArgument(std::string_view what) {
  if (std::string_view only; c.onlyField("name", only))
    return only;
  if (!c.is(JsonKind::Object)) {
    unexpected(what);
    return std::nullopt;
  }
  std::optional<std::string_view> name;
  bool found = false;
  c.object([&](std::string_view key) {
    if (!same(key, "name"))
      return c.skip();
    const At at(*this, key);
    found = true;
    name = text("a name");
  });
  if (!found)
    malformed(fmt::format("expected {}, found an object without a 'name'", what));
  return name;
}

/// {as_tensor} or {as_none}: \p name is set for the former. False when it is neither.
bool ProgramReader::optionalTensor(std::optional<std::string_view> &name) {
  bool found = false;
  oneOf("an optional tensor, 'as_tensor' or 'as_none'", [&](std::string_view tag) {
    const At at(*this, tag);
    found = true;
    if (same(tag, "as_tensor")) {
      name = namedArgument("a tensor");
      return;
    }
    if (!same(tag, "as_none"))
      malformed(fmt::format("expected 'as_tensor' or 'as_none', found '{}'", tag));
    c.skip();
  });
  return found;
}

/// A number, or the strings that stand for what JSON cannot write.
void ProgramReader::floatNumber(double &x) {
  if (c.is(JsonKind::Number)) {
    x = c.number().real;
    return;
  }
  const auto s = text("a number");
  if (!s)
    return;
  if (*s == "Infinity")
    x = HUGE_VAL;
  else if (*s == "-Infinity")
    x = -HUGE_VAL;
  else if (*s == "NaN")
    x = std::nan("");
  else
    malformed(fmt::format("expected a number, found '{}'", s->substr(0, 40)));
}

} // namespace condlint::pt2
