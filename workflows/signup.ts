/** Carries a hosted sign-up from its link on, until it is made, has failed or expired. */
import { condition, continueAsNew, setHandler } from '@temporalio/workflow';
import { cancelSignupFor, lookAtSignup } from './activities.ts';
import {
  failureCodeKey,
  phaseKey,
  cancelSignup,
  submitSignup,
  type SignupInput,
  type SignupLook,
} from './contract/contract.ts';
import { setDetails } from './story/details.ts';
import { lastOf, secondOf } from './story/story.ts';
import { asRefusal, refusal, requestIdOfUpdate, assertGiven, trimmed } from './loops/updates.ts';
import { listenForNudges, lookUntilEnded, showAttributes, type Nudges } from './loops/wakes.ts';

/** No page waits longer for its try, and a new run begins only when no Update is under way. */
const SUBMIT_WAIT = '60 seconds';
const idForm = /^\d{1,16}$/;

interface State {
  readonly nudges: Nudges;
  look: SignupLook | null;
  /** How many looks have begun. */
  begun: number;
  /** That of the look whose result is shown. */
  seen: number;
  story: readonly string[];
}

/** Its result says what its details said last. */
export interface SignupEnd {
  readonly phase: string;
  readonly happened: readonly string[];
}

export async function signup(input: SignupInput): Promise<SignupEnd> {
  const { tenantId, signupId } = input;
  const nudges = listenForNudges('A form was submitted, or its payment is final: look again.');
  const story = lastOf(input.story ?? []);
  const state: State = { nudges, look: null, begun: 0, seen: 0, story };
  listen(input, state);
  const { phase } = await lookUntilEnded<SignupLook>(nudges, {
    first: 'looks at the signup, at the start of a run',
    look: async (why) => {
      state.begun += 1;
      const began = state.begun;
      const look = await lookAtSignup(why, { tenantId, signupId });
      state.seen = began;
      return look;
    },
    show: (look) => {
      state.look = look;
      show(input, state, look);
    },
    nextOf: nextOf,
    again: () => continueAsNew<typeof signup>({ ...input, story: state.story }),
  });
  return { phase, happened: state.story };
}

function listen({ tenantId, signupId }: SignupInput, state: State): void {
  setHandler(
    submitSignup,
    async ({ tryId }) => {
      // Only a look that begins from now on has surely seen the try.
      const asked = state.begun;
      state.nudges.nudged = true;
      await condition(() => isFinal(state, tryId, asked), SUBMIT_WAIT);
      return { phase: state.look?.phase ?? 'Working' };
    },
    {
      description: 'Answers once the try is final: { "tryId": "..." }.',
      validator: (given) => {
        const { tryId } = given ?? {};
        if (typeof tryId !== 'string' || !idForm.test(tryId)) throw refusal('tryId is an id');
      },
    },
  );
  setHandler(
    cancelSignup,
    async (given) => {
      const requestId = requestIdOfUpdate();
      try {
        const done = await cancelSignupFor({
          tenantId,
          signupId,
          ...trimmed(given),
          requestId,
        });
        state.nudges.nudged = true;
        return done;
      } catch (error) {
        throw asRefusal(error);
      }
    },
    {
      description:
        'Ends the signup, once no payment of it is Pending: { "reason": "...", "by": "your name" }; ' +
        'the books keep the reason.',
      validator: assertGiven,
    },
  );
}

function isFinal({ look, seen }: State, tryId: string, asked: number): boolean {
  if (look === null || seen <= asked) return look?.ended === true;
  return look.ended || look.openTry !== tryId;
}

function nextOf({ phase, ended }: SignupLook): string | null {
  if (ended) return null;
  if (phase === 'Open') return 'the link ends';
  if (phase === 'Confirming') return 'the mailed page ends';
  return phase === 'Storing' ? 'the form is shown again' : null;
}

function show({ title }: SignupInput, state: State, look: SignupLook): void {
  const { phase, told, failureCode, happened } = look;
  const now = secondOf(Date.now());
  state.story = lastOf(
    state.story,
    happened.map((text) => `${now}: ${text}`),
  );
  showAttributes([
    { key: phaseKey, value: phase },
    { key: failureCodeKey, value: failureCode },
  ]);
  setDetails(`${title}: ${told}`, [], state.story);
}
