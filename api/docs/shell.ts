/** An example as a shell script: the calls that prepare it, and the call itself as one curl. */
import { placeholdersOf } from './example-step.ts';
import { stepNamed, story } from './examples.ts';
import type { Step } from './example-step.ts';

export interface Script {
  /** What happens before the call, in words. */
  readonly prepared: readonly string[];
  readonly preparation: string;
  readonly call: string;
}

/** The tenant of `npm start`, unless the caller's shell names another. */
const SETTINGS = `BASE=\${BASE:-http://demo.localhost:8080/rest}
AUTH=\${AUTH:-api@demo:demo-secret}`;

/** The creation of the customer that `{ref}` in a path addresses. */
const CUSTOMER_STEP = 'customer-create';

/** `reference` is the customer's reference, which every page has for itself. */
export function scriptOf(step: Step, reference: string): Script {
  const before = stepsBefore(step);
  const used = new Set([step, ...before].flatMap(variablesOf));
  const preparation = before.map((each) => preparing(each, reference, used));
  const own = step.prepares === undefined ? [] : [step.prepares];
  return {
    prepared: before.map(({ summary }) => summary),
    preparation: [SETTINGS, ...preparation, ...own].join('\n\n'),
    call: curlOf(step, reference),
  };
}

/** All steps that a step needs, directly or not, in the order in which they run. */
export function stepsBefore(step: Step): Step[] {
  const found = new Set<Step>();
  const add = (name: string): void => {
    const needed = stepNamed(name);
    if (found.has(needed)) return;
    for (const each of stepsBefore(needed)) found.add(each);
    found.add(needed);
  };
  if (/=\{ref\}(?!-)/.test(step.path)) add(CUSTOMER_STEP);
  for (const variable of variablesOf(step)) {
    const keeper = story.find(({ keeps }) => keeps !== undefined && Object.hasOwn(keeps, variable));
    if (keeper !== undefined) add(keeper.name);
  }
  for (const name of step.needs ?? []) add(name);
  return [...found];
}

const variablesOf = ({ path, request = '', prepares = '' }: Step): string[] => [
  ...placeholdersOf(path + request).filter((name) => name !== 'ref'),
  ...[...prepares.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
];

/** Runs a step and keeps what later steps use of its answer. */
function preparing(step: Step, reference: string, used: ReadonlySet<string>): string {
  const kept = Object.entries(step.keeps ?? {}).filter(([name]) => used.has(name));
  const lines = step.prepares === undefined ? [] : [step.prepares];
  const title = `# ${step.summary}`;
  const call = curlOf(step, reference, ['-sS']);
  if (kept.length === 0) {
    return [...lines, title, call.replace(/(?=\n<|$)/, ' > /dev/null')].join('\n');
  }
  const values = kept.map(
    ([name, before]) =>
      `${name}=$(sed -n 's/.*${before}\\([^"<]*\\).*/\\1/p' <<< "$answer" | head -1)`,
  );
  // A body's last line stands alone.
  const end = step.request === undefined ? ')' : '\n)';
  return [...lines, title, `answer=$(${call}${end}`, ...values].join('\n');
}

/** Each write has a key, so a script that runs again changes nothing twice. */
function curlOf(step: Step, reference: string, options: readonly string[] = []): string {
  const { method, path, headers = {}, request, name, keyOf = name } = step;
  const address = inShell(path, reference);
  const isPlain = method === 'GET' || (method === 'POST' && request !== undefined);
  const key = method === 'GET' ? {} : { 'Idempotency-Key': `${reference}-${keyOf}` };
  const type = request === undefined ? {} : { 'Content-Type': 'application/xml' };
  const parts = [
    ['curl', ...options, '-u "$AUTH"', ...(isPlain ? [] : [`-X ${method}`])].join(' ') +
      ` "$BASE${address}${address.includes('?') ? '&' : '?'}indent=true"`,
    ...Object.entries({ ...headers, ...key, ...type }).map(
      ([head, value]) => `-H '${head}: ${value}'`,
    ),
    ...(request === undefined ? [] : [heredoc(inShell(request, reference))]),
  ];
  return parts.join(' \\\n  ');
}

/** The shell replaces variables in the text only if it has any. */
const heredoc = (text: string): string =>
  `--data-binary @- <<${text.includes('$') ? 'XML' : "'XML'"}\n${text}\nXML`;

const inShell = (text: string, reference: string): string =>
  text
    .replaceAll('{ref}', reference)
    .replaceAll(/\{(\w+)\}(?!\w)/g, '$$$1')
    .replaceAll(/\{(\w+)\}/g, '$${$1}');
