"""Splits an export with a row for each line item into files of invoices and of their line items."""
import csv
import sys
from datetime import datetime
from pathlib import Path

# Edit these: our column on the left, that of the export on the right. Leave out what it lacks.
INVOICE = {
    "invoiceNumber": "Invoice Number",
    "extCustomerRef": "Customer",
    "invoiceDate": "Invoice Date",
    "dueDate": "Due Date",
    "currency": "Currency",
    "notes": "Memo",
}
LINE = {
    "invoiceText": "Description",
    "quantity": "Quantity",
    "unitPrice": "Unit Price",
    "amount": "Amount",
}
DATES = {"invoiceDate", "dueDate", "billingStartDate", "billingEndDate"}
DECIMALS = {"quantity", "unitPrice", "amount", "currentAmountDue", "paymentsAndAdjustments"}
# As strptime has it: %m/%d/%Y is 12/31/2026, %d.%m.%Y is 31.12.2026.
DATE_FORMAT = "%m/%d/%Y"
DECIMAL_POINT = "."

if len(sys.argv) != 3:
    print("usage: python3 split_export.py EXPORT.csv FOLDER", file=sys.stderr)
    sys.exit(2)


def cell(column, text, line):
    text = text.strip()
    try:
        if text and column in DATES:
            return datetime.strptime(text, DATE_FORMAT).strftime("%Y-%m-%d")
        if text and column in DECIMALS:
            return decimal(text)
    except ValueError:
        sys.exit(f"line {line}: {column} cannot be read: {text}")
    return text


def decimal(text):
    """1,234.50 and $1,234.50 become 1234.50; (5.00) becomes -5.00."""
    digits = "".join(each for each in text if each.isdigit() or each in "-(" + DECIMAL_POINT)
    plain = digits.replace(DECIMAL_POINT, ".").replace("(", "-")
    float(plain)
    return plain


invoices, lines, positions = {}, [], {}
# utf-8-sig leaves out the byte order mark that spreadsheets write.
with open(sys.argv[1], encoding="utf-8-sig", newline="") as export:
    rows = csv.DictReader(export)
    names = rows.fieldnames or []
    missing = sorted({*INVOICE.values(), *LINE.values()} - set(names))
    if missing:
        sys.exit(f"the export lacks {', '.join(missing)}; it has {', '.join(names)}")
    for row in rows:
        if not any((text or "").strip() for text in row.values() if isinstance(text, str)):
            continue
        if None in row or None in row.values():
            sys.exit(f"line {rows.line_num}: the number of its cells is not that of the columns")
        invoice = {ours: cell(ours, row[theirs], rows.line_num) for ours, theirs in INVOICE.items()}
        number = invoice["invoiceNumber"]
        if invoices.setdefault(number, invoice) != invoice:
            sys.exit(f"line {rows.line_num}: invoice {number} differs from its row before")
        positions[number] = positions.get(number, 0) + 1
        line = {ours: cell(ours, row[theirs], rows.line_num) for ours, theirs in LINE.items()}
        lines.append({"invoiceNumber": number, "position": positions[number], **line})

folder = Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
for name, columns, found in [
    ("invoices.csv", list(INVOICE), invoices.values()),
    ("lines.csv", ["invoiceNumber", "position", *LINE], lines),
]:
    with open(folder / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(found)
    print(f"{folder / name}: {len(found)} rows")
