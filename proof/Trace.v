(** Traces and happens-before, defined once.

    A trace is the list of events of one execution, in the order in which they took effect. An event is
    known by its position in the trace. [Events] says what has to be known about a type of events:
    who does an event, and which earlier events it synchronises with. Everything else (happens-before,
    races, the detectors) is built on that, so locks (below), exits (MultiJoin.v) and atomics with fences
    (Atomics.v) all use the same happens-before. *)
From Coq Require Export List Arith Lia Bool Relations.
Export ListNotations.

Definition tid := nat.
Definition loc := nat.   (* a byte of memory *)
Definition lock := nat.

(** ** Kinds of access and their conflicts (dh_conflicts in core/entries.h) *)

Inductive kind := Read | Write | AtomicRead | AtomicWrite.

(** [conf k k']: k' is among the kinds that k races with when unordered. *)
Definition conf (k k' : kind) : bool :=
  match k, k' with
  | Write, _ => true
  | Read, (Write | AtomicWrite) => true
  | AtomicRead, Write => true
  | AtomicWrite, (Read | Write) => true
  | _, _ => false
  end.

Definition kind_eqb (k k' : kind) : bool :=
  match k, k' with
  | Read, Read | Write, Write | AtomicRead, AtomicRead | AtomicWrite, AtomicWrite => true
  | _, _ => false
  end.

(** conf(old) is within conf(new) (dh_subsumes in core/entries.h). *)
Definition subsumes (new old : kind) : Prop := forall k, conf old k = true -> conf new k = true.

Lemma conf_sym k k' : conf k k' = conf k' k.
Proof. destruct k, k'; reflexivity. Qed.

Lemma kind_eqb_eq k k' : kind_eqb k k' = true <-> k = k'.
Proof. destruct k, k'; simpl; split; congruence. Qed.

(** ** Happens-before *)

Class Events (event : Type) := {
  thread : event -> tid;
  (** [sync α e i]: if e comes right after the trace α, it synchronises with α's event i. *)
  sync : list event -> event -> nat -> Prop
}.

Notation "α '@' i '=' a" := (nth_error α i = Some a) (at level 70, i at next level, a at next level).

Section HappensBefore.
  Context {event : Type} {E : Events event}.
  Implicit Types (α : list event) (i j : nat) (a b e : event).

  (** Program order, and synchronisation order. *)
  Definition edge α i j : Prop :=
    i < j /\ exists a b, α @ i = a /\ α @ j = b /\
                         (thread a = thread b \/ sync (firstn j α) b i).

  Definition hb α : nat -> nat -> Prop := clos_trans nat (edge α).

  (** [before α e i]: event i of α happens before e, if e comes right after α. *)
  Definition before α e i : Prop := hb (α ++ [e]) i (length α).

  (** Two conflicting accesses to x that happens-before does not order. What counts as an access is told
      by [f]: the program's accesses (data races) or the checks placed for them (check races). *)
  Definition conflict (f : event -> option (kind * loc)) α x i j : Prop :=
    exists a b k k', α @ i = a /\ α @ j = b /\
                     f a = Some (k, x) /\ f b = Some (k', x) /\ conf k k' = true.

  Definition races f α x i j : Prop := i < j /\ conflict f α x i j /\ ~ hb α i j.

  Definition race_on f α x : Prop := exists i j, races f α x i j.
  Definition race_free f α : Prop := forall x, ~ race_on f α x.

  (** *** What follows from the definitions *)

  Lemma hb_lt α i j : hb α i j -> i < j.
  Proof. induction 1 as [i j [H _]|]; lia. Qed.

  Lemma hb_trans α i j k : hb α i j -> hb α j k -> hb α i k.
  Proof. apply t_trans. Qed.

  (** So "not ordered" is symmetric, and the earlier of two racing events may be named first. *)
  Lemma unordered α i j : i < j -> (~ hb α i j <-> ~ hb α i j /\ ~ hb α j i).
  Proof. intros L; split; [|tauto]. intros H; split; auto. intros G; apply hb_lt in G; lia. Qed.

  Lemma hb_dom α i j : hb α i j -> i < length α /\ j < length α.
  Proof.
    induction 1 as [i j [L (a & b & A & B & _)]|]; [|lia].
    split; apply nth_error_Some; congruence.
  Qed.

  Lemma hb_po α i j a b : i < j -> α @ i = a -> α @ j = b -> thread a = thread b -> hb α i j.
  Proof. intros; apply t_step; split; auto. exists a, b; auto. Qed.

  Lemma races_threads f α x i j a b :
    races f α x i j -> α @ i = a -> α @ j = b -> thread a <> thread b.
  Proof. intros (L & _ & N) A B T; apply N; eapply hb_po; eauto. Qed.

  Lemma at_lt α i a : α @ i = a -> i < length α.
  Proof. intros; apply nth_error_Some; congruence. Qed.

  Lemma at_snoc α e i a : i < length α -> ((α ++ [e]) @ i = a <-> α @ i = a).
  Proof. intros; rewrite nth_error_app1; tauto. Qed.

  Lemma at_last α e : (α ++ [e]) @ (length α) = e.
  Proof. rewrite nth_error_app2, Nat.sub_diag; auto. Qed.

  Lemma at_last_inv α e a : (α ++ [e]) @ (length α) = a -> a = e.
  Proof. rewrite at_last; congruence. Qed.

  Lemma at_snoc_inv α e i a : (α ++ [e]) @ i = a -> (i < length α /\ α @ i = a) \/ (i = length α /\ a = e).
  Proof.
    intros H. pose proof (at_lt _ _ _ H) as L; rewrite app_length in L; simpl in L.
    destruct (Nat.eq_dec i (length α)) as [->|].
    - right; split; auto; eapply at_last_inv; eauto.
    - left; split; [lia|]. apply at_snoc in H; auto; lia.
  Qed.

  Lemma firstn_snoc α e j : j <= length α -> firstn j (α ++ [e]) = firstn j α.
  Proof. intros; rewrite firstn_app. replace (j - length α) with 0 by lia. simpl; apply app_nil_r. Qed.

  (** Happens-before among the events of a prefix does not depend on what comes later. *)
  Lemma edge_snoc α e i j : j < length α -> (edge (α ++ [e]) i j <-> edge α i j).
  Proof.
    intros J; unfold edge; split; intros (L & a & b & A & B & H); (split; [auto|]); exists a, b.
    - rewrite at_snoc in A, B by lia. rewrite firstn_snoc in H by lia. auto.
    - rewrite !at_snoc by lia. rewrite firstn_snoc by lia. auto.
  Qed.

  Lemma hb_snoc α e i j : j < length α -> (hb (α ++ [e]) i j <-> hb α i j).
  Proof.
    intros J; split; intros H.
    - induction H as [i j H|i k j H1 IH1 H2 IH2].
      + apply t_step; apply (edge_snoc α e i j J); auto.
      + pose proof (hb_lt _ _ _ H2). eapply hb_trans; [apply IH1; lia|auto].
    - induction H as [i j H|i k j H1 IH1 H2 IH2].
      + apply t_step; apply (edge_snoc α e i j J); auto.
      + pose proof (hb_lt _ _ _ H2). eapply hb_trans; [apply IH1; lia|auto].
  Qed.

  (** The last edge of a path. *)
  Lemma hb_inv α i j : hb α i j -> exists k, edge α k j /\ (i = k \/ hb α i k).
  Proof.
    induction 1 as [i j H|i k j H1 IH1 H2 IH2].
    - exists i; auto.
    - destruct IH2 as (l & E1 & G); exists l; split; auto; right.
      destruct G as [<-|G]; auto; eapply hb_trans; eauto.
  Qed.

  (** The first edge of a path. *)
  Lemma hb_inv_first α i j : hb α i j -> exists k, edge α i k /\ (k = j \/ hb α k j).
  Proof.
    induction 1 as [i j H|i k j H1 IH1 H2 IH2].
    - exists j; auto.
    - destruct IH1 as (l & E1 & G); exists l; split; auto; right.
      destruct G as [->|G]; auto; eapply hb_trans; eauto.
  Qed.

  Lemma before_iff α e i :
    before α e i <->
    exists k b, α @ k = b /\ (thread b = thread e \/ sync α e k) /\ (i = k \/ hb α i k).
  Proof.
    unfold before; split.
    - intros H; apply hb_inv in H; destruct H as (k & (L & a & b & A & B & S) & G).
      apply at_last_inv in B; subst b. rewrite at_snoc in A by auto.
      rewrite firstn_snoc, firstn_all in S by auto.
      exists k, a; repeat split; auto. destruct G as [|G]; auto. right; apply hb_snoc in G; auto.
    - intros (k & b & A & S & G).
      assert (L : k < length α) by (eapply at_lt; eauto).
      assert (X : hb (α ++ [e]) k (length α)).
      { apply t_step; split; auto. exists b, e. rewrite at_snoc, at_last, firstn_snoc, firstn_all by auto.
        auto. }
      destruct G as [->|G]; auto. eapply hb_trans; [|exact X]. apply hb_snoc; auto.
  Qed.

  Lemma before_po α e i a : α @ i = a -> thread a = thread e -> before α e i.
  Proof. intros; apply before_iff; exists i, a; auto. Qed.

  Lemma before_trans α e i j : hb α i j -> before α e j -> before α e i.
  Proof.
    intros H B; eapply hb_trans; [|exact B]. apply hb_snoc; auto. apply hb_dom in H; tauto.
  Qed.

  (** A race of a longer trace is a race of the shorter one, or one with the new event. *)
  Lemma race_on_snoc f α e x :
    race_on f (α ++ [e]) x <->
    race_on f α x \/
    exists k, f e = Some (k, x) /\
      exists i a k', α @ i = a /\ f a = Some (k', x) /\ conf k' k = true /\ ~ before α e i.
  Proof.
    split.
    - intros (i & j & L & (a & b & k & k' & A & B & FA & FB & C) & N).
      apply at_snoc_inv in B; destruct B as [(J & B)|(-> & ->)].
      + left; exists i, j; split; auto. rewrite at_snoc in A by lia. split.
        * exists a, b, k, k'; auto.
        * rewrite <- hb_snoc with (e := e) by lia; auto.
      + right. exists k'; split; auto. rewrite at_snoc in A by lia. exists i, a, k; auto.
    - intros [(i & j & L & (a & b & k & k' & A & B & FA & FB & C) & N)|(k & FE & i & a & k' & A & FA & C & N)].
      + pose proof (at_lt _ _ _ B). exists i, j; split; [auto|split].
        * exists a, b, k, k'; rewrite !at_snoc by lia; auto.
        * rewrite hb_snoc by lia; auto.
      + pose proof (at_lt _ _ _ A). exists i, (length α); split; [auto|split]; auto.
        exists a, e, k', k; rewrite at_snoc, at_last by auto; auto.
  Qed.

  Lemma no_race_nil f x : ~ race_on f [] x.
  Proof. intros (i & j & _ & (a & b & k & k' & A & _) & _). destruct i; discriminate. Qed.

End HappensBefore.

(** ** Threads and locks *)

Inductive op :=
| Access (k : kind) (x : loc)   (* rd, wr and their atomic cousins *)
| Check (k : kind) (x : loc)    (* a check that placement put there; PreciseChecks.v *)
| Acq (m : lock)
| Rel (m : lock)                (* of an object with one owner: what it held is gone *)
| RelJoin (m : lock)            (* of an object with many: rwlock readers, semaphores *)
| Fork (u : tid)
| Join (u : tid)
| Exit.

Definition event := (tid * op)%type.
Definition trace := list event.

Definition access (e : event) : option (kind * loc) :=
  match snd e with Access k x => Some (k, x) | _ => None end.
Definition check (e : event) : option (kind * loc) :=
  match snd e with Check k x => Some (k, x) | _ => None end.

Definition releases (m : lock) (e : event) : Prop := snd e = Rel m \/ snd e = RelJoin m.

(** [held α m i]: the release i is one that the next acquire of m synchronises with: the last [Rel],
    and every [RelJoin] since. (Where every [Rel] is by the thread that holds the lock this is the
    textbook's "every earlier release of m", see [textbook] in Locks.v.) *)
Definition held (α : trace) (m : lock) (i : nat) : Prop :=
  (exists a, α @ i = a /\ releases m a) /\ forall j b, i < j -> α @ j = b -> snd b <> Rel m.

(** Fork is before all of the child; a join is after all of the child, and after its creation. *)
Definition lock_sync (α : trace) (e : event) (i : nat) : Prop :=
  (exists a, α @ i = a /\ snd a = Fork (fst e)) \/
  match snd e with
  | Acq m => held α m i
  | Join u => exists a, α @ i = a /\ (fst a = u \/ snd a = Fork u)
  | _ => False
  end.

#[export] Instance LockEvents : Events event := { thread := fst; sync := lock_sync }.

Definition data_race_on : trace -> loc -> Prop := race_on access.
Definition check_race_on : trace -> loc -> Prop := race_on check.
