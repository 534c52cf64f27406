/**
 * Renders mails from the templates of tenants in separate processes, with limits of time and memory.
 * Tenants take turns, and one whose templates are slow rests between its mails.
 */
import { createTurns, restFor } from '../../db/connection/turns.ts';
import { startRenderProcess, type RenderProcess } from './render-child.ts';
import { createRenderer } from './render.ts';
import { TemplateError, type MailContent, type RenderedMail, type Templates } from './templates.ts';

const PROCESSES_MAX = 2;
const turns = createTurns({
  of: 'rendering',
  placesMax: PROCESSES_MAX,
  // The other process is left for other tenants.
  lanePlacesMax: 1,
  waitingMax: 200,
  laneWaitingMax: 20,
  waitMs: 45_000,
});

/** After a slower mail its tenant rests for a multiple of its time, so that others have turns. */
const SLOW_MS = 100;
const REST_FACTOR = 4;

const spare: Promise<RenderProcess>[] = [];
const delivered = createRenderer(new Map());

/**
 * Throws a TemplateError, or an UnavailableError if too many wait.
 *
 * @param own the tenant's templates; the delivered ones alone are rendered at once
 * @param lane the tenant, whose mails wait for each other
 */
export async function renderApart(
  own: Templates,
  content: MailContent,
  lane: string,
): Promise<RenderedMail> {
  if (own.size === 0) return delivered.render(content);
  const leave = await turns.take(lane);
  let began = performance.now();
  try {
    const renderer = await takeRenderer();
    began = performance.now();
    const end = await renderer.render(own, content);
    const next = renderer.isGone() ? startRenderProcess() : Promise.resolve(renderer);
    // The mail that takes a process which did not start is tried again.
    next.catch(() => undefined);
    spare.push(next);
    if ('fault' in end) throw new TemplateError(end.fault);
    return end.mail;
  } finally {
    const tookMs = performance.now() - began;
    leave(tookMs > SLOW_MS ? restFor(REST_FACTOR * tookMs) : undefined);
  }
}

async function takeRenderer(): Promise<RenderProcess> {
  const renderer = await spare.pop();
  return renderer === undefined || renderer.isGone() ? startRenderProcess() : renderer;
}
