(* Judges traces with the detectors that Coq proved right (Judge.v).

   Usage: judge [vectorclock|fasttrack|entries|multijoin] < traces

   One event a line: THREAD OP [ARGUMENT], with OP one of
     rd wr ard awr LOCATION    plain and atomic reads and writes
     acq rel relj LOCK         relj: a release that joins (semaphores, rwlock readers)
     fork join THREAD
     exit
   "#" begins a comment. A line "end" ends a trace; the end of the input does too. For each trace one line:
   the positions (from 0) of the racy events. "vectorclock" names every event that races with an earlier
   one, "fasttrack" the first of them, "entries" and "multijoin" the first on each location. *)
open Detectors

exception Bad of string

let number s = match int_of_string_opt s with
  | Some n when n >= 0 -> n
  | _ -> raise (Bad ("not a number: " ^ s))

let event words =
  let thread, op = match words with
    | [t; "exit"] -> t, Exit
    | [t; "rd"; x] -> t, Access (Read, number x)
    | [t; "wr"; x] -> t, Access (Write, number x)
    | [t; "ard"; x] -> t, Access (AtomicRead, number x)
    | [t; "awr"; x] -> t, Access (AtomicWrite, number x)
    | [t; "acq"; m] -> t, Acq (number m)
    | [t; "rel"; m] -> t, Rel (number m)
    | [t; "relj"; m] -> t, RelJoin (number m)
    | [t; "fork"; u] -> t, Fork (number u)
    | [t; "join"; u] -> t, Join (number u)
    | _ -> raise (Bad "expected: THREAD OP [ARGUMENT]") in
  (number thread, op)

let words line =
  let line = match String.index_opt line '#' with Some i -> String.sub line 0 i | None -> line in
  String.split_on_char ' ' (String.map (function '\t' | '\r' -> ' ' | c -> c) line)
  |> List.filter (fun w -> w <> "")

let threads trace = List.fold_left (fun n (t, _) -> max n (t + 1)) 0 trace

let detector = function
  | "vectorclock" -> fun trace -> vc_judge (threads trace) initial 0 trace
  | "fasttrack" -> fun trace -> Option.to_list (ft_judge (threads trace) ft_initial 0 trace)
  | "entries" -> e_judge sync_step e_initial 0
  | "multijoin" -> e_judge mj_sync_step e_initial 0
  | name -> prerr_endline ("judge: no detector called " ^ name); exit 2

let () =
  let judge = detector (if Array.length Sys.argv > 1 then Sys.argv.(1) else "vectorclock") in
  let finish events =
    print_endline (String.concat " " (List.map string_of_int (judge (List.rev events)))) in
  let rec loop number events =
    match input_line stdin with
    | exception End_of_file -> if events <> [] then finish events
    | line ->
        match words line with
        | [] -> loop (number + 1) events
        | ["end"] -> finish events; loop (number + 1) []
        | ws ->
            let e = try event ws with Bad why ->
              Printf.eprintf "judge: line %d: %s\n" number why; exit 2 in
            loop (number + 1) (e :: events) in
  loop 1 []
