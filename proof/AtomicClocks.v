(** The clock rules of Atomics.v are exact: an invariant says what every clock, head and fence knows. *)
From Deadheat Require Export Atomics.

(** ** The invariant *)

Notation atick := (tick AK).

Record a_well_formed (α : list aevent) (s : astate) : Prop := {
  a_C : forall t i a, α @ i = a -> (aknows α t i <-> atick α i <= C (ac s) t (fst a));
  a_L : forall m i a, α @ i = a -> (alock_knows α m i <-> atick α i <= L (ac s) m (fst a));
  a_heads : forall x t i a, α @ i = a ->
    (head_knows α x t i <-> exists V, In (t, V) (heads s x) /\ atick α i <= V (fst a));
  a_release : forall t i a, α @ i = a ->
    (release_knows α t i <-> exists V, fence_release s t = Some V /\ atick α i <= V (fst a));
  (* What an acquire fence has made known already need not be put aside any longer. *)
  a_acquire : forall t i a, α @ i = a ->
    (acquire_knows α t i \/ aknows α t i <-> atick α i <= fence_acquire s t (fst a) \/ aknows α t i);
  a_own_C : forall t u, t <> u -> C (ac s) t u < C (ac s) u u;
  a_own_L : forall m u, L (ac s) m u < C (ac s) u u;
  a_own_heads : forall x t V u, In (t, V) (heads s x) -> V u < C (ac s) u u;
  a_own_release : forall t V u, fence_release s t = Some V -> V u < C (ac s) u u;
  a_own_acquire : forall t u, fence_acquire s t u < C (ac s) u u
}.

Lemma joins_le c l u : c <= joins l u <-> c = 0 \/ exists t V, In (t, V) l /\ c <= V u.
Proof.
  induction l as [|[t V] l IH]; simpl; [unfold bottom|unfold join].
  - split; [lia|]. intros [->|(t & V & [] & _)]; auto.
  - rewrite Nat.max_le_iff, IH. split.
    + intros [X|[X|(t' & V' & I & X)]]; eauto 6.
    + intros [X|(t' & V' & [Q|I] & X)]; auto; [injection Q as <- <-; auto|eauto 6].
Qed.

Lemma joins_own s u : (forall x t V u, In (t, V) (heads s x) -> V u < C (ac s) u u) ->
  0 < C (ac s) u u -> forall xs, joins (flat_map (heads s) xs) u < C (ac s) u u.
Proof.
  intros O P xs. assert (N : ~ C (ac s) u u <= joins (flat_map (heads s) xs) u); [|lia].
  rewrite joins_le. intros [Z|(t & V & I & Le)]; [lia|]. apply in_flat_map in I. destruct I as (x & _ & I).
  specialize (O x t V u I). lia.
Qed.

Lemma at_bytes_in {A : Type} xs (g : A -> A) f x : In x xs -> at_bytes xs g f x = g (f x).
Proof.
  intros I. unfold at_bytes. replace (existsb (Nat.eqb x) xs) with true; auto. symmetry. apply existsb_exists.
  exists x. split; auto. apply Nat.eqb_refl.
Qed.
Lemma at_bytes_out {A : Type} xs (g : A -> A) f x : ~ In x xs -> at_bytes xs g f x = f x.
Proof.
  intros N. unfold at_bytes. destruct (existsb (Nat.eqb x) xs) eqn:E; auto. destruct N.
  apply existsb_exists in E. destruct E as (y & I & E). apply Nat.eqb_eq in E. subst; auto.
Qed.

Lemma a_exact α s e i a :
  a_well_formed α s -> α @ i = a -> (before α e i <-> atick α i <= a_view s e (fst a)).
Proof.
  intros W A. rewrite before_aknows, (a_C _ _ W _ _ _ A). unfold a_view. set (n := atick α i) in *.
  assert (HD : forall xs, (exists x t, In x xs /\ head_knows α x t i) \/ n <= C (ac s) (fst e) (fst a) <->
                         n <= joins (flat_map (heads s) xs) (fst a) \/ n <= C (ac s) (fst e) (fst a)).
  { intros xs. rewrite joins_le. split.
    - intros [(x & t & Ix & X)|X]; auto. apply (a_heads _ _ W _ _ _ _ A) in X. destruct X as (V & X & Y). left; right.
      exists t, V. split; auto. apply in_flat_map; eauto.
    - intros [[->|(t & V & X & Y)]|X]; auto; [right; lia|]. apply in_flat_map in X. destruct X as (x & Ix & X).
      left. exists x, t. split; auto. apply (a_heads _ _ W _ _ _ _ A). eauto. }
  pose proof (a_acquire _ _ W (fst e) i a A) as AC. rewrite (a_C _ _ W _ _ _ A) in AC. fold n in AC.
  destruct e as [t [o|xs []|xs r d|xs [] r| |]]; simpl in *; unfold join, bottom; rewrite ?Nat.max_le_iff, ?Nat.max_0_r;
    try (specialize (HD xs); tauto); try tauto; try lia.
  destruct o; simpl; unfold join; rewrite ?Nat.max_le_iff; try lia;
    rewrite ?(a_L _ _ W _ _ _ A), ?(a_C _ _ W _ _ _ A); fold n; lia.
Qed.

Lemma a_view_own α s e : a_well_formed α s -> a_view s e (fst e) = C (ac s) (fst e) (fst e).
Proof.
  intros W. assert (P : 0 < C (ac s) (fst e) (fst e)) by (pose proof (a_own_L _ _ W 0 (fst e)); lia).
  pose proof (joins_own s (fst e) (a_own_heads _ _ W) P) as J.
  pose proof (a_own_acquire _ _ W (fst e) (fst e)) as F.
  unfold a_view, join, bottom. destruct e as [t [o|xs []|xs r d|xs [] r| |]]; simpl in *; try (specialize (J xs)); try lia.
  destruct o; simpl; unfold join; try lia.
  - pose proof (a_own_L _ _ W m t). lia.
  - destruct (Nat.eq_dec u t) as [->|N]; [lia|]. pose proof (a_own_C _ _ W u t N). lia.
Qed.

Lemma a_run_snoc α e : a_run (α ++ [e]) = a_step (a_run α) e.
Proof. unfold a_run; rewrite fold_left_app; auto. Qed.

(** What a step does to the clocks of threads and locks. *)
Definition ticks (e : aevent) : bool :=
  match snd e with Store _ rel _ | Rmw _ _ rel => rel | FenceRel => true | _ => false end.

Lemma a_step_ac s e : (forall b, snd e <> Base b) ->
  ac (a_step s e) =
  {| C := set (C (ac s)) (fst e) (after_release (fst e) (ticks e) (a_view s e)); L := L (ac s) |}.
Proof. intros N. destruct e as [t o]. destruct o; auto. destruct (N o); auto. Qed.

Lemma a_step_base s e o : snd e = Base o ->
  ac (a_step s e) = sync_step (ac s) (fst e, o) /\ (forall u, a_view s e u = view (ac s) (fst e, o) u) /\
  heads (a_step s e) = heads s /\ fence_release (a_step s e) = fence_release s /\
  fence_acquire (a_step s e) = fence_acquire s /\ base e = (fst e, o).
Proof.
  destruct e as [t b]; simpl snd; simpl fst; intros ->. repeat split; auto. intros u. apply Nat.max_0_r.
Qed.

Lemma base_or_not (e : aevent) : (exists o, snd e = Base o) \/ (forall o, snd e <> Base o).
Proof. destruct e as [t o]. destruct o; simpl; eauto; right; intros; discriminate. Qed.

Section Step.
  Variables (α : list aevent) (e : aevent).
  Let s := a_run α.
  Hypothesis W : a_well_formed α s.
  Let V := a_view s e.
  Let t := fst e.
  Let n := length α.
  Let s' := a_step s e.

  Lemma st_before i a : α @ i = a -> (before α e i <-> atick α i <= V (fst a)).
  Proof. intros A. apply a_exact; auto. Qed.

  Lemma st_V_own : V t = C (ac s) t t.
  Proof. apply (a_view_own α); auto. Qed.

  Lemma st_tick : atick (α ++ [e]) n = C (ac s) t t.
  Proof. unfold n. rewrite tick_last. exact st_V_own. Qed.

  Lemma st_tick_old i a : α @ i = a -> atick (α ++ [e]) i = atick α i.
  Proof. intros A. apply tick_snoc. eapply at_lt; eauto. Qed.

  Lemma st_own i a : α @ i = a -> atick α i <= C (ac s) (fst a) (fst a).
  Proof. intros A. apply (a_C _ _ W _ _ _ A). exists i, a. unfold up_to; auto. Qed.

  Lemma st_C_V : C (ac s) t ⊑ V.
  Proof.
    intros u. unfold V, a_view, join. unfold t. destruct e as [v [o|xs []|xs r d|xs [] r| |]]; simpl; try lia.
    destruct o; simpl; unfold join; lia.
  Qed.

  Lemma st_V_others u : (forall o, snd e <> Base o) -> u <> t -> V u < C (ac s) u u.
  Proof.
    intros NB N. assert (P : 0 < C (ac s) u u) by (pose proof (a_own_L _ _ W 0 u); lia).
    pose proof (joins_own s u (a_own_heads _ _ W) P) as J.
    pose proof (a_own_acquire _ _ W t u) as F. unfold t in *.
    assert (CO : C (ac s) (fst e) u < C (ac s) u u) by (apply W; auto).
    unfold V, a_view, join, bottom. destruct e as [v [o|xs []|xs r d|xs [] r| |]]; simpl in *;
      try (specialize (J xs)); try lia. destruct (NB o); auto.
  Qed.

  (** Nobody's own time goes back, and it moves on at a release. *)
  Lemma st_own_grows u : C (ac s) u u <= C (ac s') u u.
  Proof.
    unfold s'. pose proof st_V_own as VO. unfold V, t in VO. destruct (base_or_not e) as [(o & Qo)|NB].
    - destruct (a_step_base s e o Qo) as (-> & _). clear VO. generalize (fst e); intros v. destruct o; simpl; unfold set, inc, join; unfold set; cases; lia.
    - rewrite a_step_ac by auto. simpl C. unfold set. destruct (Nat.eqb_spec u (fst e)) as [->|]; auto.
      unfold after_release. destruct (ticks e); [unfold inc; rewrite set_eq|]; lia.
  Qed.

  Lemma st_own_ticks : ticks e = true -> C (ac s) t t < C (ac s') t t.
  Proof.
    intros TK. pose proof st_V_own as VO. unfold s', V, t in *.
    rewrite a_step_ac by (intros b Q; unfold ticks in TK; rewrite Q in TK; discriminate).
    simpl C. rewrite set_eq. unfold after_release. rewrite TK. unfold inc; rewrite set_eq. lia.
  Qed.

  Lemma st_C t0 i a : (α ++ [e]) @ i = a ->
    (aknows (α ++ [e]) t0 i <-> atick (α ++ [e]) i <= C (ac s') t0 (fst a)).
  Proof.
    intros A. rewrite aknows_snoc. pose proof st_V_own as VO. pose proof st_tick as TL.
    pose proof (a_own_C _ _ W) as OC. unfold s', V, t in *.
    apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
    - rewrite (st_tick_old _ _ A), (st_before _ _ A), (a_C _ _ W _ _ _ A).
      pose proof (st_own _ _ A) as OWN. pose proof (st_C_V (fst a)) as CV. unfold V, t in *.
      destruct (base_or_not e) as [(o & Qo)|NB].
      + destruct (a_step_base s e o Qo) as (-> & HV & _). rewrite HV in *. rewrite Qo. clear TL OC. generalize dependent (fst e); intros v VO CV.
        destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
          try (intuition (subst; try congruence; try lia)).
        all: try (match goal with H : Base (Fork _) = Base (Fork _) |- _ => injection H as -> end; lia).
        all: match goal with |- context [Nat.max ?p ?q] => idtac | H : _ <= Nat.max ?p ?q |- _ =>
               destruct (Nat.max_spec p q) as [[_ M]|[_ M]]; rewrite M in *; tauto end.
      + rewrite a_step_ac by auto. simpl C. assert (NF : snd e <> Base (Fork t0)) by auto.
        unfold set. destruct (Nat.eqb_spec t0 (fst e)) as [->|].
        * unfold after_release. destruct (ticks e); unfold inc, set; cases;
            try (match goal with H : fst a = fst e |- _ => rewrite H in * end);
            intuition (try congruence; try lia).
        * intuition (try congruence; try lia).
    - fold n. rewrite TL.
      assert (NK : ~ aknows α t0 n).
      { intros (k & b & B & _ & G). apply at_lt in B. apply (up_to_lt α n k B) in G. unfold n in G; lia. }
      pose proof (OC t0 (fst e)) as OC1. destruct (base_or_not e) as [(o & Qo)|NB].
      + destruct (a_step_base s e o Qo) as (-> & HV & _). rewrite HV in *. rewrite Qo. clear TL OC. generalize dependent (fst e); intros v VO OC1.
        destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
          try (intuition (subst; try congruence; try lia)).
        all: try (match goal with H : Base (Fork _) = Base (Fork _) |- _ => injection H as -> end; lia).
      + rewrite a_step_ac by auto. simpl C. assert (NF : snd e <> Base (Fork t0)) by auto.
        unfold set. destruct (Nat.eqb_spec t0 (fst e)) as [->|].
        * unfold after_release. destruct (ticks e); unfold inc, set; cases; intuition (try congruence; try lia).
        * intuition (try congruence; try lia).
  Qed.

  Lemma st_L m i a : (α ++ [e]) @ i = a ->
    (alock_knows (α ++ [e]) m i <-> atick (α ++ [e]) i <= L (ac s') m (fst a)).
  Proof.
    intros A. rewrite alock_knows_snoc. pose proof st_V_own as VO. pose proof st_tick as TL.
    pose proof (a_own_L _ _ W m (fst e)) as OL. unfold s', V, t in *. unfold releases.
    assert (NB' : (forall o, snd e <> Base o) -> snd (base e) = Check Read 0).
    { intros NB. destruct e as [v o]; destruct o; auto. destruct (NB o); auto. }
    apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
    - rewrite (st_tick_old _ _ A), (st_before _ _ A), (a_L _ _ W _ _ _ A).
      unfold V, t in *. destruct (base_or_not e) as [(o & Qo)|NB].
      + destruct (a_step_base s e o Qo) as (-> & HV & _ & _ & _ & ->). rewrite HV in *. clear TL OL. generalize dependent (fst e); intros v VO.
        destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
          try (intuition (subst; try congruence; try lia)).
        all: match goal with H : _ <= Nat.max ?p ?q |- _ =>
               destruct (Nat.max_spec p q) as [[_ M]|[_ M]]; rewrite M in *; intuition congruence end.
      + rewrite a_step_ac by auto. simpl L. rewrite NB' by auto. intuition congruence.
    - fold n. rewrite TL.
      assert (NK : ~ alock_knows α m n).
      { intros (k & ((b & B & _) & _) & G). apply at_lt in B. rewrite map_length in B.
        apply (up_to_lt α n k B) in G. unfold n in G; lia. }
      destruct (base_or_not e) as [(o & Qo)|NB].
      + destruct (a_step_base s e o Qo) as (-> & HV & _ & _ & _ & ->). rewrite HV in *. clear TL. generalize dependent (fst e); intros v VO OL.
        destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
          try (intuition (subst; try congruence; try lia)).
      + rewrite a_step_ac by auto. simpl L. rewrite NB' by auto. intuition (try congruence; try lia).
  Qed.

  (** The other components, for old events and the new one alike: T is the event's time. *)
  Section Others.
    Variables (i : nat) (a : aevent).
    Hypothesis A : (α ++ [e]) @ i = a.
    Let T := atick (α ++ [e]) i.

    Lemma st_cases : (i < length α /\ α @ i = a /\ T = atick α i) \/ (i = n /\ fst a = t /\ T = C (ac s) t t).
    Proof.
      unfold T. destruct (at_snoc_inv _ _ _ _ A) as [(Li & Ai)|(Q & ->)].
      - left. split; auto. split; auto. apply (st_tick_old _ _ Ai).
      - right. subst i. split; auto. split; auto. apply st_tick.
    Qed.

    Lemma st_new : (i = length α \/ before α e i) <-> T <= V (fst a).
    Proof.
      destruct st_cases as [(Li & Ai & Q)|(Q & Ta & Q2)].
      - rewrite (st_before _ _ Ai), Q. split; auto. intros [X|X]; auto. lia.
      - rewrite Q2, Ta. pose proof st_V_own. split; [lia|]. intros _; left; exact Q.
    Qed.

    Lemma st_old_heads x t0 :
      head_knows α x t0 i <-> exists V', In (t0, V') (heads s x) /\ T <= V' (fst a).
    Proof.
      destruct st_cases as [(Li & Ai & Q)|(Q & Ta & Q2)].
      - rewrite (a_heads _ _ W _ _ _ _ Ai), Q. tauto.
      - split.
        + intros (w & r & _ & Pb & G). exfalso. apply (up_to_lt α i r) in G; [|eapply published_lt; eauto].
          subst i. unfold n in G; lia.
        + intros (V' & I & Le). exfalso. pose proof (a_own_heads _ _ W x t0 V' t I). rewrite Ta, Q2 in Le. lia.
    Qed.

    Lemma st_old_release t0 :
      release_knows α t0 i <-> exists V', fence_release s t0 = Some V' /\ T <= V' (fst a).
    Proof.
      destruct st_cases as [(Li & Ai & Q)|(Q & Ta & Q2)].
      - rewrite (a_release _ _ W _ _ _ Ai), Q. tauto.
      - split.
        + intros (r & F & G). exfalso. apply at_lt in F. apply (up_to_lt α i r F) in G.
          subst i. unfold n in G; lia.
        + intros (V' & I & Le). exfalso. pose proof (a_own_release _ _ W t0 V' t I). rewrite Ta, Q2 in Le. lia.
    Qed.

    Lemma st_old_acquire t0 :
      acquire_knows α t0 i \/ aknows α t0 i <-> T <= fence_acquire s t0 (fst a) \/ aknows α t0 i.
    Proof.
      destruct st_cases as [(Li & Ai & Q)|(Q & Ta & Q2)].
      - rewrite (a_acquire _ _ W _ _ _ Ai), Q. tauto.
      - split; (intros [X|X]; [exfalso|auto]).
        + destruct X as (j & b & x & r & _ & _ & _ & Rf & G). apply read_from_lt in Rf.
          rewrite firstn_length in Rf. apply (up_to_lt α i r) in G; [|lia]. subst i; unfold n in G; lia.
        + pose proof (a_own_acquire _ _ W t0 t). rewrite Ta, Q2 in X. lia.
    Qed.

    Lemma st_fence_new : release_knows α t i -> T <= V (fst a).
    Proof.
      intros (r & F & G). apply st_new. right. apply before_iff. exists r, (t, FenceRel). auto.
    Qed.

    Lemma st_zero t0 : T = 0 -> aknows (α ++ [e]) t0 i.
    Proof. intros Z. apply (st_C t0 i a A). fold T. lia. Qed.

    Lemma in_add_head v h l t0 (V' : clock) :
      In (t0, V') (add_head v h l) <-> (h = Some V' /\ v = t0) \/ In (t0, V') l.
    Proof.
      destruct h as [V0|]; simpl; [|split; [auto|intros [(Q & _)|]; [discriminate|auto]]].
      split; (intros [Q|Q]; [left|auto]); [injection Q as -> ->; auto|].
      destruct Q as (Q & ->). injection Q as ->; auto.
    Qed.

    (** What is published knows what is before e; a fence published earlier is among that. *)
    Lemma st_own_head t0 rel :
      (t = t0 /\ ((rel = true /\ T <= V (fst a)) \/
                  exists V', fence_release s t0 = Some V' /\ T <= V' (fst a))) <->
      exists V', own_head s t rel V = Some V' /\ t = t0 /\ T <= V' (fst a).
    Proof.
      unfold own_head. destruct rel; split.
      - intros (Q & [(_ & X)|X]); exists V; repeat split; auto.
        apply st_fence_new. rewrite Q. apply st_old_release; auto.
      - intros (V' & Q & Tq & X). injection Q as <-. auto.
      - intros (Q & [(X & _)|(V' & X & Y)]); [discriminate|]. exists V'. rewrite Q. auto.
      - intros (V' & Q & Tq & X). split; auto. right. exists V'. rewrite <- Tq. auto.
    Qed.

    Lemma st_heads x t0 :
      head_knows (α ++ [e]) x t0 i <-> exists V', In (t0, V') (heads s' x) /\ T <= V' (fst a).
    Proof.
      rewrite head_knows_snoc, st_old_heads, st_new, st_old_release.
      assert (SAME : ~ writes x e -> heads s' x = heads s x ->
        (((exists V', In (t0, V') (heads s x) /\ T <= V' (fst a)) /\ (writes x e -> continues t0 e)) \/
         (writes x e /\ fst e = t0 /\ ((releasing e /\ T <= V (fst a)) \/
            exists V', fence_release s t0 = Some V' /\ T <= V' (fst a))) <->
         exists V', In (t0, V') (heads s' x) /\ T <= V' (fst a))).
      { intros NW ->. tauto. }
      assert (OH := st_own_head t0). unfold writes, continues, releasing, s', a_step in *.
      destruct (snd e) eqn:Qo; try (apply SAME; auto; fail); simpl heads in *; fold t V s in SAME |- *;
        (destruct (in_dec Nat.eq_dec x xs) as [Ix|Nx]; [|apply SAME; auto; apply at_bytes_out; auto]);
        rewrite at_bytes_in by auto; specialize (OH rel); fold t.
      - split.
        + intros [((V' & I & X) & Cn)|(_ & TT & D)].
          * destruct (Cn Ix) as (Q & Tq). exists V'. split; auto. apply in_add_head. right. rewrite Q.
            apply filter_In. split; auto. simpl. apply Nat.eqb_eq; auto.
          * destruct (proj1 OH) as (V' & Q & Tq & X).
            { split; [exact TT|]. destruct D as [(Re & X)|X]; [left|right; exact X]. split; auto.
              destruct rel; tauto. }
            exists V'. split; auto. apply in_add_head; auto.
        + intros (V' & I & X). apply in_add_head in I. destruct I as [(Q & Tq)|I].
          * right. split; auto. destruct (proj2 OH) as (_ & D); [eauto|]. split; auto.
            destruct D as [(-> & D)|D]; auto.
          * destruct d eqn:Qc; [|destruct I]. apply filter_In in I. destruct I as (I & Tq).
            simpl in Tq; apply Nat.eqb_eq in Tq. left. split; eauto.
      - split.
        + intros [((V' & I & X) & Cn)|(_ & TT & D)].
          * exists V'. split; auto. apply in_add_head; auto.
          * destruct (proj1 OH) as (V' & Q & Tq & X).
            { split; [exact TT|]. destruct D as [(Re & X)|X]; [left|right; exact X]. split; auto.
              destruct rel; tauto. }
            exists V'. split; auto. apply in_add_head; auto.
        + intros (V' & I & X). apply in_add_head in I. destruct I as [(Q & Tq)|I]; [|left; eauto].
          right. split; auto. destruct (proj2 OH) as (_ & D); [eauto|]. split; auto.
          destruct D as [(-> & D)|D]; auto.
    Qed.

    Lemma st_release t0 :
      release_knows (α ++ [e]) t0 i <-> exists V', fence_release s' t0 = Some V' /\ T <= V' (fst a).
    Proof.
      rewrite release_knows_snoc, st_new, st_old_release.
      assert (SAME : snd e <> FenceRel -> fence_release s' t0 = fence_release s t0 ->
        ((exists V', fence_release s t0 = Some V' /\ T <= V' (fst a)) \/ (e = (t0, FenceRel) /\ T <= V (fst a)) <->
         exists V', fence_release s' t0 = Some V' /\ T <= V' (fst a))).
      { intros NF ->. split; auto. intros [X|(Q & _)]; auto. rewrite Q in NF. destruct NF; auto. }
      unfold s', a_step in *. destruct (snd e) eqn:Qo; try (apply SAME; auto; discriminate).
      simpl fence_release. fold t V s. clear SAME. destruct (Nat.eq_dec t0 t) as [->|Nt].
      - rewrite set_eq. split.
        + intros [X|(_ & X)]; exists V; split; auto. apply st_fence_new. apply st_old_release; auto.
        + intros (V' & Q & X). injection Q as <-. right. split; auto.
          unfold t. rewrite <- Qo. destruct e; auto.
      - rewrite set_neq by auto. split; auto. intros [X|(Q & _)]; auto.
        exfalso; apply Nt. unfold t. rewrite Q; auto.
    Qed.

    Lemma st_acquire t0 :
      acquire_knows (α ++ [e]) t0 i \/ aknows (α ++ [e]) t0 i <->
      T <= fence_acquire s' t0 (fst a) \/ aknows (α ++ [e]) t0 i.
    Proof.
      rewrite acquire_knows_snoc. pose proof (st_old_acquire t0) as OA.
      assert (MORE : aknows α t0 i -> aknows (α ++ [e]) t0 i) by (rewrite aknows_snoc; auto).
      assert (BK : t = t0 -> before α e i -> aknows (α ++ [e]) t0 i) by (rewrite aknows_snoc; auto).
      assert (Z := st_zero t0).
      assert (SAME : (forall x v, t = t0 -> reads x e -> head_knows α x v i -> aknows (α ++ [e]) t0 i) ->
        fence_acquire s' t0 = fence_acquire s t0 ->
        ((acquire_knows α t0 i \/ (fst e = t0 /\ exists x v, reads x e /\ head_knows α x v i)) \/
          aknows (α ++ [e]) t0 i <-> T <= fence_acquire s' t0 (fst a) \/ aknows (α ++ [e]) t0 i)).
      { intros RD ->. split.
        - intros [[X|(Q & x & v & Rx & X)]|X]; auto; [|right; eapply RD; eauto]. tauto.
        - intros [X|X]; auto. tauto. }
      assert (LOAD : forall xs, (forall x, reads x e <-> In x xs) ->
        fence_acquire s' t0 = (if t0 =? t then fence_acquire s t ⊔ joins (flat_map (heads s) xs) else fence_acquire s t0) ->
        ((acquire_knows α t0 i \/ (fst e = t0 /\ exists x v, reads x e /\ head_knows α x v i)) \/
          aknows (α ++ [e]) t0 i <-> T <= fence_acquire s' t0 (fst a) \/ aknows (α ++ [e]) t0 i)).
      { intros xs Rx ->. destruct (Nat.eqb_spec t0 t) as [->|Nt].
        - unfold join. rewrite Nat.max_le_iff, joins_le. split.
          + intros [[X|(_ & y & v & Ry & X)]|X]; auto; [tauto|]. apply Rx in Ry.
            apply st_old_heads in X. destruct X as (V' & I & X). left; right; right.
            exists v, V'. split; auto. apply in_flat_map; eauto.
          + intros [[X|[X|(v & V' & I & X)]]|X]; auto; [tauto|]. left; right. split; auto.
            apply in_flat_map in I. destruct I as (x & Ix & I).
            exists x, v. split; [apply Rx; auto|]. apply st_old_heads; eauto.
        - split.
          + intros [[X|(Q & _)]|X]; auto; [tauto|]. exfalso; apply Nt; auto.
          + intros [X|X]; auto. tauto. }
      destruct (snd e) as [o|xs [|]|xs r d|xs [|] r| |] eqn:Qo.
      - apply SAME; [unfold reads; rewrite Qo; tauto|unfold s', a_step; rewrite Qo; auto].
      - apply SAME; [|unfold s', a_step; rewrite Qo; auto].
        intros y v Q Ry X. apply BK; auto. apply before_aknows. rewrite Qo. right.
        unfold reads in Ry; rewrite Qo in Ry. eauto.
      - apply (LOAD xs); [unfold reads; rewrite Qo; tauto|].
        unfold s', a_step. rewrite Qo. simpl. unfold set. fold t. destruct (Nat.eqb_spec t0 t); auto.
      - apply SAME; [unfold reads; rewrite Qo; tauto|unfold s', a_step; rewrite Qo; auto].
      - apply SAME; [|unfold s', a_step; rewrite Qo; auto].
        intros y v Q Ry X. apply BK; auto. apply before_aknows. rewrite Qo. right.
        unfold reads in Ry; rewrite Qo in Ry. eauto.
      - apply (LOAD xs); [unfold reads; rewrite Qo; tauto|].
        unfold s', a_step. rewrite Qo. simpl. unfold set. fold t. destruct (Nat.eqb_spec t0 t); auto.
      - destruct (Nat.eq_dec t0 t) as [->|Nt].
        + split; intros [X|X]; auto; right.
          * destruct X as [X|(_ & x & v & Rx & _)]; [|unfold reads in Rx; rewrite Qo in Rx; contradiction].
            apply BK; auto. apply before_aknows. rewrite Qo. auto.
          * apply Z. revert X. unfold s', a_step. rewrite Qo. simpl. fold t. rewrite set_eq. unfold bottom. lia.
        + apply SAME; [unfold reads; rewrite Qo; tauto|].
          unfold s', a_step. rewrite Qo. simpl. apply set_neq; auto.
      - apply SAME; [unfold reads; rewrite Qo; tauto|unfold s', a_step; rewrite Qo; auto].
    Qed.
  End Others.

  (** Nobody has heard of the present time of another. *)
  Lemma st_fresh_C t0 u : t0 <> u -> C (ac s') t0 u < C (ac s') u u.
  Proof.
    intros N. pose proof (st_own_grows u) as G. pose proof (a_own_C _ _ W t0 u N) as O.
    destruct (base_or_not e) as [(o & Qo)|NB].
    - clear G. unfold s'. destruct (a_step_base s e o Qo) as (-> & _).
      pose proof (a_own_C _ _ W (fst e) u) as O2. pose proof (fun m => a_own_L _ _ W m u) as O3.
      pose proof (fun v => a_own_C _ _ W v u) as O4. generalize dependent (fst e); intros v O2.
      destruct o; simpl in *; try (specialize (O3 m)); try (specialize (O4 u0));
        unfold set, inc, join in *; unfold set in *; cases; try congruence; try lia.
    - pose proof (st_V_others u NB) as VU. unfold s' in G |- *. rewrite a_step_ac in G |- * by auto. simpl C in G |- *.
      change (a_view s e) with V in G |- *.
      unfold set at 1. destruct (Nat.eqb_spec t0 (fst e)) as [->|]; [|lia].
      assert (X : V u < C (ac s) u u) by (apply VU; auto).
      unfold after_release at 1. destruct (ticks e); [unfold inc at 1; rewrite set_neq by auto|]; lia.
  Qed.

  Lemma st_fresh_L m u : L (ac s') m u < C (ac s') u u.
  Proof.
    pose proof (st_own_grows u) as G. pose proof (a_own_L _ _ W m u) as O.
    destruct (base_or_not e) as [(o & Qo)|NB].
    - clear G. unfold s'. destruct (a_step_base s e o Qo) as (-> & _).
      pose proof (a_own_C _ _ W (fst e) u) as O2. pose proof (fun m => a_own_L _ _ W m u) as O3.
      generalize dependent (fst e); intros v O2.
      destruct o; simpl in *; try (specialize (O3 m0));
        unfold set, inc, join in *; unfold set in *; cases; try congruence; try lia.
    - unfold s' in G |- *. rewrite a_step_ac in G |- * by auto. simpl L. lia.
  Qed.

  (** What a release publishes is behind, too, because the thread ticks. *)
  Lemma st_fresh_V u : ticks e = true -> V u < C (ac s') u u.
  Proof.
    intros TK. pose proof (st_own_grows u) as G. destruct (Nat.eq_dec u t) as [->|N].
    - rewrite st_V_own. apply st_own_ticks; auto.
    - assert (NB : forall o, snd e <> Base o) by (intros o Q; unfold ticks in TK; rewrite Q in TK; discriminate).
      pose proof (st_V_others u NB N). lia.
  Qed.

  Lemma st_fresh_head rel V' u :
    (rel = true -> ticks e = true) -> own_head s t rel V = Some V' -> V' u < C (ac s') u u.
  Proof.
    intros TK. unfold own_head. destruct rel.
    - intros Q; injection Q as <-. apply st_fresh_V; auto.
    - intros Q. pose proof (a_own_release _ _ W t V' u Q). pose proof (st_own_grows u). lia.
  Qed.

  Lemma st_fresh_heads x t0 V' u : In (t0, V') (heads s' x) -> V' u < C (ac s') u u.
  Proof.
    intros I. pose proof (st_own_grows u) as G.
    assert (OLD : forall y, In (t0, V') (heads s y) -> V' u < C (ac s') u u).
    { intros y J. pose proof (a_own_heads _ _ W y t0 V' u J). lia. }
    pose proof (fun rel => st_fresh_head rel V' u) as FH.
    destruct (snd e) as [o|ys q|ys r d|ys q r| |] eqn:Qo;
      try (apply (OLD x); revert I; unfold s', a_step; rewrite Qo; auto; fail).
    - assert (J : In (t0, V') (at_bytes ys (fun l => add_head t (own_head s t r V)
                     match d with C11 => filter (fun h => fst h =? t) l | Cxx20 => [] end) (heads s) x))
        by (revert I; unfold s' at 1, a_step; rewrite Qo; auto).
      unfold at_bytes in J. destruct (existsb (Nat.eqb x) ys); [|apply (OLD x); auto].
      apply in_add_head in J. destruct J as [(Q & _)|J].
      + apply (FH r); auto. unfold ticks; rewrite Qo; auto.
      + apply (OLD x). destruct d; [apply filter_In in J; tauto|destruct J].
    - assert (J : In (t0, V') (at_bytes ys (add_head t (own_head s t r V)) (heads s) x))
        by (revert I; unfold s' at 1, a_step; rewrite Qo; auto).
      unfold at_bytes in J. destruct (existsb (Nat.eqb x) ys); [|apply (OLD x); auto].
      apply in_add_head in J. destruct J as [(Q & _)|J]; [|apply (OLD x); auto].
      apply (FH r); auto. unfold ticks; rewrite Qo; auto.
  Qed.

  Lemma st_fresh_release t0 V' u : fence_release s' t0 = Some V' -> V' u < C (ac s') u u.
  Proof.
    intros I. pose proof (st_own_grows u) as G.
    assert (OLD : fence_release s t0 = Some V' -> V' u < C (ac s') u u).
    { intros J. pose proof (a_own_release _ _ W t0 V' u J). lia. }
    destruct (snd e) eqn:Qo; try (apply OLD; revert I; unfold s' at 1, a_step; rewrite Qo; auto; fail).
    assert (J : set (fence_release s) t (Some V) t0 = Some V')
      by (revert I; unfold s' at 1, a_step; rewrite Qo; auto).
    unfold set in J. destruct (t0 =? t); auto. injection J as <-. apply st_fresh_V. unfold ticks; rewrite Qo; auto.
  Qed.

  Lemma st_fresh_acquire t0 u : fence_acquire s' t0 u < C (ac s') u u.
  Proof.
    pose proof (st_own_grows u) as G. pose proof (a_own_acquire _ _ W t0 u) as O.
    assert (P : 0 < C (ac s) u u) by lia.
    pose proof (joins_own s u (a_own_heads _ _ W) P) as J.
    assert (LOAD : forall xs, fence_acquire s' t0 =
                set (fence_acquire s) t (fence_acquire s t ⊔ joins (flat_map (heads s) xs)) t0 ->
              fence_acquire s' t0 u < C (ac s') u u).
    { intros xs ->. specialize (J xs). pose proof (a_own_acquire _ _ W t u).
      unfold set, join. destruct (t0 =? t); lia. }
    assert (OLD : fence_acquire s' t0 = fence_acquire s t0 -> fence_acquire s' t0 u < C (ac s') u u)
      by (intros ->; lia).
    destruct (snd e) as [o|xs [|]|xs r d|xs [|] r| |] eqn:Qo;
      try (apply OLD; unfold s', a_step; rewrite Qo; auto; fail);
      try (apply (LOAD xs); unfold s', a_step; rewrite Qo; auto; fail).
    replace (fence_acquire s' t0) with (set (fence_acquire s) t bottom t0) by (unfold s', a_step; rewrite Qo; auto).
    unfold set, bottom. destruct (t0 =? t); lia.
  Qed.

  Lemma a_wf_step : a_well_formed (α ++ [e]) s'.
  Proof.
    split.
    - exact st_C.
    - exact st_L.
    - intros x t0 i a A. apply (st_heads i a A).
    - intros t0 i a A. apply (st_release i a A).
    - intros t0 i a A. apply (st_acquire i a A).
    - exact st_fresh_C.
    - exact st_fresh_L.
    - exact st_fresh_heads.
    - exact st_fresh_release.
    - exact st_fresh_acquire.
  Qed.
End Step.

Theorem a_wf_run α : a_well_formed α (a_run α).
Proof.
  induction α as [|e α IH] using rev_ind.
  - destruct well_formed_initial as [_ _ OC OL]. split; simpl;
      try (intros; match goal with H : nth_error [] ?i = Some _ |- _ => destruct i; discriminate H end);
      try (intros x t V u []); try (intros; discriminate); auto.
  - rewrite a_run_snoc. apply a_wf_step; auto.
Qed.

(** The clocks are exact: they capture happens-before, no more and no less. *)
Theorem AK_exact : exact AK (fun _ => True).
Proof. intros α e i a _ A. apply a_exact; auto. apply a_wf_run. Qed.

Theorem AK_fresh : fresh AK (fun _ => True).
Proof.
  intros α e j i a b _ A B Ta Tb HB. pose proof (a_wf_run α) as W. simpl in *.
  assert (KN : aknows α (fst b) j) by (exists i, b; unfold up_to; auto).
  apply (a_C _ _ W _ _ _ A) in KN. unfold AK at 2. rewrite (a_view_own α _ e W).
  pose proof (a_own_C _ _ W (fst b) (fst e) Tb). rewrite Ta in KN. lia.
Qed.

Corollary atomic_hb_iff (α : list aevent) (i j : nat) (a b : aevent) :
  i < j -> α @ i = a -> α @ j = b -> (hb α i j <-> tick AK α i <= AK (firstn j α) b (fst a)).
Proof. exact (hb_iff AK (fun _ => True) AK_exact (fun _ _ _ => I) α i j a b I). Qed.
