"""Makes the correction file of an import: the rows of its result that failed, without what was added."""
import csv
import sys

ADDED = ["importLine", "importStatus", "importId", "importError"]

if len(sys.argv) != 3:
    print("usage: python3 correct_import.py RESULT.csv CORRECTION.csv", file=sys.stderr)
    sys.exit(2)

# utf-8-sig leaves out the byte order mark with which a result begins.
with open(sys.argv[1], encoding="utf-8-sig", newline="") as result:
    columns, *rows = csv.reader(result)
if columns[-len(ADDED) :] != ADDED:
    sys.exit("the file is no result of an import")
if columns == ADDED:
    sys.exit(f"no row was read: {rows[0][-1]}")

failed = [row for row in rows if row[-3] in ("Failure", "Cancelled")]
# It is written like a result, so that spreadsheets show é as it is.
with open(sys.argv[2], "w", encoding="utf-8-sig", newline="") as correction:
    writer = csv.writer(correction)
    writer.writerow(columns[: -len(ADDED)])
    writer.writerows(row[: -len(ADDED)] for row in failed)

for place, row in enumerate(failed, start=2):
    print(f"row {place}: {row[-1] or row[-3]}")
print(f"{sys.argv[2]}: {len(failed)} rows to correct", file=sys.stderr)
if "passwd" in columns:
    print("passwd is blank in results: enter the passwords again", file=sys.stderr)
