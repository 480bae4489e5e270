# What `cmake --install` puts where: the program, the libraries with their
# headers and CMake package, the man page, the completions and the documents.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY CONDLINT_LIBRARIES)
install(TARGETS condlint RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET condlint_cxx_module)
  install(TARGETS condlint_cxx_module condlint_tidy condlint_tidy_checks LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/condlint)
endif()
install(TARGETS condlint_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${libraries} EXPORT condlintTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/condlint DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/condlint)
install(EXPORT condlintTargets NAMESPACE condlint:: DESTINATION ${package_dir})
set(condlint_cuda_package)
if(CONDLINT_WITH_CUDA)
  set(condlint_cuda_package CUDAToolkit)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/condlintConfig.cmake.in
  ${PROJECT_BINARY_DIR}/condlintConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/condlintConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/condlintConfig.cmake ${PROJECT_BINARY_DIR}/condlintConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/CondlintCheck.cmake
  DESTINATION ${package_dir})

install(FILES ${PROJECT_SOURCE_DIR}/docs/condlint.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
set(completions ${PROJECT_SOURCE_DIR}/tool/completions)
install(FILES ${completions}/condlint.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME condlint)
install(FILES ${completions}/_condlint DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completions}/condlint.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The documents keep the places that they have here, so that their links to one another lead somewhere.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/checks DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.schema.json" PATTERN "*.png"
  PATTERN engine EXCLUDE PATTERN facts EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
