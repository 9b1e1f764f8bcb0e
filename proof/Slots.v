(** Slots (rt/threads.c): the names under which threads appear in clocks.

    Reuse: a thread may go on in the slot of one that has ended, if its creator knew all that was done in
    that slot. Overflow: a thread whose ticks are used up goes on in a fresh slot that knows all of its past.
    Neither changes happens-before, so the detectors, run on slots, give the same answers. *)
From Deadheat Require Export MultiJoin PreciseChecks.

Lemma at_map {A B} (f : A -> B) l i : nth_error (map f l) i = option_map f (nth_error l i).
Proof. revert l; induction i; intros [|x l]; simpl; auto. Qed.

Lemma at_firstn {A} (α : list A) i j a : i < j -> (firstn j α @ i = a <-> α @ i = a).
Proof.
  revert α j; induction i; intros [|x α] [|j] Lt; simpl; try lia; try tauto. apply IHi; lia.
Qed.

(** Two traces of the same length with the same edges, up to paths, have the same happens-before. *)
Lemma hb_embed {A B} {EA : Events A} {EB : Events B} (α : list A) (β : list B) :
  (forall i j, edge α i j -> hb β i j) -> forall i j, hb α i j -> hb β i j.
Proof. intros G i j H. induction H; auto. eapply hb_trans; eauto. Qed.

Lemma firstn_S {A} (α : list A) p e : α @ p = e -> firstn (S p) α = firstn p α ++ [e].
Proof.
  revert α; induction p; intros [|x α] Q; simpl in *; try discriminate.
  - injection Q as ->; auto.
  - f_equal; auto.
Qed.

Lemma hb_app {A} {E : Events A} (α γ : list A) i j : j < length α -> (hb (α ++ γ) i j <-> hb α i j).
Proof.
  intros Lt. induction γ as [|e γ IH] using rev_ind; [rewrite app_nil_r; tauto|].
  rewrite app_assoc, hb_snoc; auto. rewrite app_length; lia.
Qed.

Lemma hb_firstn {A} {E : Events A} (α : list A) n i j : j < n -> (hb (firstn n α) i j <-> hb α i j).
Proof.
  intros Lt. destruct (Nat.le_gt_cases (length α) n) as [Q|Q]; [rewrite firstn_all2 by auto; tauto|].
  rewrite <- (firstn_skipn n α) at 2. rewrite hb_app; [tauto|]. rewrite firstn_length; lia.
Qed.

Lemma tick_firstn {A} {E : Events A} (F : list A -> A -> clock) (α : list A) p i :
  i < p -> tick F (firstn p α) i = tick F α i.
Proof.
  intros Lt. unfold tick. rewrite firstn_firstn. replace (Nat.min i p) with i by lia.
  destruct (nth_error α i) as [a|] eqn:Q.
  - rewrite (proj2 (at_firstn α i p a Lt) Q); auto.
  - destruct (nth_error (firstn p α) i) as [a|] eqn:Q2; auto. apply at_firstn in Q2; auto; congruence.
Qed.

Section Reuse.
  Variable s : tid -> nat. (* the slot of each thread *)

  (** The trace as the runtime's clocks see it: slots act, the end of a thread is an object of its own
      (its last clock, kept in struct dh_thread), and joining is acquiring that. *)
  Definition end_of (u : tid) : lock := 2 * u + 1.
  Definition slotted (e : event) : event :=
    (s (fst e), match snd e with
                | Acq m => Acq (2 * m)
                | Rel m => Rel (2 * m)
                | RelJoin m => RelJoin (2 * m)
                | Fork u => Fork (s u)
                | Exit => Rel (end_of (fst e))
                | Join u => Acq (end_of u)
                | o => o
                end).

  (** Who goes on in a slot is ordered after all that was done in it, and after whoever started that. *)
  Definition reuse_ok (β : trace) : Prop :=
    forall i j a b, i < j -> β @ i = a -> β @ j = b ->
      s (fst a) = s (fst b) \/ (exists u, snd a = Fork u /\ s u = s (fst b)) -> hb β i j.

  Lemma slotted_at β i : nth_error (map slotted β) i = option_map slotted (nth_error β i).
  Proof. apply at_map. Qed.

  Lemma slotted_at_inv β i x : map slotted β @ i = x -> exists a, β @ i = a /\ x = slotted a.
  Proof. rewrite slotted_at. destruct (nth_error β i); simpl; [|discriminate]. intros [= <-]; eauto. Qed.

  Lemma slotted_rel a m : snd (slotted a) = Rel (2 * m) <-> snd a = Rel m.
  Proof.
    destruct a as [t o]; destruct o; simpl; split; intros Q; try discriminate; try (injection Q as Q);
      try (f_equal; lia); unfold end_of in *; lia.
  Qed.
  Lemma slotted_reljoin a m : snd (slotted a) = RelJoin (2 * m) <-> snd a = RelJoin m.
  Proof.
    destruct a as [t o]; destruct o; simpl; split; intros Q; try discriminate; try (injection Q as Q);
      f_equal; lia.
  Qed.
  Lemma slotted_end a u : snd (slotted a) = Rel (end_of u) <-> a = (u, Exit).
  Proof.
    destruct a as [t o]; destruct o; simpl; split; intros Q; try discriminate; try (injection Q as Q);
      unfold end_of in *; try lia.
    - f_equal; lia.
    - subst; auto.
  Qed.

  Lemma hb_slotted β :
    proper β -> reuse_ok β -> forall i j, hb (map slotted β) i j <-> hb β i j.
  Proof.
    intros P R. split; apply hb_embed; clear i j; intros i j (Lt & x & y & Ax & Ay & S).
    - apply slotted_at_inv in Ax; destruct Ax as (a & A & ->).
      apply slotted_at_inv in Ay; destruct Ay as (b & B & ->).
      destruct S as [T|S]; [exact (R i j a b Lt A B (or_introl T))|].
      rewrite firstn_map in S. destruct S as [(z & Z & F)|S].
      + apply slotted_at_inv in Z; destruct Z as (a' & A' & ->). rewrite at_firstn in A' by auto.
        rewrite A in A'; injection A' as <-. apply (R i j a b Lt A B). right.
        destruct a as [t o]; destruct o; try discriminate. injection F as F. exists u; split; [auto|exact F].
      + destruct b as [t o]; destruct o; try contradiction; simpl in S.
        * destruct S as ((z & Z & Re) & N). apply slotted_at_inv in Z; destruct Z as (a' & A' & ->).
          apply t_step; split; auto. exists a, (t, Acq m); repeat split; auto. right; right. simpl.
          split; [exists a'; split; auto|].
          -- destruct Re as [Re|Re]; [left; apply slotted_rel; auto|right; apply slotted_reljoin; auto].
          -- intros l c Ll Cl Q. apply (N l (slotted c) Ll).
             ++ rewrite slotted_at, Cl; auto.
             ++ apply slotted_rel; auto.
        * destruct S as ((z & Z & Re) & _). apply slotted_at_inv in Z; destruct Z as (a' & A' & ->).
          rewrite at_firstn in A' by auto. rewrite A in A'; injection A' as <-.
          assert (Q : a = (u, Exit)).
          { destruct Re as [Re|Re]; [apply slotted_end; auto|].
            exfalso. destruct a as [t' o]; destruct o; simpl in Re; try discriminate.
            injection Re as Re. unfold end_of in Re; lia. }
          subst a. apply t_step; split; auto. exists (u, Exit), (t, Join u); repeat split; auto.
          right; right. simpl. exists (u, Exit). rewrite at_firstn; auto.
    - assert (SA : map slotted β @ i = slotted x) by (rewrite slotted_at, Ax; auto).
      assert (SB : map slotted β @ j = slotted y) by (rewrite slotted_at, Ay; auto).
      assert (EDGE : forall l c, l < j -> β @ l = c ->
                 sync (firstn j (map slotted β)) (slotted y) l -> edge (map slotted β) l j).
      { intros l c Ll Cl Sl. split; auto. exists (slotted c), (slotted y). rewrite slotted_at, Cl. auto. }
      destruct S as [T|[(z & Z & F)|S]].
      + apply t_step; split; auto. exists (slotted x), (slotted y). repeat split; auto. left. exact (f_equal s T).
      + rewrite at_firstn in Z by auto. rewrite Ax in Z; injection Z as <-.
        apply t_step. eapply EDGE; eauto. left. exists (slotted x). rewrite firstn_map, at_map.
        rewrite (proj2 (at_firstn _ _ _ _ Lt) Ax). split; auto. simpl. rewrite F. auto.
      + destruct y as [t o]; destruct o; try contradiction; simpl in S.
        * destruct S as ((z & Z & Re) & N). rewrite at_firstn in Z by auto. rewrite Ax in Z; injection Z as <-.
          apply t_step. eapply EDGE; eauto. right. rewrite firstn_map. simpl. split.
          -- exists (slotted x). rewrite at_map, (proj2 (at_firstn _ _ _ _ Lt) Ax). split; auto.
             destruct Re as [Re|Re]; [left; apply slotted_rel; auto|right; apply slotted_reljoin; auto].
          -- intros l c Ll Cl Q. apply slotted_at_inv in Cl; destruct Cl as (c' & Cl & ->).
             apply (N l c' Ll Cl). apply slotted_rel; auto.
        * destruct S as (z & Z & Re). rewrite at_firstn in Z by auto. rewrite Ax in Z; injection Z as <-.
          destruct (P j _ Ay) as (_ & (e & Ex)). simpl in Ex.
          pose proof (at_lt _ _ _ Ex) as Le. rewrite firstn_length in Le.
          assert (Lej : e < j) by lia. rewrite at_firstn in Ex by auto.
          assert (EJ : hb (map slotted β) e j).
          { apply t_step. eapply EDGE; eauto. right. rewrite firstn_map. simpl. split.
            - exists (slotted (u, Exit)). rewrite at_map, (proj2 (at_firstn _ _ _ _ Lej) Ex). split; auto.
              left; auto.
            - intros l c Ll Cl Q. apply slotted_at_inv in Cl; destruct Cl as (c' & Cl & ->).
              apply slotted_end in Q; subst c'. pose proof (at_lt _ _ _ Cl) as Ln. rewrite firstn_length in Ln.
              rewrite at_firstn in Cl by lia. destruct (P l _ Cl) as (NE & _). apply NE. exists e.
              rewrite at_firstn; auto. }
          assert (IE : i < e \/ i = e).
          { destruct (Nat.lt_trichotomy i e) as [|[|G]]; auto. exfalso. destruct (P i x Ax) as (NE & NF).
            destruct Re as [Re|Re].
            - apply NE. exists e. rewrite Re, at_firstn; auto.
            - rewrite Re in NF. apply NF. exists e. rewrite at_firstn; auto. }
          destruct IE as [IE| ->]; auto. eapply hb_trans; [|exact EJ]. apply t_step; split; auto.
          exists (slotted x), (slotted (u, Exit)). rewrite !slotted_at, Ex, Ax. repeat split; auto.
          destruct Re as [Re|Re]; [left; exact (f_equal s Re)|]. right; left. exists (slotted x).
          rewrite firstn_map, at_map, (proj2 (at_firstn _ _ _ _ IE) Ax). split; auto. simpl. rewrite Re; auto.
  Qed.

  (** The races are the same, whatever is looked at: accesses or checks. *)
  Theorem slots_same_races (f : event -> option (kind * loc)) β x :
    (forall e, f (slotted e) = f e) -> proper β -> reuse_ok β ->
    (race_on f (map slotted β) x <-> race_on f β x).
  Proof.
    intros F P R. pose proof (hb_slotted β P R) as HB. split.
    - intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N).
      apply slotted_at_inv in A; destruct A as (a' & A & ->).
      apply slotted_at_inv in B; destruct B as (b' & B & ->). rewrite F in FA, FB.
      exists i, j; split; auto. split; [exists a', b', k, k'; auto|]. rewrite <- HB; auto.
    - intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N).
      exists i, j; split; auto. split; [|rewrite HB; auto].
      exists (slotted a), (slotted b), k, k'. rewrite !slotted_at, A, B, !F. auto.
  Qed.

  (** What the runtime asks before it reuses a slot is enough. Creation, in the clocks of slots: everything
      done so far in the child's slot, or to start it, has a tick that the creator knows. *)
  Definition creator_knows (β : trace) : Prop :=
    forall p t u i a, β @ p = (t, Fork u) -> i < p -> β @ i = a ->
      s (fst a) = s u \/ (exists w, snd a = Fork w /\ s w = s u) ->
      tick K (map slotted β) i <= K (firstn p (map slotted β)) (slotted (t, Fork u)) (s (fst a)).

  (** A thread that comes into a used slot is forked after what was done there. *)
  Definition one_at_a_time (β : trace) : Prop :=
    forall i j a b w, i < j -> β @ i = a -> β @ j = b -> fst a <> fst b ->
      (fst a = w \/ snd a = Fork w) -> s w = s (fst b) -> w <> fst b ->
      exists p t, i < p /\ p < j /\ β @ p = (t, Fork (fst b)).

  Theorem runtime_reuse_ok β : proper β -> one_at_a_time β -> creator_knows β -> reuse_ok β.
  Proof.
    intros P O CK i j. revert i. induction j as [j IH] using (well_founded_induction lt_wf).
    intros i a b Lt A B SL.
    destruct (Nat.eq_dec (fst a) (fst b)) as [T|T]; [eapply hb_po; eauto|].
    assert (W : exists w, (fst a = w \/ snd a = Fork w) /\ s w = s (fst b)).
    { destruct SL as [SL|(u & F & SL)]; eauto. }
    destruct W as (w & Dw & Sw). destruct (Nat.eq_dec w (fst b)) as [->|Nw].
    { destruct Dw as [|F]; [congruence|]. apply t_step; split; auto. exists a, b; repeat split; auto.
      right; left. exists a. rewrite at_firstn; auto. }
    destruct (O i j a b w Lt A B T Dw Sw Nw) as (p & t & Lip & Lpj & F).
    (* The prefix before j is in order already. *)
    assert (PJ : proper (firstn j β)).
    { intros l e Le. pose proof (at_lt _ _ _ Le) as Ll. rewrite firstn_length in Ll.
      rewrite at_firstn in Le by lia. rewrite firstn_firstn. replace (Nat.min l j) with l by lia. auto. }
    assert (RJ : reuse_ok (firstn j β)).
    { intros i' j' a' b' Lt' A' B' S'. pose proof (at_lt _ _ _ B') as Lj. rewrite firstn_length in Lj.
      rewrite at_firstn in A', B' by lia. apply hb_firstn; [lia|]. eapply IH; eauto; lia. }
    assert (IP : hb β i p).
    { apply (hb_firstn β j); auto. apply (hb_slotted _ PJ RJ). rewrite <- firstn_map.
      apply hb_firstn; auto. apply (hb_firstn _ (S p)); auto.
      assert (SP : map slotted β @ p = slotted (t, Fork (fst b))) by (rewrite slotted_at, F; auto).
      rewrite (firstn_S _ _ _ SP).
      assert (SA : firstn p (map slotted β) @ i = slotted a) by (rewrite at_firstn, slotted_at, A; auto).
      pose proof (proj2 (K_exact (firstn p (map slotted β)) (slotted (t, Fork (fst b))) i (slotted a) Logic.I SA)) as KE.
      assert (LP : length (firstn p (map slotted β)) = p).
      { rewrite firstn_length. pose proof (at_lt _ _ _ SP). lia. }
      unfold before in KE. rewrite LP in KE. apply KE.
      rewrite tick_firstn by auto. apply (CK p t (fst b) i a); auto. }
    eapply hb_trans; [exact IP|]. apply t_step; split; auto. exists (t, Fork (fst b)), b; repeat split; auto.
    right; left. exists (t, Fork (fst b)). rewrite at_firstn; auto.
  Qed.
End Reuse.

Lemma access_slotted s e : access (slotted s e) = access e.
Proof. destruct e as [t o]; destruct o; auto. Qed.
Lemma check_slotted s e : check (slotted s e) = check e.
Proof. destruct e as [t o]; destruct o; auto. Qed.
