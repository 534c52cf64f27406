"""The first order in Python: a customer, an order with its invoice, the invoice."""

import base64
import sys
import urllib.error
import urllib.request
import uuid
import xml.etree.ElementTree as ET

if len(sys.argv) != 5:
    print("usage: python3 first_order.py ADDRESS HOST USER PASSWORD", file=sys.stderr)
    print(
        "for example: python3 first_order.py"
        " http://127.0.0.1:8080 demo.localhost api@demo demo-secret",
        file=sys.stderr,
    )
    sys.exit(2)
address, host, user, password = sys.argv[1:]


def send(method, path, body=None):
    """Sends a call and returns the root of its answer; anything but success ends the program."""
    credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
    headers = {"Host": host, "Authorization": f"Basic {credentials}"}
    data = None
    if body is not None:
        headers |= {"Content-Type": "application/xml", "Idempotency-Key": str(uuid.uuid4())}
        data = ET.tostring(body, encoding="utf-8")
    request = urllib.request.Request(f"{address}/rest{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return ET.fromstring(answer.read())
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path} answered {error.code}: {error.read().decode()}")


def element(name, *children, text=None):
    made = ET.Element(name)
    made.text = text
    made.extend(children)
    return made


reference = f"python-{uuid.uuid4()}"

customer = send(
    "POST",
    "/customers",
    element(
        "customer",
        element("extCustomerRef", text=reference),
        element(
            "billingContact",
            element("firstName", text="Ada"),
            element("lastName", text="Byron"),
        ),
    ),
)
print("customer", customer.get("id"))

order = send(
    "POST",
    f"/orders?extCustomerRef={reference}&generateInvoice=true",
    element("subscriptionOrder", element("contractCode", text="GOLD")),
)
print("order", order.findtext("orderNumber"))

invoice = send("GET", f"/invoice/{order.find('invoices/invoice').get('id')}")
print(
    f"invoice {invoice.findtext('invoiceNumber')} of {invoice.findtext('invoiceDate')} "
    f"over {invoice.findtext('currentAmountDue')}, due {invoice.findtext('dueDate')}"
)
