(** A program that answers event by event, and what it takes to say of all its answers that they are right. *)
From Deadheat Require Export Tables.

Section Answers.
  Context {event S : Type}.
  (** The next state, and the bytes that the event races on. *)
  Variable next : S -> event -> S * list loc.

  (** Events that race on some bytes: their positions, and the bytes. *)
  Fixpoint answers (s : S) (j : nat) (α : list event) : list (nat * list loc) :=
    match α with
    | [] => []
    | e :: α =>
        let (s', found) := next s e in
        match found with [] => [] | _ => [(j, found)] end ++ answers s' (Datatypes.S j) α
    end.

  Variable ok : list event -> Prop.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.
  Variable inv : list event -> S -> Prop.
  (** [right α e x]: if e comes right after α, x is to be named. *)
  Variable right : list event -> event -> loc -> Prop.
  Hypothesis inv_next : forall α e s s' found,
    ok (α ++ [e]) -> inv α s -> next s e = (s', found) ->
    inv (α ++ [e]) s' /\ forall x, In x found <-> right α e x.

  Lemma firstn_app_exact (β α : list event) : firstn (length β) (β ++ α) = β.
  Proof. rewrite firstn_app, Nat.sub_diag, firstn_all. simpl. apply app_nil_r. Qed.

  Theorem answers_exact s0 α j x :
    ok α -> inv [] s0 ->
    ((exists found, In (j, found) (answers s0 0 α) /\ In x found) <->
     exists e, α @ j = e /\ right (firstn j α) e x).
  Proof.
    intros O I0.
    assert (OP : forall γ β, ok (β ++ γ) -> ok β).
    { induction γ as [|e γ IH] using rev_ind; intros β X; [rewrite app_nil_r in X; auto|].
      rewrite app_assoc in X. apply ok_prefix in X. auto. }
    assert (G : forall γ β s, α = β ++ γ -> inv β s ->
      ((exists found, In (j, found) (answers s (length β) γ) /\ In x found) <->
       length β <= j /\ exists e, α @ j = e /\ right (firstn j α) e x)).
    { induction γ as [|e γ IH]; intros β s Q I; simpl.
      - split; [intros (f & [] & _)|]. intros (Le & e & A & _). apply at_lt in A. rewrite Q, app_nil_r in A. lia.
      - destruct (next s e) as [s' found] eqn:Sn.
        assert (Q' : α = (β ++ [e]) ++ γ) by (rewrite <- app_assoc; auto).
        destruct (inv_next β e s s' found) as (I' & R'); auto.
        { apply (OP γ). rewrite <- Q'; auto. }
        specialize (IH (β ++ [e]) s' Q' I'). rewrite app_length in IH. simpl in IH.
        replace (length β + 1) with (Datatypes.S (length β)) in IH by lia.
        assert (Ej : α @ (length β) = e) by (rewrite Q, nth_error_app2, Nat.sub_diag; auto).
        assert (FB : firstn (length β) α = β) by (rewrite Q; apply firstn_app_exact).
        assert (HERE : In x found <-> exists e, α @ (length β) = e /\ right (firstn (length β) α) e x).
        { rewrite R', FB. split; [eauto|]. intros (e0 & A & X). rewrite Ej in A; injection A as <-. auto. }
        assert (SPLIT : (exists f, In (j, f) (match found with [] => [] | _ => [(length β, found)] end ++
                            answers s' (Datatypes.S (length β)) γ) /\ In x f) <->
                        (j = length β /\ In x found) \/
                        (exists f, In (j, f) (answers s' (Datatypes.S (length β)) γ) /\ In x f)).
        { destruct found as [|y ys]; simpl; [split; [auto|intros [(_ & [])|]; auto]|]. split.
          - intros (f & [P|P] & X); [injection P as <- <-; auto|eauto].
          - intros [(-> & X)|(f & P & X)]; eauto. }
        rewrite SPLIT, IH. split.
        + intros [(-> & X)|(Le & X)]; split; auto; [apply HERE; auto|lia].
        + intros (Le & X). destruct (Nat.eq_dec j (length β)) as [->|]; [left|right]; split; auto;
            [apply HERE; auto|lia]. }
    rewrite (G α [] s0 eq_refl I0). simpl. split; [tauto|split; auto; lia].
  Qed.
End Answers.

(** ** Events that touch bytes *)

Section Touch.
  Context {event : Type} {E : Events event}.
  (** What an event does to memory: the kind of access, and the bytes. *)
  Variable touched : event -> option (kind * list loc).

  (** The access of an event to x, if it makes one. *)
  Definition touch (x : loc) (e : event) : option (kind * loc) :=
    match touched e with
    | Some (k, xs) => if existsb (Nat.eqb x) xs then Some (k, x) else None
    | None => None
    end.

  Lemma mem_iff x xs : existsb (Nat.eqb x) xs = true <-> In x xs.
  Proof.
    rewrite existsb_exists. split; [intros (y & Y & Q); apply Nat.eqb_eq in Q; subst; auto|].
    intros Y; exists x; split; auto. apply Nat.eqb_refl.
  Qed.

  Lemma touch_in e k xs x : touched e = Some (k, xs) -> In x xs -> touch x e = Some (k, x).
  Proof. intros T I. unfold touch. rewrite T. apply mem_iff in I. rewrite I. auto. Qed.

  Lemma touch_out e k xs x : touched e = Some (k, xs) -> ~ In x xs -> touch x e = None.
  Proof.
    intros T N. unfold touch. rewrite T. destruct (existsb (Nat.eqb x) xs) eqn:M; auto. apply mem_iff in M.
    contradiction.
  Qed.

  Lemma touch_none e x : touched e = None -> touch x e = None.
  Proof. intros T. unfold touch. rewrite T. auto. Qed.

  Lemma untouched_race α e x : touch x e = None -> (race_on (touch x) (α ++ [e]) x <-> race_on (touch x) α x).
  Proof. intros T. rewrite race_on_snoc. split; auto. intros [R|(k & Q & _)]; [auto|congruence]. Qed.
End Touch.
