(** Precise checks (BigFoot, appendix B): where every access is covered by a check and
    every check is legitimate for an access, a location has a data race exactly if it has a check race.
    The paper proves this for one kind of access; here kinds are told apart by their conflict sets. *)
From Deadheat Require Export Trace.

Section Standing.
  Context {event : Type} {E : Events event}.
  Variable α : list event.

  (** Which events can be the end, and the beginning, of a synchronisation edge. *)
  Variables acquiring releasing : event -> Prop.

  (** Where an edge begins or ends elsewhere (fork, join), it is with the whole of a thread. *)
  Hypothesis edge_in : forall i j b, α @ j = b -> i < j -> sync (firstn j α) b i ->
    acquiring b \/ forall j' b', α @ j' = b' -> thread b' = thread b -> hb α i j'.
  Hypothesis edge_out : forall i j a b, α @ i = a -> α @ j = b -> i < j -> sync (firstn j α) b i ->
    releasing a \/ forall i' a', α @ i' = a' -> thread a' = thread a -> hb α i' j.

  Definition no_acquire (t : tid) (p q : nat) : Prop := (* after p, up to q *)
    forall l e, p < l <= q -> α @ l = e -> thread e = t -> ~ acquiring e.
  Definition no_release (t : tid) (p q : nat) : Prop := (* from p, before q *)
    forall l e, p <= l < q -> α @ l = e -> thread e = t -> ~ releasing e.

  (** Seen from other threads, q is ordered wherever p is. A check p covers an access q if it stands for
      it; a check q is legitimate for an access p if the access stands for the check. *)
  Definition stands_for (p q : nat) : Prop :=
    exists a b, α @ p = a /\ α @ q = b /\ thread a = thread b /\
      (p = q \/ (p < q /\ no_release (thread a) p q) \/ (q < p /\ no_acquire (thread a) q p)).

  (** A path from one thread into another enters it by a synchronisation edge. *)
  Lemma enter d j x b :
    hb α d j -> α @ d = x -> α @ j = b -> thread x <> thread b ->
    exists i l c, l <= j /\ i < l /\ α @ l = c /\ thread c = thread b /\ (d = i \/ hb α d i) /\
                  sync (firstn l α) c i.
  Proof.
    revert b. induction j as [j IH] using (well_founded_induction lt_wf). intros b P D B N.
    destruct (hb_inv _ _ _ P) as (k & (Lk & a & b' & A & B' & S) & G).
    rewrite B in B'; injection B' as <-. destruct S as [T|S].
    - destruct G as [->|G]; [congruence|].
      destruct (IH k Lk a G D A) as (i & l & c & L1 & L2 & Cl & Tc & G' & S); [congruence|].
      exists i, l, c. repeat split; auto; [lia|congruence].
    - exists k, j, b. repeat split; auto.
  Qed.

  Lemma leave i d a x :
    hb α i d -> α @ i = a -> α @ d = x -> thread a <> thread x ->
    exists l c j b, i <= l /\ l < j /\ α @ l = c /\ thread c = thread a /\ α @ j = b /\
                    sync (firstn j α) b l /\ (j = d \/ hb α j d).
  Proof.
    remember (length α - i) as n eqn:Q. revert i a Q.
    induction n as [n IH] using (well_founded_induction lt_wf). intros i a -> P A D N.
    destruct (hb_inv_first _ _ _ P) as (k & (Lk & a' & b & A' & B & S) & G).
    rewrite A in A'; injection A' as <-. destruct S as [T|S].
    - destruct G as [->|G]; [congruence|]. pose proof (at_lt _ _ _ B).
      destruct (IH (length α - k) ltac:(lia) k b eq_refl G B D) as (l & c & j & b' & L1 & L2 & Cl & Tc & Bj & S & G');
        [congruence|].
      exists l, c, j, b'. repeat split; auto; [lia|congruence].
    - exists i, a, k, b. repeat split; auto.
  Qed.

  (** Lemmas 1 and 2 of the appendix. *)
  Lemma stands_after p q d b x :
    stands_for p q -> α @ q = b -> α @ d = x -> thread x <> thread b -> hb α p d -> hb α q d.
  Proof.
    intros (a & b' & A & B' & T & S) B D N P. rewrite B in B'; injection B' as <-.
    destruct S as [->|[(Lt & NR)|(Lt & _)]]; auto.
    - destruct (leave p d a x P A D) as (l & c & j & e & L1 & L2 & Cl & Tc & Ej & S & G); [congruence|].
      assert (QJ : hb α q j).
      { destruct (Nat.le_gt_cases q l) as [Q|Q].
        - assert (LJ : hb α l j) by (apply t_step; split; auto; exists c, e; auto).
          destruct (Nat.eq_dec q l) as [->|]; auto. eapply hb_trans; [|exact LJ].
          eapply hb_po; eauto; [lia|congruence].
        - destruct (edge_out l j c e Cl Ej L2 S) as [R|R].
          + exfalso; eapply NR; eauto; lia.
          + eapply R; eauto; congruence. }
      destruct G as [->|G]; auto. eapply hb_trans; eauto.
    - eapply hb_trans; [|exact P]. eapply hb_po; eauto.
  Qed.

  Lemma stands_before p q d b x :
    stands_for p q -> α @ q = b -> α @ d = x -> thread x <> thread b -> hb α d p -> hb α d q.
  Proof.
    intros (a & b' & A & B' & T & S) B D N P. rewrite B in B'; injection B' as <-.
    destruct S as [->|[(Lt & _)|(Lt & NA)]]; auto.
    - eapply hb_trans; [exact P|]. eapply hb_po; eauto.
    - destruct (enter d p x a P D A) as (i & l & c & L1 & L2 & Cl & Tc & G & S); [congruence|].
      assert (IQ : hb α i q).
      { destruct (Nat.le_gt_cases l q) as [Q|Q].
        - pose proof (at_lt _ _ _ Cl). destruct (nth_error α i) as [y|] eqn:Y;
            [|apply nth_error_None in Y; lia].
          assert (IL : hb α i l) by (apply t_step; split; auto; exists y, c; auto).
          destruct (Nat.eq_dec l q) as [<-|]; auto. eapply hb_trans; [exact IL|].
          eapply hb_po; eauto; [lia|congruence].
        - destruct (edge_in i l c Cl L2 S) as [R|R].
          + exfalso; eapply NA; eauto; lia.
          + eapply R; eauto; congruence. }
      destruct G as [->|G]; auto. eapply hb_trans; eauto.
  Qed.

  (** Lemmas 3 and 4 at once: if something that g sees stands for all that f sees, a race of f is one
      of g. *)
  Lemma race_carries (f g : event -> option (kind * loc)) x :
    (forall i a k, α @ i = a -> f a = Some (k, x) ->
       exists j b k', α @ j = b /\ g b = Some (k', x) /\ subsumes k' k /\ stands_for j i) ->
    race_on f α x -> race_on g α x.
  Proof.
    intros St (i & j & Lt & (a & b & k & k' & A & B & FA & FB & X) & N).
    destruct (St i a k A FA) as (i' & a' & l & A' & GA & SA & Si).
    destruct (St j b k' B FB) as (j' & b' & l' & B' & GB & SB & Sj).
    assert (T : thread a <> thread b) by (intros T; apply N; eapply hb_po; eauto).
    assert (Ta : thread a' = thread a).
    { destruct Si as (u & v & U & V & Q & _). congruence. }
    assert (Tb : thread b' = thread b).
    { destruct Sj as (u & v & U & V & Q & _). congruence. }
    assert (XX : conf l l' = true).
    { rewrite conf_sym. apply SB. rewrite conf_sym. apply SA. auto. }
    assert (N1 : ~ hb α i' j').
    { intros G. apply N. eapply stands_before; [exact Sj|exact B|exact A|congruence|].
      eapply stands_after; [exact Si|exact A|exact B'|congruence|auto]. }
    assert (N2 : ~ hb α j' i').
    { intros G. assert (Y : hb α j i); [|apply hb_lt in Y; lia].
      eapply stands_before; [exact Si|exact A|exact B|congruence|].
      eapply stands_after; [exact Sj|exact B|exact A'|congruence|auto]. }
    destruct (Nat.lt_trichotomy i' j') as [O|[->|O]].
    - exists i', j'. split; auto. split; auto. exists a', b', l, l'; auto.
    - congruence.
    - exists j', i'. split; auto. split; auto. exists b', a', l', l; repeat split; auto.
      rewrite conf_sym; auto.
  Qed.
End Standing.

(** ** Traces with locks, in plain words *)

Definition acquires (e : event) : Prop :=
  match snd e with Acq _ | Join _ => True | _ => False end.
Definition releases_any (e : event) : Prop :=
  match snd e with Rel _ | RelJoin _ | Fork _ | Exit => True | _ => False end.

(** A thread begins after it was forked and ends before it is joined. *)
Definition forks_first (α : trace) : Prop :=
  forall i t u j b, α @ i = (t, Fork u) -> α @ j = b -> fst b = u -> i < j.
Definition joins_last (α : trace) : Prop :=
  forall j t u i a, α @ j = (t, Join u) -> α @ i = a -> fst a = u -> i < j.

(** "With no release in between": by that thread. *)
Definition between (α : trace) (P : event -> Prop) (t : tid) (i j : nat) : Prop :=
  exists l e, i < l < j /\ α @ l = e /\ fst e = t /\ P e.

(** The check at c covers the access at a. *)
Definition covers (α : trace) (c a : nat) : Prop :=
  exists t x k k', α @ c = (t, Check k x) /\ α @ a = (t, Access k' x) /\
    subsumes k k' /\                                           (* conf(access) is within conf(check) *)
    ((c < a /\ ~ between α releases_any t c a) \/ (a < c /\ ~ between α acquires t a c)).

(** The check at c is legitimate for the access at a. *)
Definition legitimate (α : trace) (c a : nat) : Prop :=
  exists t x k k', α @ c = (t, Check k x) /\ α @ a = (t, Access k' x) /\
    subsumes k' k /\                                           (* conf(check) is within conf(access) *)
    ((c < a /\ ~ between α acquires t c a) \/ (a < c /\ ~ between α releases_any t a c)).

Definition all_covered (α : trace) (x : loc) : Prop :=
  forall a t k, α @ a = (t, Access k x) -> exists c, covers α c a.
Definition all_legitimate (α : trace) (x : loc) : Prop :=
  forall c t k, α @ c = (t, Check k x) -> exists a, legitimate α c a.

Lemma lock_edge_in α : forks_first α ->
  forall i j b, α @ j = b -> i < j -> sync (firstn j α) b i ->
  acquires b \/ forall j' b', α @ j' = b' -> thread b' = thread b -> hb α i j'.
Proof.
  intros FF i j b B Lt [(a & A & F)|S].
  - right. intros j' b' B' T.
    assert (A' : α @ i = a).
    { rewrite <- (firstn_skipn j α). rewrite nth_error_app1; auto. eapply at_lt; eauto. }
    destruct a as [t o]; simpl in F; subst o. simpl in T.
    assert (Lt' : i < j') by (eapply FF; eauto).
    apply t_step; split; auto. exists (t, Fork (fst b)), b'; repeat split; auto.
    right; left. exists (t, Fork (fst b)). split; [|simpl; congruence].
    rewrite <- (firstn_skipn j' α) in A'. rewrite nth_error_app1 in A'; auto.
    rewrite firstn_length. pose proof (at_lt _ _ _ B'). lia.
  - left. unfold acquires. destruct (snd b); tauto.
Qed.

Lemma lock_edge_out α : joins_last α ->
  forall i j a b, α @ i = a -> α @ j = b -> i < j -> sync (firstn j α) b i ->
  releases_any a \/ forall i' a', α @ i' = a' -> thread a' = thread a -> hb α i' j.
Proof.
  intros JL i j a b A B Lt S.
  assert (P : forall l c, l < j -> (firstn j α @ l = c <-> α @ l = c)).
  { intros l c Ll. pose proof (at_lt _ _ _ B). rewrite <- (firstn_skipn j α) at 2.
    rewrite nth_error_app1; [tauto|]. rewrite firstn_length; lia. }
  assert (G : forall c, firstn j α @ i = c -> c = a) by (intros c Q; rewrite P in Q; auto; congruence).
  unfold releases_any. destruct S as [(c & Cc & F)|S].
  - apply G in Cc; subst. rewrite F; auto.
  - destruct b as [t o]; simpl in S. destruct o; try contradiction.
    + destruct S as ((c & Cc & [R|R]) & _); apply G in Cc; subst; rewrite R; auto.
    + destruct S as (c & Cc & [R|R]); apply G in Cc; subst; [|rewrite R; auto].
      right. intros i' a' A' T. simpl in T.
      assert (Lt' : i' < j) by (eapply JL; eauto).
      apply t_step; split; auto. exists a', (t, Join (fst a)); repeat split; auto.
      right; right; simpl. exists a'. rewrite P; auto.
Qed.

(** Theorem B.1, with kinds. *)
Theorem covered_no_missed_race α x :
  forks_first α -> joins_last α -> all_covered α x -> data_race_on α x -> check_race_on α x.
Proof.
  intros FF JL Cov. apply (race_carries α acquires releases_any).
  - apply lock_edge_in; auto.
  - apply lock_edge_out; auto.
  - intros i [t o] k A F. destruct o; try discriminate. injection F as -> ->.
    destruct (Cov i t k A) as (c & t' & x' & k1 & k2 & Cc & A' & Sb & W).
    rewrite A in A'; injection A' as <- <- <-.
    exists c, (t, Check k1 x), k1. repeat split; auto.
    exists (t, Check k1 x), (t, Access k x). repeat split; auto. right.
    destruct W as [(Lt & Nb)|(Lt & Nb)]; [left|right]; split; auto; intros l e I Le T R; apply Nb.
    + destruct (Nat.eq_dec l c) as [->|]; [rewrite Cc in Le; injection Le as <-; contradiction|].
      exists l, e; repeat split; auto; lia.
    + destruct (Nat.eq_dec l c) as [->|]; [rewrite Cc in Le; injection Le as <-; contradiction|].
      exists l, e; repeat split; auto; lia.
Qed.

Theorem legitimate_no_false_alarm α x :
  forks_first α -> joins_last α -> all_legitimate α x -> check_race_on α x -> data_race_on α x.
Proof.
  intros FF JL Leg. apply (race_carries α acquires releases_any).
  - apply lock_edge_in; auto.
  - apply lock_edge_out; auto.
  - intros i [t o] k A F. destruct o; try discriminate. injection F as -> ->.
    destruct (Leg i t k A) as (c & t' & x' & k1 & k2 & A' & Cc & Sb & W).
    rewrite A in A'; injection A' as <- <- <-.
    exists c, (t, Access k2 x), k2. repeat split; auto.
    exists (t, Access k2 x), (t, Check k x). repeat split; auto. right.
    destruct W as [(Lt & Nb)|(Lt & Nb)]; [right|left]; split; auto; intros l e I Le T R; apply Nb.
    + destruct (Nat.eq_dec l c) as [->|]; [rewrite Cc in Le; injection Le as <-; contradiction|].
      exists l, e; repeat split; auto; lia.
    + destruct (Nat.eq_dec l c) as [->|]; [rewrite Cc in Le; injection Le as <-; contradiction|].
      exists l, e; repeat split; auto; lia.
Qed.

Theorem precise_checks α x :
  forks_first α -> joins_last α -> all_covered α x -> all_legitimate α x ->
  (data_race_on α x <-> check_race_on α x).
Proof. split; auto using covered_no_missed_race, legitimate_no_false_alarm. Qed.
