#include "rt/unchecked.h"
#include "rt/shadow.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

bool dh_filling;
static struct sigaction wanted; /* by the program */

/* ---- the kernel's side ---- */

/* The kernel's struct sigaction; libc's is another. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    uint64_t flags;
    void (*restorer)(void);
    uint64_t mask;
};
enum { RESTORER = 0x04000000 }; /* SA_RESTORER */

__attribute__((naked)) static void return_from_signal(void) {
    __asm__("mov $15, %eax\n\tsyscall"); /* rt_sigreturn */
}

static uint64_t const segv = (uint64_t)1 << (SIGSEGV - 1);

static void action_set(struct kernel_action action) {
    dh_syscall(SYS_rt_sigaction, (long)SIGSEGV, &action, 0l, (long)sizeof action.mask);
}

static void handler(int signal, siginfo_t *info, void *context);

/* Ours, with what the program wants of the surroundings of its own. */
static void install(void) {
    uint64_t flags = (uint64_t)(unsigned)wanted.sa_flags & (SA_ONSTACK | SA_RESTART);
    action_set((struct kernel_action){handler, flags | SA_SIGINFO | SA_NODEFER | RESTORER,
                                      return_from_signal,
                                      *(uint64_t const *)&wanted.sa_mask & ~segv});
}

/* ---- faults ---- */

static bool map_zeros(uintptr_t at, uintptr_t size) {
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long p = dh_syscall(SYS_mmap, at & -size, size, (long)PROT_READ, flags, -1l, 0l);
    return p == (long)(at & -size);
}

/* The first access of a thread looks there, too; then it is known that it is unchecked
 * (dh_stranger_is_alone). */
static bool is_block(uintptr_t address) {
    return address - (uintptr_t)DH_BLOCKS < DH_BLOCKS_COUNT * sizeof *DH_BLOCKS;
}

/* Many pages at a time, or one where others are there already or the room is nearly used up. */
static bool fill(siginfo_t const *info) {
    uintptr_t address = (uintptr_t)info->si_addr;
    if (info->si_code != SEGV_MAPERR) return false;
    if (!dh_is_shadow(address) && !is_block(address)) return false;
    if (map_zeros(address, 1 << 16) || map_zeros(address, 1 << 12)) return true;
    unsigned char resident; /* another thread may have been quicker */
    return dh_syscall(SYS_mincore, address & -(uintptr_t)4096, 1l, &resident) == 0;
}

/* What would have happened without us. */
static void default_action(siginfo_t const *info) {
    bool sent = info->si_code <= 0;
    if (sent && wanted.sa_handler == SIG_IGN) return;
    action_set((struct kernel_action){.handler = 0});
    if (!sent) return; /* the instruction faults again */
    dh_syscall(SYS_tgkill, dh_syscall(SYS_getpid), dh_syscall(SYS_gettid), (long)SIGSEGV);
}

static void handler(int signal, siginfo_t *info, void *context) {
    if (fill(info)) return;
    struct sigaction action = wanted;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
        default_action(info);
        return;
    }
    if (action.sa_flags & SA_RESETHAND) wanted = (struct sigaction){.sa_handler = SIG_DFL};
    action.sa_sigaction(signal, info, context);
}

/* ---- the program's side ---- */

int dh_unchecked_sigaction(struct sigaction const *action, struct sigaction *old) {
    struct sigaction before = wanted;
    if (action) {
        wanted = *action;
        install();
    }
    if (old) *old = before;
    return 0;
}

/* ---- the beginning ---- */

static bool there_is_room(void) {
    uintptr_t size = 0;
    for (int i = 0; i < DH_STRETCHES; i++)
        size += dh_stretches[i].to - dh_stretches[i].from;
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    long p = dh_syscall(SYS_mmap, 0l, size, (long)(PROT_READ | PROT_WRITE), flags, -1l, 0l);
    if (p < 0 && p > -4096) return false;
    dh_syscall(SYS_munmap, p, size);
    return true;
}

void dh_unchecked_init(void) {
    dh_shadow_place();
    if (there_is_room()) {
        dh_shadow_init();
        return;
    }
    dh_filling = true;
    dh_syscall(SYS_rt_sigprocmask, (long)SIG_UNBLOCK, &segv, 0l, (long)sizeof segv);
    install();
}
