(** VectorClock (Verifying Dynamic Race Detection, section 3.2, Figure 2 with its slips mended) is sound and complete.

    State (C, L, H): C t is what thread t knows, L m what the last release of m knew, and H the times of
    the accesses (R x = H Read x, W x = H Write x, and the same for atomic accesses). *)
From Deadheat Require Export Clock.

(** ** The rules *)

Record clocks := { C : tid -> clock; L : lock -> clock }.

(** The clock with which t does e: K^e(t). *)
Definition view (s : clocks) (e : event) : clock :=
  match e with
  | (t, Acq m) => C s t ⊔ L s m
  | (t, Join u) => C s t ⊔ C s u
  | (t, _) => C s t
  end.

Definition sync_step (s : clocks) (e : event) : clocks :=
  match e with
  | (t, Acq m) => {| C := set (C s) t (view s e); L := L s |}                             (* ACQUIRE *)
  | (t, Rel m) => {| C := set (C s) t (inc t (C s t)); L := set (L s) m (C s t) |}        (* RELEASE *)
  | (t, RelJoin m) => {| C := set (C s) t (inc t (C s t)); L := set (L s) m (L s m ⊔ C s t) |}
  | (t, Fork u) =>                                                                        (* FORK *)
      let C' := set (C s) u (C s u ⊔ C s t) in {| C := set C' t (inc t (C' t)); L := L s |}
  | (t, Join u) =>                                                                        (* JOIN *)
      let C' := set (C s) t (view s e) in {| C := set C' u (inc u (C' u)); L := L s |}
  | _ => s
  end.

Definition initial_clocks : clocks := {| C := fun t => inc t bottom; L := fun _ => bottom |}.
Definition sync_run (α : trace) : clocks := fold_left sync_step α initial_clocks.
Definition K (α : trace) (e : event) : clock := view (sync_run α) e.

Record state := { clk : clocks; H : history }.

Definition initial : state := {| clk := initial_clocks; H := fun _ _ => bottom |}.

(** The premises of the rule for e, and the state that it leads to. *)
Definition premises (s : state) (e : event) : Prop :=
  match access e with
  | Some (k, x) => clear (H s) k x (C (clk s) (fst e))                                    (* READ, WRITE *)
  | None => True
  end.

Definition next (s : state) (e : event) : state :=
  {| clk := sync_step (clk s) e; H := after access (H s) e (view (clk s) e) |}.

Definition run (α : trace) : state := fold_left next α initial.

Inductive step : state -> event -> state -> Prop :=
| STEP s e : premises s e -> step s e (next s e)
| NOCHANGE s t k x :                                            (* READNOCHANGE, WRITENOCHANGE *)
    H s k x t = C (clk s) t t -> step s (t, Access k x) s.

Inductive steps : state -> trace -> state -> Prop :=
| steps_nil s : steps s [] s
| steps_snoc s α s' e s'' : steps s α s' -> step s' e s'' -> steps s (α ++ [e]) s''.

(** ** Well-formed states

    What C and L know are exactly the events that happen before; and nobody else, and no lock, has heard
    of the present time of a thread. *)

(** i happens before whatever t does next. *)
Definition knows (α : trace) (t : tid) (i : nat) : Prop :=
  exists k b, α @ k = b /\ (fst b = t \/ snd b = Fork t) /\ (i = k \/ hb α i k).
(** i happens before whoever acquires m next. *)
Definition lock_knows (α : trace) (m : lock) (i : nat) : Prop :=
  exists k, held α m k /\ (i = k \/ hb α i k).

Record well_formed (α : trace) (s : clocks) : Prop := {
  wf_C : forall t i a, α @ i = a -> (knows α t i <-> tick K α i <= C s t (fst a));
  wf_L : forall m i a, α @ i = a -> (lock_knows α m i <-> tick K α i <= L s m (fst a));
  wf_own_C : forall t u, t <> u -> C s t u < C s u u;
  wf_own_L : forall m u, L s m u < C s u u
}.

(** *** How knowledge grows *)

Lemma before_knows α e i :
  before α e i <->
  knows α (fst e) i \/
  match snd e with Acq m => lock_knows α m i | Join u => knows α u i | _ => False end.
Proof.
  rewrite before_iff; split.
  - intros (k & b & B & [T|[(a & A & F)|S]] & G).
    + left; exists k, b; auto.
    + left; exists k, a; auto.
    + destruct (snd e); try contradiction.
      * right; exists k; auto.
      * destruct S as (a & A & F). right; exists k, a; auto.
  - intros [(k & b & B & [T|F] & G)|X].
    + exists k, b; auto.
    + exists k, b; repeat split; auto. right; left; exists b; auto.
    + assert (W : exists k b, α @ k = b /\ sync α e k /\ (i = k \/ hb α i k)).
      { destruct (snd e) eqn:Q; try contradiction.
        - destruct X as (k & X & G). destruct X as ((a & A & Ra) & X). exists k, a; repeat split; auto.
          right; rewrite Q; split; eauto.
        - destruct X as (k & b & B & F & G). exists k, b; repeat split; auto. right; rewrite Q; eauto. }
      destruct W as (k & b & B & S & G). exists k, b; auto.
Qed.

Lemma knows_snoc α e t i :
  knows (α ++ [e]) t i <->
  knows α t i \/ ((fst e = t \/ snd e = Fork t) /\ (i = length α \/ before α e i)).
Proof.
  split.
  - intros (k & b & B & T & G). apply at_snoc_inv in B. destruct B as [(Lk & B)|(-> & ->)].
    + left; exists k, b; repeat split; auto. destruct G as [|G]; auto. rewrite hb_snoc in G; auto.
    + right; split; auto.
  - intros [(k & b & B & T & G)|(T & G)].
    + pose proof (at_lt _ _ _ B). exists k, b. rewrite at_snoc, hb_snoc; auto.
    + exists (length α), e. rewrite at_last; auto.
Qed.

Lemma lock_knows_snoc α e m i :
  lock_knows (α ++ [e]) m i <->
  (snd e <> Rel m /\ lock_knows α m i) \/ (releases m e /\ (i = length α \/ before α e i)).
Proof.
  split.
  - intros (k & ((a & A & Ra) & N) & G). apply at_snoc_inv in A. destruct A as [(Lk & A)|(-> & ->)].
    + left; split; [eapply N; eauto using at_last|]. exists k; split.
      * split; [eauto|]. intros j b J B. eapply N; eauto. rewrite at_snoc; auto. eapply at_lt; eauto.
      * destruct G as [|G]; auto. rewrite hb_snoc in G; auto.
    + right; auto.
  - intros [(N & k & ((a & A & Ra) & M) & G)|(Re & G)].
    + pose proof (at_lt _ _ _ A). exists k; split; [|rewrite hb_snoc; auto]. split.
      * exists a; rewrite at_snoc; auto.
      * intros j b J B. apply at_snoc_inv in B. destruct B as [(_ & B)|(-> & ->)]; eauto.
    + exists (length α); split; auto. split.
      * exists e; rewrite at_last; auto.
      * intros j b J B. apply at_lt in B; rewrite app_length in B; simpl in B; lia.
Qed.

Lemma knows_own α t i a : α @ i = a -> fst a = t -> knows α t i.
Proof. intros; exists i, a; auto. Qed.

Lemma knows_lt α t i : knows α t i -> i < length α.
Proof. intros (k & b & B & _ & [->|G]); [eapply at_lt; eauto|apply hb_dom in G; tauto]. Qed.

Lemma lock_knows_lt α m i : lock_knows α m i -> i < length α.
Proof.
  intros (k & ((a & A & _) & _) & [->|G]); [eapply at_lt; eauto|apply hb_dom in G; tauto].
Qed.

(** *** The invariant is preserved *)

Lemma well_formed_initial : well_formed [] initial_clocks.
Proof.
  split; simpl.
  - intros t i a A; destruct i; discriminate.
  - intros m i a A; destruct i; discriminate.
  - intros t u N; unfold inc. rewrite set_neq, set_eq by auto. unfold bottom; lia.
  - intros m u; unfold inc. rewrite set_eq. unfold bottom; lia.
Qed.

Lemma well_formed_exact α s e i a :
  well_formed α s -> α @ i = a -> (before α e i <-> tick K α i <= view s e (fst a)).
Proof.
  intros [WC WL _ _] A. rewrite before_knows. rewrite (WC _ _ _ A).
  destruct e as [t o]; destruct o; simpl; try (rewrite (WL _ _ _ A)); try (rewrite (WC _ _ _ A));
    unfold join; lia.
Qed.

(** The own entry of a thread is not changed by what it learns. *)
Lemma view_own α s e : well_formed α s -> view s e (fst e) = C s (fst e) (fst e).
Proof.
  intros [_ _ OC OL]. destruct e as [t o]; destruct o; simpl; auto; unfold join.
  - specialize (OL m t); lia.
  - destruct (Nat.eq_dec u t) as [->|]; [lia|]. specialize (OC u t n); lia.
Qed.

Lemma sync_run_snoc α e : sync_run (α ++ [e]) = sync_step (sync_run α) e.
Proof. unfold sync_run; rewrite fold_left_app; auto. Qed.

(** [t] knows its own events, so only the events of others are a matter of clocks. *)
Ltac cases :=
  repeat match goal with
         | |- context [Nat.eqb ?a ?b] => destruct (Nat.eqb_spec a b); subst
         | H : context [Nat.eqb ?a ?b] |- _ => destruct (Nat.eqb_spec a b); subst
         end.

Lemma well_formed_step α e :
  well_formed α (sync_run α) -> well_formed (α ++ [e]) (sync_run (α ++ [e])).
Proof.
  intros W. rewrite sync_run_snoc. set (s := sync_run α) in *.
  pose proof (fun i a => well_formed_exact α s e i a W) as X.
  pose proof (view_own α s e W) as V.
  destruct W as [WC WL OC OL].
  assert (TL : tick K (α ++ [e]) (length α) = C s (fst e) (fst e)) by (rewrite tick_last; exact V).
  assert (OWN : forall i a, α @ i = a -> tick K α i <= C s (fst a) (fst a)).
  { intros i a A. apply (WC _ _ _ A). eapply knows_own; eauto. }
  split.
  - intros t i a A. rewrite knows_snoc. apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
    + rewrite tick_snoc by auto. specialize (X _ _ A). rewrite X, (WC _ _ _ A).
      specialize (OWN _ _ A). pose proof (OC (fst a) t) as OC1.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
      all: try (match goal with H : Fork _ = Fork _ |- _ => injection H as -> end; lia).
      destruct (Nat.max_spec (C s u (fst a)) (C s t0 (fst a))) as [[_ M]|[_ M]]; rewrite M in *; tauto.
    + rewrite TL.
      assert (NK : ~ knows α t (length α)) by (intros G; apply knows_lt in G; lia).
      pose proof (OC t (fst e)) as OC1.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
      all: try (match goal with H : Fork _ = Fork _ |- _ => injection H as -> end; lia).
  - intros m i a A. rewrite lock_knows_snoc. apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
    + rewrite tick_snoc by auto. specialize (X _ _ A). rewrite X, (WL _ _ _ A).
      unfold releases.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
      destruct (Nat.max_spec (L s m0 (fst a)) (C s t0 (fst a))) as [[_ M]|[_ M]]; rewrite M in *;
        intuition congruence.
    + rewrite TL.
      assert (NK : ~ lock_knows α m (length α)) by (intros G; apply lock_knows_lt in G; lia).
      pose proof (OL m (fst e)) as OL1. unfold releases.
      destruct e as [t0 o]; destruct o; simpl in *; unfold set, inc, join in *; unfold set in *; cases;
        try (intuition (subst; try congruence; try lia)).
  - intros t u N. pose proof (OC t u N) as OC1.
    destruct e as [t0 o]; pose proof (OC t0 u) as OC2; pose proof (fun m => OL m u) as OL2;
      destruct o; simpl in *; try (specialize (OL2 m)); try (pose proof (OC u0 u) as OC3);
      unfold set, inc, join in *; unfold set in *; cases; try congruence; try lia.
  - intros m u. pose proof (OL m u) as OL1.
    destruct e as [t0 o]; pose proof (OC t0 u) as OC2; pose proof (fun m => OL m u) as OL2;
      destruct o; simpl in *; try (specialize (OL2 m0));
      unfold set, inc, join in *; unfold set in *; cases; try congruence; try lia.
Qed.

Theorem well_formed_run α : well_formed α (sync_run α).
Proof.
  induction α as [|e α IH] using rev_ind; [exact well_formed_initial|]. apply well_formed_step; auto.
Qed.

Theorem K_exact : exact K (fun _ => True).
Proof. intros α e i a _ A. apply well_formed_exact; auto. apply well_formed_run. Qed.

Theorem K_fresh : fresh K (fun _ => True).
Proof.
  intros α e j i a b _ A B Ta Tb HB. pose proof (well_formed_run α) as W. simpl in *.
  assert (KN : knows α (fst b) j) by (exists i, b; auto).
  apply (wf_C _ _ W _ _ _ A) in KN. unfold K at 2. rewrite (view_own α _ e W).
  pose proof (wf_own_C _ _ W (fst b) (fst e) Tb). rewrite Ta in KN. lia.
Qed.

(** FastTrack's Lemma 4 as the paper repairs it (its Lemma 2): b need not be able to run, and the
    conclusion is about b's thread. *)
Theorem lemma4_fixed α b i a : α @ i = a -> before α b i -> K (firstn i α) a ⊑ K α b.
Proof.
  assert (G : forall α, (forall t i a, α @ i = a -> knows α t i -> K (firstn i α) a ⊑ C (sync_run α) t) /\
                        (forall m i a, α @ i = a -> lock_knows α m i -> K (firstn i α) a ⊑ L (sync_run α) m)).
  { clear. intros α; induction α as [|e α [IC IL]] using rev_ind.
    { split; intros ? i a A; destruct i; discriminate. }
    assert (V : forall i a, α @ i = a -> before α e i -> K (firstn i α) a ⊑ K α e).
    { intros i a A B u. apply before_knows in B. unfold K at 2.
      destruct e as [t o]; simpl in B; destruct o; simpl in *; unfold join; destruct B as [B|B];
        try contradiction; first [specialize (IC _ _ _ A B u) | specialize (IL _ _ _ A B u)]; lia. }
    assert (GR : forall t, C (sync_run α) t ⊑ C (sync_run (α ++ [e])) t).
    { intros t u. rewrite sync_run_snoc. destruct e as [t0 o]; destruct o; simpl;
        unfold set, inc, join; unfold set; cases; lia. }
    assert (VC : forall t, fst e = t \/ snd e = Fork t -> K α e ⊑ C (sync_run (α ++ [e])) t).
    { intros t T u. rewrite sync_run_snoc. unfold K.
      destruct e as [t0 o]; destruct T as [T|T]; simpl in T; subst; try discriminate;
        try (destruct o; try discriminate); try (injection T as ->); simpl;
        unfold set, inc, join; unfold set; cases; try lia; try congruence. }
    assert (VL : forall m, releases m e -> K α e ⊑ L (sync_run (α ++ [e])) m).
    { intros m T u. rewrite sync_run_snoc. unfold K.
      destruct e as [t0 o]; destruct T as [T|T]; simpl in T; subst; simpl; rewrite set_eq;
        unfold join; lia. }
    split.
    - intros t i a A Kn. apply knows_snoc in Kn. apply at_snoc_inv in A.
      destruct A as [(Li & A)|(-> & ->)]; rewrite firstn_snoc by lia.
      + destruct Kn as [Kn|(T & [->|B])]; [|lia|].
        * eapply le_trans; [eapply IC; eauto|apply GR].
        * eapply le_trans; [eapply V; eauto|auto].
      + rewrite firstn_all. destruct Kn as [Kn|(T & _)]; auto. apply knows_lt in Kn; lia.
    - intros m i a A Kn. apply lock_knows_snoc in Kn. apply at_snoc_inv in A.
      destruct A as [(Li & A)|(-> & ->)]; rewrite firstn_snoc by lia.
      + destruct Kn as [(N & Kn)|(T & [->|B])]; [|lia|].
        * eapply le_trans; [eapply IL; eauto|]. rewrite sync_run_snoc.
          intros u; destruct e as [t0 o]; destruct o; simpl in *; unfold set, join; cases; try lia; congruence.
        * eapply le_trans; [eapply V; eauto|auto].
      + rewrite firstn_all. destruct Kn as [(_ & Kn)|(T & _)]; auto. apply lock_knows_lt in Kn; lia. }
  intros A B u. destruct (G α) as [GC GL]. apply before_knows in B. unfold K at 2.
  destruct b as [t o]; simpl in B; destruct o; simpl in *; unfold join; destruct B as [B|B];
    try contradiction; first [specialize (GC _ _ _ A B u) | specialize (GL _ _ _ A B u)]; lia.
Qed.

(** ** Sound and complete *)

Lemma run_snoc α e : run (α ++ [e]) = next (run α) e.
Proof. unfold run; rewrite fold_left_app; auto. Qed.

Lemma run_clk α : clk (run α) = sync_run α.
Proof.
  induction α as [|e α IH] using rev_ind; auto. rewrite run_snoc, sync_run_snoc; simpl; rewrite IH; auto.
Qed.

Lemma run_represents α : represents K access α (H (run α)).
Proof.
  induction α as [|e α IH] using rev_ind; [apply represents_nil|].
  rewrite run_snoc; simpl. rewrite run_clk. exact (represents_snoc K (fun _ => True) K_exact (fun _ _ _ => I) access α e _ I IH).
Qed.

Lemma access_view s e k x : access e = Some (k, x) -> view s e = C s (fst e).
Proof. destruct e as [t o]; destruct o; simpl; intros; try discriminate; auto. Qed.

Lemma premises_race α s e :
  clk s = sync_run α -> represents K access α (H s) ->
  (~ premises s e <->
   exists k x, access e = Some (k, x) /\
   exists i a k', α @ i = a /\ access a = Some (k', x) /\ conf k' k = true /\ ~ before α e i).
Proof.
  intros Q R. unfold premises. destruct (access e) as [[k x]|] eqn:F.
  - rewrite Q, <- (access_view _ _ _ _ F).
    rewrite (clear_race K (fun _ => True) K_exact access α e (H s) k x I R F). split.
    + intros X; exists k, x; auto.
    + intros (k0 & x0 & [= <- <-] & X); auto.
  - split; [tauto|]. intros (k & x & X & _); discriminate.
Qed.

Lemma premises_dec α s e :
  clk s = sync_run α -> represents K access α (H s) -> premises s e \/ ~ premises s e.
Proof.
  intros Q R. unfold premises. destruct (access e) as [[k x]|] eqn:F; auto.
  rewrite Q, <- (access_view _ _ _ _ F).
  rewrite (clear_race K (fun _ => True) K_exact access α e (H s) k x I R F).
  destruct (clear_dec K (fun _ => True) K_exact access α e (H s) k x I R F); auto.
Qed.

(** Event for event, and whatever went before: the premises fail exactly at the second event of a race. *)
Theorem vectorclock_exact α e :
  ~ premises (run α) e <->
  exists x i, races access (α ++ [e]) x i (length α).
Proof.
  rewrite (premises_race α) by auto using run_clk, run_represents. split.
  - intros (k & x & F & i & a & k' & A & FA & X & N). pose proof (at_lt _ _ _ A).
    exists x, i; split; [auto|split]; auto.
    exists a, e, k', k. rewrite at_snoc, at_last by auto. auto.
  - intros (x & i & Li & (a & b & k & k' & A & B & FA & FB & X) & N).
    apply at_last_inv in B; subst b. rewrite at_snoc in A by auto.
    exists k', x; split; auto. exists i, a, k; auto.
Qed.

(** A thread that accessed x in its present epoch has nothing unordered before it there. *)
Lemma nochange_premises α s t k x :
  clk s = sync_run α -> represents K access α (H s) -> race_free access α ->
  H s k x t = C (clk s) t t -> premises s (t, Access k x).
Proof.
  intros Q R F E. destruct (premises_dec α s (t, Access k x) Q R) as [|N]; auto. exfalso.
  apply (premises_race α s) in N; auto.
  destruct N as (k0 & x0 & [= <- <-] & j & b & k' & B & FB & X & NB).
  pose proof (well_formed_run α) as W. rewrite Q in E.
  assert (P : 0 < C (sync_run α) t t). { pose proof (wf_own_L _ _ W 0 t). lia. }
  destruct (R k x t) as [_ [Z|(i & a & A & T & FA & Ti)]]; [lia|]. simpl in T.
  rewrite E in Ti.
  assert (BI : before α (t, Access k x) i) by (eapply before_po; eauto).
  destruct (Nat.eq_dec (fst b) t) as [Tb|Tb]; [apply NB; eapply before_po; eauto|].
  assert (HD := hb_dec K (fun _ => True) K_exact (fun _ _ _ => I) α).
  destruct (Nat.lt_trichotomy i j) as [O|[->|O]].
  - destruct (HD i j I) as [HB|HB].
    + assert (KN : knows α (fst b) i) by (exists j, b; auto).
      apply (wf_C _ _ W _ _ _ A) in KN. rewrite T in KN.
      pose proof (wf_own_C _ _ W (fst b) t Tb). lia.
    + apply (F x); exists i, j; split; auto; split; auto. exists a, b, k, k'; repeat split; auto.
      rewrite conf_sym; auto.
  - congruence.
  - destruct (HD j i I) as [HB|HB].
    + apply NB; eapply before_trans; eauto.
    + apply (F x); exists j, i; split; auto; split; auto. exists b, a, k', k; auto.
Qed.

Lemma race_free_snoc α s e :
  clk s = sync_run α -> represents K access α (H s) ->
  (race_free access (α ++ [e]) <-> race_free access α /\ premises s e).
Proof.
  intros Q R. split.
  - intros F; split.
    + intros x X; apply (F x); apply race_on_snoc; auto.
    + destruct (premises_dec α s e Q R) as [|N]; auto. apply (premises_race α s) in N; auto.
      destruct N as (k & x & FE & i & a & k' & A & FA & X & N).
      exfalso; apply (F x); apply race_on_snoc; right; exists k; split; auto. exists i, a, k'; auto.
  - intros (F & P) x X. apply race_on_snoc in X; destruct X as [X|(k & FE & X)]; [apply (F x X)|].
    assert (N : ~ premises s e) by (apply (premises_race α s); auto; exists k, x; auto).
    contradiction.
Qed.

Lemma steps_inv α s :
  steps initial α s -> clk s = sync_run α /\ represents K access α (H s) /\ race_free access α.
Proof.
  intros S. remember initial as s0 eqn:Q0. induction S as [s|s α s' e s'' S IH Hs]; subst.
  { split; [auto|split]; [apply represents_nil|intros x; apply no_race_nil]. }
  destruct (IH eq_refl) as (Q & R & F); clear IH.
  assert (R' := represents_snoc K (fun _ => True) K_exact (fun _ _ _ => I) access α e (H s') I R).
  inversion Hs as [s0 e0 P | s0 t k x E]; subst.
  - simpl. rewrite Q, sync_run_snoc. split; [auto|split]; auto. apply (race_free_snoc α s' e Q R); auto.
  - pose proof (nochange_premises α s'' t k x Q R F E) as P.
    rewrite sync_run_snoc; simpl. split; [auto|split]; [|apply (race_free_snoc α s'' _ Q R); auto].
    intros k' x' t'. specialize (R' k' x' t').
    replace (after access (H s'') (t, Access k x) (K α (t, Access k x)) k' x' t') with (H s'' k' x' t') in R'; auto.
    unfold after; simpl; unfold record.
    destruct (kind_eqb k' k) eqn:QK, (Nat.eqb_spec x' x); simpl; auto. apply kind_eqb_eq in QK; subst.
    unfold set; destruct (Nat.eqb_spec t' t); auto. subst. rewrite E, Q; auto.
Qed.

(** Theorem 1. Sound: a trace that runs to the end has no race. Complete: one without a race does. *)
Theorem vectorclock_sound_and_complete α :
  (exists s, steps initial α s) <-> race_free access α.
Proof.
  split.
  - intros (s & S); apply steps_inv in S; tauto.
  - intros F. exists (run α). induction α as [|e α IH] using rev_ind; [constructor|].
    apply (race_free_snoc α (run α) e (run_clk α) (run_represents α)) in F. destruct F as (F & P).
    econstructor; [exact (IH F)|]. rewrite run_snoc. apply STEP; auto.
Qed.
