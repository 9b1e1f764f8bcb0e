"""Distinct races in files of reports: races.py FILE... prints "race FINGERPRINT VARIABLE" and the two places."""
import json
import os
import sys

seen = set()
for path in sys.argv[1:]:
    if not os.path.exists(path):  # a pattern that matches nothing
        continue
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            race = json.loads(line)
            if race["fingerprint"] in seen:
                continue
            seen.add(race["fingerprint"])
            location = race.get("location") or {}
            print("race", race["fingerprint"], location.get("name") or location.get("memory") or "?")
            for side in race["sides"]:
                frames = (side["stack"] or {}).get("frames") or []
                places = [f"{f['function'] or '?'} {os.path.basename(f['file'] or '?')}:{f['line']}" for f in frames]
                print("   ", "atomic" if side["atomic"] else "plain", side["access"], side["field"] or "",
                      "in", ", ".join(places[:6]) or "a place no longer on record")
