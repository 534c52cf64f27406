/** What a visitor does in a page, and what it waits for. */
import type { ExecutionContext } from 'ava';
import type { Frame, Page } from 'playwright-core';
import { card } from '../../api/signups/page-calls.ts';

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
  frame.getByRole('button', { name, exact: true }).click();

/** In a list, the name chooses by its value. */
export async function enter(frame: Frame, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = frame.locator(`[name=${name}]`);
    if (/^(country|contractCode|expiry.*)$/.test(name)) await field.selectOption(value);
    else await field.fill(value);
  }
}

export const enterCard = (frame: Frame, cardNumber: string = card.cardNumber): Promise<void> =>
  enter(frame, { ...card, cardNumber });

const ACTIVE = 'document.activeElement.name || document.activeElement.textContent.trim()';
/** More than a page has. */
const TABS_MAX = 60;

/** Presses Tab until the field of that name, or the button or link of that text, has the focus. */
export async function tabTo(
  t: ExecutionContext,
  { page, frame }: { readonly page: Page; readonly frame: Frame },
  name: string,
): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await frame.evaluate<string>(ACTIVE)) === name) return;
  }
  t.fail(`no key leads to ${name}`);
}

/** What the page says, its spaces as one. */
export const textOf = async (frame: Frame, within = 'main'): Promise<string> =>
  (await frame.locator(within).innerText()).replaceAll(/\s+/g, ' ');

/** What the keyboard has to reach; of radio buttons only one. */
const OPERABLE = `[...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => each.type !== 'radio' || each.checked)`;

/** The keyboard reaches everything in its order, from a page without focus. */
export async function allByKeyboard(
  t: ExecutionContext,
  { page, frame }: { readonly page: Page; readonly frame: Frame },
): Promise<void> {
  const wanted = await frame.evaluate<number>(`${OPERABLE}.length`);
  const reached: number[] = [];
  for (let presses = 0; presses < wanted; presses += 1) {
    await page.keyboard.press('Tab');
    reached.push(await frame.evaluate<number>(`${OPERABLE}.indexOf(document.activeElement)`));
  }
  t.deepEqual(
    reached,
    Array.from({ length: wanted }, (_, index) => index),
    frame.url(),
  );
}
