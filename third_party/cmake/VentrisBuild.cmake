# Compiler settings and the functions that make our targets: one target a folder, so the link list is the layer diagram.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(VENTRIS_CCACHE ccache)
if(VENTRIS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}  # a hit in another clone too
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${VENTRIS_CCACHE})
endif()

add_library(ventris_flags INTERFACE)
target_compile_options(ventris_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(VENTRIS_WERROR)
  target_compile_options(ventris_flags INTERFACE -Werror)
endif()
if(VENTRIS_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
  # -O1: without optimisation, the tests of the engine take minutes. With it and the sanitizers, GCC gives false warnings
  # of std::optional ("may be used uninitialized"), as its manual says of -fsanitize. Other builds have this warning.
  set(VENTRIS_SANITIZED_LIBRARY_FLAGS -O1 -Wno-maybe-uninitialized)
  # The checks of undefined behaviour and optimisation would each nearly double the time that a test takes to compile.
  # What the tests call has both.
  set(VENTRIS_SANITIZED_TEST_FLAGS -O0 -fno-sanitize=undefined)
endif()
if(VENTRIS_SANITIZE_THREADS)  # -O1: without optimisation, the sanitizer takes minutes
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -O1)
  add_link_options(-fsanitize=thread)
endif()

if(VENTRIS_FUZZ)  # also counts the lines that run, for scripts/fuzz.sh --coverage
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "VENTRIS_FUZZ needs clang, which has libFuzzer: use the preset \"fuzz\".")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
    -O1 -fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fsanitize=address,undefined -fprofile-instr-generate)
endif()

# The target uses the precompiled headers of another one (ventris_header).
function(ventris_use_header target header)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL EXECUTABLE)  # a precompiled header serves only those compiled as it was: -fPIC, not -fPIE
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache see through the precompiled header
  target_precompile_headers(${target} REUSE_FROM ${header})
endfunction()

# ventris_header(name HEADERS <a> <b> ... LINKS ...): headers of other libraries that are compiled once for all targets
# that use them. The object file of the target is never used.
function(ventris_header name)
  cmake_parse_arguments(HEADER "" "" "HEADERS;LINKS" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/headers/${name}.cpp)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE ${HEADER_LINKS} ventris_flags)
  target_compile_options(${name} PRIVATE -fpch-preprocess)
  target_precompile_headers(${name} PRIVATE ${HEADER_HEADERS})
endfunction()

# One compiled torch header shared by every target of the learning half.
function(ventris_use_torch target)
  target_link_libraries(${target} PUBLIC ventris_torch)
  ventris_use_header(${target} ventris_torch_header)
endfunction()

# For an installed program or shared library that is linked to LibTorch: in the build folder, its run path names the
# folder of LibTorch; in the folder `place` of an installation, it has none. CMake could do both, but it ends a run path
# that it will replace with ':', and to the loader, an empty element is the current folder: libraries from there would be
# loaded.
function(ventris_own_run_path target place)
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
  target_link_options(${target} PRIVATE LINKER:-rpath,${VENTRIS_TORCH_ROOT}/lib)
  set(prefix "\${CMAKE_INSTALL_PREFIX}/")
  if(IS_ABSOLUTE ${place})
    set(prefix "")
  endif()
  install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}${prefix}${place}/$<TARGET_FILE_NAME:${target}>\")"
    COMPONENT programs)
endfunction()

# With VENTRIS_UNITY, some files of a target are compiled at a time, because the headers of other libraries take half of
# the time of each. They must not define the same names, not even in anonymous namespaces.
# Targets with ALONE, and files with the property SKIP_UNITY_BUILD_INCLUSION, are left out.
function(ventris_compile_together target files)
  if(VENTRIS_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  endif()
endfunction()

# ventris_wing(name USES ...): the libraries of this CMakeLists.txt are in this wing. Besides each other, they may link
# to the libraries of the wings that it uses, and of those that these use.
function(ventris_wing name)
  cmake_parse_arguments(WING "" "" "USES" ${ARGN})
  set(reach ${name})
  foreach(wing IN LISTS WING_USES)
    get_property(further GLOBAL PROPERTY VENTRIS_REACH_OF_${wing})
    list(APPEND reach ${further})
  endforeach()
  list(REMOVE_DUPLICATES reach)
  set_property(GLOBAL PROPERTY VENTRIS_REACH_OF_${name} ${reach})
  set(VENTRIS_WING ${name} PARENT_SCOPE)
endfunction()

function(ventris_check_links name)
  get_property(reach GLOBAL PROPERTY VENTRIS_REACH_OF_${VENTRIS_WING})
  foreach(link IN LISTS ARGN)
    get_property(wing GLOBAL PROPERTY VENTRIS_WING_OF_${link})
    if(wing AND NOT wing IN_LIST reach)
      message(FATAL_ERROR "lib/${VENTRIS_WING}/${name} links to ${link} in lib/${wing}, which the wing does not use.")
    endif()
  endforeach()
endfunction()

# ventris_library(name [TORCH] [ALONE] [OWN_FLAGS] SOURCES ... LINKS ...): lib/<wing>/<name> as the target ventris_<name>.
# For the projects of users it is Ventris::<name> (see VentrisInstall.cmake). ALONE: never compiled together. OWN_FLAGS: it
# has compiler flags of its own, with which it cannot use a precompiled header.
function(ventris_library name)
  cmake_parse_arguments(LIB "TORCH;ALONE;OWN_FLAGS" "" "SOURCES;LINKS" ${ARGN})
  set_property(GLOBAL PROPERTY VENTRIS_WING_OF_ventris_${name} ${VENTRIS_WING})
  ventris_check_links(${name} ${LIB_LINKS})
  list(TRANSFORM LIB_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${name}/)
  add_library(ventris_${name} STATIC ${LIB_SOURCES})
  target_include_directories(ventris_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(ventris_${name} PUBLIC ${LIB_LINKS} PRIVATE $<BUILD_INTERFACE:ventris_flags>)
  target_compile_options(ventris_${name} PRIVATE ${VENTRIS_SANITIZED_LIBRARY_FLAGS})
  target_compile_features(ventris_${name} INTERFACE cxx_std_20)
  if(LIB_TORCH)
    ventris_use_torch(ventris_${name})
  elseif(VENTRIS_UNITY AND NOT LIB_OWN_FLAGS)
    ventris_use_header(ventris_${name} ventris_library_header)
  endif()
  if(NOT LIB_ALONE)
    ventris_compile_together(ventris_${name} 8)
  endif()
  ventris_install_library(${name} ${LIB_TORCH})
endfunction()

# ventris_program(ventris-name [TORCH] SOURCES ... LINKS ...): one program of apps/. One that is linked to LibTorch is
# installed into libexec/ventris, and a copy of the launcher under its name into bin, because an installed program has
# no run path: it may be moved, and LibTorch may be anywhere (apps/ventris_launcher.cpp).
function(ventris_program name)
  cmake_parse_arguments(APP "TORCH" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${APP_SOURCES})
  target_link_libraries(${name} PRIVATE ventris_app_support ${APP_LINKS} ventris_flags)
  set(folder ${CMAKE_INSTALL_BINDIR})
  if(APP_TORCH)
    ventris_use_torch(${name})
    set(folder ${VENTRIS_LIBEXEC_DIR})
    install(PROGRAMS $<TARGET_FILE:ventris-launcher> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${name}
      COMPONENT programs)
  endif()
  add_dependencies(programs ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${folder} COMPONENT programs)
  if(APP_TORCH)
    ventris_own_run_path(${name} ${folder})
  endif()
  ventris_shell_files(${name})
endfunction()

# Completion scripts and the manual page of a program, which it writes itself, laid out as they are installed.
function(ventris_shell_files name)
  set(share ${CMAKE_BINARY_DIR}/share)
  set(files ${share}/bash-completion/completions/${name} ${share}/zsh/site-functions/_${name}
            ${share}/fish/vendor_completions.d/${name}.fish ${share}/man/man1/${name}.1)
  add_custom_command(OUTPUT ${files}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${name}> "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/third_party/cmake/WriteShellFiles.cmake
    DEPENDS ${name} ${PROJECT_SOURCE_DIR}/third_party/cmake/WriteShellFiles.cmake
    COMMENT "Completion and manual page of ${name}" VERBATIM)
  add_custom_target(${name}-shell-files ALL DEPENDS ${files})
  add_dependencies(shell_files ${name}-shell-files)
endfunction()
