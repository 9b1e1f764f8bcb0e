(** Atomic operations and fences (rt/atomics.c): the clock rules capture exactly the happens-before of C11
    (5.1.2.4) and C++20, release sequences and fences included.

    The runtime does each atomic operation and the change of its clock as one step, so the trace is the
    modification order of every location, and a load reads from the last write before it. An operation is on some
    bytes; each byte has its own modification order, so operations of different sizes on one object are in it
    too. *)
From Deadheat Require Export VectorClock.

(** In C a later store by the same thread continues a release sequence; in C++20 it does not. Which it is belongs to
    the store, because a program may be written in both. *)
Inductive dialect := C11 | Cxx20.

Inductive aop :=
| Base (o : op)                  (* plain accesses, locks, threads *)
| Load (xs : list loc) (acq : bool)
| Store (xs : list loc) (rel : bool) (d : dialect)
| Rmw (xs : list loc) (acq rel : bool) (* also a compare-exchange that succeeds; one that fails is a load *)
| FenceAcq
| FenceRel.                      (* acq_rel and seq_cst fences: first the one, then the other *)

Definition aevent := (tid * aop)%type.

(** ** Synchronises-with, by the book *)

Definition writes (x : loc) (e : aevent) : Prop :=
  match snd e with Store ys _ _ | Rmw ys _ _ => In x ys | _ => False end.
Definition reads (x : loc) (e : aevent) : Prop :=
  match snd e with Load ys _ | Rmw ys _ _ => In x ys | _ => False end.
Definition releasing (e : aevent) : Prop :=
  match snd e with Store _ true _ | Rmw _ _ true => True | _ => False end.

(** The write e continues a release sequence headed by a write of thread t. *)
Definition continues (t : tid) (e : aevent) : Prop :=
  match snd e with
  | Rmw _ _ _ => True
  | Store _ _ d => d = C11 /\ fst e = t
  | _ => False
  end.

(** The last write to x in α is in the release sequence headed by the write w (or that w would head). *)
Definition heads_sequence (α : list aevent) (x : loc) (w : nat) (t : tid) : Prop :=
  (exists a, α @ w = a /\ writes x a /\ fst a = t) /\
  forall l b, w < l -> α @ l = b -> writes x b -> continues t b.

(** What the write w makes visible: itself if it releases, and its thread's earlier release fences. *)
Definition published (α : list aevent) (w s : nat) : Prop :=
  exists a, α @ w = a /\
    ((releasing a /\ s = w) \/ (s < w /\ α @ s = (fst a, FenceRel))).

(** Reading the present value of x, one reads from a release sequence that publishes s. *)
Definition read_from (α : list aevent) (x : loc) (s : nat) : Prop :=
  exists w t, heads_sequence α x w t /\ published α w s.

(** The rest of an event: for locks and threads (Trace.v), atomics and fences do nothing. *)
Definition base (e : aevent) : event :=
  (fst e, match snd e with Base o => o | _ => Check Read 0 end).

Definition atomic_sync (α : list aevent) (e : aevent) (s : nat) : Prop :=
  lock_sync (map base α) (base e) s \/
  match snd e with
  | Load xs true | Rmw xs true _ =>                           (* release, or release fence, to acquire *)
      exists x, In x xs /\ read_from α x s
  | FenceAcq =>                                               (* to an acquire fence after a load *)
      exists j b x, α @ j = b /\ fst b = fst e /\ reads x b /\ read_from (firstn j α) x s
  | _ => False
  end.

#[global] Instance AtomicEvents : Events aevent := { thread := fst; sync := atomic_sync }.

(** ** The clock rules *)

Record astate := {
  ac : clocks;
  heads : loc -> list (tid * clock);     (* struct dh_heads: who released, and what it knew *)
  fence_release : tid -> option clock;
  fence_acquire : tid -> clock
}.

Definition joins (l : list (tid * clock)) : clock := fold_right (fun h V => snd h ⊔ V) bottom l.

Definition a_view (s : astate) (e : aevent) : clock :=
  view (ac s) (base e) ⊔
  match snd e with
  | Load xs true | Rmw xs true _ => joins (flat_map (heads s) xs)
  | FenceAcq => fence_acquire s (fst e)
  | _ => bottom
  end.

Definition add_head (t : tid) (h : option clock) (l : list (tid * clock)) : list (tid * clock) :=
  match h with Some V => (t, V) :: l | None => l end.

(** own_head: what a store or read-modify-write publishes. *)
Definition own_head (s : astate) (t : tid) (rel : bool) (V : clock) : option clock :=
  if rel then Some V else fence_release s t.

(** [g] at the bytes of an operation. *)
Definition at_bytes {A : Type} (xs : list loc) (g : A -> A) (f : loc -> A) : loc -> A :=
  fun x => if existsb (Nat.eqb x) xs then g (f x) else f x.

(** A thread that released ticks. *)
Definition after_release (t : tid) (rel : bool) (V : clock) : clock := if rel then inc t V else V.

Definition a_step (s : astate) (e : aevent) : astate :=
  let t := fst e in
  let V := a_view s e in
  let with_C (V' : clock) := {| C := set (C (ac s)) t V'; L := L (ac s) |} in
  let aside (xs : list loc) (acq : bool) :=                                   (* load_clock, relaxed *)
    if acq then fence_acquire s
    else set (fence_acquire s) t (fence_acquire s t ⊔ joins (flat_map (heads s) xs)) in
  match snd e with
  | Base o =>
      {| ac := sync_step (ac s) (t, o); heads := heads s;
         fence_release := fence_release s; fence_acquire := fence_acquire s |}
  | Load xs acq =>                                                            (* load_clock *)
      {| ac := with_C V; heads := heads s;
         fence_release := fence_release s; fence_acquire := aside xs acq |}
  | Store xs rel d =>                                                         (* start_over, add_head *)
      let kept l := match d with C11 => filter (fun h : tid * clock => fst h =? t) l | Cxx20 => [] end in
      {| ac := with_C (after_release t rel V);
         heads := at_bytes xs (fun l => add_head t (own_head s t rel V) (kept l)) (heads s);
         fence_release := fence_release s; fence_acquire := fence_acquire s |}
  | Rmw xs acq rel =>                                                         (* load_clock, add_head *)
      {| ac := with_C (after_release t rel V);
         heads := at_bytes xs (add_head t (own_head s t rel V)) (heads s);
         fence_release := fence_release s; fence_acquire := aside xs acq |}
  | FenceAcq =>
      {| ac := with_C V; heads := heads s;
         fence_release := fence_release s; fence_acquire := set (fence_acquire s) t bottom |}
  | FenceRel =>
      {| ac := with_C (inc t V); heads := heads s;
         fence_release := set (fence_release s) t (Some V); fence_acquire := fence_acquire s |}
  end.

Definition a_initial : astate :=
  {| ac := initial_clocks; heads := fun _ => []; fence_release := fun _ => None;
     fence_acquire := fun _ => bottom |}.
Definition a_run (α : list aevent) : astate := fold_left a_step α a_initial.
Definition AK (α : list aevent) (e : aevent) : clock := a_view (a_run α) e.

(** ** What everybody knows *)

Definition up_to (α : list aevent) (i s : nat) : Prop := i = s \/ hb α i s.

Definition aknows (α : list aevent) (t : tid) (i : nat) : Prop :=
  exists k b, α @ k = b /\ (fst b = t \/ snd b = Base (Fork t)) /\ up_to α i k.
Definition alock_knows (α : list aevent) (m : lock) (i : nat) : Prop :=
  exists k, held (map base α) m k /\ up_to α i k.
Definition head_knows (α : list aevent) (x : loc) (t : tid) (i : nat) : Prop :=
  exists w s, heads_sequence α x w t /\ published α w s /\ up_to α i s.
Definition release_knows (α : list aevent) (t : tid) (i : nat) : Prop :=
  exists s, α @ s = (t, FenceRel) /\ up_to α i s.
Definition acquire_knows (α : list aevent) (t : tid) (i : nat) : Prop :=
  exists j b x s, α @ j = b /\ fst b = t /\ reads x b /\ read_from (firstn j α) x s /\ up_to α i s.

Lemma up_to_snoc α e i s : s < length α -> (up_to (α ++ [e]) i s <-> up_to α i s).
Proof. intros Lt. unfold up_to. rewrite hb_snoc by auto. tauto. Qed.

Lemma base_at (α : list aevent) i x : map base α @ i = x -> exists a, α @ i = a /\ x = base a.
Proof.
  revert i; induction α as [|e α IH]; intros [|i] Q; simpl in *; try discriminate; eauto.
  injection Q as <-; eauto.
Qed.
Lemma at_base (α : list aevent) i a : α @ i = a -> map base α @ i = base a.
Proof. apply map_nth_error. Qed.

Lemma base_fork e t : snd (base e) = Fork t <-> snd e = Base (Fork t).
Proof. destruct e as [v [o| | | | |]]; simpl; split; intros Q; try discriminate; congruence. Qed.

Lemma published_lt α w s : published α w s -> s < length α.
Proof. intros (a & A & [(_ & ->)|(Lt & _)]); apply at_lt in A; lia. Qed.

Lemma read_from_lt α x s : read_from α x s -> s < length α.
Proof. intros (w & t & _ & P). eapply published_lt; eauto. Qed.

Lemma up_to_lt α i s : s < length α -> up_to α i s -> i < length α.
Proof. intros Lt [->|Q]; auto. apply hb_dom in Q; tauto. Qed.

Lemma before_aknows α e i :
  before α e i <->
  aknows α (fst e) i \/
  match snd e with
  | Base (Acq m) => alock_knows α m i
  | Base (Join u) => aknows α u i
  | Load xs true | Rmw xs true _ => exists x t, In x xs /\ head_knows α x t i
  | FenceAcq => acquire_knows α (fst e) i
  | _ => False
  end.
Proof.
  rewrite before_iff; split.
  - intros (k & b & B & [T|[[(y & Y & F)|S]|S]] & G).
    + left; exists k, b; auto.
    + apply base_at in Y; destruct Y as (a & A & ->). left; exists k, a. repeat split; auto.
      right. apply base_fork in F. auto.
    + destruct e as [t [o|xs []|xs r d|xs [] r| |]]; simpl in *; try contradiction.
      destruct o; try contradiction.
      * right; exists k; auto.
      * destruct S as (y & Y & F). apply base_at in Y; destruct Y as (a & A & ->).
        right; exists k, a. repeat split; auto. destruct F as [F|F]; auto. right; apply base_fork; auto.
    + destruct e as [t [o|xs []|xs r d|xs [] r| |]]; simpl in *; try contradiction.
      * destruct S as (x & Ix & w & v & Hs & Pb). right. exists x, v. split; auto. exists w, k; auto.
      * destruct S as (x & Ix & w & v & Hs & Pb). right. exists x, v. split; auto. exists w, k; auto.
      * destruct S as (j & c & x & Cj & Tc & Rx & Rf). right. exists j, c, x, k; auto.
  - intros [(k & b & B & [T|F] & G)|X].
    + exists k, b; auto.
    + exists k, b; repeat split; auto. right; left; left. exists (base b). split; [apply at_base; auto|].
      apply base_fork; auto.
    + assert (W : exists k, k < length α /\ sync α e k /\ up_to α i k).
      { destruct e as [t [o|xs []|xs r d|xs [] r| |]]; simpl in *; try contradiction.
        - destruct o; try contradiction.
          + destruct X as (k & Hk & G). exists k. split; [|split; auto; left; right; exact Hk].
            destruct Hk as ((y & Y & _) & _). apply at_lt in Y; rewrite map_length in Y; auto.
          + destruct X as (k & b & B & F & G). exists k. split; [eapply at_lt; eauto|]. split; auto.
            left; right. simpl. exists (base b). split; [apply at_base; auto|].
            destruct F as [F|F]; auto. right; apply base_fork; auto.
        - destruct X as (x & v & Ix & w & k & Hs & Pb & G). exists k. split; [eapply published_lt; eauto|].
          split; auto. right. simpl. exists x. split; auto. exists w, v; auto.
        - destruct X as (x & v & Ix & w & k & Hs & Pb & G). exists k. split; [eapply published_lt; eauto|].
          split; auto. right. simpl. exists x. split; auto. exists w, v; auto.
        - destruct X as (j & b & x & k & B & T & Rx & Rf & G). exists k. split.
          + apply read_from_lt in Rf. rewrite firstn_length in Rf. lia.
          + split; auto. right. simpl. exists j, b, x; auto. }
      destruct W as (k & Lk & S & G). destruct (nth_error α k) as [b|] eqn:B;
        [|apply nth_error_None in B; lia].
      exists k, b; auto.
Qed.

(** *** How knowledge grows *)

Lemma aknows_snoc α e t i :
  aknows (α ++ [e]) t i <->
  aknows α t i \/ ((fst e = t \/ snd e = Base (Fork t)) /\ (i = length α \/ before α e i)).
Proof.
  split.
  - intros (k & b & B & T & G). apply at_snoc_inv in B. destruct B as [(Lk & B)|(-> & ->)].
    + left; exists k, b; repeat split; auto. rewrite up_to_snoc in G; auto.
    + right; split; auto.
  - intros [(k & b & B & T & G)|(T & G)].
    + pose proof (at_lt _ _ _ B). exists k, b. rewrite at_snoc, up_to_snoc; auto.
    + exists (length α), e. rewrite at_last; auto.
Qed.

Lemma alock_knows_snoc α e m i :
  alock_knows (α ++ [e]) m i <->
  (snd (base e) <> Rel m /\ alock_knows α m i) \/
  (Trace.releases m (base e) /\ (i = length α \/ before α e i)).
Proof.
  unfold alock_knows. rewrite map_app. simpl map. rewrite <- (map_length base α). split.
  - intros (k & ((a & A & Ra) & N) & G). apply at_snoc_inv in A. destruct A as [(Lk & A)|(-> & ->)].
    + left; split; [eapply N; eauto using at_last|]. exists k; split.
      * split; [eauto|]. intros j b J B. eapply N; eauto. rewrite at_snoc; auto. eapply at_lt; eauto.
      * rewrite map_length in Lk. rewrite up_to_snoc in G; auto.
    + right; split; auto. rewrite map_length in *. exact G.
  - intros [(N & k & ((a & A & Ra) & M) & G)|(Re & G)].
    + pose proof (at_lt _ _ _ A) as Lk. exists k; split.
      * split; [exists a; rewrite at_snoc; auto|].
        intros j b J B. apply at_snoc_inv in B. destruct B as [(_ & B)|(-> & ->)]; eauto.
      * rewrite map_length in Lk. rewrite up_to_snoc; auto.
    + exists (length (map base α)); split.
      * split; [exists (base e); rewrite at_last; auto|].
        intros j b J B. apply at_lt in B; rewrite app_length in B; simpl in B; lia.
      * rewrite map_length in *. exact G.
Qed.

Lemma heads_sequence_snoc α e x w t :
  heads_sequence (α ++ [e]) x w t <->
  (heads_sequence α x w t /\ (writes x e -> continues t e)) \/ (w = length α /\ writes x e /\ fst e = t).
Proof.
  split.
  - intros ((a & A & Wx & T) & N). apply at_snoc_inv in A. destruct A as [(Lw & A)|(-> & ->)]; auto.
    left. split; [split; [eauto|]|].
    + intros l b Ll B. apply (N l b Ll). rewrite at_snoc; auto. eapply at_lt; eauto.
    + apply (N (length α) e Lw). apply at_last.
  - intros [(((a & A & Wx & T) & N) & Cn)|(-> & Wx & T)].
    + pose proof (at_lt _ _ _ A). split; [exists a; rewrite at_snoc; auto|].
      intros l b Ll B Wb. apply at_snoc_inv in B. destruct B as [(_ & B)|(-> & ->)]; eauto.
    + split; [exists e; rewrite at_last; auto|].
      intros l b Ll B. apply at_lt in B; rewrite app_length in B; simpl in B; lia.
Qed.

Lemma published_snoc α e w s : w < length α -> (published (α ++ [e]) w s <-> published α w s).
Proof.
  intros Lw. unfold published. split; intros (a & A & D); exists a.
  - rewrite at_snoc in A by auto. split; auto. destruct D as [D|(Ls & F)]; auto. right; split; auto.
    rewrite at_snoc in F; auto; lia.
  - rewrite at_snoc by auto. split; auto. destruct D as [D|(Ls & F)]; auto. right; split; auto.
    rewrite at_snoc; auto; lia.
Qed.

Lemma head_knows_snoc α e x t i :
  head_knows (α ++ [e]) x t i <->
  (head_knows α x t i /\ (writes x e -> continues t e)) \/
  (writes x e /\ fst e = t /\ ((releasing e /\ (i = length α \/ before α e i)) \/ release_knows α t i)).
Proof.
  split.
  - intros (w & s & Hs & Pb & G). apply heads_sequence_snoc in Hs. destruct Hs as [(Hs & Cn)|(-> & Wx & T)].
    + left. split; auto. assert (Lw : w < length α) by (destruct Hs as ((a & A & _) & _); eapply at_lt; eauto).
      rewrite published_snoc in Pb by auto. exists w, s. repeat split; auto; try apply Hs.
      rewrite up_to_snoc in G; auto. eapply published_lt; eauto.
    + right. repeat split; auto. destruct Pb as (a & A & D). apply at_last_inv in A; subst a.
      destruct D as [(Re & ->)|(Ls & F)]; auto. right. exists s. rewrite at_snoc in F by auto.
      rewrite up_to_snoc in G by auto. rewrite <- T; auto.
  - intros [((w & s & Hs & Pb & G) & Cn)|(Wx & T & D)].
    + assert (Lw : w < length α) by (destruct Hs as ((a & A & _) & _); eapply at_lt; eauto).
      pose proof (published_lt _ _ _ Pb).
      exists w, s. rewrite heads_sequence_snoc, published_snoc, up_to_snoc by auto. auto.
    + destruct D as [(Re & G)|(s & F & G)].
      * exists (length α), (length α). rewrite heads_sequence_snoc. split; auto. split; auto.
        exists e. rewrite at_last; auto.
      * pose proof (at_lt _ _ _ F). exists (length α), s. rewrite heads_sequence_snoc, up_to_snoc by auto.
        split; auto. split; auto. exists e. rewrite at_last, at_snoc by auto. split; auto. right.
        split; auto. rewrite T; auto.
Qed.

Lemma release_knows_snoc α e t i :
  release_knows (α ++ [e]) t i <->
  release_knows α t i \/ (e = (t, FenceRel) /\ (i = length α \/ before α e i)).
Proof.
  split.
  - intros (s & F & G). apply at_snoc_inv in F. destruct F as [(Ls & F)|(-> & <-)].
    + left. exists s. rewrite up_to_snoc in G; auto.
    + right. split; auto.
  - intros [(s & F & G)|(-> & G)].
    + pose proof (at_lt _ _ _ F). exists s. rewrite at_snoc, up_to_snoc by auto. auto.
    + exists (length α). rewrite at_last. auto.
Qed.

Lemma acquire_knows_snoc α e t i :
  acquire_knows (α ++ [e]) t i <->
  acquire_knows α t i \/ (fst e = t /\ exists x v, reads x e /\ head_knows α x v i).
Proof.
  split.
  - intros (j & b & x & s & B & T & Rx & Rf & G). apply at_snoc_inv in B.
    destruct B as [(Lj & B)|(-> & ->)].
    + rewrite firstn_snoc in Rf by lia. left. exists j, b, x, s. repeat split; auto.
      rewrite up_to_snoc in G; auto. apply read_from_lt in Rf. rewrite firstn_length in Rf. lia.
    + rewrite firstn_snoc, firstn_all in Rf by auto. right. split; auto.
      pose proof (read_from_lt _ _ _ Rf). rewrite up_to_snoc in G by auto.
      destruct Rf as (w & v & Hs & Pb). exists x, v. split; auto. exists w, s; auto.
  - intros [(j & b & x & s & B & T & Rx & Rf & G)|(T & x & v & Rx & w & s & Hs & Pb & G)].
    + pose proof (at_lt _ _ _ B). exists j, b, x, s. rewrite at_snoc, firstn_snoc by lia.
      repeat split; auto. rewrite up_to_snoc; auto. apply read_from_lt in Rf. rewrite firstn_length in Rf. lia.
    + exists (length α), e, x, s. rewrite at_last, firstn_snoc, firstn_all by auto. repeat split; auto.
      * exists w, v; auto.
      * rewrite up_to_snoc; auto. eapply published_lt; eauto.
Qed.
