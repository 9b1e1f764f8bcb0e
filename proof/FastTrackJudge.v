(** FastTrack as a program: it stops at the first race of the trace. *)
From Deadheat Require Export FastTrack Judge.

Definition epoch_leb (e : epoch) (V : clock) : bool := fst e <=? V (snd e).
Definition reads_leb (n : nat) (r : reads) (V : clock) : bool :=
  match r with Epoch e => epoch_leb e V | Shared V0 => le_upto n V0 V end.

Definition ft_premises_upto (n : nat) (s : ft_state) (e : event) : bool :=
  let V := C (fclk s) (fst e) in
  match access e with
  | Some (Read, x) => epoch_leb (FW s x) V && le_upto n (FA s AtomicWrite x) V
  | Some (Write, x) =>
      reads_leb n (FR s x) V && epoch_leb (FW s x) V
      && le_upto n (FA s AtomicRead x) V && le_upto n (FA s AtomicWrite x) V
  | Some (AtomicRead, x) => epoch_leb (FW s x) V
  | Some (AtomicWrite, x) => reads_leb n (FR s x) V && epoch_leb (FW s x) V
  | None => true
  end.

Fixpoint ft_judge (n : nat) (s : ft_state) (j : nat) (α : trace) : option nat :=
  match α with
  | [] => None
  | e :: α => if ft_premises_upto n s e then ft_judge n (ft_next s e) (S j) α else Some j
  end.

Lemma le_upto_iff n V V' : (forall u, n <= u -> V u = 0) -> (le_upto n V V' = true <-> V ⊑ V').
Proof.
  intros Z. unfold le_upto. rewrite forallb_forall. split.
  - intros F u. destruct (Nat.lt_ge_cases u n) as [Lt|Ge]; [|rewrite Z by auto; lia].
    apply Nat.leb_le. apply F. apply in_seq; lia.
  - intros G u _. apply Nat.leb_le. apply G.
Qed.

Lemma ft_premises_upto_iff n α s s' e :
  threads_below n α -> represents K access α (H s) -> related s s' ->
  (ft_premises_upto n s' e = true <-> ft_premises s' e).
Proof.
  intros B P R.
  assert (Z : forall k x u, n <= u -> H s k x u = 0).
  { intros k x u Ge. destruct (P k x u) as (_ & [|(i & a & A & T & _)]); auto.
    pose proof (B i a A). simpl in T. lia. }
  assert (ZA : forall k x, k = AtomicRead \/ k = AtomicWrite -> forall u, n <= u -> FA s' k x u = 0).
  { intros k x Hk u Ge. rewrite (r_atomic _ _ R k x u Hk). auto. }
  assert (EL : forall ep V, epoch_leb ep V = true <-> ep ⪯ V) by (intros; apply Nat.leb_le).
  assert (RL : forall x V, reads_leb n (FR s' x) V = true <-> reads_le (FR s' x) V).
  { intros x V. pose proof (r_reads_le _ _ R x) as Le. destruct (FR s' x) as [ep|V0]; simpl in *; [apply EL|].
    apply le_upto_iff. intros u Ge. specialize (Le u). rewrite Z in Le by auto. lia. }
  unfold ft_premises_upto, ft_premises. destruct (access e) as [[k x]|]; [|tauto].
  destruct k; rewrite ?andb_true_iff, ?EL, ?RL, ?le_upto_iff by auto; tauto.
Qed.

(** The event named is the first that races with an earlier one; none is, exactly if there is no race. *)
Theorem ft_judge_exact n α :
  threads_below n α ->
  match ft_judge n ft_initial 0 α with
  | None => race_free access α
  | Some j => race_free access (firstn j α) /\ ~ race_free access (firstn (S j) α)
  end.
Proof.
  intros B.
  assert (G : forall γ β s s', α = β ++ γ -> steps initial β s -> related s s' ->
    match ft_judge n s' (length β) γ with
    | None => race_free access α
    | Some j => race_free access (firstn j α) /\ ~ race_free access (firstn (S j) α)
    end).
  { induction γ as [|e γ IH]; intros β s s' Q St R; cbn [ft_judge].
    - rewrite app_nil_r in Q. subst. apply steps_inv in St. tauto.
    - assert (Q' : α = (β ++ [e]) ++ γ) by (rewrite <- app_assoc; auto).
      assert (PB : threads_below n β).
      { intros i a A. apply (B i). rewrite Q, nth_error_app1; auto. eapply at_lt; eauto. }
      destruct (steps_inv β s St) as (Qc & P & F). pose proof (steps_ordinary β s St) as O.
      pose proof (ft_premises_upto_iff n β s s' e PB P R) as PU.
      destruct (ft_premises_upto n s' e) eqn:X.
      + assert (PR : premises s e) by (apply (premises_agree s s' R); apply PU; auto).
        assert (LB : S (length β) = length (β ++ [e])) by (rewrite app_length; simpl; lia).
        rewrite LB. apply (IH (β ++ [e]) (next s e) (ft_next s' e)); auto.
        * eapply steps_snoc; [exact St|apply STEP; auto].
        * apply related_next; auto.
      + assert (FB : firstn (length β) α = β) by (rewrite Q; apply firstn_app_exact).
        assert (Ej : α @ (length β) = e) by (rewrite Q, nth_error_app2, Nat.sub_diag; auto).
        rewrite (firstn_S _ _ _ Ej), FB. split; auto. intros F'.
        apply (race_free_snoc β s e Qc P) in F'. destruct F' as (_ & PR).
        apply (premises_agree s s' R) in PR. apply PU in PR. discriminate. }
  apply (G α [] initial ft_initial); auto using related_initial. constructor.
Qed.
