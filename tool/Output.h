//===- Output.h - Formats, and where each goes ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_OUTPUT_H
#define CONDLINT_TOOL_OUTPUT_H

#include "ExitCode.h"
#include "condlint/Expected.h"
#include "condlint/Report.h"
#include "condlint/ReportFormat.h"
#include "graph/NewFile.h"
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What the commands that print tables and pages know.
enum class OutputFormat : std::uint8_t { Text, Json };
enum class ColorChoice : std::uint8_t { Auto, Always, Never };

/// One `--output FORMAT[=FILE]`.
struct OutputRequest {
  const ReportFormat *format = nullptr; ///< a row of the table
  std::string file;                     ///< empty: standard output
  bool isText() const { return format->name == "text"; }
  bool isJson() const { return format->name == "json"; }
  bool toStandardOutput() const { return file.empty(); }
};

/// Reads the `--output` options; none asks for text on standard output, and so does the file `-`. In a folder that
/// is there already a file `condlint.SUFFIX` is made. An unknown format, two formats on standard output and one file
/// for two formats are errors.
Expected<std::vector<OutputRequest>> parseOutputs(const std::vector<std::string> &texts);

/// An error where one of the files \p written is one of those that are \p read: the input would be lost.
std::optional<Error> overwritten(const std::vector<std::string> &written, const std::vector<std::string> &read);
/// Whether one of \p requests shows drawings.
bool draws(const std::vector<OutputRequest> &requests);
/// The files that \p requests name.
std::vector<std::string> filesOf(const std::vector<OutputRequest> &requests);

/// The names of all formats, for help texts: "text, json, …".
std::string formatNames();
/// What the formats need of this run for one that goes where \p request says.
RenderOptions renderOptions(const OutputRequest &request, ColorChoice color, bool quiet);

/// Whether to colour what goes to standard output: asked for, or a terminal
/// that wants it (NO_COLOR, TERM=dumb).
bool useColor(ColorChoice choice);

/// Writes \p text to standard output. False when it cannot take it all; the
/// reason then stands on standard error.
bool writeStandardOutput(std::string_view text);
/// Writes \p text to \p path, in place of what is there.
bool writeFile(const std::string &path, std::string_view text);

/// A report on its way to where a request sends it, piece by piece. A file appears when all of it is there; a pipe or a
/// device is written to at once.
class OutputInMaking {
public:
  explicit OutputInMaking(const OutputRequest &r);
  ~OutputInMaking();
  OutputInMaking(const OutputInMaking &) = delete;
  OutputInMaking &operator=(const OutputInMaking &) = delete;

  /// False when it cannot be written, or could not before; the reason then stands on standard error.
  bool write(std::string_view text);
  /// What was written is all.
  bool keep();

private:
  bool fail();
  bool nameIt();

  const OutputRequest &request;
  std::optional<NewFile> aside;
  std::FILE *file = nullptr;
  bool works = true, isUnnamed = false, isTerminal = false;
  std::chrono::steady_clock::time_point flushed;
};

/// Writes \p text where \p request sends it.
bool writeOutput(const OutputRequest &request, std::string_view text);

/// "condlint: MESSAGE" on standard error, on one line and printable.
void complain(std::string_view message);
/// Why \p input was not analysed, or not all of it.
void complainAbout(const InputReport &input);

} // namespace condlint

#endif // CONDLINT_TOOL_OUTPUT_H
