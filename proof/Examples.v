(** The premises of the theorems in Main.v can be met: small executions that meet them. *)
From Deadheat Require Import Trace Clock VectorClock MultiJoin PreciseChecks Slots Overflow Locks Judge Atomics
  AtomicClocks Inline LazyEntries.

(** Two threads, a lock, one location checked after its accesses; and one more access without the lock. *)
Definition ordered : trace :=
  [(0, Fork 1); (0, Acq 7); (0, Access Write 5); (0, Check Write 5); (0, Rel 7);
   (1, Acq 7); (1, Access Read 5); (1, Check Read 5); (1, Rel 7)].
Definition racy : trace :=
  ordered ++ [(0, Access Write 5); (0, Check Write 5); (1, Exit); (0, Join 1)].

(** Goes through the events of an example one by one. *)
Ltac position A :=
  let i := match type of A with nth_error _ ?i = _ => i end in
  destruct i as [|i]; cbn in A;
  [try discriminate A; injection A; clear A; intros; subst
  |match type of A with None = Some _ => discriminate A | _ => position A end].
Ltac positions :=
  repeat match goal with A : nth_error _ _ = Some _ |- _ => position A end.

Lemma ordered_race_free : race_free access ordered.
Proof.
  intros x (i & j & R). assert (B : threads_below 2 ordered).
  { intros l a A. positions; cbn; lia. }
  assert (X : In j (vc_judge 2 VectorClock.initial 0 ordered)) by (apply (vc_judge_exact 2 _ j B); eauto).
  vm_compute in X. exact X.
Qed.

Lemma racy_races : data_race_on racy 5.
Proof.
  assert (B : threads_below 2 racy).
  { intros l a A. positions; cbn; lia. }
  assert (X : In 9 (vc_judge 2 VectorClock.initial 0 racy)) by (vm_compute; auto).
  apply (vc_judge_exact 2 _ 9 B) in X. destruct X as (x & i & R).
  exists i, 9. destruct R as (Lt & (a & b & k & k' & A & Bj & FA & FB & Cf) & N).
  assert (Q : x = 5) by (cbn in Bj; injection Bj as <-; cbn in FB; congruence). subst x.
  split; [auto|split; [exists a, b, k, k'; auto|auto]].
Qed.

Lemma racy_proper : proper racy.
Proof.
  intros j e A. positions; split; cbn; auto;
    try (intros (l & E); positions; congruence); try (exists 11; reflexivity).
Qed.

Lemma racy_forks_first : forks_first racy.
Proof. intros i t u j b A B T. positions; cbn in *; try discriminate; try congruence; try lia. Qed.
Lemma racy_joins_last : joins_last racy.
Proof. intros i t u j b A B T. positions; cbn in *; try discriminate; try congruence; try lia. Qed.

Lemma nothing_between α P t i : ~ PreciseChecks.between α P t i (S i).
Proof. intros (l & e & Q & _). lia. Qed.

Lemma racy_covered : all_covered racy 5.
Proof.
  intros a t k A. positions.
  - exists 3. exists 0, 5, Write, Write. split; [reflexivity|split; [reflexivity|split; [intros ? X; exact X|]]].
    right. split; [lia|apply nothing_between].
  - exists 7. exists 1, 5, Read, Read. split; [reflexivity|split; [reflexivity|split; [intros ? X; exact X|]]].
    right. split; [lia|apply nothing_between].
  - exists 10. exists 0, 5, Write, Write. split; [reflexivity|split; [reflexivity|split; [intros ? X; exact X|]]].
    right. split; [lia|apply nothing_between].
Qed.
Lemma racy_legitimate : all_legitimate racy 5.
Proof.
  intros c t k A. positions.
  - exists 2. exists 0, 5, Write, Write. split; [reflexivity|split; [reflexivity|split; [intros ? X; exact X|]]].
    right. split; [lia|apply nothing_between].
  - exists 6. exists 1, 5, Read, Read. split; [reflexivity|split; [reflexivity|split; [intros ? X; exact X|]]].
    right. split; [lia|apply nothing_between].
  - exists 9. exists 0, 5, Write, Write. split; [reflexivity|split; [reflexivity|split; [intros ? X; exact X|]]].
    right. split; [lia|apply nothing_between].
Qed.

(** So its checks race, and so does any run of the cell that byte 5 is in. *)
Lemma racy_check_race : check_race_on racy 5.
Proof.
  apply precise_checks; auto using racy_forks_first, racy_joins_last, racy_covered, racy_legitimate, racy_races.
Qed.

(** Threads 1 and 2 in one slot, one after the other: the creator joined the first. *)
Definition reused : trace :=
  [(0, Fork 1); (1, Access Write 5); (1, Exit); (0, Join 1); (0, Fork 2); (2, Access Write 5); (2, Exit)].
Definition slot (t : tid) : nat := match t with 0 => 0 | _ => 1 end.

Lemma reused_premises : proper reused /\ one_at_a_time slot reused /\ creator_knows slot reused.
Proof.
  split; [|split].
  - intros j e A. positions; split; cbn; auto;
      try (intros (l & E); positions; congruence); try (exists 2; reflexivity).
  - intros i j a b w Lt A B T D S N. positions; cbn in *; try congruence; try lia;
      try (exists 4, 0; (split; [lia|split; [lia|reflexivity]]));
      exfalso; destruct D as [D|D]; try discriminate D; try (injection D as D); subst w; cbn in *; congruence.
  - intros p t u i a F Lt A D. positions; try lia; vm_compute; lia.
Qed.

(** The locks of the first example are released by whoever holds them; the racing accesses are not ordered
    in the textbook either. *)
Lemma racy_held : held_when_released racy.
Proof.
  intros k t m A. positions.
  - exists 1. split; [lia|split; [reflexivity|]].
    intros l b Lt B [R|R]; positions; try lia; cbn in R; discriminate.
  - exists 5. split; [lia|split; [reflexivity|]].
    intros l b Lt B [R|R]; positions; try lia; cbn in R; discriminate.
Qed.

(** Thread 0 runs out of ticks after its first write and goes on as thread 9. *)
Definition overflowing : trace :=
  [(0, Fork 1); (0, Access Write 5); (0, Fork 9); (0, Access Write 6); (1, Access Write 5); (1, Exit); (0, Join 1);
   (0, Access Read 5)].

Lemma overflow_premises :
  overflowing @ 2 = (0, Fork 9) /\
  (forall i a, overflowing @ i = a -> fst a <> 9) /\
  (forall i a, overflowing @ i = a -> snd a = Fork 9 -> i = 2) /\
  (forall i a, overflowing @ i = a -> snd a <> Join 9) /\
  forks_first overflowing /\ joins_last overflowing.
Proof.
  split; [reflexivity|split; [|split; [|split; [|split]]]].
  - intros i a A. positions; cbn; lia.
  - intros i a A F. positions; cbn in F; congruence.
  - intros i a A. positions; discriminate.
  - intros i t u j b A B T. positions; cbn in *; try discriminate; try congruence; try lia.
  - intros i t u j b A B T. positions; cbn in *; try discriminate; try congruence; try lia.
Qed.

Lemma overflow_moves :
  moved overflowing 2 0 9 =
  [(0, Fork 1); (0, Access Write 5); (0, Fork 9); (9, Access Write 6); (1, Access Write 5); (1, Exit); (9, Join 1);
   (9, Access Read 5)].
Proof. reflexivity. Qed.

(** Message passing; a relaxed store by a third thread ends the release sequence, a read-modify-write does
    not; fences; a store to one byte of two leaves the sequence at the other; and the store of the same thread on
    which C11 and C++20 differ. *)
Definition message : list aevent :=
  [(0, Base (Access Write 5)); (0, Store [9] true C11); (1, Load [9] true); (1, Base (Access Read 5))].
Definition broken : list aevent :=
  [(0, Base (Access Write 5)); (0, Store [9] true C11); (2, Store [9] false C11); (1, Load [9] true);
   (1, Base (Access Read 5))].
Definition continued : list aevent :=
  [(0, Base (Access Write 5)); (0, Store [9] true C11); (2, Rmw [9] false false); (1, Load [9] true);
   (1, Base (Access Read 5))].
Definition fences : list aevent :=
  [(0, Base (Access Write 5)); (0, FenceRel); (0, Store [9] false C11);
   (1, Load [9] false); (1, FenceAcq); (1, Base (Access Read 5))].
Definition halves : list aevent :=
  [(0, Base (Access Write 5)); (0, Store [8; 9] true C11); (2, Store [8] false C11); (1, Load [8; 9] true);
   (1, Base (Access Read 5))].
Definition same_thread (d : dialect) : list aevent :=
  [(0, Base (Access Write 5)); (0, Store [9] true d); (0, Store [9] false d); (1, Load [9] true);
   (1, Base (Access Read 5))].

Ltac by_clocks :=
  match goal with
  | |- hb ?α ?i ?j => eapply (atomic_hb_iff α i j); [lia|reflexivity..|]
  | |- ~ hb ?α ?i ?j =>
      intros X; eapply (atomic_hb_iff α i j) in X; [|lia|reflexivity..]; revert X
  end; vm_compute; lia.

Lemma atomics : hb message 0 3 /\ ~ hb broken 0 4 /\ hb continued 0 4 /\ hb fences 0 5 /\ hb halves 0 4.
Proof. split; [|split; [|split; [|split]]]; by_clocks. Qed.
Lemma dialects : hb (same_thread C11) 0 4 /\ ~ hb (same_thread Cxx20) 0 4.
Proof. split; by_clocks. Qed.

(** Every execution can be run with late ticks. *)
Lemma late_ticks (α : list aevent) : exists l Vs, l_runs α l Vs.
Proof.
  induction α as [|e α (l & Vs & R)] using rev_ind; [repeat econstructor|].
  eexists. eexists. eapply l_event; eauto.
Qed.

(** A cell in which epoch 5 wrote the first four bytes and read them all in a set; it may write two of them again. *)
Definition some_tables : tables :=
  {| epochs := fun id => (0, N.to_nat id);
     sets := fun _ => [word_of_epoch 5 255; word_of_epoch 6 255]; records := fun _ => [] |}.
Definition some_cell : N := cell_of (word_of_epoch 5 15) (set_word 1 255).
Lemma inlined :
  matches (cell_write some_cell) (word_of_epoch 5 255) 3 = true /\
  matches (cell_write some_cell) (word_of_epoch 5 255) 24 = false /\
  matches (cell_read some_cell) (set_word 1 255) 255 = true /\ In (word_of_epoch 5 255) (sets some_tables 1) /\
  cell_is_record some_cell = false.
Proof. repeat split; vm_compute; auto. Qed.
