# Written by `npm run format` from the schemas of the interface; npm run check compares.
"""A method for each call of the interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, Literal

from ..core.options import CallOptions
from ..core.parts import Call
from . import types

#: By the name that the documentation of clients uses.
CALLS: Final[dict[str, Call]] = {
    "activateCustomer": Call(
        name="activateCustomer",
        method="POST",
        path="/customer",
        path_by_id="/customer/{id}",
        selection=("actionName", "activate"),
        is_write=True,
        answers=("status",),
    ),
    "activateOrder": Call(
        name="activateOrder",
        method="POST",
        path="/order",
        path_by_id="/order/{id}",
        selection=("action", "activate"),
        is_write=True,
        answers=("subscriptionOrder",),
    ),
    "addCustomerAndOrder": Call(
        name="addCustomerAndOrder",
        method="POST",
        path="/customers",
        selection=("actionName", "addCustomerAndOrder"),
        is_write=True,
        bodies={"addCustomerAndOrder": "addCustomerAndOrder"},
        answers=("addCustomerAndOrderResponse",),
    ),
    "advanceTestClock": Call(
        name="advanceTestClock",
        method="POST",
        path="/testClock",
        is_write=True,
        answers=("testClock",),
    ),
    "canEditOrder": Call(
        name="canEditOrder",
        method="GET",
        path="/order/canEdit",
        path_by_id="/order/{id}/canEdit",
        is_write=False,
        answers=("canEdit",),
    ),
    "cancelOrder": Call(
        name="cancelOrder",
        method="POST",
        path="/order",
        path_by_id="/order/{id}",
        selection=("action", "cancel"),
        is_write=True,
        answers=("subscriptionOrder",),
    ),
    "changeOrder": Call(
        name="changeOrder",
        method="POST",
        path="/changeOrder",
        is_write=True,
        bodies={"subscriptionOrder": "subscriptionOrder"},
        answers=("subscriptionOrder", "list"),
    ),
    "createActivities": Call(
        name="createActivities",
        method="POST",
        path="/activities",
        is_write=True,
        bodies={"activities": "list"},
        items="activity",
        answers=("list",),
    ),
    "createBatchInit": Call(
        name="createBatchInit",
        method="POST",
        path="/batchProcess",
        selection=("mode", "BatchInit"),
        is_write=True,
        bodies={"batchProcess": "batchProcess"},
        answers=("batchProcess",),
    ),
    "createCredit": Call(
        name="createCredit",
        method="POST",
        path="/credits",
        is_write=True,
        bodies={"processPayment": "processPayment", "processCredit": "processCredit"},
        answers=("payment",),
    ),
    "createCustomer": Call(
        name="createCustomer",
        method="POST",
        path="/customers",
        is_write=True,
        bodies={"customer": "customer"},
        answers=("customer",),
    ),
    "createCustomerAutopay": Call(
        name="createCustomerAutopay",
        method="POST",
        path="/customer/autopay",
        path_by_id="/customer/{id}/autopay",
        is_write=True,
        bodies={"autopay": "autopay"},
        answers=("status",),
    ),
    "createCustomerPaymentPlan": Call(
        name="createCustomerPaymentPlan",
        method="POST",
        path="/customers/paymentPlan",
        path_by_id="/customers/{id}/paymentPlan",
        is_write=True,
        bodies={"paymentPlan": "paymentPlan"},
        answers=("paymentPlan",),
    ),
    "createCustomerSalesContact": Call(
        name="createCustomerSalesContact",
        method="POST",
        path="/customer/salesContact",
        path_by_id="/customer/{id}/salesContact",
        is_write=True,
        bodies={"salesContact": "salesContact"},
        answers=("salesContact",),
    ),
    "createFileUpload": Call(
        name="createFileUpload",
        method="POST",
        path="/batchProcess",
        selection=("mode", "StorageFileUpload"),
        is_write=True,
        bodies={"batchProcess": "batchProcess"},
        answers=("batchProcess",),
    ),
    "createInvoice": Call(
        name="createInvoice",
        method="POST",
        path="/invoices",
        is_write=True,
        bodies={"invoice": "invoice"},
        answers=("invoice",),
    ),
    "createInvoiceCreditNote": Call(
        name="createInvoiceCreditNote",
        method="POST",
        path="/invoice/creditNote",
        path_by_id="/invoice/{id}/creditNote",
        is_write=True,
        bodies={"creditNote": "creditNote"},
        answers=("invoice",),
    ),
    "createOrder": Call(
        name="createOrder",
        method="POST",
        path="/orders",
        is_write=True,
        bodies={"subscriptionOrder": "subscriptionOrder"},
        answers=("subscriptionOrder",),
    ),
    "createOrderActivities": Call(
        name="createOrderActivities",
        method="POST",
        path="/order/activities",
        path_by_id="/order/{id}/activities",
        is_write=True,
        bodies={"activities": "list"},
        items="activity",
        answers=("list",),
    ),
    "createOrderSalesAgent": Call(
        name="createOrderSalesAgent",
        method="POST",
        path="/order/salesAgent",
        path_by_id="/order/{id}/salesAgent",
        is_write=True,
        bodies={"subscriptionOrderBillers": "list"},
        items="subscriptionOrderBiller",
        answers=("list",),
    ),
    "createPayment": Call(
        name="createPayment",
        method="POST",
        path="/payments",
        is_write=True,
        bodies={"processPayment": "processPayment"},
        answers=("payment",),
    ),
    "createPaymentAutopay": Call(
        name="createPaymentAutopay",
        method="POST",
        path="/payments/autopay",
        is_write=True,
        bodies={"processPaymentWithAutopay": "processPaymentWithAutopay"},
        answers=("payment",),
    ),
    "createRefund": Call(
        name="createRefund",
        method="POST",
        path="/refunds",
        is_write=True,
        bodies={"processPayment": "processPayment", "processRefund": "processRefund"},
        answers=("payment",),
    ),
    "createRefundAutopay": Call(
        name="createRefundAutopay",
        method="POST",
        path="/refunds/autopay",
        is_write=True,
        bodies={"processPaymentWithAutopay": "processPaymentWithAutopay"},
        answers=("payment",),
    ),
    "createReport": Call(
        name="createReport",
        method="POST",
        path="/report/{name}",
        is_write=True,
        answers=("batchProcess",),
    ),
    "deleteActivity": Call(
        name="deleteActivity",
        method="DELETE",
        path="/activity",
        path_by_id="/activity/{id}",
        is_write=True,
        answers=("status",),
    ),
    "deleteBatchProcess": Call(
        name="deleteBatchProcess",
        method="DELETE",
        path="/batchProcess",
        is_write=True,
        answers=("status",),
    ),
    "deleteCustomer": Call(
        name="deleteCustomer",
        method="DELETE",
        path="/customer",
        path_by_id="/customer/{id}",
        is_write=True,
        answers=("status",),
    ),
    "deleteCustomerAutopay": Call(
        name="deleteCustomerAutopay",
        method="DELETE",
        path="/customer/autopay",
        path_by_id="/customer/{id}/autopay",
        is_write=True,
        answers=("status",),
    ),
    "deleteCustomerPaymentPlan": Call(
        name="deleteCustomerPaymentPlan",
        method="DELETE",
        path="/customers/paymentPlan",
        path_by_id="/customers/{id}/paymentPlan",
        is_write=True,
        answers=("paymentPlan",),
    ),
    "deleteCustomerSalesContact": Call(
        name="deleteCustomerSalesContact",
        method="DELETE",
        path="/customer/salesContact",
        path_by_id="/customer/{id}/salesContact",
        is_write=True,
        answers=("status",),
    ),
    "deleteCustomerSessions": Call(
        name="deleteCustomerSessions",
        method="DELETE",
        path="/customer/sessions",
        path_by_id="/customer/{id}/sessions",
        is_write=True,
        answers=("status",),
    ),
    "deleteInvoice": Call(
        name="deleteInvoice",
        method="DELETE",
        path="/invoice",
        path_by_id="/invoice/{id}",
        is_write=True,
        answers=("status",),
    ),
    "deletePayment": Call(
        name="deletePayment",
        method="DELETE",
        path_by_id="/payment/{id}",
        is_write=True,
        answers=("payment",),
    ),
    "enableUser": Call(
        name="enableUser",
        method="POST",
        path_by_id="/user/{id}",
        selection=("action", "enable"),
        is_write=True,
        answers=("user",),
    ),
    "eraseCustomer": Call(
        name="eraseCustomer",
        method="POST",
        path="/customer",
        path_by_id="/customer/{id}",
        selection=("actionName", "erase"),
        is_write=True,
        answers=("customer",),
    ),
    "finalizeFileUpload": Call(
        name="finalizeFileUpload",
        method="PUT",
        path="/batchProcess",
        selection=("mode", "BatchFinalize"),
        is_write=True,
        bodies={"batchProcess": "batchProcess"},
        answers=("batchProcess",),
    ),
    "generateOrderInvoice": Call(
        name="generateOrderInvoice",
        method="POST",
        path="/order",
        path_by_id="/order/{id}",
        selection=("action", "generateInvoice"),
        is_write=True,
        answers=("subscriptionOrder",),
    ),
    "getBatchProcess": Call(
        name="getBatchProcess",
        method="GET",
        path="/batchProcess",
        is_write=False,
        answers=("batchProcess",),
    ),
    "getCommissionPlan": Call(
        name="getCommissionPlan",
        method="GET",
        path_by_id="/commissionPlans/{id}",
        is_write=False,
        answers=("commissionPlan",),
    ),
    "getCredit": Call(
        name="getCredit",
        method="GET",
        path_by_id="/credit/{id}",
        is_write=False,
        answers=("payment",),
    ),
    "getCustomer": Call(
        name="getCustomer",
        method="GET",
        path="/customer",
        path_by_id="/customer/{id}",
        is_write=False,
        answers=("customer",),
    ),
    "getCustomerBillingContact": Call(
        name="getCustomerBillingContact",
        method="GET",
        path="/customer/billingContact",
        path_by_id="/customer/{id}/billingContact",
        is_write=False,
        answers=("billingContact",),
    ),
    "getCustomerPaymentPlan": Call(
        name="getCustomerPaymentPlan",
        method="GET",
        path="/customers/paymentPlan",
        path_by_id="/customers/{id}/paymentPlan",
        is_write=False,
        answers=("paymentPlan",),
    ),
    "getCustomerSalesContact": Call(
        name="getCustomerSalesContact",
        method="GET",
        path="/customer/salesContact",
        path_by_id="/customer/{id}/salesContact",
        is_write=False,
        answers=("salesContact",),
    ),
    "getInvoice": Call(
        name="getInvoice",
        method="GET",
        path="/invoice",
        path_by_id="/invoice/{id}",
        is_write=False,
        formats=("html", "pdf", "ubl"),
        answers=("invoice",),
    ),
    "getInvoicePayLink": Call(
        name="getInvoicePayLink",
        method="GET",
        path="/invoice/payLink",
        path_by_id="/invoice/{id}/payLink",
        is_write=True,
        answers=("payLink",),
    ),
    "getOrder": Call(
        name="getOrder",
        method="GET",
        path="/order",
        path_by_id="/order/{id}",
        is_write=False,
        answers=("subscriptionOrder",),
    ),
    "getPayment": Call(
        name="getPayment",
        method="GET",
        path_by_id="/payment/{id}",
        is_write=False,
        answers=("payment",),
    ),
    "getPaymentActionLink": Call(
        name="getPaymentActionLink",
        method="GET",
        path_by_id="/payment/{id}/actionLink",
        is_write=True,
        answers=("actionLink",),
    ),
    "getPlan": Call(
        name="getPlan",
        method="GET",
        path="/plan",
        path_by_id="/plan/{id}",
        is_write=False,
        answers=("contractOffering",),
    ),
    "getQuote": Call(
        name="getQuote",
        method="GET",
        path="/quote",
        is_write=False,
        answers=("quote",),
    ),
    "getRefund": Call(
        name="getRefund",
        method="GET",
        path_by_id="/refund/{id}",
        is_write=False,
        answers=("payment",),
    ),
    "getReport": Call(
        name="getReport",
        method="GET",
        path="/report/{name}",
        is_write=False,
        formats=("csv",),
        answers=("report",),
    ),
    "getSalesAgent": Call(
        name="getSalesAgent",
        method="GET",
        path_by_id="/salesAgents/{id}",
        is_write=False,
        answers=("biller",),
    ),
    "getTestClock": Call(
        name="getTestClock",
        method="GET",
        path="/testClock",
        is_write=False,
        answers=("testClock",),
    ),
    "keepOrder": Call(
        name="keepOrder",
        method="POST",
        path="/order",
        path_by_id="/order/{id}",
        selection=("action", "keep"),
        is_write=True,
        answers=("subscriptionOrder",),
    ),
    "listActivities": Call(
        name="listActivities",
        method="GET",
        path="/activities",
        is_write=False,
        items="activity",
        paging="offset",
        answers=("list",),
    ),
    "listAuditLog": Call(
        name="listAuditLog",
        method="GET",
        path="/auditLog",
        is_write=False,
        items="auditEntry",
        paging="sequence",
        answers=("list",),
    ),
    "listCommissionPlans": Call(
        name="listCommissionPlans",
        method="GET",
        path="/commissionPlans",
        is_write=False,
        items="commissionPlan",
        paging="offset",
        answers=("list", "commissionPlan"),
    ),
    "listCommissions": Call(
        name="listCommissions",
        method="GET",
        path="/commissions",
        is_write=False,
        items="commission",
        paging="offset",
        answers=("list",),
    ),
    "listCredits": Call(
        name="listCredits",
        method="GET",
        path="/credits",
        is_write=False,
        items="payment",
        paging="link",
        formats=("csv",),
        answers=("list",),
    ),
    "listCustomerAutopay": Call(
        name="listCustomerAutopay",
        method="GET",
        path="/customer/autopay",
        path_by_id="/customer/{id}/autopay",
        is_write=False,
        items="paymentMethod",
        answers=("list",),
    ),
    "listCustomerNextInvoice": Call(
        name="listCustomerNextInvoice",
        method="GET",
        path="/customer/nextInvoice",
        path_by_id="/customer/{id}/nextInvoice",
        is_write=False,
        items="invoice",
        answers=("list",),
    ),
    "listCustomerTransitions": Call(
        name="listCustomerTransitions",
        method="GET",
        path="/customers/transitions",
        is_write=False,
        items="customerTransition",
        paging="offset",
        answers=("list",),
    ),
    "listCustomers": Call(
        name="listCustomers",
        method="GET",
        path="/customers",
        is_write=False,
        items="customer",
        paging="link",
        formats=("csv",),
        answers=("list",),
    ),
    "listEvents": Call(
        name="listEvents",
        method="GET",
        path="/events",
        is_write=False,
        items="event",
        paging="sequence",
        answers=("list",),
    ),
    "listInvoices": Call(
        name="listInvoices",
        method="GET",
        path="/invoices",
        is_write=False,
        items="invoice",
        paging="link",
        formats=("csv",),
        answers=("list",),
    ),
    "listLedger": Call(
        name="listLedger",
        method="GET",
        path="/ledger",
        is_write=False,
        items="ledgerEntry",
        paging="cursor",
        formats=("csv",),
        answers=("list",),
    ),
    "listOrderSalesAgent": Call(
        name="listOrderSalesAgent",
        method="GET",
        path="/order/salesAgent",
        path_by_id="/order/{id}/salesAgent",
        is_write=False,
        items="subscriptionOrderBiller",
        answers=("list",),
    ),
    "listOrderTimeline": Call(
        name="listOrderTimeline",
        method="GET",
        path="/order/timeline",
        path_by_id="/order/{id}/timeline",
        is_write=False,
        items="entry",
        answers=("list",),
    ),
    "listOrders": Call(
        name="listOrders",
        method="GET",
        path="/orders",
        is_write=False,
        items="subscriptionOrder",
        paging="link",
        formats=("csv",),
        answers=("list",),
    ),
    "listPayments": Call(
        name="listPayments",
        method="GET",
        path="/payments",
        is_write=False,
        items="payment",
        paging="link",
        formats=("csv",),
        answers=("list",),
    ),
    "listPlans": Call(
        name="listPlans",
        method="GET",
        path="/plans",
        is_write=False,
        items="contractOffering",
        paging="offset",
        answers=("list",),
    ),
    "listRefunds": Call(
        name="listRefunds",
        method="GET",
        path="/refunds",
        is_write=False,
        items="payment",
        paging="link",
        formats=("csv",),
        answers=("list",),
    ),
    "listSalesAgents": Call(
        name="listSalesAgents",
        method="GET",
        path="/salesAgents",
        is_write=False,
        items="biller",
        paging="offset",
        answers=("list", "biller"),
    ),
    "listUsers": Call(
        name="listUsers",
        method="GET",
        path="/users",
        is_write=False,
        items="user",
        paging="offset",
        answers=("list",),
    ),
    "rateOrder": Call(
        name="rateOrder",
        method="POST",
        path="/orders",
        selection=("action", "rateOrder"),
        is_write=False,
        bodies={"subscriptionOrder": "subscriptionOrder"},
        answers=("quote",),
    ),
    "reorderCustomerAutopay": Call(
        name="reorderCustomerAutopay",
        method="POST",
        path="/customer/autopay",
        path_by_id="/customer/{id}/autopay",
        selection=("actionName", "reorder"),
        is_write=True,
        items="paymentMethod",
        answers=("list",),
    ),
    "resendEvent": Call(
        name="resendEvent",
        method="POST",
        path_by_id="/events/{id}",
        selection=("action", "resend"),
        is_write=True,
        answers=("event",),
    ),
    "retryInvoice": Call(
        name="retryInvoice",
        method="POST",
        path="/invoice",
        path_by_id="/invoice/{id}",
        selection=("action", "retry"),
        is_write=True,
        answers=("payment",),
    ),
    "sendNotification": Call(
        name="sendNotification",
        method="POST",
        path="/customers/notification",
        is_write=True,
        bodies={"sendEmail": "sendEmail"},
        answers=("response",),
    ),
    "startSignup": Call(
        name="startSignup",
        method="GET",
        path="/signup/start",
        selection=("format", "xml"),
        is_write=True,
        answers=("signupLink",),
    ),
    "startWidget": Call(
        name="startWidget",
        method="GET",
        path="/widget/start",
        selection=("format", "xml"),
        is_write=True,
        answers=("widgetLink",),
    ),
    "suspendCustomer": Call(
        name="suspendCustomer",
        method="POST",
        path="/customer",
        path_by_id="/customer/{id}",
        selection=("actionName", "suspend"),
        is_write=True,
        answers=("status",),
    ),
    "suspendOrder": Call(
        name="suspendOrder",
        method="POST",
        path="/order",
        path_by_id="/order/{id}",
        selection=("action", "suspend"),
        is_write=True,
        answers=("subscriptionOrder",),
    ),
    "suspendUser": Call(
        name="suspendUser",
        method="POST",
        path_by_id="/user/{id}",
        selection=("action", "suspend"),
        is_write=True,
        answers=("user",),
    ),
    "updateCreditMetadata": Call(
        name="updateCreditMetadata",
        method="PUT",
        path_by_id="/credit/{id}/metadata",
        is_write=True,
        bodies={"metadata": "metadata"},
        answers=("metadata",),
    ),
    "updateCustomer": Call(
        name="updateCustomer",
        method="PUT",
        path="/customer",
        path_by_id="/customer/{id}",
        is_write=True,
        bodies={"customer": "customer"},
        answers=("customer",),
    ),
    "updateCustomerAutopay": Call(
        name="updateCustomerAutopay",
        method="PUT",
        path="/customer/autopay",
        path_by_id="/customer/{id}/autopay",
        is_write=True,
        bodies={"autopay": "autopay"},
        answers=("status",),
    ),
    "updateCustomerBillingContact": Call(
        name="updateCustomerBillingContact",
        method="PUT",
        path="/customer/billingContact",
        path_by_id="/customer/{id}/billingContact",
        is_write=True,
        bodies={"billingContact": "billingContact"},
        answers=("billingContact",),
    ),
    "updateCustomerMetadata": Call(
        name="updateCustomerMetadata",
        method="PUT",
        path_by_id="/customer/{id}/metadata",
        is_write=True,
        bodies={"metadata": "metadata"},
        answers=("metadata",),
    ),
    "updateCustomerPaymentPlan": Call(
        name="updateCustomerPaymentPlan",
        method="PUT",
        path="/customers/paymentPlan",
        path_by_id="/customers/{id}/paymentPlan",
        is_write=True,
        bodies={"paymentPlan": "paymentPlan"},
        answers=("paymentPlan",),
    ),
    "updateCustomerRest": Call(
        name="updateCustomerRest",
        method="POST",
        path_by_id="/customer/{id}",
        selection=("actionName", "updateCustomerRest"),
        is_write=True,
        bodies={"customer": "customer"},
        answers=("customer",),
    ),
    "updateCustomerSalesContact": Call(
        name="updateCustomerSalesContact",
        method="PUT",
        path="/customer/salesContact",
        path_by_id="/customer/{id}/salesContact",
        is_write=True,
        bodies={"salesContact": "salesContact"},
        answers=("salesContact",),
    ),
    "updateInvoiceMetadata": Call(
        name="updateInvoiceMetadata",
        method="PUT",
        path_by_id="/invoice/{id}/metadata",
        is_write=True,
        bodies={"metadata": "metadata"},
        answers=("metadata",),
    ),
    "updateOrder": Call(
        name="updateOrder",
        method="PUT",
        path="/order",
        path_by_id="/order/{id}",
        is_write=True,
        bodies={"subscriptionOrder": "subscriptionOrder"},
        answers=("subscriptionOrder",),
    ),
    "updateOrderMetadata": Call(
        name="updateOrderMetadata",
        method="PUT",
        path_by_id="/order/{id}/metadata",
        is_write=True,
        bodies={"metadata": "metadata"},
        answers=("metadata",),
    ),
    "updatePaymentMetadata": Call(
        name="updatePaymentMetadata",
        method="PUT",
        path_by_id="/payment/{id}/metadata",
        is_write=True,
        bodies={"metadata": "metadata"},
        answers=("metadata",),
    ),
    "updateRefundMetadata": Call(
        name="updateRefundMetadata",
        method="PUT",
        path_by_id="/refund/{id}/metadata",
        is_write=True,
        bodies={"metadata": "metadata"},
        answers=("metadata",),
    ),
    "verifySignup": Call(
        name="verifySignup",
        method="GET",
        path="/signup/verify/{tracking}",
        is_write=False,
        answers=("signup",),
    ),
}


class Calls:
    """What a client can do."""

    def _perform(self, call: Call, parameters: Mapping[str, Any], options: CallOptions | None) -> Any:
        raise NotImplementedError

    def _iterate(self, call: Call, parameters: Mapping[str, Any], options: CallOptions | None) -> Iterator[Any]:
        raise NotImplementedError

    def activate_customer(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Resume the billing of a customer. `POST /customer/{id}`"""
        return self._perform(CALLS["activateCustomer"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def activate_order(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """Activate a suspended order again. `POST /order/{id}`"""
        return self._perform(CALLS["activateOrder"], {"id": id, "orderNumber": order_number}, options)

    def add_customer_and_order(
        self,
        *,
        add_customer_and_order: types.AddCustomerAndOrder,
        options: CallOptions | None = None,
    ) -> types.AddCustomerAndOrderResponse:
        """Create a customer with its first orders. `POST /customers` Deprecated since 2026-11-28: create the customer with `POST /customers`, then each order with `POST /orders?extCustomerRef=`, each call with an Idempotency-Key. It keeps working."""
        return self._perform(CALLS["addCustomerAndOrder"], {"addCustomerAndOrder": add_customer_and_order}, options)

    def advance_test_clock(
        self,
        *,
        advance_to: date,
        wait: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.TestClock:
        """Advance the test clock to 00:00 of a day, and bill that day too. `POST /testClock`"""
        return self._perform(CALLS["advanceTestClock"], {"advanceTo": advance_to, "wait": wait}, options)

    def can_edit_order(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.CanEdit:
        """Whether an order may be changed, and why not. `GET /order/{id}/canEdit`"""
        return self._perform(CALLS["canEditOrder"], {"id": id, "orderNumber": order_number}, options)

    def cancel_order(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        when: Literal["now", "periodEnd", "termEnd"] | None = None,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """End an order today, or when its period or its term is over. `POST /order/{id}`"""
        return self._perform(CALLS["cancelOrder"], {"id": id, "orderNumber": order_number, "when": when, "reason": reason}, options)

    def change_order(
        self,
        *,
        subscription_order: types.SubscriptionOrder,
        current_order_id: int | None = None,
        current_order_number: str | None = None,
        effective_date: date | None = None,
        delete_current_order: bool | None = None,
        keep_prices: bool | None = None,
        generate_invoice: bool | None = None,
        preview: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder | types.List:
        """Replace an order by a new one, on a day or at once, or preview the invoices of it. `POST /changeOrder`"""
        return self._perform(CALLS["changeOrder"], {"subscriptionOrder": subscription_order, "currentOrderId": current_order_id, "currentOrderNumber": current_order_number, "effectiveDate": effective_date, "deleteCurrentOrder": delete_current_order, "keepPrices": keep_prices, "generateInvoice": generate_invoice, "preview": preview}, options)

    def create_activities(
        self,
        *,
        activities: Sequence[types.Activity],
        on_duplicate: Literal["skip"] | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Activity]:
        """Upload usage records: all are stored, or none. `POST /activities`"""
        return self._perform(CALLS["createActivities"], {"activities": activities, "onDuplicate": on_duplicate}, options)

    def create_batch_init(
        self,
        *,
        batch_process: types.BatchProcess,
        options: CallOptions | None = None,
    ) -> types.BatchProcess:
        """Carry over the invoices, credits and debits of the tenant. `POST /batchProcess`"""
        return self._perform(CALLS["createBatchInit"], {"batchProcess": batch_process}, options)

    def create_credit(
        self,
        *,
        process_payment: types.ProcessPayment | None = None,
        process_credit: types.ProcessCredit | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Reduce the debt; a negative amount increases it. `POST /credits`"""
        return self._perform(CALLS["createCredit"], {"processPayment": process_payment, "processCredit": process_credit, "extCustomerRef": ext_customer_ref}, options)

    def create_customer(
        self,
        *,
        customer: types.Customer,
        options: CallOptions | None = None,
    ) -> types.Customer:
        """Make a customer. `POST /customers`"""
        return self._perform(CALLS["createCustomer"], {"customer": customer}, options)

    def create_customer_autopay(
        self,
        *,
        autopay: types.Autopay,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        validate: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Put a payment method on file, replacing the one with its autopayPreference. `POST /customer/{id}/autopay`"""
        return self._perform(CALLS["createCustomerAutopay"], {"id": id, "extCustomerRef": ext_customer_ref, "autopay": autopay, "validate": validate}, options)

    def create_customer_payment_plan(
        self,
        *,
        payment_plan: types.PaymentPlan,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.PaymentPlan:
        """Make the payment plan of a customer; an installment of today is charged at once. `POST /customers/{id}/paymentPlan`"""
        return self._perform(CALLS["createCustomerPaymentPlan"], {"id": id, "extCustomerRef": ext_customer_ref, "paymentPlan": payment_plan}, options)

    def create_customer_sales_contact(
        self,
        *,
        sales_contact: types.SalesContact,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SalesContact:
        """Make the salesContact of a customer. `POST /customer/{id}/salesContact`"""
        return self._perform(CALLS["createCustomerSalesContact"], {"id": id, "extCustomerRef": ext_customer_ref, "salesContact": sales_contact}, options)

    def create_file_upload(
        self,
        *,
        batch_process: types.BatchProcess,
        options: CallOptions | None = None,
    ) -> types.BatchProcess:
        """Make a job, and get the address to which its file is uploaded. `POST /batchProcess`"""
        return self._perform(CALLS["createFileUpload"], {"batchProcess": batch_process}, options)

    def create_invoice(
        self,
        *,
        invoice: types.Invoice,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        calc_tax: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Invoice:
        """Create an invoice by hand. `POST /invoices`"""
        return self._perform(CALLS["createInvoice"], {"invoice": invoice, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "calcTax": calc_tax}, options)

    def create_invoice_credit_note(
        self,
        *,
        credit_note: types.CreditNote,
        id: int | None = None,
        invoice_number: str | None = None,
        refund: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Invoice:
        """Give charges of an invoice back by a credit note. `POST /invoice/{id}/creditNote`"""
        return self._perform(CALLS["createInvoiceCreditNote"], {"id": id, "invoiceNumber": invoice_number, "creditNote": credit_note, "refund": refund}, options)

    def create_order(
        self,
        *,
        subscription_order: types.SubscriptionOrder,
        ext_customer_ref: str | None = None,
        generate_invoice: bool | None = None,
        force_invoice_generation: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """Create an order, and on request its first invoice. `POST /orders`"""
        return self._perform(CALLS["createOrder"], {"subscriptionOrder": subscription_order, "extCustomerRef": ext_customer_ref, "generateInvoice": generate_invoice, "forceInvoiceGeneration": force_invoice_generation}, options)

    def create_order_activities(
        self,
        *,
        activities: Sequence[types.Activity],
        id: int | None = None,
        order_number: str | None = None,
        on_duplicate: Literal["skip"] | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Activity]:
        """Upload usage records of one order. `POST /order/{id}/activities`"""
        return self._perform(CALLS["createOrderActivities"], {"id": id, "orderNumber": order_number, "activities": activities, "onDuplicate": on_duplicate}, options)

    def create_order_sales_agent(
        self,
        *,
        subscription_order_billers: Sequence[types.SubscriptionOrderBiller],
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.SubscriptionOrderBiller]:
        """Link sales agents to an order, all or none. `POST /order/{id}/salesAgent`"""
        return self._perform(CALLS["createOrderSalesAgent"], {"id": id, "orderNumber": order_number, "subscriptionOrderBillers": subscription_order_billers}, options)

    def create_payment(
        self,
        *,
        process_payment: types.ProcessPayment,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Take a payment. `POST /payments`"""
        return self._perform(CALLS["createPayment"], {"processPayment": process_payment, "extCustomerRef": ext_customer_ref}, options)

    def create_payment_autopay(
        self,
        *,
        process_payment_with_autopay: types.ProcessPaymentWithAutopay,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Take a payment by the methods on file. `POST /payments/autopay`"""
        return self._perform(CALLS["createPaymentAutopay"], {"processPaymentWithAutopay": process_payment_with_autopay, "extCustomerRef": ext_customer_ref}, options)

    def create_refund(
        self,
        *,
        process_payment: types.ProcessPayment | None = None,
        process_refund: types.ProcessRefund | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Refund money. `POST /refunds`"""
        return self._perform(CALLS["createRefund"], {"processPayment": process_payment, "processRefund": process_refund, "extCustomerRef": ext_customer_ref}, options)

    def create_refund_autopay(
        self,
        *,
        process_payment_with_autopay: types.ProcessPaymentWithAutopay,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Refund money that was paid by a method on file. `POST /refunds/autopay`"""
        return self._perform(CALLS["createRefundAutopay"], {"processPaymentWithAutopay": process_payment_with_autopay, "extCustomerRef": ext_customer_ref}, options)

    def create_report(
        self,
        *,
        name: str,
        from_: date | None = None,
        to: date | None = None,
        as_of: date | None = None,
        options: CallOptions | None = None,
    ) -> types.BatchProcess:
        """Write a report to a file, however long it takes. `POST /report/{name}`"""
        return self._perform(CALLS["createReport"], {"name": name, "from": from_, "to": to, "asOf": as_of}, options)

    def delete_activity(
        self,
        *,
        id: int | None = None,
        ext_ref_id: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Delete a usage record that is not billed. `DELETE /activity/{id}`"""
        return self._perform(CALLS["deleteActivity"], {"id": id, "extRefId": ext_ref_id}, options)

    def delete_batch_process(
        self,
        *,
        id: int | None = None,
        job_id: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Withdraw a Draft, with its file and the jobs of its line items. `DELETE /batchProcess`"""
        return self._perform(CALLS["deleteBatchProcess"], {"id": id, "jobId": job_id}, options)

    def delete_customer(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Delete a customer that has no orders, invoices or payments. `DELETE /customer/{id}`"""
        return self._perform(CALLS["deleteCustomer"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def delete_customer_autopay(
        self,
        *,
        autopay_preference: int,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Take a payment method off file. `DELETE /customer/{id}/autopay`"""
        return self._perform(CALLS["deleteCustomerAutopay"], {"id": id, "extCustomerRef": ext_customer_ref, "autopayPreference": autopay_preference}, options)

    def delete_customer_payment_plan(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.PaymentPlan:
        """Disable the payment plan of a customer: it charges no further installment. `DELETE /customers/{id}/paymentPlan`"""
        return self._perform(CALLS["deleteCustomerPaymentPlan"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def delete_customer_sales_contact(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Delete the salesContact of a customer. `DELETE /customer/{id}/salesContact`"""
        return self._perform(CALLS["deleteCustomerSalesContact"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def delete_customer_sessions(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """End all sessions of a customer in hosted self-service. `DELETE /customer/{id}/sessions`"""
        return self._perform(CALLS["deleteCustomerSessions"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def delete_invoice(
        self,
        *,
        id: int | None = None,
        invoice_number: str | None = None,
        suspend_orders: bool | None = None,
        cancel_orders: bool | None = None,
        rollback_billing_period: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Cancel an Outstanding invoice. `DELETE /invoice/{id}`"""
        return self._perform(CALLS["deleteInvoice"], {"id": id, "invoiceNumber": invoice_number, "suspendOrders": suspend_orders, "cancelOrders": cancel_orders, "rollbackBillingPeriod": rollback_billing_period}, options)

    def delete_payment(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Cancel a payment that failed after the fact, without moving money. `DELETE /payment/{id}`"""
        return self._perform(CALLS["deletePayment"], {"id": id}, options)

    def enable_user(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.User:
        """Enable a suspended user again. `POST /user/{id}`"""
        return self._perform(CALLS["enableUser"], {"id": id}, options)

    def erase_customer(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Customer:
        """Erase what is personal of a customer, for ever. `POST /customer/{id}`"""
        return self._perform(CALLS["eraseCustomer"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def finalize_file_upload(
        self,
        *,
        batch_process: types.BatchProcess,
        options: CallOptions | None = None,
    ) -> types.BatchProcess:
        """Process the uploaded file of a job, and of the jobs of its line items. `PUT /batchProcess`"""
        return self._perform(CALLS["finalizeFileUpload"], {"batchProcess": batch_process}, options)

    def generate_order_invoice(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """Bill everything due of the order's customer now. `POST /order/{id}`"""
        return self._perform(CALLS["generateOrderInvoice"], {"id": id, "orderNumber": order_number}, options)

    def get_batch_process(
        self,
        *,
        id: int | None = None,
        job_id: str | None = None,
        options: CallOptions | None = None,
    ) -> types.BatchProcess:
        """A job: its status, its progress, and the address of its result. `GET /batchProcess`"""
        return self._perform(CALLS["getBatchProcess"], {"id": id, "jobId": job_id}, options)

    def get_commission_plan(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.CommissionPlan:
        """A commission plan with its charges. `GET /commissionPlans/{id}`"""
        return self._perform(CALLS["getCommissionPlan"], {"id": id}, options)

    def get_credit(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """A credit with the gateway's answer and its applications. `GET /credit/{id}`"""
        return self._perform(CALLS["getCredit"], {"id": id}, options)

    def get_customer(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Customer:
        """A customer with its contacts and financials. `GET /customer/{id}`"""
        return self._perform(CALLS["getCustomer"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def get_customer_billing_contact(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.BillingContact:
        """The billingContact of a customer. `GET /customer/{id}/billingContact`"""
        return self._perform(CALLS["getCustomerBillingContact"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def get_customer_payment_plan(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.PaymentPlan:
        """The payment plan of a customer: the enabled one, or the last one. `GET /customers/{id}/paymentPlan`"""
        return self._perform(CALLS["getCustomerPaymentPlan"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def get_customer_sales_contact(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SalesContact:
        """The salesContact of a customer. `GET /customer/{id}/salesContact`"""
        return self._perform(CALLS["getCustomerSalesContact"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def get_invoice(
        self,
        *,
        id: int | None = None,
        invoice_number: str | None = None,
        document: Literal["cancellation"] | None = None,
        options: CallOptions | None = None,
    ) -> types.Invoice:
        """An invoice with its line items and charges. `GET /invoice/{id}`"""
        return self._perform(CALLS["getInvoice"], {"id": id, "invoiceNumber": invoice_number, "document": document}, options)

    def get_invoice_pay_link(
        self,
        *,
        id: int | None = None,
        invoice_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.PayLink:
        """Make a link to the page that pays an invoice without a login. `GET /invoice/{id}/payLink`"""
        return self._perform(CALLS["getInvoicePayLink"], {"id": id, "invoiceNumber": invoice_number}, options)

    def get_order(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """An order with its line items. `GET /order/{id}`"""
        return self._perform(CALLS["getOrder"], {"id": id, "orderNumber": order_number}, options)

    def get_payment(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """A payment with the gateway's answer and its applications. `GET /payment/{id}`"""
        return self._perform(CALLS["getPayment"], {"id": id}, options)

    def get_payment_action_link(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.ActionLink:
        """A new link to the page on which the payer confirms a payment that waits for him. `GET /payment/{id}/actionLink`"""
        return self._perform(CALLS["getPaymentActionLink"], {"id": id}, options)

    def get_plan(
        self,
        *,
        id: int | None = None,
        contract_code: str | None = None,
        options: CallOptions | None = None,
    ) -> types.ContractOffering:
        """A plan version with its charges and pricing tiers. `GET /plan/{id}`"""
        return self._perform(CALLS["getPlan"], {"id": id, "contractCode": contract_code}, options)

    def get_quote(
        self,
        *,
        contract_code: str,
        quantity: Decimal | None = None,
        promo: str | None = None,
        calc_tax: bool | None = None,
        start_date: date | None = None,
        trial_days: int | None = None,
        address_line1: str | None = None,
        address_city: str | None = None,
        address_state: str | None = None,
        address_zip: str | None = None,
        address_country: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Quote:
        """What an order of a plan costs, without making it. `GET /quote`"""
        return self._perform(CALLS["getQuote"], {"contractCode": contract_code, "quantity": quantity, "promo": promo, "calcTax": calc_tax, "startDate": start_date, "trialDays": trial_days, "addressLine1": address_line1, "addressCity": address_city, "addressState": address_state, "addressZip": address_zip, "addressCountry": address_country}, options)

    def get_refund(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """A refund with the gateway's answer and its applications. `GET /refund/{id}`"""
        return self._perform(CALLS["getRefund"], {"id": id}, options)

    def get_report(
        self,
        *,
        name: str,
        from_: date | None = None,
        to: date | None = None,
        as_of: date | None = None,
        options: CallOptions | None = None,
    ) -> types.Report:
        """A report on the ledger, or on recurring revenue. `GET /report/{name}`"""
        return self._perform(CALLS["getReport"], {"name": name, "from": from_, "to": to, "asOf": as_of}, options)

    def get_sales_agent(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.Biller:
        """A sales agent; account numbers are masked. `GET /salesAgents/{id}`"""
        return self._perform(CALLS["getSalesAgent"], {"id": id}, options)

    def get_test_clock(
        self,
        *,
        options: CallOptions | None = None,
    ) -> types.TestClock:
        """The time of the test clock. `GET /testClock`"""
        return self._perform(CALLS["getTestClock"], {}, options)

    def keep_order(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """Take back the end of an order that was requested. `POST /order/{id}`"""
        return self._perform(CALLS["keepOrder"], {"id": id, "orderNumber": order_number}, options)

    def list_activities(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        order_number: str | None = None,
        invoice_number: str | None = None,
        price_code: str | None = None,
        begin_date: date | None = None,
        end_date: date | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Activity]:
        """Usage records by chargeDate. `GET /activities`"""
        return self._perform(CALLS["listActivities"], {"offset": offset, "max": max, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "orderNumber": order_number, "invoiceNumber": invoice_number, "priceCode": price_code, "beginDate": begin_date, "endDate": end_date}, options)

    def iterate_activities(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        order_number: str | None = None,
        invoice_number: str | None = None,
        price_code: str | None = None,
        begin_date: date | None = None,
        end_date: date | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Activity]:
        """All of `list_activities`, page by page."""
        return self._iterate(CALLS["listActivities"], {"offset": offset, "max": max, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "orderNumber": order_number, "invoiceNumber": invoice_number, "priceCode": price_code, "beginDate": begin_date, "endDate": end_date}, options)

    def list_audit_log(
        self,
        *,
        after: int | None = None,
        max: int | None = None,
        from_: date | None = None,
        to: date | None = None,
        username: str | None = None,
        action: Literal["write", "export", "command", "refused", "foreignId", "foreignHost", "userSuspended", "userEnabled"] | None = None,
        object_type: str | None = None,
        object_id: int | None = None,
        code: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.AuditEntry]:
        """The audit log, in the order of its numbers. `GET /auditLog`"""
        return self._perform(CALLS["listAuditLog"], {"after": after, "max": max, "from": from_, "to": to, "username": username, "action": action, "objectType": object_type, "objectId": object_id, "code": code}, options)

    def iterate_audit_log(
        self,
        *,
        after: int | None = None,
        max: int | None = None,
        from_: date | None = None,
        to: date | None = None,
        username: str | None = None,
        action: Literal["write", "export", "command", "refused", "foreignId", "foreignHost", "userSuspended", "userEnabled"] | None = None,
        object_type: str | None = None,
        object_id: int | None = None,
        code: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.AuditEntry]:
        """All of `list_audit_log`, page by page."""
        return self._iterate(CALLS["listAuditLog"], {"after": after, "max": max, "from": from_, "to": to, "username": username, "action": action, "objectType": object_type, "objectId": object_id, "code": code}, options)

    def list_commission_plans(
        self,
        *,
        commission_code: str | None = None,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> list[types.CommissionPlan]:
        """The commission plans by ascending id, or the one with a code. `GET /commissionPlans`"""
        return self._perform(CALLS["listCommissionPlans"], {"commissionCode": commission_code, "offset": offset, "max": max}, options)

    def iterate_commission_plans(
        self,
        *,
        commission_code: str | None = None,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.CommissionPlan]:
        """All of `list_commission_plans`, page by page."""
        return self._iterate(CALLS["listCommissionPlans"], {"commissionCode": commission_code, "offset": offset, "max": max}, options)

    def list_commissions(
        self,
        *,
        agent_code: str | None = None,
        from_: date | None = None,
        to: date | None = None,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Commission]:
        """The commissions of sales agents, earned and taken back, by dateEarned. `GET /commissions`"""
        return self._perform(CALLS["listCommissions"], {"agentCode": agent_code, "from": from_, "to": to, "offset": offset, "max": max}, options)

    def iterate_commissions(
        self,
        *,
        agent_code: str | None = None,
        from_: date | None = None,
        to: date | None = None,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Commission]:
        """All of `list_commissions`, page by page."""
        return self._iterate(CALLS["listCommissions"], {"agentCode": agent_code, "from": from_, "to": to, "offset": offset, "max": max}, options)

    def list_credits(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Pending", "ActionRequired", "Paid", "Declined", "Canceled", "Voided", "Refunded", "CarriedOver"] | None = None,
        amount: Decimal | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        effective_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Payment]:
        """Credits, the latest effectiveDate first. `GET /credits`"""
        return self._perform(CALLS["listCredits"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "amount": amount, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "effectiveDate": effective_date, "metadata": metadata, "count": count, "after": after}, options)

    def iterate_credits(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Pending", "ActionRequired", "Paid", "Declined", "Canceled", "Voided", "Refunded", "CarriedOver"] | None = None,
        amount: Decimal | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        effective_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Payment]:
        """All of `list_credits`, page by page."""
        return self._iterate(CALLS["listCredits"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "amount": amount, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "effectiveDate": effective_date, "metadata": metadata, "count": count, "after": after}, options)

    def list_customer_autopay(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.PaymentMethod]:
        """The payment methods on file, without their numbers. `GET /customer/{id}/autopay`"""
        return self._perform(CALLS["listCustomerAutopay"], {"id": id, "extCustomerRef": ext_customer_ref}, options)

    def list_customer_next_invoice(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        as_of: date | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Invoice]:
        """The coming invoices of a customer up to a day, without storing them. `GET /customer/{id}/nextInvoice`"""
        return self._perform(CALLS["listCustomerNextInvoice"], {"id": id, "extCustomerRef": ext_customer_ref, "asOf": as_of}, options)

    def list_customer_transitions(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        start_date: date | None = None,
        end_date: date | None = None,
        days_ago: int | None = None,
        options: CallOptions | None = None,
    ) -> list[types.CustomerTransition]:
        """Changes of customers' statuses, the newest first. `GET /customers/transitions`"""
        return self._perform(CALLS["listCustomerTransitions"], {"offset": offset, "max": max, "startDate": start_date, "endDate": end_date, "daysAgo": days_ago}, options)

    def iterate_customer_transitions(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        start_date: date | None = None,
        end_date: date | None = None,
        days_ago: int | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.CustomerTransition]:
        """All of `list_customer_transitions`, page by page."""
        return self._iterate(CALLS["listCustomerTransitions"], {"offset": offset, "max": max, "startDate": start_date, "endDate": end_date, "daysAgo": days_ago}, options)

    def list_customers(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Active", "Overdue1", "Overdue2", "Overdue3", "Suspended1", "Suspended2", "Suspended3", "InActive1", "InActive2"] | None = None,
        search: str | None = None,
        ext_customer_ref: str | None = None,
        overdue: bool | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Customer]:
        """Customers by ascending id, filtered or searched. `GET /customers`"""
        return self._perform(CALLS["listCustomers"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "search": search, "extCustomerRef": ext_customer_ref, "overdue": overdue, "metadata": metadata, "count": count, "after": after}, options)

    def iterate_customers(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Active", "Overdue1", "Overdue2", "Overdue3", "Suspended1", "Suspended2", "Suspended3", "InActive1", "InActive2"] | None = None,
        search: str | None = None,
        ext_customer_ref: str | None = None,
        overdue: bool | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Customer]:
        """All of `list_customers`, page by page."""
        return self._iterate(CALLS["listCustomers"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "search": search, "extCustomerRef": ext_customer_ref, "overdue": overdue, "metadata": metadata, "count": count, "after": after}, options)

    def list_events(
        self,
        *,
        after: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Event]:
        """The feed of events, in the order of their numbers. `GET /events`"""
        return self._perform(CALLS["listEvents"], {"after": after, "max": max}, options)

    def iterate_events(
        self,
        *,
        after: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Event]:
        """All of `list_events`, page by page."""
        return self._iterate(CALLS["listEvents"], {"after": after, "max": max}, options)

    def list_invoices(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Outstanding", "Paid", "Cancelled", "CarriedOver"] | None = None,
        credit_note_of: int | None = None,
        is_credit_note: bool | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        overdue: bool | None = None,
        order_number: str | None = None,
        price_code: str | None = None,
        invoice_date: str | None = None,
        due_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Invoice]:
        """Invoices, the latest dueDate first. `GET /invoices`"""
        return self._perform(CALLS["listInvoices"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "creditNoteOf": credit_note_of, "isCreditNote": is_credit_note, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "overdue": overdue, "orderNumber": order_number, "priceCode": price_code, "invoiceDate": invoice_date, "dueDate": due_date, "metadata": metadata, "count": count, "after": after}, options)

    def iterate_invoices(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Outstanding", "Paid", "Cancelled", "CarriedOver"] | None = None,
        credit_note_of: int | None = None,
        is_credit_note: bool | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        overdue: bool | None = None,
        order_number: str | None = None,
        price_code: str | None = None,
        invoice_date: str | None = None,
        due_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Invoice]:
        """All of `list_invoices`, page by page."""
        return self._iterate(CALLS["listInvoices"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "creditNoteOf": credit_note_of, "isCreditNote": is_credit_note, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "overdue": overdue, "orderNumber": order_number, "priceCode": price_code, "invoiceDate": invoice_date, "dueDate": due_date, "metadata": metadata, "count": count, "after": after}, options)

    def list_ledger(
        self,
        *,
        after: str | None = None,
        max: int | None = None,
        from_: date | None = None,
        to: date | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        account: Literal["receivables", "cash", "unapplied", "revenue", "tax", "adjustments", "surcharges", "writeOffs", "carriedOver", "openingBalance"] | None = None,
        accounting_code: str | None = None,
        entry_type: Literal["Invoice", "CreditNote", "InvoiceCancelled", "Payment", "PaymentReversed", "Refund", "Credit", "Debit", "Application", "CarriedOver", "ZeroOut", "OpeningBalance", "ImportedInvoice"] | None = None,
        invoice_number: str | None = None,
        payment_id: int | None = None,
        currency: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.LedgerEntry]:
        """The rows of the ledger, oldest booked first. `GET /ledger`"""
        return self._perform(CALLS["listLedger"], {"after": after, "max": max, "from": from_, "to": to, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "account": account, "accountingCode": accounting_code, "entryType": entry_type, "invoiceNumber": invoice_number, "paymentId": payment_id, "currency": currency}, options)

    def iterate_ledger(
        self,
        *,
        after: str | None = None,
        max: int | None = None,
        from_: date | None = None,
        to: date | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        account: Literal["receivables", "cash", "unapplied", "revenue", "tax", "adjustments", "surcharges", "writeOffs", "carriedOver", "openingBalance"] | None = None,
        accounting_code: str | None = None,
        entry_type: Literal["Invoice", "CreditNote", "InvoiceCancelled", "Payment", "PaymentReversed", "Refund", "Credit", "Debit", "Application", "CarriedOver", "ZeroOut", "OpeningBalance", "ImportedInvoice"] | None = None,
        invoice_number: str | None = None,
        payment_id: int | None = None,
        currency: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.LedgerEntry]:
        """All of `list_ledger`, page by page."""
        return self._iterate(CALLS["listLedger"], {"after": after, "max": max, "from": from_, "to": to, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "account": account, "accountingCode": accounting_code, "entryType": entry_type, "invoiceNumber": invoice_number, "paymentId": payment_id, "currency": currency}, options)

    def list_order_sales_agent(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.SubscriptionOrderBiller]:
        """The sales agents of an order, by ascending id. `GET /order/{id}/salesAgent`"""
        return self._perform(CALLS["listOrderSalesAgent"], {"id": id, "orderNumber": order_number}, options)

    def list_order_timeline(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.TimelineEntry]:
        """The past and the next events of an order. `GET /order/{id}/timeline`"""
        return self._perform(CALLS["listOrderTimeline"], {"id": id, "orderNumber": order_number}, options)

    def list_orders(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Draft", "Provisioning", "Active", "Suspended", "Complete", "Superseded", "Canceled"] | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        order_number: str | None = None,
        price_code: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.SubscriptionOrder]:
        """Orders, the newest first. `GET /orders`"""
        return self._perform(CALLS["listOrders"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "orderNumber": order_number, "priceCode": price_code, "metadata": metadata, "count": count, "after": after}, options)

    def iterate_orders(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Draft", "Provisioning", "Active", "Suspended", "Complete", "Superseded", "Canceled"] | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        order_number: str | None = None,
        price_code: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.SubscriptionOrder]:
        """All of `list_orders`, page by page."""
        return self._iterate(CALLS["listOrders"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "orderNumber": order_number, "priceCode": price_code, "metadata": metadata, "count": count, "after": after}, options)

    def list_payments(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Pending", "ActionRequired", "Paid", "Declined", "Canceled", "Voided", "Refunded", "CarriedOver"] | None = None,
        amount: Decimal | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        effective_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Payment]:
        """Payments, the latest effectiveDate first. `GET /payments`"""
        return self._perform(CALLS["listPayments"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "amount": amount, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "effectiveDate": effective_date, "metadata": metadata, "count": count, "after": after}, options)

    def iterate_payments(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Pending", "ActionRequired", "Paid", "Declined", "Canceled", "Voided", "Refunded", "CarriedOver"] | None = None,
        amount: Decimal | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        effective_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Payment]:
        """All of `list_payments`, page by page."""
        return self._iterate(CALLS["listPayments"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "amount": amount, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "effectiveDate": effective_date, "metadata": metadata, "count": count, "after": after}, options)

    def list_plans(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        exclude_charges: bool | None = None,
        options: CallOptions | None = None,
    ) -> list[types.ContractOffering]:
        """The newest version of each plan, by ascending id. `GET /plans`"""
        return self._perform(CALLS["listPlans"], {"offset": offset, "max": max, "excludeCharges": exclude_charges}, options)

    def iterate_plans(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        exclude_charges: bool | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.ContractOffering]:
        """All of `list_plans`, page by page."""
        return self._iterate(CALLS["listPlans"], {"offset": offset, "max": max, "excludeCharges": exclude_charges}, options)

    def list_refunds(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Pending", "ActionRequired", "Paid", "Declined", "Canceled", "Voided", "Refunded", "CarriedOver"] | None = None,
        amount: Decimal | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        effective_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Payment]:
        """Refunds, the latest effectiveDate first. `GET /refunds`"""
        return self._perform(CALLS["listRefunds"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "amount": amount, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "effectiveDate": effective_date, "metadata": metadata, "count": count, "after": after}, options)

    def iterate_refunds(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        create_start_time: str | None = None,
        create_end_time: str | None = None,
        update_start_time: str | None = None,
        update_end_time: str | None = None,
        status: Literal["Pending", "ActionRequired", "Paid", "Declined", "Canceled", "Voided", "Refunded", "CarriedOver"] | None = None,
        amount: Decimal | None = None,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        effective_date: str | None = None,
        metadata: Mapping[str, str] | None = None,
        count: bool | None = None,
        after: str | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Payment]:
        """All of `list_refunds`, page by page."""
        return self._iterate(CALLS["listRefunds"], {"offset": offset, "max": max, "createStartTime": create_start_time, "createEndTime": create_end_time, "updateStartTime": update_start_time, "updateEndTime": update_end_time, "status": status, "amount": amount, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "effectiveDate": effective_date, "metadata": metadata, "count": count, "after": after}, options)

    def list_sales_agents(
        self,
        *,
        agent_code: str | None = None,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> list[types.Biller]:
        """The sales agents by ascending id, or the one with a code. `GET /salesAgents`"""
        return self._perform(CALLS["listSalesAgents"], {"agentCode": agent_code, "offset": offset, "max": max}, options)

    def iterate_sales_agents(
        self,
        *,
        agent_code: str | None = None,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.Biller]:
        """All of `list_sales_agents`, page by page."""
        return self._iterate(CALLS["listSalesAgents"], {"agentCode": agent_code, "offset": offset, "max": max}, options)

    def list_users(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> list[types.User]:
        """The users of the interface by ascending id, and what each of them may call. `GET /users`"""
        return self._perform(CALLS["listUsers"], {"offset": offset, "max": max}, options)

    def iterate_users(
        self,
        *,
        offset: int | None = None,
        max: int | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[types.User]:
        """All of `list_users`, page by page."""
        return self._iterate(CALLS["listUsers"], {"offset": offset, "max": max}, options)

    def rate_order(
        self,
        *,
        subscription_order: types.SubscriptionOrder,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Quote:
        """What an order costs, without making it. `POST /orders`"""
        return self._perform(CALLS["rateOrder"], {"subscriptionOrder": subscription_order, "extCustomerRef": ext_customer_ref}, options)

    def reorder_customer_autopay(
        self,
        *,
        order: str,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> list[types.PaymentMethod]:
        """Number the payment methods on file anew. `POST /customer/{id}/autopay`"""
        return self._perform(CALLS["reorderCustomerAutopay"], {"id": id, "extCustomerRef": ext_customer_ref, "order": order}, options)

    def resend_event(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.Event:
        """Send an event again. `POST /events/{id}`"""
        return self._perform(CALLS["resendEvent"], {"id": id}, options)

    def retry_invoice(
        self,
        *,
        id: int | None = None,
        invoice_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Payment:
        """Charge what is open of an invoice by the methods on file. `POST /invoice/{id}`"""
        return self._perform(CALLS["retryInvoice"], {"id": id, "invoiceNumber": invoice_number}, options)

    def send_notification(
        self,
        *,
        send_email: types.SendEmail,
        options: CallOptions | None = None,
    ) -> types.Response:
        """Send a mail to a customer. `POST /customers/notification`"""
        return self._perform(CALLS["sendNotification"], {"sendEmail": send_email}, options)

    def start_signup(
        self,
        *,
        success_url: str,
        fail_url: str,
        css_url: str,
        hide_customer_fields: bool | None = None,
        company_name: str | None = None,
        ext_customer_ref: str | None = None,
        login: str | None = None,
        passwd: str | None = None,
        first_name: str | None = None,
        last_name: str | None = None,
        phone: str | None = None,
        email: str | None = None,
        street: str | None = None,
        city: str | None = None,
        state: str | None = None,
        zipcode: str | None = None,
        country: str | None = None,
        hide_order_fields: bool | None = None,
        contract_code: str | None = None,
        quantity: Decimal | None = None,
        start_date: date | None = None,
        sku: str | None = None,
        coupon_code: str | None = None,
        biller_code: str | None = None,
        tos_link: str | None = None,
        display_amount: Literal["none", "allCharges", "oneTimeChargesOnly"] | None = None,
        profile_id: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SignupLink:
        """Start a hosted sign-up, and get the address of its page. `GET /signup/start`"""
        return self._perform(CALLS["startSignup"], {"successURL": success_url, "failURL": fail_url, "cssURL": css_url, "hideCustomerFields": hide_customer_fields, "companyName": company_name, "extCustomerRef": ext_customer_ref, "login": login, "passwd": passwd, "firstName": first_name, "lastName": last_name, "phone": phone, "email": email, "street": street, "city": city, "state": state, "zipcode": zipcode, "country": country, "hideOrderFields": hide_order_fields, "contractCode": contract_code, "quantity": quantity, "startDate": start_date, "sku": sku, "couponCode": coupon_code, "billerCode": biller_code, "tosLink": tos_link, "displayAmount": display_amount, "profileId": profile_id}, options)

    def start_widget(
        self,
        *,
        css_url: str,
        login_url: str,
        customer_id: int | None = None,
        ext_customer_ref: str | None = None,
        show_navigation_bar: bool | None = None,
        show_statements: bool | None = None,
        show_payments: bool | None = None,
        allow_payments: bool | None = None,
        allow_profile_edit: bool | None = None,
        edit_order_options: str | None = None,
        pdf_mode: bool | None = None,
        profile: str | None = None,
        options: CallOptions | None = None,
    ) -> types.WidgetLink:
        """Start a session of hosted self-service, and get the address of the customer's page. `GET /widget/start`"""
        return self._perform(CALLS["startWidget"], {"cssURL": css_url, "customerId": customer_id, "extCustomerRef": ext_customer_ref, "loginUrl": login_url, "showNavigationBar": show_navigation_bar, "showStatements": show_statements, "showPayments": show_payments, "allowPayments": allow_payments, "allowProfileEdit": allow_profile_edit, "editOrderOptions": edit_order_options, "pdfMode": pdf_mode, "profile": profile}, options)

    def suspend_customer(
        self,
        *,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        until: date | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Suspend the billing of a customer, until a day, or until it is activated. `POST /customer/{id}`"""
        return self._perform(CALLS["suspendCustomer"], {"id": id, "extCustomerRef": ext_customer_ref, "until": until}, options)

    def suspend_order(
        self,
        *,
        id: int | None = None,
        order_number: str | None = None,
        until: date | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """Suspend an order: it bills nothing until a day, or until it is activated. `POST /order/{id}`"""
        return self._perform(CALLS["suspendOrder"], {"id": id, "orderNumber": order_number, "until": until}, options)

    def suspend_user(
        self,
        *,
        id: int,
        options: CallOptions | None = None,
    ) -> types.User:
        """Suspend a user: within ten seconds no process takes its passwords. `POST /user/{id}`"""
        return self._perform(CALLS["suspendUser"], {"id": id}, options)

    def update_credit_metadata(
        self,
        *,
        id: int,
        metadata: list[types.MetadataEntry],
        options: CallOptions | None = None,
    ) -> list[types.MetadataEntry]:
        """Replace the metadata of a credit, at any time. `PUT /credit/{id}/metadata`"""
        return self._perform(CALLS["updateCreditMetadata"], {"id": id, "metadata": metadata}, options)

    def update_customer(
        self,
        *,
        customer: types.Customer,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.Customer:
        """Change a customer. `PUT /customer/{id}`"""
        return self._perform(CALLS["updateCustomer"], {"id": id, "extCustomerRef": ext_customer_ref, "customer": customer}, options)

    def update_customer_autopay(
        self,
        *,
        autopay: types.Autopay,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        validate: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Status:
        """Put a payment method on file, replacing the one with its autopayPreference. `PUT /customer/{id}/autopay`"""
        return self._perform(CALLS["updateCustomerAutopay"], {"id": id, "extCustomerRef": ext_customer_ref, "autopay": autopay, "validate": validate}, options)

    def update_customer_billing_contact(
        self,
        *,
        billing_contact: types.BillingContact,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.BillingContact:
        """Change the billingContact of a customer. `PUT /customer/{id}/billingContact`"""
        return self._perform(CALLS["updateCustomerBillingContact"], {"id": id, "extCustomerRef": ext_customer_ref, "billingContact": billing_contact}, options)

    def update_customer_metadata(
        self,
        *,
        id: int,
        metadata: list[types.MetadataEntry],
        options: CallOptions | None = None,
    ) -> list[types.MetadataEntry]:
        """Replace the metadata of a customer. `PUT /customer/{id}/metadata`"""
        return self._perform(CALLS["updateCustomerMetadata"], {"id": id, "metadata": metadata}, options)

    def update_customer_payment_plan(
        self,
        *,
        payment_plan: types.PaymentPlan,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.PaymentPlan:
        """Change the future installments of the payment plan of a customer. `PUT /customers/{id}/paymentPlan`"""
        return self._perform(CALLS["updateCustomerPaymentPlan"], {"id": id, "extCustomerRef": ext_customer_ref, "paymentPlan": payment_plan}, options)

    def update_customer_rest(
        self,
        *,
        id: int,
        customer: types.Customer,
        options: CallOptions | None = None,
    ) -> types.Customer:
        """Change a customer, as an action. `POST /customer/{id}`"""
        return self._perform(CALLS["updateCustomerRest"], {"id": id, "customer": customer}, options)

    def update_customer_sales_contact(
        self,
        *,
        sales_contact: types.SalesContact,
        id: int | None = None,
        ext_customer_ref: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SalesContact:
        """Change the salesContact of a customer. `PUT /customer/{id}/salesContact`"""
        return self._perform(CALLS["updateCustomerSalesContact"], {"id": id, "extCustomerRef": ext_customer_ref, "salesContact": sales_contact}, options)

    def update_invoice_metadata(
        self,
        *,
        id: int,
        metadata: list[types.MetadataEntry],
        options: CallOptions | None = None,
    ) -> list[types.MetadataEntry]:
        """Replace the metadata of an invoice, at any time. `PUT /invoice/{id}/metadata`"""
        return self._perform(CALLS["updateInvoiceMetadata"], {"id": id, "metadata": metadata}, options)

    def update_order(
        self,
        *,
        subscription_order: types.SubscriptionOrder,
        id: int | None = None,
        order_number: str | None = None,
        options: CallOptions | None = None,
    ) -> types.SubscriptionOrder:
        """Change an order, or only its status. `PUT /order/{id}`"""
        return self._perform(CALLS["updateOrder"], {"id": id, "orderNumber": order_number, "subscriptionOrder": subscription_order}, options)

    def update_order_metadata(
        self,
        *,
        id: int,
        metadata: list[types.MetadataEntry],
        options: CallOptions | None = None,
    ) -> list[types.MetadataEntry]:
        """Replace the metadata of an order, at any time. `PUT /order/{id}/metadata`"""
        return self._perform(CALLS["updateOrderMetadata"], {"id": id, "metadata": metadata}, options)

    def update_payment_metadata(
        self,
        *,
        id: int,
        metadata: list[types.MetadataEntry],
        options: CallOptions | None = None,
    ) -> list[types.MetadataEntry]:
        """Replace the metadata of a payment, at any time. `PUT /payment/{id}/metadata`"""
        return self._perform(CALLS["updatePaymentMetadata"], {"id": id, "metadata": metadata}, options)

    def update_refund_metadata(
        self,
        *,
        id: int,
        metadata: list[types.MetadataEntry],
        options: CallOptions | None = None,
    ) -> list[types.MetadataEntry]:
        """Replace the metadata of a refund, at any time. `PUT /refund/{id}/metadata`"""
        return self._perform(CALLS["updateRefundMetadata"], {"id": id, "metadata": metadata}, options)

    def verify_signup(
        self,
        *,
        tracking: str,
        options: CallOptions | None = None,
    ) -> types.Signup:
        """What became of a hosted sign-up. `GET /signup/verify/{tracking}`"""
        return self._perform(CALLS["verifySignup"], {"tracking": tracking}, options)
