# condlint_clang: Clang with its headers, for what reads C++; condlint_clang_headers: the headers
# alone, for what another program loads that brings Clang.
#
# Clang's archives are linked in where they are installed, as with Debian's packages: loading the shared
# libraries, all of LLVM, takes 17 ms and 60 MB whenever a C++ source is read, and linking takes 2 s more once.
set(CONDLINT_STATIC_CLANG AUTO CACHE STRING
  "Link Clang statically, so that C++ sources are read sooner: ON, OFF, or AUTO (where its archives are installed)")
set_property(CACHE CONDLINT_STATIC_CLANG PROPERTY STRINGS AUTO ON OFF)

add_library(condlint_clang_headers INTERFACE)
target_include_directories(condlint_clang_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
add_library(condlint_clang INTERFACE)
target_link_libraries(condlint_clang INTERFACE condlint_clang_headers)

# The archives of Clang, those of LLVM that they need, and the two libraries that LLVM compresses with; \c missing is
# what is not there.
set(clang_archives)
set(missing)
if(CONDLINT_STATIC_CLANG)
  foreach(part Tooling Frontend Serialization Driver Options Parse Sema APINotes AnalysisLifetimeSafety Analysis Edit AST
      ASTMatchers ToolingCore Rewrite Format ToolingInclusions Lex Support Basic)
    list(APPEND clang_archives ${LLVM_LIBRARY_DIR}/libclang${part}.a)
  endforeach()
  execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles support option frontendopenmp
      frontendhlsl frontenddriver targetparser mcparser bitreader core profiledata windowsdriver
    OUTPUT_VARIABLE llvm_archives ERROR_QUIET RESULT_VARIABLE status)
  separate_arguments(llvm_archives UNIX_COMMAND "${llvm_archives}")
  if(NOT status EQUAL 0)
    list(APPEND missing "LLVM's archives")
  endif()
  foreach(archive IN LISTS clang_archives llvm_archives)
    if(NOT EXISTS ${archive})
      list(APPEND missing ${archive})
    endif()
  endforeach()
  # Of these the runtime packages are enough.
  find_library(CONDLINT_ZLIB NAMES z libz.so.1)
  find_library(CONDLINT_ZSTD NAMES zstd libzstd.so.1)
  mark_as_advanced(CONDLINT_ZLIB CONDLINT_ZSTD)
  foreach(library ZLIB ZSTD)
    if(NOT CONDLINT_${library})
      list(APPEND missing ${library})
    endif()
  endforeach()
endif()
if(missing AND NOT CONDLINT_STATIC_CLANG STREQUAL "AUTO")
  list(GET missing 0 missing)
  message(FATAL_ERROR "CONDLINT_STATIC_CLANG: ${missing} was not found")
endif()
if(CONDLINT_STATIC_CLANG AND NOT missing)
  target_link_libraries(condlint_clang INTERFACE -Wl,--start-group ${clang_archives} ${llvm_archives} -Wl,--end-group
    ${CONDLINT_ZLIB} ${CONDLINT_ZSTD})
  # Of these archives most is not needed.
  target_link_options(condlint_clang INTERFACE -Wl,--gc-sections)
  set(CONDLINT_HOLDS_CLANG ON)
else()
  target_link_libraries(condlint_clang INTERFACE clang-cpp LLVM)
  set(CONDLINT_HOLDS_CLANG OFF)
endif()
