# CONDLINT_LAYOUT: the module that reads C++ is laid out by what runs often, with LLVM's BOLT, which makes it a fifth faster:
# nearly all of its time is Clang's, whose code is spread over 30 MB. That takes two minutes after each time that it is
# linked, so that it is for builds that are kept: the released wheel, and those that bench/compare measures.
option(CONDLINT_LAYOUT "Lay the module that reads C++ out by what runs often (needs bolt-22, libbolt-22-dev and lld-22)" OFF)

# condlint_lay_out(MODULE PROGRAM): MODULE, with which PROGRAM reads C++; the target condlint_layout does it.
function(condlint_lay_out module program)
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
  target_link_options(${module} PRIVATE -B${LLVM_TOOLS_BINARY_DIR} -fuse-ld=lld -Wl,-O2 -Wl,--icf=all -Wl,--emit-relocs)
  set(script ${PROJECT_SOURCE_DIR}/cmake/layout.py)
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/layout.stamp)
  set(programs $<TARGET_FILE:${program}>)
  if(CONDLINT_PORTABLE) # the program of a wheel finds all that it does in the library
    list(APPEND programs $<TARGET_FILE:condlint_c>)
  endif()
  add_custom_command(OUTPUT ${stamp} DEPENDS ${script} ${module} ${program} $<$<BOOL:${CONDLINT_PORTABLE}>:condlint_c>
    COMMAND Python3::Interpreter ${script} ${LLVM_TOOLS_BINARY_DIR} ${PROJECT_SOURCE_DIR} $<TARGET_FILE:${module}> ${programs}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp} COMMENT "Laying out the module that reads C++" VERBATIM)
  add_custom_target(condlint_layout ALL DEPENDS ${stamp})
endfunction()
