# condlint_check(TARGET name... [TEST] [NAME name] [OPTIONS option...])
#
# Runs condlint on the C++ sources of the targets: as part of the build, whenever
# one of their objects was compiled anew, or with TEST as a test of ctest. NAME is
# what the build target or the test is called (default: condlint-TARGET); OPTIONS go
# to `condlint check` (--target tensorrt@10.13, --fail-on warning, --quiet).
#
# The compile commands are those that CMake writes for Ninja and Makefiles.
include_guard(GLOBAL)

function(condlint_check)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "TEST" "NAME" "TARGET;OPTIONS")
  if(NOT ARG_TARGET)
    message(FATAL_ERROR "condlint_check: TARGET names no target")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "condlint_check: '${ARG_UNPARSED_ARGUMENTS}' is not understood")
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.24)
    message(FATAL_ERROR "condlint_check needs CMake 3.24, and this is ${CMAKE_VERSION}")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "condlint_check needs compile commands, which CMake writes for Ninja and Makefiles only")
  endif()
  if(NOT ARG_NAME)
    list(JOIN ARG_TARGET - joined)
    string(REPLACE "::" "-" ARG_NAME "condlint-${joined}")
  endif()
  set(sources)
  set(objects)
  foreach(target IN LISTS ARG_TARGET)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "condlint_check: there is no target ${target}")
    endif()
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      set(target ${aliased})
    endif()
    set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
    get_target_property(folder ${target} SOURCE_DIR)
    # Sources that are added later count too: so this is evaluated when all is known.
    list(APPEND sources
      "$<PATH:ABSOLUTE_PATH,NORMALIZE,$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,[.](cc|cpp|cxx|c[+][+]|C|cu)$>,${folder}>")
    list(APPEND objects "$<TARGET_OBJECTS:${target}>")
  endforeach()
  set(command "${CONDLINT_EXECUTABLE}" check -p "${CMAKE_BINARY_DIR}" ${ARG_OPTIONS} ${sources})
  if(ARG_TEST)
    add_test(NAME ${ARG_NAME} COMMAND ${command} COMMAND_EXPAND_LISTS)
    return()
  endif()
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${ARG_NAME}.stamp")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND ${command}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${objects} "${CONDLINT_EXECUTABLE}"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    COMMENT "Checking the conditionals of ${ARG_TARGET}" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${ARG_NAME} ALL DEPENDS "${stamp}")
endfunction()
