(** The entries of src/core as a program: the first race of each byte. For any events and any way of keeping clocks
    that is exact: the clocks of VectorClock, of MultiJoin, and with atomics those of Heads.v. *)
From Deadheat Require Export Answers MultiJoin HeadClocks.

Record j_state (S : Type) := { j_clocks : S; lists : loc -> list entry; told : list loc }.
Arguments j_clocks {S}.
Arguments lists {S}.
Arguments told {S}.

Section Program.
  Context {event S : Type}.
  Variables (who : event -> tid) (step : S -> event -> S) (see : S -> event -> clock).
  (** What an event does to memory: the kind of access, and the bytes. *)
  Variable touched : event -> option (kind * list loc).

  (** Each byte is the first one of a cell of its own. Answers the bytes on which e is the first to race. *)
  Definition j_next (s : j_state S) (e : event) : j_state S * list loc :=
    let after := step (j_clocks s) e in
    match touched e with
    | None => ({| j_clocks := after; lists := lists s; told := told s |}, [])
    | Some (k, xs) =>
        let V := see (j_clocks s) e in
        let a := {| e_slot := who e; e_tick := V (who e); e_mask := 1%N; e_kind := k |} in
        let found := filter (fun x => negb (N.eqb (snd (entries_step (lists s x) a V)) 0)
                                      && negb (existsb (Nat.eqb x) (told s))) xs in
        ({| j_clocks := after; lists := change xs (fun _ l => fst (entries_step l a V)) (lists s);
            told := found ++ told s |}, found)
    end.
End Program.

Section Proof.
  Context {event : Type} {E : Events event} {S : Type}.
  Variables (s0 : S) (step : S -> event -> S) (see : S -> event -> clock).
  Variable touched : event -> option (kind * list loc).
  Let KS (α : list event) (e : event) : clock := see (fold_left step α s0) e.
  Variable ok : list event -> Prop.
  Hypothesis KS_exact : exact KS ok.
  Hypothesis KS_fresh : fresh KS ok.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.

  Definition j_initial : j_state S := {| j_clocks := s0; lists := fun _ => []; told := [] |}.

  Definition only (x : loc) (e : event) : option (kind * N) :=
    match touch touched x e with Some (k, _) => Some (k, 1%N) | None => None end.

  Lemma only_race α x : race_on (byte (only x) 0) α 0 <-> race_on (touch touched x) α x.
  Proof.
    assert (F : forall e k, byte (only x) 0 e = Some (k, 0) <-> touch touched x e = Some (k, x)).
    { intros e k. unfold byte, only, touch. destruct (touched e) as [[k' ys]|]; [|split; discriminate].
      destruct (existsb (Nat.eqb x) ys); simpl; split; intros Q; congruence. }
    split; intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N); exists i, j; split; auto; split; auto;
      exists a, b, k, k'; rewrite !F in *; auto.
  Qed.

  Definition j_inv (α : list event) (s : j_state S) : Prop :=
    j_clocks s = fold_left step α s0 /\
    forall x, exists r, runs KS (only x) α (lists s x, r) /\ (In x (told s) <-> on 0 r = true).

  (** e is the first to complete a race on x. *)
  Definition first_race (α : list event) (e : event) (x : loc) : Prop :=
    ~ race_on (touch touched x) α x /\ race_on (touch touched x) (α ++ [e]) x.

  (** The answer about a cell whose mask is one byte. *)
  Lemma one_byte l a V : e_mask a = 1%N -> on 0 (snd (entries_step l a V)) = negb (N.eqb (snd (entries_step l a V)) 0).
  Proof.
    intros Q. set (r := snd (entries_step l a V)).
    assert (M : N.land r 1 = r).
    { unfold r, entries_step. destruct (on_record _ _); [reflexivity|]. simpl.
      induction l as [|e l IH]; [reflexivity|]. simpl.
      rewrite N.land_lor_distr_l, IH. f_equal. unfold racy. destruct (same_epoch _ _); auto.
      destruct (entry_races _ _ _); auto. rewrite Q, <- N.land_assoc. auto. }
    unfold on. change (N.of_nat 0) with 0%N. rewrite <- M at 2. destruct (N.testbit r 0) eqn:B0.
    - symmetry. apply negb_true_iff. apply N.eqb_neq. intros Z.
      assert (X : N.testbit (N.land r 1) 0 = false) by (rewrite Z; auto).
      rewrite N.land_spec, B0 in X. discriminate.
    - symmetry. apply negb_false_iff. apply N.eqb_eq. apply N.bits_inj. intros n.
      rewrite N.land_spec, N.bits_0. destruct (N.eq_dec n 0) as [->|Nn]; [rewrite B0; auto|].
      replace (N.testbit 1 n) with false; [apply andb_false_r|]. symmetry.
      change 1%N with (2 ^ 0)%N. rewrite N.pow2_bits_eqb. apply N.eqb_neq. auto.
  Qed.

  Lemma j_inv_next α e s s' found :
    ok (α ++ [e]) -> j_inv α s -> j_next thread step see touched s e = (s', found) ->
    j_inv (α ++ [e]) s' /\ forall x, In x found <-> first_race α e x.
  Proof.
    intros O (Q & I) Sn. unfold j_next in Sn.
    assert (OLD : forall x, touch touched x e = None -> exists r, runs KS (only x) (α ++ [e]) (lists s x, r) /\
                                              (In x (told s) <-> on 0 r = true)).
    { intros x T. destruct (I x) as (r & R & Tr). exists r. split; auto. apply runs_other; auto.
      unfold only; rewrite T; auto. }
    destruct (touched e) as [[k xs]|] eqn:T.
    2: { injection Sn as <- <-. assert (N : forall x, touch touched x e = None) by (intros; apply touch_none; auto).
         split.
         - split; simpl; [rewrite fold_left_app, Q; auto|auto].
         - intros x. split; [intros []|]. intros (A & B). apply (untouched_race touched α e x (N x)) in B.
           contradiction. }
    set (V := see (j_clocks s) e) in *.
    set (a := {| e_slot := thread e; e_tick := V (thread e); e_mask := 1%N; e_kind := k |}) in *.
    set (new := fun x => negb (N.eqb (snd (entries_step (lists s x) a V)) 0)
                         && negb (existsb (Nat.eqb x) (told s))) in *.
    assert (TX := fun x => touch_in touched e k xs x T). assert (TN := fun x => touch_out touched e k xs x T).
    assert (NEXT : forall x, In x xs -> exists r,
              runs KS (only x) α (lists s x, r) /\ (In x (told s) <-> on 0 r = true) /\
              runs KS (only x) (α ++ [e]) (fst (entries_step (lists s x) a V),
                                            N.lor r (snd (entries_step (lists s x) a V)))).
    { intros x Ix. destruct (I x) as (r & R & Tr). exists r. split; auto. split; auto.
      eapply runs_access; eauto.
      - unfold only. rewrite (TX x Ix). reflexivity.
      - apply entries_step_may. unfold access_of, KS. rewrite <- Q. fold V. fold a. apply surjective_pairing. }
    assert (NEW : forall x r, In x xs -> (In x (told s) <-> on 0 r = true) ->
              (new x = true <-> on 0 (snd (entries_step (lists s x) a V)) = true /\ on 0 r <> true)).
    { intros x r Ix Tr. unfold new. rewrite andb_true_iff, (one_byte (lists s x) a V eq_refl).
      rewrite <- (mem_iff x (told s)) in Tr.
      destruct (existsb (Nat.eqb x) (told s)), (on 0 r); simpl; intuition congruence. }
    injection Sn as <- <-. split.
    - split; simpl; [rewrite fold_left_app, <- Q; auto|]. intros x.
      destruct (in_dec Nat.eq_dec x xs) as [Ix|Ix].
      + rewrite change_in by auto. destruct (NEXT x Ix) as (r & R & Tr & R'). eexists. split; [exact R'|].
        rewrite in_app_iff, filter_In, (NEW x r Ix Tr), on_lor, orb_true_iff, Tr.
        destruct (on 0 r), (on 0 (snd (entries_step (lists s x) a V))); intuition congruence.
      + rewrite change_out by auto. destruct (OLD x (TN x Ix)) as (r & R & Tr). exists r. split; auto.
        rewrite in_app_iff, filter_In. rewrite <- Tr. tauto.
    - intros x. rewrite filter_In. unfold first_race. destruct (in_dec Nat.eq_dec x xs) as [Ix|Ix].
      + destruct (NEXT x Ix) as (r & R & Tr & R'). rewrite (NEW x r Ix Tr).
        rewrite <- !only_race, <- (entries_precise KS ok KS_exact KS_fresh ok_prefix _ _ _ _ 0 (ok_prefix _ _ O) R).
        rewrite <- (entries_precise KS ok KS_exact KS_fresh ok_prefix _ _ _ _ 0 O R').
        rewrite on_lor, orb_true_iff. tauto.
      + split; [tauto|]. intros (A & B). apply (untouched_race touched α e x (TN x Ix)) in B. contradiction.
  Qed.

  Theorem first_races_exact α j x :
    ok α ->
    ((exists found, In (j, found) (answers (j_next thread step see touched) j_initial 0 α) /\ In x found) <->
     exists e, α @ j = e /\ first_race (firstn j α) e x).
  Proof.
    intros O. apply (answers_exact (j_next thread step see touched) ok ok_prefix j_inv first_race j_inv_next); auto.
    split; auto. intros y. exists 0%N. split; [constructor|]. simpl. split; [tauto|discriminate].
  Qed.
End Proof.

(** ** With the clocks of VectorClock and MultiJoin *)

Definition accessed (e : event) : option (kind * list loc) :=
  match access e with Some (k, x) => Some (k, [x]) | None => None end.

Definition vc_entries_judge : trace -> list (nat * list loc) :=
  answers (j_next fst sync_step view accessed) (j_initial initial_clocks) 0.
Definition mj_entries_judge : trace -> list (nat * list loc) :=
  answers (j_next fst mj_sync_step view accessed) (j_initial initial_clocks) 0.

(** The one byte of an access, as its location. *)
Lemma accessed_race α x : race_on (touch accessed x) α x <-> race_on access α x.
Proof.
  assert (F : forall e k, touch accessed x e = Some (k, x) <-> access e = Some (k, x)).
  { intros e k. unfold touch, accessed. destruct (access e) as [[k' y]|]; [|split; discriminate]. simpl.
    rewrite orb_false_r. destruct (Nat.eqb_spec x y) as [->|N]; split; intros Q; congruence. }
  split; intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N); exists i, j; split; auto; split; auto;
    exists a, b, k, k'; rewrite !F in *; auto.
Qed.

Theorem vc_entries_judge_exact α j x :
  (exists found, In (j, found) (vc_entries_judge α) /\ In x found) <->
  exists e, α @ j = e /\ ~ race_on access (firstn j α) x /\ race_on access (firstn j α ++ [e]) x.
Proof.
  unfold vc_entries_judge.
  rewrite (first_races_exact initial_clocks sync_step view accessed (fun _ => True) K_exact K_fresh (fun _ _ _ => I)) by auto.
  unfold first_race. split; intros (e & A & X); exists e; rewrite ?accessed_race in *; auto.
Qed.

Theorem mj_entries_judge_exact α j x :
  proper α ->
  ((exists found, In (j, found) (mj_entries_judge α) /\ In x found) <->
   exists e, α @ j = e /\ ~ race_on access (firstn j α) x /\ race_on access (firstn j α ++ [e]) x).
Proof.
  intros P. unfold mj_entries_judge.
  rewrite (first_races_exact initial_clocks mj_sync_step view accessed proper MK_exact MK_fresh proper_prefix) by auto.
  unfold first_race. split; intros (e & A & X); exists e; rewrite ?accessed_race in *; auto.
Qed.

(** ** With atomics and fences *)

(** Plain accesses, and atomic operations, which are accesses to all their bytes. *)
Definition atomic_accessed (e : aevent) : option (kind * list loc) :=
  match snd e with
  | Base (Access k x) => Some (k, [x])
  | Load xs _ => Some (AtomicRead, xs)
  | Store xs _ _ | Rmw xs _ _ => Some (AtomicWrite, xs)
  | _ => None
  end.

Definition atomic_judge (n : nat) : list aevent -> list (nat * list loc) :=
  answers (j_next fst (h_step n) (h_view n) atomic_accessed) (j_initial h_initial) 0.

Theorem atomic_judge_exact n α j x :
  (exists found, In (j, found) (atomic_judge n α) /\ In x found) <->
  exists e, α @ j = e /\ first_race atomic_accessed (firstn j α) e x.
Proof.
  unfold atomic_judge.
  apply (first_races_exact h_initial (h_step n) (h_view n) atomic_accessed (fun _ => True) (HK_exact n) (HK_fresh n)
           (fun _ _ _ => I)); auto.
Qed.
