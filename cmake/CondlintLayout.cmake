# CONDLINT_LAYOUT: what reads graphs and checks them, and the module that reads C++, are laid out by what runs often, with LLVM's
# BOLT. That makes the module a fifth faster, as nearly all of its time is Clang's, whose code is spread over 30 MB, and a check of
# a large model a tenth. It takes two minutes after each time that they are linked, so that it is for builds that are kept: the
# released wheel, and those that bench/compare measures.
option(CONDLINT_LAYOUT "Lay out by what runs often what reads graphs and C++ (needs bolt-22, libbolt-22-dev and lld-22)" OFF)

# condlint_lay_out(BINARY KIND): BINARY holds most of what reads KIND, `graphs` or `sources`: a program or library, whose file is
# laid out in place. The target condlint_layout does it for all of them, one after the other.
function(condlint_lay_out binary kind)
  if(NOT CONDLINT_LAYOUT)
    return()
  endif()
  if(NOT CONDLINT_HOLDS_CLANG)
    message(FATAL_ERROR "CONDLINT_LAYOUT: Clang is not linked statically (CONDLINT_STATIC_CLANG)")
  endif()
  foreach(file bin/llvm-bolt bin/merge-fdata bin/ld.lld lib/libbolt_rt_instr.a)
    if(NOT EXISTS ${LLVM_TOOLS_BINARY_DIR}/../${file})
      message(FATAL_ERROR "CONDLINT_LAYOUT: ${LLVM_TOOLS_BINARY_DIR}/../${file} is missing (Debian's packages are bolt-22, libbolt-22-dev and lld-22)")
    endif()
  endforeach()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  # What refers to what is kept in the file; the other linkers write what moves into it twice, or fail. What is the same code
  # is there once: neither Clang nor condlint tells functions apart by their address.
  target_link_options(${binary} PRIVATE -B${LLVM_TOOLS_BINARY_DIR} -fuse-ld=lld -Wl,-O2 -Wl,--icf=all -Wl,--emit-relocs)
  set_target_properties(${binary} PROPERTIES CONDLINT_IS_LAID_OUT ON) # for condlint_portable
  set(script ${PROJECT_SOURCE_DIR}/cmake/layout.py)
  set(stamp ${PROJECT_BINARY_DIR}/${binary}.layout)
  set(programs condlint)
  if(CONDLINT_PORTABLE) # the program of a wheel finds all that it does in the library
    list(APPEND programs condlint_c)
  endif()
  set(files ${programs})
  list(TRANSFORM files REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  get_property(before GLOBAL PROPERTY CONDLINT_LAYOUTS)
  add_custom_command(OUTPUT ${stamp} DEPENDS ${script} ${binary} ${programs} ${before}
    COMMAND Python3::Interpreter ${script} ${LLVM_TOOLS_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${kind} $<TARGET_FILE:${binary}> ${files}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp} COMMENT "Laying out what reads ${kind}" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY CONDLINT_LAYOUTS ${stamp})
  add_custom_target(condlint_layout_${kind} DEPENDS ${stamp})
  if(NOT TARGET condlint_layout)
    add_custom_target(condlint_layout ALL)
  endif()
  add_dependencies(condlint_layout condlint_layout_${kind})
endfunction()
