(** The headline theorems, in full, with all their premises (Examples.v meets them); and what they assume beyond Coq
    itself: nothing. *)
From Deadheat Require Import Trace Clock VectorClock FastTrack MultiJoin PreciseChecks Entries Cell Packed
  Slots Overflow Locks Judge FastTrackJudge Atomics AtomicClocks Inline Heads
  HeadClocks Lazy LazyEntries EntriesJudge FullJudge.
From Deadheat Require Examples.

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

(** The inlined test: mine is the word of the running epoch with all bytes, set a set that holds it. Where a word
    matches on the bytes m of the access, the entries may stay as they are, and nothing races. *)
Theorem the_inlined_test_may_pass :
  forall T V id m slot now c,
    (id < 2 ^ 23)%N -> id <> 0%N -> (m < 256)%N -> epochs T id = (slot, now) ->
    (cell_write c < 2 ^ 32)%N -> (cell_read c < 2 ^ 32)%N ->
    (cell_is_record c = true -> cell_read c = cell_write c) ->
    let mine := word_of_epoch id 255 in
    let access k := {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |} in
    let passes k := may_step (cell_entries T c) (access k) V (cell_entries T c) 0 in
    (matches (cell_write c) mine m = true -> passes Write) /\
    (matches (cell_read c) mine m = true -> passes Read) /\
    (forall set, (set < 2 ^ 22)%N -> In mine (sets T set) ->
                 matches (cell_read c) (set_word set 255) m = true -> passes Read).
Proof. intros T V id m slot now c I1 I0 M1 ID W R S.
exact (inlined_test_may_pass T V id m slot now I1 I0 M1 ID c W R S). Qed.

(** ** Atomics and fences *)

(** In C11 and in C++20: event i by t happens before event j exactly if j's clock knows i's time. *)
Theorem atomic_clocks_capture_happens_before :
  forall (α : list aevent) (i j : nat) (a b : aevent),
    i < j -> α @ i = a -> α @ j = b ->
    (hb α i j <-> tick AK α i <= AK (firstn j α) b (fst a)).
Proof.
  exact atomic_hb_iff.
Qed.

(** So do the clocks as src/core/heads.c keeps them: of each thread the newest head of each byte. *)
Theorem heads_capture_happens_before :
  forall (n : nat) (α : list aevent) (i j : nat) (a b : aevent),
    i < j -> α @ i = a -> α @ j = b ->
    (hb α i j <-> tick (HK n) α i <= HK n (firstn j α) b (fst a)).
Proof. intros n α i j a b. exact (hb_iff (HK n) (fun _ => True) (HK_exact n) (fun _ _ _ => I) α i j a b I). Qed.

(** So the entries are as precise on traces with atomics and fences. *)
Theorem the_entries_report_exactly_the_racy_bytes_with_atomics :
  forall (α : list aevent) (touches : aevent -> option (kind * N)) (l : list entry) (r : N) (b : nat),
    runs (HK 0) touches α (l, r) -> (on b r = true <-> race_on (byte touches b) α b).
Proof.
  intros α touches l r b R.
  exact (entries_precise (HK 0) (fun _ => True) (HK_exact 0) (HK_fresh 0) (fun _ _ _ => I) touches α l r b I R).
Qed.

(** ** When clocks tick *)

(** Ticks at any time between a release and the next access: the order of an access and a later event is seen alike,
    and so is whether two accesses are of one epoch. *)
Theorem late_ticks_see_the_same_order :
  forall α l Vs, l_runs α l Vs ->
    forall i j a b Vi Vj,
      i < j -> α @ i = a -> α @ j = b -> Vs @ i = Vi -> Vs @ j = Vj -> accesses a = true ->
      (hb α i j <-> Vi (fst a) <= Vj (fst a)) /\
      (fst a = fst b -> accesses b = true -> (tick AK α i = tick AK α j <-> Vi (fst a) = Vj (fst a))).
Proof. exact late_ticks_compare_alike. Qed.

(** So dh_entries_step gives the same verdict at every event. *)
Theorem late_ticks_give_the_same_verdicts :
  forall touches α l Vs,
    (forall e, touches e <> None -> accesses e = true) -> l_runs α l Vs ->
    verdicts touches (clock_at Vs) 0 [] α = verdicts touches (eager_at α) 0 [] α.
Proof. exact late_ticks_same_verdicts. Qed.

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
  forall α j x, proper α ->
    ((exists found, In (j, found) (mj_entries_judge α) /\ In x found) <->
     exists e, α @ j = e /\ ~ race_on access (firstn j α) x /\ race_on access (firstn j α ++ [e]) x).
Proof. intros; apply mj_entries_judge_exact; auto. Qed.

(** With atomics and fences; n is only about speed. *)
Theorem the_atomic_judge_names_first_races :
  forall n α j x,
    (exists found, In (j, found) (atomic_judge n α) /\ In x found) <->
    exists e, α @ j = e /\ ~ race_on (touch atomic_accessed x) (firstn j α) x /\
              race_on (touch atomic_accessed x) (firstn j α ++ [e]) x.
Proof. exact atomic_judge_exact. Qed.

Theorem the_full_judge_names_every_racing_event :
  forall n α j x, (forall i a, α @ i = a -> fst a < n) ->
    ((exists found, In (j, found) (atomic_full_judge n α) /\ In x found) <->
     exists e, α @ j = e /\
               exists i, races (touch atomic_accessed x) (firstn j α ++ [e]) x i (length (firstn j α))).
Proof. exact atomic_full_judge_exact. Qed.

Theorem the_fasttrack_judge_stops_at_the_first_race :
  forall n α, threads_below n α ->
    match ft_judge n ft_initial 0 α with
    | None => race_free access α
    | Some j => race_free access (firstn j α) /\ ~ race_free access (firstn (S j) α)
    end.
Proof. exact ft_judge_exact. Qed.

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
Print Assumptions the_inlined_test_may_pass.
Print Assumptions atomic_clocks_capture_happens_before.
Print Assumptions heads_capture_happens_before.
Print Assumptions the_entries_report_exactly_the_racy_bytes_with_atomics.
Print Assumptions late_ticks_see_the_same_order.
Print Assumptions late_ticks_give_the_same_verdicts.
Print Assumptions our_order_is_the_textbooks.
Print Assumptions reusing_slots_changes_no_race.
Print Assumptions overflow_changes_no_race.
Print Assumptions the_judge_names_every_racing_event.
Print Assumptions the_entries_judge_names_first_races.
Print Assumptions the_atomic_judge_names_first_races.
Print Assumptions the_full_judge_names_every_racing_event.
Print Assumptions the_fasttrack_judge_stops_at_the_first_race.
Print Assumptions Examples.racy_check_race.
Print Assumptions Examples.reused_premises.
Print Assumptions Examples.racy_held.
Print Assumptions Examples.overflow_premises.
Print Assumptions Examples.atomics.
Print Assumptions Examples.dialects.
Print Assumptions Examples.late_ticks.
Print Assumptions Examples.inlined.
