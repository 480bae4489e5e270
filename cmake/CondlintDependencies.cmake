# Finds the libraries that condlint stands on: cmake/packages lists them, with the
# Debian package that holds each and what it is for.

file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/packages condlint_packages REGEX "^[A-Za-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/packages)

# condlint_missing(NAME [MORE]): stops, and names the package that holds it.
function(condlint_missing name)
  foreach(line IN LISTS condlint_packages)
    if(line MATCHES "^([^ ]+) +([^ ]+) +(.+)$" AND CMAKE_MATCH_1 STREQUAL name)
      list(APPEND packages ${CMAKE_MATCH_2})
      list(APPEND reasons "${CMAKE_MATCH_3}")
    endif()
  endforeach()
  list(JOIN packages " " packages)
  list(GET reasons 0 reason)
  message(FATAL_ERROR "${name} was not found (${reason}).\n"
    "Install it with: apt-get install ${packages}\n"
    "or run ./run, which installs all that is missing${ARGN}.")
endfunction()

# condlint_config(NAME): finds a CMake package, or stops so.
function(condlint_config name)
  find_package(${name} CONFIG QUIET)
  if(NOT ${name}_FOUND)
    condlint_missing(${name})
  endif()
endfunction()

condlint_config(simdjson)
condlint_config(nlohmann_json)
condlint_config(CLI11)
condlint_config(fmt)

find_package(PkgConfig QUIET)
if(NOT PkgConfig_FOUND)
  condlint_missing(PkgConfig)
endif()
pkg_check_modules(LIBZIP QUIET IMPORTED_TARGET libzip)
if(NOT LIBZIP_FOUND)
  condlint_missing(libzip)
endif()
pkg_check_modules(LIBARCHIVE QUIET libarchive)
if(NOT LIBARCHIVE_FOUND)
  condlint_missing(libarchive)
endif()
pkg_check_modules(XXHASH QUIET IMPORTED_TARGET libxxhash)
if(NOT XXHASH_FOUND)
  condlint_missing(xxhash)
endif()

find_path(PROTOZERO_INCLUDE protozero/varint.hpp)
if(NOT PROTOZERO_INCLUDE)
  condlint_missing(protozero)
endif()
find_library(OPENBLAS_LIBRARY openblas)
find_path(OPENBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas openblas-pthread openblas-serial
  x86_64-linux-gnu/openblas-pthread)
if(NOT OPENBLAS_LIBRARY OR NOT OPENBLAS_INCLUDE)
  condlint_missing(OpenBLAS)
endif()
find_package(Threads REQUIRED)

if(CONDLINT_TESTS)
  find_package(GTest QUIET)
  if(NOT GTest_FOUND)
    condlint_missing(GTest)
  endif()
endif()
if(CONDLINT_BENCH)
  find_package(benchmark CONFIG QUIET)
  if(NOT benchmark_FOUND)
    condlint_missing(benchmark)
  endif()
endif()

include(CondlintPortable)

# Clang, for C++ sources and the checks of clang-tidy, whose headers come with it. Its version file wants major and minor exactly.
set(CONDLINT_WITH_CXX OFF)
if(CONDLINT_CXX)
  if(DEFINED CMAKE_C_COMPILER)
    enable_language(C) # LLVM's CMake files try to compile C with a compiler that is named
  endif()
  find_package(Clang 22.1 CONFIG QUIET HINTS /usr/lib/llvm-22/lib/cmake/clang)
  if(Clang_FOUND)
    set(CONDLINT_WITH_CXX ON)
    include(CondlintClang)
  elseif(NOT CONDLINT_CXX STREQUAL "AUTO")
    condlint_missing(Clang ", or configure with -DCONDLINT_CXX=OFF")
  else()
    message(STATUS "Clang 22 was not found: built without support for C++ sources")
  endif()
endif()
