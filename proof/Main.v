(** The headline theorems, in full, with all their premises; examples that meet the premises; and what they
    assume beyond Coq itself: nothing. *)
From Deadheat Require Import Trace Clock VectorClock FastTrack MultiJoin PreciseChecks Entries Cell Packed
  Slots Overflow Locks Judge FastTrackJudge Atomics AtomicClocks.

(** ** Detectors over traces *)

(** Theorem 1. *)
Theorem vectorclock_is_sound_and_complete :
  forall α : trace, (exists s, VectorClock.steps VectorClock.initial α s) <-> race_free access α.
Proof. exact vectorclock_sound_and_complete. Qed.

(** Event for event, also after a race: the premises of the rule for e fail exactly if e races. *)
Theorem vectorclock_is_exact :
  forall (α : trace) (e : event),
    ~ premises (VectorClock.run α) e <-> exists x i, races access (α ++ [e]) x i (length α).
Proof. exact vectorclock_exact. Qed.

(** Lemma 4 of FastTrack as repaired by the paper. *)
Theorem fasttrack_lemma4 :
  forall (α : trace) (b : event) (i : nat) (a : event),
    α @ i = a -> before α b i -> K (firstn i α) a ⊑ K α b.
Proof. exact lemma4_fixed. Qed.

(** Lemma 1. *)
Theorem fasttrack_bisimulates_vectorclock :
  forall α s s' e, VectorClock.steps VectorClock.initial α s -> related s s' ->
    (forall s2, VectorClock.step s e s2 -> exists s2', ft_step s' e s2' /\ related s2 s2') /\
    (forall s2', ft_step s' e s2' -> exists s2, VectorClock.step s e s2 /\ related s2 s2').
Proof. intros α s s' e S R. apply bisimulation; auto. eapply steps_ordinary; eauto. Qed.

(** Theorem 2. *)
Theorem fasttrack_is_sound_and_complete :
  forall α : trace, (exists s, ft_steps ft_initial α s) <-> race_free access α.
Proof. exact fasttrack_sound_and_complete. Qed.

(** Theorem 3. *)
Theorem multijoin_is_sound_and_complete :
  forall α : trace, (exists s, mj_steps mj_initial α s) <-> proper α /\ race_free access α.
Proof. exact multijoin_sound_and_complete. Qed.

(** ** Precise checks (BigFoot, theorem B.1, with kinds) *)

Theorem data_races_are_check_races :
  forall (α : trace) (x : loc),
    forks_first α -> joins_last α -> all_covered α x -> all_legitimate α x ->
    (data_race_on α x <-> check_race_on α x).
Proof. exact precise_checks. Qed.

(** ** The state that src/core keeps *)

(** The cell of the eight bytes from [base], as the checks of a trace touch it. *)
Definition checked (base : loc) (e : event) : option (kind * N) :=
  match check e with
  | Some (k, x) => if (base <=? x) && (x <? base + 8) then Some (k, N.shiftl 1 (N.of_nat (x - base))) else None
  | None => None
  end.

Lemma checked_byte base b e k :
  b < 8 -> (byte (checked base) b e = Some (k, b) <-> check e = Some (k, base + b)).
Proof.
  intros B. unfold byte, checked. destruct (check e) as [[k' x]|]; [|split; discriminate].
  destruct (Nat.leb_spec base x), (Nat.ltb_spec x (base + 8)); cbn [andb];
    try (split; [discriminate|intros Q; injection Q as Q1 Q2; lia]).
  unfold on. rewrite N.shiftl_1_l, N.pow2_bits_eqb.
  destruct (N.eqb_spec (N.of_nat (x - base)) (N.of_nat b)) as [Q|Q].
  - apply Nat2N.inj in Q. split; intros X; injection X as ->; f_equal; f_equal; lia.
  - split; [discriminate|]. intros X; injection X as -> ->. exfalso; apply Q. f_equal; lia.
Qed.

(** The whole chain: checks placed precisely, clocks as the runtime keeps them (exit, several joins), the
    packed cell with its ids and sets. The bytes reported are the bytes with a data race. *)
Theorem the_cell_reports_exactly_the_racy_bytes :
  forall (α : trace) (base : loc) (T : tables) (c r : N) (b : nat),
    proper α -> forks_first α -> joins_last α ->
    b < 8 -> all_covered α (base + b) -> all_legitimate α (base + b) ->
    cell_runs MK (checked base) α T c r ->
    (on b r = true <-> data_race_on α (base + b)).
Proof.
  intros α base T c r b P FF JL B Cov Leg R.
  rewrite (cell_precise MK proper MK_exact MK_fresh proper_prefix (checked base) α T c r b P R).
  rewrite (precise_checks α (base + b) FF JL Cov Leg).
  assert (F := fun e k => checked_byte base b e k B).
  split; intros (i & j & Lt & (a & a' & k & k' & A & A' & FA & FB & Cf) & N); exists i, j;
    (split; [auto|split; [exists a, a', k, k'; rewrite ?F in *; auto|auto]]).
Qed.

(** The same for the list of entries by itself, and for whatever touches the cell: accesses or checks. *)
Theorem the_entries_report_exactly_the_racy_bytes :
  forall (α : trace) (touches : event -> option (kind * N)) (l : list entry) (r : N) (b : nat),
    proper α -> runs MK touches α (l, r) -> (on b r = true <-> race_on (byte touches b) α b).
Proof.
  intros α touches l r b P R.
  exact (entries_precise MK proper MK_exact MK_fresh proper_prefix touches α l r b P R).
Qed.

(** dh_cell_step, where it decides, does to the entries what dh_entries_step may do. *)
Theorem cell_step_is_an_entries_step :
  forall T V k id m c c' race slot now,
    good_cell c -> (id < 2 ^ 23)%N -> m <> 0%N -> (m < 256)%N -> epochs T id = (slot, now) -> V slot = now ->
    cell_step T V k id m c = Some (c', race) ->
    good_cell c' /\
    may_step (cell_entries T c) {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |} V
             (cell_entries T c') race.
Proof. exact cell_step_may. Qed.

(** Ids and sets that a cell does not refer to may be given out again. *)
Theorem collecting_ids_changes_nothing :
  forall T T' c, agree_on T T' c -> cell_entries T' c = cell_entries T c.
Proof. exact agree_entries. Qed.

(** ** Atomics and fences *)

(** In C11 and in C++20: event i by t happens before event j exactly if j's clock knows i's time. *)
Theorem atomic_clocks_capture_happens_before :
  forall (d : Dialect) (α : list aevent) (i j : nat) (a b : aevent),
    i < j -> α @ i = a -> α @ j = b ->
    (hb α i j <-> tick AK α i <= AK (firstn j α) b (fst a)).
Proof.
  intros d α i j a b. exact (hb_iff AK (fun _ => True) AK_exact (fun _ _ _ => I) α i j a b I).
Qed.

(** So the entries are as precise on traces with atomics and fences. *)
Theorem the_entries_report_exactly_the_racy_bytes_with_atomics :
  forall (d : Dialect) (α : list aevent) (touches : aevent -> option (kind * N)) (l : list entry) (r : N) (b : nat),
    runs AK touches α (l, r) -> (on b r = true <-> race_on (byte touches b) α b).
Proof.
  intros d α touches l r b R.
  exact (entries_precise AK (fun _ => True) AK_exact AK_fresh (fun _ _ _ => I) touches α l r b I R).
Qed.

(** ** Locks *)

(** Our order is the textbook's, where locks are released by whoever holds them. *)
Theorem our_order_is_the_textbooks :
  forall α : trace, held_when_released α -> forall i j, textbook_hb α i j <-> hb α i j.
Proof. exact textbook. Qed.

(** ** Slots *)

(** Reuse, under the condition that slot_reuse_locked asks of the creator's clock. *)
Theorem reusing_slots_changes_no_race :
  forall (s : tid -> nat) (α : trace) (x : loc),
    proper α -> one_at_a_time s α -> creator_knows s α ->
    (race_on access (map (slotted s) α) x <-> data_race_on α x).
Proof.
  intros s α x P O Ck. apply slots_same_races; auto using access_slotted, runtime_reuse_ok.
Qed.

(** Overflow: after event p, thread t goes on as t'. *)
Theorem overflow_changes_no_race :
  forall (α : trace) (p : nat) (t t' : tid) (x : loc),
    α @ p = (t, Fork t') ->
    (forall i a, α @ i = a -> fst a <> t') ->
    (forall i a, α @ i = a -> snd a = Fork t' -> i = p) ->
    (forall i a, α @ i = a -> snd a <> Join t') ->
    forks_first α -> joins_last α ->
    (race_on access (moved α p t t') x <-> data_race_on α x).
Proof. intros; apply overflow_same_races; auto. Qed.

(** ** The extracted judge *)

Theorem the_judge_names_every_racing_event :
  forall n α j, threads_below n α ->
    (In j (vc_judge n VectorClock.initial 0 α) <-> exists x i, races access α x i j).
Proof. exact vc_judge_exact. Qed.

Theorem the_entries_judge_names_first_races :
  forall α j, proper α ->
    (In j (e_judge mj_sync_step e_initial 0 α) <->
     exists e k x, α @ j = e /\ access e = Some (k, x) /\
                   ~ race_on access (firstn j α) x /\ race_on access (firstn (S j) α) x).
Proof. intros; apply mj_entries_judge; auto. Qed.

Theorem the_fasttrack_judge_stops_at_the_first_race :
  forall n α, threads_below n α ->
    match ft_judge n ft_initial 0 α with
    | None => race_free access α
    | Some j => race_free access (firstn j α) /\ ~ race_free access (firstn (S j) α)
    end.
Proof. exact ft_judge_exact. Qed.

(** ** The premises can be met *)

Module Examples.
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

  (** Message passing; a relaxed store by a third thread ends the release sequence, a read-modify-write does
      not; fences; and the store of the same thread on which C11 and C++20 differ. *)
  Definition message : list aevent :=
    [(0, Base (Access Write 5)); (0, Store 9 true); (1, Load 9 true); (1, Base (Access Read 5))].
  Definition broken : list aevent :=
    [(0, Base (Access Write 5)); (0, Store 9 true); (2, Store 9 false); (1, Load 9 true); (1, Base (Access Read 5))].
  Definition continued : list aevent :=
    [(0, Base (Access Write 5)); (0, Store 9 true); (2, Rmw 9 false false); (1, Load 9 true); (1, Base (Access Read 5))].
  Definition fences : list aevent :=
    [(0, Base (Access Write 5)); (0, FenceRel); (0, Store 9 false);
     (1, Load 9 false); (1, FenceAcq); (1, Base (Access Read 5))].
  Definition same_thread : list aevent :=
    [(0, Base (Access Write 5)); (0, Store 9 true); (0, Store 9 false); (1, Load 9 true); (1, Base (Access Read 5))].

  Ltac by_clocks d :=
    match goal with
    | |- @hb _ _ ?α ?i ?j => eapply (atomic_clocks_capture_happens_before d α i j); [lia|reflexivity..|]
    | |- ~ @hb _ _ ?α ?i ?j =>
        intros X; eapply (atomic_clocks_capture_happens_before d α i j) in X; [|lia|reflexivity..]; revert X
    end; vm_compute; lia.

  Lemma atomics (d : Dialect) :
    hb message 0 3 /\ ~ hb broken 0 4 /\ hb continued 0 4 /\ hb fences 0 5.
  Proof. destruct d; (split; [|split; [|split]]); by_clocks true || by_clocks false. Qed.
  Lemma dialects : @hb _ (@AtomicEvents true) same_thread 0 4 /\ ~ @hb _ (@AtomicEvents false) same_thread 0 4.
  Proof. split; [by_clocks true|by_clocks false]. Qed.
End Examples.

Print Assumptions vectorclock_is_sound_and_complete.
Print Assumptions vectorclock_is_exact.
Print Assumptions fasttrack_lemma4.
Print Assumptions fasttrack_bisimulates_vectorclock.
Print Assumptions fasttrack_is_sound_and_complete.
Print Assumptions multijoin_is_sound_and_complete.
Print Assumptions data_races_are_check_races.
Print Assumptions the_cell_reports_exactly_the_racy_bytes.
Print Assumptions the_entries_report_exactly_the_racy_bytes.
Print Assumptions cell_step_is_an_entries_step.
Print Assumptions collecting_ids_changes_nothing.
Print Assumptions atomic_clocks_capture_happens_before.
Print Assumptions the_entries_report_exactly_the_racy_bytes_with_atomics.
Print Assumptions our_order_is_the_textbooks.
Print Assumptions reusing_slots_changes_no_race.
Print Assumptions overflow_changes_no_race.
Print Assumptions the_judge_names_every_racing_event.
Print Assumptions the_entries_judge_names_first_races.
Print Assumptions the_fasttrack_judge_stops_at_the_first_race.
Print Assumptions Examples.racy_check_race.
Print Assumptions Examples.reused_premises.
Print Assumptions Examples.atomics.
Print Assumptions Examples.dialects.
