# CUDA, for `condlint run --device cuda`. Only the files that make functors run are
# compiled by nvcc. The program links the CUDA runtime statically and loads the driver and
# cuBLAS when they are needed, so it starts on machines that have neither.

set(CONDLINT_WITH_CUDA OFF)
if(CONDLINT_CUDA)
  include(CheckLanguage)
  # Two generations of machine code, and PTX for those to come.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual CACHE STRING "GPUs to compile for")
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit 12.0 QUIET)
  endif()
  if(CUDAToolkit_FOUND)
    enable_language(CUDA)
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know it of nvcc
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    # What the host compiler searches by itself must not come first for nvcc.
    list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
    set(CONDLINT_WITH_CUDA ON)
    message(STATUS "CUDA ${CUDAToolkit_VERSION}: built with the device 'cuda'")
  elseif(NOT CONDLINT_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "nvcc of CUDA 12 or newer was not found (compiles the executor's kernels for GPUs).\n"
      "Install CUDA 12 or newer and put nvcc into PATH or CUDACXX, or configure with -DCONDLINT_CUDA=OFF.")
  endif()
endif()

# condlint_with_cuda(TARGET SOURCE...): compiles these sources of the target for the host and for GPUs.
function(condlint_with_cuda target)
  if(NOT CONDLINT_WITH_CUDA)
    return()
  endif()
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  target_compile_definitions(${target} PRIVATE CONDLINT_CUDA CONDLINT_CUDA_LIBRARIES="${CUDAToolkit_LIBRARY_DIR}"
    CONDLINT_CUBLAS="libcublas.so.${CUDAToolkit_VERSION_MAJOR}")
  target_link_libraries(${target} PUBLIC CUDA::cudart_static)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:
    --extended-lambda --expt-relaxed-constexpr
    # fmt 9 takes nvcc's host compiler for one without constexpr.
    -DFMT_USE_CONSTEXPR=1
    # 0 compared with unsigned numbers, in templates.
    -diag-suppress=186>)
endfunction()
