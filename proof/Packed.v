(** Cells over a whole trace: the packed state reports exactly the racy bytes, whatever way each step went,
    and while ids and sets are collected and given out again (rt/epochs.c). *)
From Deadheat Require Export Cell.
Local Open Scope N_scope.

(** A word that dh_cell_step may meet: none, an epoch, or a set or record, which it leaves alone. *)
Definition good_word (w : N) : Prop := plain_word w \/ word_is_object w = true.
Definition good_cell (c : N) : Prop := good_word (cell_write c) /\ good_word (cell_read c).

Lemma plain_small w : plain_word w -> w < 2 ^ 32.
Proof.
  intros [->|W]; [reflexivity|]. apply epoch_word_not_object in W. destruct W as (_ & _ & _ & W).
  eapply N.lt_trans; [exact W|reflexivity].
Qed.

Lemma plain_not_object w : plain_word w -> word_is_object w = false.
Proof. intros [->|W]; [reflexivity|]. apply epoch_word_not_object in W; tauto. Qed.

Lemma not_record c : word_is_object (cell_write c) = false -> cell_is_record c = false.
Proof.
  intros O. unfold cell_is_record. apply N.eqb_neq. intros Q.
  assert (X : N.testbit (N.land (cell_write c) record_bits) 31 = true) by (rewrite Q; reflexivity).
  rewrite N.land_spec in X. unfold word_is_object in O. rewrite O in X. discriminate.
Qed.

(** dh_cell_step, wherever it decides, does what may be done with the entries. *)
Theorem cell_step_may T V k id m c c' race slot now :
  good_cell c -> id < 2 ^ 23 -> m <> 0 -> m < 256 -> epochs T id = (slot, now) -> V slot = now ->
  cell_step T V k id m c = Some (c', race) ->
  good_cell c' /\
  may_step (cell_entries T c) {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |} V
           (cell_entries T c') race.
Proof.
  intros (GW & GR) I1 M0 M1 ID NOW S. unfold cell_step in S.
  destruct (word_is_object (cell_write c)) eqn:OW; [discriminate|].
  destruct (word_is_object (cell_read c)) eqn:OR; [discriminate|].
  destruct (N.eqb_spec id 0) as [|I0]; [discriminate|]. cbn [orb] in S.
  assert (PW : plain_word (cell_write c)) by (destruct GW; congruence).
  assert (PR : plain_word (cell_read c)) by (destruct GR; congruence).
  assert (G : forall write' read' race',
    plain_word write' /\ plain_word read' /\
    may_step (word_entries T Write (cell_write c) ++ word_entries T Read (cell_read c))
             {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |} V
             (word_entries T Write write' ++ word_entries T Read read') race' ->
    Some (cell_of write' read', race') = Some (c', race) ->
    good_cell c' /\
    may_step (cell_entries T c) {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |} V
             (cell_entries T c') race).
  { intros write' read' race' (PW' & PR' & MS) [= <- <-].
    assert (EW : cell_write (cell_of write' read') = write') by (apply cell_write_of; apply plain_small; auto).
    assert (ER : cell_read (cell_of write' read') = read') by (apply cell_read_of; apply plain_small; auto).
    split; [split; rewrite ?EW, ?ER; left; auto|]. unfold cell_entries. rewrite !not_record; auto.
    - rewrite EW, ER; auto.
    - rewrite EW; apply plain_not_object; auto. }
  destruct k; try discriminate.
  - destruct (step_read T V id m (cell_write c) (cell_read c)) as [[[w r] x]|] eqn:E; [|discriminate].
    apply (G w r x); auto. eapply step_read_may; eauto.
  - destruct (step_write T V id m (cell_write c) (cell_read c)) as [[[w r] x]|] eqn:E; [|discriminate].
    apply (G w r x); auto. eapply step_write_may; eauto.
Qed.

(** ** Sets (dh_entries_words, dh_set_make) *)

Definition set_word (id common : N) : N := N.lor (2 ^ 31) (word_of_epoch id common).

Lemma set_word_spec id common : id < 2 ^ 22 -> common < 256 ->
  word_is_object (set_word id common) = true /\ word_is_set (set_word id common) = true /\
  word_set_id (set_word id common) = id /\ word_mask (set_word id common) = common /\ set_word id common <> 0.
Proof.
  intros I M.
  assert (B : forall n, N.testbit (set_word id common) n = (n =? 31) || N.testbit (word_of_epoch id common) n).
  { intros n. unfold set_word. rewrite N.lor_spec, N.pow2_bits_eqb, N.eqb_sym. auto. }
  assert (S : forall n, 30 <= n -> N.testbit (word_of_epoch id common) n = false).
  { intros n P. rewrite word_bit by auto. destruct (N.ltb_spec n 8); [lia|]. apply high_bit with 22; auto; lia. }
  assert (O : word_is_object (set_word id common) = true) by (unfold word_is_object; rewrite B; auto).
  repeat split; auto.
  - unfold word_is_set. apply N.eqb_eq. apply N.bits_inj; intros n. rewrite N.shiftr_spec', B, S by lia.
    rewrite orb_false_r. change 2 with (2 ^ 1). rewrite N.pow2_bits_eqb.
    destruct (N.eqb_spec (n + 30) 31), (N.eqb_spec 1 n); auto; lia.
  - apply N.bits_inj; intros n. unfold word_set_id. rewrite N.shiftr_spec', N.ldiff_spec, B.
    rewrite N.pow2_bits_eqb. rewrite (N.eqb_sym 31). destruct (N.eqb_spec (n + 8) 31).
    + rewrite andb_false_r. symmetry; apply high_bit with 22; auto; lia.
    + rewrite andb_true_r. simpl orb. rewrite word_bit by auto. destruct (N.ltb_spec (n + 8) 8); [lia|].
      f_equal; lia.
  - apply N.bits_inj; intros n. unfold word_mask. rewrite N.land_spec, bit_255, B.
    destruct (N.ltb_spec n 8).
    + destruct (N.eqb_spec n 31); [lia|]. rewrite word_bit by auto.
      destruct (N.ltb_spec n 8); [|lia]. apply andb_true_r.
    + rewrite andb_false_r. symmetry; apply small_bit; auto.
  - intros Q. rewrite Q in O. discriminate.
Qed.

(** [makes T ws w]: w is a word for the words ws: none, the word itself, or a set that holds them. *)
Definition makes (T : tables) (ws : list N) (w : N) : Prop :=
  match ws with
  | [] => w = 0
  | [w0] => w = w0
  | _ => exists id common, id < 2 ^ 22 /\ common < 256 /\ w = set_word id common /\ sets T id = ws
  end.

(** The words of the entries of one kind, in any order, denote those entries. *)
Theorem words_denote (T : tables) (id_of : entry -> N) k l ws w :
  (forall e, In e l -> e_kind e = k /\ id_of e <> 0 /\ id_of e < 2 ^ 23 /\ e_mask e <> 0 /\ e_mask e < 256 /\
                       epochs T (id_of e) = (e_slot e, e_tick e)) ->
  (forall u, In u ws <-> In u (map (fun e => word_of_epoch (id_of e) (e_mask e)) l)) ->
  makes T ws w -> same_members (word_entries T k w) l.
Proof.
  intros G P M.
  assert (WE : forall e, In e l -> word_entry T k (word_of_epoch (id_of e) (e_mask e)) = e).
  { intros e In_e. destruct (G e In_e) as (K & _ & _ & _ & M1 & E). unfold word_entry.
    rewrite word_id, word_mask_of, E by auto. destruct e; simpl in *; subst; auto. }
  assert (D : same_members (map (word_entry T k) ws) l).
  { intros e. rewrite in_map_iff. split.
    - intros (u & <- & In_u). apply P, in_map_iff in In_u. destruct In_u as (e0 & <- & In0).
      rewrite WE by auto; auto.
    - intros In_e. exists (word_of_epoch (id_of e) (e_mask e)). split; auto. apply P, in_map_iff; eauto. }
  destruct ws as [|u [|u' ws]]; simpl in M.
  - subst w. exact D.
  - subst w. assert (U : is_epoch_word u).
    { assert (In_u : In u [u]) by (simpl; auto). apply P, in_map_iff in In_u. destruct In_u as (e & <- & In_e).
      destruct (G e In_e) as (_ & A & B & Cn & Dn & _). exists (id_of e), (e_mask e); auto. }
    destruct (epoch_word_not_object _ U) as (_ & S & Z & _). unfold word_entries.
    apply N.eqb_neq in Z; rewrite Z, S. exact D.
  - destruct M as (id & common & I & Cm & -> & E).
    destruct (set_word_spec id common I Cm) as (_ & S & SI & _ & Z). unfold word_entries.
    apply N.eqb_neq in Z; rewrite Z, S, SI, E. exact D.
Qed.

(** ** Ids and sets may be given out again *)

(** What a cell refers to. *)
Definition word_refers (T : tables) (w id : N) : Prop :=
  if word_is_set w then In id (map word_epoch_id (sets T (word_set_id w))) else id = word_epoch_id w.

(** Tables that agree on all that the cell refers to give it the same meaning: so what no cell refers to
    may be changed. *)
Definition agree_on (T T' : tables) (c : N) : Prop :=
  (forall w, w = cell_write c \/ w = cell_read c -> w <> 0 ->
     (word_is_set w = true -> sets T' (word_set_id w) = sets T (word_set_id w)) /\
     (forall id, word_refers T w id -> epochs T' id = epochs T id)) /\
  (cell_is_record c = true -> records T' (cell_record c) = records T (cell_record c)).

Theorem agree_entries T T' c : agree_on T T' c -> cell_entries T' c = cell_entries T c.
Proof.
  intros (A & R). unfold cell_entries. destruct (cell_is_record c); auto.
  assert (W : forall k w, w = cell_write c \/ w = cell_read c -> word_entries T' k w = word_entries T k w).
  { intros k w Hw. unfold word_entries. destruct (N.eqb_spec w 0) as [|Z]; auto.
    destruct (A w Hw Z) as (S & I). unfold word_refers in I. destruct (word_is_set w).
    - rewrite S by auto. apply map_ext_in. intros u Hu. unfold word_entry.
      rewrite I by (apply in_map; auto). auto.
    - unfold word_entry. rewrite I; auto. }
  rewrite !W; auto.
Qed.

(** ** A whole run *)

Section Run.
  Context {event : Type} {E : Events event}.
  Variable K : list event -> event -> clock.
  Variable ok : list event -> Prop.
  Hypothesis K_exact : exact K ok.
  Hypothesis K_fresh : fresh K ok.
  Hypothesis ok_prefix : forall α e, ok (α ++ [e]) -> ok α.
  Variable touches : event -> option (kind * N).

  Inductive cell_runs : list event -> tables -> N -> N -> Prop :=
  | untouched T : cell_runs [] T 0 0
  | elsewhere α T c r e : cell_runs α T c r -> touches e = None -> cell_runs (α ++ [e]) T c r
  | quick α T c r e k m id c' r' :                     (* dh_cell_step decides *)
      cell_runs α T c r -> touches e = Some (k, m) -> m <> 0 -> m < 256 ->
      id < 2 ^ 23 -> epochs T id = (thread e, K α e (thread e)) ->
      cell_step T (K α e) k id m c = Some (c', r') ->
      cell_runs (α ++ [e]) T c' (N.lor r r')
  | general α T c r e k m l' r' T' c' :                (* dh_entries_step, and whatever encodes its list *)
      cell_runs α T c r -> touches e = Some (k, m) ->
      entries_step (cell_entries T c) (access_of K α e k m) (K α e) = (l', r') ->
      good_cell c' -> same_members (cell_entries T' c') l' ->
      cell_runs (α ++ [e]) T' c' (N.lor r r')
  | collected α T c r T' :                             (* ids and sets are given out again *)
      cell_runs α T c r -> agree_on T T' c -> cell_runs α T' c r.

  Lemma may_step_members l a V l1 l2 r :
    may_step l a V l1 r -> same_members l2 l1 -> may_step l a V l2 r.
  Proof.
    intros [(O & S & R)|(ls & F & S & R)] M; [left|right; exists ls]; repeat split; auto;
      intros X; try (apply S, M; auto); apply M, S; auto.
  Qed.

  Lemma cell_runs_runs α T c r :
    cell_runs α T c r -> good_cell c /\ runs K touches α (cell_entries T c, r).
  Proof.
    induction 1 as [T|α T c r e R (G & IH) Te|α T c r e k m id c' r' R (G & IH) Te M0 M1 I ID S
                   |α T c r e k m l' r' T' c' R (G & IH) Te S G' SM|α T c r T' R (G & IH) A].
    - split; [split; left; left; reflexivity|constructor].
    - split; auto. apply runs_other; auto.
    - destruct (cell_step_may T (K α e) k id m c c' r' _ _ G I M0 M1 ID eq_refl S) as (G' & MS).
      split; auto. eapply runs_access; eauto.
    - split; auto. eapply runs_access; eauto. eapply may_step_members; eauto using entries_step_may.
    - split; auto. rewrite (agree_entries T T' c A). auto.
  Qed.

  Theorem cell_precise α T c r b :
    ok α -> cell_runs α T c r -> (on b r = true <-> race_on (byte touches b) α b).
  Proof.
    intros O R. apply cell_runs_runs in R. destruct R as (_ & R).
    eapply entries_precise; eauto.
  Qed.
End Run.
