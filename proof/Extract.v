(** The proved detectors, as OCaml (judge.ml reads traces and calls them). *)
From Deadheat Require Import Judge FastTrackJudge EntriesJudge FullJudge.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Extract Inlined Constant Nat.div => "(fun n m -> if m = 0 then 0 else n / m)".
Extract Inlined Constant Nat.modulo => "(fun n m -> if m = 0 then n else n mod m)".
Set Warnings "-extraction-default-directory".
Extraction "detectors.ml" vc_judge initial ft_judge ft_initial vc_entries_judge mj_entries_judge
  atomic_judge atomic_full_judge.
