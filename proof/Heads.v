(** Release sequences as the runtime keeps them (src/core/heads.c): a list of heads for a cell of eight bytes, each
    at some of its bytes, of every thread only the newest. Proved to know what the lists of Atomics.v know, in
    which every head of every byte is kept: so these clocks are exact, too. *)
From Deadheat Require Export AtomicClocks Entries Tables.

(** ** The functions that run *)

(** struct dh_snapshot: its epoch [at] is the entry of its own thread. *)
Record head := { h_thread : tid; h_clock : clock; h_bytes : N }.

Definition without (m : N) (h : head) : head :=
  {| h_thread := h_thread h; h_clock := h_clock h; h_bytes := N.ldiff (h_bytes h) m |}.

Definition sweep (l : list head) : list head := filter (fun h => negb (N.eqb (h_bytes h) 0)) l.

(** dh_heads_overwrite *)
Definition overwrite (m : N) (continuing : option tid) (l : list head) : list head :=
  sweep (map (fun h => match continuing with
                       | Some t => if h_thread h =? t then h else without m h
                       | None => without m h
                       end) l).

(** dh_heads_publish: the loop leaves the old heads, and the bytes at which the new one is needed. *)
Fixpoint supersede (t : tid) (V : clock) (m : N) (l : list head) : list head * N :=
  match l with
  | [] => ([], m)
  | old :: l =>
      if h_thread old =? t then
        if V t <=? h_clock old t
        then let (l', m') := supersede t V (N.ldiff m (h_bytes old)) l in (old :: l', m')
        else let (l', m') := supersede t V m l in (without m old :: l', m')
      else let (l', m') := supersede t V m l in (old :: l', m')
  end.

Definition publish (t : tid) (V : clock) (m : N) (l : list head) : list head :=
  let (l', m') := supersede t V m l in sweep (l' ++ [{| h_thread := t; h_clock := V; h_bytes := m' |}]).

(** ** Cells *)

Definition cell_of (x : loc) : nat := x / 8.
Definition bit_of (x : loc) : nat := x mod 8.

(** bytes_in: the bytes of cell c that an operation is on. *)
Fixpoint bytes_in (c : nat) (xs : list loc) : N :=
  match xs with
  | [] => 0
  | x :: xs => if cell_of x =? c then N.setbit (bytes_in c xs) (N.of_nat (bit_of x)) else bytes_in c xs
  end.

Definition at_cells (xs : list loc) (g : N -> list head -> list head) (cells : nat -> list head) : nat -> list head :=
  change (map cell_of xs) (fun c => g (bytes_in c xs)) cells.

(** load_clock: the heads that a load of these bytes meets. *)
Definition met (cells : nat -> list head) (xs : list loc) : list head :=
  flat_map (fun c => filter (fun h => negb (N.eqb (N.land (h_bytes h) (bytes_in c xs)) 0)) (cells c))
           (nodup Nat.eq_dec (map cell_of xs)).

Definition met_clock (cells : nat -> list head) (xs : list loc) : clock :=
  fold_right (fun h V => h_clock h ⊔ V) bottom (met cells xs).

(** ** The clock rules with them

    A clock is an array of [n] ticks; what is beyond is looked up where it came from, so n is only about speed. *)

Record hstate := {
  hc : clocks;
  cells : nat -> list head;
  h_release : tid -> option clock;
  h_acquire : tid -> clock
}.

Section Rules.
Variable n : nat.

Definition array (V : clock) : clock := tabulate n V.
(** After an access there is nothing new to compute. *)
Definition arrays (o : op) (s : clocks) : clocks :=
  match o with
  | Access _ _ | Check _ _ | Exit => s
  | _ => {| C := tabulate n (fun t => array (C s t)); L := L s |}
  end.

Definition h_view (s : hstate) (e : aevent) : clock :=
  array (view (hc s) (base e) ⊔
         match snd e with
         | Load xs true | Rmw xs true _ => met_clock (cells s) xs
         | FenceAcq => h_acquire s (fst e)
         | _ => bottom
         end).

Definition h_own (s : hstate) (t : tid) (rel : bool) (V : clock) : option clock :=
  if rel then Some V else h_release s t.

Definition publish_at (t : tid) (h : option clock) (xs : list loc) (cells : nat -> list head) : nat -> list head :=
  match h with Some V => at_cells xs (publish t V) cells | None => cells end.

Definition h_step (s : hstate) (e : aevent) : hstate :=
  let t := fst e in
  let V := h_view s e in
  let with_C (V' : clock) := {| C := set (C (hc s)) t V'; L := L (hc s) |} in
  let aside (xs : list loc) (acq : bool) :=
    if acq then h_acquire s else set (h_acquire s) t (array (h_acquire s t ⊔ met_clock (cells s) xs)) in
  match snd e with
  | Base o =>
      {| hc := arrays o (sync_step (hc s) (t, o)); cells := cells s;
         h_release := h_release s; h_acquire := h_acquire s |}
  | Load xs acq =>
      {| hc := with_C V; cells := cells s; h_release := h_release s; h_acquire := aside xs acq |}
  | Store xs rel d =>
      let continuing := match d with C11 => Some t | Cxx20 => None end in
      {| hc := with_C (after_release t rel V);
         cells := publish_at t (h_own s t rel V) xs
                    (at_cells xs (fun m => overwrite m continuing) (cells s));
         h_release := h_release s; h_acquire := h_acquire s |}
  | Rmw xs acq rel =>
      {| hc := with_C (after_release t rel V);
         cells := publish_at t (h_own s t rel V) xs (cells s);
         h_release := h_release s; h_acquire := aside xs acq |}
  | FenceAcq =>
      {| hc := with_C V; cells := cells s;
         h_release := h_release s; h_acquire := set (h_acquire s) t bottom |}
  | FenceRel =>
      {| hc := with_C (inc t V); cells := cells s;
         h_release := set (h_release s) t (Some V); h_acquire := h_acquire s |}
  end.

Definition h_initial : hstate :=
  {| hc := initial_clocks; cells := fun _ => []; h_release := fun _ => None; h_acquire := fun _ => bottom |}.
Definition h_run (α : list aevent) : hstate := fold_left h_step α h_initial.
Definition HK (α : list aevent) (e : aevent) : clock := h_view (h_run α) e.
End Rules.

(** ** What the heads of a byte know *)

Definition counts (l : list head) (b : nat) (t u : tid) (c : nat) : Prop :=
  exists h, In h l /\ on b (h_bytes h) = true /\ h_thread h = t /\ c <= h_clock h u.

Lemma counts_cons h l b t u c :
  counts (h :: l) b t u c <-> (on b (h_bytes h) = true /\ h_thread h = t /\ c <= h_clock h u) \/ counts l b t u c.
Proof.
  unfold counts. split.
  - intros (k & [<-|I] & X); eauto.
  - intros [X|(k & I & X)]; [exists h|exists k]; simpl; auto.
Qed.

Lemma sweep_counts l b t u c : counts (sweep l) b t u c <-> counts l b t u c.
Proof.
  unfold counts, sweep. split; intros (h & I & O & X); exists h.
  - apply filter_In in I. tauto.
  - split; auto. apply filter_In. split; auto. apply negb_true_iff. destruct (N.eqb (h_bytes h) 0) eqn:Z; auto.
    rewrite (on_zero b _ Z) in O. discriminate.
Qed.

Lemma overwrite_counts m continuing l b t u c :
  counts (overwrite m continuing l) b t u c <->
  counts l b t u c /\ (on b m = true -> continuing = Some t).
Proof.
  unfold overwrite. rewrite sweep_counts. induction l as [|h l IH]; simpl.
  { split; [|tauto]. intros (h & [] & _). }
  rewrite !counts_cons, IH. clear IH.
  assert (W : (on b (h_bytes (without m h)) = true /\ h_thread (without m h) = t /\ c <= h_clock (without m h) u) <->
              (on b (h_bytes h) = true /\ h_thread h = t /\ c <= h_clock h u) /\ on b m = false).
  { simpl. rewrite on_ldiff, andb_true_iff, negb_true_iff. tauto. }
  destruct continuing as [v|].
  - destruct (Nat.eqb_spec (h_thread h) v) as [->|Ne].
    + split; [intros [(X & -> & Y)|(X & Y)]; auto|tauto].
    + rewrite W. destruct (on b m); split; intuition (try congruence).
  - rewrite W. destruct (on b m); split; intuition (try congruence).
Qed.

(** Of two snapshots of a thread the one with the later tick knows what the other does. *)
Definition comparable (t : tid) (V W : clock) : Prop := (V t <= W t -> V ⊑ W) /\ (W t <= V t -> W ⊑ V).

Lemma supersede_counts t V m l l' m' b t' u c :
  (forall h, In h l -> h_thread h = t -> comparable t V (h_clock h)) ->
  supersede t V m l = (l', m') ->
  (counts l' b t' u c \/ (on b m' = true /\ t = t' /\ c <= V u) <->
   counts l b t' u c \/ (on b m = true /\ t = t' /\ c <= V u)).
Proof.
  revert m l' m'. induction l as [|h l IH]; simpl; intros m l' m' Ch Q; [injection Q as <- <-; tauto|].
  assert (Ch' : forall h, In h l -> h_thread h = t -> comparable t V (h_clock h)) by auto.
  destruct (Nat.eqb_spec (h_thread h) t) as [Th|Th].
  - destruct (Ch h (or_introl eq_refl) Th) as [Old New].
    destruct (Nat.leb_spec (V t) (h_clock h t)) as [Le|Lt].
    + destruct (supersede t V (N.ldiff m (h_bytes h)) l) as [l0 m0] eqn:S. injection Q as <- <-.
      specialize (IH _ _ _ Ch' S). specialize (Old Le u). rewrite !counts_cons.
      rewrite on_ldiff, andb_true_iff, negb_true_iff in IH.
      destruct (on b (h_bytes h)) eqn:O; [|tauto]. split; [tauto|].
      intros [[X|X]|(X & -> & Y)]; auto; [tauto|]. left; left. repeat split; auto. lia.
    + destruct (supersede t V m l) as [l0 m0] eqn:S. injection Q as <- <-.
      specialize (IH _ _ _ Ch' S). assert (Le : h_clock h t <= V t) by lia. specialize (New Le u).
      rewrite !counts_cons. simpl. rewrite on_ldiff, andb_true_iff, negb_true_iff.
      destruct (on b m) eqn:O; [|tauto]. split; [tauto|].
      intros [[(X & Q & Y)|X]|X]; [|tauto|tauto].
      assert (R : t = t' /\ c <= V u) by (split; [congruence|lia]). tauto.
  - destruct (supersede t V m l) as [l0 m0] eqn:S. injection Q as <- <-.
    specialize (IH _ _ _ Ch' S). rewrite !counts_cons. tauto.
Qed.

Lemma publish_counts t V m l b t' u c :
  (forall h, In h l -> h_thread h = t -> comparable t V (h_clock h)) ->
  (counts (publish t V m l) b t' u c <-> counts l b t' u c \/ (on b m = true /\ t = t' /\ c <= V u)).
Proof.
  intros Ch. unfold publish. destruct (supersede t V m l) as [l' m'] eqn:S.
  rewrite sweep_counts, <- (supersede_counts t V m l l' m' b t' u c Ch S).
  unfold counts. split.
  - intros (h & I & X). apply in_app_iff in I. destruct I as [I|[<-|[]]]; [left; exists h; auto|right; exact X].
  - intros [(h & I & X)|X].
    + exists h. split; auto. apply in_app_iff; auto.
    + exists {| h_thread := t; h_clock := V; h_bytes := m' |}. split; auto. apply in_app_iff. simpl; auto.
Qed.

(** A head of the new list is one of the old ones, with fewer bytes perhaps, or the new one. *)
Lemma overwrite_in m continuing l h :
  In h (overwrite m continuing l) -> exists h', In h' l /\ h_thread h = h_thread h' /\ h_clock h = h_clock h'.
Proof.
  unfold overwrite, sweep. rewrite filter_In, in_map_iff. intros ((h' & <- & I) & _). exists h'. split; auto.
  destruct continuing as [v|]; [destruct (h_thread h' =? v)|]; auto.
Qed.

Lemma publish_in t V m l h :
  In h (publish t V m l) ->
  (h_thread h = t /\ h_clock h = V) \/ exists h', In h' l /\ h_thread h = h_thread h' /\ h_clock h = h_clock h'.
Proof.
  unfold publish. destruct (supersede t V m l) as [l' m'] eqn:S. unfold sweep. rewrite filter_In, in_app_iff.
  intros ([I|[<-|[]]] & _); auto. right. revert m l' m' S I.
  induction l as [|o l IH]; simpl; intros m l' m' S I; [injection S as <- <-; destruct I|].
  destruct (h_thread o =? t).
  - destruct (V t <=? h_clock o t).
    + destruct (supersede t V (N.ldiff m (h_bytes o)) l) as [l0 m0] eqn:Q. injection S as <- <-.
      destruct I as [<-|I]; [exists o; auto|]. destruct (IH _ _ _ Q I) as (h' & I' & X); exists h'; auto.
    + destruct (supersede t V m l) as [l0 m0] eqn:Q. injection S as <- <-.
      destruct I as [<-|I]; [exists o; auto|]. destruct (IH _ _ _ Q I) as (h' & I' & X); exists h'; auto.
  - destruct (supersede t V m l) as [l0 m0] eqn:Q. injection S as <- <-.
    destruct I as [<-|I]; [exists o; auto|]. destruct (IH _ _ _ Q I) as (h' & I' & X); exists h'; auto.
Qed.

Lemma bytes_in_spec k c xs :
  N.testbit (bytes_in c xs) k = true <-> exists x, In x xs /\ cell_of x = c /\ N.of_nat (bit_of x) = k.
Proof.
  induction xs as [|y xs IH]; simpl.
  - destruct k; (split; [discriminate|intros (y & [] & _)]).
  - destruct (Nat.eqb_spec (cell_of y) c) as [Q|Q].
    + rewrite N.setbit_eqb, orb_true_iff, IH, N.eqb_eq. split.
      * intros [X|(z & I & X)]; [exists y; auto|exists z; tauto].
      * intros (z & [<-|I] & X); [tauto|right; exists z; tauto].
    + rewrite IH. split; intros (z & I & X); exists z; [tauto|]. destruct I as [<-|I]; tauto.
Qed.

Lemma byte_in x xs : on (bit_of x) (bytes_in (cell_of x) xs) = true <-> In x xs.
Proof.
  unfold on. rewrite bytes_in_spec. split; [|intros I; exists x; auto].
  intros (y & I & Qc & Qb). apply Nat2N.inj in Qb. replace x with y; auto. unfold cell_of, bit_of in *.
  rewrite (Nat.div_mod x 8), (Nat.div_mod y 8) by lia. congruence.
Qed.

(** ** The same for all cells *)

Lemma at_cells_same xs g cs x :
  at_cells xs g cs (cell_of x) = g (bytes_in (cell_of x) xs) (cs (cell_of x)) \/
  (~ In x xs /\ at_cells xs g cs (cell_of x) = cs (cell_of x)).
Proof.
  unfold at_cells. rewrite change_spec. destruct (in_dec Nat.eq_dec (cell_of x) (map cell_of xs)) as [I|I]; auto.
  right. split; auto. intros J. apply I. apply in_map; auto.
Qed.

Lemma at_cells_overwrite xs continuing cs x t u c :
  counts (at_cells xs (fun m => overwrite m continuing) cs (cell_of x)) (bit_of x) t u c <->
  counts (cs (cell_of x)) (bit_of x) t u c /\ (In x xs -> continuing = Some t).
Proof.
  destruct (at_cells_same xs (fun m => overwrite m continuing) cs x) as [->|(N & ->)]; [|tauto].
  rewrite overwrite_counts, byte_in. tauto.
Qed.

Lemma at_cells_publish t own xs cs x t' u c :
  (forall V b k, own = Some V -> In k (cs b) -> h_thread k = t -> comparable t V (h_clock k)) ->
  (counts (publish_at t own xs cs (cell_of x)) (bit_of x) t' u c <->
   counts (cs (cell_of x)) (bit_of x) t' u c \/ (exists V, own = Some V /\ In x xs /\ t = t' /\ c <= V u)).
Proof.
  intros Ch. unfold publish_at. destruct own as [V|].
  2: { split; auto. intros [X|(V & Q & _)]; [auto|discriminate]. }
  assert (Q : (exists W, Some V = Some W /\ In x xs /\ t = t' /\ c <= W u) <-> In x xs /\ t = t' /\ c <= V u).
  { split; [intros (W & Q & X); injection Q as <-; auto|intros X; exists V; auto]. }
  rewrite Q. destruct (at_cells_same xs (publish t V) cs x) as [->|(N & ->)]; [|tauto].
  rewrite publish_counts, byte_in; [tauto|]. intros h I T. eapply Ch; eauto.
Qed.

Lemma met_clock_le cs xs u c :
  c <= met_clock cs xs u <-> c = 0 \/ exists x t, In x xs /\ counts (cs (cell_of x)) (bit_of x) t u c.
Proof.
  assert (G : forall l, c <= fold_right (fun h V => h_clock h ⊔ V) bottom l u <->
                        c = 0 \/ exists h, In h l /\ c <= h_clock h u).
  { induction l as [|h l IH]; simpl; [unfold bottom|unfold join].
    - split; [lia|]. intros [->|(h & [] & _)]; auto.
    - rewrite Nat.max_le_iff, IH. split.
      + intros [X|[X|(k & I & X)]]; [right; exists h; auto|auto|right; exists k; auto].
      + intros [X|(k & [<-|I] & X)]; auto. right; right; exists k; auto. }
  unfold met_clock. rewrite G. clear G. unfold met, counts. split; (intros [X|X]; [auto|right]).
  - destruct X as (h & I & X). apply in_flat_map in I. destruct I as (b & Ib & I).
    apply filter_In in I. destruct I as (I & Z). apply negb_true_iff, N.eqb_neq in Z.
    apply N.bit_log2 in Z. rewrite N.land_spec, andb_true_iff, bytes_in_spec in Z.
    destruct Z as (O & x & Ix & <- & Q). exists x, (h_thread h). split; auto. exists h. unfold on. rewrite Q. auto.
  - destruct X as (x & t & Ix & h & I & O & T & X). exists h. split; auto. apply in_flat_map.
    exists (cell_of x). split; [apply nodup_In, in_map; auto|]. apply filter_In. split; auto.
    apply negb_true_iff, N.eqb_neq. intros Z.
    assert (B : on (bit_of x) (N.land (h_bytes h) (bytes_in (cell_of x) xs)) = true).
    { rewrite on_land, O. simpl. apply byte_in; auto. }
    rewrite Z in B. unfold on in B. rewrite N.bits_0 in B. discriminate.
Qed.
