(** VectorClock for programs in which a thread may be joined several times (Verifying Dynamic Race Detection, section 3.4).

    A join no longer touches the clock of the thread that it joins, so joins cannot race with each other.
    Instead a thread says when it ends (exit), does nothing afterwards, and is joined only then. This is
    what the runtime does: dh_thread_finished, dh_thread_joined in rt/threads.c. *)
From Deadheat Require Export VectorClock.

(** ** Proper traces *)

Definition exited (α : trace) (u : tid) : Prop := exists i, α @ i = (u, Exit).

Definition may_come (α : trace) (e : event) : Prop :=
  ~ exited α (fst e) /\
  match snd e with
  | Fork u => ~ exited α u
  | Join u => exited α u
  | _ => True
  end.

Definition proper (α : trace) : Prop := forall j e, α @ j = e -> may_come (firstn j α) e.

Lemma proper_snoc α e : proper (α ++ [e]) <-> proper α /\ may_come α e.
Proof.
  split.
  - intros P; split.
    + intros j b B. pose proof (at_lt _ _ _ B). rewrite <- (firstn_snoc α e) by lia. apply P.
      rewrite at_snoc; auto.
    + specialize (P (length α) e (at_last α e)). rewrite firstn_snoc, firstn_all in P by auto. auto.
  - intros (P & M) j b B. apply at_snoc_inv in B. destruct B as [(J & B)|(-> & ->)].
    + rewrite firstn_snoc by lia; auto.
    + rewrite firstn_snoc, firstn_all by auto; auto.
Qed.

Lemma proper_prefix α e : proper (α ++ [e]) -> proper α.
Proof. rewrite proper_snoc; tauto. Qed.

Lemma exited_snoc α e u : exited (α ++ [e]) u <-> exited α u \/ e = (u, Exit).
Proof.
  split.
  - intros (i & A). apply at_snoc_inv in A. destruct A as [(_ & A)|(_ & A)]; auto. left; exists i; auto.
  - intros [(i & A)| ->].
    + exists i. rewrite at_snoc; auto. eapply at_lt; eauto.
    + exists (length α). apply at_last.
Qed.

(** ** The rules *)

Definition mj_sync_step (s : clocks) (e : event) : clocks :=
  match e with
  | (t, Join u) => {| C := set (C s) t (C s t ⊔ C s u); L := L s |}      (* JOIN, without the increment *)
  | _ => sync_step s e
  end.
Definition mj_sync_run (α : trace) : clocks := fold_left mj_sync_step α initial_clocks.
Definition MK (α : trace) (e : event) : clock := view (mj_sync_run α) e.

Record mj_state := { mclk : clocks; MH : history; X : tid -> Prop (* have exited *) }.

Definition mj_initial : mj_state :=
  {| mclk := initial_clocks; MH := fun _ _ => bottom; X := fun _ => False |}.

Definition alive (s : mj_state) (e : event) : Prop :=
  ~ X s (fst e) /\ match snd e with Fork u => ~ X s u | Join u => X s u | _ => True end.

Definition mj_clear (s : mj_state) (e : event) : Prop :=
  match access e with
  | Some (k, x) => clear (MH s) k x (C (mclk s) (fst e))
  | None => True
  end.

Definition mj_next (s : mj_state) (e : event) : mj_state :=
  {| mclk := mj_sync_step (mclk s) e; MH := after access (MH s) e (view (mclk s) e);
     X := match snd e with Exit => fun u => u = fst e \/ X s u | _ => X s end |}.

Definition mj_run (α : trace) : mj_state := fold_left mj_next α mj_initial.

Inductive mj_step : mj_state -> event -> mj_state -> Prop :=
| MJSTEP s e : alive s e -> mj_clear s e -> mj_step s e (mj_next s e)
| MJNOCHANGE s t k x :
    ~ X s t -> MH s k x t = C (mclk s) t t -> mj_step s (t, Access k x) s.

Inductive mj_steps : mj_state -> trace -> mj_state -> Prop :=
| mj_steps_nil s : mj_steps s [] s
| mj_steps_snoc s α s' e s'' : mj_steps s α s' -> mj_step s' e s'' -> mj_steps s (α ++ [e]) s''.

(** ** Well-formed states: as before, but only the threads that live on are ahead of the others. *)

Record mj_well_formed (α : trace) (s : clocks) : Prop := {
  mj_C : forall t i a, α @ i = a -> (knows α t i <-> tick MK α i <= C s t (fst a));
  mj_L : forall m i a, α @ i = a -> (lock_knows α m i <-> tick MK α i <= L s m (fst a));
  mj_own_C : forall t u, t <> u -> ~ exited α u -> C s t u < C s u u;
  mj_own_L : forall m u, ~ exited α u -> L s m u < C s u u
}.

Lemma mj_initial_wf : mj_well_formed [] initial_clocks.
Proof.
  destruct well_formed_initial as [_ _ OC OL]. split; auto.
  - intros t i a A; destruct i; discriminate.
  - intros m i a A; destruct i; discriminate.
Qed.

Lemma mj_wf_exact α s e i a :
  mj_well_formed α s -> α @ i = a -> (before α e i <-> tick MK α i <= view s e (fst a)).
Proof.
  intros [WC WL _ _] A. rewrite before_knows. rewrite (WC _ _ _ A).
  destruct e as [t o]; destruct o; simpl; try (rewrite (WL _ _ _ A)); try (rewrite (WC _ _ _ A));
    unfold join; lia.
Qed.

Lemma mj_view_own α s e :
  mj_well_formed α s -> may_come α e -> view s e (fst e) = C s (fst e) (fst e).
Proof.
  intros [_ _ OC OL] (N & M). destruct e as [t o]; destruct o; simpl in *; auto; unfold join.
  - specialize (OL m t N); lia.
  - assert (D : u <> t) by (intros ->; auto). specialize (OC u t D N); lia.
Qed.

Lemma mj_sync_run_snoc α e : mj_sync_run (α ++ [e]) = mj_sync_step (mj_sync_run α) e.
Proof. unfold mj_sync_run; rewrite fold_left_app; auto. Qed.

Lemma mj_wf_step α e :
  may_come α e ->
  mj_well_formed α (mj_sync_run α) -> mj_well_formed (α ++ [e]) (mj_sync_run (α ++ [e])).
Proof.
  intros M W. rewrite mj_sync_run_snoc. set (s := mj_sync_run α) in *.
  pose proof (fun i a => mj_wf_exact α s e i a W) as XB.
  pose proof (mj_view_own α s e W M) as V. destruct M as [M M'].
  destruct W as [WC WL OC OL].
  assert (TL : tick MK (α ++ [e]) (length α) = C s (fst e) (fst e)) by (rewrite tick_last; exact V).
  assert (OWN : forall i a, α @ i = a -> tick MK α i <= C s (fst a) (fst a)).
  { intros i a A. apply (WC _ _ _ A). eapply knows_own; eauto. }
  split.
  - intros t i a A. rewrite knows_snoc. apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
    + rewrite tick_snoc by auto. specialize (XB _ _ A). rewrite XB, (WC _ _ _ A).
      specialize (OWN _ _ A). clear OC OL WC WL M M' V TL.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
      all: try (match goal with H : Fork _ = Fork _ |- _ => injection H as -> end; lia).
      destruct (Nat.max_spec (C s u (fst a)) (C s t0 (fst a))) as [[_ Q]|[_ Q]]; rewrite Q in *; tauto.
    + rewrite TL.
      assert (NK : ~ knows α t (length α)) by (intros G; apply knows_lt in G; lia).
      assert (OC1 : t <> fst e -> C s t (fst e) < C s (fst e) (fst e)) by (intros; apply OC; auto).
      assert (OC2 : forall u, snd e = Join u -> u <> fst e -> C s u (fst e) < C s (fst e) (fst e))
        by (intros; apply OC; auto).
      clear OC OL WC WL M M' XB OWN V TL.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
      all: try (match goal with H : Fork _ = Fork _ |- _ => injection H as -> end; lia).
  - intros m i a A. rewrite lock_knows_snoc. apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
    + rewrite tick_snoc by auto. specialize (XB _ _ A). rewrite XB, (WL _ _ _ A).
      unfold releases. clear OC OL WC WL M M' V TL OWN.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
      destruct (Nat.max_spec (L s m0 (fst a)) (C s t0 (fst a))) as [[_ Q]|[_ Q]]; rewrite Q in *;
        intuition congruence.
    + rewrite TL.
      assert (NK : ~ lock_knows α m (length α)) by (intros G; apply lock_knows_lt in G; lia).
      pose proof (OL m (fst e) M) as OL1. unfold releases. clear OC OL WC WL M M' XB OWN V TL.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
  - intros t u N G. rewrite exited_snoc in G. assert (G' : ~ exited α u) by tauto.
    pose proof (OC t u N G') as OC1.
    assert (OC2 : fst e <> u -> C s (fst e) u < C s u u) by (intros; apply OC; auto).
    assert (OC3 : forall w, snd e = Join w -> w <> u /\ C s w u < C s u u).
    { intros w Q. rewrite Q in M'. assert (w <> u) by (intros ->; auto). split; auto. }
    pose proof (fun m => OL m u G') as OL2. clear OC OL WC WL XB OWN V TL.
    destruct e as [t0 o]; destruct o; simpl in *; try (specialize (OL2 m)); try (specialize (OC3 _ eq_refl));
      unfold set, inc, join in *; unfold set in *; cases; try congruence; try lia.
  - intros m u G. rewrite exited_snoc in G. assert (G' : ~ exited α u) by tauto.
    pose proof (OL m u G') as OL1.
    assert (OC2 : fst e <> u -> C s (fst e) u < C s u u) by (intros; apply OC; auto).
    pose proof (fun m => OL m u G') as OL2. clear OC OL WC WL XB OWN V TL.
    destruct e as [t0 o]; destruct o; simpl in *; try (specialize (OL2 m0));
      unfold set, inc, join in *; unfold set in *; cases; try congruence; try lia.
Qed.

Theorem mj_wf_run α : proper α -> mj_well_formed α (mj_sync_run α).
Proof.
  induction α as [|e α IH] using rev_ind; [intros; exact mj_initial_wf|].
  rewrite proper_snoc; intros (P & M). apply mj_wf_step; auto.
Qed.

Theorem MK_exact : exact MK proper.
Proof.
  intros α e i a P A. apply mj_wf_exact; auto. apply mj_wf_run. eapply proper_prefix; eauto.
Qed.

Theorem MK_fresh : fresh MK proper.
Proof.
  intros α e j i a b P A B Ta Tb HB. apply proper_snoc in P; destruct P as (P & M).
  pose proof (mj_wf_run α P) as W. simpl in *.
  assert (KN : knows α (fst b) j) by (exists i, b; auto).
  apply (mj_C _ _ W _ _ _ A) in KN. unfold MK at 2. rewrite (mj_view_own α _ e W M).
  pose proof (mj_own_C _ _ W (fst b) (fst e) Tb (proj1 M)). rewrite Ta in KN. lia.
Qed.

(** ** Sound and complete *)

Definition agrees (α : trace) (s : mj_state) : Prop :=
  mclk s = mj_sync_run α /\ represents MK access α (MH s) /\ forall u, X s u <-> exited α u.

Lemma agrees_alive α s e : agrees α s -> (alive s e <-> may_come α e).
Proof.
  intros (_ & _ & XE). unfold alive, may_come. rewrite XE.
  destruct (snd e) as [| | | | |u|u|]; try (rewrite XE); tauto.
Qed.

Lemma agrees_next α s e : proper (α ++ [e]) -> agrees α s -> agrees (α ++ [e]) (mj_next s e).
Proof.
  intros P (Q & R & XE). split; [|split]; simpl.
  - rewrite Q, mj_sync_run_snoc; auto.
  - rewrite Q. exact (represents_snoc MK proper MK_exact proper_prefix access α e _ P R).
  - intros u. rewrite exited_snoc, <- XE. destruct e as [t o]; destruct o; simpl; try tauto;
      intuition congruence.
Qed.

Lemma mj_clear_race α s e :
  proper (α ++ [e]) -> agrees α s ->
  (~ mj_clear s e <->
   exists k x, access e = Some (k, x) /\
   exists i a k', α @ i = a /\ access a = Some (k', x) /\ conf k' k = true /\ ~ before α e i) /\
  (mj_clear s e \/ ~ mj_clear s e).
Proof.
  intros P (Q & R & _). unfold mj_clear. destruct (access e) as [[k x]|] eqn:F.
  - rewrite Q, <- (access_view _ _ _ _ F).
    pose proof (clear_race MK proper MK_exact access α e (MH s) k x P R F) as CR. split.
    + unfold MK at 1 in CR. rewrite CR. split.
      * intros Y; exists k, x; auto.
      * intros (k0 & x0 & [= <- <-] & Y); auto.
    + unfold MK at 1 in CR. rewrite CR.
      destruct (clear_dec MK proper MK_exact access α e (MH s) k x P R F); auto.
  - split; auto. split; [tauto|]. intros (k & x & Y & _); discriminate.
Qed.

Lemma mj_race_free_snoc α s e :
  proper (α ++ [e]) -> agrees α s ->
  (race_free access (α ++ [e]) <-> race_free access α /\ mj_clear s e).
Proof.
  intros P G. destruct (mj_clear_race α s e P G) as [CR D]. split.
  - intros F; split.
    + intros x Y; apply (F x); apply race_on_snoc; auto.
    + destruct D as [|N]; auto. apply CR in N.
      destruct N as (k & x & FE & i & a & k' & A & FA & Y & N).
      exfalso; apply (F x); apply race_on_snoc; right; exists k; split; auto. exists i, a, k'; auto.
  - intros (F & Z) x Y. apply race_on_snoc in Y; destruct Y as [Y|(k & FE & Y)]; [apply (F x Y)|].
    assert (N : ~ mj_clear s e) by (apply CR; exists k, x; auto). contradiction.
Qed.

Lemma mj_nochange_clear α s t k x :
  proper (α ++ [(t, Access k x)]) -> agrees α s -> race_free access α ->
  MH s k x t = C (mclk s) t t -> mj_clear s (t, Access k x).
Proof.
  intros P G F E. pose proof (proj1 (proper_snoc _ _) P) as (PA & M & _). simpl in M.
  destruct (mj_clear_race α s _ P G) as [CR [|N]]; auto. exfalso.
  apply CR in N. destruct N as (k0 & x0 & [= <- <-] & j & b & k' & B & FB & Y & NB).
  destruct G as (Q & R & _). pose proof (mj_wf_run α PA) as W. rewrite Q in E.
  assert (POS : 0 < C (mj_sync_run α) t t). { pose proof (mj_own_L _ _ W 0 t M). lia. }
  destruct (R k x t) as [_ [Z|(i & a & A & T & FA & Ti)]]; [lia|]. simpl in T. rewrite E in Ti.
  assert (BI : before α (t, Access k x) i) by (eapply before_po; eauto).
  destruct (Nat.eq_dec (fst b) t) as [Tb|Tb]; [apply NB; eapply before_po; eauto|].
  assert (HD := hb_dec MK proper MK_exact proper_prefix α).
  destruct (Nat.lt_trichotomy i j) as [O|[->|O]].
  - destruct (HD i j PA) as [HB|HB].
    + assert (KN : knows α (fst b) i) by (exists j, b; auto).
      apply (mj_C _ _ W _ _ _ A) in KN. rewrite T in KN.
      pose proof (mj_own_C _ _ W (fst b) t Tb M). lia.
    + apply (F x); exists i, j; split; auto; split; auto. exists a, b, k, k'; repeat split; auto.
      rewrite conf_sym; auto.
  - congruence.
  - destruct (HD j i PA) as [HB|HB].
    + apply NB; eapply before_trans; eauto.
    + apply (F x); exists j, i; split; auto; split; auto. exists b, a, k', k; auto.
Qed.

Lemma agrees_initial : agrees [] mj_initial.
Proof.
  split; [auto|split]; [apply represents_nil|]. intros u; simpl; split; [tauto|].
  intros (i & A); destruct i; discriminate.
Qed.

Lemma mj_steps_inv α s : mj_steps mj_initial α s -> proper α /\ agrees α s /\ race_free access α.
Proof.
  intros S. remember mj_initial as s0 eqn:Q0. induction S as [s|s α s' e s'' S IH Hs]; subst.
  { split; [|split]; [intros j e A; destruct j; discriminate|apply agrees_initial|intros x; apply no_race_nil]. }
  destruct (IH eq_refl) as (P & G & F); clear IH.
  inversion Hs as [s0 e0 A Z | s0 t k x A E]; subst.
  - assert (P' : proper (α ++ [e])) by (apply proper_snoc; split; auto; apply (agrees_alive α s'); auto).
    split; [auto|split]; [apply agrees_next; auto|]. apply (mj_race_free_snoc α s' e P' G); auto.
  - assert (P' : proper (α ++ [(t, Access k x)])).
    { apply proper_snoc; split; auto. apply (agrees_alive α s''); auto. split; simpl; auto. }
    pose proof (mj_nochange_clear α s'' t k x P' G F E) as Z.
    pose proof (agrees_next α s'' _ P' G) as (Q' & R' & X').
    split; [auto|split]; [|apply (mj_race_free_snoc α s'' _ P' G); auto].
    split; [exact Q'|split; [|exact X']].
    intros k' x' t'. specialize (R' k' x' t'). simpl in R'.
    match type of R' with context [after ?f ?h ?e ?v k' x' t'] =>
      replace (after f h e v k' x' t') with (MH s'' k' x' t') in R'; auto end.
    unfold after; simpl; unfold record.
    destruct (kind_eqb k' k) eqn:QK, (Nat.eqb_spec x' x); simpl; auto. apply kind_eqb_eq in QK; subst.
    unfold set; destruct (Nat.eqb_spec t' t); subst; auto.
Qed.

Lemma agrees_run α : proper α -> agrees α (mj_run α).
Proof.
  induction α as [|e α IH] using rev_ind; intros P; [apply agrees_initial|].
  unfold mj_run; rewrite fold_left_app; simpl. apply agrees_next; auto.
  apply IH; eapply proper_prefix; eauto.
Qed.

(** Theorem 3: a trace runs to the end exactly if it is proper and has no race. *)
Theorem multijoin_sound_and_complete α :
  (exists s, mj_steps mj_initial α s) <-> proper α /\ race_free access α.
Proof.
  split.
  - intros (s & S); apply mj_steps_inv in S; tauto.
  - intros (P & F). exists (mj_run α). induction α as [|e α IH] using rev_ind; [constructor|].
    pose proof (proj1 (proper_snoc _ _) P) as (PA & M). pose proof (agrees_run α PA) as G.
    apply (mj_race_free_snoc α (mj_run α) e P G) in F. destruct F as (F & Z).
    econstructor; [exact (IH PA F)|]. unfold mj_run; rewrite fold_left_app; simpl.
    apply MJSTEP; auto. apply (agrees_alive α); auto.
Qed.

(** Event for event, whatever went before. *)
Theorem multijoin_exact α e :
  proper (α ++ [e]) ->
  (~ mj_clear (mj_run α) e <-> exists x i, races access (α ++ [e]) x i (length α)).
Proof.
  intros P. pose proof (agrees_run α (proper_prefix _ _ P)) as G.
  rewrite (proj1 (mj_clear_race α _ e P G)). split.
  - intros (k & x & F & i & a & k' & A & FA & Y & N). pose proof (at_lt _ _ _ A).
    exists x, i; split; [auto|split]; auto.
    exists a, e, k', k. rewrite at_snoc, at_last by auto. auto.
  - intros (x & i & Li & (a & b & k & k' & A & B & FA & FB & Y) & N).
    apply at_last_inv in B; subst b. rewrite at_snoc in A by auto.
    exists k', x; split; auto. exists i, a, k; auto.
Qed.
