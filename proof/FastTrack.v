(** FastTrack (Verifying Dynamic Race Detection, section 3.3, Figure 3) bisimulates VectorClock, and is therefore sound and complete.

    Writes of a location are one epoch; reads are one epoch or, once they are concurrent, a clock. Atomic
    accesses, which the paper does not have, keep their clocks as in VectorClock. *)
From Deadheat Require Export VectorClock.

(** ** Epochs and the rules *)

Definition epoch := (nat * tid)%type. (* c@t *)
Definition no_epoch : epoch := (0, 0).
Definition epoch_le (e : epoch) (V : clock) : Prop := fst e <= V (snd e).
Infix "⪯" := epoch_le (at level 70).

Inductive reads := Epoch (e : epoch) | Shared (V : clock).

Definition reads_le (r : reads) (V : clock) : Prop :=
  match r with Epoch e => e ⪯ V | Shared V0 => V0 ⊑ V end.
Definition reads_at (r : reads) (u : tid) : nat :=
  match r with Epoch (c, t) => if u =? t then c else 0 | Shared V => V u end.

Record ft_state := { fclk : clocks; FR : loc -> reads; FW : loc -> epoch; FA : history (* atomics *) }.

Definition ft_initial : ft_state :=
  {| fclk := initial_clocks; FR := fun _ => Epoch no_epoch; FW := fun _ => no_epoch;
     FA := fun _ _ => bottom |}.

Definition ft_premises (s : ft_state) (e : event) : Prop :=
  let V := C (fclk s) (fst e) in
  match access e with
  | Some (Read, x) => FW s x ⪯ V /\ FA s AtomicWrite x ⊑ V
  | Some (Write, x) =>
      reads_le (FR s x) V /\ FW s x ⪯ V /\ FA s AtomicRead x ⊑ V /\ FA s AtomicWrite x ⊑ V
  | Some (AtomicRead, x) => FW s x ⪯ V
  | Some (AtomicWrite, x) => reads_le (FR s x) V /\ FW s x ⪯ V
  | None => True
  end.

Definition ft_next (s : ft_state) (e : event) : ft_state :=
  let t := fst e in
  let V := C (fclk s) t in
  let E := (V t, t) in
  match access e with
  | Some (Read, x) =>
      let r := match FR s x with
               | Shared V0 => Shared (set V0 t (V t))                               (* READSHARED *)
               | Epoch (c, u) =>
                   if c <=? V u then Epoch E                                        (* READEXCLUSIVE *)
                   else Shared (set (set bottom u c) t (V t))                       (* READSHARE *)
               end in
      {| fclk := fclk s; FR := set (FR s) x r; FW := FW s; FA := FA s |}
  | Some (Write, x) =>
      let r := match FR s x with
               | Shared _ => Epoch no_epoch                                         (* WRITESHARED *)
               | Epoch e0 => Epoch e0                                               (* WRITEEXCLUSIVE *)
               end in
      {| fclk := fclk s; FR := set (FR s) x r; FW := set (FW s) x E; FA := FA s |}
  | Some (k, x) =>
      {| fclk := fclk s; FR := FR s; FW := FW s; FA := record (FA s) k x t (V t) |}
  | None => {| fclk := sync_step (fclk s) e; FR := FR s; FW := FW s; FA := FA s |}
  end.

Inductive ft_step : ft_state -> event -> ft_state -> Prop :=
| FTSTEP s e : ft_premises s e -> ft_step s e (ft_next s e)
| READSAMEEPOCH s t x : FR s x = Epoch (C (fclk s) t t, t) -> ft_step s (t, Access Read x) s
| WRITESAMEEPOCH s t x : FW s x = (C (fclk s) t t, t) -> ft_step s (t, Access Write x) s.

Inductive ft_steps : ft_state -> trace -> ft_state -> Prop :=
| ft_steps_nil s : ft_steps s [] s
| ft_steps_snoc s α s' e s'' : ft_steps s α s' -> ft_step s' e s'' -> ft_steps s (α ++ [e]) s''.

(** ** The simulation relation *)

(** Definition 1. *)
Definition emulates (e : epoch) (V V' : clock) : Prop := e ⪯ V' -> V ⊑ V'.

(** Definition 2, for the thread t that stands in for the zeroes. *)
Definition partially_emulates (t : tid) (V0 V V' : clock) : Prop :=
  (forall u, V0 u = 0 -> V0 t <= V' t -> V u <= V' u) /\
  (forall u, V0 u <> 0 -> V0 u <= V' u -> V u <= V' u).

(** "In a state": for all its clocks. (In Definition 2 the thread t must be the same for all of them, or
    the relation would not survive an acquire.) *)
Definition in_state (P : clock -> Prop) (s : clocks) : Prop :=
  (forall u, P (C s u)) /\ (forall m, P (L s m)).

(** Definition 3. *)
Record related (s : state) (s' : ft_state) : Prop := {
  r_clk : fclk s' = clk s;
  r_write : forall x, H s Write x (snd (FW s' x)) = fst (FW s' x);
  r_write_emulates : forall x, in_state (emulates (FW s' x) (H s Write x)) (clk s);
  r_reads_le : forall x u, reads_at (FR s' x) u <= H s Read x u;
  r_no_read : forall x t, FR s' x = Epoch (0, t) -> in_state (emulates (FW s' x) (H s Read x)) (clk s);
  r_read : forall x c t, c <> 0 -> FR s' x = Epoch (c, t) ->
             H s Read x t = c /\ in_state (emulates (c, t) (H s Read x)) (clk s);
  r_shared : forall x V, FR s' x = Shared V ->
             exists t, in_state (partially_emulates t V (H s Read x)) (clk s);
  r_atomic : forall k x u, k = AtomicRead \/ k = AtomicWrite -> FA s' k x u = H s k x u
}.

(** What holds of every VectorClock state that a trace leads to. *)
Record ordinary (s : state) : Prop := {
  o_C : forall t u, t <> u -> C (clk s) t u < C (clk s) u u;
  o_L : forall m u, L (clk s) m u < C (clk s) u u;
  o_H : forall k x t, H s k x t <= C (clk s) t t;
  o_nochange : forall k x t, H s k x t = C (clk s) t t -> premises s (t, Access k x)
}.

Lemma steps_ordinary α s : steps initial α s -> ordinary s.
Proof.
  intros S; apply steps_inv in S; destruct S as (Q & R & F).
  pose proof (well_formed_run α) as W. split; try (rewrite Q; apply W).
  - intros k x t. rewrite Q. destruct (R k x t) as [_ [->|(i & a & A & T & _ & ->)]]; [lia|].
    simpl in T; subst t. apply (wf_C _ _ W _ _ _ A). eapply knows_own; eauto.
  - intros k x t. eapply nochange_premises; eauto.
Qed.

Lemma o_pos s t : ordinary s -> 0 < C (clk s) t t.
Proof. intros O. pose proof (o_L s O 0 t). lia. Qed.

(** *** Emulation survives synchronisation *)

Lemma sync_in_state (P : clock -> Prop) s e :
  (forall V V', P V -> P V' -> P (V ⊔ V')) ->
  (forall t V, P V -> V t = C s t t -> P (inc t V)) ->
  in_state P s -> in_state P (sync_step s e).
Proof.
  intros J I [PC PL].
  assert (JJ : forall V t, P V -> V t = C s t t -> P (inc t (V ⊔ V))).
  { intros V t PV Q. apply I; auto. unfold join; lia. }
  destruct e as [t o]; destruct o; simpl; split; simpl; intros z; auto; unfold set; cases; auto;
    try congruence.
Qed.

Lemma emulates_sync c u V s e :
  c <= C s u u -> in_state (emulates (c, u) V) s -> in_state (emulates (c, u) V) (sync_step s e).
Proof.
  intros B. apply sync_in_state; unfold emulates, epoch_le; simpl.
  - intros V1 V2 E1 E2 X w. unfold join in *. destruct (Nat.max_spec (V1 u) (V2 u)) as [[_ M]|[_ M]];
      rewrite M in X; [specialize (E2 X w)|specialize (E1 X w)]; lia.
  - intros t V1 E1 Q X. assert (Y : c <= V1 u).
    { unfold inc, set in X. destruct (Nat.eqb_spec u t); subst; lia. }
    eapply le_trans; [exact (E1 Y)|apply inc_le].
Qed.

Lemma partially_sync t0 V0 V s e :
  (forall u, V0 u <= C s u u) ->
  in_state (partially_emulates t0 V0 V) s -> in_state (partially_emulates t0 V0 V) (sync_step s e).
Proof.
  intros B. apply sync_in_state; unfold partially_emulates.
  - intros V1 V2 [Z1 N1] [Z2 N2]; split; intros u Q X; unfold join in *.
    + destruct (Nat.max_spec (V1 t0) (V2 t0)) as [[_ M]|[_ M]]; rewrite M in X;
        [specialize (Z2 u Q X)|specialize (Z1 u Q X)]; lia.
    + destruct (Nat.max_spec (V1 u) (V2 u)) as [[_ M]|[_ M]]; rewrite M in X;
        [specialize (N2 u Q X)|specialize (N1 u Q X)]; lia.
  - intros t V1 [Z N] Q. assert (Y : forall u, V0 u <= inc t V1 u -> V0 u <= V1 u).
    { intros u X. unfold inc, set in X. destruct (Nat.eqb_spec u t); subst; auto. rewrite Q; auto. }
    pose proof (inc_le t V1) as I.
    split; intros u Q' X; specialize (I u); apply Y in X; [specialize (Z u Q' X)|specialize (N u Q' X)]; lia.
Qed.

(** ** The premises agree *)

Section Related.
  Variables (s : state) (s' : ft_state).
  Hypothesis O : ordinary s.
  Hypothesis R : related s s'.

  Lemma write_agrees x t : FW s' x ⪯ C (clk s) t <-> H s Write x ⊑ C (clk s) t.
  Proof.
    split; intros X.
    - apply (proj1 (r_write_emulates _ _ R x) t X).
    - unfold epoch_le. rewrite <- (r_write _ _ R x). apply X.
  Qed.

  Lemma reads_agree x t :
    FW s' x ⪯ C (clk s) t -> (reads_le (FR s' x) (C (clk s) t) <-> H s Read x ⊑ C (clk s) t).
  Proof.
    intros W. pose proof (r_reads_le _ _ R x) as P. destruct (FR s' x) as [[c u]|V] eqn:Q; simpl in *.
    - destruct (Nat.eq_dec c 0) as [->|N].
      + split; [intros _|intros _; unfold epoch_le; simpl; lia].
        apply (proj1 (r_no_read _ _ R x u Q) t W).
      + destruct (r_read _ _ R x c u N Q) as [E [EM _]]. split; intros X.
        * apply EM; auto.
        * unfold epoch_le; simpl. rewrite <- E; auto.
    - destruct (r_shared _ _ R x V Q) as (t0 & EM & _). split; intros X.
      + intros u. destruct (EM t) as [Z N]. destruct (Nat.eq_dec (V u) 0); auto.
      + eapply le_trans; [intros u; apply P|auto].
  Qed.

  Lemma atomic_agrees k x t :
    k = AtomicRead \/ k = AtomicWrite -> (FA s' k x ⊑ C (clk s) t <-> H s k x ⊑ C (clk s) t).
  Proof.
    intros K. split; intros X u; specialize (X u); rewrite (r_atomic _ _ R k x u K) in *; auto.
  Qed.

  Lemma premises_agree e : premises s e <-> ft_premises s' e.
  Proof.
    unfold premises, ft_premises. rewrite (r_clk _ _ R).
    destruct (access e) as [[k x]|]; [|tauto].
    pose proof (write_agrees x (fst e)) as W. pose proof (reads_agree x (fst e)) as RA.
    pose proof (atomic_agrees AtomicRead x (fst e) (or_introl eq_refl)) as AR.
    pose proof (atomic_agrees AtomicWrite x (fst e) (or_intror eq_refl)) as AW.
    unfold clear. split.
    - intros X; assert (X0 := X Read); assert (X1 := X Write); assert (X2 := X AtomicRead);
        assert (X3 := X AtomicWrite); clear X. destruct k; simpl in *; tauto.
    - intros X k' Q. destruct k, k'; simpl in *; try discriminate; tauto.
  Qed.

  (** ** The relation is preserved *)

  (** What E(t) emulates: all that t is ordered after. *)
  Lemma own_emulates t V :
    V ⊑ C (clk s) t -> in_state (emulates (C (clk s) t t, t) V) (clk s).
  Proof.
    intros X. split; intros z Y; unfold epoch_le in Y; simpl in Y.
    - destruct (Nat.eq_dec z t) as [->|N]; auto. pose proof (o_C s O z t N). lia.
    - pose proof (o_L s O z t). lia.
  Qed.

  Lemma related_sync e : access e = None -> related (next s e) (ft_next s' e).
  Proof.
    intros A. unfold next, ft_next, after. rewrite A.
    split; simpl; rewrite ?(r_clk _ _ R); auto; try apply R.
    - intros x. destruct (FW s' x) as [c t] eqn:Q. apply emulates_sync.
      + pose proof (r_write _ _ R x) as E. rewrite Q in E; simpl in E. rewrite <- E. apply O.
      + rewrite <- Q. apply R.
    - intros x t Q. destruct (FW s' x) as [c u] eqn:QW. apply emulates_sync.
      + pose proof (r_write _ _ R x) as E. rewrite QW in E; simpl in E. rewrite <- E. apply O.
      + rewrite <- QW. eapply R; eauto.
    - intros x c t N Q. destruct (r_read _ _ R x c t N Q) as [E EM]. split; auto.
      apply emulates_sync; auto. rewrite <- E; apply O.
    - intros x V Q. destruct (r_shared _ _ R x V Q) as (t & EM). exists t. apply partially_sync; auto.
      intros u. pose proof (r_reads_le _ _ R x u) as Y. rewrite Q in Y; simpl in Y.
      pose proof (o_H s O Read x u). lia.
  Qed.

  Lemma set_le (V V' : clock) t c : V ⊑ V' -> c <= V' t -> set V t c ⊑ V'.
  Proof. intros X Y u; unfold set; destruct (Nat.eqb_spec u t); subst; auto. Qed.

  Lemma related_read t x : premises s (t, Access Read x) ->
    related (next s (t, Access Read x)) (ft_next s' (t, Access Read x)).
  Proof.
    intros P. assert (FP := proj1 (premises_agree _) P). destruct FP as [PW PA]; simpl in PW, PA.
    rewrite (r_clk _ _ R) in PW, PA.
    pose proof (o_pos s t O) as POS.
    assert (RR : forall x', record (H s) Read x t (C (clk s) t t) Read x'
                  = if x' =? x then set (H s Read x) t (C (clk s) t t) else H s Read x').
    { intros x'; unfold record; simpl; destruct (x' =? x); auto. }
    assert (RN : forall k x', k <> Read -> record (H s) Read x t (C (clk s) t t) k x' = H s k x').
    { intros k x' N; unfold record; destruct k; simpl; congruence. }
    unfold next, ft_next, after; simpl. rewrite (r_clk _ _ R).
    split; simpl; auto.
    - intros x'; rewrite RN by discriminate; apply R.
    - intros x'; rewrite RN by discriminate; apply R.
    - intros x' u; rewrite RR. pose proof (r_reads_le _ _ R x' u) as Y.
      unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; auto.
      pose proof (r_read _ _ R x) as RE. pose proof (o_H s O Read x u) as OH.
      destruct (FR s' x) as [[c w]|V]; simpl in *.
      + destruct (Nat.leb_spec c (C (clk s) t w)) as [Z|Z]; simpl; unfold set, bottom in *; cases; lia.
      + unfold set in *; cases; lia.
    - intros x' u; rewrite RR. unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R].
      destruct (FR s' x) as [[c w]|V]; simpl.
      + destruct (Nat.leb_spec c (C (clk s) t w)) as [Z|Z]; intros Q; [injection Q as Q1 Q2; lia|discriminate].
      + discriminate.
    - intros x' c u N; rewrite RR. unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R; auto].
      destruct (FR s' x) as [[c0 w]|V] eqn:QR; simpl; [|discriminate].
      destruct (Nat.leb_spec c0 (C (clk s) t w)) as [Z|Z]; intros Q; [|discriminate].
      injection Q as <- <-. rewrite set_eq. split; auto. apply own_emulates.
      apply set_le; auto. apply (reads_agree x t PW). rewrite QR; auto.
    - intros x' V; rewrite RR. unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R].
      pose proof (r_reads_le _ _ R x) as RL.
      destruct (FR s' x) as [[c w]|V0] eqn:QR; simpl.
      + destruct (Nat.leb_spec c (C (clk s) t w)) as [Z|Z]; intros Q; [discriminate|].
        injection Q as <-. assert (N : c <> 0) by lia.
        destruct (r_read _ _ R x c w N QR) as [E EM].
        assert (WT : w <> t). { intros ->. pose proof (o_H s O Read x t). lia. }
        exists w. assert (G : forall V', emulates (c, w) (H s Read x) V' ->
          partially_emulates w (set (set bottom w c) t (C (clk s) t t)) (set (H s Read x) t (C (clk s) t t)) V').
        { intros V' EV. unfold emulates, epoch_le in EV; simpl in EV.
          split; intros u; unfold set, bottom; cases; try congruence; try lia; intros Q X;
            try (apply EV; auto); try lia. }
        destruct EM as [EC EL]; split; intros z; apply G; auto.
      + intros Q; injection Q as <-. destruct (r_shared _ _ R x V0 QR) as (t0 & EM).
        exists t0. assert (G : forall V', partially_emulates t0 V0 (H s Read x) V' ->
          partially_emulates t0 (set V0 t (C (clk s) t t)) (set (H s Read x) t (C (clk s) t t)) V').
        { intros V' [Z N]. specialize (RL t); simpl in RL. pose proof (o_H s O Read x t) as OH.
          split; intros u; unfold set; destruct (Nat.eqb_spec u t) as [->|]; try lia; auto.
          destruct (Nat.eqb_spec t0 t) as [->|]; auto. intros Q X. apply Z; auto. lia. }
        destruct EM as [EC EL]; split; intros z; apply G; auto.
    - intros k x' u K. rewrite RN by (destruct K; subst; discriminate). apply R; auto.
  Qed.

  Lemma related_write t x : premises s (t, Access Write x) ->
    related (next s (t, Access Write x)) (ft_next s' (t, Access Write x)).
  Proof.
    intros P. assert (PR : H s Read x ⊑ C (clk s) t) by (apply P; auto).
    assert (PW : H s Write x ⊑ C (clk s) t) by (apply P; auto).
    assert (RR : forall x', record (H s) Write x t (C (clk s) t t) Write x'
                  = if x' =? x then set (H s Write x) t (C (clk s) t t) else H s Write x').
    { intros x'; unfold record; simpl; destruct (x' =? x); auto. }
    assert (RN : forall k x', k <> Write -> record (H s) Write x t (C (clk s) t t) k x' = H s k x').
    { intros k x' N; unfold record; destruct k; simpl; congruence. }
    unfold next, ft_next, after; simpl. rewrite (r_clk _ _ R).
    split; simpl; auto.
    - intros x'; rewrite RR. destruct (Nat.eqb_spec x' x) as [->|].
      + rewrite set_eq; simpl; rewrite set_eq; auto.
      + rewrite set_neq by auto; apply R.
    - intros x'; rewrite RR. unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R].
      apply own_emulates. apply set_le; auto.
    - intros x' u; rewrite RN by discriminate. pose proof (r_reads_le _ _ R x' u) as Y.
      unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; auto.
      destruct (FR s' x) as [[c w]|V]; simpl in *; auto. destruct (u =? 0); lia.
    - intros x' u; rewrite RN by discriminate.
      unfold set; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R].
      intros _; apply own_emulates; auto.
    - intros x' c u N; rewrite RN by discriminate.
      unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R; auto].
      destruct (FR s' x) as [[c0 w]|V] eqn:QR; intros Q; injection Q as <- <-; [|congruence].
      apply R; auto.
    - intros x' V; rewrite RN by discriminate.
      unfold set at 1; destruct (Nat.eqb_spec x' x) as [->|]; [|apply R].
      destruct (FR s' x); discriminate.
    - intros k x' u K. rewrite RN by (destruct K; subst; discriminate). apply R; auto.
  Qed.

  Lemma related_atomic t k x : k = AtomicRead \/ k = AtomicWrite ->
    related (next s (t, Access k x)) (ft_next s' (t, Access k x)).
  Proof.
    intros K.
    assert (RN : forall k' x', k' = Read \/ k' = Write ->
              record (H s) k x t (C (clk s) t t) k' x' = H s k' x').
    { intros k' x' N; unfold record; destruct K as [->| ->], N as [->| ->]; auto. }
    replace (ft_next s' (t, Access k x)) with
      {| fclk := fclk s'; FR := FR s'; FW := FW s';
         FA := record (FA s') k x t (C (fclk s') t t) |}
      by (unfold ft_next; simpl; destruct K as [->| ->]; auto).
    unfold next, after; simpl. split; simpl; try (apply R).
    all: try (intros x'; rewrite RN by auto; apply R).
    intros k' x' u K'. rewrite (r_clk _ _ R). unfold record.
    destruct (kind_eqb k' k && (x' =? x)); [|apply R; auto].
    unfold set; destruct (u =? t); auto. apply R; auto.
  Qed.

  Lemma related_next e : premises s e -> related (next s e) (ft_next s' e).
  Proof.
    destruct (access e) as [[k x]|] eqn:A; [|intros; apply related_sync; auto].
    destruct e as [t o]; destruct o; try discriminate. injection A as -> ->.
    destruct k; auto using related_read, related_write, related_atomic.
  Qed.
End Related.

Lemma related_ext s1 s2 s' :
  clk s1 = clk s2 -> (forall k x u, H s1 k x u = H s2 k x u) -> related s1 s' -> related s2 s'.
Proof.
  intros Q E R.
  assert (EM : forall e k x, in_state (emulates e (H s1 k x)) (clk s1) -> in_state (emulates e (H s2 k x)) (clk s2)).
  { intros e k x [A B]. rewrite <- Q. split; intros z X u; rewrite <- E; [apply A|apply B]; auto. }
  split.
  - rewrite (r_clk _ _ R); auto.
  - intros x; rewrite <- E; apply R.
  - intros x; apply EM, R.
  - intros x u; rewrite <- E; apply R.
  - intros x t X; apply EM; eapply R; eauto.
  - intros x c t N X; destruct (r_read _ _ R x c t N X); rewrite <- E; split; auto.
  - intros x V X; destruct (r_shared _ _ R x V X) as (t & A & B). exists t. rewrite <- Q.
    split; intros z; [destruct (A z) as [Z N]|destruct (B z) as [Z N]]; split; intros u; rewrite <- E; auto.
  - intros k x u K; rewrite <- E; apply R; auto.
Qed.

Lemma nochange_next s t k x :
  H s k x t = C (clk s) t t ->
  clk (next s (t, Access k x)) = clk s /\ forall k' x' u, H (next s (t, Access k x)) k' x' u = H s k' x' u.
Proof.
  intros E. split; auto. intros k' x' u. simpl. unfold after, record; simpl.
  destruct (kind_eqb k' k) eqn:Q, (Nat.eqb_spec x' x) as [->|]; simpl; auto.
  apply kind_eqb_eq in Q; subst. unfold set; destruct (Nat.eqb_spec u t); subst; auto.
Qed.

(** Lemma 1: [related] is a bisimulation. *)
Theorem bisimulation s s' e :
  ordinary s -> related s s' ->
  (forall s2, step s e s2 -> exists s2', ft_step s' e s2' /\ related s2 s2') /\
  (forall s2', ft_step s' e s2' -> exists s2, step s e s2 /\ related s2 s2').
Proof.
  intros O R. split.
  - intros s2 S. inversion S as [s0 e0 P|s0 t k x E]; subst.
    + exists (ft_next s' e); split; [apply FTSTEP; apply (premises_agree s s'); auto|].
      apply related_next; auto.
    + pose proof (o_nochange s2 O k x t E) as P. exists (ft_next s' (t, Access k x)). split.
      * apply FTSTEP; apply (premises_agree s2 s'); auto.
      * destruct (nochange_next s2 t k x E) as [Q X]. eapply related_ext; eauto. apply related_next; auto.
  - intros s2' S. inversion S as [s0 e0 P|s0 t x E|s0 t x E]; subst.
    + exists (next s e). apply (premises_agree s s' R) in P. split; [apply STEP; auto|apply related_next; auto].
    + exists s; split; auto. apply NOCHANGE. rewrite (r_clk _ _ R) in E.
      pose proof (o_pos s t O). apply (r_read _ _ R x _ t) in E; [tauto|lia].
    + exists s; split; auto. apply NOCHANGE. pose proof (r_write _ _ R x) as W.
      rewrite E in W; simpl in W. rewrite W, (r_clk _ _ R); auto.
Qed.

Lemma related_initial : related initial ft_initial.
Proof.
  split; simpl; auto; try discriminate.
  - intros x; split; intros z _ u; unfold bottom; lia.
  - intros x u; destruct (u =? 0); auto.
  - intros x t _; split; intros z _ u; unfold bottom; lia.
  - intros x c t N Q; injection Q as <- <-; congruence.
Qed.

(** Theorem 2. *)
Theorem fasttrack_sound_and_complete α :
  (exists s', ft_steps ft_initial α s') <-> race_free access α.
Proof.
  rewrite <- vectorclock_sound_and_complete. split.
  - intros (s' & S). enough (G : exists s, steps initial α s /\ related s s') by (destruct G as (s & G & _); eauto).
    remember ft_initial as s0 eqn:Q0. induction S as [s'|s' α s1' e s2' S IH Hs]; subst.
    + exists initial; split; [constructor|apply related_initial].
    + destruct (IH eq_refl) as (s & Ss & R).
      destruct (bisimulation s s1' e (steps_ordinary α s Ss) R) as [_ B].
      destruct (B s2' Hs) as (s2 & S2 & R2). exists s2; split; auto. econstructor; eauto.
  - intros (s & S). enough (G : exists s', ft_steps ft_initial α s' /\ related s s') by (destruct G as (s' & G & _); eauto).
    remember initial as s0 eqn:Q0. induction S as [s|s α s1 e s2 S IH Hs]; subst.
    + exists ft_initial; split; [constructor|apply related_initial].
    + destruct (IH eq_refl) as (s' & Ss & R).
      destruct (bisimulation s1 s' e (steps_ordinary α s1 S) R) as [B _].
      destruct (B s2 Hs) as (s2' & S2 & R2). exists s2'; split; auto. econstructor; eauto.
Qed.
