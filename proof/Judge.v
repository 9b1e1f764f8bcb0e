(** VectorClock as a program (what Extract.v turns into OCaml): every event that races with an earlier one. *)
From Deadheat Require Export Slots Answers.

Definition kinds := [Read; Write; AtomicRead; AtomicWrite].

Definition le_upto (n : nat) (V V' : clock) : bool := forallb (fun u => V u <=? V' u) (seq 0 n).

Definition clear_upto (n : nat) (H : history) (k : kind) (x : loc) (V : clock) : bool :=
  forallb (fun k' => implb (conf k k') (le_upto n (H k' x) V)) kinds.

Definition premises_upto (n : nat) (s : state) (e : event) : bool :=
  match access e with
  | Some (k, x) => clear_upto n (H s) k x (C (clk s) (fst e))
  | None => true
  end.

Fixpoint vc_judge (n : nat) (s : state) (j : nat) (α : trace) : list nat :=
  match α with
  | [] => []
  | e :: α => (if premises_upto n s e then [] else [j]) ++ vc_judge n (next s e) (S j) α
  end.

Definition threads_below (n : nat) (α : trace) : Prop := forall i a, α @ i = a -> fst a < n.

Lemma premises_upto_iff n α e :
  threads_below n α -> (premises_upto n (run α) e = true <-> premises (run α) e).
Proof.
  intros B. unfold premises_upto, premises. destruct (access e) as [[k x]|]; [|tauto].
  unfold clear_upto, clear. rewrite forallb_forall. split.
  - intros F k' X u. assert (I : In k' kinds) by (destruct k'; simpl; auto).
    specialize (F k' I). rewrite X in F. simpl in F. unfold le_upto in F. rewrite forallb_forall in F.
    destruct (Nat.lt_ge_cases u n) as [Lt|Ge].
    + apply Nat.leb_le. apply F. apply in_seq; lia.
    + destruct (run_represents α k' x u) as (_ & [->|(i & a & A & T & _)]); [lia|].
      pose proof (B i a A). simpl in T. lia.
  - intros G k' _. destruct (conf k k') eqn:X; auto. simpl. unfold le_upto. apply forallb_forall.
    intros u _. apply Nat.leb_le. apply (G k' X u).
Qed.

Lemma races_firstn f (α : trace) x i j e :
  α @ j = e -> (races f (firstn j α ++ [e]) x i j <-> races f α x i j).
Proof.
  intros A. rewrite <- (firstn_S _ _ _ A). unfold races. split.
  - intros (Lt & (a & b & k & k' & Ai & Bj & R) & N). rewrite at_firstn in Ai, Bj by lia.
    rewrite hb_firstn in N by lia. split; auto. split; auto. exists a, b, k, k'; auto.
  - intros (Lt & (a & b & k & k' & Ai & Bj & R) & N). rewrite hb_firstn by lia.
    split; auto. split; auto. exists a, b, k, k'. rewrite !at_firstn by lia. auto.
Qed.

Theorem vc_judge_exact n α j :
  threads_below n α ->
  (In j (vc_judge n initial 0 α) <-> exists x i, races access α x i j).
Proof.
  intros B.
  assert (G : forall γ β, α = β ++ γ ->
    (In j (vc_judge n (run β) (length β) γ) <-> length β <= j /\ exists x i, races access α x i j)).
  { induction γ as [|e γ IH]; intros β Q; simpl.
    - split; [tauto|]. intros (Le & x & i & Lt & (a & b & k & k' & _ & Bj & _) & _).
      apply at_lt in Bj. rewrite Q, app_nil_r in Bj. lia.
    - assert (Q' : α = (β ++ [e]) ++ γ) by (rewrite <- app_assoc; auto).
      specialize (IH (β ++ [e]) Q'). rewrite run_snoc, app_length in IH. simpl in IH.
      replace (length β + 1) with (S (length β)) in IH by lia.
      assert (Ej : α @ (length β) = e) by (rewrite Q, nth_error_app2, Nat.sub_diag; auto).
      assert (PB : threads_below n β).
      { intros i a A. apply (B i). rewrite Q, nth_error_app1; auto. eapply at_lt; eauto. }
      assert (HERE : premises_upto n (run β) e = false <-> exists x i, races access α x i (length β)).
      { assert (FB : firstn (length β) α = β) by (rewrite Q; apply firstn_app_exact).
        assert (R1 : ~ premises (run β) e <-> exists x i, races access α x i (length β)).
        { rewrite vectorclock_exact. split; intros (x & i & R); exists x, i.
          - apply (races_firstn access α x i (length β) e Ej). rewrite FB; auto.
          - apply (races_firstn access α x i (length β) e Ej) in R. rewrite FB in R; auto. }
        rewrite <- R1, <- (premises_upto_iff n β e PB).
        destruct (premises_upto n (run β) e); split; intros X; try discriminate; auto; congruence. }
      rewrite in_app_iff, IH. destruct (premises_upto n (run β) e) eqn:PU; simpl.
      + split; [intros [[]|(Le & R)]; split; auto; lia|]. intros (Le & R). right. split; auto.
        destruct (Nat.eq_dec (length β) j) as [<-|]; [|lia].
        apply HERE in R; discriminate.
      + split.
        * intros [[<-|[]]|(Le & R)]; split; auto; [apply HERE; auto|lia].
        * intros (Le & R). destruct (Nat.eq_dec (length β) j) as [<-|]; [auto|right; split; auto; lia]. }
  specialize (G α [] eq_refl). simpl in G. change (run []) with initial in G. rewrite G.
  split; [tauto|split; auto; lia].
Qed.
