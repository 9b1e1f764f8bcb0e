(** The packed cell (src/core/cell.h, step.h): two words of 32 bits for eight bytes.

    Words denote a list of entries through tables; one access to a cell, by dh_cell_step where it decides and
    by dh_entries_step where it does not, is a step that Entries.v allows. So packing changes no answer, and
    neither does giving an id that no cell refers to any more to another epoch or set. *)
From Deadheat Require Export Entries.
Local Open Scope N_scope.

(** ** Words (cell.h, bit for bit) *)

Definition word_of_epoch (id mask : N) : N := N.lor (N.shiftl id 8) mask.
Definition word_epoch_id (w : N) : N := N.shiftr w 8.
Definition word_mask (w : N) : N := N.land w 255.
Definition word_is_object (w : N) : bool := N.testbit w 31.
Definition word_is_set (w : N) : bool := N.shiftr w 30 =? 2.
Definition word_set_id (w : N) : N := N.shiftr (N.ldiff w (2 ^ 31)) 8.

Definition cell_write (c : N) : N := N.land c (N.ones 32).
Definition cell_read (c : N) : N := N.shiftr c 32.
Definition cell_of (write read : N) : N := N.lor (N.shiftl read 32) write.

Definition record_bits : N := 3 * 2 ^ 30.
Definition cell_is_record (c : N) : bool := N.land (cell_write c) record_bits =? record_bits.
Definition cell_record (c : N) : N := N.ldiff (cell_write c) record_bits.

(** The word of an epoch, with its bytes: not none, not a set. *)
Definition is_epoch_word (w : N) : Prop :=
  exists id m, id <> 0 /\ id < 2 ^ 23 /\ m <> 0 /\ m < 256 /\ w = word_of_epoch id m.

(** *** Packing and unpacking *)

Lemma high_bit m n p : m < 2 ^ p -> p <= n -> N.testbit m n = false.
Proof.
  intros M P. destruct (N.eq_dec m 0) as [->|Z]; [apply N.bits_0|].
  apply N.bits_above_log2. apply N.log2_lt_pow2 in M; lia || (apply N.neq_0_lt_0; auto).
Qed.

Lemma small_bit m n : m < 256 -> 8 <= n -> N.testbit m n = false.
Proof. intros M P; exact (high_bit m n 8 M P). Qed.

Lemma bit_255 n : N.testbit 255 n = (n <? 8).
Proof.
  change 255 with (N.ones 8). destruct (N.ltb_spec n 8).
  - apply N.ones_spec_low; auto.
  - apply N.ones_spec_high; auto.
Qed.

Lemma word_bit id m n :
  m < 256 -> N.testbit (word_of_epoch id m) n = if n <? 8 then N.testbit m n else N.testbit id (n - 8).
Proof.
  intros M. unfold word_of_epoch. rewrite N.lor_spec. destruct (N.ltb_spec n 8).
  - rewrite N.shiftl_spec_low by auto; auto.
  - rewrite N.shiftl_spec_high' by auto. rewrite (small_bit m n) by auto. apply orb_false_r.
Qed.

Lemma word_id id m : m < 256 -> word_epoch_id (word_of_epoch id m) = id.
Proof.
  intros M. apply N.bits_inj; intros n. unfold word_epoch_id. rewrite N.shiftr_spec', word_bit by auto.
  destruct (N.ltb_spec (n + 8) 8); [lia|]. f_equal; lia.
Qed.

Lemma word_and id m s : m < 256 -> s < 256 -> N.land (word_of_epoch id m) s = N.land m s.
Proof.
  intros M S. apply N.bits_inj; intros n. rewrite !N.land_spec, word_bit by auto.
  destruct (N.ltb_spec n 8); auto. rewrite (small_bit s), !andb_false_r; auto.
Qed.

Lemma word_mask_of id m : m < 256 -> word_mask (word_of_epoch id m) = m.
Proof.
  intros M. unfold word_mask. rewrite word_and by (auto; lia). apply N.bits_inj; intros n.
  rewrite N.land_spec, bit_255. destruct (N.ltb_spec n 8); [apply andb_true_r|].
  rewrite small_bit by auto; auto.
Qed.

Lemma word_or id m m' : m < 256 -> m' < 256 ->
  N.lor (word_of_epoch id m) (word_of_epoch id m') = word_of_epoch id (N.lor m m').
Proof.
  intros M M'. apply N.bits_inj; intros n. unfold word_of_epoch. rewrite !N.lor_spec.
  destruct (N.testbit (N.shiftl id 8) n), (N.testbit m n), (N.testbit m' n); auto.
Qed.

Lemma word_minus id m s : m < 256 -> s < 256 ->
  N.ldiff (word_of_epoch id m) s = word_of_epoch id (N.ldiff m s).
Proof.
  intros M S. apply N.bits_inj; intros n. unfold word_of_epoch.
  rewrite N.ldiff_spec, !N.lor_spec, N.ldiff_spec. destruct (N.ltb_spec n 8).
  - rewrite N.shiftl_spec_low by auto; auto.
  - rewrite (small_bit s), (small_bit m) by auto. simpl. rewrite !andb_true_r; auto.
Qed.

Lemma below_bits m p : (forall n, p <= n -> N.testbit m n = false) -> m < 2 ^ p.
Proof.
  intros B. destruct (N.eq_dec m 0) as [->|Z].
  - apply N.neq_0_lt_0. apply N.pow_nonzero; lia.
  - apply N.log2_lt_pow2; [lia|]. destruct (N.ltb_spec (N.log2 m) p); auto.
    specialize (B (N.log2 m)). rewrite N.bit_log2 in B by auto. discriminate B; auto.
Qed.

Lemma lor_small m m' : m < 256 -> m' < 256 -> N.lor m m' < 256.
Proof.
  intros M M'. change 256 with (2 ^ 8). apply below_bits; intros n P.
  rewrite N.lor_spec, !small_bit; auto.
Qed.
Lemma ldiff_small m s : m < 256 -> N.ldiff m s < 256.
Proof.
  intros M. change 256 with (2 ^ 8). apply below_bits; intros n P. rewrite N.ldiff_spec, small_bit; auto.
Qed.
Lemma land_small m s : m < 256 -> N.land m s < 256.
Proof.
  intros M. change 256 with (2 ^ 8). apply below_bits; intros n P. rewrite N.land_spec, small_bit; auto.
Qed.

Lemma cell_write_of w r : w < 2 ^ 32 -> cell_write (cell_of w r) = w.
Proof.
  intros W. apply N.bits_inj; intros n. unfold cell_write, cell_of. rewrite N.land_spec, N.lor_spec.
  destruct (N.ltb_spec n 32).
  - rewrite N.shiftl_spec_low, N.ones_spec_low by auto. apply andb_true_r.
  - rewrite N.ones_spec_high by auto. rewrite andb_false_r. symmetry; apply high_bit with 32; auto.
Qed.

Lemma cell_read_of w r : w < 2 ^ 32 -> cell_read (cell_of w r) = r.
Proof.
  intros W. apply N.bits_inj; intros n. unfold cell_read, cell_of.
  rewrite N.shiftr_spec', N.lor_spec, N.shiftl_spec_high' by lia.
  rewrite (high_bit w (n + 32) 32) by (auto; lia). rewrite orb_false_r. f_equal; lia.
Qed.

Lemma epoch_word_small id m : id < 2 ^ 23 -> m < 256 -> word_of_epoch id m < 2 ^ 31.
Proof.
  intros I M. apply below_bits; intros n P. rewrite word_bit by auto.
  destruct (N.ltb_spec n 8); [lia|]. apply high_bit with 23; auto; lia.
Qed.

Lemma epoch_word_not_object w : is_epoch_word w -> word_is_object w = false /\ word_is_set w = false /\ w <> 0 /\ w < 2 ^ 31.
Proof.
  intros (id & m & I0 & I & M0 & M & ->). pose proof (epoch_word_small id m I M) as S.
  repeat split; auto.
  - apply high_bit with 31; auto; lia.
  - unfold word_is_set. apply N.eqb_neq. intros Q.
    assert (X : N.testbit (N.shiftr (word_of_epoch id m) 30) 1 = true) by (rewrite Q; auto).
    rewrite N.shiftr_spec' in X. rewrite (high_bit _ _ 31) in X by (auto; lia). discriminate.
  - intros Q. apply M0. rewrite <- (word_mask_of id m M), Q. auto.
Qed.

(** ** What a cell denotes *)

Record tables := {
  epochs : N -> tid * nat;              (* slot, tick *)
  sets : N -> list N;                   (* words *)
  records : N -> list entry
}.

Definition word_entry (T : tables) (k : kind) (w : N) : entry :=
  {| e_slot := fst (epochs T (word_epoch_id w)); e_tick := snd (epochs T (word_epoch_id w));
     e_mask := word_mask w; e_kind := k |}.

Definition word_entries (T : tables) (k : kind) (w : N) : list entry :=
  if w =? 0 then []
  else if word_is_set w then map (word_entry T k) (sets T (word_set_id w))
  else [word_entry T k w].

(** dh_cell_entries; a record is a list already. *)
Definition cell_entries (T : tables) (c : N) : list entry :=
  if cell_is_record c then records T (cell_record c)
  else word_entries T Write (cell_write c) ++ word_entries T Read (cell_read c).

(** ** dh_cell_step (step.h): None where the general form is needed *)

Definition ordered (T : tables) (V : clock) (w : N) : bool :=
  (snd (epochs T (word_epoch_id w)) <=? V (fst (epochs T (word_epoch_id w))))%nat.

Definition step_read (T : tables) (V : clock) (id m write read : N) : option (N * N * N) :=
  let shared := N.land write m in
  let race := if negb (shared =? 0) && negb (word_epoch_id write =? id) && negb (ordered T V write)
              then shared else 0 in
  let mine := word_of_epoch id m in
  if read =? 0 then Some (write, mine, race)
  else if word_epoch_id read =? id then
    if N.ldiff m read =? 0 then Some (write, read, 0)                            (* READSAMEEPOCH *)
    else Some (write, N.lor mine read, race)
  else if negb (N.ldiff (N.land read 255) m =? 0) || negb (ordered T V read) then None  (* READSHARE *)
  else Some (write, mine, race).                                                 (* READEXCLUSIVE *)

Definition step_write (T : tables) (V : clock) (id m write read : N) : option (N * N * N) :=
  let shared := N.land read m in
  let ours := (shared =? 0) || (word_epoch_id read =? id) in
  let race := if negb ours && negb (ordered T V read) then shared else 0 in
  let rest := N.ldiff read shared in
  let read' := if ours then read else if word_mask rest =? 0 then 0 else rest in (* WRITESHARED *)
  let mine := word_of_epoch id m in
  if write =? 0 then Some (mine, read', race)
  else if word_epoch_id write =? id then
    if N.ldiff m write =? 0 then Some (write, read, 0)                           (* WRITESAMEEPOCH *)
    else Some (N.lor mine write, read', race)
  else if negb (N.ldiff (N.land write 255) m =? 0) then None
  else Some (mine, read',                                                        (* WRITEEXCLUSIVE *)
             N.lor (if ordered T V write then 0 else word_mask write) race).

Definition cell_step (T : tables) (V : clock) (k : kind) (id m c : N) : option (N * N) :=
  let write := cell_write c in
  let read := cell_read c in
  if word_is_object write || word_is_object read || (id =? 0) then None
  else
    match (match k with
           | Read => step_read T V id m write read
           | Write => step_write T V id m write read
           | _ => None
           end) with
    | Some (write', read', race) => Some (cell_of write' read', race)
    | None => None
    end.

(** ** It does what may be done *)

Definition plain_word (w : N) : Prop := w = 0 \/ is_epoch_word w.

Section Step.
  Variables (T : tables) (V : clock) (k : kind) (id m : N) (slot : tid) (now : nat).
  Hypothesis I0 : id <> 0.
  Hypothesis I1 : id < 2 ^ 23.
  Hypothesis M0 : m <> 0.
  Hypothesis M1 : m < 256.
  Hypothesis ID : epochs T id = (slot, now).
  Hypothesis NOW : V slot = now.

  Let a : acc := {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |}.

  Lemma entries_none k' : word_entries T k' 0 = [].
  Proof. reflexivity. Qed.

  Lemma entries_one k' i m' : i <> 0 -> i < 2 ^ 23 -> m' <> 0 -> m' < 256 ->
    word_entries T k' (word_of_epoch i m') =
    [{| e_slot := fst (epochs T i); e_tick := snd (epochs T i); e_mask := m'; e_kind := k' |}].
  Proof.
    intros A B C D. assert (W : is_epoch_word (word_of_epoch i m')) by (exists i, m'; auto).
    destruct (epoch_word_not_object _ W) as (_ & S & Z & _). unfold word_entries.
    apply N.eqb_neq in Z; rewrite Z, S. unfold word_entry. rewrite word_id, word_mask_of by auto. auto.
  Qed.

  Lemma mine_word m' : m' <> 0 -> m' < 256 -> is_epoch_word (word_of_epoch id m').
  Proof. intros A B; exists id, m'; auto. Qed.

  Lemma lor_nonzero m' : N.lor m m' <> 0.
  Proof. intros Q. apply N.lor_eq_0_iff in Q. tauto. Qed.

  (** The entry for an epoch word. *)
  Let ent (k' : kind) (i m' : N) : entry :=
    {| e_slot := fst (epochs T i); e_tick := snd (epochs T i); e_mask := m'; e_kind := k' |}.

  Lemma same_id k' m' : same_epoch (ent k' id m') a = true.
  Proof. unfold same_epoch, ent; simpl. rewrite ID; simpl. rewrite !Nat.eqb_refl; auto. Qed.

  Lemma before_ordered k' i m' : m' < 256 -> epoch_before (ent k' i m') V = ordered T V (word_of_epoch i m').
  Proof. intros M; unfold epoch_before, ordered; simpl. rewrite word_id; auto. Qed.

  Lemma same_ordered k' i m' : same_epoch (ent k' i m') a = true -> epoch_before (ent k' i m') V = true.
  Proof.
    unfold same_epoch, epoch_before; simpl. rewrite andb_true_iff, !Nat.eqb_eq, Nat.leb_le.
    intros (-> & ->). lia.
  Qed.

  (** The members of what the list step would give, for at most one write and one read. *)
  Lemma may_two lw lr lw' lr' l' r :
    (lw = [] /\ lw' = [] \/ exists e, lw = [e] /\ kept a V e lw') ->
    (lr = [] /\ lr' = [] \/ exists e, lr = [e] /\ kept a V e lr') ->
    same_members l' ((lw' ++ lr') ++ [mine a (lw ++ lr)]) ->
    r = union (racy a V) (lw ++ lr) ->
    may_step (lw ++ lr) a V l' r.
  Proof.
    intros W R S ->. right.
    destruct W as [(-> & ->)|(e & -> & KW)], R as [(-> & ->)|(e' & -> & KR)]; simpl in *.
    - exists []; repeat split; auto; apply S.
    - exists [lr']; simpl; rewrite app_nil_r; repeat split; auto; apply S.
    - exists [lw']; simpl; rewrite app_nil_r in *; repeat split; auto; apply S.
    - exists [lw'; lr']; simpl; rewrite app_nil_r; repeat split; auto; try apply S.
  Qed.

  (** *** One old word at a time *)

  Lemma racy_ent k' i m' : m' < 256 -> conf k k' = true ->
    racy a V (ent k' i m') = if ordered T V (word_of_epoch i m') then 0 else N.land m' m.
  Proof.
    intros M X. rewrite <- (before_ordered k' i m' M). unfold racy.
    destruct (same_epoch (ent k' i m') a) eqn:SE; [rewrite same_ordered; auto|].
    unfold entry_races. simpl e_kind. rewrite X, andb_true_r.
    destruct (epoch_before (ent k' i m') V); auto.
  Qed.

  Lemma id_ordered m' : m' < 256 -> ordered T V (word_of_epoch id m') = true.
  Proof.
    intros M. rewrite <- (before_ordered Read id m' M). apply same_ordered. apply same_id.
  Qed.

  (** A word of the other kind that does not race, or is not looked at. *)
  Lemma race_word i m' : m' < 256 ->
    (if negb (N.land (word_of_epoch i m') m =? 0) && negb (word_epoch_id (word_of_epoch i m') =? id)
        && negb (ordered T V (word_of_epoch i m'))
     then N.land (word_of_epoch i m') m else 0)
    = if ordered T V (word_of_epoch i m') then 0 else N.land m' m.
  Proof.
    intros M. rewrite word_and, word_id by auto.
    destruct (N.eqb_spec (N.land m' m) 0) as [->|]; simpl; [destruct (ordered _ _ _); auto|].
    destruct (N.eqb_spec i id) as [->|]; simpl; [rewrite id_ordered; auto|].
    destruct (ordered _ _ _); auto.
  Qed.

  Lemma keep_own_subset i m' : m' <> 0 -> m' < 256 -> N.ldiff m' m = 0 ->
    ordered T V (word_of_epoch i m') = true \/ conf k k = true ->
    keep a V (ent k i m') = [] /\ N.lor m (merged a (ent k i m')) = m.
  Proof.
    intros Z M D Or.
    assert (KK : kind_eqb k k = true) by (destruct k; auto).
    assert (LO : N.lor m m' = m).
    { apply N.bits_inj; intros n. rewrite N.lor_spec.
      assert (Q : N.testbit (N.ldiff m' m) n = false) by (rewrite D; apply N.bits_0).
      rewrite N.ldiff_spec in Q. destruct (N.testbit m n), (N.testbit m' n); auto. }
    assert (LA : N.land m' m = m').
    { apply N.bits_inj; intros n. rewrite N.land_spec.
      assert (Q : N.testbit (N.ldiff m' m) n = false) by (rewrite D; apply N.bits_0).
      rewrite N.ldiff_spec in Q. destruct (N.testbit m n), (N.testbit m' n); auto. }
    unfold keep, merged. simpl e_kind. simpl e_mask. rewrite KK, andb_true_r.
    destruct (same_epoch (ent k i m') a) eqn:SE; [split; auto|].
    rewrite LA, N.lor_0_r. apply N.eqb_neq in Z; rewrite Z.
    assert (SB : subsumesb k k = true) by (apply subsumesb_spec; apply subsumes_refl).
    rewrite SB, andb_true_r. unfold entry_races; simpl e_kind.
    rewrite (before_ordered k i m' M).
    assert (BR : ordered T V (word_of_epoch i m') || negb (ordered T V (word_of_epoch i m')) && conf k k = true).
    { destruct Or as [->| ->]; auto. destruct (ordered _ _ _); auto. }
    rewrite BR, N.ldiff_diag. auto.
  Qed.

  Lemma keep_own_id m' :
    keep a V (ent k id m') = [] /\ merged a (ent k id m') = m'.
  Proof.
    assert (KK : kind_eqb k k = true) by (destruct k; auto).
    unfold keep, merged. rewrite same_id. simpl e_kind. rewrite KK. auto.
  Qed.

  Lemma merged_other k' i m' : k' <> k -> merged a (ent k' i m') = 0.
  Proof.
    intros N. unfold merged. simpl e_kind. destruct (kind_eqb k' k) eqn:Q; [|rewrite andb_false_r; auto].
    apply kind_eqb_eq in Q; congruence.
  Qed.

  Lemma mine_ent m' : {| e_slot := slot; e_tick := now; e_mask := m'; e_kind := k |} = ent k id m'.
  Proof. unfold ent; rewrite ID; auto. Qed.

  Lemma on_record_one lw k' m' : k' = k -> N.ldiff m m' = 0 -> on_record (lw ++ [ent k' id m']) a = true.
  Proof.
    intros -> D. unfold on_record. rewrite existsb_app. simpl existsb. rewrite same_id. simpl e_kind; simpl e_mask.
    rewrite D. replace (kind_eqb k k) with true by (destruct k; auto). simpl. rewrite orb_true_r; auto.
  Qed.

  Lemma minus_word i m' : m' < 256 -> N.ldiff m (word_of_epoch i m') = N.ldiff m m'.
  Proof.
    intros M. apply N.bits_inj; intros n. rewrite !N.ldiff_spec, word_bit by auto.
    destruct (N.ltb_spec n 8); auto. rewrite (small_bit m); auto.
  Qed.

  (** *** Reads *)

  Lemma step_read_may write read write' read' race :
    k = Read -> plain_word write -> plain_word read ->
    step_read T V id m write read = Some (write', read', race) ->
    plain_word write' /\ plain_word read' /\
    may_step (word_entries T Write write ++ word_entries T Read read) a V
             (word_entries T Write write' ++ word_entries T Read read') race.
  Proof.
    intros Hk PW PR S.
    (* The write word: it stays, and may race. *)
    assert (W : exists lw, word_entries T Write write = lw /\
       (lw = [] /\ lw = [] \/ exists e, lw = [e] /\ kept a V e lw) /\ union (merged a) lw = 0 /\
       union (racy a V) lw = if negb (N.land write m =? 0) && negb (word_epoch_id write =? id)
                                && negb (ordered T V write) then N.land write m else 0).
    { destruct PW as [->|(i & mw & A & B & Cn & D & ->)].
      - exists []. rewrite N.land_0_l; simpl. auto.
      - exists [ent Write i mw]. rewrite entries_one by auto. split; auto. split; [|split].
        + right. exists (ent Write i mw). split; auto. left. unfold keep. simpl e_kind. rewrite Hk.
          destruct (same_epoch _ _); simpl; auto. destruct (N.land _ _ =? 0); auto.
          rewrite andb_false_r; auto.
        + unfold union; simpl fold_right. rewrite merged_other by (rewrite Hk; discriminate). auto.
        + unfold union; simpl fold_right. rewrite racy_ent by (auto; rewrite Hk; auto).
          rewrite race_word, N.lor_0_r by auto. auto. }
    destruct W as (lw & EW & KW & MW & RW). revert S. unfold step_read. rewrite <- RW. clear RW.
    assert (UA : forall f l l', union f (l ++ l') = N.lor (union f l) (union f l')).
    { intros f l l'. induction l as [|e l IH]; simpl; [auto|]. rewrite IH, N.lor_assoc; auto. }
    destruct PR as [->|(i & mr & A & B & Cn & D & ->)].
    - simpl. intros [= <- <- <-]. split; auto. split; [right; apply mine_word; auto|].
      rewrite EW, entries_one by auto. eapply may_two with (lr := []) (lr' := []); eauto.
      + unfold mine. rewrite app_nil_r, MW, N.lor_0_r. unfold with_mask; simpl.
        rewrite mine_ent, Hk. split; auto.
      + rewrite app_nil_r; auto.
    - assert (WR : is_epoch_word (word_of_epoch i mr)) by (exists i, mr; auto).
      destruct (epoch_word_not_object _ WR) as (_ & _ & Z & _). apply N.eqb_neq in Z; rewrite Z.
      rewrite word_id by auto. rewrite minus_word by auto. rewrite (entries_one Read i mr) by auto.
      destruct (N.eqb_spec i id) as [->|Ni].
      + destruct (N.eqb_spec (N.ldiff m mr) 0) as [Q|Q].
        * intros [= <- <- <-]. split; auto. split; [right; auto|]. left.
          rewrite EW, (entries_one Read id mr) by auto. split; [|split; auto].
          -- apply on_record_one; auto.
          -- split; auto.
        * rewrite word_or by auto. intros [= <- <- <-]. split; auto.
          split; [right; apply mine_word; auto using lor_nonzero, lor_small|].
          rewrite EW, entries_one by auto using lor_nonzero, lor_small.
          destruct (keep_own_id mr) as (KO & MO).
          eapply may_two with (lr' := []); eauto.
          -- right. exists (ent Read id mr). split; auto. left. rewrite <- Hk. auto.
          -- unfold mine. rewrite UA, MW. rewrite <- Hk. unfold union; simpl fold_right.
             fold (ent k id mr). rewrite MO, N.lor_0_r. unfold with_mask; simpl.
             rewrite mine_ent, app_nil_r. split; auto.
          -- rewrite UA. unfold union at 3; simpl fold_right. fold (ent Read id mr).
             replace (racy a V (ent Read id mr)) with 0; [rewrite !N.lor_0_r; auto|].
             unfold racy; rewrite same_id; auto.
      + rewrite word_and by (auto; lia).
        replace (N.land mr 255) with mr by (symmetry; rewrite <- (word_and i mr 255) by (auto; lia); apply word_mask_of; auto).
        destruct (N.eqb_spec (N.ldiff mr m) 0) as [Q|Q]; simpl; [|discriminate].
        destruct (ordered T V (word_of_epoch i mr)) eqn:Or; simpl; [|discriminate].
        intros [= <- <- <-]. split; auto. split; [right; apply mine_word; auto|].
        rewrite EW, entries_one by auto. destruct (keep_own_subset i mr Cn D Q (or_introl Or)) as (KO & MO).
        eapply may_two with (lr' := []); eauto.
        * right. exists (ent Read i mr). split; auto. left. rewrite <- Hk. auto.
        * unfold mine. rewrite UA, MW. rewrite <- Hk. unfold union; simpl fold_right.
          fold (ent k i mr). rewrite N.lor_0_l, N.lor_0_r. change (e_mask a) with m. rewrite MO. unfold with_mask; simpl.
          rewrite mine_ent, app_nil_r. split; auto.
        * rewrite UA. unfold union at 3; simpl fold_right. fold (ent Read i mr).
          replace (racy a V (ent Read i mr)) with 0; [rewrite !N.lor_0_r; auto|].
          unfold racy. destruct (same_epoch _ _); auto. unfold entry_races.
          rewrite before_ordered, Or by auto. auto.
  Qed.

  (** *** Writes *)

  Lemma step_write_may write read write' read' race :
    k = Write -> plain_word write -> plain_word read ->
    step_write T V id m write read = Some (write', read', race) ->
    plain_word write' /\ plain_word read' /\
    may_step (word_entries T Write write ++ word_entries T Read read) a V
             (word_entries T Write write' ++ word_entries T Read read') race.
  Proof.
    intros Hk PW PR S.
    assert (UA : forall f l l', union f (l ++ l') = N.lor (union f l) (union f l')).
    { intros f l l'. induction l as [|e l IH]; simpl; [auto|]. rewrite IH, N.lor_assoc; auto. }
    set (ours := (N.land read m =? 0) || (word_epoch_id read =? id)).
    set (read2 := if ours then read else if word_mask (N.ldiff read (N.land read m)) =? 0 then 0
                  else N.ldiff read (N.land read m)).
    (* The read word: the write stands for the bytes that it shares with it. *)
    assert (R : exists lr lr', word_entries T Read read = lr /\ word_entries T Read read2 = lr' /\
       plain_word read2 /\
       (lr = [] /\ lr' = [] \/ exists e, lr = [e] /\ kept a V e lr') /\ union (merged a) lr = 0 /\
       union (racy a V) lr = if negb ours && negb (ordered T V read) then N.land read m else 0).
    { destruct PR as [->|(i & mr & A & B & Cn & D & ->)].
      - exists [], []. unfold read2, ours. rewrite N.land_0_l. simpl. repeat split; auto. left; auto.
      - exists [ent Read i mr], (word_entries T Read read2).
        assert (WR : is_epoch_word (word_of_epoch i mr)) by (exists i, mr; auto).
        rewrite (entries_one Read i mr) by auto. split; auto. split; auto.
        assert (SM : N.land mr m < 256) by (apply land_small; auto).
        unfold read2, ours. rewrite word_and, word_id by auto. rewrite word_minus by auto.
        assert (LD : N.ldiff mr (N.land mr m) < 256) by (apply ldiff_small; auto).
        rewrite word_mask_of by auto.
        assert (RA : union (racy a V) [ent Read i mr] = if ordered T V (word_of_epoch i mr) then 0 else N.land mr m).
        { unfold union; simpl fold_right. rewrite racy_ent by (auto; rewrite Hk; auto). apply N.lor_0_r. }
        assert (ME : union (merged a) [ent Read i mr] = 0).
        { unfold union; simpl fold_right. rewrite merged_other by (rewrite Hk; discriminate). auto. }
        rewrite ME, RA.
        destruct (N.eqb_spec (N.land mr m) 0) as [Z|Z]; simpl orb; cbv iota.
        { rewrite entries_one by auto. split; [right; auto|]. split; [|split; auto].
          - right. exists (ent Read i mr). split; auto. left. unfold keep. simpl e_kind. simpl e_mask. rewrite Hk, Z.
            destruct (same_epoch _ _); auto.
          - simpl. rewrite Z. destruct (ordered _ _ _); auto. }
        destruct (N.eqb_spec i id) as [->|Ni]; cbv iota.
        { rewrite entries_one by auto. split; [right; auto|]. split; [|split; auto].
          - right. exists (ent Read id mr). split; auto. left. unfold keep. rewrite same_id. simpl e_kind. rewrite Hk. auto.
          - simpl. rewrite id_ordered by auto. auto. }
        split; [|split; [|split; auto]].
        + destruct (N.eqb_spec (N.ldiff mr (N.land mr m)) 0) as [Q|Q]; [left; auto|].
          right. exists i, (N.ldiff mr (N.land mr m)). auto.
        + right. exists (ent Read i mr). split; auto.
          assert (ST : word_entries T Read
              (if N.ldiff mr (N.land mr m) =? 0 then 0 else word_of_epoch i (N.ldiff mr (N.land mr m)))
            = strip a (ent Read i mr)).
          { unfold strip. simpl e_mask. destruct (N.eqb_spec (N.ldiff mr (N.land mr m)) 0) as [Q|Q]; auto.
            rewrite entries_one by auto. auto. }
          rewrite ST. destruct (same_epoch (ent Read i mr) a) eqn:SE.
          * right. split; auto. split; auto. simpl e_kind; rewrite Hk. intros k'; destruct k'; auto.
          * left. unfold keep. rewrite SE. simpl e_mask. apply N.eqb_neq in Z; rewrite Z.
            unfold entry_races. simpl e_kind. rewrite Hk.
            replace (epoch_before (ent Read i mr) V || negb (epoch_before (ent Read i mr) V) && conf Write Read)
              with true by (destruct (epoch_before _ _); auto).
            auto.
        + destruct (ordered _ _ _); auto. }
    destruct R as (lr & lr' & ER & ER' & PR2 & KR & MR & RR).
    revert S. unfold step_write. fold ours. fold read2. rewrite <- RR. clear RR.
    destruct PW as [->|(i & mw & A & B & Cn & D & ->)].
    - simpl (0 =? 0). cbv iota. intros [= <- <- <-]. split; [right; apply mine_word; auto|]. split; auto.
      rewrite ER, ER', entries_none, entries_one by auto.
      eapply may_two with (lw := []) (lw' := []); eauto.
      unfold mine. simpl app. rewrite MR, N.lor_0_r. unfold with_mask; simpl.
      rewrite mine_ent, Hk. intros e; split; intros X; [apply in_app_iff; destruct X; simpl; auto|].
      apply in_app_iff in X; destruct X as [|[|[]]]; simpl; auto.
    - assert (WR : is_epoch_word (word_of_epoch i mw)) by (exists i, mw; auto).
      destruct (epoch_word_not_object _ WR) as (_ & _ & Z & _). apply N.eqb_neq in Z; rewrite Z.
      rewrite word_id by auto. rewrite minus_word by auto. rewrite (entries_one Write i mw) by auto.
      rewrite ER.
      assert (SW : forall x y, same_members ([x] ++ y) (([] ++ y) ++ [x])).
      { intros x y e; simpl. rewrite in_app_iff; simpl. tauto. }
      destruct (N.eqb_spec i id) as [->|Ni].
      + destruct (N.eqb_spec (N.ldiff m mw) 0) as [Q|Q].
        * intros [= <- <- <-]. split; [right; auto|]. split; auto. left.
          rewrite (entries_one Write id mw), ER by auto. split; [|split; [split; auto|auto]].
          simpl on_record. unfold on_record. simpl existsb. fold (ent Write id mw). rewrite same_id.
          simpl e_kind; simpl e_mask. rewrite Q, Hk. auto.
        * rewrite word_or by auto. intros [= <- <- <-].
          split; [right; apply mine_word; auto using lor_nonzero, lor_small|]. split; auto.
          rewrite ER', entries_one by auto using lor_nonzero, lor_small.
          destruct (keep_own_id mw) as (KO & MO).
          eapply may_two with (lw' := []); eauto.
          -- right. exists (ent Write id mw). split; auto. left. rewrite <- Hk. auto.
          -- unfold mine. rewrite UA, MR, N.lor_0_r. rewrite <- Hk. unfold union; simpl fold_right.
             fold (ent k id mw). rewrite MO, N.lor_0_r. unfold with_mask; simpl e_slot; simpl e_tick; simpl e_kind.
             rewrite mine_ent. apply SW.
          -- rewrite UA. unfold union at 2; simpl fold_right. fold (ent Write id mw).
             replace (racy a V (ent Write id mw)) with 0; [auto|].
             unfold racy; rewrite same_id; auto.
      + rewrite word_and by (auto; lia).
        replace (N.land mw 255) with mw by (symmetry; rewrite <- (word_and i mw 255) by (auto; lia); apply word_mask_of; auto).
        destruct (N.eqb_spec (N.ldiff mw m) 0) as [Q|Q]; simpl negb; cbv iota; [|discriminate].
        rewrite word_mask_of by auto.
        intros [= <- <- <-]. split; [right; apply mine_word; auto|]. split; auto.
        rewrite ER', entries_one by auto.
        assert (CW : conf k k = true) by (rewrite Hk; auto).
        destruct (keep_own_subset i mw Cn D Q (or_intror CW)) as (KO & MO).
        eapply may_two with (lw' := []); eauto.
        * right. exists (ent Write i mw). split; auto. left. rewrite <- Hk. auto.
        * unfold mine. rewrite UA, MR, N.lor_0_r. rewrite <- Hk. unfold union; simpl fold_right.
          fold (ent k i mw). rewrite N.lor_0_r. change (e_mask a) with m. rewrite MO.
          unfold with_mask; simpl e_slot; simpl e_tick; simpl e_kind. rewrite mine_ent. apply SW.
        * rewrite UA. f_equal. unfold union; simpl fold_right. fold (ent Write i mw).
          rewrite racy_ent by (auto; rewrite Hk; auto). rewrite N.lor_0_r.
          destruct (ordered _ _ _); auto. apply N.bits_inj; intros n. rewrite N.land_spec.
          assert (Y : N.testbit (N.ldiff mw m) n = false) by (rewrite Q; apply N.bits_0).
          rewrite N.ldiff_spec in Y. destruct (N.testbit m n), (N.testbit mw n); auto.
  Qed.
End Step.
