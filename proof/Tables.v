(** Functions as a program keeps them: computed once, changed at some places. *)
From Deadheat Require Export Clock.

(** f, of which the first n values are computed once and for all. *)
Definition tabulate {A : Type} (n : nat) (f : nat -> A) : nat -> A :=
  let l := map f (seq 0 n) in
  fun i => match nth_error l i with Some v => v | None => f i end.

Lemma tabulate_eq {A : Type} n (f : nat -> A) i : tabulate n f i = f i.
Proof.
  unfold tabulate. destruct (nth_error (map f (seq 0 n)) i) as [v|] eqn:E; auto.
  assert (Lt : i < length (map f (seq 0 n))) by (apply nth_error_Some; congruence).
  rewrite map_length, seq_length in Lt. rewrite nth_error_map in E.
  rewrite (nth_error_nth' _ 0) in E by (rewrite seq_length; auto).
  simpl in E. rewrite seq_nth in E by auto. simpl in E. congruence.
Qed.

(** g i instead of the value at i, for every i in the list. *)
Definition change {A : Type} (is : list nat) (g : nat -> A -> A) (f : nat -> A) : nat -> A :=
  fold_left (fun f i => set f i (g i (f i))) (nodup Nat.eq_dec is) f.

Lemma change_spec {A : Type} is (g : nat -> A -> A) f i :
  change is g f i = if in_dec Nat.eq_dec i is then g i (f i) else f i.
Proof.
  unfold change.
  assert (G : forall l f, NoDup l ->
    fold_left (fun f i => set f i (g i (f i))) l f i = if in_dec Nat.eq_dec i l then g i (f i) else f i).
  { induction l as [|j l IH]; intros f0 D; simpl; auto. inversion D as [|? ? N D']; subst.
    rewrite IH by auto. destruct (Nat.eq_dec j i) as [->|Ne].
    - rewrite set_eq. destruct (in_dec Nat.eq_dec i l); [contradiction|auto].
    - rewrite set_neq by auto. destruct (in_dec Nat.eq_dec i l); auto. }
  rewrite G by apply NoDup_nodup.
  destruct (in_dec Nat.eq_dec i (nodup Nat.eq_dec is)) as [I|I], (in_dec Nat.eq_dec i is) as [J|J]; auto;
    rewrite nodup_In in I; contradiction.
Qed.

Lemma change_in {A : Type} is (g : nat -> A -> A) f i : In i is -> change is g f i = g i (f i).
Proof. intros I. rewrite change_spec. destruct (in_dec Nat.eq_dec i is); [auto|contradiction]. Qed.
Lemma change_out {A : Type} is (g : nat -> A -> A) f i : ~ In i is -> change is g f i = f i.
Proof. intros I. rewrite change_spec. destruct (in_dec Nat.eq_dec i is); [contradiction|auto]. Qed.
