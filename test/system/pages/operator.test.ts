/** The operator's page in a real browser: what an operator sees of a tenant, and does about it. */
import test from 'ava';
import type { Page } from 'playwright-core';
import { makeTenant, OPERATOR_PASSWORD } from '../../support/tenants.ts';
import { closePlace, openPlace, type Place } from './place.ts';
import { fits, hasBrowser, isQuiet, look, openWindow, widths, type Window } from './window.ts';

const browserTest = hasBrowser ? test.serial : test.serial.skip;

let place: Place;
let own: Window;

test.before(async () => {
  if (!hasBrowser) return;
  place = await openPlace();
  own = await openWindow(place.browser);
});
test.after.always(closePlace);

const headingIs = (page: Page, text: string): Promise<unknown> =>
  page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();

browserTest('an operator logs in, finds a held customer, releases it, and logs out', async (t) => {
  const { page } = own;
  const { label, id: tenantId } = await makeTenant(place.system.dependencies);
  const [customer] = await place.asOwner<{ id: string }>(
    `insert into customer (tenant_id, name, status, currency, ext_customer_ref, created_at,
       updated_at, billing_held_at, billing_held_code)
     values (${tenantId}, 'A customer', 'Active', 'USD', 'ADA-1', now(), now(), now(),
       'quantity.outOfRange') returning id`,
  );
  const id = customer?.id ?? '';
  const seen = async (): Promise<void> => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await fits(t, page.mainFrame());
    }
    await look(t, page.mainFrame());
  };
  await page.goto(`http://localhost:${new URL(place.system.apiUrl).port}/ops`);
  await headingIs(page, 'Log in');
  await seen();
  await page.getByLabel('Your name').fill('Anna');
  await page.getByLabel('Password').fill(OPERATOR_PASSWORD);
  await page.keyboard.press('Enter');
  await headingIs(page, 'All tenants');
  await seen();
  await page.getByRole('link', { name: label, exact: true }).click();
  await headingIs(page, label);
  await seen();
  const row = page.getByRole('row', { name: 'ADA-1' });
  await row.getByRole('link', { name: 'Release from billing' }).click();
  await headingIs(page, `Release from billing: customer ${id}`);
  await page.getByRole('button', { name: 'Release from billing' }).click();
  await page.getByText('Reason: Please fill in this field.').waitFor();
  await seen();
  await page.getByLabel('Reason').fill('ticket 7');
  await page.getByRole('button', { name: 'Release from billing' }).click();
  await page.getByText(`Customer ${id} is released (quantity.outOfRange)`).waitFor();
  await seen();
  await page.getByRole('link', { name: 'Go on' }).click();
  await page.getByText('No customer is held.').waitFor();
  const [entry] = await place.asOwner(
    `select username, path from audit_log where tenant_id = ${tenantId} and action = 'command'
       and path like 'ops %'`,
  );
  t.deepEqual(entry, { username: 'operator Anna', path: 'ops release' });
  await page.getByRole('button', { name: 'Log out' }).click();
  await headingIs(page, 'Log in');
  t.deepEqual(await own.context.cookies(), []);
  isQuiet(t, own);
  await own.context.close();
});
