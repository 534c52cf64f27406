/** The form of a call's page that sends the call to the tenant at whose address the page is read. */
import type { XmlRoute } from '../../calls/route-types.ts';
import { addressOf, type Call, formPageOf, slugOf } from '../calls.ts';
import { exampleOn, requestOf, stepsOf } from '../examples/examples.ts';
import { SAMPLE_ADDRESS } from '../examples/shell.ts';
import { parameterFields } from './call-parts.ts';
import { escapeHtml } from './markup.ts';

/** Fields that a script sends to the tenant at whose address the page is read. */
export function tryForm({ forms }: Call): string {
  const [first] = forms;
  const [step] = stepsOf(first).filter(({ status = 200 }) => status < 300);
  const body = step === undefined ? undefined : requestOf(exampleOn(formPageOf(first), step));
  const addresses = forms.map((form) => `/rest${tryAddress(form)}`);
  const choice = addresses.map((address) => `<option>${escapeHtml(address)}</option>`).join('');
  return `<form class="try" data-method="${first.method}" hidden>
<h2 id="try-it">Try it</h2>
<p class="elsewhere" hidden>Calls go to a tenant, and this address is no tenant's. Open this page there:
<a href="${SAMPLE_ADDRESS}/docs/calls/${slugOf(first)}#try-it">${SAMPLE_ADDRESS}</a></p>
<div class="sending">
${forms.length > 1 ? `<label>Form <select name="form">${choice}</select></label>` : ''}
<label>Address <input name="address" required spellcheck="false" value="${escapeHtml(addresses[0] ?? '')}"></label>
<div class="pair"><label>User <input name="user" required autocomplete="username" spellcheck="false"></label>
<label>Password <input name="password" type="password" required autocomplete="current-password"></label></div>
${body === undefined ? '' : `<label>Body <textarea name="body" rows="${Math.min(body.split('\n').length, 16)}" spellcheck="false">${escapeHtml(body)}</textarea></label>`}
<p><button type="submit">Send</button>${first.isWrite ? ' It changes the tenant.' : ''}</p>
<div class="sent" role="status"></div>
</div>
</form>`;
}

/** With what it needs beyond the path, in braces. */
function tryAddress(form: XmlRoute): string {
  const needed = parameterFields(form).filter(
    ({ place, isRequired, name }) =>
      place === 'query' && isRequired && !form.selection.names.includes(name),
  );
  const naming = NAMING.filter((name) => !form.path.includes('/:id') && name in form.query.shape);
  const names = new Set([
    ...naming.slice(0, isNaming(form) ? 1 : 0),
    ...needed.map(({ name }) => name),
  ]);
  const address = addressOf(form);
  const parameters = [...names].map((name) => `${name}={${name}}`).join('&');
  if (parameters === '') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${parameters}`;
}

/** What names the object of a call that has no id in its path. */
const NAMING = ['extCustomerRef', 'orderNumber', 'invoiceNumber', 'contractCode', 'extRefId'];

const isNaming = ({ path }: XmlRoute): boolean =>
  /^\/(customer|order|invoice|plan|activity)(\/|$)|^\/customers\/paymentPlan/.test(path);
