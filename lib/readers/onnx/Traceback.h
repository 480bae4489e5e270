//===- Traceback.h - Source lines that exporters record -------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_TRACEBACK_H
#define CONDLINT_READERS_ONNX_TRACEBACK_H

#include "condlint/Source.h"
#include <string_view>

namespace condlint::onnx {

/// True for a key of a node's `metadata_props` under which an exporter keeps a
/// stack trace (`pkg.torch.onnx.stack_trace`).
bool isTracebackKey(std::string_view key);

/// The user's line in a recorded stack trace. Understands Python's own form
/// (`File "model.py", line 12, in forward`, innermost last), and TorchScript's
/// (`model.py(12): forward`, `# model.py:12:4`, innermost first). Of several
/// frames the innermost that is not inside torch or onnxscript. An invalid
/// location when there is none.
SourceLocation decodeTraceback(std::string_view text);

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_TRACEBACK_H
