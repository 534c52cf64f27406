/** An example as a shell script: the calls that prepare it, and the call itself as one curl. */
import { placeholdersOf, type Step } from './example-step.ts';
import { stepNamed, story } from './examples.ts';

export interface Script {
  /** What happens before the call, in words. */
  readonly prepared: readonly string[];
  readonly preparation: string;
  readonly call: string;
}

/** The tenant of `npm start`; `serve.ts` puts the address of the request in its place. */
export const SAMPLE_ADDRESS = 'http://demo.localhost:8080';

/** The tenant that a guide makes; `serve.ts` puts the domain and the port of the request in its place. */
export const OWN_ADDRESS = 'http://shop.localhost:8080';

/** The caller's shell may name another tenant. */
const SETTINGS = `BASE=\${BASE:-${SAMPLE_ADDRESS}/rest}
AUTH=\${AUTH:-api@demo:demo-secret}`;

const ADMIN_SETTING = `ADMIN=\${ADMIN:-admin@demo:admin-secret}`;

/** Makes a call of a preparation: keeps its answer, or shows an error and fails. */
const PREPARE = `prepare() {
  title=$1
  shift
  answer=$(curl -sS --fail-with-body -u "$AUTH" "$@") && return
  printf '%s\\n' "Failed: $title" "$answer" >&2
  return 1
}`;

/** By the tenant's clock; a tenant in real time has no test clock. */
const YEARS = `year=$(curl -sS -u "$AUTH" "$BASE/testClock" | sed -n 's/.*<now>\\([0-9]*\\).*/\\1/p') &&
year=\${year:-$(date -u +%Y)} && comingYear=$((year + 1)) &&`;

/** The creation of the customer that `{ref}` in a path addresses. */
const CUSTOMER_STEP = 'customer-create';

/** `reference` is the customer's reference, which every page has for itself. */
export function scriptOf(step: Step, reference: string): Script {
  const before = stepsBefore(step);
  const used = new Set([step, ...before].flatMap(variablesOf));
  const ofAdmin = [step, ...before].some(({ isOfAdmin }) => isOfAdmin);
  const preparation = [
    ofAdmin ? `${SETTINGS}\n${ADMIN_SETTING}` : SETTINGS,
    ...(before.length === 0 ? [] : [PREPARE]),
    ...(used.has('year') || used.has('comingYear') ? [YEARS] : []),
    ...before.map((each) => preparing(each, reference, used)),
    ...chained(step.prepares),
  ];
  return {
    prepared: before.map(({ summary }) => summary),
    preparation: preparation.join('\n\n'),
    call: callOf(step, reference, {
      program: `curl -u "${step.isOfAdmin ? '$ADMIN' : '$AUTH'}"`,
      end: '',
    }),
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

/**
 * Runs a step and keeps what later steps use of its answer. `&&` joins everything up to the call
 * itself, so the first error ends it and leaves the reader's shell open. There are no comments:
 * zsh takes none at its prompt.
 */
function preparing(step: Step, reference: string, used: ReadonlySet<string>): string {
  const kept = Object.entries(step.keeps ?? {}).filter(([name]) => used.has(name));
  const title = `'${step.summary.replaceAll("'", `'\\''`)}'`;
  return [
    ...chained(step.prepares),
    // The last user counts.
    callOf(step, reference, {
      program: `prepare ${title}${step.isOfAdmin ? ' -u "$ADMIN"' : ''}`,
      end: ' &&',
    }),
    ...kept.map(
      ([name, before]) =>
        `${name}=$(sed -n 's/.*${before}\\([^"<]*\\).*/\\1/p' <<< "$answer" | head -1) &&`,
    ),
  ].join('\n');
}

/** Each line is a command. */
const chained = (commands: string | undefined): string[] =>
  commands === undefined ? [] : [commands.replaceAll(/$/gm, ' &&')];

/** Values that change with the tenant's clock. */
const MOVING = new Set(['next', 'comingYear']);

const quoted = (text: string): string => (text.includes('$') ? `"${text}"` : `'${text}'`);

/**
 * Each write has a key, so a script that runs again changes nothing twice. Once the clock has gone
 * on, a call with another date is another call.
 */
function callOf(
  step: Step,
  reference: string,
  { program, end }: { readonly program: string; readonly end: string },
): string {
  const { method, path, headers = {}, request = '', name, keyOf = name } = step;
  const address = inShell(path, reference);
  const isPlain = method === 'GET' || (method === 'POST' && request !== '');
  const moving = placeholdersOf(path + request).filter((each) => MOVING.has(each));
  const keyed = [reference, keyOf, ...moving.slice(0, 1).map((each) => `$${each}`)].join('-');
  const key = method === 'GET' ? {} : { 'Idempotency-Key': keyed };
  const type = request === '' ? {} : { 'Content-Type': 'application/xml' };
  const parts = [
    [program, ...(isPlain ? [] : [`-X ${method}`])].join(' ') +
      ` "$BASE${address}${address.includes('?') ? '&' : '?'}indent=true"`,
    ...Object.entries({ ...headers, ...key, ...type }).map(
      ([head, value]) => `-H ${quoted(`${head}: ${value}`)}`,
    ),
    ...(request === '' ? [] : ['--data-binary @-']),
  ];
  const body = request === '' ? undefined : inShell(request, reference);
  return `${parts.join(' \\\n  ')}${body === undefined ? end : heredoc(body, end)}`;
}

/** The shell replaces variables in the text only if it has any. */
const heredoc = (text: string, end: string): string =>
  ` <<${text.includes('$') ? 'XML' : "'XML'"}${end}\n${text}\nXML`;

const inShell = (text: string, reference: string): string =>
  text
    .replaceAll('{ref}', reference)
    .replaceAll(/\{(\w+)\}(?!\w)/g, '$$$1')
    .replaceAll(/\{(\w+)\}/g, '$${$1}');
