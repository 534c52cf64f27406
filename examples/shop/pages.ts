/** The pages of the shop. */
import type {
  ContractOffering,
  Customer,
  Invoice,
  SubscriptionOrder,
} from '../../clients/typescript/src/index.ts';

export function plansPage(plans: readonly ContractOffering[]): string {
  const rows = plans.map(({ contractCode, name, trialValue, trialUnits, contractCharges = [] }) => {
    const [tier] = contractCharges[0]?.pricingTiers ?? [];
    const trial =
      trialValue === null ? '' : `, the first ${trialValue} ${trialUnits?.toLowerCase()} free`;
    return `<li><label><input type="radio" name="plan" value="${escaped(contractCode)}" required>
<b>${escaped(name)}</b> ${tier?.price ?? ''} ${tier?.currency.id ?? ''} a month${trial}</label></li>`;
  });
  return page(
    'Paper Shop',
    `<form method="post" action="/buy">
<input type="hidden" name="reference" value="shop-${crypto.randomUUID()}">
<ul>${rows.join('\n')}</ul>
<p><label>Name <input name="name" required></label></p>
<p><label>E-mail <input name="email" type="email" required></label></p>
<p><label>Coupon <input name="coupon"></label></p>
<p><button>Buy</button></p>
</form>
<form method="post" action="/time"><button>Let a month pass</button></form>`,
  );
}

export function accountPage(
  customer: Customer,
  orders: readonly SubscriptionOrder[],
  invoices: readonly Invoice[],
): string {
  const ordered = orders.map(
    ({ orderNumber, contractOfferingName, orderStatus, trialEndDate, couponCode }) =>
      `<li>order ${orderNumber}: ${escaped(contractOfferingName)}, ${orderStatus}` +
      (trialEndDate === null ? '' : `, free until ${trialEndDate}`) +
      (couponCode === null ? '' : `, with ${escaped(couponCode)}`) +
      '</li>',
  );
  const billed = invoices.map(
    ({ id, invoiceNumber, invoiceDate, totalDue, currentAmountDue, currency, status }) =>
      `<li>invoice ${invoiceNumber} of ${invoiceDate}: ${currentAmountDue} ${currency.id}, ${status}` +
      (status === 'Outstanding' && totalDue !== '0.00'
        ? ` <form method="post" action="/pay/${id}"><button>Pay</button></form>`
        : '') +
      '</li>',
  );
  return page(
    escaped(customer.name),
    `<ul>${ordered.join('\n')}</ul>
<ul>${billed.join('\n')}</ul>
<p>You owe ${customer.customerFinancials?.currentBalance ?? ''} ${customer.currency.id}.</p>`,
  );
}

export const errorPage = (words: string): string => page('Sorry', `<p>${escaped(words)}</p>`);

const page = (title: string, content: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title>\n<h1>${title}</h1>\n${content}\n`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
