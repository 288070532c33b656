# What LibTorch is in VENTRIS_TORCH_ROOT, and a target of it; here, and in the projects of users.

# Sets VENTRIS_TORCH_VERSION: "2.13".
macro(ventris_read_torch_version)
  set(version_lines "")
  foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(NOT version_lines AND EXISTS ${VENTRIS_TORCH_ROOT}/include/${header})
      file(STRINGS ${VENTRIS_TORCH_ROOT}/include/${header} version_lines REGEX "define TORCH_VERSION_(MAJOR|MINOR)")
    endif()
  endforeach()
  string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" VENTRIS_TORCH_VERSION "${version_lines}")
endmacro()

# Makes the target ventris_torch, and sets VENTRIS_TORCH_LIBRARIES to the names of its libraries, with blanks between
# them. A CUDA build of LibTorch gets a target of our own over its libraries, because its own CMake files stop without a
# whole CUDA toolkit, even where half of one is installed.
macro(ventris_make_torch_target)
  add_library(ventris_torch INTERFACE IMPORTED)
  set(VENTRIS_TORCH_LIBRARIES "libc10.so libtorch_cpu.so libtorch.so")
  if(EXISTS ${VENTRIS_TORCH_ROOT}/lib/libtorch_cuda.so)
    # We compile nothing for CUDA ourselves, so the libraries are enough.
    set(how "a CUDA build, through a target of our own")
    string(APPEND VENTRIS_TORCH_LIBRARIES " libc10_cuda.so libtorch_cuda.so")
    foreach(piece c10 torch_cpu c10_cuda torch_cuda torch)
      list(APPEND torch_libraries ${VENTRIS_TORCH_ROOT}/lib/lib${piece}.so)
    endforeach()
    target_link_libraries(ventris_torch INTERFACE
      "-Wl,--no-as-needed" ${torch_libraries} "-Wl,--as-needed" Threads::Threads)
    target_link_options(ventris_torch INTERFACE -Wl,--allow-shlib-undefined)
    set(torch_includes ${VENTRIS_TORCH_ROOT}/include ${VENTRIS_TORCH_ROOT}/include/torch/csrc/api/include)
  else()
    set(how "through its own CMake files")
    find_package(Torch REQUIRED CONFIG PATHS ${VENTRIS_TORCH_ROOT}/share/cmake/Torch NO_DEFAULT_PATH)
    separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
    target_compile_options(ventris_torch INTERFACE ${torch_flags})
    target_link_libraries(ventris_torch INTERFACE ${TORCH_LIBRARIES})
    set(torch_includes ${TORCH_INCLUDE_DIRS})
  endif()
  target_include_directories(ventris_torch SYSTEM INTERFACE ${torch_includes})
  # LibTorch's folder of headers holds a newer fmt than the system's, without its library: use whichever is found
  # header-only.
  target_compile_definitions(ventris_torch INTERFACE FMT_HEADER_ONLY=1)
endmacro()
