/** A browser whose windows show hosted pages in the frame of a shop, without foreign cookies. */
import { existsSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import axe, { type AxeResults } from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type Frame,
  type Page,
} from 'playwright-core';
import { until, WAIT_MS_MAX } from '../../support/until.ts';
import { FRAME } from './shop.ts';

/** Debian's. */
const executablePath = '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

/** Of phones, and of a desk. */
export const widths = [390, 1280, 320] as const;
const viewport = { width: 320, height: 640 } as const;

export interface Window {
  readonly context: BrowserContext;
  /** The page of the shop. */
  readonly page: Page;
  /** Errors of scripts, and what the policy forbids. */
  readonly complaints: string[];
  /** Opens a page of the shop, and gives its frame. */
  readonly open: (address: string) => Promise<Frame>;
}

/** @param keepsPages shows pages again as they were left, as browsers of people do */
export const openBrowser = ({ keepsPages = false } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath,
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : [],
    // However slow the machine: AVA ends what never comes.
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--host-resolver-rules=MAP *.test 127.0.0.1',
      '--test-third-party-cookie-phaseout',
    ],
  });

export async function openWindow(browser: Browser, { hasScript = true } = {}): Promise<Window> {
  const context = await browser.newContext({ viewport, javaScriptEnabled: hasScript });
  context.setDefaultTimeout(WAIT_MS_MAX);
  return openTab(context);
}

export async function openTab(context: BrowserContext): Promise<Window> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // A refused form is an error of the network.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  const open = async (address: string): Promise<Frame> => {
    await page.goto(address, { waitUntil: 'load' });
    const frame = page.frame(FRAME);
    if (frame === null) throw new Error('the shop has a frame');
    return frame;
  };
  return { context, page, complaints, open };
}

/** The script puts the focus to a list of problems, which the browser refuses to do by itself. */
export function isQuiet(t: ExecutionContext, { complaints }: Window): void {
  t.regex(complaints.splice(0).join(), /^(Blocked autofocusing[^.]*\.,?)*$/);
}

/** The kinds of pages at which axe has looked: it takes long. */
const seen = new Set<string>();

/** What a page consists of: its name, and the classes of its parts. */
const KIND = `document.body.className + ': ' +
  [...new Set([...document.querySelectorAll('main [class]')].map((each) => each.className))].sort()`;

/** Nothing scrolls sideways, and axe finds nothing. */
export async function look(t: ExecutionContext, frame: Frame): Promise<void> {
  await fits(t, frame);
  const kind = await frame.evaluate<string>(KIND);
  if (seen.has(kind)) return;
  seen.add(kind);
  if (!(await frame.evaluate<boolean>('"axe" in globalThis'))) await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate<AxeResults>(
    "(async () => axe.run(document, { resultTypes: ['violations'], selectors: false }))()",
  );
  t.deepEqual(
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    [],
    kind,
  );
}

/** Nothing scrolls sideways. */
export async function fits(t: ExecutionContext, frame: Frame): Promise<void> {
  const sizes = '[document.documentElement.scrollWidth, innerWidth]';
  const [needed = 0, has = 0] = await frame.evaluate<number[]>(sizes);
  t.true(needed <= has, `${frame.url()} needs ${needed} px of ${has}`);
}

/** The frame is as wide as the window. */
export async function setWidth({ page }: Window, frame: Frame, width: number): Promise<void> {
  await page.setViewportSize({ ...viewport, width });
  const isSo = () => frame.evaluate<boolean>(`innerWidth === ${width}`);
  await until('the frame is as wide', isSo);
}
