/* The verbs of the command: `deadheat VERB ARGUMENTS...`, one file each. */
#ifndef DEADHEAT_DRIVER_VERB_H
#define DEADHEAT_DRIVER_VERB_H

struct dh_verb {
    char const *name;
    char const *arguments; /* for the help text */
    char const *purpose;   /* null: not for people, and not in the list */
    /* Does the work on the arguments after the verb, and returns the exit status. */
    int (*run)(struct dh_verb const *verb, char **argv);
    void (*help)(struct dh_verb const *verb); /* prints all but the usage line to standard output */
};

int dh_cc_run(struct dh_verb const *verb, char **argv);
void dh_cc_help(struct dh_verb const *verb);
int dh_cxx_run(struct dh_verb const *verb, char **argv);
int dh_replay_run(struct dh_verb const *verb, char **argv);
void dh_replay_help(struct dh_verb const *verb);
int dh_explain_run(struct dh_verb const *verb, char **argv);
void dh_explain_help(struct dh_verb const *verb);
int dh_pack_run(struct dh_verb const *verb, char **argv);
void dh_pack_help(struct dh_verb const *verb);

#endif
