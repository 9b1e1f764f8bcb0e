(** Vector clocks, and what a detector needs of them.

    [K α e] is the paper's K^e(t): the clock of e's thread when it does e, right after the trace α.
    A way of keeping clocks is [exact] if an event i by t happens before e exactly when
    K^i(t)(t) <= K^e(u)(t). Everything a detector does with locations (VectorClock, FastTrack, the entries
    of src/core) rests on that alone; VectorClock.v, MultiJoin.v and Atomics.v each prove it for the clocks
    that they keep. *)
From Deadheat Require Export Trace.

Definition clock := tid -> nat.

Definition bottom : clock := fun _ => 0.
Definition join (V V' : clock) : clock := fun u => Nat.max (V u) (V' u).
Definition le (V V' : clock) : Prop := forall u, V u <= V' u.
Definition set {A : Type} (f : nat -> A) (t : nat) (v : A) : nat -> A := fun u => if u =? t then v else f u.
Definition inc (t : tid) (V : clock) : clock := set V t (S (V t)).

Infix "⊔" := join (at level 50, left associativity).
Infix "⊑" := le (at level 70).

Lemma set_eq {A} (f : nat -> A) t v : set f t v t = v.
Proof. unfold set; rewrite Nat.eqb_refl; auto. Qed.
Lemma set_neq {A} (f : nat -> A) t v u : u <> t -> set f t v u = f u.
Proof. intros; unfold set; destruct (Nat.eqb_spec u t); congruence. Qed.
Lemma le_refl V : V ⊑ V.
Proof. intros u; auto. Qed.
Lemma le_trans V V' V'' : V ⊑ V' -> V' ⊑ V'' -> V ⊑ V''.
Proof. intros A B u; specialize (A u); specialize (B u); lia. Qed.
Lemma join_l V V' : V ⊑ V ⊔ V'.
Proof. intros u; unfold join; lia. Qed.
Lemma join_r V V' : V' ⊑ V ⊔ V'.
Proof. intros u; unfold join; lia. Qed.
Lemma inc_le t V : V ⊑ inc t V.
Proof. intros u; unfold inc, set; destruct (Nat.eqb_spec u t); subst; lia. Qed.

Section Exact.
  Context {event : Type} {E : Events event}.
  Variable K : list event -> event -> clock.

  (** The time of event i: its thread's own entry when it was done. *)
  Definition tick (α : list event) (i : nat) : nat :=
    match nth_error α i with
    | Some a => K (firstn i α) a (thread a)
    | None => 0
    end.

  (** [ok] tells the traces that the clocks are kept for. *)
  Definition exact (ok : list event -> Prop) : Prop :=
    forall α e i a, ok (α ++ [e]) -> α @ i = a ->
      (before α e i <-> tick α i <= K α e (thread a)).

  (** Nobody else is ordered after what a thread did in its present epoch: it has not released it yet. *)
  Definition fresh (ok : list event -> Prop) : Prop :=
    forall α e j i a b, ok (α ++ [e]) -> α @ j = a -> α @ i = b ->
      thread a = thread e -> thread b <> thread e -> hb α j i -> tick α j < K α e (thread e).

  Lemma tick_snoc α e i : i < length α -> tick (α ++ [e]) i = tick α i.
  Proof. intros; unfold tick. rewrite nth_error_app1, firstn_snoc by lia; auto. Qed.

  Lemma tick_last α e : tick (α ++ [e]) (length α) = K α e (thread e).
  Proof. unfold tick; rewrite at_last, firstn_snoc, firstn_all by lia; auto. Qed.

  Variable ok : list event -> Prop.
  Hypothesis K_exact : exact ok.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.

  (** A thread's own time never goes back. *)
  Lemma tick_mono α i j a b :
    ok α -> i <= j -> α @ i = a -> α @ j = b -> thread a = thread b -> tick α i <= tick α j.
  Proof.
    revert i j a b. induction α as [|e α IH] using rev_ind; intros i j a b O L A B T.
    { destruct i; discriminate. }
    pose proof (ok_prefix _ _ O) as O'.
    apply at_snoc_inv in A; apply at_snoc_inv in B.
    destruct A as [(I & A)|(-> & ->)], B as [(J & B)|(-> & ->)]; try lia.
    - rewrite !tick_snoc by lia; eapply IH; eauto.
    - rewrite tick_snoc, tick_last by lia. rewrite <- T. eapply K_exact; eauto.
      eapply before_po; eauto.
  Qed.

  (** Events of one thread at one time are known to others together, or not at all. *)
  Lemma same_tick α e i j a b :
    ok (α ++ [e]) -> α @ i = a -> α @ j = b -> thread a = thread b -> tick α i = tick α j ->
    before α e i -> before α e j.
  Proof.
    intros O A B T S H. apply (K_exact α e j b O B). rewrite <- S, <- T.
    apply (K_exact α e i a O A); auto.
  Qed.

  Lemma before_dec α e i : ok (α ++ [e]) -> before α e i \/ ~ before α e i.
  Proof.
    intros O. destruct (nth_error α i) as [a|] eqn:A.
    - rewrite (K_exact α e i a O A). lia.
    - right; intros H; apply hb_lt in H. apply nth_error_None in A; lia.
  Qed.

  (** Exactness, for two events anywhere in a trace. *)
  Lemma hb_iff α i j a b :
    ok α -> i < j -> α @ i = a -> α @ j = b -> (hb α i j <-> tick α i <= K (firstn j α) b (thread a)).
  Proof.
    induction α as [|e α IH] using rev_ind; intros O L A B.
    { destruct i; discriminate. }
    apply at_snoc_inv in B. destruct B as [(J & B)|(-> & ->)].
    - rewrite hb_snoc, tick_snoc, firstn_snoc by lia. rewrite at_snoc in A by lia.
      apply IH; auto. eapply ok_prefix; eauto.
    - rewrite at_snoc in A by lia. rewrite tick_snoc, firstn_snoc, firstn_all by lia.
      apply (K_exact α e i a O A).
  Qed.

  Lemma hb_dec α i j : ok α -> hb α i j \/ ~ hb α i j.
  Proof.
    intros O. destruct (Nat.lt_ge_cases i j) as [L|L]; [|right; intros H; apply hb_lt in H; lia].
    destruct (nth_error α j) as [b|] eqn:B.
    - destruct (nth_error α i) as [a|] eqn:A.
      + rewrite (hb_iff α i j a b O L A B). lia.
      + right; intros H; apply hb_dom in H. apply nth_error_None in A; lia.
    - right; intros H; apply hb_dom in H. apply nth_error_None in B; lia.
  Qed.

  (** ** The history of all locations, by kind

      H k x t is the time of t's last access of kind k to x (0: none). With two kinds, R = H Read and
      W = H Write of the paper's states. *)

  Variable f : event -> option (kind * loc).

  Definition history := kind -> loc -> clock.

  Definition record (H : history) (k : kind) (x : loc) (t : tid) (c : nat) : history :=
    fun k' x' => if kind_eqb k' k && (x' =? x) then set (H k x) t c else H k' x'.

  (** The premises of READ and WRITE: all that conflicts is ordered before. *)
  Definition clear (H : history) (k : kind) (x : loc) (V : clock) : Prop :=
    forall k', conf k k' = true -> H k' x ⊑ V.

  (** H says what was done in α. *)
  Definition represents (α : list event) (H : history) : Prop :=
    forall k x t,
      (forall i a, α @ i = a -> thread a = t -> f a = Some (k, x) -> tick α i <= H k x t) /\
      (H k x t = 0 \/
       exists i a, α @ i = a /\ thread a = t /\ f a = Some (k, x) /\ H k x t = tick α i).

  Definition after (H : history) (e : event) (V : clock) : history :=
    match f e with
    | Some (k, x) => record H k x (thread e) (V (thread e))
    | None => H
    end.

  Lemma represents_nil : represents [] (fun _ _ => bottom).
  Proof. intros k x t; split; auto. intros i a A; destruct i; discriminate. Qed.

  Lemma record_eq H k x t c : record H k x t c k x = set (H k x) t c.
  Proof. unfold record. replace (kind_eqb k k) with true by (destruct k; auto). rewrite Nat.eqb_refl; auto. Qed.

  Lemma record_neq H k x t c k' x' : k' <> k \/ x' <> x -> record H k x t c k' x' = H k' x'.
  Proof.
    intros N; unfold record. destruct (kind_eqb k' k) eqn:Q; auto. apply kind_eqb_eq in Q.
    destruct (Nat.eqb_spec x' x); simpl; auto. tauto.
  Qed.

  Lemma represents_snoc α e H :
    ok (α ++ [e]) -> represents α H -> represents (α ++ [e]) (after H e (K α e)).
  Proof.
    intros O R k x t. destruct (R k x t) as [U D].
    assert (OLD : (forall i a, α @ i = a -> thread a = t -> f a = Some (k, x) -> tick (α ++ [e]) i <= H k x t) /\
       (H k x t = 0 \/
       exists i a, (α ++ [e]) @ i = a /\ thread a = t /\ f a = Some (k, x) /\ H k x t = tick (α ++ [e]) i)).
    { split.
      - intros i a A T F. rewrite tick_snoc by (eapply at_lt; eauto). eauto.
      - destruct D as [|(i & a & A & T & F & Q)]; auto. right. exists i, a.
        pose proof (at_lt _ _ _ A). rewrite at_snoc, tick_snoc by auto. auto. }
    destruct OLD as [OU OD].
    assert (NEW : forall i a, (α ++ [e]) @ i = a -> thread a = t -> f a = Some (k, x) ->
                   (i = length α /\ a = e) \/ tick (α ++ [e]) i <= H k x t).
    { intros i a A T F. apply at_snoc_inv in A. destruct A as [(L & A)|]; auto. right; eauto. }
    unfold after. destruct (f e) as [[k0 x0]|] eqn:Fe.
    - destruct (kind_eqb k k0 && (x =? x0) && (t =? thread e)) eqn:Q.
      + apply andb_prop in Q; destruct Q as [Q Q3]; apply andb_prop in Q; destruct Q as [Q1 Q2].
        apply kind_eqb_eq in Q1; apply Nat.eqb_eq in Q2; apply Nat.eqb_eq in Q3; subst.
        rewrite record_eq, set_eq. split.
        * intros i a A T F. rewrite <- tick_last. eapply tick_mono; eauto using at_last.
          apply at_lt in A; rewrite app_length in A; simpl in A; lia.
        * right. exists (length α), e. rewrite at_last, tick_last; auto.
      + assert (X : record H k0 x0 (thread e) (K α e (thread e)) k x t = H k x t).
        { unfold record. destruct (kind_eqb k k0) eqn:Q1, (Nat.eqb_spec x x0) as [->|]; simpl in *; auto.
          apply kind_eqb_eq in Q1; subst. destruct (Nat.eqb_spec t (thread e)); [discriminate|].
          apply set_neq; auto. }
        rewrite X; split; auto. intros i a A T F. destruct (NEW i a A T F) as [(-> & ->)|]; auto.
        rewrite Fe in F; injection F as -> ->.
        assert (kind_eqb k k = true) by (destruct k; auto).
        rewrite H0, Nat.eqb_refl, T, Nat.eqb_refl in Q; discriminate.
    - split; auto. intros i a A T F. destruct (NEW i a A T F) as [(-> & ->)|]; auto; congruence.
  Qed.

  (** The premises hold exactly if e races with nothing before it. *)
  Theorem clear_iff α e H k x :
    ok (α ++ [e]) -> represents α H -> f e = Some (k, x) ->
    (clear H k x (K α e) <->
     forall i a k', α @ i = a -> f a = Some (k', x) -> conf k k' = true -> before α e i).
  Proof.
    intros O R F; split.
    - intros C i a k' A FA X. apply (K_exact α e i a O A).
      destruct (R k' x (thread a)) as [U _]. specialize (U i a A eq_refl FA).
      specialize (C k' X (thread a)). lia.
    - intros B k' X t. destruct (R k' x t) as [_ [->|(i & a & A & <- & FA & ->)]]; [lia|].
      apply (K_exact α e i a O A); eauto.
  Qed.

  Corollary clear_dec α e H k x :
    ok (α ++ [e]) -> represents α H -> f e = Some (k, x) ->
    (exists i a k', α @ i = a /\ f a = Some (k', x) /\ conf k' k = true /\ ~ before α e i) \/
    clear H k x (K α e).
  Proof.
    intros O R F; rewrite (clear_iff α e H k x O R F).
    (* Search among the finitely many events. *)
      assert (D : forall n, n <= length α ->
        (exists i a k', α @ i = a /\ f a = Some (k', x) /\ conf k' k = true /\ ~ before α e i) \/
        (forall i a k', i < n -> α @ i = a -> f a = Some (k', x) -> conf k k' = true -> before α e i)).
      { induction n as [|n IH]; intros Ln; [right; intros; lia|].
        destruct IH as [|IH]; [lia|auto|].
        destruct (before_dec α e n O) as [B|B].
        { right; intros i a k' Li A FA X. destruct (Nat.eq_dec i n) as [->|]; auto.
          eapply IH; eauto; lia. }
        destruct (nth_error α n) as [a|] eqn:A; [|apply nth_error_None in A; lia].
        destruct (f a) as [[k' x']|] eqn:FA.
        2: { right; intros i a' k' Li A' FA' X. destruct (Nat.eq_dec i n) as [->|]; [congruence|].
             eapply IH; eauto; lia. }
        destruct (conf k' k && (x' =? x)) eqn:Q.
        - apply andb_prop in Q; destruct Q as [Q1 Q2]; apply Nat.eqb_eq in Q2; subst.
          left; exists n, a, k'; auto.
        - right; intros i a' k'' Li A' FA' X. destruct (Nat.eq_dec i n) as [->|].
          + rewrite A in A'; injection A' as <-. rewrite FA in FA'; injection FA' as -> ->.
            rewrite conf_sym in X; rewrite X, Nat.eqb_refl in Q; discriminate.
          + eapply IH; eauto; lia. }
      destruct (D (length α)) as [|D']; auto. right; intros; eapply D'; eauto using at_lt.
  Qed.

  Corollary clear_race α e H k x :
    ok (α ++ [e]) -> represents α H -> f e = Some (k, x) ->
    (~ clear H k x (K α e) <->
     exists i a k', α @ i = a /\ f a = Some (k', x) /\ conf k' k = true /\ ~ before α e i).
  Proof.
    intros O R F; split.
    - intros N; destruct (clear_dec α e H k x O R F); tauto.
    - rewrite (clear_iff α e H k x O R F).
      intros (i & a & k' & A & FA & X & B) N. apply B. eapply N; eauto. rewrite conf_sym; auto.
  Qed.
End Exact.
