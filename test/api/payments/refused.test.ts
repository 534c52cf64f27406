/** Refused payments: 400 with the element, nothing charged, nothing stored. */
import test from 'ava';
import {
  VISA,
  account,
  amount,
  card,
  cash,
  check,
  dto,
  holdsNoNumber,
  invoices,
  makeCustomer,
  makeInvoice,
  pay,
  payWithAutopay,
  token,
  traces,
} from './bodies.ts';
import { refused, startTenantApi } from '../tenant-api.ts';

const api = await startTenantApi();
await makeCustomer(api);
await makeCustomer(api, 'C2');
const open = await makeInvoice(api, '50.00');
const others = await makeInvoice(api, '50.00', { of: 'C2' });
const euros = await makeInvoice(api, '50.00', { currency: 'EUR' });
const cancelled = await makeInvoice(api, '50.00');
await api.remove(`/invoice/${cancelled}`);
// Its money is applied to it when it is made.
await api.post('/credits?extCustomerRef=C2', pay(amount('7.00')));
const settled = await makeInvoice(api, '0.00');

type Row = readonly [rule: string, body: string, ...errors: string[]];

const ten = amount('10.00');
const root = 'processPayment';
const method = `${root}/paymentMethodDTO`;
const ofCard = `${method}/creditCardPaymentMethod`;
const named = (id: string) => pay(`${ten}${invoices(id)}${card()}`);

const payments: readonly Row[] = [
  ['no amount', pay(card()), `field.required ${root}/amount`],
  ['an amount of zero', pay(amount('0.00') + card()), `payment.amount ${root}/amount`],
  ['a negative amount', pay(amount('-1.00') + card()), `payment.amount ${root}/amount`],
  ['three decimals', pay(amount('10.123') + card()), `payment.amount ${root}/amount`],
  ['an exponent', pay(amount('1e3') + card()), `field.invalid ${root}/amount`],
  ['an amount of 13 digits', pay(amount('1000000000000') + cash()), `field.invalid ${root}/amount`],
  [
    'a currency that is none',
    pay(`${ten}<currencyCode>XXY</currencyCode>${card()}`),
    `payment.currency ${root}/currencyCode`,
  ],
  [
    'a currency in words',
    pay(`${ten}<currencyCode>dollar</currencyCode>${card()}`),
    `field.tooLong ${root}/currencyCode`,
  ],
  [
    'an invoice in another currency',
    named(euros),
    `payment.currency ${root}/invoices/invoice[1]/@id`,
  ],
  [
    'an invoice of another customer',
    named(others),
    `payment.invoice ${root}/invoices/invoice[1]/@id`,
  ],
  [
    'an invoice that is cancelled',
    named(cancelled),
    `payment.invoice ${root}/invoices/invoice[1]/@id`,
  ],
  ['an invoice that is paid', named(settled), `payment.invoice ${root}/invoices/invoice[1]/@id`],
  [
    'an invoice that there is not',
    named('77777777'),
    `payment.invoice ${root}/invoices/invoice[1]/@id`,
  ],
  [
    'an invoice named twice',
    pay(`${ten}${invoices(open, open)}${card()}`),
    `payment.invoice ${root}/invoices/invoice[2]/@id`,
  ],
  [
    'a negative surcharge',
    pay(`${ten}<totalSurcharge>-1</totalSurcharge>${card()}`),
    `payment.amount ${root}/totalSurcharge`,
  ],
  [
    'tomorrow',
    pay(`${ten}<effectiveDate>2027-01-02</effectiveDate>${cash()}`),
    `payment.date ${root}/effectiveDate`,
  ],
  [
    'a card of yesterday',
    pay(`${ten}<effectiveDate>2026-12-31</effectiveDate>${card()}`),
    `payment.date ${root}/effectiveDate`,
  ],
  ['an unknown element', pay(`${ten}<tip>1</tip>${card()}`), `field.unknown ${root}/tip`],
  ['another word', `<processRefund>${ten}</processRefund>`, 'document.root processRefund'],

  ['no container', pay(ten), `payment.method ${method}`],
  ['an empty container', pay(`${ten}<paymentMethodDTO/>`), `payment.method ${method}`],
  ['a container with nothing in it', pay(ten + dto('Cash', '')), `payment.method ${method}`],
  ['two containers', pay(ten + card() + cash()), `field.repeated ${method}`],
  [
    'two methods in one',
    pay(ten + dto('Cash', '<cashPaymentMethod/><checkPaymentMethod/>')),
    `payment.method ${method}/checkPaymentMethod`,
  ],
  [
    'a method that does not fit its type',
    pay(ten + dto('Cash', '<checkPaymentMethod/>')),
    `payment.method ${method}/checkPaymentMethod`,
  ],
  ['an unknown type', pay(ten + dto('Wire', '')), `payment.method ${method}/@type`],
  [
    'no type',
    pay(`${ten}<paymentMethodDTO><cashPaymentMethod/></paymentMethodDTO>`),
    `field.required ${method}/@type`,
  ],
  [
    'a card without anything',
    pay(ten + dto('CreditCard', '<creditCardPaymentMethod/>')),
    `payment.method ${ofCard}`,
  ],
  [
    'a card without a number',
    pay(
      ten +
        dto(
          'CreditCard',
          '<creditCardPaymentMethod><expiry>2029-01-31</expiry></creditCardPaymentMethod>',
        ),
    ),
    `field.required ${ofCard}/cardNumber`,
  ],
  [
    'a wrong check digit',
    pay(ten + card({ number: '4111111111111112' })),
    `field.invalid ${ofCard}/cardNumber`,
  ],
  [
    'too short a number',
    pay(ten + card({ number: '411111111111' })),
    `field.invalid ${ofCard}/cardNumber`,
  ],
  [
    'letters in a number',
    pay(ten + card({ number: `${VISA}x` })),
    `field.invalid ${ofCard}/cardNumber`,
  ],
  [
    'a card that has expired',
    pay(ten + card({ expiry: '2026-12-31' })),
    `field.invalid ${ofCard}/expiry`,
  ],
  [
    'an expiry that is no date',
    pay(ten + card({ expiry: '12/29' })),
    `field.invalid ${ofCard}/expiry`,
  ],
  ['the number as expiry', pay(ten + card({ expiry: VISA })), `field.invalid ${ofCard}/expiry`],
  [
    'another brand than the number has',
    pay(ten + card({ more: '<cardType>MasterCard</cardType>' })),
    `field.invalid ${ofCard}/cardType`,
  ],
  [
    'a security code of another brand',
    pay(
      ten +
        dto(
          'CreditCard',
          `<creditCardPaymentMethod><cardNumber>${VISA}</cardNumber><expiry>2029-12-31</expiry>` +
            '<cvv>1234</cvv></creditCardPaymentMethod>',
        ),
    ),
    `field.invalid ${ofCard}/cvv`,
  ],
  [
    'a fourth preference',
    pay(ten + card({ more: '<autopayPreference>4</autopayPreference>' })),
    `field.range ${ofCard}/autopayPreference`,
  ],
  [
    'a wrong routing number',
    pay(ten + account('000123456789', '021000022')),
    `field.invalid ${method}/achPaymentMethod/abaRoutingNumber`,
  ],
  [
    'an account of letters',
    pay(ten + account('12AB')),
    `field.invalid ${method}/achPaymentMethod/accountNumber`,
  ],
  [
    'an account that is neither',
    pay(ten + account('000123456789', '021000021', '<accountType>Bonds</accountType>')),
    `field.invalid ${method}/achPaymentMethod/accountType`,
  ],
  ['an empty token', pay(ten + token('')), `field.required ${method}/tokenPaymentMethod/token`],
  [
    'a token of nobody',
    pay(ten + token('tok_ok', '<gateway>adyen</gateway>')),
    `field.invalid ${method}/tokenPaymentMethod/gateway`,
  ],
  [
    "a token at a gateway that is not the tenant's",
    pay(ten + token('pm_1', '<gateway>stripe</gateway>')),
    `field.invalid ${method}/tokenPaymentMethod/gateway`,
  ],
  [
    'a card number as a token',
    pay(ten + token(VISA)),
    `field.invalid ${method}/tokenPaymentMethod/token`,
  ],
  [
    'a card number as a brand',
    pay(ten + token('tok_ok', '<cardType>4111 1111 1111 1111</cardType>')),
    `field.invalid ${method}/tokenPaymentMethod/cardType`,
  ],
  [
    'a whole number as its end',
    pay(ten + token('tok_ok', `<lastFour>${VISA}</lastFour>`)),
    `field.invalid ${method}/tokenPaymentMethod/lastFour`,
  ],
  [
    'a check of a date that is none',
    pay(ten + check('<checkDate>2027-02-30</checkDate>')),
    `field.invalid ${method}/checkPaymentMethod/checkDate`,
  ],
];

const refundRoot = 'processRefund';
const refund = (inner: string) => `<${refundRoot}>${inner}</${refundRoot}>`;
const refunds: readonly Row[] = [
  ['nothing was paid', refund(ten), `payment.refundTooHigh ${refundRoot}/amount`],
  ['nothing was paid by it', refund(ten + card()), `payment.refundTooHigh ${refundRoot}/amount`],
  ['a negative refund', refund(amount('-10.00')), `payment.amount ${refundRoot}/amount`],
  ['a refund of zero', refund(amount('0')), `payment.amount ${refundRoot}/amount`],
  [
    'a refund of an invoice on which nothing was paid',
    refund(ten + invoices(open)),
    `payment.refundTooHigh ${refundRoot}/amount`,
  ],
  [
    'a refund of a cancelled invoice',
    refund(ten + invoices(cancelled)),
    `payment.invoice ${refundRoot}/invoices/invoice[1]/@id`,
  ],
  [
    'a refund with a surcharge',
    refund(`${ten}<totalSurcharge>1.00</totalSurcharge>`),
    `payment.amount ${refundRoot}/totalSurcharge`,
  ],
  [
    'a refund of yesterday',
    refund(`${ten}<effectiveDate>2026-12-31</effectiveDate>`),
    `payment.date ${refundRoot}/effectiveDate`,
  ],
  [
    'a wrong card',
    refund(ten + card({ number: '4111111111111112' })),
    `field.invalid ${refundRoot}/paymentMethodDTO/creditCardPaymentMethod/cardNumber`,
  ],
  ['the word for credits', `<processCredit>${ten}</processCredit>`, 'document.root processCredit'],
];

const creditRoot = 'processCredit';
const credit = (inner: string) => `<${creditRoot}>${inner}</${creditRoot}>`;
const credits: readonly Row[] = [
  ['a credit of zero', credit(amount('0.00')), `payment.amount ${creditRoot}/amount`],
  [
    'a debit names an invoice',
    credit(amount('-5.00') + invoices(open)),
    `payment.invoice ${creditRoot}/invoices`,
  ],
  ['the word for refunds', refund(ten), 'document.root processRefund'],
];

const autopayRoot = 'processPaymentWithAutopay';
const byAutopay: readonly Row[] = [
  [
    'no method is on file',
    payWithAutopay(ten),
    `paymentMethod.unknown ${autopayRoot}/autopayPreference`,
  ],
  [
    'there is no fourth',
    payWithAutopay(`${ten}<autopayPreference>4</autopayPreference>`),
    `field.range ${autopayRoot}/autopayPreference`,
  ],
  [
    'a card beside it',
    payWithAutopay(ten + cash()),
    `field.unknown ${autopayRoot}/paymentMethodDTO`,
  ],
  ['another root', pay(ten + cash()), 'document.root processPayment'],
];

for (const [path, rows] of [
  ['/payments', payments],
  ['/refunds', refunds],
  ['/credits', credits],
  ['/payments/autopay', byAutopay],
  ['/refunds/autopay', byAutopay],
] as const) {
  for (const [rule, body, ...errors] of rows) {
    test(`refused on ${path}, nothing charged, nothing stored: ${rule}`, async (t) => {
      const answer = await api.post(`${path}?extCustomerRef=C1`, body);
      refused(t, answer, 400, ...errors);
      holdsNoNumber(t, answer.body);
      // The one credit of the setup.
      const none = { payment_method: 0, sandbox_method: 0, sandbox_transaction: 0 };
      t.deepEqual(await traces(api), { payment: 1, ...none });
    });
  }
}

test('the error of a wrong type lists all types', async (t) => {
  const answer = await api.post('/payments?extCustomerRef=C1', pay(ten + dto('Wire', '')));
  t.regex(
    answer.body,
    />paymentMethodDTO\/@type must be Cash, ACH, CreditCard or Check, not &quot;Wire&quot;</,
  );
});

test('a payment without a customer is 400, for an unknown one 404, for two of them 400', async (t) => {
  const path = 'processPayment/customer';
  refused(t, await api.post('/payments', pay(ten + cash())), 400, `field.required ${path}`);
  for (const method of [cash(), card()]) {
    const body = pay(ten + method);
    refused(t, await api.post('/payments?extCustomerRef=C9', body), 404, 'customer.unknown');
    const named = pay(`<customer id="77777777"/>${ten}${method}`);
    refused(t, await api.post('/payments', named), 404, 'customer.unknown');
  }
  const other = pay(`<customer id="77777777"/>${ten}${cash()}`);
  refused(
    t,
    await api.post('/payments?extCustomerRef=C1', other),
    400,
    `field.invalid ${path}/@id`,
  );
});
