//===- Pickle.cpp - The tensors in a torch.save archive -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pickle.h"
#include "../pt2/Archive.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

namespace condlint {

namespace {

/// What the stack of a pickle holds; a handle into the parser's table.
struct Item {
  enum class Kind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    Text,
    Bytes,
    Tuple,
    List,
    Dict,
    Global,
    Storage,
    Tensor,
    Mark
  };
  Kind kind = Kind::None;
  std::int64_t number = 0;
  std::string text;                ///< Text; Global: "torch FloatStorage"; Storage: its record
  std::vector<std::uint32_t> list; ///< Tuple, List; Dict: keys and values in turn
  DType dtype = DType::Unknown;    ///< Storage, Tensor
  std::vector<std::int64_t> shape, strides;
};

struct Refused {
  std::string message;
};

constexpr std::array<std::pair<std::string_view, DType>, 20> storages{{
    {"FloatStorage", DType::Float32},
    {"DoubleStorage", DType::Float64},
    {"HalfStorage", DType::Float16},
    {"BFloat16Storage", DType::BFloat16},
    {"LongStorage", DType::Int64},
    {"IntStorage", DType::Int32},
    {"ShortStorage", DType::Int16},
    {"CharStorage", DType::Int8},
    {"ByteStorage", DType::UInt8},
    {"BoolStorage", DType::Bool},
    {"ComplexFloatStorage", DType::Complex64},
    {"ComplexDoubleStorage", DType::Complex128},
    {"UntypedStorage", DType::UInt8},
    {"uint16", DType::UInt16},
    {"uint32", DType::UInt32},
    {"uint64", DType::UInt64},
    {"float8_e4m3fn", DType::Float8E4M3FN},
    {"float8_e5m2", DType::Float8E5M2},
    {"float8_e4m3fnuz", DType::Float8E4M3FNUZ},
    {"float8_e5m2fnuz", DType::Float8E5M2FNUZ},
}};

std::optional<DType> typeNamed(std::string_view name) {
  for (const auto &[text, type] : storages)
    if (text == name)
      return type;
  return std::nullopt;
}

class PickleParser {
public:
  explicit PickleParser(std::string_view b) : bytes(b) {}

  const Item &parse() {
    items.emplace_back(); // None
    while (true) {
      const std::uint8_t op = byte();
      if (op == '.')
        return at(pop());
      step(op);
      if (items.size() > maxItems || stack.size() > maxItems)
        throw Refused{"holds more objects than condlint reads"};
    }
  }
  const Item &at(std::uint32_t i) const { return items[i]; }

private:
  // Memory is bounded by the pickle's size, whatever it recalls and joins again and again.
  static constexpr std::size_t maxItems = 1'000'000;
  static constexpr std::size_t maxRank = 64;      // torch's own
  static constexpr std::size_t maxArguments = 16; // of the functions that make tensors
  static constexpr std::size_t maxRecordName = 1'000;

  std::uint8_t byte() {
    if (position == bytes.size())
      throw Refused{"ends in the middle"};
    return static_cast<std::uint8_t>(bytes[position++]);
  }
  std::uint64_t number(unsigned width) {
    std::uint64_t v = 0;
    for (unsigned i = 0; i < width; ++i)
      v |= static_cast<std::uint64_t>(byte()) << (8 * i);
    return v;
  }
  std::string_view run(std::uint64_t n) {
    if (n > bytes.size() - position)
      throw Refused{"ends in the middle"};
    const std::string_view v = bytes.substr(position, static_cast<std::size_t>(n));
    position += static_cast<std::size_t>(n);
    return v;
  }
  std::string_view line() {
    const std::size_t end = bytes.find('\n', position);
    if (end == std::string_view::npos)
      throw Refused{"ends in the middle"};
    const std::string_view v = bytes.substr(position, end - position);
    position = end + 1;
    return v;
  }

  std::uint32_t add(Item i) {
    items.push_back(std::move(i));
    return static_cast<std::uint32_t>(items.size() - 1);
  }
  void push(Item i) { stack.push_back(add(std::move(i))); }
  std::uint32_t pop() {
    if (stack.empty())
      throw Refused{"takes from an empty stack"};
    const std::uint32_t i = stack.back();
    stack.pop_back();
    return i;
  }
  std::uint32_t top() const {
    if (stack.empty())
      throw Refused{"takes from an empty stack"};
    return stack.back();
  }
  /// What lies above the last mark, which is removed too.
  std::vector<std::uint32_t> aboveMark() {
    std::vector<std::uint32_t> list;
    for (;;) {
      const std::uint32_t i = pop();
      if (items[i].kind == Item::Kind::Mark)
        break;
      list.push_back(i);
    }
    std::ranges::reverse(list);
    return list;
  }
  void pushList(Item::Kind kind, std::vector<std::uint32_t> list) {
    Item i;
    i.kind = kind;
    i.list = std::move(list);
    push(std::move(i));
  }
  void pushNumber(Item::Kind kind, std::int64_t v) {
    Item i;
    i.kind = kind;
    i.number = v;
    push(std::move(i));
  }
  void pushText(std::string_view v, Item::Kind kind = Item::Kind::Text) {
    Item i;
    i.kind = kind;
    i.text = v;
    push(std::move(i));
  }

  void step(std::uint8_t op);
  void global(std::string_view module, std::string_view name);
  void reduce();
  void persistent();
  const std::string &textOf(std::uint32_t i) const {
    if (items[i].kind != Item::Kind::Text)
      throw Refused{"has something else where a name is expected"};
    return items[i].text;
  }
  std::int64_t intOf(std::uint32_t i) const {
    if (items[i].kind != Item::Kind::Int)
      throw Refused{"has something else where a number is expected"};
    return items[i].number;
  }
  std::vector<std::int64_t> intsOf(std::uint32_t i) const {
    if (items[i].kind != Item::Kind::Tuple && items[i].kind != Item::Kind::List)
      throw Refused{"has something else where sizes are expected"};
    if (items[i].list.size() > maxRank)
      throw Refused{fmt::format("holds a tensor of {} axes", items[i].list.size())};
    std::vector<std::int64_t> list;
    for (std::uint32_t k : items[i].list)
      list.push_back(intOf(k));
    return list;
  }
  void append(std::uint32_t to, std::span<const std::uint32_t> what, Item::Kind kind) {
    if (items[to].kind != kind)
      throw Refused{"adds to something that is no list or dictionary"};
    items[to].list.insert(items[to].list.end(), what.begin(), what.end());
  }

  std::string_view bytes;
  std::size_t position = 0;
  std::vector<Item> items;
  std::vector<std::uint32_t> stack;
  std::unordered_map<std::uint64_t, std::uint32_t> memo;
};

/// Those of pickle's instructions that tensors do not need; what no protocol has is a number.
std::string instructionName(std::uint8_t op) {
  constexpr std::pair<std::uint8_t, std::string_view> names[] = {
      {'I', "INT"},        {'L', "LONG"},       {0x8b, "LONG4"},      {'S', "STRING"},
      {'T', "BINSTRING"},  {0x8e, "BINBYTES8"}, {0x96, "BYTEARRAY8"}, {0x97, "NEXT_BUFFER"},
      {'V', "UNICODE"},    {'F', "FLOAT"},      {'d', "DICT"},        {0x98, "READONLY_BUFFER"},
      {0x8f, "EMPTY_SET"}, {0x90, "ADDITEMS"},  {0x91, "FROZENSET"},  {'2', "DUP"},
      {'1', "POP_MARK"},   {'g', "GET"},        {'p', "PUT"},         {0x82, "EXT1"},
      {0x83, "EXT2"},      {0x84, "EXT4"},      {'i', "INST"},        {'o', "OBJ"},
      {0x81, "NEWOBJ"},    {0x92, "NEWOBJ_EX"}, {'P', "PERSID"},
  };
  const auto *found = std::ranges::find(names, op, &std::pair<std::uint8_t, std::string_view>::first);
  return found != std::end(names) ? std::string(found->second) : fmt::format("0x{:02x}", op);
}

void PickleParser::step(std::uint8_t op) {
  using Kind = Item::Kind;
  switch (op) {
  case 0x80: // PROTO
    byte();
    return;
  case 0x95: // FRAME
    number(8);
    return;
  case '(':
    return pushNumber(Kind::Mark, 0);
  case 'N':
    stack.push_back(0);
    return;
  case 0x88:
  case 0x89:
    return pushNumber(Kind::Bool, op == 0x88 ? 1 : 0);
  case 'K':
    return pushNumber(Kind::Int, byte());
  case 'M':
    return pushNumber(Kind::Int, static_cast<std::int64_t>(number(2)));
  case 'J':
    return pushNumber(Kind::Int, static_cast<std::int32_t>(number(4)));
  case 0x8a: { // LONG1
    const std::string_view v = run(byte());
    if (v.size() > 8)
      throw Refused{"holds a number of more than 64 bits"};
    std::uint64_t n = v.empty() || static_cast<signed char>(v.back()) >= 0 ? 0 : ~std::uint64_t{0};
    for (std::size_t i = v.size(); i-- > 0;)
      n = n << 8 | static_cast<unsigned char>(v[i]);
    return pushNumber(Kind::Int, static_cast<std::int64_t>(n));
  }
  case 'G':
    run(8);
    return pushNumber(Kind::Float, 0);
  case 'X':
    return pushText(run(number(4)));
  case 0x8c: // SHORT_BINUNICODE
    return pushText(run(byte()));
  case 0x8d:
    return pushText(run(number(8)));
  case 'U':
  case 'C':
    return pushText(run(byte()), Kind::Bytes);
  case 'B':
    return pushText(run(number(4)), Kind::Bytes);
  case '}':
    return pushList(Kind::Dict, {});
  case ']':
    return pushList(Kind::List, {});
  case ')':
    return pushList(Kind::Tuple, {});
  case 't':
    return pushList(Kind::Tuple, aboveMark());
  case 'l':
    return pushList(Kind::List, aboveMark());
  case 0x85:
  case 0x86:
  case 0x87: {
    std::vector<std::uint32_t> list(op - 0x84u);
    for (std::size_t i = list.size(); i-- > 0;)
      list[i] = pop();
    return pushList(Kind::Tuple, std::move(list));
  }
  case 'q':
    memo[byte()] = top();
    return;
  case 'r':
    memo[number(4)] = top();
    return;
  case 0x94: // MEMOIZE
    memo[memo.size()] = top();
    return;
  case 'h':
  case 'j': {
    const auto it = memo.find(op == 'h' ? byte() : number(4));
    if (it == memo.end())
      throw Refused{"recalls what was not remembered"};
    stack.push_back(it->second);
    return;
  }
  case '0':
    pop();
    return;
  case 's': {
    const std::uint32_t value = pop(), key = pop();
    const std::uint32_t pair[] = {key, value};
    return append(top(), pair, Kind::Dict);
  }
  case 'u': {
    const std::vector<std::uint32_t> pairs = aboveMark();
    if (pairs.size() % 2 != 0)
      throw Refused{"has a key without a value"};
    return append(top(), pairs, Kind::Dict);
  }
  case 'a': {
    const std::uint32_t one[] = {pop()};
    return append(top(), one, Kind::List);
  }
  case 'e': {
    const std::vector<std::uint32_t> list = aboveMark();
    return append(top(), list, Kind::List);
  }
  case 'c': {
    const std::string_view module = line(), name = line();
    return global(module, name);
  }
  case 0x93: { // STACK_GLOBAL
    const std::uint32_t name = pop(), module = pop();
    return global(std::string(textOf(module)), std::string(textOf(name)));
  }
  case 'R':
    return reduce();
  case 'Q':
    return persistent();
  case 'b': // BUILD: the state of a dictionary (`_metadata`) says nothing of tensors
    pop();
    if (items[top()].kind != Kind::Dict)
      throw Refused{"gives a state to something that is no dictionary"};
    return;
  default:
    throw Refused{fmt::format("holds the instruction {}, which tensors do not need", instructionName(op))};
  }
}

void PickleParser::global(std::string_view module, std::string_view name) {
  const bool known =
      (module == "torch._utils" && (name == "_rebuild_tensor_v2" || name == "_rebuild_parameter" ||
                                    name == "_rebuild_tensor_v3" || name == "_rebuild_parameter_with_state")) ||
      (module == "collections" && name == "OrderedDict") || (module == "torch" && name == "Size") ||
      ((module == "torch" || module == "torch.storage") && typeNamed(name)) ||
      (module == "torch.nn.parameter" && name == "Parameter");
  if (!known)
    throw Refused{
        fmt::format("needs '{}.{}', which is no part of a tensor; condlint runs nothing in a file", module, name)};
  pushText(name, Item::Kind::Global);
}

void PickleParser::persistent() {
  const std::uint32_t id = pop();
  // ("storage", its class, the record's name, where it lay, its elements)
  const std::vector<std::uint32_t> &tuple = items[id].list;
  if (items[id].kind != Item::Kind::Tuple || tuple.size() < 5 || items[tuple[0]].text != "storage" ||
      items[tuple[1]].kind != Item::Kind::Global)
    throw Refused{"refers to something outside that is no storage"};
  Item s;
  s.kind = Item::Kind::Storage;
  s.dtype = typeNamed(items[tuple[1]].text).value_or(DType::Unknown);
  s.text = textOf(tuple[2]);
  if (s.text.size() > maxRecordName)
    throw Refused{"refers to a record with a name that is no name"};
  push(std::move(s));
}

void PickleParser::reduce() {
  const std::uint32_t arguments = pop(), function = pop();
  if (items[function].kind != Item::Kind::Global || items[arguments].kind != Item::Kind::Tuple)
    throw Refused{"calls something that is no known function"};
  if (items[arguments].list.size() > maxArguments)
    throw Refused{fmt::format("calls a function with {} arguments", items[arguments].list.size())};
  const std::string name = items[function].text;
  const std::vector<std::uint32_t> list = items[arguments].list;
  if (name == "OrderedDict")
    return pushList(Item::Kind::Dict, {});
  if (name == "Size" && !list.empty()) {
    stack.push_back(list[0]);
    return;
  }
  // The state is what somebody hung onto the parameter: no part of its data.
  if ((name == "_rebuild_parameter" || name == "_rebuild_parameter_with_state" || name == "Parameter") &&
      !list.empty()) {
    if (items[list[0]].kind != Item::Kind::Tensor)
      throw Refused{"makes a parameter of something that is no tensor"};
    stack.push_back(list[0]);
    return;
  }
  if ((name == "_rebuild_tensor_v2" || name == "_rebuild_tensor_v3") && list.size() >= 4 &&
      items[list[0]].kind == Item::Kind::Storage) {
    Item t = items[list[0]];
    t.kind = Item::Kind::Tensor;
    t.number = intOf(list[1]);
    t.shape = intsOf(list[2]);
    t.strides = intsOf(list[3]);
    if (name == "_rebuild_tensor_v3" && list.size() > 6) {
      if (items[list[6]].kind != Item::Kind::Global)
        throw Refused{"has a tensor without an element type"};
      t.dtype = typeNamed(items[list[6]].text).value_or(DType::Unknown);
    }
    push(std::move(t));
    return;
  }
  throw Refused{fmt::format("calls '{}' in a way that makes no tensor", name)};
}

/// A tensor's bytes in the archive.
Array arrayOf(const Item &t, pt2::Archive &archive, const std::string &root, const std::string &place) {
  Array a;
  a.dtype = t.dtype;
  a.shape = t.shape;
  a.strides = t.strides;
  a.offset = t.number;
  const pt2::ArchiveEntry *e = archive.find(root + "data/" + t.text);
  if (!e)
    throw Refused{fmt::format("refers to the record '{}data/{}', which is not there", root, t.text)};
  auto record = archive.read(*e);
  if (!record)
    throw Refused{record.error().str()};
  a.bytes = record->text;
  a.keepAlive = record->keepAlive;
  a.storage = place + ':' + e->name;
  return a;
}

} // namespace

Expected<std::map<std::string, Array, std::less<>>> readTorchSave(std::string_view bytes, const std::string &place) {
  std::map<std::string, Array, std::less<>> tensors;
  auto archive = pt2::Archive::open(FileBytes::copy(bytes), place);
  if (!archive)
    return archive.error();
  const pt2::ArchiveEntry *data = nullptr;
  for (const pt2::ArchiveEntry &e : (*archive)->entries())
    if (e.name == "data.pkl" || e.name.ends_with("/data.pkl"))
      data = &e;
  if (!data)
    return Error{{}, place, "is no archive of torch.save: it has no data.pkl", {}};
  auto record = (*archive)->read(*data);
  if (!record)
    return record.error();
  const std::string root = data->name.substr(0, data->name.size() - std::strlen("data.pkl"));
  try {
    PickleParser parser(record->text);
    const Item &top = parser.parse();
    if (top.kind == Item::Kind::Tensor) {
      tensors.emplace("", arrayOf(top, **archive, root, place));
    } else if (top.kind == Item::Kind::Dict) {
      for (std::size_t i = 0; i + 1 < top.list.size(); i += 2) {
        const Item &key = parser.at(top.list[i]), &value = parser.at(top.list[i + 1]);
        if (key.kind == Item::Kind::Text && value.kind == Item::Kind::Tensor)
          tensors.insert_or_assign(key.text, arrayOf(value, **archive, root, place));
      }
    } else {
      throw Refused{"holds neither a tensor nor a dictionary of tensors"};
    }
  } catch (const Refused &r) {
    return Error{{}, place, "the pickle " + r.message, {}};
  } catch (const std::exception &e) { // of the standard library: no memory for what it holds
    return Error{{}, place, std::string("cannot be read: ") + e.what(), {}};
  }
  return tensors;
}

} // namespace condlint
