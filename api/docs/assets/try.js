/** The form of a call's page: it sends the call to the tenant at whose address the page is read. */

export function trying() {
  const form = document.querySelector('form.try');
  form.hidden = false;
  const elsewhere = form.querySelector('.elsewhere');
  const isAtTenant = new URL(elsewhere.querySelector('a').href).host === location.host;
  elsewhere.hidden = isAtTenant;
  form.querySelector('.sending').hidden = !isAtTenant;
  const { address, form: choice } = form.elements;
  choice?.addEventListener('change', () => (address.value = choice.value));
  address.addEventListener('input', () => address.setCustomValidity(''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const [, missing] = /\{(\w+)\}/.exec(address.value) ?? [];
    if (missing !== undefined) {
      address.setCustomValidity(`Write a value in place of {${missing}}`);
      address.reportValidity();
      return;
    }
    void send(form);
  });
}

async function send(form) {
  const shown = form.querySelector('.sent');
  const button = form.querySelector('button');
  button.disabled = true;
  shown.replaceChildren(line('p', 'Sent; waiting for the answer.'));
  try {
    const begun = performance.now();
    const answer = await fetch(...requestOf(form));
    const text = isText(answer) ? await answer.text() : '';
    const took = Math.round(performance.now() - begun);
    shown.replaceChildren(...answerOf(answer, text, took));
  } catch (fault) {
    shown.replaceChildren(line('p', `No answer: ${fault.message}`));
  } finally {
    button.disabled = false;
  }
}

/** No password is kept, and a browser does not ask for another one after a 401. */
function requestOf(form) {
  const { address, user, password, body } = form.elements;
  const url = new URL(address.value, location.origin);
  if (!url.searchParams.has('indent')) url.searchParams.set('indent', 'true');
  const { method } = form.dataset;
  const bytes = new TextEncoder().encode(`${user.value}:${password.value}`);
  const headers = { Authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
  if (method !== 'GET') headers['Idempotency-Key'] = `docs-${keyOf()}`;
  if (body !== undefined) headers['Content-Type'] = 'application/xml';
  // Only this host: an address with another one would get the credentials.
  const here = new URL(`${url.pathname}${url.search}`, location.origin);
  return [here, { method, headers, body: body?.value, credentials: 'omit', cache: 'no-store' }];
}

const keyOf = () =>
  [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

const isText = ({ headers }) => /xml|text|json/.test(headers.get('Content-Type') ?? '');

function answerOf(answer, text, took) {
  const status = line('p', `${answer.status} ${answer.statusText}, ${took} ms`.replace('  ', ' '));
  const type = answer.headers.get('Content-Type') ?? 'no content';
  const size = answer.headers.get('Content-Length') ?? 'unknown';
  const words = isText(answer) ? text : `${type}, ${size} bytes`;
  const area = document.createElement('pre');
  area.tabIndex = 0;
  area.setAttribute('role', 'region');
  area.setAttribute('aria-label', 'Answer of the call that was sent');
  area.append(line('code', words));
  return [status, area];
}

function line(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
