# The libraries condlint stands on: what each is for, and the Debian package
# that holds it. This is the one list of them.

# condlint_missing(WHAT PACKAGE WHY): stops with the package's name.
# condlint_config(NAME PACKAGE WHY): finds a CMake package, or stops so.
function(condlint_missing what package why)
  message(FATAL_ERROR "${what} was not found (${why}).\n"
    "Install it with: apt-get install ${package}\n"
    "or run ./run, which installs all that is missing.")
endfunction()

function(condlint_config name package why)
  find_package(${name} CONFIG QUIET)
  if(NOT ${name}_FOUND)
    condlint_missing(${name} ${package} ${why})
  endif()
endfunction()

condlint_config(simdjson libsimdjson-dev "reads the JSON of .pt2 models at memory speed")
condlint_config(nlohmann_json nlohmann-json3-dev "configuration, the report, graph JSON")
condlint_config(CLI11 libcli11-dev "the command line")
condlint_config(fmt libfmt-dev "formats messages")

find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  condlint_missing(pkg-config pkg-config "finds libzip and xxhash")
endif()
pkg_check_modules(LIBZIP QUIET IMPORTED_TARGET libzip)
if(NOT LIBZIP_FOUND)
  condlint_missing(libzip libzip-dev "opens the archives of .pt2 models")
endif()
pkg_check_modules(XXHASH QUIET IMPORTED_TARGET libxxhash)
if(NOT XXHASH_FOUND)
  condlint_missing(xxhash libxxhash-dev "hashes names, types and fingerprints")
endif()

find_path(PROTOZERO_INCLUDE protozero/pbf_reader.hpp)
if(NOT PROTOZERO_INCLUDE)
  condlint_missing(protozero libprotozero-dev "reads ONNX's wire format without copying")
endif()
find_library(OPENBLAS_LIBRARY openblas)
find_path(OPENBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas openblas-pthread openblas-serial
  x86_64-linux-gnu/openblas-pthread)
if(NOT OPENBLAS_LIBRARY OR NOT OPENBLAS_INCLUDE)
  condlint_missing(OpenBLAS libopenblas-dev "multiplies and factors matrices in the executor")
endif()
find_package(Threads REQUIRED)

if(CONDLINT_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    condlint_missing(GoogleTest libgtest-dev "the tests")
  endif()
endif()
if(CONDLINT_BENCH)
  find_package(benchmark CONFIG QUIET)
  if(NOT benchmark_FOUND)
    condlint_missing(benchmark libbenchmark-dev "the benchmarks")
  endif()
endif()

# Clang, for C++ sources and the checks of clang-tidy, whose headers come with it. Its version file wants major and minor exactly.
set(CONDLINT_WITH_CXX OFF)
set(condlint_clang_packages llvm-22-dev libclang-22-dev clang-22) # the last one holds Clang's CMake files
if(CONDLINT_CXX)
  if(DEFINED CMAKE_C_COMPILER)
    enable_language(C) # LLVM's CMake files try to compile C with a compiler that is named
  endif()
  find_package(Clang 22.1 CONFIG QUIET HINTS /usr/lib/llvm-22/lib/cmake/clang)
  if(Clang_FOUND)
    set(CONDLINT_WITH_CXX ON)
  elseif(NOT CONDLINT_CXX STREQUAL "AUTO")
    list(JOIN condlint_clang_packages " " packages)
    message(FATAL_ERROR "Clang 22 was not found (parses C++ sources).\n"
      "Install it with: apt-get install ${packages}\n"
      "or configure with -DCONDLINT_CXX=OFF.")
  else()
    message(STATUS "Clang 22 was not found: built without support for C++ sources")
  endif()
endif()
