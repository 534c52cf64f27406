/** The steps of customers at hosted pages, as a browser without script takes them, each from an address of its own. */
import type { Facts } from './calls.ts';
import { openLane, type Answer, type Outgoing, type Target } from './http.ts';

/** Prepares the step, which is then taken again and again. */
type Visit = (target: Target, facts: Facts) => Promise<() => Promise<Answer>>;

export const visits: Readonly<Record<string, Visit>> = {
  'signup/start': async (target) => () => startSignup(target),
  'the page': async (target) => {
    const paths: string[] = [];
    for (let each = 0; each < LINKS; each += 1) paths.push(pathIn(await startSignup(target)));
    let next = 0;
    return () => read(target, newVisitor(), paths[(next += 1) % LINKS] ?? '');
  },
  'the form, until it is paid': async (target) => () => signUp(target),
  'the first page': (target, facts) => atAccounts(target, facts, ''),
  'a statement': (target, facts) => atAccounts(target, facts, '/statements'),
  // Each customer pays its open invoice once.
  'paying an invoice': async (target, facts) => {
    const homes = (await accountsOf(target, facts)).values();
    return () => {
      const { value: home } = homes.next();
      if (home === undefined) throw new Error('all invoices are paid');
      const formIn = /<form[^>]*method="post"[^>]*action="[^"]*\/pay[^]*?<\/form>/;
      return submit(target, `${home}/pay`, formIn);
    };
  },
};

/** Allowed by the tenant's file. */
export const SITE = 'https://shop.example.com';
const LINKS = 50;
const card = {
  cardNumber: '4111111111111111',
  expiryMonth: '12',
  expiryYear: '2035',
  cvv: '123',
  cardholderName: 'Ada Field',
};

let count = 0;

/** The API limits posts of a network. */
function newVisitor(): string {
  count += 1;
  return `127.1.${Math.floor(count / 250) % 250}.${(count % 250) + 1}`;
}

/** The tenant's server starts a sign-up. */
function startSignup(target: Target): Promise<Answer> {
  count += 1;
  const parameters = new URLSearchParams({
    successURL: `${SITE}/ok`,
    failURL: `${SITE}/no`,
    cssURL: '/css/signup.css',
    hideCustomerFields: 'true',
    extCustomerRef: `S${process.pid}-${count}`,
    firstName: 'Ada',
    lastName: `Field ${count}`,
    email: `ada.${process.pid}.${count}@example.com`,
    street: '1 Main St',
    city: 'Albany',
    state: 'NY',
    zipcode: '12207',
    country: 'US',
    hideOrderFields: 'true',
    contractCode: 'MONTHLY',
    quantity: '1',
    format: 'xml',
  });
  return send(target, { method: 'GET', path: `/rest/signup/start?${parameters.toString()}` });
}

async function signUp(target: Target): Promise<Answer> {
  return submit(target, pathIn(await startSignup(target)));
}

/** The path of the page whose address an answer names. */
const pathIn = (answer: Answer): string =>
  new URL(/https?:\/\/[^<\s]+/.exec(answer.body())?.[0] ?? 'none:').pathname;

/** Starts the session of each customer; returns the paths of their first pages. */
async function accountsOf(target: Target, { customers = [] }: Facts): Promise<string[]> {
  const homes: string[] = [];
  for (const customer of customers) {
    const parameters = new URLSearchParams({
      customerId: String(customer),
      cssURL: '/css/signup.css',
      loginUrl: `${SITE}/login`,
    });
    const path = `/rest/widget/start?${parameters.toString()}`;
    homes.push(pathIn(await send(target, { method: 'GET', path })));
  }
  return homes;
}

async function atAccounts(target: Target, facts: Facts, page: string) {
  const homes = await accountsOf(target, facts);
  let next = 0;
  return () => read(target, newVisitor(), `${homes[(next += 1) % homes.length] ?? ''}${page}`);
}

const read = (target: Target, localAddress: string, path: string): Promise<Answer> =>
  send({ ...target, localAddress }, { method: 'GET', path, headers: {} });

/** Submits the form of a page with a card that is approved; the time is that of the form. */
async function submit(target: Target, path: string, formIn = /[^]*/): Promise<Answer> {
  const localAddress = newVisitor();
  const [form = ''] = formIn.exec((await read(target, localAddress, path)).body()) ?? [];
  const given =
    form.match(/<input[^>]+(?:type="hidden"|type="checkbox"[^>]* checked)[^>]*>/g) ?? [];
  const fields = new URLSearchParams({
    ...Object.fromEntries(
      given.map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]),
    ),
    ...card,
  });
  return send(
    { ...target, localAddress },
    {
      method: 'POST',
      path: attributeOf(/<form[^>]*>/.exec(form)?.[0] ?? '', 'action') || path,
      body: fields.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://${target.host}:${target.port}`,
        'sec-fetch-site': 'same-origin',
      },
    },
  );
}

const attributeOf = (element: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? '';

/** On a connection of its own. */
async function send(target: Target, outgoing: Outgoing): Promise<Answer> {
  const lane = openLane(target);
  const answer = await lane.send(outgoing);
  lane.close();
  return answer;
}
