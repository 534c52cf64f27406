"""The client against a running system, whose address and tenant are in SUNDIAL_PLACE."""

import json
import os
import unittest
import uuid
from datetime import date, datetime, timezone
from decimal import Decimal

from sundial_client import (
    CLEAR,
    AccessDenied,
    CallOptions,
    ForgedCallback,
    InvalidRequest,
    NoAnswer,
    NotFound,
    ObjectChanged,
    SeenCallbacks,
    Sundial,
    types,
    verify_callback,
)

PLACE = json.loads(os.environ["SUNDIAL_PLACE"])


def client(**more):
    given = {key: PLACE[key] for key in ("address", "host", "user", "password")}
    return Sundial(**{**given, **more})


def a_customer(reference):
    contact = types.BillingContact(first_name="Ada", email_primary="ada@example.com")
    return types.Customer(ext_customer_ref=reference, name="Ada & Söhne <1815>", billing_contact=contact)


class Running(unittest.TestCase):
    def setUp(self):
        self.reference = f"py-{uuid.uuid4()}"
        self.sundial = client()
        self.addCleanup(self.sundial.close)

    def ordered(self, plan="GOLD", **more):
        return self.sundial.create_order(
            ext_customer_ref=self.reference,
            subscription_order=types.SubscriptionOrder(contract_code=plan),
            **more,
        )

    def test_a_customer_and_an_order_are_made_and_read_back(self):
        made = self.sundial.create_customer(customer=a_customer(self.reference))
        self.assertEqual(made.name, "Ada & Söhne <1815>")
        self.assertEqual(self.sundial.get_customer(id=made.id), made)
        self.assertEqual(self.sundial.get_customer(ext_customer_ref=self.reference), made)
        order = self.ordered(generate_invoice=True)
        self.assertEqual(order.total_lifetime_value, Decimal("78.95"))
        self.assertIsInstance(order.start_date, date)
        self.assertIs(order.is_auto_renew, True)
        self.assertIsNone(order.end_date)
        invoice = self.sundial.get_invoice(id=order.invoices[0].id)
        self.assertEqual(invoice.total_due, Decimal("78.95"))
        charges = [
            (charge.price_code, charge.amount)
            for line in invoice.invoice_line_items
            for charge in line.invoice_line_item_charges
        ]
        self.assertEqual(charges, [("GOLD-SETUP", Decimal("49.00")), ("GOLD-FEE", Decimal("29.95"))])
        made.tax_id = "X1"
        self.assertEqual(self.sundial.update_customer(id=made.id, customer=made).tax_id, "X1")
        cleared = types.Customer(tax_id=CLEAR)
        self.assertIsNone(self.sundial.update_customer(id=made.id, customer=cleared).tax_id)
        self.assertTrue(self.sundial.delete_customer_sessions(id=made.id).success)
        pdf = self.sundial.download("getInvoice", {"id": invoice.id}, "pdf")
        self.assertEqual(pdf[:5], b"%PDF-")

    def test_a_version_guards_a_change(self):
        made = self.sundial.create_customer(customer=a_customer(self.reference))
        read = self.sundial.answer_of("getCustomer", {"id": made.id})
        self.assertEqual(read.value, made)
        options = CallOptions(if_match=read.etag)
        self.sundial.update_customer(id=made.id, customer=types.Customer(name="One"), options=options)
        with self.assertRaises(ObjectChanged):
            self.sundial.update_customer(
                id=made.id, customer=types.Customer(name="Two"), options=options
            )

    def test_errors_are_types_with_code_field_and_value_and_no_text_has_a_secret(self):
        self.sundial.create_customer(customer=a_customer(self.reference))
        wrong = types.SubscriptionOrder(
            contract_code="GOLD",
            order_line_items=[
                types.OrderLineItem(price_code="GOLD-FEE", quantity=Decimal("0.0000001"))
            ],
        )
        with self.assertRaises(InvalidRequest) as refused:
            self.sundial.create_order(ext_customer_ref=self.reference, subscription_order=wrong)
        self.assertEqual(refused.exception.status, 400)
        self.assertEqual(
            refused.exception.field, "subscriptionOrder/orderLineItems/orderLineItem[1]/quantity"
        )
        self.assertEqual(refused.exception.mistakes[0].value, "0.0000001")
        self.assertTrue(refused.exception.has(refused.exception.code))
        with self.assertRaises(NotFound) as unknown:
            self.sundial.get_customer(id=9_999_999)
        self.assertEqual(unknown.exception.code, "customer.unknown")
        stranger = client(password="not-the-secret")
        self.addCleanup(stranger.close)
        with self.assertRaises(AccessDenied) as denied:
            stranger.list_plans()
        absent = client(address="http://127.0.0.1:1", retries=0)
        with self.assertRaises(NoAnswer) as unanswered:
            absent.create_customer(customer=a_customer(self.reference))
        self.assertTrue(unanswered.exception.idempotency_key)
        card = types.CreditCardPaymentMethod(
            card_number="4000000000000000", cvv="999", expiry=date(2020, 1, 31)
        )
        method = types.PaymentMethodDTO(type="CreditCard", credit_card_payment_method=card)
        payment = types.ProcessPayment(amount=Decimal("1.00"), payment_method_dto=method)
        with self.assertRaises(InvalidRequest) as declined:
            self.sundial.create_payment(ext_customer_ref=self.reference, process_payment=payment)
        errors = [refused, unknown, denied, unanswered, declined]
        told = " ".join([*(f"{each.exception!r} {each.exception}" for each in errors), repr(payment)])
        for secret in ("not-the-secret", PLACE["password"], "4000000000000000", "999'", "Basic "):
            self.assertNotIn(secret, told)
        with self.assertRaisesRegex(TypeError, "amount must be a Decimal, not a float"):
            self.sundial.create_payment(
                ext_customer_ref=self.reference, process_payment=types.ProcessPayment(amount=1.5)
            )

    def test_a_write_whose_answers_are_cut_off_is_made_once(self):
        self.sundial.create_customer(customer=a_customer(self.reference))
        cut = client(address=PLACE["cutting"])
        self.addCleanup(cut.close)
        parameters = {
            "extCustomerRef": self.reference,
            "generateInvoice": True,
            "subscriptionOrder": types.SubscriptionOrder(contract_code="GOLD"),
        }
        options = CallOptions(idempotency_key=f"cut-twice-{uuid.uuid4()}")
        made = cut.answer_of("createOrder", parameters, options)
        self.assertTrue(made.is_replayed)
        lines = list(self.sundial.iterate_orders(ext_customer_ref=self.reference))
        self.assertEqual([order.id for order in lines], [made.value.id])
        self.assertEqual(len(self.sundial.list_invoices(ext_customer_ref=self.reference)), 1)
        impatient = client(address=PLACE["cutting"], retries=0)
        self.addCleanup(impatient.close)
        options = CallOptions(idempotency_key=f"cut-twice-{uuid.uuid4()}")
        for _ in range(2):
            with self.assertRaises(NoAnswer):
                impatient.answer_of("createOrder", parameters, options)
        again = impatient.answer_of("createOrder", parameters, options)
        self.assertTrue(again.is_replayed)
        self.assertEqual(len(self.sundial.list_orders(ext_customer_ref=self.reference)), 2)

    def test_pages_follow_each_other(self):
        self.sundial.create_customer(customer=a_customer(self.reference))
        made = [self.ordered().id for _ in range(5)]
        pages = self.sundial.iterate_orders(ext_customer_ref=self.reference, max=2)
        self.assertEqual(sorted(order.id for order in pages), made)
        plans = [plan.contract_code for plan in self.sundial.list_plans()]
        self.assertEqual([plan.contract_code for plan in self.sundial.iterate_plans(max=2)], plans)
        self.assertGreaterEqual(len(plans), 4)

    def test_usage_and_metadata(self):
        self.sundial.create_customer(customer=a_customer(self.reference))
        order = self.ordered("METERED")
        record = types.Activity(
            ext_ref_id=f"{self.reference}-1",
            ext_customer_ref=self.reference,
            price_code="MINUTES",
            quantity=Decimal("12.5"),
        )
        [stored] = self.sundial.create_activities(activities=[record])
        self.assertEqual(stored.quantity, Decimal("12.5"))
        entry = types.MetadataEntry(key="python", value=self.reference)
        self.assertEqual(self.sundial.update_order_metadata(id=order.id, metadata=[entry]), [entry])
        found = self.sundial.list_orders(metadata={"python": self.reference})
        self.assertEqual([each.id for each in found], [order.id])

    def test_a_callback_is_verified_and_a_forged_one_refused(self):
        given = PLACE["callback"]
        secret, now = given["secret"], given["timestamp"]
        body = given["body"].encode()
        headers = {name.title(): text for name, text in given["headers"].items()}
        callback = verify_callback(headers, body, secret=["whsec_b3RoZXI=", secret], now=now)
        self.assertEqual((callback.id, callback.root), ("evt_1", "customer"))
        self.assertEqual(callback.document.name, "Zoë & Co")
        forgeries = [
            ("signature", headers, body.replace(b"7", b"8"), now),
            ("age", headers, body, now + 301),
            ("age", headers, body, now - 301),
            ("headers", {}, body, now),
        ]
        for reason, *forged, at in forgeries:
            with self.assertRaises(ForgedCallback) as refused:
                verify_callback(*forged, secret=secret, now=at)
            self.assertEqual(refused.exception.reason, reason)
        seen = SeenCallbacks()
        self.assertEqual([seen.is_new(callback), seen.is_new(callback)], [True, False])
        seen.forget(callback)
        self.assertTrue(seen.is_new(callback))

    def test_the_test_clock_advances_and_a_month_is_billed(self):
        self.sundial.create_customer(customer=a_customer(self.reference))
        begun = self.ordered(generate_invoice=True).start_date
        month_later = begun.replace(month=begun.month % 12 + 1, year=begun.year + begun.month // 12)
        clock = self.sundial.advance_clock(month_later)
        self.assertEqual(clock.status, "Ready")
        self.assertEqual(clock.now, datetime(month_later.year, month_later.month, month_later.day, 5, tzinfo=timezone.utc))
        billed = self.sundial.list_invoices(ext_customer_ref=self.reference)
        self.assertEqual(
            sorted((invoice.invoice_date, invoice.current_amount_due) for invoice in billed),
            [(begun, Decimal("78.95")), (month_later, Decimal("29.95"))],
        )
