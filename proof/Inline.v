(** The inlined test (src/rt/same.h): a word that matches the running epoch's, or that of a set which holds it,
    says that the access is on record. So to leave it at that is one of the things that may be done with the cell
    (READSAMEEPOCH, WRITESAMEEPOCH): it reports nothing and changes nothing. *)
From Deadheat Require Export Packed.
Local Open Scope N_scope.

Definition id_bits : N := N.shiftl (N.ones 24) 8.   (* ids in rt/same.h: a word without its byte mask *)

(** same_write_part, same_read_part: equal in the id, and on the bytes of the access. For a whole cell m is 255, and
    the test is equality of words. *)
Definition matches (w mine m : N) : bool := N.land (N.lxor w mine) (N.lor id_bits m) =? 0.

Lemma id_bit n : N.testbit id_bits n = (8 <=? n) && (n <? 32).
Proof.
  unfold id_bits. destruct (N.leb_spec 8 n).
  - rewrite N.shiftl_spec_high' by auto. destruct (N.ltb_spec n 32).
    + apply N.ones_spec_low. lia.
    + apply N.ones_spec_high. lia.
  - apply N.shiftl_spec_low. auto.
Qed.

Lemma matches_bit w mine m n :
  matches w mine m = true -> (8 <= n < 32 \/ N.testbit m n = true) -> N.testbit w n = N.testbit mine n.
Proof.
  intros Q D. apply N.eqb_eq in Q.
  assert (X : N.testbit (N.land (N.lxor w mine) (N.lor id_bits m)) n = false) by (rewrite Q; apply N.bits_0).
  rewrite N.land_spec, N.lxor_spec, N.lor_spec, id_bit in X.
  assert (B : (8 <=? n) && (n <? 32) || N.testbit m n = true).
  { destruct D as [(D1 & D2)| ->]; [|apply orb_true_r].
    destruct (N.leb_spec 8 n), (N.ltb_spec n 32); try lia; auto. }
  rewrite B, andb_true_r in X. apply xorb_eq. auto.
Qed.

(** Equal words match, whatever the bytes. *)
Lemma equal_matches w m : matches w w m = true.
Proof. unfold matches. rewrite N.lxor_nilpotent. apply N.eqb_refl. Qed.

Section Inline.
  Variables (T : tables) (V : clock) (id m : N) (slot : tid) (now : nat).
  Hypothesis I1 : id < 2 ^ 23.
  Hypothesis I0 : id <> 0.
  Hypothesis M1 : m < 256.
  Hypothesis ID : epochs T id = (slot, now).

  Let mine := word_of_epoch id 255.    (* __dh_tls.epoch *)
  Let access (k : kind) : entry := {| e_slot := slot; e_tick := now; e_mask := m; e_kind := k |}.

  Lemma mine_bit n : N.testbit mine n = if n <? 8 then true else N.testbit id (n - 8).
  Proof.
    unfold mine. rewrite word_bit by lia. destruct (N.ltb_spec n 8); auto. rewrite bit_255. apply N.ltb_lt; auto.
  Qed.

  Lemma shares_id w : w < 2 ^ 32 -> matches w mine m = true -> word_epoch_id w = id.
  Proof.
    intros W Q. apply N.bits_inj; intros n. unfold word_epoch_id. rewrite N.shiftr_spec'.
    destruct (N.ltb_spec (n + 8) 32).
    - rewrite (matches_bit _ _ _ (n + 8) Q) by (left; lia). rewrite mine_bit.
      destruct (N.ltb_spec (n + 8) 8); [lia|]. f_equal; lia.
    - rewrite (high_bit w _ 32), (high_bit id n 23); auto; lia.
  Qed.

  Lemma covers w : matches w mine m = true -> N.ldiff m (word_mask w) = 0.
  Proof.
    intros Q. apply N.bits_inj; intros n. rewrite N.bits_0, N.ldiff_spec. unfold word_mask.
    rewrite N.land_spec, bit_255.
    destruct (N.testbit m n) eqn:B; auto. simpl. rewrite (matches_bit _ _ _ n Q) by auto. rewrite mine_bit.
    destruct (N.ltb_spec n 8); auto. rewrite (small_bit m n) in B by auto. discriminate.
  Qed.

  Lemma match_no_set w : w < 2 ^ 32 -> matches w mine m = true -> word_is_set w = false /\ w <> 0.
  Proof.
    intros W Q. split.
    - unfold word_is_set. apply N.eqb_neq. intros X.
      assert (Y : N.testbit (N.shiftr w 30) 1 = true) by (rewrite X; auto). rewrite N.shiftr_spec' in Y.
      rewrite (matches_bit _ _ _ (1 + 30) Q), mine_bit in Y by (left; lia).
      destruct (N.ltb_spec (1 + 30) 8); [lia|]. rewrite (high_bit id _ 23) in Y; auto; try discriminate; lia.
    - intros ->. apply I0. rewrite <- (shares_id 0 W Q). reflexivity.
  Qed.

  (** The entry of the epoch on these bytes, at least. *)
  Lemma on_record_in l k e :
    In e l -> e_slot e = slot -> e_tick e = now -> e_kind e = k -> N.ldiff m (e_mask e) = 0 ->
    on_record l (access k) = true.
  Proof.
    intros I S N K M. unfold on_record. apply existsb_exists. exists e. split; auto. unfold same_epoch. simpl.
    rewrite S, N, K, M, !Nat.eqb_refl. destruct k; reflexivity.
  Qed.

  Lemma epoch_on_record k w l l' :
    w < 2 ^ 32 -> matches w mine m = true ->
    on_record (l ++ word_entries T k w ++ l') (access k) = true.
  Proof.
    intros W Q. destruct (match_no_set w W Q) as (S & Z). apply on_record_in with (word_entry T k w).
    - apply in_or_app; right. apply in_or_app; left. unfold word_entries. apply N.eqb_neq in Z. rewrite Z, S.
      simpl; auto.
    - simpl. rewrite (shares_id w W Q), ID. auto.
    - simpl. rewrite (shares_id w W Q), ID. auto.
    - auto.
    - apply covers; auto.
  Qed.

  Lemma set_on_record set w l :
    set < 2 ^ 22 -> In mine (sets T set) -> w < 2 ^ 32 -> matches w (set_word set 255) m = true ->
    on_record (l ++ word_entries T Read w) (access Read) = true.
  Proof.
    intros S1 I W Q. destruct (set_word_spec set 255 S1 eq_refl) as (_ & SS & SI & _ & _).
    assert (B : forall n, 8 <= n -> N.testbit w n = N.testbit (set_word set 255) n).
    { intros n P. destruct (N.ltb_spec n 32); [apply (matches_bit _ _ _ n Q); left; lia|].
      rewrite (high_bit w n 32) by auto. unfold set_word. rewrite N.lor_spec, N.pow2_bits_eqb.
      destruct (N.eqb_spec 31 n); [lia|]. rewrite word_bit by lia. destruct (N.ltb_spec n 8); [lia|].
      rewrite (high_bit set _ 22); auto; lia. }
    assert (WS : word_is_set w = true).
    { rewrite <- SS. unfold word_is_set. f_equal. apply N.bits_inj; intros n. rewrite !N.shiftr_spec'. apply B.
      lia. }
    assert (WI : word_set_id w = set).
    { rewrite <- SI. unfold word_set_id. apply N.bits_inj; intros n.
      rewrite !N.shiftr_spec', !N.ldiff_spec, B by lia. auto. }
    assert (Z : w <> 0) by (intros ->; discriminate).
    apply on_record_in with (word_entry T Read mine).
    - apply in_or_app; right. unfold word_entries. apply N.eqb_neq in Z. rewrite Z, WS, WI. apply in_map; auto.
    - simpl. unfold mine. rewrite word_id, ID by lia. auto.
    - simpl. unfold mine. rewrite word_id, ID by lia. auto.
    - auto.
    - simpl. unfold mine. rewrite word_mask_of by lia. apply N.bits_inj; intros n.
      rewrite N.bits_0, N.ldiff_spec, bit_255.
      destruct (N.ltb_spec n 8); [apply andb_false_r|]. rewrite small_bit; auto.
  Qed.

  (** Both words of a record are the same, and no epoch and no set has the bits of one. *)
  Lemma no_record c mask w :
    (cell_is_record c = true -> cell_read c = cell_write c) -> w = cell_write c \/ w = cell_read c ->
    N.testbit mask 30 = false \/ N.testbit mask 31 = false -> matches w mask m = true -> cell_is_record c = false.
  Proof.
    intros Same D Clear Q. destruct (cell_is_record c) eqn:R; auto. exfalso. specialize (Same eq_refl).
    assert (B : forall n, n = 30 \/ n = 31 -> N.testbit (cell_write c) n = true).
    { intros n Hn. unfold cell_is_record in R. apply N.eqb_eq in R.
      assert (X : N.testbit (N.land (cell_write c) record_bits) n = true) by (rewrite R; destruct Hn; subst; reflexivity).
      rewrite N.land_spec in X. apply andb_prop in X. tauto. }
    assert (Qw : w = cell_write c) by (destruct D; congruence). subst w.
    pose proof (matches_bit _ _ _ 30 Q) as X. pose proof (matches_bit _ _ _ 31 Q) as Y.
    rewrite B in X by auto. rewrite B in Y by auto.
    assert (X' : true = N.testbit mask 30) by (apply X; left; lia).
    assert (Y' : true = N.testbit mask 31) by (apply Y; left; lia). destruct Clear; congruence.
  Qed.

  Theorem inlined_test_may_pass c :
    cell_write c < 2 ^ 32 -> cell_read c < 2 ^ 32 -> (cell_is_record c = true -> cell_read c = cell_write c) ->
    (matches (cell_write c) mine m = true ->
     may_step (cell_entries T c) (access Write) V (cell_entries T c) 0) /\
    (matches (cell_read c) mine m = true ->
     may_step (cell_entries T c) (access Read) V (cell_entries T c) 0) /\
    (forall set, set < 2 ^ 22 -> In mine (sets T set) -> matches (cell_read c) (set_word set 255) m = true ->
     may_step (cell_entries T c) (access Read) V (cell_entries T c) 0).
  Proof.
    intros W R Same.
    assert (C31 : N.testbit mine 31 = false).
    { rewrite mine_bit. destruct (N.ltb_spec 31 8); [lia|]. apply high_bit with 23; auto; lia. }
    assert (D : forall k, on_record (cell_entries T c) (access k) = true ->
              may_step (cell_entries T c) (access k) V (cell_entries T c) 0).
    { intros k O. left. repeat split; auto. }
    split; [|split].
    - intros Q. apply D. unfold cell_entries. rewrite (no_record c mine (cell_write c)); auto.
      apply (epoch_on_record Write (cell_write c) []); auto.
    - intros Q. apply D. unfold cell_entries. rewrite (no_record c mine (cell_read c)); auto.
      rewrite <- (app_nil_r (word_entries T Read (cell_read c))). apply epoch_on_record; auto.
    - intros set S1 I Q. apply D. unfold cell_entries. rewrite (no_record c (set_word set 255) (cell_read c)); auto.
      + apply set_on_record with set; auto.
      + left. unfold set_word. rewrite N.lor_spec, N.pow2_bits_eqb, word_bit by lia. simpl N.eqb. simpl N.ltb.
        cbn [orb].
        apply high_bit with 22; auto; lia.
  Qed.
End Inline.
