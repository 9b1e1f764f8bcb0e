(** The textbook's happens-before has an edge from every earlier release of a lock to every acquire of it;
    Trace.v has one from the releases since the last [Rel] only. Where locks are released by whoever holds
    them, the two are the same order. *)
From Deadheat Require Export Slots.

Definition textbook_sync (α : trace) (e : event) (i : nat) : Prop :=
  (exists a, α @ i = a /\ snd a = Fork (fst e)) \/
  match snd e with
  | Acq m => exists a, α @ i = a /\ releases m a
  | Join u => exists a, α @ i = a /\ (fst a = u \/ snd a = Fork u)
  | _ => False
  end.

Definition TextbookEvents : Events event := {| thread := fst; sync := textbook_sync |}.
Definition textbook_hb : trace -> nat -> nat -> Prop := @hb event TextbookEvents.

(** A [Rel] is by the thread that acquired the lock, and nobody else released it meanwhile. *)
Definition held_when_released (α : trace) : Prop :=
  forall k t m, α @ k = (t, Rel m) ->
    exists q, q < k /\ α @ q = (t, Acq m) /\ forall l b, q < l < k -> α @ l = b -> ~ releases m b.

Lemma search_rel (α : trace) m i j :
  (exists k b, i < k < j /\ α @ k = b /\ snd b = Rel m) \/
  (forall k b, i < k < j -> α @ k = b -> snd b <> Rel m).
Proof.
  induction j as [|j [(k & b & Lt & B & R)|N]].
  - right; intros; lia.
  - left; exists k, b. split; [lia|auto].
  - destruct (Nat.lt_ge_cases i j) as [Lt|Ge]; [|right; intros k b K; lia].
    destruct (nth_error α j) as [[t o]|] eqn:B.
    + assert (D : o = Rel m \/ o <> Rel m).
      { destruct o; try (right; discriminate). destruct (Nat.eq_dec m0 m) as [->|]; [auto|right; congruence]. }
      destruct D as [->|D].
      * left. exists j, (t, Rel m). repeat split; auto.
      * right. intros k b K Bk. destruct (Nat.eq_dec k j) as [->|]; [|apply (N k); auto; lia].
        rewrite B in Bk; injection Bk as <-. auto.
    + right. intros k b K Bk. destruct (Nat.eq_dec k j) as [->|]; [congruence|]. apply (N k); auto; lia.
Qed.

Theorem textbook α : held_when_released α -> forall i j, textbook_hb α i j <-> hb α i j.
Proof.
  intros O.
  (* From any earlier release to an acquire, through those in between. *)
  assert (G : forall d i j a t m, j - i <= d -> i < j -> α @ i = a -> releases m a -> α @ j = (t, Acq m) -> hb α i j).
  { induction d as [|d IH]; intros i j a t m D Lt A R B; [lia|].
    destruct (search_rel α m i j) as [(k & [v o] & K & Bk & Q)|N].
    - simpl in Q; subst o. destruct (O k v m Bk) as (q & Lq & Bq & Nq).
      assert (IQ : i < q).
      { destruct (Nat.lt_trichotomy i q) as [|[->|Gt]]; auto; exfalso.
        - rewrite Bq in A; injection A as <-. destruct R; discriminate.
        - apply (Nq i a); auto; lia. }
      apply hb_trans with q; [apply (IH i q a v m); auto; lia|].
      apply hb_trans with k; [apply (hb_po α q k (v, Acq m) (v, Rel m)); auto|].
      apply (IH k j (v, Rel m) t m); auto; try lia. left; auto.
    - apply t_step; split; auto. exists a, (t, Acq m). repeat split; auto. right; right. simpl. split.
      + exists a. rewrite at_firstn; auto.
      + intros l b Ll Bl. pose proof (at_lt _ _ _ Bl) as Lj. rewrite firstn_length in Lj.
        rewrite at_firstn in Bl by lia. apply (N l); auto; lia. }
  intros i j. split; apply hb_embed; clear i j; intros i j (Lt & a & b & A & B & S).
  - destruct S as [T|[S|S]].
    + apply (hb_po α i j a b); auto.
    + apply t_step; split; auto. exists a, b. repeat split; auto. right; left; auto.
    + destruct b as [t o]; simpl in S. destruct o; try contradiction.
      * destruct S as (c & Cc & R). rewrite at_firstn in Cc by auto. rewrite A in Cc; injection Cc as <-.
        eapply G; eauto.
      * apply t_step; split; auto. exists a, (t, Join u). repeat split; auto. right; right; auto.
  - apply t_step; split; auto. exists a, b. repeat split; auto. destruct S as [T|[S|S]]; [left; auto| |].
    + right; left; auto.
    + right; right. destruct b as [t o]; simpl in *. destruct o; try contradiction; auto.
      destruct S as (R & _). exact R.
Qed.
