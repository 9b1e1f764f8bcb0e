(* Judges traces with the detectors that Coq proved right.

   Usage: judge [atomics|full|multijoin|entries|vectorclock|fasttrack] < traces

   Reads the text form of docs/traces.md; several traces may follow each other, each with its first line. For each
   it prints a line.
     atomics       the events that are the first to race on some byte, and the bytes: POSITION:BYTE,BYTE
     full          every event that races with an earlier one, and on which bytes
     multijoin, entries
                   as atomics, but they know no load, store, rmw, compare and fence
     vectorclock   every event that races with an earlier one, by its position; no atomics
     fasttrack     the first of these; no atomics
   Positions are counted from 0.

   What the proved detectors have no word for is put into those that they have, here and nowhere else:
     read, write of n bytes   n accesses
     alloc                    its bytes are locations that nobody has touched; then writes, as free
     a reader-writer lock     two locks: what writers released, what readers did
     signal and arrive        releases that join; wait and depart: acquires
     compare                  a load
     fence acq_rel, seq_cst   an acquire fence, then a release fence
     check, race              nothing: they are not the program's
   It is not looked at whether the trace is one that can be (src/trace/wellformed.h). *)
open Detectors

exception Bad of string
let bad format = Printf.ksprintf (fun why -> raise (Bad why)) format

(* ---- one trace ---- *)

type trace = {
  mutable position : int;
  mutable events : (int * aevent) list;            (* newest first; with the position each comes from *)
  cells : (int, int array) Hashtbl.t;              (* of eight bytes of memory: their present locations *)
  mutable addresses : (int, int) Hashtbl.t;        (* of locations *)
  mutable next_cell : int;
  locks : (string * int, int) Hashtbl.t;
}

let start () = {
  position = 0; events = []; cells = Hashtbl.create 16; addresses = Hashtbl.create 16; next_cell = 0;
  locks = Hashtbl.create 16;
}

(* Locations are small numbers. The bytes of a cell stay together: the proved heads are kept cell by cell. *)
let fresh_cell trace = trace.next_cell <- trace.next_cell + 1; trace.next_cell - 1
let cell trace address =
  match Hashtbl.find_opt trace.cells (address / 8) with
  | Some locations -> locations
  | None ->
      let fresh = fresh_cell trace in
      let locations = Array.init 8 (fun i -> 8 * fresh + i) in
      Hashtbl.add trace.cells (address / 8) locations;
      Array.iteri (fun i x -> Hashtbl.add trace.addresses x (address / 8 * 8 + i)) locations;
      locations

let bytes address size = List.init size (fun i -> address + i)
let location trace address = (cell trace address).(address mod 8)

(* What is allocated is memory that nobody has touched, whatever its address. *)
let renew trace addresses =
  let fresh = Hashtbl.create 4 in
  List.iter (fun a ->
    let locations = cell trace a in
    if not (Hashtbl.mem fresh (a / 8)) then Hashtbl.add fresh (a / 8) (fresh_cell trace);
    let x = 8 * Hashtbl.find fresh (a / 8) + a mod 8 in
    locations.(a mod 8) <- x;
    Hashtbl.add trace.addresses x a) addresses

let lock trace what number =
  match Hashtbl.find_opt trace.locks (what, number) with
  | Some m -> m
  | None -> let m = Hashtbl.length trace.locks in Hashtbl.add trace.locks (what, number) m; m

(* ---- reading ---- *)

let is_number s =
  let digits from ok = String.length s > from
    && (let all = ref true in String.iteri (fun i c -> if i >= from && not (ok c) then all := false) s; !all) in
  let decimal = function '0' .. '9' -> true | _ -> false in
  digits 0 decimal
  || (String.length s > 2 && String.sub s 0 2 = "0x"
      && digits 2 (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false))

let number s =
  if not (is_number s) then bad "not a number: %s" s;
  match int_of_string_opt s with
  | Some n when n >= 0 -> n
  | _ -> bad "%s is more than the judge can hold" s

let range address size =
  let size = number size in
  if size = 0 || size > 1 lsl 20 then bad "the judge takes 1 to %d bytes" (1 lsl 20);
  bytes (number address) size

let acquires = function
  | "acquire" | "consume" | "acq_rel" | "seq_cst" -> true
  | "relaxed" | "release" -> false
  | order -> bad "not a memory order: %s" order
let releases order = not (List.mem order ["relaxed"; "acquire"; "consume"]) && (ignore (acquires order); true)

let operation trace words =
  let at a n = List.map (location trace) (range a n) in
  let each kind xs = List.map (fun x -> Base (Access (kind, x))) xs in
  let lock what m = lock trace what (number m) in
  match words with
  | ["read"; a; n] -> each Read (at a n)
  | ["write"; a; n] | ["free"; a; n] -> each Write (at a n)
  | ["alloc"; a; n] -> renew trace (range a n); each Write (at a n)
  | ["load" | "compare"; a; n; order] | ["load" | "compare"; a; n; order; "c++20"] ->
      [Load (at a n, acquires order)]
  | ["store"; a; n; order] -> [Store (at a n, releases order, C11)]
  | ["store"; a; n; order; "c++20"] -> [Store (at a n, releases order, Cxx20)]
  | ["rmw"; a; n; order] | ["rmw"; a; n; order; "c++20"] -> [Rmw (at a n, acquires order, releases order)]
  | ["fence"; order] | ["fence"; order; "c++20"] ->
      (if acquires order then [FenceAcq] else []) @ (if releases order then [FenceRel] else [])
  | ["acquire"; m] -> [Base (Acq (lock "writers" m)); Base (Acq (lock "readers" m))]
  | ["release"; m] -> [Base (Rel (lock "writers" m))]
  | ["rdacquire"; m] -> [Base (Acq (lock "writers" m))]
  | ["rdrelease"; m] -> [Base (RelJoin (lock "readers" m))]
  | ["signal"; m] -> [Base (RelJoin (lock "signal" m))]
  | ["wait"; m] -> [Base (Acq (lock "signal" m))]
  | ["arrive"; m] -> [Base (RelJoin (lock "barrier" m))]
  | ["depart"; m] -> [Base (Acq (lock "barrier" m))]
  | ["fork"; u] -> [Base (Fork (number u))]
  | ["join"; u] -> [Base (Join (number u))]
  | ["exit"] -> [Base Exit]
  | ["check"; ("read" | "write" | "atomic_read" | "atomic_write"); a; n] | ["race"; a; n] ->
      ignore (range a n); []
  | op :: _ -> bad "not an event the judge knows: %s" op
  | [] -> bad "expected: THREAD OPERATION"

(* The site at the end of an event is of no interest. *)
let rec siteless = function
  | [site] when String.length site > 1 && site.[0] = '@' ->
      ignore (number (String.sub site 1 (String.length site - 1))); []
  | word :: rest -> word :: siteless rest
  | [] -> []

let words line =
  let line = match String.index_opt line '#' with Some i -> String.sub line 0 i | None -> line in
  String.split_on_char ' ' (String.map (function '\t' | '\r' -> ' ' | c -> c) line)
  |> List.filter (fun w -> w <> "")

let read_event trace = function
  | "site" :: _ -> ()
  | thread :: rest ->
      let thread = number thread in
      List.iter (fun op -> trace.events <- (trace.position, (thread, op)) :: trace.events)
        (operation trace (siteless rest));
      trace.position <- trace.position + 1
  | [] -> ()

(* ---- judging ---- *)

let plain detector (_, (thread, op)) = match op with
  | Base op -> (thread, op)
  | _ -> bad "%s knows no atomics" detector

let threads events =
  List.fold_left (fun n (_, (t, op)) -> max n (1 + match op with Base (Fork u) -> max t u | _ -> t)) 0 events

let judge detector trace =
  let events = List.rev trace.events in
  let n = threads events in
  let origin = Array.of_list (List.map fst events) in
  let positions found =
    String.concat " " (List.map string_of_int (List.sort_uniq compare (List.map (fun j -> origin.(j)) found))) in
  (* One event may be several to the detector. *)
  let with_bytes found =
    let rec merge = function
      | (j, xs) :: (k, ys) :: rest when origin.(j) = origin.(k) -> merge ((j, xs @ ys) :: rest)
      | one :: rest -> one :: merge rest
      | [] -> [] in
    let name (j, xs) =
      let addresses = List.sort_uniq compare (List.map (Hashtbl.find trace.addresses) xs) in
      Printf.sprintf "%d:%s" origin.(j) (String.concat "," (List.map (Printf.sprintf "0x%x") addresses)) in
    String.concat " " (List.map name (merge found)) in
  let plain () = List.map (plain detector) events in
  match detector with
  | "atomics" -> with_bytes (atomic_judge n (List.map snd events))
  | "full" -> with_bytes (atomic_full_judge n (List.map snd events))
  | "multijoin" -> with_bytes (mj_entries_judge (plain ()))
  | "entries" -> with_bytes (vc_entries_judge (plain ()))
  | "vectorclock" -> positions (vc_judge n initial 0 (plain ()))
  | "fasttrack" -> positions (Option.to_list (ft_judge n ft_initial 0 (plain ())))
  | name -> bad "no detector called %s" name

let () =
  let detector = if Array.length Sys.argv > 1 then Sys.argv.(1) else "atomics" in
  let line = ref 0 in
  let finish = Option.iter (fun trace -> print_endline (judge detector trace)) in
  let rec loop trace =
    match input_line stdin with
    | exception End_of_file ->
        if trace = None then bad "not a trace: it does not begin with \"deadheat trace 1\"";
        finish trace
    | text ->
        incr line;
        match words text, trace with
        | ["deadheat"; "trace"; "1"], _ -> finish trace; loop (Some (start ()))
        | _, None -> bad "not a trace: it does not begin with \"deadheat trace 1\""
        | ws, Some t -> read_event t ws; loop trace in
  try loop None with Bad why -> Printf.eprintf "judge: line %d: %s\n" !line why; exit 2
