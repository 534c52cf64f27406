/** The first order in TypeScript: a customer, an order with its invoice, the invoice. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

const [address = '', host = '', user = '', password = '', ...others] = process.argv.slice(2);
if (password === '' || others.length > 0) {
  console.error('usage: node first-order.ts ADDRESS HOST USER PASSWORD');
  console.error(
    'for example: node first-order.ts http://127.0.0.1:8080 demo.localhost api@demo demo-secret',
  );
  process.exit(2);
}

/** Sends a call and returns the answer's document; throws unless the call succeeds. */
function send(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = {
    // node:http and not fetch, which sets no Host header.
    Host: host,
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/xml', 'Idempotency-Key': randomUUID() }),
  };
  const auth = `${user}:${password}`;
  const sent = request(`${address}/rest${path}`, { method, auth, headers }, (answer) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => (text += chunk));
    answer.on('end', () => {
      const { statusCode = 0 } = answer;
      if (statusCode >= 200 && statusCode < 300) resolve(text);
      else reject(new Error(`${method} ${path} answered ${statusCode}: ${text}`));
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** The text of the first element of a name; a program of yours will use an XML parser. */
function textOf(document: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(document)?.[1] ?? '';
}

/** The id of the first element of a name. */
function idOf(document: string, name: string): string {
  return new RegExp(`<${name} id="(\\d+)"`).exec(document)?.[1] ?? '';
}

const reference = `node-${randomUUID()}`;

const customer = await send(
  'POST',
  '/customers',
  `<customer>
    <extCustomerRef>${reference}</extCustomerRef>
    <billingContact><firstName>Ada</firstName><lastName>Byron</lastName></billingContact>
  </customer>`,
);
console.log(`customer ${idOf(customer, 'customer')}`);

const order = await send(
  'POST',
  `/orders?extCustomerRef=${reference}&generateInvoice=true`,
  '<subscriptionOrder><contractCode>GOLD</contractCode></subscriptionOrder>',
);
console.log(`order ${textOf(order, 'orderNumber')}`);

const invoice = await send('GET', `/invoice/${idOf(order, 'invoice')}`);
console.log(
  `invoice ${textOf(invoice, 'invoiceNumber')} of ${textOf(invoice, 'invoiceDate')} ` +
    `over ${textOf(invoice, 'currentAmountDue')}, due ${textOf(invoice, 'dueDate')}`,
);
