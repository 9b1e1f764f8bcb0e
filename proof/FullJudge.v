(** Every racing event with all its racy bytes: VectorClock's histories as a program, for any events and any clocks
    that are exact. With atomics it is what the detectors of src/detect are held against. *)
From Deadheat Require Export Judge EntriesJudge.

Record f_state (S : Type) := { f_clocks : S; past : loc -> kind -> clock }.
Arguments f_clocks {S}.
Arguments past {S}.

(** The times of t's last accesses to a byte, by kind. *)
Definition note (h : kind -> clock) (k : kind) (t : tid) (c : nat) : kind -> clock :=
  fun k' => if kind_eqb k' k then set (h k) t c else h k'.

Section Program.
  Context {event S : Type}.
  Variables (who : event -> tid) (step : S -> event -> S) (see : S -> event -> clock).
  Variable touched : event -> option (kind * list loc).
  Variable n : nat. (* threads have smaller numbers *)

  Definition f_next (s : f_state S) (e : event) : f_state S * list loc :=
    let after := step (f_clocks s) e in
    match touched e with
    | None => ({| f_clocks := after; past := past s |}, [])
    | Some (k, xs) =>
        let V := see (f_clocks s) e in
        ({| f_clocks := after; past := change xs (fun _ h => note h k (who e) (V (who e))) (past s) |},
         filter (fun x => negb (clear_upto n (fun k' _ => past s x k') k x V)) xs)
    end.
End Program.

Section Proof.
  Context {event : Type} {E : Events event} {S : Type}.
  Variables (s0 : S) (step : S -> event -> S) (see : S -> event -> clock).
  Variable touched : event -> option (kind * list loc).
  Variable n : nat.
  Let KS (α : list event) (e : event) : clock := see (fold_left step α s0) e.
  Variable ok : list event -> Prop.
  Hypothesis KS_exact : exact KS ok.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.

  Definition f_initial : f_state S := {| f_clocks := s0; past := fun _ _ => bottom |}.

  Definition below (α : list event) : Prop := forall i a, α @ i = a -> thread a < n.
  Definition ok_below (α : list event) : Prop := ok α /\ below α.

  Lemma ok_below_prefix α e : ok_below (α ++ [e]) -> ok_below α.
  Proof.
    intros (O & B). split; [eapply ok_prefix; eauto|]. intros i a A. apply (B i). rewrite at_snoc; auto.
    eapply at_lt; eauto.
  Qed.

  (** The history of one byte, as that of all locations. *)
  Definition alone (x : loc) (h : kind -> clock) : history := fun k y => if y =? x then h k else bottom.

  Definition f_inv (α : list event) (s : f_state S) : Prop :=
    f_clocks s = fold_left step α s0 /\ forall x, represents KS (touch touched x) α (alone x (past s x)).

  Lemma represents_ext f α (H H' : history) :
    (forall k y t, H k y t = H' k y t) -> represents KS f α H -> represents KS f α H'.
  Proof. intros Q R k y t. rewrite <- Q. apply R. Qed.

  Lemma alone_note x h k t c k' y t' :
    record (alone x h) k x t c k' y t' = alone x (note h k t c) k' y t'.
  Proof.
    unfold record, alone, note. destruct (Nat.eqb_spec y x) as [->|N]; rewrite ?andb_false_r; auto.
    rewrite Nat.eqb_refl, andb_true_r. destruct (kind_eqb k' k); auto.
  Qed.

  Lemma clear_alone α x h k V :
    below α -> represents KS (touch touched x) α (alone x h) ->
    (clear_upto n (fun k' _ => h k') k x V = true <-> clear (alone x h) k x V).
  Proof.
    intros B R. unfold clear_upto, clear, alone. rewrite forallb_forall, Nat.eqb_refl. split.
    - intros F k' X u. assert (I : In k' kinds) by (destruct k'; simpl; auto).
      specialize (F k' I). rewrite X in F. simpl in F. unfold le_upto in F. rewrite forallb_forall in F.
      destruct (Nat.lt_ge_cases u n) as [Lt|Ge]; [apply Nat.leb_le, F, in_seq; lia|].
      destruct (R k' x u) as (_ & D). unfold alone in D. rewrite Nat.eqb_refl in D.
      destruct D as [->|(i & a & A & T & _)]; [lia|]. specialize (B i a A). lia.
    - intros G k' _. destruct (conf k k') eqn:X; auto. simpl. unfold le_upto. apply forallb_forall.
      intros u _. apply Nat.leb_le. apply (G k' X u).
  Qed.

  (** e races on x with an earlier event. *)
  Definition racing (α : list event) (e : event) (x : loc) : Prop :=
    exists i, races (touch touched x) (α ++ [e]) x i (length α).

  Lemma racing_iff α e x :
    racing α e x <->
    exists k, touch touched x e = Some (k, x) /\
      exists i a k', α @ i = a /\ touch touched x a = Some (k', x) /\ conf k' k = true /\ ~ before α e i.
  Proof.
    split.
    - intros (i & Lt & (a & b & k & k' & A & B & FA & FB & Cf) & N). apply at_last_inv in B; subst b.
      rewrite at_snoc in A by auto. exists k'. split; auto. exists i, a, k; auto.
    - intros (k & F & i & a & k' & A & FA & Cf & N). pose proof (at_lt _ _ _ A).
      exists i. split; [auto|split; auto]. exists a, e, k', k. rewrite at_snoc, at_last by auto. auto.
  Qed.

  Lemma f_inv_next α e s s' found :
    ok_below (α ++ [e]) -> f_inv α s -> f_next thread step see touched n s e = (s', found) ->
    f_inv (α ++ [e]) s' /\ forall x, In x found <-> racing α e x.
  Proof.
    intros (O & B) (Q & R) Sn. unfold f_next in Sn.
    assert (Bα : below α) by (apply (ok_below_prefix α e (conj O B))).
    assert (OLD : forall x, touch touched x e = None -> represents KS (touch touched x) (α ++ [e]) (alone x (past s x))).
    { intros x T. pose proof (represents_snoc KS ok KS_exact ok_prefix (touch touched x) α e _ O (R x)) as X.
      unfold after in X. rewrite T in X. exact X. }
    destruct (touched e) as [[k xs]|] eqn:T.
    2: { injection Sn as <- <-. assert (N : forall x, touch touched x e = None) by (intros; apply touch_none; auto).
         split; [split; simpl; [rewrite fold_left_app, Q; auto|auto]|].
         intros x. split; [intros []|]. rewrite racing_iff. intros (k & X & _). rewrite (N x) in X. discriminate. }
    assert (TX := fun x => touch_in touched e k xs x T). assert (TN := fun x => touch_out touched e k xs x T).
    assert (VK : see (f_clocks s) e = KS α e) by (unfold KS; rewrite Q; auto).
    injection Sn as <- <-. split.
    - split; simpl; [rewrite fold_left_app, Q; auto|]. intros x. destruct (in_dec Nat.eq_dec x xs) as [Ix|Ix].
      + rewrite change_in by auto.
        pose proof (represents_snoc KS ok KS_exact ok_prefix (touch touched x) α e _ O (R x)) as X.
        unfold after in X. rewrite (TX x Ix) in X. eapply represents_ext; [|exact X].
        intros k' y t. rewrite VK. apply alone_note.
      + rewrite change_out by auto. auto.
    - intros x. rewrite filter_In, racing_iff. destruct (in_dec Nat.eq_dec x xs) as [Ix|Ix].
      + rewrite VK. pose proof (clear_race KS ok KS_exact (touch touched x) α e _ k x O (R x) (TX x Ix)) as CR.
        rewrite <- (clear_alone α x (past s x) k (KS α e) Bα (R x)) in CR. split.
        * intros (_ & N). exists k. split; auto. apply CR.
          destruct (clear_upto _ _ _ _ _); [discriminate|congruence].
        * intros (k0 & F & X). rewrite (TX x Ix) in F. injection F as <-. apply CR in X. split; auto.
          destruct (clear_upto _ _ _ _ _); auto.
      + split; [tauto|]. intros (k0 & F & _). rewrite (TN x Ix) in F. discriminate.
  Qed.

  Theorem all_races_exact α j x :
    ok α -> below α ->
    ((exists found, In (j, found) (answers (f_next thread step see touched n) f_initial 0 α) /\ In x found) <->
     exists e, α @ j = e /\ racing (firstn j α) e x).
  Proof.
    intros O B.
    apply (answers_exact (f_next thread step see touched n) ok_below ok_below_prefix f_inv racing f_inv_next).
    - split; auto.
    - split; auto. intros y k z t. simpl. split.
      + intros i a A. destruct i; discriminate.
      + left. unfold alone. destruct (z =? y); auto.
  Qed.
End Proof.

Definition atomic_full_judge (n : nat) : list aevent -> list (nat * list loc) :=
  answers (f_next fst (h_step n) (h_view n) atomic_accessed n) (f_initial h_initial) 0.

Theorem atomic_full_judge_exact n α j x :
  (forall i a, α @ i = a -> fst a < n) ->
  ((exists found, In (j, found) (atomic_full_judge n α) /\ In x found) <->
   exists e, α @ j = e /\ exists i, races (touch atomic_accessed x) (firstn j α ++ [e]) x i (length (firstn j α))).
Proof.
  intros B. unfold atomic_full_judge.
  apply (all_races_exact h_initial (h_step n) (h_view n) atomic_accessed n (fun _ => True) (HK_exact n)
           (fun _ _ _ => I)); auto.
Qed.
