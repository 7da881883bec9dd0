# The Metal kernels and their host's part. Nobody has run them on a Mac so far (docs/devices.md), and their compiler comes
# with Xcode alone: where they do not compile, a build has graph in their place and says so, unless they were asked for.

set(LOGIT_AUDIT_METAL_KERNELS auto CACHE STRING "Metal kernels of our own: auto (where they compile), on or off")
if(LOGIT_AUDIT_METAL_KERNELS)
  # Not to be done within a function.
  enable_language(OBJCXX)
endif()

set(metal_folder ${CMAKE_CURRENT_LIST_DIR})
# Fast math would undo what lane/power.h does.
set(metal_compiler xcrun -sdk macosx metal -std=metal3.0 -fno-fast-math -I ${CMAKE_CURRENT_SOURCE_DIR})
set(metal_stems pairs rows)

# Sets `out` to the first thing that does not compile and what was said of it; empty where all does.
function(metal_fault out)
  set(${out} "" PARENT_SCOPE)
  foreach(stem IN LISTS metal_stems)
    execute_process(
      COMMAND ${metal_compiler} -c ${metal_folder}/${stem}.metal -o ${CMAKE_BINARY_DIR}/tried_${stem}.air
      RESULT_VARIABLE status ERROR_VARIABLE said OUTPUT_QUIET)
    if(NOT status EQUAL 0)
      set(${out} "${stem}.metal: ${status}\n${said}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(vendor ${CMAKE_CURRENT_SOURCE_DIR}/vendor/llama.cpp)
  try_compile(metal_host_compiles ${CMAKE_BINARY_DIR}/metal_host
    SOURCES ${metal_folder}/metal.mm
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${CMAKE_CURRENT_SOURCE_DIR};${vendor}/include;${vendor}/ggml/include"
    COMPILE_DEFINITIONS -DLOGIT_AUDIT_METAL_KERNELS "-DLOGIT_AUDIT_METAL_LIBRARY=\"library\""
    OUTPUT_VARIABLE said
    OBJCXX_STANDARD 17)
  if(NOT metal_host_compiles)
    set(${out} "metal.mm:\n${said}" PARENT_SCOPE)
  endif()
endfunction()

# Adds the kernels to a target.
function(add_metal_kernels target)
  set(library ${CMAKE_BINARY_DIR}/logit_audit.metallib)
  set(parts)
  foreach(stem IN LISTS metal_stems)
    set(part ${CMAKE_BINARY_DIR}/${stem}.air)
    add_custom_command(OUTPUT ${part}
      COMMAND ${metal_compiler} -c ${metal_folder}/${stem}.metal -o ${part}
      DEPENDS ${metal_folder}/${stem}.metal ${metal_folder}/block.h ${metal_folder}/arguments.h
        metrics/lane/language.h metrics/lane/power.h metrics/lane/${stem}.h)
    list(APPEND parts ${part})
  endforeach()
  add_custom_command(OUTPUT ${library}
    COMMAND xcrun -sdk macosx metallib ${parts} -o ${library} DEPENDS ${parts})
  add_custom_target(metal_kernels DEPENDS ${library})
  add_dependencies(${target} metal_kernels)
  target_sources(${target} PRIVATE ${metal_folder}/metal.mm)
  target_compile_definitions(${target} PRIVATE LOGIT_AUDIT_METAL_KERNELS LOGIT_AUDIT_METAL_LIBRARY="${library}")
  target_link_libraries(${target} PUBLIC "-framework Metal" "-framework Foundation")
endfunction()

# Adds them to `target` where they compile. Ends the build where they were asked for and do not.
function(add_metal_kernels_if_they_compile target)
  if(NOT LOGIT_AUDIT_METAL_KERNELS)
    return()
  endif()
  metal_fault(fault)
  if(fault STREQUAL "")
    add_metal_kernels(${target})
  elseif(LOGIT_AUDIT_METAL_KERNELS STREQUAL "auto")
    message(WARNING "The Metal kernels of logit-audit do not compile here; graph takes their place. ${fault}")
  else()
    message(FATAL_ERROR "The Metal kernels of logit-audit do not compile here. ${fault}")
  endif()
endfunction()
