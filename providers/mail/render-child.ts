/** Runs one process that renders templates, and says how it ended. */
import { join } from 'node:path';
import { forkLimited, isOwnSignal } from '../limited-process.ts';
import { RENDER_MS_MAX, type FromRenderer, type RenderJob } from './render-messages.ts';
import type {
  MailContent,
  RenderedMail,
  RenderLimit,
  TemplateFault,
  Templates,
} from './templates.ts';

export type RenderEnd = { readonly mail: RenderedMail } | { readonly fault: TemplateFault };

export interface RenderProcess {
  readonly isGone: () => boolean;
  /** One mail at a time; throws if the process was ended from outside. */
  readonly render: (own: Templates, content: MailContent) => Promise<RenderEnd>;
}

const MEMORY_MB = 64;
/** Long enough for a loaded machine: what a mail may take is processor time. */
const ANSWER_MS_MAX = 30_000;

interface Death {
  readonly kind: 'died';
  readonly how: string;
}

/** Resolves when it is ready. An idle process does not keep this one alive. */
export async function startRenderProcess(): Promise<RenderProcess> {
  const child = startChild();
  const ready = await child.answer(() => undefined);
  if (ready.kind === 'died') throw new Error(`no process renders mails: ${ready.how}`);
  let held: Templates | undefined;
  return {
    isGone: child.isGone,
    async render(own, content) {
      const isHeld = own === held;
      held = own;
      let template = '';
      const asked = child.answer((begun) => (template = begun));
      child.send({ kind: 'render', content, ...(isHeld ? {} : { own: [...own] }) });
      const end = await asked;
      if (end.kind === 'rendered') return { mail: end.mail };
      if (end.kind === 'failed') return { fault: end.fault };
      const limit = end.kind === 'died' ? limitOf(end.how) : null;
      if (limit !== null) return { fault: faultOf(limit, template) };
      const how = end.kind === 'died' ? end.how : `it said ${end.kind}`;
      throw new Error(`the process that renders mails has ended: ${how}`);
    },
  };
}

function startChild() {
  const child = forkLimited({
    entry: join(import.meta.dirname, 'render-process.ts'),
    memoryMb: MEMORY_MB,
    // It needs no secret.
    env: {},
  });
  const { promise: death, resolve: die } = Promise.withResolvers<Death>();
  let isGone = false;
  let hear: (message: FromRenderer) => void = () => undefined;
  child.on('message', (message) => hear(message as FromRenderer));
  child.once('exit', (code, signal) => {
    isGone = true;
    die({ kind: 'died', how: signal ?? `exit code ${code}` });
  });
  child.once('error', ({ message: how }) => {
    isGone ||= child.pid === undefined;
    if (isGone) die({ kind: 'died', how });
  });
  return {
    isGone: () => isGone,
    send: (job: RenderJob) => void child.send(job, () => undefined),
    /** The next answer; the process is ended if it takes too long. */
    async answer(onTemplate: (name: string) => void): Promise<FromRenderer | Death> {
      const { promise: answer, resolve } = Promise.withResolvers<FromRenderer>();
      hear = (message) => {
        if (message.kind === 'begins') onTemplate(message.template);
        else resolve(message);
      };
      const timer = setTimeout(() => child.kill('SIGKILL'), ANSWER_MS_MAX);
      child.ref();
      child.channel?.ref();
      try {
        return await Promise.race([answer, death]);
      } finally {
        clearTimeout(timer);
        child.unref();
        child.channel?.unref();
      }
    },
  };
}

/** Null if the process was ended from outside: by itself it only runs out of memory. */
function limitOf(how: string): 'time' | 'memory' | null {
  if (how === 'SIGXCPU') return 'time';
  return isOwnSignal(how) ? 'memory' : null;
}

const said: Readonly<Record<Exclude<RenderLimit, 'size'>, string>> = {
  time: `takes longer than ${RENDER_MS_MAX} ms`,
  memory: `needs more than ${MEMORY_MB} MB of memory`,
};

function faultOf(limit: 'time' | 'memory', template: string): TemplateFault {
  return { message: said[limit], template, file: null, variable: null, limit };
}
