"""Checks the C++ sources of targets with condlint, each with the flags that Bazel compiles it with.

    bazel build //... --aspects=//tools:condlint.bzl%condlint --output_groups=condlint
    condlint merge $(find -L bazel-bin -name '*.condlint.json')

One report a source, made again where the source, a header or a flag has changed. What stands in a header that several
sources include is told once by `condlint merge`, whose exit code is that of one run on all of them.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_SOURCES = ("cc", "cpp", "cxx", "c++", "C", "cu")

def _condlint_impl(target, ctx):
    if CcInfo not in target or not hasattr(ctx.rule.attr, "srcs"):
        return [OutputGroupInfo(condlint = depset())]
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain)
    context = target[CcInfo].compilation_context
    reports = []
    for source in [f for s in ctx.rule.attr.srcs for f in s.files.to_list() if f.extension in _SOURCES]:
        report = ctx.actions.declare_file(source.basename + "." + target.label.name + ".condlint.json")
        variables = cc_common.create_compile_variables(
            feature_configuration = features,
            cc_toolchain = toolchain,
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + getattr(ctx.rule.attr, "copts", []),
            source_file = source.path,
            include_directories = context.includes,
            quote_include_directories = context.quote_includes,
            system_include_directories = context.system_includes,
            preprocessor_defines = context.defines,
        )
        flags = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        )
        # What was found is in the report; with 4 and more there is none.
        ctx.actions.run_shell(
            command = 'report=$1 source=$2; shift 2; condlint check --quiet --no-cache --output "json=$report" "$source" -- "$@"; test $? -le 3',
            arguments = [report.path, source.path] + flags,
            inputs = depset([source], transitive = [context.headers, toolchain.all_files]),
            outputs = [report],
            use_default_shell_env = True,
            mnemonic = "Condlint",
            progress_message = "Checking " + source.short_path,
        )
        reports.append(report)
    return [OutputGroupInfo(condlint = depset(reports))]

condlint = aspect(
    implementation = _condlint_impl,
    attr_aspects = ["deps"],
    attrs = {"_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain"))},
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
