/** The audit log has each file and report that a caller takes out, or the caller does not get it. */
import { type Answer, type StreamedAnswer, isStreamed } from '../calls/answer.ts';
import type { ApiContext } from './context.ts';
import type { RouterOptions } from './incoming.ts';

export async function noteExport(
  options: Pick<RouterOptions, 'noteExport'>,
  ctx: ApiContext,
  answer: Answer | StreamedAnswer,
): Promise<void> {
  try {
    await options.noteExport(ctx, ctx.state.tenant?.id ?? 0, answer.status);
  } catch (error) {
    if (isStreamed(answer)) answer.body.destroy();
    throw error;
  }
}
