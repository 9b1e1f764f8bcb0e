(** Overflow of ticks (move_to_fresh_slot in rt/threads.c): at some point a thread goes on under a fresh
    name that knows all of its past. In the trace this is a fork of the fresh name, after which the old one
    is silent. It changes no order between events. *)
From Deadheat Require Export Slots.

Fixpoint mapi {A B} (f : nat -> A -> B) (n : nat) (l : list A) : list B :=
  match l with [] => [] | x :: l => f n x :: mapi f (S n) l end.

Lemma at_mapi {A B} (f : nat -> A -> B) n l i :
  nth_error (mapi f n l) i = option_map (f (n + i)) (nth_error l i).
Proof.
  revert n l; induction i; intros n [|x l]; simpl; auto.
  - rewrite Nat.add_0_r; auto.
  - rewrite IHi. replace (S n + i) with (n + S i) by lia. auto.
Qed.

Section Overflow.
  Variables (β : trace) (p : nat) (t t' : tid).
  Hypothesis at_p : β @ p = (t, Fork t').
  Hypothesis fresh_actor : forall i a, β @ i = a -> fst a <> t'.
  Hypothesis fresh_forked : forall i a, β @ i = a -> snd a = Fork t' -> i = p.
  Hypothesis fresh_joined : forall i a, β @ i = a -> snd a <> Join t'.
  Hypothesis FF : forks_first β.
  Hypothesis JL : joins_last β.

  Definition move (j : nat) (e : event) : event :=
    if j <=? p then e
    else (if fst e =? t then t' else fst e,
          match snd e with Join u => Join (if u =? t then t' else u) | o => o end).
  Definition moved : trace := mapi move 0 β.

  Lemma at_moved j : nth_error moved j = option_map (move j) (nth_error β j).
  Proof. apply (at_mapi move 0). Qed.

  Lemma at_moved_inv j x : moved @ j = x -> exists a, β @ j = a /\ x = move j a.
  Proof. rewrite at_moved. destruct (nth_error β j); simpl; [|discriminate]. intros [= <-]; eauto. Qed.

  Lemma moved_prefix j i x : firstn j moved @ i = x -> i < j /\ exists a, β @ i = a /\ x = move i a.
  Proof.
    intros Q. pose proof (at_lt _ _ _ Q) as Lt. rewrite firstn_length in Lt.
    rewrite at_firstn in Q by lia. split; [lia|apply at_moved_inv; auto].
  Qed.

  Lemma move_actor j a : fst (move j a) = if (p <? j) && (fst a =? t) then t' else fst a.
  Proof.
    unfold move. destruct (Nat.leb_spec j p), (Nat.ltb_spec p j); try lia; auto.
  Qed.

  Lemma move_op j a : (forall u, snd a <> Join u) -> snd (move j a) = snd a.
  Proof. intros N. unfold move. destruct (j <=? p); auto. destruct (snd a); auto. destruct (N u); auto. Qed.

  Lemma move_op_inv j a o : (forall u, o <> Join u) -> (snd (move j a) = o <-> snd a = o).
  Proof.
    intros N. unfold move. destruct (j <=? p); simpl; [tauto|].
    destruct (snd a) eqn:Q; split; intros X; auto; exfalso; subst; eapply N; eauto.
  Qed.

  (** Before they are moved, all is well with actors. *)
  Lemma same_actor i j a b :
    β @ i = a -> β @ j = b -> fst (move i a) = fst (move j b) -> fst a = fst b.
  Proof.
    intros A B. rewrite !move_actor. pose proof (fresh_actor _ _ A). pose proof (fresh_actor _ _ B).
    destruct (Nat.eqb_spec (fst a) t), (Nat.eqb_spec (fst b) t); rewrite ?andb_false_r, ?andb_true_r;
      destruct (p <? i), (p <? j); congruence.
  Qed.

  Lemma moved_edge_hb i j : edge moved i j -> hb β i j.
  Proof.
    intros (Lt & x & y & X & Y & S).
    apply at_moved_inv in X; destruct X as (a & A & ->). apply at_moved_inv in Y; destruct Y as (b & B & ->).
    destruct S as [T|[(z & Z & F)|S]].
    - eapply hb_po; eauto. eapply same_actor; eauto.
    - apply moved_prefix in Z; destruct Z as (_ & a' & A' & ->). rewrite A in A'; injection A' as <-.
      apply move_op_inv in F; [|discriminate]. rewrite move_actor in F.
      destruct ((p <? j) && (fst b =? t)) eqn:Q.
      + apply andb_prop in Q; destruct Q as (_ & Q). apply Nat.eqb_eq in Q.
        pose proof (fresh_forked _ _ A F). subst i. rewrite at_p in A; injection A as <-.
        eapply hb_po; eauto.
      + apply t_step; split; auto. exists a, b; repeat split; auto. right; left. exists a.
        rewrite at_firstn; auto.
    - destruct (snd (move j b)) eqn:O; try contradiction.
      + apply move_op_inv in O; [|discriminate]. destruct S as ((z & Z & Re) & N).
        apply moved_prefix in Z; destruct Z as (_ & a' & A' & ->). rewrite A in A'; injection A' as <-.
        apply t_step; split; auto. exists a, b; repeat split; auto. right; right. rewrite O. split.
        * exists a. rewrite at_firstn by auto. split; auto.
          destruct Re as [Re|Re]; apply move_op_inv in Re; try discriminate; [left|right]; auto.
        * intros l c Ll Cl Q. pose proof (at_lt _ _ _ Cl) as Lc. rewrite firstn_length in Lc.
          rewrite at_firstn in Cl by lia. apply (N l (move l c) Ll).
          -- rewrite at_firstn by lia. rewrite at_moved, Cl; auto.
          -- apply move_op_inv; [discriminate|auto].
      + destruct S as (z & Z & Re).
        apply moved_prefix in Z; destruct Z as (_ & a' & A' & ->). rewrite A in A'; injection A' as <-.
        destruct b as [v o]. assert (Ou : exists w, o = Join w /\ u = if (p <? j) && (w =? t) then t' else w).
        { unfold move in O. destruct (Nat.leb_spec j p), (Nat.ltb_spec p j); try lia; simpl in O.
          - exists u; auto.
          - destruct o; try discriminate. injection O as <-. eauto. }
        destruct Ou as (w & -> & Hu). pose proof (fresh_joined _ _ B) as NJ. simpl in NJ.
        assert (TP : w = t -> p < j) by (intros ->; eapply JL; eauto).
        apply t_step; split; auto. exists a, (v, Join w); repeat split; auto. right; right. simpl.
        exists a. rewrite at_firstn by auto. split; auto.
        destruct (Nat.eqb_spec w t) as [->|Nw].
        * specialize (TP eq_refl). destruct (Nat.ltb_spec p j); [|lia]. simpl in Hu; subst u.
          destruct Re as [Re|Re].
          -- left. rewrite move_actor in Re. destruct (Nat.eqb_spec (fst a) t); auto.
             rewrite andb_false_r in Re. destruct (fresh_actor _ _ A); auto.
          -- apply move_op_inv in Re; [|discriminate]. pose proof (fresh_forked _ _ A Re). subst i.
             rewrite at_p in A; injection A as <-. auto.
        * rewrite andb_false_r in Hu; subst u. destruct Re as [Re|Re].
          -- left. rewrite move_actor in Re. destruct ((p <? i) && (fst a =? t)); auto.
             exfalso; apply NJ; congruence.
          -- apply move_op_inv in Re; [auto|discriminate].
  Qed.

  Lemma p_moved : moved @ p = (t, Fork t').
  Proof. rewrite at_moved, at_p. simpl. unfold move. rewrite Nat.leb_refl. auto. Qed.

  (** What t did up to p is before p, and p is before all that it does afterwards under the new name. *)
  Lemma to_p i a : β @ i = a -> i <= p -> fst a = t -> i = p \/ hb moved i p.
  Proof.
    intros A Lt T. destruct (Nat.eq_dec i p); auto. right.
    apply (hb_po _ _ _ (move i a) (t, Fork t')); [lia| |apply p_moved|].
    - rewrite at_moved, A; auto.
    - simpl. rewrite move_actor. destruct (Nat.ltb_spec p i); [lia|auto].
  Qed.

  Lemma fork_to_p i a : β @ i = a -> snd a = Fork t -> hb moved i p.
  Proof.
    intros A F. destruct a as [v o]; simpl in F; subst o.
    assert (Lt : i < p) by (eapply FF; eauto). apply t_step; split; auto.
    exists (move i (v, Fork t)), (t, Fork t'). rewrite at_moved, A. repeat split; auto using p_moved.
    right; left. exists (move i (v, Fork t)). rewrite at_firstn, at_moved, A by auto. split; auto.
    apply move_op_inv; [discriminate|auto].
  Qed.

  Lemma from_p j b : β @ j = b -> p < j -> fst b = t -> hb moved p j.
  Proof.
    intros B Lt T. apply t_step; split; auto. exists (t, Fork t'), (move j b). rewrite (at_moved j), B.
    repeat split; auto using p_moved. right; left. exists (t, Fork t'). rewrite at_firstn by auto.
    split; [apply p_moved|]. rewrite move_actor. destruct (Nat.ltb_spec p j); [|lia].
    rewrite T, Nat.eqb_refl; auto.
  Qed.

  Lemma via_p i j : i = p \/ hb moved i p -> hb moved p j -> hb moved i j.
  Proof. intros [->|X] Y; auto. eapply hb_trans; eauto. Qed.

  Lemma edge_moved_hb i j : edge β i j -> hb moved i j.
  Proof.
    intros (Lt & a & b & A & B & S).
    assert (MA : moved @ i = move i a) by (rewrite at_moved, A; auto).
    assert (MB : moved @ j = move j b) by (rewrite at_moved, B; auto).
    destruct S as [T|[(z & Z & F)|S]].
    - simpl in T. destruct (Nat.eq_dec (fst a) t) as [Ta|Ta].
      + destruct (Nat.le_gt_cases i p), (Nat.le_gt_cases j p); try lia.
        * eapply hb_po; eauto. simpl; rewrite !move_actor.
          destruct (Nat.ltb_spec p i), (Nat.ltb_spec p j); try lia; auto.
        * eapply via_p; [eapply to_p; eauto|eapply from_p; eauto; congruence].
        * eapply hb_po; eauto. simpl; rewrite !move_actor.
          destruct (Nat.ltb_spec p i), (Nat.ltb_spec p j); try lia. rewrite T; auto.
      + eapply hb_po; eauto. simpl; rewrite !move_actor. rewrite <- T.
        destruct (Nat.eqb_spec (fst a) t); [congruence|]. rewrite !andb_false_r; auto.
    - rewrite at_firstn in Z by auto. rewrite A in Z; injection Z as <-.
      destruct ((p <? j) && (fst b =? t)) eqn:Q.
      + apply andb_prop in Q; destruct Q as (Q1 & Q2). apply Nat.eqb_eq in Q2. apply Nat.ltb_lt in Q1.
        rewrite Q2 in F. eapply via_p; [right; eapply fork_to_p; eauto|eapply from_p; eauto].
      + apply t_step; split; auto. exists (move i a), (move j b). repeat split; auto. right; left.
        exists (move i a). rewrite at_firstn by auto. split; auto. rewrite move_actor, Q.
        apply move_op_inv; [discriminate|auto].
    - destruct b as [v o]; simpl in S. destruct o; try contradiction.
      + destruct S as ((z & Z & Re) & N). rewrite at_firstn in Z by auto. rewrite A in Z; injection Z as <-.
        apply t_step; split; auto. exists (move i a), (move j (v, Acq m)). repeat split; auto. right; right.
        rewrite (move_op j (v, Acq m)) by discriminate. simpl. split.
        * exists (move i a). rewrite at_firstn by auto. split; auto.
          destruct Re as [Re|Re]; [left|right]; apply move_op_inv; auto; discriminate.
        * intros l c Ll Cl Q. apply moved_prefix in Cl; destruct Cl as (Llj & c' & Cl & ->).
          apply move_op_inv in Q; [|discriminate]. apply (N l c' Ll); auto. rewrite at_firstn; auto.
      + destruct S as (z & Z & Re). rewrite at_firstn in Z by auto. rewrite A in Z; injection Z as <-.
        assert (JOIN : forall l c, l < j -> β @ l = c ->
                  fst (move l c) = (if (p <? j) && (u =? t) then t' else u) \/
                  snd (move l c) = Fork (if (p <? j) && (u =? t) then t' else u) -> hb moved l j).
        { intros l c Ll Cl G. apply t_step; split; auto. exists (move l c), (move j (v, Join u)).
          rewrite at_moved, Cl. repeat split; auto. right; right.
          replace (snd (move j (v, Join u))) with (Join (if (p <? j) && (u =? t) then t' else u)).
          - exists (move l c). rewrite at_firstn, at_moved, Cl by auto. auto.
          - unfold move. destruct (Nat.leb_spec j p), (Nat.ltb_spec p j); try lia; auto. }
        destruct (Nat.eqb_spec u t) as [->|Nu].
        * assert (Lpj : p < j) by (eapply JL; eauto). destruct (Nat.ltb_spec p j); [|lia]. simpl in JOIN.
          assert (PJ : hb moved p j).
          { apply (JOIN p _ Lpj at_p). right. apply move_op_inv; [discriminate|auto]. }
          destruct Re as [Re|Re].
          -- destruct (Nat.le_gt_cases i p) as [Q|Q]; [eapply via_p; eauto using to_p|].
             apply (JOIN i a Lt A). left. rewrite move_actor. destruct (Nat.ltb_spec p i); [|lia].
             rewrite Re, Nat.eqb_refl; auto.
          -- eapply via_p; [right; eapply fork_to_p; eauto|auto].
        * rewrite andb_false_r in JOIN. apply (JOIN i a Lt A). destruct Re as [Re|Re].
          -- left. rewrite move_actor. destruct (Nat.eqb_spec (fst a) t); [congruence|].
             rewrite andb_false_r; auto.
          -- right. apply move_op_inv; [discriminate|auto].
  Qed.

  Theorem overflow_same_order i j : hb moved i j <-> hb β i j.
  Proof. split; apply hb_embed; auto using moved_edge_hb, edge_moved_hb. Qed.

  Theorem overflow_same_races x : race_on access moved x <-> race_on access β x.
  Proof.
    assert (F : forall j a, access (move j a) = access a).
    { intros j a. unfold access. destruct (snd a) as [k y| | | | | | |] eqn:Q;
        try (rewrite (move_op j a), Q; [auto|intros; congruence]).
      unfold move. destruct (j <=? p); simpl; rewrite Q; auto. }
    split.
    - intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N).
      apply at_moved_inv in A; destruct A as (a' & A & ->). apply at_moved_inv in B; destruct B as (b' & B & ->).
      rewrite F in FA, FB. exists i, j; split; auto. split; [exists a', b', k, k'; auto|].
      rewrite <- overflow_same_order; auto.
    - intros (i & j & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N).
      exists i, j; split; auto. split; [|rewrite overflow_same_order; auto].
      exists (move i a), (move j b), k, k'. rewrite !at_moved, A, B, !F. auto.
  Qed.
End Overflow.
