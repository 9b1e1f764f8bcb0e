(** The state of a cell as a list of entries (src/core/entries.c, dh_entries_step), proved to report exactly
    the racy bytes, with all four kinds of access.

    The proof is about any events and any exact clocks: the clocks of VectorClock.v, MultiJoin.v or
    Atomics.v; the program's accesses or the checks placed for them. *)
From Coq Require Export NArith.
From Deadheat Require Export Clock.

(** ** The function that runs *)

Record entry := { e_slot : tid; e_tick : nat; e_mask : N; e_kind : kind }.

(** One access: its epoch is (slot, tick). *)
Definition acc := entry.

Definition subsumesb (new old : kind) : bool := (* dh_subsumes *)
  forallb (fun k => implb (conf old k) (conf new k)) [Read; Write; AtomicRead; AtomicWrite].

Definition same_epoch (e a : entry) : bool := (e_slot e =? e_slot a) && (e_tick e =? e_tick a).
Definition epoch_before (e : entry) (V : clock) : bool := e_tick e <=? V (e_slot e).

Definition on_record (l : list entry) (a : acc) : bool :=
  existsb (fun e => same_epoch e a && kind_eqb (e_kind e) (e_kind a)
                    && N.eqb (N.ldiff (e_mask a) (e_mask e)) 0) l.

Definition with_mask (e : entry) (m : N) : entry :=
  {| e_slot := e_slot e; e_tick := e_tick e; e_mask := m; e_kind := e_kind e |}.

Definition entry_races (a : acc) (V : clock) (e : entry) : bool :=
  negb (epoch_before e V) && conf (e_kind a) (e_kind e).

(** The body of the loop: what is kept of an old entry, on which bytes it races, what the new entry takes
    over from it. *)
Definition keep (a : acc) (V : clock) (e : entry) : list entry :=
  if same_epoch e a then if kind_eqb (e_kind e) (e_kind a) then [] else [e]
  else
    let shared := N.land (e_mask e) (e_mask a) in
    if N.eqb shared 0 then [e]
    else if (epoch_before e V || entry_races a V e) && subsumesb (e_kind a) (e_kind e) then
      let m := N.ldiff (e_mask e) shared in
      if N.eqb m 0 then [] else [with_mask e m]
    else [e].

Definition racy (a : acc) (V : clock) (e : entry) : N :=
  if same_epoch e a then 0%N
  else if entry_races a V e then N.land (e_mask e) (e_mask a) else 0%N.

Definition merged (a : acc) (e : entry) : N :=
  if same_epoch e a && kind_eqb (e_kind e) (e_kind a) then e_mask e else 0%N.

Definition union (f : entry -> N) (l : list entry) : N := fold_right (fun e m => N.lor (f e) m) 0%N l.

(** dh_entries_step: the new list, and verdict->racy. *)
Definition entries_step (l : list entry) (a : acc) (V : clock) : list entry * N :=
  if on_record l a then (l, 0%N)
  else (flat_map (keep a V) l ++ [with_mask a (N.lor (e_mask a) (union (merged a) l))],
        union (racy a V) l).

(** ** What may be done

    The packed cell (Cell.v) goes another way to the same answers: it may rewrite the words in another order,
    and may forget a thread's own weaker access in the epoch in which it makes a stronger one. *)

Definition same_members (l l' : list entry) : Prop := forall e, In e l <-> In e l'.

Definition strip (a : acc) (e : entry) : list entry :=
  let m := N.ldiff (e_mask e) (N.land (e_mask e) (e_mask a)) in
  if N.eqb m 0 then [] else [with_mask e m].

Definition kept (a : acc) (V : clock) (e : entry) (l : list entry) : Prop :=
  l = keep a V e \/
  (same_epoch e a = true /\ subsumes (e_kind a) (e_kind e) /\ l = strip a e).

Definition mine (a : acc) (l : list entry) : entry :=
  with_mask a (N.lor (e_mask a) (union (merged a) l)).

Definition may_step (l : list entry) (a : acc) (V : clock) (l' : list entry) (r : N) : Prop :=
  (on_record l a = true /\ same_members l' l /\ r = 0%N) \/
  (exists ls, Forall2 (kept a V) l ls /\ same_members l' (concat ls ++ [mine a l]) /\
              r = union (racy a V) l).

Lemma entries_step_may l a V l' r : entries_step l a V = (l', r) -> may_step l a V l' r.
Proof.
  unfold entries_step. destruct (on_record l a) eqn:O; intros [= <- <-].
  - left; repeat split; auto.
  - right. exists (map (keep a V) l). split; [|split; auto].
    + induction l; simpl; constructor; auto. left; auto.
      apply IHl. simpl in O. apply orb_false_iff in O; tauto.
    + rewrite <- flat_map_concat_map. split; auto.
Qed.

(** ** Facts about one byte *)

Definition on (b : nat) (m : N) : bool := N.testbit m (N.of_nat b).

Lemma on_union b f l : on b (union f l) = true <-> exists e, In e l /\ on b (f e) = true.
Proof.
  unfold on; induction l as [|e l IH]; simpl.
  - split; [discriminate|intros (e & [] & _)].
  - rewrite N.lor_spec, orb_true_iff, IH. split.
    + intros [X|(e' & I & X)]; eauto.
    + intros (e' & [->|I] & X); eauto.
Qed.

Lemma on_within b m m' : N.eqb (N.ldiff m m') 0 = true -> on b m = true -> on b m' = true.
Proof.
  unfold on; intros Z X. apply N.eqb_eq in Z.
  assert (Y : N.testbit (N.ldiff m m') (N.of_nat b) = false) by (rewrite Z; apply N.bits_0).
  rewrite N.ldiff_spec, X in Y; simpl in Y. destruct (N.testbit m' (N.of_nat b)); auto.
Qed.

Lemma on_zero b m : N.eqb m 0 = true -> on b m = false.
Proof. intros Z; apply N.eqb_eq in Z; subst; apply N.bits_0. Qed.

Lemma on_land b m m' : on b (N.land m m') = on b m && on b m'.
Proof. apply N.land_spec. Qed.

Lemma on_lor b m m' : on b (N.lor m m') = on b m || on b m'.
Proof. apply N.lor_spec. Qed.

Lemma on_ldiff b m m' : on b (N.ldiff m m') = on b m && negb (on b m').
Proof. apply N.ldiff_spec. Qed.

Lemma subsumesb_spec new old : subsumesb new old = true <-> subsumes new old.
Proof.
  unfold subsumesb, subsumes. rewrite forallb_forall. split.
  - intros H k X. specialize (H k). rewrite X in H. apply H. destruct k; simpl; auto.
  - intros H k _. specialize (H k). destruct (conf old k); simpl; auto.
Qed.

Lemma subsumes_refl k : subsumes k k.
Proof. intros k'; auto. Qed.
Lemma subsumes_trans k1 k2 k3 : subsumes k1 k2 -> subsumes k2 k3 -> subsumes k1 k3.
Proof. intros A B k X; auto. Qed.

(** ** Running it over a trace *)

Section Entries.
  Context {event : Type} {E : Events event}.
  Variable K : list event -> event -> clock.
  Variable ok : list event -> Prop.
  Hypothesis K_exact : exact K ok.
  (** Nobody else is ordered after the present epoch of a thread. *)
  Hypothesis K_fresh : fresh K ok.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.

  (** What an event does to the cell: the kind, and the bytes. *)
  Variable touches : event -> option (kind * N).

  Definition byte (b : nat) (e : event) : option (kind * loc) :=
    match touches e with
    | Some (k, m) => if on b m then Some (k, b) else None
    | None => None
    end.

  (** The list, and all bytes reported so far. *)
  Definition cell_state := (list entry * N)%type.

  Definition access_of (α : list event) (e : event) (k : kind) (m : N) : acc :=
    {| e_slot := thread e; e_tick := K α e (thread e); e_mask := m; e_kind := k |}.

  Inductive runs : list event -> cell_state -> Prop :=
  | runs_nil : runs [] ([], 0%N)
  | runs_other α s e : runs α s -> touches e = None -> runs (α ++ [e]) s
  | runs_access α l r e k m l' r' :
      runs α (l, r) -> touches e = Some (k, m) ->
      may_step l (access_of α e k m) (K α e) l' r' ->
      runs (α ++ [e]) (l', N.lor r r').

  (** i is ordered wherever j is. *)
  Definition dominated (α : list event) (i j : nat) : Prop :=
    exists a b, α @ i = a /\ α @ j = b /\
                ((thread a = thread b /\ tick K α i <= tick K α j) \/ hb α i j).

  Lemma dominated_before α e i j :
    ok (α ++ [e]) -> dominated α i j -> before α e j -> before α e i.
  Proof.
    intros O (a & b & A & B & [(T & Le)|HB]) X.
    - apply (K_exact α e i a O A). apply (K_exact α e j b O B) in X. rewrite T. lia.
    - eapply before_trans; eauto.
  Qed.

  Lemma dominated_snoc α e i j : dominated α i j -> dominated (α ++ [e]) i j.
  Proof.
    intros (a & b & A & B & D). pose proof (at_lt _ _ _ A). pose proof (at_lt _ _ _ B).
    exists a, b. rewrite !at_snoc, !tick_snoc, hb_snoc by auto. auto.
  Qed.

  (** The entry e stands for event j on byte b. *)
  Definition stands (α : list event) (b : nat) (e : entry) (j : nat) : Prop :=
    exists a, α @ j = a /\ thread a = e_slot e /\ tick K α j = e_tick e /\
              byte b a = Some (e_kind e, b) /\ on b (e_mask e) = true.

  Lemma stands_snoc α b e j x : stands α b e j -> stands (α ++ [x]) b e j.
  Proof.
    intros (a & A & R). pose proof (at_lt _ _ _ A). exists a. rewrite at_snoc, tick_snoc by auto. auto.
  Qed.

  (** The invariant of a byte that has not raced: entries are accesses that were made, and each access that
      was made is dominated by an entry that conflicts with all that it conflicts with. *)
  Definition invariant (α : list event) (b : nat) (l : list entry) : Prop :=
    (forall e, In e l -> on b (e_mask e) = true -> exists j, stands α b e j) /\
    (forall i a k, α @ i = a -> byte b a = Some (k, b) ->
       exists e j, In e l /\ stands α b e j /\ subsumes (e_kind e) k /\ dominated α i j).

  Section Step.
    Variables (α : list event) (x : event) (k : kind) (m : N) (b : nat) (l : list entry).
    Hypothesis O : ok (α ++ [x]).
    Hypothesis T : touches x = Some (k, m).
    Hypothesis I : invariant α b l.
    Hypothesis F : ~ race_on (byte b) α b.
    Let a := access_of α x k m.
    Let V := K α x.

    Lemma stands_ordered e j : stands α b e j -> (epoch_before e V = true <-> before α x j).
    Proof.
      intros (y & Y & Ty & Ti & _). unfold epoch_before. rewrite Nat.leb_le.
      rewrite (K_exact α x j y O Y), Ti, Ty. tauto.
    Qed.

    Lemma own_ordered e : same_epoch e a = true -> epoch_before e V = true.
    Proof.
      unfold same_epoch, epoch_before; simpl. rewrite andb_true_iff, Nat.eqb_eq, Nat.eqb_eq, Nat.leb_le.
      intros (-> & ->). unfold V; lia.
    Qed.

    (** What raced with this very access since has found it there. *)
    Lemma on_record_clear :
      on_record l a = true -> on b m = true ->
      forall i y k', α @ i = y -> byte b y = Some (k', b) -> conf k' k = true -> before α x i.
    Proof.
      intros R M i y k' Y B X. unfold on_record in R. apply existsb_exists in R.
      destruct R as (e & In_e & R). rewrite !andb_true_iff in R. destruct R as ((SE & KE) & W).
      apply kind_eqb_eq in KE; simpl in KE. apply (on_within b _ _ W) in M.
      destruct (proj1 I e In_e M) as (j & Sj). pose proof Sj as (z & Z & Tz & Ti & Bz & _).
      assert (BJ : before α x j) by (apply (stands_ordered e j Sj); apply own_ordered; auto).
      unfold same_epoch in SE; simpl in SE. rewrite andb_true_iff, !Nat.eqb_eq in SE. destruct SE as (SE1 & SE2).
      destruct (Nat.eq_dec (thread y) (thread x)) as [Q|Q]; [eapply before_po; eauto|].
      assert (OP : ok α) by (eapply ok_prefix; eauto).
      assert (HD := hb_dec K ok K_exact ok_prefix α).
      destruct (Nat.lt_trichotomy i j) as [Lt|[->|Lt]]; auto.
      - destruct (HD i j OP) as [HB|HB]; [eapply before_trans; eauto|].
        exfalso; apply F. exists i, j; split; auto; split; auto.
        exists y, z, k', (e_kind e). rewrite KE in *. auto.
      - destruct (HD j i OP) as [HB|HB].
        + exfalso. assert (Y2 := K_fresh α x j i z y O Z Y).
          rewrite Tz, SE1 in Y2. specialize (Y2 eq_refl Q HB). rewrite Ti, SE2 in Y2. lia.
        + exfalso; apply F. exists j, i; split; auto; split; auto.
          exists z, y, (e_kind e), k'. rewrite KE in *. rewrite conf_sym; auto.
    Qed.

    Lemma racy_iff :
      (on b (union (racy a V) l) = true <->
       on b m = true /\
       exists i y k', α @ i = y /\ byte b y = Some (k', b) /\ conf k' k = true /\ ~ before α x i).
    Proof.
      rewrite on_union. split.
      - intros (e & In_e & R). unfold racy in R.
        destruct (same_epoch e a); [unfold on in R; rewrite N.bits_0 in R; discriminate|].
        destruct (entry_races a V e) eqn:ER; [|unfold on in R; rewrite N.bits_0 in R; discriminate].
        rewrite on_land, andb_true_iff in R. destruct R as (Me & Ma). simpl in Ma.
        unfold entry_races in ER. rewrite andb_true_iff, negb_true_iff in ER. destruct ER as (NB & X).
        destruct (proj1 I e In_e Me) as (j & Sj). pose proof Sj as (z & Z & _ & _ & Bz & _).
        split; auto. exists j, z, (e_kind e). repeat split; auto.
        + rewrite conf_sym; auto.
        + intros BJ. apply (stands_ordered e j Sj) in BJ. congruence.
      - intros (M & i & y & k' & Y & B & X & NB).
        destruct (proj2 I i y k' Y B) as (e & j & In_e & Sj & Sub & D).
        assert (NJ : epoch_before e V = false).
        { destruct (epoch_before e V) eqn:Q; auto. apply (stands_ordered e j Sj) in Q.
          exfalso; apply NB. eapply dominated_before; eauto. }
        exists e; split; auto. unfold racy.
        destruct (same_epoch e a) eqn:SE; [apply own_ordered in SE; congruence|].
        unfold entry_races. rewrite NJ; simpl. rewrite conf_sym, (Sub k X).
        rewrite on_land; simpl. destruct Sj as (z & _ & _ & _ & _ & ->). rewrite M; auto.
    Qed.

    (** What is kept of an entry is the same entry on fewer bytes. *)
    Lemma kept_shrinks e l0 e' : kept a V e l0 -> In e' l0 ->
      e_slot e' = e_slot e /\ e_tick e' = e_tick e /\ e_kind e' = e_kind e /\
      (on b (e_mask e') = true -> on b (e_mask e) = true).
    Proof.
      assert (ST : In e' (strip a e) -> e_slot e' = e_slot e /\ e_tick e' = e_tick e /\ e_kind e' = e_kind e /\
                    (on b (e_mask e') = true -> on b (e_mask e) = true)).
      { unfold strip. destruct (N.eqb _ 0); [intros []|intros [<-|[]]; simpl]. repeat split; auto.
        rewrite on_ldiff, andb_true_iff; tauto. }
      intros [->|(_ & _ & ->)]; auto.
      unfold keep. destruct (same_epoch e a).
      { destruct (kind_eqb (e_kind e) (e_kind a)); [intros []|intros [<-|[]]; auto]. }
      destruct (N.eqb (N.land (e_mask e) (e_mask a)) 0); [intros [<-|[]]; auto|].
      destruct ((epoch_before e V || entry_races a V e) && subsumesb (e_kind a) (e_kind e));
        [exact ST|intros [<-|[]]; auto].
    Qed.

    (** An entry on byte b stays there, or becomes part of the new one, or is subsumed by it. *)
    Lemma kept_cases e l0 : kept a V e l0 -> on b (e_mask e) = true ->
      (exists e', In e' l0 /\ e_slot e' = e_slot e /\ e_tick e' = e_tick e /\
                  e_kind e' = e_kind e /\ on b (e_mask e') = true) \/
      (same_epoch e a = true /\ e_kind e = k) \/
      (on b m = true /\ subsumes k (e_kind e) /\
       (epoch_before e V = true \/ (same_epoch e a = false /\ entry_races a V e = true))).
    Proof.
      intros Ke M.
      assert (ST : subsumes k (e_kind e) ->
        (epoch_before e V = true \/ (same_epoch e a = false /\ entry_races a V e = true)) ->
        (exists e', In e' (strip a e) /\ e_slot e' = e_slot e /\ e_tick e' = e_tick e /\
                    e_kind e' = e_kind e /\ on b (e_mask e') = true) \/
        (same_epoch e a = true /\ e_kind e = k) \/
        (on b m = true /\ subsumes k (e_kind e) /\
         (epoch_before e V = true \/ (same_epoch e a = false /\ entry_races a V e = true)))).
      { intros Sb Or. destruct (on b m) eqn:Mb; [right; right; auto|]. left. unfold strip.
        assert (Z : on b (N.ldiff (e_mask e) (N.land (e_mask e) (e_mask a))) = true).
        { rewrite on_ldiff, on_land, M; simpl. rewrite Mb; auto. }
        destruct (N.eqb (N.ldiff (e_mask e) (N.land (e_mask e) (e_mask a))) 0) eqn:Z0.
        { apply (on_zero b) in Z0. congruence. }
        exists (with_mask e (N.ldiff (e_mask e) (N.land (e_mask e) (e_mask a)))). simpl; auto 6. }
      destruct Ke as [->|(SE & Sb & ->)]; [|apply ST; auto; left; apply own_ordered; auto].
      unfold keep. destruct (same_epoch e a) eqn:SE.
      { destruct (kind_eqb (e_kind e) (e_kind a)) eqn:KE.
        - apply kind_eqb_eq in KE. auto.
        - left; exists e; simpl; auto. }
      destruct (N.eqb (N.land (e_mask e) (e_mask a)) 0) eqn:SH; [left; exists e; simpl; auto 6|].
      destruct ((epoch_before e V || entry_races a V e) && subsumesb (e_kind a) (e_kind e)) eqn:Q;
        [|left; exists e; simpl; auto 6].
      apply andb_prop in Q; destruct Q as (Q & S). apply subsumesb_spec in S. apply orb_true_iff in Q.
      apply ST; auto. destruct Q; auto.
    Qed.

    Lemma kept_in ls e : Forall2 (kept a V) l ls -> In e l -> exists l0, In l0 ls /\ kept a V e l0.
    Proof.
      clear. induction 1 as [|e0 l0 l1 ls K0 F IH]; [intros []|].
      intros [->|In_e]; [exists l0; simpl; auto|]. destruct (IH In_e) as (l2 & A & B). exists l2; simpl; auto.
    Qed.

    Lemma in_kept ls l0 : Forall2 (kept a V) l ls -> In l0 ls -> exists e, In e l /\ kept a V e l0.
    Proof.
      clear. induction 1 as [|e0 l1 l2 ls K0 F IH]; [intros []|].
      intros [->|In_l]; [exists e0; simpl; auto|]. destruct (IH In_l) as (e & A & B). exists e; simpl; auto.
    Qed.

    Lemma byte_new : on b m = true -> byte b x = Some (k, b).
    Proof. intros M; unfold byte; rewrite T, M; auto. Qed.

    Lemma stands_new M : on b M = true -> on b m = true ->
      stands (α ++ [x]) b (with_mask a M) (length α).
    Proof.
      intros Q M'. exists x. rewrite at_last, tick_last. simpl. rewrite byte_new by auto. auto.
    Qed.

    Lemma step_invariant l' r' :
      may_step l a V l' r' -> ~ race_on (byte b) (α ++ [x]) b -> invariant (α ++ [x]) b l'.
    Proof.
      intros S NR. destruct S as [(OR & SM & ->)|(ls & F2 & SM & ->)].
      - split.
        + intros e In_e M. apply SM in In_e. destruct (proj1 I e In_e M) as (j & Sj). exists j. apply stands_snoc; auto.
        + intros i y k' Y B. apply at_snoc_inv in Y. destruct Y as [(Li & Y)|(-> & ->)].
          * destruct (proj2 I i y k' Y B) as (e & j & In_e & Sj & Sub & D).
            exists e, j. apply SM in In_e. auto using stands_snoc, dominated_snoc.
          * assert (M : on b m = true /\ k' = k).
            { unfold byte in B; rewrite T in B. destruct (on b m); [|discriminate].
              injection B as ->; auto. }
            destruct M as (M & ->). unfold on_record in OR. apply existsb_exists in OR.
            destruct OR as (e & In_e & R). rewrite !andb_true_iff in R. destruct R as ((SE & KE) & W).
            apply kind_eqb_eq in KE; simpl in KE. apply (on_within b _ _ W) in M.
            destruct (proj1 I e In_e M) as (j & Sj). exists e, j.
            split; [apply SM; auto|]. split; [apply stands_snoc; auto|]. split; [rewrite KE; apply subsumes_refl|].
            destruct Sj as (z & Z & Tz & Ti & _). pose proof (at_lt _ _ _ Z).
            unfold same_epoch in SE; simpl in SE. rewrite andb_true_iff, !Nat.eqb_eq in SE.
            destruct SE as (SE1 & SE2).
            exists x, z. rewrite at_last, at_snoc, tick_last, tick_snoc by auto.
            repeat split; auto. left. split; [congruence|]. rewrite Ti, SE2; auto.
      - set (mine := mine a l) in *.
        assert (NRC : on b (union (racy a V) l) <> true).
        { intros R. apply racy_iff in R. destruct R as (M & i & y & k' & R). apply NR.
          apply race_on_snoc. right. exists k. split; [apply byte_new; auto|]. exists i, y, k'; auto. }
        assert (MINE : forall e, In e l -> same_epoch e a = true -> e_kind e = k ->
                  on b (e_mask e) = true -> on b (e_mask mine) = true).
        { intros e In_e SE KE M. unfold mine; simpl. rewrite on_lor, orb_true_iff. right.
          apply on_union. exists e; split; auto. unfold merged. rewrite SE; simpl. rewrite KE.
          replace (kind_eqb k k) with true by (destruct k; auto). auto. }
        split.
        + intros e In_e M. apply SM in In_e. apply in_app_iff in In_e. destruct In_e as [In_e|[<-|[]]].
          * apply in_concat in In_e. destruct In_e as (l0 & In_l & In_e).
            destruct (in_kept ls l0 F2 In_l) as (e0 & In0 & Ke).
            destruct (kept_shrinks e0 l0 e Ke In_e) as (Q1 & Q2 & Q3 & Q4).
            destruct (proj1 I e0 In0 (Q4 M)) as (j & z & Z & Tz & Ti & Bz & _).
            exists j. apply stands_snoc. exists z. rewrite Q1, Q2, Q3. auto.
          * unfold mine in M; simpl in M. rewrite on_lor, orb_true_iff in M.
            destruct (on b m) eqn:Mb.
            { exists (length α). apply stands_new; auto. simpl. rewrite on_lor, Mb; auto. }
            destruct M as [M|M]; [congruence|]. assert (M' := M). apply on_union in M.
            destruct M as (e & In_e & Me). unfold merged in Me.
            destruct (same_epoch e a) eqn:SE; simpl in Me; [|unfold on in Me; rewrite ?N.bits_0 in Me; discriminate].
            destruct (kind_eqb (e_kind e) k) eqn:KE; [|unfold on in Me; rewrite ?N.bits_0 in Me; discriminate].
            apply kind_eqb_eq in KE. unfold same_epoch in SE. rewrite andb_true_iff, !Nat.eqb_eq in SE.
            destruct SE as (SE1 & SE2). destruct (proj1 I e In_e Me) as (j & z & Z & Tz & Ti & Bz & _).
            exists j. apply stands_snoc. exists z.
            split; [exact Z|]. split; [rewrite Tz; exact SE1|]. split; [rewrite Ti; exact SE2|].
            split; [rewrite Bz, KE; reflexivity|].
            unfold mine; simpl. rewrite on_lor, M', orb_true_r; auto.
        + intros i y k' Y B. apply at_snoc_inv in Y. destruct Y as [(Li & Y)|(-> & ->)].
          * destruct (proj2 I i y k' Y B) as (e & j & In_e & Sj & Sub & D).
            assert (Me : on b (e_mask e) = true) by (destruct Sj as (? & _ & _ & _ & _ & ?); auto).
            destruct (kept_in ls e F2 In_e) as (l0 & In_l & Ke).
            destruct (kept_cases e l0 Ke Me) as [(e' & In' & Q1 & Q2 & Q3 & Q4)|[(SE & KE)|(M & S & Or)]].
            -- exists e', j. split; [apply SM, in_app_iff; left; apply in_concat; eauto|].
               split; [|split; [rewrite Q3; auto|apply dominated_snoc; auto]].
               apply stands_snoc. destruct Sj as (z & Z & Tz & Ti & Bz & _). exists z.
               rewrite Q1, Q2, Q3. auto.
            -- exists mine, j. split; [apply SM, in_app_iff; right; simpl; auto|].
               pose proof (MINE e In_e SE KE Me) as MM.
               unfold same_epoch in SE. rewrite andb_true_iff, !Nat.eqb_eq in SE. destruct SE as (SE1 & SE2).
               split; [|split; [simpl; rewrite <- KE; auto|apply dominated_snoc; auto]].
               apply stands_snoc. destruct Sj as (z & Z & Tz & Ti & Bz & _). exists z.
               split; [exact Z|]. split; [rewrite Tz; exact SE1|]. split; [rewrite Ti; exact SE2|].
               split; [rewrite Bz, KE; reflexivity|exact MM].
            -- assert (Ord : epoch_before e V = true).
               { destruct Or as [|(SE & ER)]; auto. exfalso; apply NRC. apply on_union. exists e; split; auto.
                 unfold racy. rewrite SE, ER, on_land, Me; auto. }
               exists mine, (length α). split; [apply SM, in_app_iff; right; simpl; auto|].
               split; [|split].
               ++ apply stands_new; auto. simpl. rewrite on_lor, M; auto.
               ++ simpl. eapply subsumes_trans; eauto.
               ++ exists y, x. rewrite at_snoc, at_last by auto. repeat split; auto. right.
                  apply (dominated_before α x i j O D). apply (stands_ordered e j Sj); auto.
          * assert (M : on b m = true /\ k' = k).
            { unfold byte in B; rewrite T in B. destruct (on b m); [|discriminate].
              injection B as ->; auto. }
            destruct M as (M & ->). exists mine, (length α).
            split; [apply SM, in_app_iff; right; simpl; auto|]. split; [|split].
            -- apply stands_new; auto. simpl. rewrite on_lor, M; auto.
            -- apply subsumes_refl.
            -- exists x, x. rewrite at_last. auto.
    Qed.

    Lemma step_reports l' r' :
      may_step l a V l' r' -> (on b r' = true <-> race_on (byte b) (α ++ [x]) b).
    Proof.
      intros S. rewrite race_on_snoc. destruct S as [(OR & _ & ->)|(ls & _ & _ & ->)].
      - unfold on at 1; rewrite N.bits_0. split; [discriminate|].
        intros [|(k0 & B & i & y & k' & Y & By & X & NB)]; [contradiction|].
        exfalso; apply NB. unfold byte in B; rewrite T in B. destruct (on b m) eqn:M; [|discriminate].
        injection B as <-. eapply on_record_clear; eauto.
      - rewrite racy_iff. split.
        + intros (M & R). right. exists k. split; [apply byte_new; auto|auto].
        + intros [|(k0 & B & R)]; [contradiction|].
          unfold byte in B; rewrite T in B. destruct (on b m) eqn:M; [|discriminate].
          injection B as <-. auto.
    Qed.
  End Step.

  Lemma runs_correct α s b :
    runs α s -> ok α ->
    (on b (snd s) = true <-> race_on (byte b) α b) /\
    (~ race_on (byte b) α b -> invariant α b (fst s)).
  Proof.
    intros R. induction R as [|α s e R IH T|α l r e k m l' r' R IH T S]; intros O.
    - split.
      + unfold on; simpl; rewrite ?N.bits_0. split; [discriminate|]. intros X; destruct (no_race_nil _ _ X).
      + intros _; split; [intros e []|]. intros i a k A; destruct i; discriminate.
    - destruct (IH (ok_prefix _ _ O)) as (IR & II). assert (B : byte b e = None) by (unfold byte; rewrite T; auto).
      assert (Q : race_on (byte b) (α ++ [e]) b <-> race_on (byte b) α b).
      { rewrite race_on_snoc, B. split; auto. intros [|(k & X & _)]; auto; discriminate. }
      rewrite Q. split; auto. intros NR. destruct (II NR) as (I1 & I2). split.
      + intros x In_x M. destruct (I1 x In_x M) as (j & Sj). exists j; apply stands_snoc; auto.
      + intros i a k A Ba. apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)]; [|congruence].
        destruct (I2 i a k A Ba) as (x & j & In_x & Sj & Sub & D). exists x, j.
        auto using stands_snoc, dominated_snoc.
    - destruct (IH (ok_prefix _ _ O)) as (IR & II); simpl in *. rewrite on_lor, orb_true_iff.
      destruct (on b r) eqn:Rb.
      + assert (X : race_on (byte b) (α ++ [e]) b) by (apply race_on_snoc; left; apply IR; auto).
        split; [split; auto|intros N; contradiction].
      + assert (NR : ~ race_on (byte b) α b) by (intros X; apply IR in X; discriminate).
        pose proof (step_reports α e k m b l O T (II NR) NR l' r' S) as SR. split.
        * rewrite <- SR. split; auto. intros [X|X]; auto; discriminate.
        * intros N. exact (step_invariant α e k m b l O T (II NR) l' r' S N).
  Qed.

  (** The bytes reported so far are, after every event, exactly the racy ones. *)
  Theorem entries_precise α l r b :
    ok α -> runs α (l, r) -> (on b r = true <-> race_on (byte b) α b).
  Proof. intros O R. apply (runs_correct α (l, r) b R O). Qed.

  Theorem entries_run α : exists s, runs α s.
  Proof.
    induction α as [|e α ((l & r) & IH)] using rev_ind; [eexists; constructor|].
    destruct (touches e) as [[k m]|] eqn:T; [|eexists; apply runs_other; eauto].
    destruct (entries_step l (access_of α e k m) (K α e)) as [l' r'] eqn:S.
    eexists; eapply runs_access; eauto using entries_step_may.
  Qed.
End Entries.
