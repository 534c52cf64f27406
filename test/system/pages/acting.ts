/** What a visitor does in a page, and what it waits for. */
import type { ExecutionContext } from 'ava';
import type { Frame, Locator, Page } from 'playwright-core';
import { card } from '../../api/signups/page-calls.ts';
import { until } from '../../support/until.ts';

/** The sandbox stores it, and declines every charge. */
export const DECLINED_CHARGE = '4000000000000341';
/** The sandbox declines it also when it is only to be saved. */
export const DECLINED = '4000000000000002';

/** What Chromium shows in place of a page that must not be in the frame. */
export const REFUSED = 'chrome-error://chromewebdata/';

export const heading = (frame: Frame, name: string | RegExp): Promise<void> =>
  frame.getByRole('heading', { name, level: 1, exact: true }).waitFor();

export const says = (frame: Frame, text: string | RegExp): Promise<void> =>
  frame.getByText(text).first().waitFor();

export const press = (frame: Frame, name: string): Promise<void> =>
  click(frame, frame.getByRole('button', { name, exact: true }));

export const follow = (frame: Frame, name: string | RegExp): Promise<void> =>
  click(frame, frame.getByRole('link', { name, exact: true }).first());

/** A part of the account, by the menu, which a phone opens first. */
export async function part(frame: Frame, name: string): Promise<void> {
  await click(frame, frame.locator('.menu summary'));
  await click(frame, frame.locator('.menu').getByRole('link', { name, exact: true }));
}

const PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0";

/** The browser drops a click into a frame of another site whose page it has not painted yet. */
export async function click(frame: Frame, target: Locator, { times = 1 } = {}): Promise<void> {
  await target.waitFor();
  // The page may be on its way out.
  const isPainted = () => frame.evaluate<boolean>(PAINTED).catch(() => false);
  await until('the page is painted', isPainted);
  await target.click({ clickCount: times });
}

/** In a list, or of radio buttons, the name chooses by its value. */
export async function enter(frame: Frame, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = frame.locator(`[name=${name}]`);
    if (name === 'contractCode') await frame.locator(`[name=${name}][value=${value}]`).check();
    else if (/^(country|expiry.*)$/.test(name)) await field.selectOption(value);
    else await field.fill(value);
  }
}

export const enterCard = (frame: Frame, cardNumber: string = card.cardNumber): Promise<void> =>
  enter(frame, { ...card, cardNumber });

const ACTIVE = 'document.activeElement.name || document.activeElement.textContent.trim()';
/** More than a page has. */
const TABS_MAX = 60;

export interface InFrame {
  readonly page: Page;
  readonly frame: Frame;
}

/** Presses Tab until the field of that name, or the button or link of that text, has the focus. */
export async function tabTo(
  t: ExecutionContext,
  { page, frame }: InFrame,
  name: string | RegExp,
): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    const active = await frame.evaluate<string>(ACTIVE);
    if (typeof name === 'string' ? active === name : name.test(active)) return;
  }
  t.fail(`no key leads to ${name}`);
}

/** What the page says, its spaces as one. */
export const textOf = async (frame: Frame, within = 'main'): Promise<string> =>
  (await frame.locator(within).innerText()).replaceAll(/\s+/g, ' ');

/** What the keyboard has to reach: of the radio buttons of a group one. */
const OPERABLE = `[...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled)
  .filter((each, _, all) => {
    if (each.type !== 'radio') return true;
    const group = all.filter(({ type, name }) => type === 'radio' && name === each.name);
    return each === (group.find(({ checked }) => checked) ?? group[0]);
  })`;

/** Notes what gets the focus: the parts of a date are one. */
const NOTING = `globalThis.operable = ${OPERABLE};
  globalThis.reached = [];
  addEventListener('focusin', ({ target }) => void reached.push(operable.indexOf(target)));
  operable.length + 3 * operable.filter(({ type }) => type === 'date').length`;

/** The keyboard reaches everything in its order, from a page without focus. */
export async function allByKeyboard(t: ExecutionContext, { page, frame }: InFrame): Promise<void> {
  const presses = await frame.evaluate<number>(NOTING);
  await page.keyboard.press('Tab');
  // From the page around it, the focus gets into the frame after the key.
  await until('the frame has the focus', () => frame.evaluate<boolean>('reached.length > 0'));
  for (let press = 1; press < presses; press += 1) await page.keyboard.press('Tab');
  const { reached, all } = await frame.evaluate<Record<'reached' | 'all', number[]>>(
    '({ reached, all: operable.map((_, index) => index) })',
  );
  t.deepEqual(reached, all, frame.url());
}
