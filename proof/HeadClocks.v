(** The clock rules of Heads.v keep the clocks of Atomics.v, number for number. *)
From Deadheat Require Export Heads.

Section Simulation.
Variable n : nat.

Definition same_option (V W : option clock) : Prop :=
  match V, W with
  | Some V, Some W => forall u, V u = W u
  | None, None => True
  | _, _ => False
  end.

Record agrees (s : astate) (h : hstate) : Prop := {
  ag_C : forall t u, C (hc h) t u = C (ac s) t u;
  ag_L : forall m u, L (hc h) m u = L (ac s) m u;
  ag_heads : forall x t u c,
    counts (cells h (cell_of x)) (bit_of x) t u c <-> exists V, In (t, V) (heads s x) /\ c <= V u;
  ag_release : forall t, same_option (h_release h t) (fence_release s t);
  ag_acquire : forall t u, h_acquire h t u = fence_acquire s t u
}.

(** What t published and somebody may still see. *)
Definition snapshot (h : hstate) (t : tid) (V : clock) : Prop :=
  (exists c k, In k (cells h c) /\ h_thread k = t /\ h_clock k = V) \/ h_release h t = Some V.

(** Snapshots of one thread are ordered like their ticks, and the thread has moved on since. *)
Record chained (h : hstate) : Prop := {
  ch_below : forall t V, snapshot h t V -> V ⊑ C (hc h) t /\ V t < C (hc h) t t;
  ch_order : forall t V W, snapshot h t V -> snapshot h t W -> V t <= W t -> V ⊑ W
}.

Lemma chained_next h h' t V :
  chained h -> (forall v u, C (hc h) v u <= C (hc h') v u) ->
  (forall v W, snapshot h' v W -> snapshot h v W \/
     (v = t /\ W = V /\ C (hc h) t ⊑ V /\ V ⊑ C (hc h') t /\ V t < C (hc h') t t)) ->
  chained h'.
Proof.
  intros [Below Order] Grows New. split.
  - intros v W S. destruct (New v W S) as [Old|(-> & -> & _ & B1 & B2)]; auto.
    destruct (Below v W Old) as (B1 & B2). split.
    + intros u. specialize (B1 u). specialize (Grows v u). lia.
    + specialize (Grows v v). lia.
  - intros v W X SW SX Le. destruct (New v W SW) as [OW|(Q & -> & CV & B1 & B2)],
      (New v X SX) as [OX|(Q' & -> & CV' & _)]; subst.
    + apply (Order v); auto.
    + destruct (Below t W OW) as (B & _). eapply le_trans; eauto.
    + destruct (Below t X OX) as (_ & B). specialize (CV t). lia.
    + apply le_refl.
Qed.

Section Step.
  Variables (s : astate) (h : hstate) (e : aevent).
  Hypothesis A : agrees s h.
  Hypothesis Ch : chained h.
  Let t := fst e.
  Let V := h_view n h e.
  Let h' := h_step n h e.

  Lemma met_joins xs u : met_clock (cells h) xs u = joins (flat_map (heads s) xs) u.
  Proof.
    assert (G : forall c, c <= met_clock (cells h) xs u <-> c <= joins (flat_map (heads s) xs) u).
    { intros c. rewrite met_clock_le, joins_le. split; (intros [X|X]; [auto|right]).
      - destruct X as (x & v & I & X). apply (ag_heads _ _ A) in X. destruct X as (W & J & X).
        exists v, W. split; auto. apply in_flat_map; eauto.
      - destruct X as (v & W & I & X). apply in_flat_map in I. destruct I as (x & Ix & I).
        exists x, v. split; auto. apply (ag_heads _ _ A). eauto. }
    pose proof (proj1 (G _) (Nat.le_refl _)). pose proof (proj2 (G _) (Nat.le_refl _)). lia.
  Qed.

  Lemma view_agrees o u : view (hc h) (t, o) u = view (ac s) (t, o) u.
  Proof. destruct o; simpl; unfold join; rewrite ?(ag_C _ _ A), ?(ag_L _ _ A); auto. Qed.

  Lemma h_view_agrees u : V u = a_view s e u.
  Proof.
    unfold V, h_view, array. rewrite tabulate_eq. unfold a_view, join, base. fold t. rewrite view_agrees. f_equal.
    destruct (snd e) as [o|xs []|xs r d|xs [] r| |]; auto using met_joins. apply (ag_acquire _ _ A).
  Qed.

  Lemma C_view : C (hc h) t ⊑ V.
  Proof.
    intros u. unfold V, h_view, array. rewrite tabulate_eq. unfold join, base. fold t.
    destruct (snd e) as [o|xs []|xs r d|xs [] r| |]; simpl; try lia. destruct o; simpl; unfold join; lia.
  Qed.

  Lemma arrays_C o cs v u : C (arrays n o cs) v u = C cs v u.
  Proof. destruct o; auto; simpl; rewrite tabulate_eq; apply tabulate_eq. Qed.

  Lemma step_C v u : C (hc h') v u = C (ac (a_step s e)) v u.
  Proof.
    pose proof (ag_C _ _ A) as AC. pose proof (ag_L _ _ A) as AL. pose proof h_view_agrees as AV.
    unfold h', h_step, a_step. fold t V. unfold V, t in *.
    destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [hc ac];
      try (simpl C; unfold set, after_release; destruct (v =? fst e); [|apply AC];
           try destruct r; unfold inc, set; try (destruct (u =? fst e)); rewrite ?AV; auto; fail).
    rewrite arrays_C. destruct o; simpl; unfold inc, set, join; cases; rewrite ?AC, ?AL; auto.
  Qed.

  Lemma step_L m u : L (hc h') m u = L (ac (a_step s e)) m u.
  Proof.
    pose proof (ag_C _ _ A) as AC. pose proof (ag_L _ _ A) as AL.
    unfold h', h_step, a_step. destruct (snd e) as [o|xs q|xs r d|xs q r| |]; cbn [hc ac]; try apply AL.
    simpl. destruct o; simpl; unfold set, join; cases; rewrite ?AC, ?AL; auto.
  Qed.

  Lemma own_agrees rel : same_option (h_own h t rel V) (own_head s t rel (a_view s e)).
  Proof. destruct rel; simpl; [exact h_view_agrees|apply (ag_release _ _ A)]. Qed.

  Lemma same_option_le W W' (P : Prop) u c :
    same_option W W' -> ((exists X, W = Some X /\ P /\ c <= X u) <-> (exists X, W' = Some X /\ P /\ c <= X u)).
  Proof.
    destruct W as [X|], W' as [X'|]; simpl; intros S; try contradiction.
    - split; intros (Y & Q & Z & Le); injection Q as <-; eexists; (split; [reflexivity|]); (split; [auto|]);
        [rewrite <- S|rewrite S]; auto.
    - split; intros (Y & Q & _); discriminate.
  Qed.

  Lemma in_cells_own rel c k :
    In k (cells h c) -> h_thread k = t -> forall W, h_own h t rel V = Some W -> comparable t W (h_clock k).
  Proof.
    intros I T W Q. assert (S : snapshot h t (h_clock k)) by (left; exists c, k; auto).
    unfold h_own in Q. destruct rel.
    - injection Q as <-. destruct (ch_below _ Ch t _ S) as (B1 & B2). pose proof C_view as CV. split.
      + intros Le. specialize (CV t). lia.
      + intros _. eapply le_trans; eauto.
    - split; intros Le; eapply (ch_order _ Ch t); eauto; right; auto.
  Qed.

  (** The heads of Atomics.v, in the same words. *)
  Lemma add_head_le own xs hs x t' u c :
    (exists W, In (t', W) (at_bytes xs (add_head t own) hs x) /\ c <= W u) <->
    (exists W, In (t', W) (hs x) /\ c <= W u) \/ (exists W, own = Some W /\ (In x xs /\ t = t') /\ c <= W u).
  Proof.
    destruct (in_dec Nat.eq_dec x xs) as [I|I].
    - rewrite at_bytes_in by auto. split.
      + intros (W & J & Le). apply in_add_head in J. destruct J as [(Q & T)|J]; [right|left]; exists W; auto.
      + intros [(W & J & Le)|(W & Q & (_ & T) & Le)]; exists W; (split; [apply in_add_head|]); auto.
    - rewrite at_bytes_out by auto. split; auto. intros [X|(W & _ & (J & _) & _)]; [auto|contradiction].
  Qed.

  Lemma kept_le d xs hs x t' u c :
    (exists W, In (t', W) (at_bytes xs (fun l => match d with
                             | C11 => filter (fun g : tid * clock => fst g =? t) l | Cxx20 => [] end) hs x) /\ c <= W u) <->
    (exists W, In (t', W) (hs x) /\ c <= W u) /\
    (In x xs -> match d with C11 => Some t | Cxx20 => None end = Some t').
  Proof.
    destruct (in_dec Nat.eq_dec x xs) as [I|I].
    - rewrite at_bytes_in by auto. destruct d.
      + split.
        * intros (W & J & Le). apply filter_In in J. simpl in J. rewrite Nat.eqb_eq in J. destruct J as (J & ->).
          eauto.
        * intros ((W & J & Le) & Q). specialize (Q I). injection Q as Q. exists W. split; auto.
          apply filter_In. split; auto. simpl. apply Nat.eqb_eq; auto.
      + split; [intros (W & [] & _)|]. intros (_ & Q). specialize (Q I). discriminate.
    - rewrite at_bytes_out by auto. tauto.
  Qed.

  Lemma at_bytes_twice {T : Type} xs (f g : T -> T) hs (x : loc) :
    at_bytes xs (fun l => f (g l)) hs x = at_bytes xs f (at_bytes xs g hs) x.
  Proof. unfold at_bytes. destruct (existsb (Nat.eqb x) xs); auto. Qed.

  Lemma step_heads x t' u c :
    counts (cells h' (cell_of x)) (bit_of x) t' u c <-> exists W, In (t', W) (heads (a_step s e) x) /\ c <= W u.
  Proof.
    pose proof (ag_heads _ _ A x t' u c) as AH.
    unfold h', h_step, a_step. fold t V.
    destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [cells heads]; auto.
    - rewrite at_bytes_twice, add_head_le, kept_le, <- AH.
      rewrite at_cells_publish, at_cells_overwrite.
      + pose proof (same_option_le _ _ (In x xs /\ t = t') u c (own_agrees r)) as OW. fold t in OW.
        rewrite <- OW. split; (intros [X|(W & QW & X)]; [left; exact X|right; exists W; tauto]).
      + intros W b k QW I T. unfold at_cells in I. rewrite change_spec in I.
        destruct (in_dec Nat.eq_dec b (map cell_of xs)).
        * apply overwrite_in in I. destruct I as (k' & I & Tk & ->). eapply in_cells_own; eauto. congruence.
        * eapply in_cells_own; eauto.
    - rewrite add_head_le, <- AH. rewrite at_cells_publish.
      + pose proof (same_option_le _ _ (In x xs /\ t = t') u c (own_agrees r)) as OW. fold t in OW.
        rewrite <- OW. split; (intros [X|(W & QW & X)]; [left; exact X|right; exists W; tauto]).
      + intros W b k QW I T. eapply in_cells_own; eauto.
  Qed.

  Lemma step_agrees : agrees (a_step s e) h'.
  Proof.
    split; [exact step_C|exact step_L|exact step_heads| |].
    - intros v. pose proof (ag_release _ _ A v) as AR. unfold h', h_step, a_step.
      destruct (snd e) eqn:Q; cbn [h_release fence_release]; auto.
      unfold set. fold t V. destruct (v =? t); auto. simpl. exact h_view_agrees.
    - intros v u. pose proof (ag_acquire _ _ A) as AQ.
      assert (ASIDE : forall xs, set (h_acquire h) t (array n (h_acquire h t ⊔ met_clock (cells h) xs)) v u =
                     set (fence_acquire s) t (fence_acquire s t ⊔ joins (flat_map (heads s) xs)) v u).
      { intros xs. unfold set, array. destruct (v =? t); auto. rewrite tabulate_eq. unfold join.
        rewrite met_joins, AQ. auto. }
      unfold h', h_step, a_step. fold t.
      destruct (snd e) as [o|xs [|]|xs r d|xs [|] r| |] eqn:Q; cbn [h_acquire fence_acquire]; auto.
      unfold set. destruct (v =? t); auto.
  Qed.

  Lemma step_grows v u : C (hc h) v u <= C (hc h') v u.
  Proof.
    pose proof C_view as CV. unfold h', h_step. fold t V.
    assert (G : forall V', V ⊑ V' -> C (hc h) v u <= set (C (hc h)) t V' v u).
    { intros V' Le. unfold set. destruct (Nat.eqb_spec v t) as [->|]; auto. specialize (CV u). specialize (Le u).
      lia. }
    assert (G' : forall r, V ⊑ after_release t r V) by (intros [|]; [apply inc_le|apply le_refl]).
    destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [hc]; try (simpl; auto using le_refl, inc_le; fail).
    rewrite arrays_C. unfold t in *. destruct o; simpl; unfold inc, set, join; cases; lia.
  Qed.

  Lemma step_chained : chained h'.
  Proof.
    apply (chained_next h h' t V Ch step_grows). intros v W S. pose proof C_view as CV.
    assert (NEW : C (hc h') t = inc t V -> v = t -> W = V ->
              v = t /\ W = V /\ C (hc h) t ⊑ V /\ V ⊑ C (hc h') t /\ V t < C (hc h') t t).
    { intros -> -> ->. repeat split; auto using inc_le. unfold inc. rewrite set_eq. lia. }
    assert (OWN : forall r X, h_own h t r V = Some X -> (r = true -> C (hc h') t = inc t V) -> v = t -> W = X ->
              snapshot h v W \/ (v = t /\ W = V /\ C (hc h) t ⊑ V /\ V ⊑ C (hc h') t /\ V t < C (hc h') t t)).
    { intros [|] X QX QC Qv QW; simpl in QX.
      - injection QX as <-. right. apply NEW; auto.
      - left. right. subst. auto. }
    assert (PUB : forall r xs cs c k, In k (publish_at t (h_own h t r V) xs cs c) ->
              (r = true -> C (hc h') t = inc t V) -> h_thread k = v -> h_clock k = W ->
              (forall k', In k' (cs c) -> h_thread k' = v -> h_clock k' = W -> snapshot h v W) ->
              snapshot h v W \/ (v = t /\ W = V /\ C (hc h) t ⊑ V /\ V ⊑ C (hc h') t /\ V t < C (hc h') t t)).
    { intros r xs cs c k I QC Tk Ck OLD. unfold publish_at in I.
      destruct (h_own h t r V) as [X|] eqn:QX; [|left; eauto].
      unfold at_cells in I. rewrite change_spec in I.
      destruct (in_dec Nat.eq_dec c (map cell_of xs)); [|left; eauto].
      apply publish_in in I. destruct I as [(T1 & T2)|(k' & I & T1 & T2)].
      - eapply OWN; eauto; congruence.
      - left. apply (OLD k'); congruence. }
    assert (REL : ticks e = true -> C (hc h') t = inc t V).
    { intros TK. unfold h', h_step. fold t V. unfold ticks in TK.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |]; try discriminate; subst; simpl; apply set_eq. }
    destruct S as [(c & k & I & Tk & Ck)|S].
    - unfold h', h_step in I. fold t V in I.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [cells] in I; try (left; left; exists c, k; auto; fail).
      + eapply PUB; eauto. { intros ->. apply REL. unfold ticks. rewrite Q. auto. }
        intros k' I' T' C'. unfold at_cells in I'. rewrite change_spec in I'. left.
        destruct (in_dec Nat.eq_dec c (map cell_of xs)); [|exists c, k'; auto].
        apply overwrite_in in I'. destruct I' as (k2 & I2 & T2 & C2). exists c, k2. repeat split; auto; congruence.
      + eapply PUB; eauto. { intros ->. apply REL. unfold ticks. rewrite Q. auto. }
        intros k' I' T' C'. left. exists c, k'; auto.
    - unfold h', h_step in S. fold t V in S.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [h_release] in S; try (left; right; exact S).
      unfold set in S. destruct (Nat.eqb_spec v t) as [Qv|]; [|left; right; exact S].
      injection S as S. right. apply NEW; auto. apply REL. unfold ticks. rewrite Q. auto.
  Qed.
End Step.

Lemma initial_agrees : agrees a_initial h_initial.
Proof.
  split; simpl; auto. intros x t u c. split; [intros (k & [] & _)|intros (V & [] & _)].
Qed.

Lemma initial_chained : chained h_initial.
Proof. split; intros t V; [intros [(c & k & [] & _)|S]; discriminate|intros W [(c & k & [] & _)|S]; discriminate].
Qed.

Lemma run_agrees α : agrees (a_run α) (h_run n α) /\ chained (h_run n α).
Proof.
  induction α as [|e α (A & Ch)] using rev_ind; [auto using initial_agrees, initial_chained|].
  rewrite a_run_snoc. unfold h_run in *. rewrite fold_left_app. simpl. auto using step_agrees, step_chained.
Qed.

(** The clocks are the same, so they are as exact. *)
Theorem HK_AK α e u : HK n α e u = AK α e u.
Proof. destruct (run_agrees α) as (A & _). unfold HK, AK. apply h_view_agrees; auto. Qed.

Lemma tick_HK α i : tick (HK n) α i = tick AK α i.
Proof. unfold tick. destruct (nth_error α i); auto. apply HK_AK. Qed.

Theorem HK_exact : exact (HK n) (fun _ => True).
Proof. intros α e i a O P. rewrite tick_HK, HK_AK. apply AK_exact; auto. Qed.

Theorem HK_fresh : fresh (HK n) (fun _ => True).
Proof. intros α e j i a b O P Q Ta Tb HB. rewrite tick_HK, HK_AK. eapply AK_fresh; eauto. Qed.
End Simulation.
