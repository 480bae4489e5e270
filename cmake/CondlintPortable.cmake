# CONDLINT_PORTABLE: programs and libraries that need nothing but glibc 2.34, for the wheel that is released
# (integration/python/release-wheel.sh). Everything else is linked in.
option(CONDLINT_PORTABLE "Link everything but glibc statically, for other machines than this one" OFF)
set(CONDLINT_STATIC_LIBRARIES "" CACHE PATH "Where integration/python/static-libraries.sh has put libfmt.a, libsimdjson.a and libzip.a")

if(CONDLINT_PORTABLE)
  # condlint_archive(VARIABLE FILE PACKAGE)
  function(condlint_archive variable file package)
    find_library(CONDLINT_${variable}_ARCHIVE ${file} HINTS ${CONDLINT_STATIC_LIBRARIES})
    mark_as_advanced(CONDLINT_${variable}_ARCHIVE)
    if(NOT CONDLINT_${variable}_ARCHIVE)
      message(FATAL_ERROR "CONDLINT_PORTABLE: ${file} was not found; it is made by ${package}")
    endif()
  endfunction()
  foreach(name fmt simdjson zip)
    string(TOUPPER ${name} variable)
    condlint_archive(${variable} lib${name}.a "integration/python/static-libraries.sh, whose folder CONDLINT_STATIC_LIBRARIES names")
  endforeach()
  condlint_archive(Z libz.a "the package zlib1g-dev")
  condlint_archive(ZSTD libzstd.a "the package libzstd-dev")
  condlint_archive(XXHASH libxxhash.a "the package libxxhash-dev")
  condlint_archive(DEFLATE libdeflate.a "the package libdeflate-dev")

  # Their headers are those of the shared libraries, whose place they take.
  foreach(library fmt simdjson)
    string(TOUPPER ${library} variable)
    get_target_property(configurations ${library}::${library} IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS configurations)
      set_target_properties(${library}::${library} PROPERTIES
        IMPORTED_LOCATION_${configuration} ${CONDLINT_${variable}_ARCHIVE} IMPORTED_SONAME_${configuration} "")
    endforeach()
  endforeach()
  foreach(name XXHASH DEFLATE)
    set_target_properties(PkgConfig::${name} PROPERTIES INTERFACE_LINK_LIBRARIES ${CONDLINT_${name}_ARCHIVE})
  endforeach()
  add_library(condlint_static_libzip INTERFACE)
  target_link_libraries(condlint_static_libzip INTERFACE ${CONDLINT_ZIP_ARCHIVE} ${CONDLINT_Z_ARCHIVE})
  set(CMAKE_SKIP_RPATH ON)
  # Nobody else's functions take the place of those in a library, so that calls within it are plain ones, or none.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-semantic-interposition>)
  # For LLVM (CondlintClang.cmake).
  set(CONDLINT_ZLIB ${CONDLINT_Z_ARCHIVE} CACHE FILEPATH "" FORCE)
  set(CONDLINT_ZSTD ${CONDLINT_ZSTD_ARCHIVE} CACHE FILEPATH "" FORCE)
endif()

# condlint_portable(TARGET...): links these programs and libraries so.
function(condlint_portable)
  if(NOT CONDLINT_PORTABLE)
    return()
  endif()
  if(NOT TARGET condlint_older_glibc)
    add_library(condlint_older_glibc OBJECT ${PROJECT_SOURCE_DIR}/cmake/OlderGlibc.cpp)
    target_link_libraries(condlint_older_glibc PRIVATE condlint_options)
  endif()
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      target_link_libraries(${target} PRIVATE $<TARGET_OBJECTS:condlint_older_glibc>)
      # What is the same code is there once, which Debian's usual linker cannot do; lld, which what is laid out needs
      # (CondlintLayout.cmake, with options of its own), makes it smaller still.
      get_target_property(is_laid_out ${target} CONDLINT_IS_LAID_OUT)
      if(NOT CONDLINT_LAYOUT)
        target_link_options(${target} PRIVATE -fuse-ld=gold -Wl,--icf=safe -Wl,-s)
      elseif(NOT is_laid_out)
        target_link_options(${target} PRIVATE -B${LLVM_TOOLS_BINARY_DIR} -fuse-ld=lld -Wl,-O2 -Wl,--icf=all -Wl,-s)
      endif()
      # Not -static-libgcc: what is in that archive asks for glibc 2.35.
      target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--gc-sections -Wl,--exclude-libs,ALL
        -Wl,--wrap=hypot -Wl,--wrap=hypotf -Wl,--wrap=arc4random -Wl,--wrap=arc4random_buf)
    endif()
  endforeach()
endfunction()

# condlint_compact(TARGET...): compiles these for size in a wheel, which must be small: the time goes elsewhere.
function(condlint_compact)
  if(CONDLINT_PORTABLE)
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE -Os)
    endforeach()
  endif()
endfunction()
