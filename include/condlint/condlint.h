/*===- condlint.h - condlint for other languages ------------------*- C -*-===//
 *
 * Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===//
 *
 * The interface of libcondlint.so, in plain C, for whatever language can call C:
 * models as bytes or paths and options as JSON go in, reports come out. docs/c-api.md
 * says what the options are.
 *
 * - Every function may be called from several threads at a time. A result belongs to
 *   the thread that uses it.
 * - No exception leaves a function, and nothing aborts: what went wrong is in the result.
 * - Text is UTF-8. Nothing that is passed in is kept or changed.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CONDLINT_CONDLINT_H
#define CONDLINT_CONDLINT_H

#include <stddef.h>

#if defined(__GNUC__)
#define CONDLINT_EXPORT __attribute__((visibility("default")))
#else
#define CONDLINT_EXPORT
#endif

/* NOLINTBEGIN(readability-identifier-naming,modernize-*): the names and the words are those of C. */
#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. Functions and options may be added within a version; none
 * is removed and none changes its meaning. condlint_abi_version() is that of the library. */
#define CONDLINT_ABI_VERSION 1
CONDLINT_EXPORT int condlint_abi_version(void);

/* The version of condlint: "0.1.0". The text lives as long as the library. */
CONDLINT_EXPORT const char *condlint_version(void);

/* How a call ended: the exit code that the program would have. */
enum condlint_status {
  CONDLINT_CLEAN = 0,
  CONDLINT_FINDINGS = 1, /* some finding is as severe as `failOn` says */
  CONDLINT_USAGE = 2, /* what was asked for makes no sense: condlint_result_error() says why, and there is no report */
  CONDLINT_UNANALYSED = 3, /* the input could not be read or run, or only in part; the report says why */
  CONDLINT_INTERNAL = 4    /* a defect of condlint, or no memory; condlint_result_error() says which */
};

/* What a call came to. Never null unless there is no memory at all; all functions that take one take null too. */
typedef struct condlint_result condlint_result;

/* Checks the model in `size` bytes from `data`. `format` is "pt2", "onnx" or "json"; null or empty: the first
 * bytes tell. `name` is what the report calls the input, and the folder in it is where data lies that a model
 * keeps in other files; null or empty: "<memory>". `options` is a JSON object; null or empty: none. */
CONDLINT_EXPORT condlint_result *condlint_check_bytes(const void *data, size_t size, const char *format,
                                                      const char *name, const char *options);
/* Checks a file: a model, or a C++ source. */
CONDLINT_EXPORT condlint_result *condlint_check_path(const char *path, const char *options);

/* Executes a model, or both branches of each of its conditionals. */
CONDLINT_EXPORT condlint_result *condlint_run_bytes(const void *data, size_t size, const char *format, const char *name,
                                                    const char *options);
CONDLINT_EXPORT condlint_result *condlint_run_path(const char *path, const char *options);

/* The graphs of a model: rendered as "json" they are condlint's own graph JSON, which can be checked. */
CONDLINT_EXPORT condlint_result *condlint_dump_bytes(const void *data, size_t size, const char *format,
                                                     const char *name, const char *options);
CONDLINT_EXPORT condlint_result *condlint_dump_path(const char *path, const char *options);

/* The page of a rule, the table of rules, the table of systems whose rules are known. */
CONDLINT_EXPORT condlint_result *condlint_explain(const char *rule);
CONDLINT_EXPORT condlint_result *condlint_rules(void);
CONDLINT_EXPORT condlint_result *condlint_targets(void);

/* How the call ended; CONDLINT_INTERNAL for null. */
CONDLINT_EXPORT int condlint_result_status(const condlint_result *result);

/* Why there is no report; null where there is one. Lives as long as the result. */
CONDLINT_EXPORT const char *condlint_result_error(const condlint_result *result);

/* What the program would print: in one of the formats of its option --output ("text", "json", "sarif", ...), as "color"
 * (text with the colours of a terminal) or "quiet" (text, one line a finding). The text ends with a zero, which
 * `length` (may be null) does not count; give it to condlint_free. Null where there is no report, for a format that is
 * not known, and where memory ends. */
CONDLINT_EXPORT char *condlint_result_render(const condlint_result *result, const char *format, size_t *length);

/* The program `condlint`: takes its arguments, writes to standard output and standard error, and returns the exit code.
 * For a process that does nothing else. */
CONDLINT_EXPORT int condlint_main(int argc, char **argv);

/* Gives the memory of a result or of a text back. Null is nothing. */
CONDLINT_EXPORT void condlint_result_free(condlint_result *result);
CONDLINT_EXPORT void condlint_free(char *text);

#ifdef __cplusplus
} /* extern "C" */
#endif
/* NOLINTEND(readability-identifier-naming,modernize-*) */

#endif /* CONDLINT_CONDLINT_H */
