(** Clocks that tick late give the same verdicts: the entries ask of clocks only what Lazy.v shows to be the same. *)
From Deadheat Require Export Lazy.

Section Verdicts.
  Variable touches : aevent -> option (kind * N).

  (** The racy bytes of each event, with F j as the clock of event j. *)
  Fixpoint verdicts (F : nat -> clock) (j : nat) (l : list entry) (α : list aevent) : list N :=
    match α with
    | [] => []
    | e :: α =>
        match touches e with
        | None => 0%N :: verdicts F (S j) l α
        | Some (k, m) =>
            let (l', r) := entries_step l {| e_slot := fst e; e_tick := F j (fst e); e_mask := m; e_kind := k |} (F j) in
            r :: verdicts F (S j) l' α
        end
    end.

  Variables (α : list aevent) (K V : nat -> clock).
  Hypothesis touches_accesses : forall e, touches e <> None -> accesses e = true.
  Hypothesis alike : forall i j a b,
    i < j -> α @ i = a -> α @ j = b -> accesses a = true ->
    (K i (fst a) <= K j (fst a) <-> V i (fst a) <= V j (fst a)) /\
    (fst a = fst b -> accesses b = true -> (K i (fst a) = K j (fst a) <-> V i (fst a) = V j (fst a))).

  (** Two entries for one access, the i-th event. *)
  Definition twins (p : nat) (e e' : entry) : Prop :=
    e_slot e = e_slot e' /\ e_mask e = e_mask e' /\ e_kind e = e_kind e' /\
    exists i a, i < p /\ α @ i = a /\ accesses a = true /\ e_slot e = fst a /\
                e_tick e = K i (fst a) /\ e_tick e' = V i (fst a).

  Lemma twins_later p e e' : twins p e e' -> twins (S p) e e'.
  Proof. intros (S1 & S2 & S3 & i & a & Lt & X). repeat split; auto. exists i, a. split; auto. Qed.

  Lemma all_later p l l' : Forall2 (twins p) l l' -> Forall2 (twins (S p)) l l'.
  Proof. induction 1; constructor; auto. apply twins_later; auto. Qed.

  Lemma twins_mask p e e' m : twins p e e' -> twins p (with_mask e m) (with_mask e' m).
  Proof. intros (S1 & S2 & S3 & X). repeat split; auto. Qed.

  Section Step.
    Variables (p : nat) (b : aevent) (k : kind) (m : N) (l l' : list entry).
    Hypothesis at_p : α @ p = b.
    Hypothesis access_p : accesses b = true.
    Let a := {| e_slot := fst b; e_tick := K p (fst b); e_mask := m; e_kind := k |}.
    Let a' := {| e_slot := fst b; e_tick := V p (fst b); e_mask := m; e_kind := k |}.

    Lemma same_before e e' : twins p e e' -> epoch_before e (K p) = epoch_before e' (V p).
    Proof.
      intros (S1 & _ & _ & i & c & Lt & A & F & Q & T & T'). unfold epoch_before. rewrite <- S1, Q, T, T'.
      pose proof (proj1 (alike i p c b Lt A at_p F)) as [X Y].
      destruct (Nat.leb_spec (K i (fst c)) (K p (fst c))), (Nat.leb_spec (V i (fst c)) (V p (fst c))); auto; lia.
    Qed.

    Lemma same_same e e' : twins p e e' -> same_epoch e a = same_epoch e' a'.
    Proof.
      intros (S1 & _ & _ & i & c & Lt & A & F & Q & T & T'). unfold same_epoch. simpl. rewrite <- S1, Q, T, T'.
      destruct (Nat.eqb_spec (fst c) (fst b)) as [E|]; auto. simpl.
      pose proof (proj2 (alike i p c b Lt A at_p F) E access_p) as [X Y]. rewrite E in *.
      destruct (Nat.eqb_spec (K i (fst b)) (K p (fst b))), (Nat.eqb_spec (V i (fst b)) (V p (fst b))); tauto.
    Qed.

    Lemma same_races e e' : twins p e e' -> entry_races a (K p) e = entry_races a' (V p) e'.
    Proof.
      intros T. unfold entry_races. rewrite (same_before e e' T). destruct T as (_ & _ & -> & _). auto.
    Qed.

    Lemma same_keep e e' : twins p e e' -> Forall2 (twins p) (keep a (K p) e) (keep a' (V p) e').
    Proof.
      intros T. unfold keep. rewrite (same_same e e' T), (same_before e e' T), (same_races e e' T).
      pose proof T as (_ & Qm & Qk & _). rewrite Qm, Qk. simpl.
      destruct (same_epoch e' a'); [destruct (kind_eqb (e_kind e') k); auto|].
      destruct (N.eqb (N.land (e_mask e') m) 0); auto.
      destruct ((epoch_before e' (V p) || entry_races a' (V p) e') && subsumesb k (e_kind e')); auto.
      destruct (N.eqb _ 0); auto. constructor; auto. apply twins_mask; auto.
    Qed.

    Lemma same_union f f' :
      (forall e e', twins p e e' -> f e = f' e') -> Forall2 (twins p) l l' -> union f l = union f' l'.
    Proof. intros Q F. induction F as [|e e' h h' T F IH]; simpl; auto. rewrite IH, (Q e e' T). auto. Qed.

    Lemma same_record : Forall2 (twins p) l l' -> on_record l a = on_record l' a'.
    Proof.
      intros F. unfold on_record. induction F as [|e e' h h' T F IH]; cbn [existsb]; auto. rewrite IH.
      rewrite (same_same e e' T). destruct T as (_ & -> & -> & _). auto.
    Qed.

    Lemma same_step :
      Forall2 (twins p) l l' ->
      snd (entries_step l a (K p)) = snd (entries_step l' a' (V p)) /\
      Forall2 (twins (S p)) (fst (entries_step l a (K p))) (fst (entries_step l' a' (V p))).
    Proof.
      intros F. unfold entries_step. rewrite (same_record F). destruct (on_record l' a'); simpl.
      - split; auto. apply all_later; auto.
      - split.
        + apply same_union; auto. intros e e' T. unfold racy. rewrite (same_same e e' T), (same_races e e' T).
          destruct T as (_ & -> & _). auto.
        + apply Forall2_app.
          * clear - F alike at_p access_p. induction F as [|e e' h h' T F IH]; simpl; auto. apply Forall2_app; auto.
            apply all_later, same_keep; auto.
          * constructor; auto. assert (U : union (merged a) l = union (merged a') l').
            { apply same_union; auto. intros e e' T. unfold merged. rewrite (same_same e e' T).
              destruct T as (_ & -> & -> & _). auto. }
            rewrite U. repeat split; auto. exists p, b. repeat split; auto.
    Qed.
  End Step.

  Theorem same_verdicts : verdicts K 0 [] α = verdicts V 0 [] α.
  Proof.
    assert (G : forall γ β l l', α = β ++ γ -> Forall2 (twins (length β)) l l' ->
              verdicts K (length β) l γ = verdicts V (length β) l' γ).
    { induction γ as [|e γ IH]; intros β l l' Q F; simpl; auto.
      assert (Q' : α = (β ++ [e]) ++ γ) by (rewrite <- app_assoc; auto).
      assert (Len : length (β ++ [e]) = S (length β)) by (rewrite app_length; simpl; lia).
      assert (A : α @ (length β) = e) by (rewrite Q, nth_error_app2, Nat.sub_diag; auto).
      destruct (touches e) as [[k m]|] eqn:T.
      - assert (Ac : accesses e = true) by (apply touches_accesses; congruence).
        pose proof (same_step (length β) e k m l l' A Ac F) as (R & F').
        destruct (entries_step l _ (K (length β))) as [l1 r1], (entries_step l' _ (V (length β))) as [l2 r2].
        simpl in R, F'. rewrite R. f_equal. rewrite <- Len in *. apply IH; auto.
      - f_equal. rewrite <- Len. apply IH; auto. rewrite Len. apply all_later; auto. }
    apply (G α [] [] []); auto.
  Qed.
End Verdicts.

(** The clocks of a list, by position. *)
Definition clock_at (Vs : list clock) (j : nat) : clock := nth j Vs bottom.
Definition eager_at (α : list aevent) (j : nat) : clock :=
  match nth_error α j with Some e => AK (firstn j α) e | None => bottom end.

Theorem late_ticks_same_verdicts touches α l Vs :
  (forall e, touches e <> None -> accesses e = true) -> l_runs α l Vs ->
  verdicts touches (clock_at Vs) 0 [] α = verdicts touches (eager_at α) 0 [] α.
Proof.
  intros TA R. symmetry. apply same_verdicts; auto. intros i j a b Lt A B F.
  assert (Len : length Vs = length α).
  { clear - R. induction R; auto. rewrite !app_length. simpl. lia. }
  pose proof (at_lt _ _ _ A). pose proof (at_lt _ _ _ B).
  assert (X : Vs @ i = clock_at Vs i) by (apply nth_error_nth'; lia).
  assert (Y : Vs @ j = clock_at Vs j) by (apply nth_error_nth'; lia).
  destruct (late_ticks_compare_alike α l Vs R i j a b _ _ Lt A B X Y F) as (C1 & C2).
  assert (T : forall v c, α @ v = c -> eager_at α v (fst c) = tick AK α v).
  { intros v c Q. unfold eager_at, tick. rewrite Q. auto. }
  split.
  - rewrite <- C1, (atomic_hb_iff α i j a b Lt A B), (T i a A). unfold eager_at. rewrite B. tauto.
  - intros E Fb. rewrite <- (C2 E Fb), (T i a A). rewrite E. rewrite (T j b B). tauto.
Qed.
