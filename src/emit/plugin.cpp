/* Registration, the one thing that LLVM's plugin interface wants in C++. The work is in plugin.c.
 */
#include "emit/plugin.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<std::string> Detector("deadheat-detector", cl::init("bigfoot"),
                                     cl::desc("Deadheat: whose placement of checks"));
static cl::opt<bool> Cxx20("deadheat-cxx20", cl::desc("Deadheat: release sequences as in C++20"));
static cl::opt<bool> Stats("deadheat-stats",
                           cl::desc("Deadheat: print what became of each access"));
static cl::opt<bool> Audit("deadheat-audit",
                           cl::desc("Deadheat: have every access and every check recorded"));
static cl::opt<bool>
    Outline("deadheat-outline",
            cl::desc("Deadheat: leave checks as calls, so that they can be counted"));
static cl::opt<bool> PutOff("deadheat-put-off",
                            cl::desc("Deadheat: leave the placing of checks to the linker"));
static cl::opt<std::string>
    Explain("deadheat-explain",
            cl::desc("Deadheat: the file to write what became of each access to"));

namespace {
struct Step : PassInfoMixin<Step> {
    using Function = char const *(LLVMModuleRef, plugin_options const *);
    Function *Run;
    Step(Function *Run) : Run(Run) {}
    PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
        plugin_options Options = {Detector.c_str(), Cxx20,           Stats, Audit,
                                  Outline,          Explain.c_str(), PutOff};
        if (char const *Error = Run(wrap(&M), &Options))
            M.getContext().emitError(Twine("deadheat: ") + Error);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; } // at -O0 too, and in functions marked optnone
};
} // namespace

// Options of the compiler's own passes. Its ThreadSanitizer pass runs too, and is to change
// nothing. Equal accesses in two branches are not to become one, whose place in the source would be
// neither's. Loops stay loops until checks are placed. (clang's -fno-unroll-loops would say so to the
// linker's optimiser, too.)
static void setOptions() {
    auto SwitchOff = [](StringRef Name) {
        if (cl::Option *Option = cl::getRegisteredOptions().lookup(Name))
            Option->addOccurrence(0, Name, "false");
    };
    for (StringRef Name : {"tsan-instrument-memory-accesses", "tsan-instrument-func-entry-exit",
                           "tsan-instrument-atomics", "tsan-instrument-memintrinsics",
                           "hoist-common-insts", "sink-common-insts"})
        SwitchOff(Name);
    if (!PutOff) return;
    for (StringRef Name : {"unroll-runtime", "unroll-allow-partial"})
        SwitchOff(Name);
}

static void registerSteps(PassBuilder &PB) {
    setOptions();
    auto At = [](Step::Function *Run) {
        return [Run](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(Step(Run)); };
    };
    PB.registerOptimizerEarlyEPCallback(At(dh_plugin_place));
    PB.registerOptimizerLastEPCallback(At(dh_plugin_inline));
    // clang registers its sanitizers after plugins: what is to follow them is registered later
    // still.
    PB.registerPipelineStartEPCallback([&PB, At](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(Step(dh_plugin_start));
        PB.registerOptimizerLastEPCallback(At(dh_plugin_finish));
    });
    // In the linker.
    PB.registerFullLinkTimeOptimizationEarlyEPCallback(At(dh_plugin_link_place));
    PB.registerFullLinkTimeOptimizationLastEPCallback(At(dh_plugin_link_inline));
    // opt -passes=deadheat-place, for the tests.
    PB.registerPipelineParsingCallback(
        [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
            Step::Function *Run = Name == "deadheat-place"    ? dh_plugin_place
                                  : Name == "deadheat-inline" ? dh_plugin_inline
                                                              : nullptr;
            if (Run) MPM.addPass(Step(Run));
            return Run != nullptr;
        });
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "deadheat", "0.1.0", registerSteps};
}
