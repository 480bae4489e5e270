# How condlint's own libraries are built: every .cpp of a folder belongs to its
# library, so that adding an operator or a rule adds a file and nothing else.

# ./run and ./test share a build: AUTO and ON come to the same flags where the compiler is one of ours.
set(condlint_werror ${CONDLINT_WERROR})
if(CONDLINT_WERROR STREQUAL "AUTO")
  string(REGEX MATCH "^[0-9]+" condlint_compiler_major "${CMAKE_CXX_COMPILER_VERSION}")
  set(condlint_werror OFF)
  if("${CMAKE_CXX_COMPILER_ID} ${condlint_compiler_major}" MATCHES "^(GNU 12|Clang 22)$")
    set(condlint_werror ON)
  endif()
endif()

add_library(condlint_options INTERFACE)
# Clang's -Wconversion includes it, GCC's does not in C++. Where GCC checks for undefined behaviour it does not work out
# constants before it warns, and so warns of `lead & (0x3f >> more)`.
set(condlint_sign_conversion -Wsign-conversion)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(condlint_sign_conversion)
endif()
set(condlint_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  ${condlint_sign_conversion}
  # GCC 12 sees an overlap in std::string's operator+ that is not there (its bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # What GCC 12 says, when it optimises, of members and copies inside the standard library is mostly wrong; Clang and the
  # sanitizers look for the same.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>
  # GCC 12's std::stable_sort, with which Clang compiles too, uses what that library itself calls deprecated.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  $<$<BOOL:${condlint_werror}>:-Werror>)
# What nvcc makes of a file for the host compiler is no code of ours.
target_compile_options(condlint_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${condlint_warnings}>")
# What our libraries alone share stands beside its implementation, and is included from lib/: "graph/TypeWords.h".
target_include_directories(condlint_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>)

# condlint_unity(TARGET [SIZE n]): where CONDLINT_UNITY is on, the compiler sees up to SIZE (8) sources of a folder at a
# time, and what they include once for all of them.
#
# Each source has a compile command of its own still, in the target TARGET_each: for editors and clang-tidy, which read
# compile_commands.json. It is built by name only.
function(condlint_unity target)
  if(NOT CONDLINT_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "SIZE" "")
  if(NOT ARG_SIZE)
    set(ARG_SIZE 8)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Seen from there a source is included, and its own classes may not have members of its own types.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND in_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    # As many to each batch: the last is not a small rest.
    list(LENGTH in_${folder} count)
    math(EXPR batches "(${count} + ${ARG_SIZE} - 1) / ${ARG_SIZE}")
    set(place 0)
    foreach(source IN LISTS in_${folder})
      math(EXPR batch "${place} * ${batches} / ${count}")
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${folder}_${batch}")
    endforeach()
  endforeach()
  add_library(${target}_each OBJECT EXCLUDE_FROM_ALL ${sources})
  # When the folder's CMakeLists.txt has said all that it says of the target.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL condlint_same_options ${target} ${target}_each)")
endfunction()

# condlint_same_options(FROM TO): compiles the sources of TO as those of FROM.
function(condlint_same_options from to)
  foreach(property LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES)
    get_target_property(value ${from} ${property})
    if(value)
      set_property(TARGET ${to} PROPERTY ${property} ${value})
    endif()
  endforeach()
  target_precompile_headers(${to} REUSE_FROM ${from})
endfunction()

# condlint_library(NAME [INTERNAL] [PRIVATE lib...] [PUBLIC lib...]): libcondlint_NAME
# from the folder's sources; headers in include/condlint are public, all others are not installed. An INTERNAL
# library is not installed.
function(condlint_library name)
  cmake_parse_arguments(ARG "INTERNAL" "" "PUBLIC;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(condlint_${name} STATIC ${sources})
  add_library(condlint::${name} ALIAS condlint_${name})
  set_target_properties(condlint_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(condlint_${name} PUBLIC cxx_std_20)
  target_include_directories(condlint_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  # Half of a file's compile time went into these headers.
  target_precompile_headers(condlint_${name} PRIVATE <algorithm> <array> <functional> <map> <memory> <optional> <span>
    <string> <string_view> <unordered_map> <vector>)
  if("fmt::fmt" IN_LIST ARG_PRIVATE)
    target_precompile_headers(condlint_${name} PRIVATE <fmt/format.h>)
  endif()
  target_link_libraries(condlint_${name} PRIVATE $<BUILD_INTERFACE:condlint_options>
    PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(NOT ARG_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY CONDLINT_LIBRARIES condlint_${name})
  endif()
endfunction()
