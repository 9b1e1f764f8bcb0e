(** The proved detectors, as OCaml (judge.ml reads traces and calls them). *)
From Deadheat Require Import Judge FastTrackJudge.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.

Extraction Language OCaml.
Set Warnings "-extraction-default-directory".
Extraction "detectors.ml" vc_judge initial ft_judge ft_initial e_judge e_initial sync_step mj_sync_step.
