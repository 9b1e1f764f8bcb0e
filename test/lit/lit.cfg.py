# How the tests of the compiler plugin are run. They call clang and opt directly, not `deadheat cc`.
#
#   %dhcc, %dhcxx   clang with the plugin, as the driver runs it
#   %ir             C to unoptimised IR, without the plugin, on standard output
#   %place          opt that only places checks: calls are seen as they were put
import os
import lit.formats

config.name = "deadheat-lit"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.binary_dir
config.environment["PATH"] = config.llvm_bindir + os.pathsep + os.environ["PATH"]

plugin = config.plugin
flags = (f"-fplugin={plugin} -fpass-plugin={plugin} -Xclang -fsanitize=thread "
         "-fno-finite-loops -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer")
config.substitutions += [
    ("%dhcc", f"clang {flags}"),
    ("%dhcxx", f"clang++ {flags}"),
    ("%ir", "clang -Xclang -fsanitize=thread -Xclang -disable-llvm-passes -O1 -S -emit-llvm -o -"),
    ("%place", f"opt -load-pass-plugin={plugin} -S -passes"),
    ("%plugin", plugin),
    ("%llvm_include", config.llvm_includedir),
    ("%src", os.path.join(config.test_source_root, "..", "..", "src")),
]
