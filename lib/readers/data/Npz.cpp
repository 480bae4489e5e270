//===- Npz.cpp - Arrays of NumPy in a zip file ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../pt2/Archive.h"
#include "../zip/Libzip.h"
#include "condlint/Array.h"
#include "graph/NewFile.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace condlint {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

/// Element types that numpy has not: their bits are unsigned integers, and the key ends in what they are.
struct BitsCode {
  std::string_view suffix;
  DType dtype, bits;
};
constexpr BitsCode bitsCodes[] = {
    {"__bf16", DType::BFloat16, DType::UInt16},
    {"__f8e4m3fn", DType::Float8E4M3FN, DType::UInt8},
    {"__f8e4m3fnuz", DType::Float8E4M3FNUZ, DType::UInt8},
    {"__f8e5m2", DType::Float8E5M2, DType::UInt8},
    {"__f8e5m2fnuz", DType::Float8E5M2FNUZ, DType::UInt8},
    {"__f8e8m0fnu", DType::Float8E8M0FNU, DType::UInt8},
};
constexpr std::uint64_t emptyTexts = 1'000'000;

struct TypeCode {
  std::string_view code; ///< numpy's, without the byte order
  DType dtype;
};
constexpr TypeCode typeCodes[] = {
    {"b1", DType::Bool},      {"i1", DType::Int8},        {"u1", DType::UInt8},   {"i2", DType::Int16},
    {"u2", DType::UInt16},    {"i4", DType::Int32},       {"u4", DType::UInt32},  {"i8", DType::Int64},
    {"u8", DType::UInt64},    {"f2", DType::Float16},     {"f4", DType::Float32}, {"f8", DType::Float64},
    {"c8", DType::Complex64}, {"c16", DType::Complex128},
};

std::uint64_t littleEndian(std::string_view bytes) {
  std::uint64_t v = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    v = v << 8 | static_cast<unsigned char>(bytes[i]);
  return v;
}

/// The header of an .npy: a Python dictionary of three known keys.
class NpyHeader {
public:
  explicit NpyHeader(std::string_view t) : text(t) {}

  bool parse() {
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string_view key;
      if (!quoted(key) || !take(':'))
        return false;
      if (key == "descr") {
        if (!quoted(descr))
          return false;
      } else if (key == "fortran_order") {
        fortran = word("True");
        if (!fortran && !word("False"))
          return false;
      } else if (key == "shape") {
        if (!tuple())
          return false;
      } else {
        return false;
      }
      take(',');
    }
    return !descr.empty() && hasShape;
  }

  std::string_view descr;
  bool fortran = false;
  std::vector<std::int64_t> shape;

private:
  void blanks() {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
      text.remove_prefix(1);
  }
  bool take(char c) {
    blanks();
    if (text.empty() || text.front() != c)
      return false;
    text.remove_prefix(1);
    return true;
  }
  bool word(std::string_view w) {
    blanks();
    if (!text.starts_with(w))
      return false;
    text.remove_prefix(w.size());
    return true;
  }
  bool quoted(std::string_view &to) {
    blanks();
    if (text.empty() || (text.front() != '\'' && text.front() != '"'))
      return false;
    const std::size_t end = text.find(text.front(), 1);
    if (end == std::string_view::npos)
      return false;
    to = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return true;
  }
  bool tuple() {
    if (!take('('))
      return false;
    hasShape = true;
    while (!take(')')) {
      blanks();
      std::int64_t v = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
      if (error != std::errc() || v < 0 || shape.size() > 64)
        return false;
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      word("L");
      shape.push_back(v);
      take(',');
    }
    return true;
  }

  std::string_view text;
  bool hasShape = false;
};

/// Bytes of \p a's elements; nothing beyond 62 bits.
std::optional<std::uint64_t> dataBytes(const std::vector<std::int64_t> &shape, std::uint64_t item) {
  std::uint64_t n = item;
  for (std::int64_t s : shape)
    if (__builtin_mul_overflow(n, static_cast<std::uint64_t>(s), &n) || n > (std::uint64_t{1} << 62))
      return std::nullopt;
  return n;
}

/// What an element is.
struct NpyElement {
  DType dtype = DType::Unknown;
  std::uint64_t bytes = 0;
  std::uint64_t characters = 0; ///< of text of a fixed width
  bool wide = false;            ///< which take four bytes each
  bool reversed = false;        ///< the bytes of each number come the other way round

  /// How many bytes belong to one number: a complex one is two.
  std::size_t numberBytes() const {
    if (dtype == DType::String)
      return wide ? 4 : 1;
    return static_cast<std::size_t>(isComplex(dtype) ? bytes / 2 : bytes);
  }
};

/// The element that \p code names; nothing for what condlint does not read.
std::optional<NpyElement> elementOf(std::string_view code) {
  NpyElement e;
  e.reversed = code.starts_with('>');
  if (!code.empty() && (code.front() == '<' || code.front() == '|' || code.front() == '=' || e.reversed))
    code.remove_prefix(1);
  if (code == "?")
    code = "b1";
  if (code.starts_with("U") || code.starts_with("S")) {
    const auto [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), e.characters);
    if (error != std::errc() || end != code.data() + code.size() || e.characters > (1u << 24))
      return std::nullopt;
    e.dtype = DType::String;
    e.wide = code.front() == 'U';
    e.bytes = e.characters * (e.wide ? 4 : 1);
    return e;
  }
  for (const TypeCode &t : typeCodes)
    if (t.code == code)
      e.dtype = t.dtype;
  if (e.dtype == DType::Unknown)
    return std::nullopt;
  e.bytes = dtypeBits(e.dtype) / 8;
  return e;
}

/// Appends a character in UTF-8.
void appendCharacter(std::string &text, std::uint32_t point) {
  const auto rest = [&](unsigned shift) { text += static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xc0 | point >> 6);
    rest(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xe0 | point >> 12);
    rest(6);
    rest(0);
  } else {
    text += static_cast<char>(0xf0 | ((point >> 18) & 7));
    rest(12);
    rest(6);
    rest(0);
  }
}

/// The text in \p data, which is filled up with zeros.
std::string npyText(std::string_view data, const NpyElement &e) {
  std::string text;
  if (e.wide)
    for (std::size_t at = 0; at < data.size(); at += 4)
      appendCharacter(text, static_cast<std::uint32_t>(littleEndian(data.substr(at, 4))));
  else
    text = data;
  while (!text.empty() && text.back() == '\0')
    text.pop_back();
  return text;
}

/// \p data with the bytes of each number in the usual order.
std::string withBytesReversed(std::string_view data, std::size_t each) {
  std::string out(data);
  for (std::size_t at = 0; at + each <= out.size(); at += each)
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(at), out.begin() + static_cast<std::ptrdiff_t>(at + each));
  return out;
}

/// How far neighbours along each axis are apart when the first axis runs fastest.
std::vector<std::int64_t> fortranStrides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides;
  std::int64_t stride = 1;
  for (const std::int64_t s : shape) {
    strides.push_back(stride);
    stride *= s;
  }
  return strides;
}

/// \p texts, in which the first axis runs fastest, with the last one running fastest.
std::vector<std::string> inRows(std::vector<std::string> texts, std::span<const std::int64_t> shape) {
  const std::vector<std::int64_t> strides = fortranStrides(shape);
  std::vector<std::string> out;
  out.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::int64_t at = 0;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t k = shape.size(); k-- > 0; rest /= shape[k])
      at += rest % shape[k] * strides[k];
    out.push_back(std::move(texts[static_cast<std::size_t>(at)]));
  }
  return out;
}

Expected<Array> readNpy(std::string_view bytes, std::shared_ptr<const void> keepAlive, const Error &place) {
  const auto bad = [&](std::string message) {
    Error e = place;
    e.message = std::move(message);
    return e;
  };
  if (!bytes.starts_with(magic) || bytes.size() < 12)
    return bad("is no array of numpy (.npy)");
  const bool wide = bytes[6] != 1;
  const std::size_t at = wide ? 12 : 10;
  const std::uint64_t length = littleEndian(bytes.substr(8, wide ? 4 : 2));
  if (length > bytes.size() - at)
    return bad("ends inside of its header");
  NpyHeader header(bytes.substr(at, static_cast<std::size_t>(length)));
  if (!header.parse())
    return bad("has a header that is no array's");
  const auto element = elementOf(header.descr);
  if (header.descr.ends_with('O'))
    return bad("holds objects of Python, which only unpickling could read: save texts with a fixed width, by "
               "`.astype('U')`");
  if (!element)
    return bad(fmt::format("has elements of the type '{}', which condlint does not read", header.descr));
  Array a;
  a.dtype = element->dtype;
  a.shape = header.shape;
  const auto size = dataBytes(a.shape, element->bytes);
  std::string_view data = bytes.substr(at + static_cast<std::size_t>(length));
  if (!size || data.size() < *size)
    return bad(fmt::format("holds {} byte(s) of data, its type and shape take {}", data.size(),
                           size ? std::to_string(*size) : "more than 64 bits can count"));
  data = data.substr(0, static_cast<std::size_t>(*size));
  if (element->reversed && element->numberBytes() > 1) {
    const auto usual = std::make_shared<const std::string>(withBytesReversed(data, element->numberBytes()));
    data = *usual;
    keepAlive = usual;
  }
  if (a.dtype == DType::String) {
    const auto count = dataBytes(a.shape, 1);
    // Texts of no characters take no data: what claims very many of them is refused.
    if (!count || (element->bytes == 0 && *count > data.size() + emptyTexts))
      return bad("holds more empty texts than condlint reads");
    const auto each = static_cast<std::size_t>(element->bytes);
    for (std::size_t i = 0; i < *count; ++i)
      a.strings.push_back(npyText(data.substr(i * each, each), *element));
    if (header.fortran && !a.strings.empty())
      a.strings = inRows(std::move(a.strings), a.shape);
    return a;
  }
  a.bytes = data;
  a.keepAlive = std::move(keepAlive);
  if (header.fortran && *size != 0) // no product of sizes is beyond that of all
    a.strides = fortranStrides(a.shape);
  return a;
}

/// The characters of \p text in UTF-8; what is none stands for one that is not known.
std::u32string charactersOf(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const unsigned more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    char32_t point = more == 0 ? lead : lead & (0x3f >> more);
    for (unsigned i = 0; i < more && at < text.size(); ++i)
      point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3f);
    constexpr char32_t last = 0x10ffff, unknown = 0xfffd;
    out += point > last ? unknown : point;
  }
  return out;
}

/// The data of texts, all as wide as the longest, and how wide that is.
std::pair<std::string, std::size_t> wideTexts(const std::vector<std::string> &texts) {
  std::vector<std::u32string> all;
  std::size_t width = 1;
  for (const std::string &text : texts)
    width = std::max(width, all.emplace_back(charactersOf(text)).size());
  std::string data;
  for (std::u32string &text : all) {
    text.resize(width);
    for (const char32_t c : text)
      for (unsigned shift = 0; shift < 32; shift += 8)
        data += static_cast<char>(c >> shift & 0xff);
  }
  return {std::move(data), width};
}

/// \p characters: of each text, where that is what \p a holds.
std::string npyHeader(const Array &a, std::size_t characters) {
  std::string code = "<U" + std::to_string(characters);
  for (const TypeCode &t : typeCodes)
    if (t.dtype == a.dtype)
      code = std::string(dtypeBits(a.dtype) <= 8 ? "|" : "<") + std::string(t.code);
  std::string shape;
  for (std::int64_t s : a.shape)
    shape += std::to_string(s) + ",";
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", code, shape);
  while ((10 + text.size() + 1) % 64 != 0)
    text += ' ';
  text += '\n';
  std::string header(magic);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8 & 0xff);
  return header + text;
}

} // namespace

namespace {

Expected<std::vector<Array>> arraysIn(const std::string &path) {
  auto file = FileBytes::open(path);
  if (!file)
    return file.error();
  const std::string_view all = (*file)->view();
  if (all.starts_with(magic))
    return Error{
        path, {}, "is a single array (.npy), expected several in an archive (.npz)", "save it with numpy.savez"};
  auto archive = pt2::Archive::open(*file, path);
  if (!archive)
    return Error{path, {}, "is no archive of numpy arrays (.npz)", "save the arrays with numpy.savez"};
  std::vector<Array> arrays;
  for (const pt2::ArchiveEntry &e : (*archive)->entries()) {
    auto record = (*archive)->read(e);
    if (!record)
      return record.error();
    auto array = readNpy(record->text, record->keepAlive, {path, e.name, {}, {}});
    if (!array)
      return array.error();
    array->name = e.name.ends_with(".npy") ? e.name.substr(0, e.name.size() - 4) : e.name;
    for (const BitsCode &code : bitsCodes)
      if (array->name.ends_with(code.suffix) && array->dtype == code.bits) {
        array->name.resize(array->name.size() - code.suffix.size());
        array->dtype = code.dtype;
        break;
      }
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

} // namespace

Expected<std::vector<Array>> readNpz(const std::string &path) {
  try {
    return arraysIn(path);
  } catch (const std::exception &e) { // of the standard library: no memory for what it holds
    return Error{path, {}, std::string("cannot be read: ") + e.what(), {}};
  }
}

std::optional<Error> writeNpz(const std::string &path, std::span<const Array> arrays) {
  auto part = NewFile::beside(path);
  if (!part)
    return part.error();
  const Expected<const Libzip *> loaded = Libzip::load(path);
  if (!loaded)
    return loaded.error();
  const Libzip &zip = **loaded;
  int code = 0;
  zip_t *archive = zip.open(part->path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  const auto failure = [&](std::string message) {
    if (archive)
      zip.discard(archive);
    return Error{path, {}, std::move(message), {}};
  };
  if (!archive) {
    zip_error_t error;
    zip.errorInitWithCode(&error, code);
    const std::string reason = zip.errorStrerror(&error);
    zip.errorFini(&error);
    return failure("cannot be written: " + reason);
  }
  std::vector<std::string> contents;
  contents.reserve(arrays.size());
  for (const Array &original : arrays) {
    Array a = original;
    if (const auto *known = std::ranges::find(bitsCodes, a.dtype, &BitsCode::dtype); known != std::end(bitsCodes)) {
      a.dtype = known->bits;
      a.name += known->suffix;
    }
    bool known = a.kind == ValueKind::Tensor;
    known = known && (a.dtype == DType::String ||
                      std::ranges::any_of(typeCodes, [&](const TypeCode &t) { return t.dtype == a.dtype; }));
    if (!known)
      return failure(fmt::format("'{}' has the type {}, for which numpy has no array", a.name, dtypeName(a.dtype)));
    const auto [texts, characters] = wideTexts(a.strings);
    std::string &text = contents.emplace_back(npyHeader(a, characters));
    text += a.dtype == DType::String ? std::string_view(texts) : a.bytes;
    zip_source_t *source = zip.sourceBuffer(archive, text.data(), text.size(), 0);
    const zip_int64_t index = source ? zip.fileAdd(archive, (a.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      if (source)
        zip.sourceFree(source);
      return failure(std::string("cannot be written: ") + zip.strerror(archive));
    }
    zip.setFileCompression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    // The time of writing is no content.
    zip.fileSetDostime(archive, static_cast<zip_uint64_t>(index), 0, 0x21, 0);
  }
  if (zip.close(archive) != 0)
    return failure(std::string("cannot be written: ") + zip.strerror(archive));
  if (arrays.empty()) { // libzip writes no empty archive
    std::FILE *f = std::fopen(part->path().c_str(), "wb");
    const char end[22] = {'P', 'K', 5, 6};
    const bool ok = f && std::fwrite(end, 1, sizeof end, f) == sizeof end;
    if ((f && std::fclose(f) != 0) || !ok) {
      archive = nullptr;
      return failure("cannot be written");
    }
  }
  return part->keep();
}

} // namespace condlint
