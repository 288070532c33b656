# Makes the target ventris_torch from, in this order: a given Torch_DIR or CMAKE_PREFIX_PATH, the `torch` package of the
# active Python, the private environment .venv of scripts/setup.sh.
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

include(LibTorchTarget)
ventris_read_torch_version()
if(VENTRIS_TORCH_VERSION VERSION_LESS 2.11 OR VENTRIS_TORCH_VERSION VERSION_GREATER 2.13)
  message(FATAL_ERROR "LibTorch 2.11 to 2.13 is needed, but ${VENTRIS_TORCH_ROOT} holds ${VENTRIS_TORCH_VERSION}. "
                      "Run scripts/setup.sh for a fitting one, or pass -DTorch_DIR=.")
endif()
ventris_make_torch_target()
message(STATUS "LibTorch ${VENTRIS_TORCH_VERSION} in ${VENTRIS_TORCH_ROOT} (${how})")
