"""A metered service: it uploads usage, sees the next invoice, closes a month, and reads a report.

Each command is one step. The state is Sundial's, and the name of the customer is an argument.
"""

import sys
from datetime import date, timedelta
from decimal import Decimal

# In a project of yours the package is installed, and this search path is not needed.
sys.path.insert(0, f"{__file__.rsplit('/', 3)[0]}/clients/python")

from sundial_client import NotFound, Refusal, Sundial, types  # noqa: E402

USAGE = "usage: python3 metered.py ADDRESS HOST USER PASSWORD COMMAND CUSTOMER"


def begin(sundial: Sundial, customer: str) -> None:
    """The customer orders on the first day of the clock's next month."""
    now = sundial.get_test_clock().now
    first = first_of_next_month(now.date())
    sundial.advance_clock(first)
    try:
        sundial.get_customer(ext_customer_ref=customer)
    except NotFound:
        contact = types.BillingContact(first_name="Ada", email_primary="ada@example.com")
        made = types.Customer(ext_customer_ref=customer, name=customer, billing_contact=contact)
        sundial.create_customer(customer=made)
    order = sundial.create_order(
        ext_customer_ref=customer,
        generate_invoice=True,
        subscription_order=types.SubscriptionOrder(contract_code="TRANSCRIBE"),
    )
    print(f"order {order.order_number} begins on {order.start_date}")


def upload(sundial: Sundial, customer: str) -> None:
    """A day's usage, which may be uploaded again: stored records are passed over."""
    today = sundial.get_test_clock().now.date()
    records = [
        types.Activity(
            ext_ref_id=f"{customer}-{today}-{number}",
            ext_customer_ref=customer,
            price_code="MINUTES",
            quantity=minutes,
            charge_date=today,
        )
        for number, minutes in enumerate([Decimal("42.5"), Decimal("80"), Decimal("7.5")], 1)
    ]
    stored = sundial.create_activities(activities=records, on_duplicate="skip")
    new = [record for record in stored if not record.duplicate]
    print(f"{len(new)} records are new, {len(stored) - len(new)} were there")


def forecast(sundial: Sundial, customer: str) -> None:
    """What the next invoice comes to, by what is known today."""
    for invoice in sundial.list_customer_next_invoice(ext_customer_ref=customer):
        print(f"on {invoice.invoice_date} {customer} will be billed {invoice.current_amount_due}")
        show_charges(invoice)


def close(sundial: Sundial, customer: str) -> None:
    """The month passes, and is billed."""
    today = sundial.get_test_clock().now.date()
    sundial.advance_clock(first_of_next_month(today))
    invoices = list(sundial.iterate_invoices(ext_customer_ref=customer))
    for invoice in sorted(invoices, key=lambda each: each.id):
        print(f"invoice of {invoice.invoice_date}: {invoice.current_amount_due}")
        show_charges(invoice)
    total = sum((invoice.current_amount_due for invoice in invoices), Decimal(0))
    balance = sundial.get_customer(ext_customer_ref=customer).customer_financials.current_balance
    print(f"{customer} owes {balance}; the invoices come to {total}")


def report(sundial: Sundial, customer: str) -> None:
    """The revenue of the month that was closed, by the ledger."""
    last = sundial.get_test_clock().now.date() - timedelta(days=1)
    found = sundial.get_report(name="revenue", from_=last.replace(day=1), to=last)
    for row in found.rows:
        print(f"{row.month} {row.accounting_code or '-'} {row.revenue} {row.currency.id}")


def show_charges(invoice: types.Invoice) -> None:
    for line in invoice.invoice_line_items:
        for charge in line.invoice_line_item_charges:
            print(f"  {charge.invoice_text}: {charge.quantity} for {charge.amount}")


def first_of_next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


COMMANDS = {each.__name__: each for each in (begin, upload, forecast, close, report)}


def main() -> None:
    if len(sys.argv) != 7 or sys.argv[5] not in COMMANDS:
        sys.exit(f"{USAGE}\ncommands: {', '.join(COMMANDS)}")
    address, host, user, password, command, customer = sys.argv[1:]
    with Sundial(address, host=host, user=user, password=password) as sundial:
        try:
            COMMANDS[command](sundial, customer)
        except Refusal as refusal:
            sys.exit(str(refusal))


main()
