# The part `python` of an installation is what a wheel holds: the program among the scripts, and in the
# package the shared libraries, with Clang's own headers where Clang is linked in (pyproject.toml).
set(libraries condlint_c)
if(CONDLINT_WITH_CXX)
  list(APPEND libraries condlint_cxx_module condlint_tidy condlint_tidy_checks)
endif()
add_custom_target(condlint_wheel DEPENDS condlint ${libraries})
condlint_portable(condlint ${libraries})
if(TARGET condlint_layout)
  add_dependencies(condlint_wheel condlint_layout)
endif()
if(NOT SKBUILD)
  return()
endif()
set(folder condlint/_lib)
install(TARGETS condlint RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
foreach(library IN LISTS libraries)
  set(name $<TARGET_FILE_NAME:${library}>)
  if(library STREQUAL "condlint_c") # a wheel holds no links
    set(name libcondlint.so)
  endif()
  install(PROGRAMS $<TARGET_FILE:${library}> DESTINATION ${folder} RENAME ${name} COMPONENT python)
endforeach()
# For compilers (condlint.get_include); condlint itself holds them.
install(FILES ${PROJECT_SOURCE_DIR}/include/condlint/cond.h ${PROJECT_SOURCE_DIR}/include/condlint/annotations.h
  DESTINATION ${folder}/include/condlint COMPONENT python)
if(CONDLINT_WITH_CXX AND CONDLINT_PORTABLE)
  install(DIRECTORY ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include
    DESTINATION ${folder}/clang/${LLVM_VERSION_MAJOR} COMPONENT python
    # Processors on which no model runs, and what belongs to Clang's own runtime.
    REGEX "/(altivec|arm_mve|arm_cde|arm_sme|arm_sve|arm_neon_sve|hexagon_|hvx_|htmxlintrin|larchintrin|lasxintrin|lsxintrin|msa|opencl-c|ppc_wrappers|riscv_|s390intrin|sifive_|vecintrin|velintrin|wasm_|hlsl|andes_|profile/|xray/)" EXCLUDE)
endif()
if(CONDLINT_PORTABLE)
  # The licences of what is linked in.
  foreach(package llvm-22-dev libfmt-dev libsimdjson-dev libzip-dev libxxhash-dev libdeflate-dev zlib1g-dev libzstd-dev nlohmann-json3-dev
      libcli11-dev libprotozero-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${folder}/licenses RENAME ${package} COMPONENT python)
    endif()
  endforeach()
endif()
