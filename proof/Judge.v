(** The proved detectors as programs: what Extract.v turns into OCaml. *)
From Deadheat Require Export Packed MultiJoin Slots.

(** ** VectorClock: every event that races with an earlier one *)

Definition kinds := [Read; Write; AtomicRead; AtomicWrite].

Definition le_upto (n : nat) (V V' : clock) : bool := forallb (fun u => V u <=? V' u) (seq 0 n).

Definition clear_upto (n : nat) (H : history) (k : kind) (x : loc) (V : clock) : bool :=
  forallb (fun k' => implb (conf k k') (le_upto n (H k' x) V)) kinds.

Definition premises_upto (n : nat) (s : state) (e : event) : bool :=
  match access e with
  | Some (k, x) => clear_upto n (H s) k x (C (clk s) (fst e))
  | None => true
  end.

Fixpoint vc_judge (n : nat) (s : state) (j : nat) (α : trace) : list nat :=
  match α with
  | [] => []
  | e :: α => (if premises_upto n s e then [] else [j]) ++ vc_judge n (next s e) (S j) α
  end.

Definition threads_below (n : nat) (α : trace) : Prop := forall i a, α @ i = a -> fst a < n.

Lemma premises_upto_iff n α e :
  threads_below n α -> (premises_upto n (run α) e = true <-> premises (run α) e).
Proof.
  intros B. unfold premises_upto, premises. destruct (access e) as [[k x]|]; [|tauto].
  unfold clear_upto, clear. rewrite forallb_forall. split.
  - intros F k' X u. assert (I : In k' kinds) by (destruct k'; simpl; auto).
    specialize (F k' I). rewrite X in F. simpl in F. unfold le_upto in F. rewrite forallb_forall in F.
    destruct (Nat.lt_ge_cases u n) as [Lt|Ge].
    + apply Nat.leb_le. apply F. apply in_seq; lia.
    + destruct (run_represents α k' x u) as (_ & [->|(i & a & A & T & _)]); [lia|].
      pose proof (B i a A). simpl in T. lia.
  - intros G k' _. destruct (conf k k') eqn:X; auto. simpl. unfold le_upto. apply forallb_forall.
    intros u _. apply Nat.leb_le. apply (G k' X u).
Qed.

Lemma races_firstn f (α : trace) x i j e :
  α @ j = e -> (races f (firstn j α ++ [e]) x i j <-> races f α x i j).
Proof.
  intros A. rewrite <- (firstn_S _ _ _ A). unfold races. split.
  - intros (Lt & (a & b & k & k' & Ai & Bj & R) & N). rewrite at_firstn in Ai, Bj by lia.
    rewrite hb_firstn in N by lia. split; auto. split; auto. exists a, b, k, k'; auto.
  - intros (Lt & (a & b & k & k' & Ai & Bj & R) & N). rewrite hb_firstn by lia.
    split; auto. split; auto. exists a, b, k, k'. rewrite !at_firstn by lia. auto.
Qed.

Lemma firstn_app_exact {A} (β α : list A) : firstn (length β) (β ++ α) = β.
Proof. rewrite firstn_app, Nat.sub_diag, firstn_all. simpl. apply app_nil_r. Qed.

Theorem vc_judge_exact n α j :
  threads_below n α ->
  (In j (vc_judge n initial 0 α) <-> exists x i, races access α x i j).
Proof.
  intros B.
  assert (G : forall γ β, α = β ++ γ ->
    (In j (vc_judge n (run β) (length β) γ) <-> length β <= j /\ exists x i, races access α x i j)).
  { induction γ as [|e γ IH]; intros β Q; simpl.
    - split; [tauto|]. intros (Le & x & i & Lt & (a & b & k & k' & _ & Bj & _) & _).
      apply at_lt in Bj. rewrite Q, app_nil_r in Bj. lia.
    - assert (Q' : α = (β ++ [e]) ++ γ) by (rewrite <- app_assoc; auto).
      specialize (IH (β ++ [e]) Q'). rewrite run_snoc, app_length in IH. simpl in IH.
      replace (length β + 1) with (S (length β)) in IH by lia.
      assert (Ej : α @ (length β) = e) by (rewrite Q, nth_error_app2, Nat.sub_diag; auto).
      assert (PB : threads_below n β).
      { intros i a A. apply (B i). rewrite Q, nth_error_app1; auto. eapply at_lt; eauto. }
      assert (HERE : premises_upto n (run β) e = false <-> exists x i, races access α x i (length β)).
      { assert (FB : firstn (length β) α = β) by (rewrite Q; apply firstn_app_exact).
        assert (R1 : ~ premises (run β) e <-> exists x i, races access α x i (length β)).
        { rewrite vectorclock_exact. split; intros (x & i & R); exists x, i.
          - apply (races_firstn access α x i (length β) e Ej). rewrite FB; auto.
          - apply (races_firstn access α x i (length β) e Ej) in R. rewrite FB in R; auto. }
        rewrite <- R1, <- (premises_upto_iff n β e PB).
        destruct (premises_upto n (run β) e); split; intros X; try discriminate; auto; congruence. }
      rewrite in_app_iff, IH. destruct (premises_upto n (run β) e) eqn:PU; simpl.
      + split; [intros [[]|(Le & R)]; split; auto; lia|]. intros (Le & R). right. split; auto.
        destruct (Nat.eq_dec (length β) j) as [<-|]; [|lia].
        apply HERE in R; discriminate.
      + split.
        * intros [[<-|[]]|(Le & R)]; split; auto; [apply HERE; auto|lia].
        * intros (Le & R). destruct (Nat.eq_dec (length β) j) as [<-|]; [auto|right; split; auto; lia]. }
  specialize (G α [] eq_refl). simpl in G. change (run []) with initial in G. rewrite G.
  split; [tauto|split; auto; lia].
Qed.

(** ** Entries: the first race of each location *)

Record e_state := { e_clk : clocks; cells : loc -> list entry; told : list loc }.

Definition e_initial : e_state := {| e_clk := initial_clocks; cells := fun _ => []; told := [] |}.

(** With the clocks of VectorClock ([sync_step]) or of MultiJoin ([mj_sync_step]). *)
Definition e_next (sync : clocks -> event -> clocks) (s : e_state) (e : event) : e_state * bool :=
  match e with
  | (t, Access k x) =>
      let V := C (e_clk s) t in
      let a := {| e_slot := t; e_tick := V t; e_mask := 1%N; e_kind := k |} in
      let (l, r) := entries_step (cells s x) a V in
      let new := negb (N.eqb r 0) && negb (existsb (Nat.eqb x) (told s)) in
      ({| e_clk := e_clk s; cells := set (cells s) x l;
          told := if new then x :: told s else told s |}, new)
  | _ => ({| e_clk := sync (e_clk s) e; cells := cells s; told := told s |}, false)
  end.

Fixpoint e_judge (sync : clocks -> event -> clocks) (s : e_state) (j : nat) (α : trace) : list nat :=
  match α with
  | [] => []
  | e :: α => let (s', racy) := e_next sync s e in (if racy then [j] else []) ++ e_judge sync s' (S j) α
  end.

Section EntriesJudge.
  Variable sync : clocks -> event -> clocks.
  Hypothesis sync_access : forall s t k x, sync s (t, Access k x) = s.
  Let KS (α : trace) (e : event) : clock := view (fold_left sync α initial_clocks) e.
  Variable ok : trace -> Prop.
  Hypothesis KS_exact : exact KS ok.
  Hypothesis KS_fresh : fresh KS ok.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.

  (** Location x as the first byte of a cell of its own. *)
  Definition only (x : loc) (e : event) : option (kind * N) :=
    match access e with
    | Some (k, y) => if y =? x then Some (k, 1%N) else None
    | None => None
    end.

  Lemma only_race α x : race_on (byte (only x) 0) α 0 <-> race_on access α x.
  Proof.
    assert (F : forall e k, byte (only x) 0 e = Some (k, 0) <-> access e = Some (k, x)).
    { intros e k. unfold byte, only. destruct (access e) as [[k' y]|]; [|split; discriminate].
      destruct (Nat.eqb_spec y x) as [->|N]; simpl; split; intros Q; congruence. }
    split; intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N); exists i, j; split; auto; split; auto;
      exists a, b, k, k'; rewrite !F in *; auto.
  Qed.

  Definition e_inv (α : trace) (s : e_state) : Prop :=
    e_clk s = fold_left sync α initial_clocks /\
    forall x, exists r, runs KS (only x) α (cells s x, r) /\ (In x (told s) <-> on 0 r = true).

  Lemma e_inv_next α e s s' hit :
    ok (α ++ [e]) -> e_inv α s -> e_next sync s e = (s', hit) ->
    e_inv (α ++ [e]) s' /\
    (hit = true <-> exists k x, access e = Some (k, x) /\ ~ race_on access α x /\ race_on access (α ++ [e]) x).
  Proof.
    intros O (Q & I) S. unfold e_next in S.
    assert (OTHER : access e = None ->
      ({| e_clk := sync (e_clk s) e; cells := cells s; told := told s |}, false) = (s', hit) ->
      e_inv (α ++ [e]) s' /\
      (hit = true <-> exists k x, access e = Some (k, x) /\ ~ race_on access α x /\ race_on access (α ++ [e]) x)).
    { intros A [= <- <-]. split.
      - split; simpl; [rewrite fold_left_app, Q; auto|]. intros x. destruct (I x) as (r & R & T).
        exists r; split; auto. apply runs_other; auto. unfold only; rewrite A; auto.
      - split; [discriminate|]. intros (k & x & X & _); congruence. }
    destruct e as [t o]; destruct o as [k x| | | | | | |]; try (apply OTHER; auto; fail). clear OTHER.
    destruct (entries_step (cells s x) {| e_slot := t; e_tick := C (e_clk s) t t; e_mask := 1%N; e_kind := k |}
                (C (e_clk s) t)) as [l r'] eqn:ES.
    destruct (I x) as (r & R & T).
    assert (TX : only x (t, Access k x) = Some (k, 1%N)) by (unfold only; simpl; rewrite Nat.eqb_refl; auto).
    assert (RX : runs KS (only x) (α ++ [(t, Access k x)]) (l, N.lor r r')).
    { eapply runs_access; eauto. apply entries_step_may. unfold access_of, KS. simpl. rewrite <- Q. auto. }
    assert (P0 : on 0 r = true <-> race_on access α x).
    { rewrite <- only_race. eapply (entries_precise KS ok); eauto. }
    assert (P1 : on 0 (N.lor r r') = true <-> race_on access (α ++ [(t, Access k x)]) x).
    { rewrite <- only_race. eapply (entries_precise KS ok); eauto. }
    assert (R01 : on 0 r' = negb (N.eqb r' 0)).
    { assert (M : N.land r' 1 = r').
      { unfold entries_step in ES. destruct (on_record _ _); injection ES as <- <-; [reflexivity|].
        set (l0 := cells s x). induction l0 as [|e l0 IH]; [reflexivity|]. simpl.
        rewrite N.land_lor_distr_l, IH. f_equal. unfold racy. destruct (same_epoch _ _); auto.
        destruct (entry_races _ _ _); auto. simpl. rewrite <- N.land_assoc. auto. }
      unfold on. change (N.of_nat 0) with 0%N. rewrite <- M at 2. destruct (N.testbit r' 0) eqn:B0.
      - symmetry. apply negb_true_iff. apply N.eqb_neq. intros Z.
        assert (X : N.testbit (N.land r' 1) 0 = false) by (rewrite Z; auto).
        rewrite N.land_spec, B0 in X. discriminate.
      - symmetry. apply negb_false_iff. apply N.eqb_eq. apply N.bits_inj. intros n.
        rewrite N.land_spec, N.bits_0. destruct (N.eq_dec n 0) as [->|Nn]; [rewrite B0; auto|].
        replace (N.testbit 1 n) with false; [apply andb_false_r|]. symmetry.
        change 1%N with (2 ^ 0)%N. rewrite N.pow2_bits_eqb. apply N.eqb_neq. auto. }
    assert (EX : existsb (Nat.eqb x) (told s) = true <-> In x (told s)).
    { rewrite existsb_exists. split; [intros (y & Y & E); apply Nat.eqb_eq in E; subst; auto|].
      intros Y; exists x; split; auto. apply Nat.eqb_refl. }
    set (new := negb (N.eqb r' 0) && negb (existsb (Nat.eqb x) (told s))) in *.
    assert (NEW : new = true <-> on 0 r' = true /\ on 0 r <> true).
    { assert (OR : on 0 r = true <-> existsb (Nat.eqb x) (told s) = true) by (rewrite EX; symmetry; exact T).
      unfold new. rewrite andb_true_iff, R01.
      destruct (existsb (Nat.eqb x) (told s)), (on 0 r); simpl; intuition congruence. }
    injection S as <- <-. split.
    - split; simpl; [rewrite fold_left_app, <- Q; simpl; rewrite sync_access; auto|].
      intros y. unfold set. destruct (Nat.eqb_spec y x) as [->|N].
      + exists (N.lor r r'). split; auto. rewrite on_lor, orb_true_iff.
        destruct new eqn:En.
        * simpl. split; auto. intros _. right. apply NEW; auto.
        * rewrite T. split; auto. intros [|Z]; auto. destruct (on 0 r); auto.
          assert (X : false = true) by (apply NEW; auto). discriminate.
      + destruct (I y) as (ry & Ry & Ty). exists ry. split.
        * apply runs_other; auto. unfold only; simpl. destruct (Nat.eqb_spec x y); congruence.
        * destruct new; auto. simpl. rewrite <- Ty. split; auto. intros [|]; congruence.
    - rewrite NEW. split.
      + intros (Z & N). exists k, x. split; auto. rewrite <- P0, <- P1. split; auto.
        rewrite on_lor, Z, orb_true_r; auto.
      + intros (k0 & x0 & [= <- <-] & N & Y). rewrite <- P0 in N. rewrite <- P1, on_lor, orb_true_iff in Y. tauto.
  Qed.

  (** Event j is named exactly if it is the first to complete a race on its location. *)
  Theorem e_judge_exact α j :
    ok α ->
    (In j (e_judge sync e_initial 0 α) <->
     exists e k x, α @ j = e /\ access e = Some (k, x) /\
                   ~ race_on access (firstn j α) x /\ race_on access (firstn (S j) α) x).
  Proof.
    intros O.
    assert (OP : forall γ β, ok (β ++ γ) -> ok β).
    { induction γ as [|e γ IH] using rev_ind; intros β X; [rewrite app_nil_r in X; auto|].
      rewrite app_assoc in X. apply ok_prefix in X. auto. }
    assert (G : forall γ β s, α = β ++ γ -> e_inv β s ->
      (In j (e_judge sync s (length β) γ) <->
       length β <= j /\ exists e k x, α @ j = e /\ access e = Some (k, x) /\
                   ~ race_on access (firstn j α) x /\ race_on access (firstn (S j) α) x)).
    { induction γ as [|e γ IH]; intros β s Q I; simpl.
      - split; [tauto|]. intros (Le & e & k & x & A & _). apply at_lt in A. rewrite Q, app_nil_r in A. lia.
      - destruct (e_next sync s e) as [s' hit] eqn:S.
        assert (Q' : α = (β ++ [e]) ++ γ) by (rewrite <- app_assoc; auto).
        destruct (e_inv_next β e s s' hit) as (I' & R'); auto.
        { apply (OP γ). rewrite <- Q'; auto. }
        specialize (IH (β ++ [e]) s' Q' I'). rewrite app_length in IH. simpl in IH.
        replace (length β + 1) with (Datatypes.S (length β)) in IH by lia.
        assert (Ej : α @ (length β) = e) by (rewrite Q, nth_error_app2, Nat.sub_diag; auto).
        assert (FB : firstn (length β) α = β) by (rewrite Q; apply firstn_app_exact).
        assert (FS : firstn (Datatypes.S (length β)) α = β ++ [e]) by (rewrite (firstn_S _ _ _ Ej), FB; auto).
        assert (HERE : hit = true <-> exists e k x, α @ (length β) = e /\ access e = Some (k, x) /\
                   ~ race_on access (firstn (length β) α) x /\
                   race_on access (firstn (Datatypes.S (length β)) α) x).
        { rewrite R', FB, FS. split.
          - intros (k & x & A & R). exists e, k, x; auto.
          - intros (e0 & k & x & A & F & R). rewrite Ej in A; injection A as <-. exists k, x; auto. }
        rewrite in_app_iff, IH. destruct hit; simpl.
        + split.
          * intros [[<-|[]]|(Le & R)]; split; auto; [apply HERE; auto|lia].
          * intros (Le & R). destruct (Nat.eq_dec (length β) j) as [<-|]; [auto|right; split; auto; lia].
        + split; [intros [[]|(Le & R)]; split; auto; lia|]. intros (Le & R). right. split; auto.
          destruct (Nat.eq_dec (length β) j) as [<-|]; [|lia]. apply HERE in R; discriminate. }
    specialize (G α [] e_initial eq_refl). simpl in G. rewrite G; [split; [tauto|split; auto; lia]|].
    split; auto. intros x. exists 0%N. split; [constructor|]. simpl. split; [tauto|discriminate].
  Qed.
End EntriesJudge.

Theorem vc_entries_judge α j :
  In j (e_judge sync_step e_initial 0 α) <->
  exists e k x, α @ j = e /\ access e = Some (k, x) /\
                ~ race_on access (firstn j α) x /\ race_on access (firstn (S j) α) x.
Proof.
  apply (e_judge_exact sync_step (fun _ _ _ _ => eq_refl) (fun _ => True) K_exact K_fresh (fun _ _ _ => I)); auto.
Qed.

Theorem mj_entries_judge α j :
  proper α ->
  (In j (e_judge mj_sync_step e_initial 0 α) <->
   exists e k x, α @ j = e /\ access e = Some (k, x) /\
                 ~ race_on access (firstn j α) x /\ race_on access (firstn (S j) α) x).
Proof.
  apply (e_judge_exact mj_sync_step (fun _ _ _ _ => eq_refl) proper MK_exact MK_fresh proper_prefix).
Qed.
