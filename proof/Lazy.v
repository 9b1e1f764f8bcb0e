(** When clocks tick. The proofs tick at each release; the runtime (dh_thread_tick in rt/threads.c) only before the
    next access, or the next thing learnt, so that releases in a row are one epoch. Here a thread that has
    released may tick at any time, and must before it accesses. The numbers are others, but they compare alike: what
    is known of an access is the same. *)
From Deadheat Require Export AtomicClocks Entries.

(** ** The rules *)

Record lstate := { lazy : astate; released : tid -> bool }.

(** What an event learns. *)
Definition what (s : astate) (e : aevent) : clock :=
  match snd e with
  | Base (Acq m) => L (ac s) m
  | Base (Join u) => C (ac s) u
  | Load xs true | Rmw xs true _ => joins (flat_map (heads s) xs)
  | FenceAcq => fence_acquire s (fst e)
  | _ => bottom
  end.

Definition accesses (e : aevent) : bool :=
  match snd e with Base (Access _ _) | Base (Check _ _) | Load _ _ | Store _ _ _ | Rmw _ _ _ => true | _ => false end.

(** The thread opens a new epoch, if it has released the running one. *)
Definition open_epoch (t : tid) (l : lstate) : lstate :=
  if released l t then
    {| lazy := {| ac := {| C := set (C (ac (lazy l))) t (inc t (C (ac (lazy l)) t)); L := L (ac (lazy l)) |};
                  heads := heads (lazy l); fence_release := fence_release (lazy l);
                  fence_acquire := fence_acquire (lazy l) |};
       released := set (released l) t false |}
  else l.

Definition l_view (l : lstate) (e : aevent) : clock := C (ac (lazy l)) (fst e) ⊔ what (lazy l) e.

(** As [a_step], without the ticks. *)
Definition l_act (l : lstate) (e : aevent) : lstate :=
  let s := lazy l in
  let t := fst e in
  let V := l_view l e in
  let with_C := {| C := set (C (ac s)) t V; L := L (ac s) |} in
  let aside (xs : list loc) (acq : bool) :=
    if acq then fence_acquire s
    else set (fence_acquire s) t (fence_acquire s t ⊔ joins (flat_map (heads s) xs)) in
  let same (c : clocks) :=
    {| ac := c; heads := heads s; fence_release := fence_release s; fence_acquire := fence_acquire s |} in
  match snd e with
  | Base (Acq _) => {| lazy := same with_C; released := released l |}
  | Base (Rel m) =>
      {| lazy := same {| C := C (ac s); L := set (L (ac s)) m (C (ac s) t) |}; released := set (released l) t true |}
  | Base (RelJoin m) =>
      {| lazy := same {| C := C (ac s); L := set (L (ac s)) m (L (ac s) m ⊔ C (ac s) t) |};
         released := set (released l) t true |}
  | Base (Fork u) =>
      {| lazy := same {| C := set (C (ac s)) u (C (ac s) u ⊔ C (ac s) t); L := L (ac s) |};
         released := set (released l) t true |}
  | Base (Join u) => {| lazy := same with_C; released := set (released l) u true |}
  | Base _ => l
  | Load xs acq =>
      {| lazy := {| ac := with_C; heads := heads s; fence_release := fence_release s; fence_acquire := aside xs acq |};
         released := released l |}
  | Store xs rel d =>
      let kept h := match d with C11 => filter (fun h : tid * clock => fst h =? t) h | Cxx20 => [] end in
      {| lazy := {| ac := with_C; heads := at_bytes xs (fun h => add_head t (own_head s t rel V) (kept h)) (heads s);
                    fence_release := fence_release s; fence_acquire := fence_acquire s |};
         released := if rel then set (released l) t true else released l |}
  | Rmw xs acq rel =>
      {| lazy := {| ac := with_C; heads := at_bytes xs (add_head t (own_head s t rel V)) (heads s);
                    fence_release := fence_release s; fence_acquire := aside xs acq |};
         released := if rel then set (released l) t true else released l |}
  | FenceAcq =>
      {| lazy := {| ac := with_C; heads := heads s; fence_release := fence_release s;
                    fence_acquire := set (fence_acquire s) t bottom |}; released := released l |}
  | FenceRel =>
      {| lazy := {| ac := with_C; heads := heads s; fence_release := set (fence_release s) t (Some V);
                    fence_acquire := fence_acquire s |}; released := set (released l) t true |}
  end.

(** [l_runs α l Vs]: Vs are the clocks with which the events of α were done. *)
Inductive l_runs : list aevent -> lstate -> list clock -> Prop :=
| l_nil : l_runs [] {| lazy := a_initial; released := fun _ => false |} []
| l_event α l Vs e l1 :
    l_runs α l Vs ->
    (l1 = open_epoch (fst e) l \/ (l1 = l /\ accesses e = false)) ->
    l_runs (α ++ [e]) (l_act l1 e) (Vs ++ [l_view l1 e]).

(** ** The ticks of both

    ρ u c is the number that the c-th epoch of u has where clocks tick late: those without an access are not
    counted. *)

Definition image (ρ : tid -> nat -> nat) (V W : clock) : Prop := forall u, W u = ρ u (V u).

Definition image_option ρ (V W : option clock) : Prop :=
  match V, W with Some V, Some W => image ρ V W | None, None => True | _, _ => False end.

Record sim (ρ : tid -> nat -> nat) (s : astate) (l : lstate) : Prop := {
  sm_mono : forall u c c', c <= c' -> ρ u c <= ρ u c';
  sm_zero : forall u, ρ u 0 = 0;
  sm_flat : forall u c, C (ac s) u u <= c -> ρ u c = ρ u (C (ac s) u u);
  sm_now : forall u, ρ u (C (ac s) u u) =
                     if released l u then ρ u (pred (C (ac s) u u)) else S (ρ u (pred (C (ac s) u u)));
  sm_C : forall t, image ρ (C (ac s) t) (C (ac (lazy l)) t);
  sm_L : forall m, image ρ (L (ac s) m) (L (ac (lazy l)) m);
  sm_heads : forall x, Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k)) (heads s x) (heads (lazy l) x);
  sm_release : forall t, image_option ρ (fence_release s t) (fence_release (lazy l) t);
  sm_acquire : forall t, image ρ (fence_acquire s t) (fence_acquire (lazy l) t)
}.

Definition bump (ρ : tid -> nat -> nat) (t : tid) (n : nat) : tid -> nat -> nat :=
  fun u c => if (u =? t) && (n <=? c) then S (ρ u c) else ρ u c.

Lemma bump_below ρ t n u c : (u = t -> c < n) -> bump ρ t n u c = ρ u c.
Proof.
  intros Lt. unfold bump. destruct (Nat.eqb_spec u t) as [->|]; auto. destruct (Nat.leb_spec n c); auto.
  specialize (Lt eq_refl). lia.
Qed.

Lemma image_bump ρ t n V W : V t < n -> image ρ V W -> image (bump ρ t n) V W.
Proof. intros Lt I u. rewrite bump_below; [apply I|]. intros ->; auto. Qed.

Lemma bump_mono ρ t n u c c' :
  (forall u c c', c <= c' -> ρ u c <= ρ u c') -> c <= c' -> bump ρ t n u c <= bump ρ t n u c'.
Proof.
  intros M Le. unfold bump. specialize (M u c c' Le). destruct (u =? t); simpl; auto.
  destruct (Nat.leb_spec n c), (Nat.leb_spec n c'); lia.
Qed.

(** Opening an epoch gives its number. *)
Lemma sim_open α ρ s l t :
  a_well_formed α s -> sim ρ s l ->
  exists ρ', sim ρ' s (open_epoch t l) /\
    (forall u c, c < C (ac s) u u \/ released l u = false -> ρ' u c = ρ u c) /\ released (open_epoch t l) t = false.
Proof.
  intros W M. unfold open_epoch. destruct (released l t) eqn:Rt; [|exists ρ; auto].
  set (n := C (ac s) t t).
  assert (P : 0 < n) by (pose proof (a_own_L _ _ W 0 t); unfold n; lia).
  assert (BEL : forall u c, u <> t \/ c < n -> bump ρ t n u c = ρ u c).
  { intros u c D. apply bump_below. intros ->. destruct D; [congruence|auto]. }
  exists (bump ρ t n). split; [|split].
  - split; simpl.
    + intros. apply bump_mono; auto. apply (sm_mono _ _ _ M).
    + intros u. rewrite BEL by auto. apply (sm_zero _ _ _ M).
    + intros u c Le. destruct (Nat.eq_dec u t) as [->|N]; [|rewrite !BEL by auto; apply (sm_flat _ _ _ M); auto].
      unfold bump. rewrite Nat.eqb_refl. fold n in Le |- *. rewrite Nat.leb_refl.
      destruct (Nat.leb_spec n c); [|lia]. simpl. f_equal. apply (sm_flat _ _ _ M); auto.
    + intros u. pose proof (sm_now _ _ _ M u) as N. unfold set. destruct (Nat.eqb_spec u t) as [->|Ne].
      * fold n in N |- *. rewrite Rt in N. rewrite (BEL t (pred n)) by lia. unfold bump.
        rewrite Nat.eqb_refl, Nat.leb_refl. simpl andb. cbv iota. f_equal. exact N.
      * rewrite !BEL by auto. exact N.
    + intros v u. pose proof (sm_C _ _ _ M v u) as I. unfold set at 1. destruct (Nat.eqb_spec v t) as [->|Nv].
      * unfold inc, set. destruct (Nat.eqb_spec u t) as [->|Nu]; [|rewrite BEL by auto; auto].
        fold n in I |- *. unfold bump. rewrite Nat.eqb_refl, Nat.leb_refl. simpl. auto.
      * rewrite I. symmetry. apply bump_below. intros ->. apply (a_own_C _ _ W); auto.
    + intros m. apply image_bump; [apply (a_own_L _ _ W)|apply (sm_L _ _ _ M)].
    + intros x. pose proof (sm_heads _ _ _ M x) as F. pose proof (a_own_heads _ _ W x) as O.
      induction F as [|[v V] [v' V'] h k (Q & I) F IH]; constructor.
      * simpl in *. split; auto. apply image_bump; auto. apply (O v). simpl; auto.
      * apply IH. intros v0 V0 u I0. apply (O v0). simpl; auto.
    + intros v. pose proof (sm_release _ _ _ M v) as I. pose proof (a_own_release _ _ W v) as O.
      unfold image_option in *. destruct (fence_release s v), (fence_release (lazy l) v); auto.
      apply image_bump; auto. apply O; auto.
    + intros v. apply image_bump; [apply (a_own_acquire _ _ W)|apply (sm_acquire _ _ _ M)].
  - intros u c D. apply BEL. destruct (Nat.eq_dec u t) as [->|]; auto. right.
    destruct D as [D|D]; [exact D|congruence].
  - simpl. apply set_eq.
Qed.

Section Act.
  Variables (α : list aevent) (ρ : tid -> nat -> nat) (s : astate) (l : lstate) (e : aevent).
  Hypothesis W : a_well_formed α s.
  Hypothesis M : sim ρ s l.
  Let t := fst e.
  Let V := a_view s e.

  Lemma image_join V1 W1 V2 W2 : image ρ V1 W1 -> image ρ V2 W2 -> image ρ (V1 ⊔ V2) (W1 ⊔ W2).
  Proof.
    intros I1 I2 u. unfold join. rewrite I1, I2. pose proof (sm_mono _ _ _ M u) as Mo.
    destruct (Nat.le_ge_cases (V1 u) (V2 u)) as [Le|Le]; pose proof (Mo _ _ Le);
      [rewrite (Nat.max_r (V1 u))|rewrite (Nat.max_l (V1 u))]; auto; lia.
  Qed.

  Lemma image_bottom : image ρ bottom bottom.
  Proof. intros u. unfold bottom. rewrite (sm_zero _ _ _ M). auto. Qed.

  Lemma image_joins h k :
    Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k)) h k -> image ρ (joins h) (joins k).
  Proof. induction 1 as [|x y h k (_ & I) _ IH]; simpl; [apply image_bottom|apply image_join; auto]. Qed.

  Lemma flat_heads xs :
    Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k))
            (flat_map (heads s) xs) (flat_map (heads (lazy l)) xs).
  Proof. induction xs as [|x xs IH]; simpl; [constructor|]. apply Forall2_app; auto. apply (sm_heads _ _ _ M). Qed.

  Lemma image_what : image ρ (what s e) (what (lazy l) e).
  Proof.
    unfold what. destruct (snd e) as [o|xs []|xs r d|xs [] r| |];
      auto using image_bottom, image_joins, flat_heads; [destruct o; auto using image_bottom|];
      try apply (sm_L _ _ _ M); try apply (sm_C _ _ _ M); apply (sm_acquire _ _ _ M).
  Qed.

  Lemma view_what u : V u = (C (ac s) t ⊔ what s e) u.
  Proof.
    unfold V, a_view, what, join, base, t. destruct (snd e) as [o|xs []|xs r d|xs [] r| |]; simpl; auto.
    destruct o; simpl; unfold join, bottom; lia.
  Qed.

  Lemma image_view : image ρ V (l_view l e).
  Proof. intros u. rewrite view_what. apply image_join; [apply (sm_C _ _ _ M)|apply image_what]. Qed.

  Lemma V_own : V t = C (ac s) t t.
  Proof. apply (a_view_own α); auto. Qed.

  (** An epoch that is only begun has the number of the one before. *)
  Lemma image_inc v X Y : X v = C (ac s) v v -> image ρ X Y -> image ρ (inc v X) Y.
  Proof.
    intros Q I u. rewrite I. unfold inc, set. destruct (Nat.eqb_spec u v) as [->|]; auto. rewrite Q.
    symmetry. apply (sm_flat _ _ _ M). lia.
  Qed.

  Lemma image_after r : image ρ (after_release t r V) (l_view l e).
  Proof. destruct r; simpl; [apply image_inc; [apply V_own|]|]; apply image_view. Qed.

  Let s' := a_step s e.
  Let l' := l_act l e.

  Lemma act_time u :
    (C (ac s') u u = C (ac s) u u /\ released l' u = released l u) \/
    (C (ac s') u u = S (C (ac s) u u) /\ released l' u = true).
  Proof.
    pose proof V_own as VO. unfold s', l', a_step, l_act. fold t V in VO |- *.
    destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [ac lazy released C];
      try (unfold set; destruct (Nat.eqb_spec u t) as [->|]; auto;
           try destruct r; simpl; unfold inc; rewrite ?set_eq, ?VO; auto; fail);
      try (destruct r; simpl; unfold set; destruct (Nat.eqb_spec u t) as [->|]; auto;
           unfold inc; rewrite ?set_eq, ?VO; auto; fail).
    pose proof (a_own_C _ _ W) as OC. pose proof (a_own_L _ _ W) as OL. unfold V, a_view, base in VO.
    rewrite Q in VO.
    destruct o; simpl in *; auto; unfold set, inc, join in *; unfold set in *; cases; auto; try lia.
    - left. split; auto. specialize (OL m t). lia.
    - left. split; auto. assert (X : C (ac s) t u0 < C (ac s) u0 u0) by (apply OC; auto). lia.
    - left. split; auto. assert (X : C (ac s) u0 t < C (ac s) t t) by (apply OC; auto). lia.
  Qed.

  Lemma image_own r : image_option ρ (own_head s t r V) (own_head (lazy l) t r (l_view l e)).
  Proof. destruct r; simpl; [apply image_view|apply (sm_release _ _ _ M)]. Qed.

  Lemma heads_added o o' h k :
    image_option ρ o o' -> Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k)) h k ->
    Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k)) (add_head t o h) (add_head t o' k).
  Proof. destruct o, o'; simpl; intros I F; try contradiction; auto. Qed.

  Lemma heads_kept h k :
    Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k)) h k ->
    Forall2 (fun h k => fst h = fst k /\ image ρ (snd h) (snd k))
            (filter (fun h : tid * clock => fst h =? t) h) (filter (fun h : tid * clock => fst h =? t) k).
  Proof. induction 1 as [|x y h k (Q & I) _ IH]; simpl; auto. rewrite <- Q. destruct (fst x =? t); auto. Qed.

  Lemma sim_act : sim ρ s' l'.
  Proof.
    pose proof (sm_C _ _ _ M) as MC. pose proof (sm_L _ _ _ M) as ML. pose proof (sm_heads _ _ _ M) as MH.
    pose proof image_view as IV. pose proof image_after as IA.
    split; try apply M.
    - intros u c Le. destruct (act_time u) as [(Q & _)|(Q & _)]; rewrite Q in Le |- *; [apply M; auto|].
      rewrite (sm_flat _ _ _ M u c), (sm_flat _ _ _ M u (S _)); auto; lia.
    - intros u. destruct (act_time u) as [(-> & ->)|(-> & ->)]; [apply M|]. simpl. apply (sm_flat _ _ _ M). lia.
    - intros v. unfold s', l', a_step, l_act. fold t V.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [ac lazy C];
        try (unfold set; destruct (v =? t); auto; fail).
      + assert (INC : forall v, image ρ (inc v (C (ac s) v)) (C (ac (lazy l)) v)) by (intros; apply image_inc; auto).
        destruct o; simpl; auto.
        * unfold set. destruct (v =? t); auto. unfold l_view, what. rewrite Q. apply image_join; auto.
        * unfold set at 1. destruct (Nat.eqb_spec v t) as [->|]; auto.
        * unfold set at 1. destruct (Nat.eqb_spec v t) as [->|]; auto.
        * unfold set at 1. destruct (Nat.eqb_spec v t) as [->|]; [|unfold set; destruct (v =? u); auto using image_join].
          unfold set. destruct (Nat.eqb_spec t u) as [<-|]; [|apply INC].
          apply image_inc; [unfold join; lia|]. apply image_join; auto.
        * unfold set at 1. destruct (Nat.eqb_spec v u) as [->|].
          -- unfold set. destruct (Nat.eqb_spec u t) as [->|]; [|apply INC]. unfold l_view, what. rewrite Q.
             apply image_inc; [unfold join; lia|]. apply image_join; auto.
          -- unfold set. destruct (v =? t); auto. unfold l_view, what. rewrite Q. apply image_join; auto.
      + unfold set. destruct (v =? t); auto. apply image_inc; [apply V_own|auto].
    - intros m. unfold s', l', a_step, l_act. fold t V.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [ac lazy L]; auto.
      destruct o; simpl; auto; unfold set; destruct (m =? m0); auto using image_join.
    - intros x. unfold s', l', a_step, l_act. fold t V.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [heads lazy]; auto.
      + destruct o; apply MH.
      + unfold at_bytes. destruct (existsb (Nat.eqb x) xs); auto.
        apply heads_added; [apply image_own|]. destruct d; auto using heads_kept.
      + unfold at_bytes. destruct (existsb (Nat.eqb x) xs); auto. apply heads_added; [apply image_own|auto].
    - intros v. pose proof (sm_release _ _ _ M v) as MR. unfold s', l', a_step, l_act. fold t V.
      destruct (snd e) as [o|xs q|xs r d|xs q r| |] eqn:Q; cbn [fence_release lazy]; auto; [destruct o; exact MR|].
      unfold set. destruct (v =? t); auto.
    - intros v. pose proof (sm_acquire _ _ _ M) as MA. unfold s', l', a_step, l_act. fold t V.
      assert (AS : forall xs, image ρ (set (fence_acquire s) t (fence_acquire s t ⊔ joins (flat_map (heads s) xs)) v)
                 (set (fence_acquire (lazy l)) t (fence_acquire (lazy l) t ⊔ joins (flat_map (heads (lazy l)) xs)) v)).
      { intros xs. unfold set. destruct (v =? t); auto. apply image_join; auto. apply image_joins, flat_heads. }
      destruct (snd e) as [o|xs [|]|xs r d|xs [|] r| |] eqn:Q; cbn [fence_acquire lazy]; auto; [destruct o; apply MA|].
      unfold set. destruct (v =? t); auto using image_bottom.
  Qed.
End Act.

(** ** They compare alike *)

Section Runs.
  (** The c-th epoch of u has a number of its own, and keeps it. *)
  Definition numbered (ρ : tid -> nat -> nat) (s : astate) (l : lstate) (u : tid) (c : nat) : Prop :=
    c <= C (ac s) u u /\ ρ u (pred c) < ρ u c /\ (c < C (ac s) u u \/ released l u = false).

  Definition l_inv (α : list aevent) (l : lstate) (Vs : list clock) : Prop :=
    length Vs = length α /\
    exists ρ, sim ρ (a_run α) l /\
      forall i a Vi, α @ i = a -> Vs @ i = Vi -> accesses a = true ->
        Vi (fst a) = ρ (fst a) (tick AK α i) /\ numbered ρ (a_run α) l (fst a) (tick AK α i).

  Lemma numbered_le ρ s l u c c' : sim ρ s l -> numbered ρ s l u c -> (c <= c' <-> ρ u c <= ρ u c').
  Proof.
    intros M (_ & Lt & _). split; [apply (sm_mono _ _ _ M)|]. intros Le.
    destruct (Nat.le_gt_cases c c') as [|Gt]; auto. pose proof (sm_mono _ _ _ M u c' (pred c)). lia.
  Qed.

  Lemma numbered_act α ρ s l e u c :
    a_well_formed α s -> sim ρ s l -> numbered ρ s l u c -> numbered ρ (a_step s e) (l_act l e) u c.
  Proof.
    intros W M (Le & Lt & D). destruct (act_time α s l e W u) as [(Q1 & Q2)|(Q1 & Q2)]; unfold numbered; rewrite Q1, Q2.
    - auto.
    - repeat split; auto; lia.
  Qed.

  Lemma initial_inv : l_inv [] {| lazy := a_initial; released := fun _ => false |} [].
  Proof.
    split; auto. exists (fun _ c => Nat.min c 1).
    assert (O : forall u, inc u bottom u = 1) by (intros u; unfold inc; rewrite set_eq; auto).
    split; [|intros i a Vi A; destruct i; discriminate].
    split; simpl; auto.
    - intros u c c' Le. lia.
    - intros u c Le. rewrite O in *. lia.
    - intros u. rewrite O. auto.
    - intros t u. unfold inc, set, bottom. destruct (u =? t); auto.
    - intros m u. auto.
    - intros t u. auto.
  Qed.

  Lemma inv_event α l Vs e l1 :
    l_inv α l Vs -> (l1 = open_epoch (fst e) l \/ (l1 = l /\ accesses e = false)) ->
    l_inv (α ++ [e]) (l_act l1 e) (Vs ++ [l_view l1 e]) /\
    forall i a Vi, α @ i = a -> Vs @ i = Vi -> accesses a = true ->
      (tick AK α i <= AK α e (fst a) <-> Vi (fst a) <= l_view l1 e (fst a)) /\
      (fst a = fst e -> accesses e = true ->
       (tick AK α i = AK α e (fst a) <-> Vi (fst a) = l_view l1 e (fst a))).
  Proof.
    intros (Len & ρ & M & P) O. pose proof (a_wf_run α) as W.
    assert (N : exists ρ', sim ρ' (a_run α) l1 /\ (accesses e = true -> released l1 (fst e) = false) /\
              forall i a Vi, α @ i = a -> Vs @ i = Vi -> accesses a = true ->
                Vi (fst a) = ρ' (fst a) (tick AK α i) /\ numbered ρ' (a_run α) l1 (fst a) (tick AK α i)).
    { destruct O as [->|(-> & F)]; [|exists ρ; split; [auto|split; [congruence|exact P]]].
      destruct (sim_open α ρ (a_run α) l (fst e) W M) as (ρ' & M' & Same & R). exists ρ'. split; auto. split; auto.
      intros i a Vi A B F. destruct (P i a Vi A B F) as (Q & Le & Lt & D).
      assert (S1 : ρ' (fst a) (tick AK α i) = ρ (fst a) (tick AK α i)) by (apply Same; tauto).
      assert (S2 : ρ' (fst a) (pred (tick AK α i)) = ρ (fst a) (pred (tick AK α i))).
      { apply Same. destruct D as [D|D]; auto. left; lia. }
      split; [congruence|]. unfold numbered. rewrite S1, S2. repeat split; auto. destruct D as [D|D]; auto. right.
      unfold open_epoch. destruct (released l (fst e)); auto. simpl. unfold set. destruct (fst a =? fst e); auto. }
    clear P M ρ O. destruct N as (ρ & M & R & P).
    pose proof (image_view ρ (a_run α) l1 e M) as IV.
    assert (OWN : AK α e (fst e) = C (ac (a_run α)) (fst e) (fst e)) by (apply (a_view_own α); auto).
    assert (NEW : accesses e = true -> numbered ρ (a_run α) l1 (fst e) (AK α e (fst e))).
    { intros F. rewrite OWN. unfold numbered. pose proof (sm_now _ _ _ M (fst e)) as Q. rewrite (R F) in *.
      repeat split; auto. lia. }
    split; [split|].
    - rewrite !app_length. simpl. lia.
    - exists ρ. rewrite a_run_snoc. split; [apply (sim_act α); auto|]. intros i a Vi A B F.
      apply at_snoc_inv in A. destruct A as [(Li & A)|(-> & ->)].
      + rewrite nth_error_app1 in B by lia. rewrite tick_snoc by auto. destruct (P i a Vi A B F) as (Q & X).
        split; auto. apply (numbered_act α); auto.
      + rewrite <- Len, nth_error_app2, Nat.sub_diag in B by lia. injection B as <-. rewrite tick_last.
        split; [apply IV|]. apply (numbered_act α); auto.
    - intros i a Vi A B F. destruct (P i a Vi A B F) as (Q & X). rewrite Q, (IV (fst a)).
      change (a_view (a_run α) e) with (AK α e). split; [apply (numbered_le ρ (a_run α) l1); auto|].
      intros T Fe. specialize (NEW Fe). rewrite <- T in NEW. split; [congruence|]. intros E.
      pose proof (proj2 (numbered_le ρ _ _ _ _ (AK α e (fst a)) M X)) as L1.
      pose proof (proj2 (numbered_le ρ _ _ _ _ (tick AK α i) M NEW)) as L2. lia.
  Qed.

  (** That the access i is before j, and that it is of j's epoch, is seen as well by clocks that tick late. *)
  Theorem late_ticks_compare_alike α l Vs :
    l_runs α l Vs ->
    forall i j a b Vi Vj,
      i < j -> α @ i = a -> α @ j = b -> Vs @ i = Vi -> Vs @ j = Vj -> accesses a = true ->
      (hb α i j <-> Vi (fst a) <= Vj (fst a)) /\
      (fst a = fst b -> accesses b = true -> (tick AK α i = tick AK α j <-> Vi (fst a) = Vj (fst a))).
  Proof.
    intros R. assert (INV : l_inv α l Vs). { induction R; [apply initial_inv|]. eapply inv_event; eauto. }
    induction R as [|α l Vs e l1 R IH O]; intros i j a b Vi Vj Lt A B X Y F; [destruct i; discriminate|].
    assert (INV' : l_inv α l Vs). { clear - R. induction R; [apply initial_inv|]. eapply inv_event; eauto. }
    pose proof (proj1 INV') as Len. apply at_snoc_inv in B. destruct B as [(Lj & B)|(-> & ->)].
    - rewrite at_snoc in A by lia. rewrite nth_error_app1 in X, Y by lia. rewrite hb_snoc, !tick_snoc by lia.
      apply (IH INV' i j a b Vi Vj); auto.
    - rewrite at_snoc in A by lia. rewrite nth_error_app1 in X by lia.
      rewrite <- Len, nth_error_app2, Nat.sub_diag in Y by lia. injection Y as <-.
      destruct (proj2 (inv_event α l Vs e l1 INV' O) i a Vi A X F) as (C1 & C2).
      rewrite tick_snoc, tick_last by lia. split.
      + rewrite <- C1. apply (AK_exact α e i a I A).
      + intros T Fe. rewrite <- (C2 T Fe). simpl. rewrite T. tauto.
  Qed.
End Runs.
