# Makes the target ventris_torch from, in this order: a given Torch_DIR or CMAKE_PREFIX_PATH, the `torch` package of the
# active Python, the private environment .venv of scripts/setup.sh. A CUDA build of LibTorch
# gets a target of our own over its libraries, because its own CMake files stop without a whole CUDA toolkit.
set(VENTRIS_TORCH_ROOT "" CACHE PATH "Folder of the LibTorch in use (has lib/ and include/); found when empty")

function(ventris_torch_of_python python result)
  execute_process(
    COMMAND ${python} -c "import importlib.util as u; s = u.find_spec('torch')
print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE folder ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

if(NOT VENTRIS_TORCH_ROOT)
  set(found "")
  find_file(given_config TorchConfig.cmake
    HINTS ${Torch_DIR} ENV Torch_DIR ${CMAKE_PREFIX_PATH} ENV CMAKE_PREFIX_PATH
    PATH_SUFFIXES Torch share/cmake/Torch NO_CACHE NO_DEFAULT_PATH)
  if(given_config)
    get_filename_component(found ${given_config}/../../../.. ABSOLUTE)
  endif()
  foreach(python python3 ${CMAKE_SOURCE_DIR}/.venv/bin/python)
    if(NOT found)
      ventris_torch_of_python(${python} found)
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "LibTorch was not found. Run scripts/setup.sh, or activate a Python that has torch 2.11 to "
                        "2.13, or pass -DTorch_DIR=<libtorch>/share/cmake/Torch. (-DVENTRIS_LEARNING=OFF builds the "
                        "half without it.)")
  endif()
  set(VENTRIS_TORCH_ROOT ${found} CACHE PATH "" FORCE)
endif()

set(version_lines "")
foreach(header torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
  if(NOT version_lines AND EXISTS ${VENTRIS_TORCH_ROOT}/include/${header})
    file(STRINGS ${VENTRIS_TORCH_ROOT}/include/${header} version_lines REGEX "define TORCH_VERSION_(MAJOR|MINOR)")
  endif()
endforeach()
string(REGEX REPLACE ".*MAJOR ([0-9]+).*MINOR ([0-9]+).*" "\\1.\\2" VENTRIS_TORCH_VERSION "${version_lines}")
if(VENTRIS_TORCH_VERSION VERSION_LESS 2.11 OR VENTRIS_TORCH_VERSION VERSION_GREATER 2.13)
  message(FATAL_ERROR "LibTorch 2.11 to 2.13 is needed, but ${VENTRIS_TORCH_ROOT} holds ${VENTRIS_TORCH_VERSION}. "
                      "Run scripts/setup.sh for a fitting one, or pass -DTorch_DIR=.")
endif()

add_library(ventris_torch INTERFACE)
if(EXISTS ${VENTRIS_TORCH_ROOT}/lib/libtorch_cuda.so)
  # Its own CMake files stop without a whole CUDA toolkit, even where half of one is installed. We compile nothing for
  # CUDA ourselves, so the libraries are enough.
  set(how "a CUDA build, through a target of our own")
  foreach(piece c10 torch_cpu c10_cuda torch_cuda torch)
    list(APPEND torch_libraries ${VENTRIS_TORCH_ROOT}/lib/lib${piece}.so)
  endforeach()
  target_link_libraries(ventris_torch INTERFACE
    "-Wl,--no-as-needed" ${torch_libraries} "-Wl,--as-needed" Threads::Threads)
  target_link_options(ventris_torch INTERFACE -Wl,-rpath,${VENTRIS_TORCH_ROOT}/lib -Wl,--allow-shlib-undefined)
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
message(STATUS "LibTorch ${VENTRIS_TORCH_VERSION} in ${VENTRIS_TORCH_ROOT} (${how})")
