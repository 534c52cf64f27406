/** The test clock of a tenant: read it, advance it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { TenantInfo } from '../../../operations/context/context.ts';
import {
  advance,
  readTestClock,
  type TestClockView,
} from '../../../operations/clock/test-clock.ts';
import { xmlAnswer, type Answer } from '../../calls/answer.ts';
import { route, writeRoute, type Route } from '../../calls/route.ts';
import {
  boolean,
  date,
  dateTime,
  enumeration,
  integer,
  root,
  secondText,
} from '../../xml/types.ts';
import type { RouteDependencies } from '../../calls/services.ts';
import { compile } from '../../xml/codec.ts';

export function testClockRoutes(dependencies: RouteDependencies): Route[] {
  return [
    route({
      method: 'GET',
      path: '/testClock',
      summary: 'The time of the test clock',
      right: 'read',
      response: testClockCodec,
      handler: async ({ tenant }) => clockDocument(await readTestClock(dependencies, tenant.id)),
    }),
    writeRoute(dependencies, {
      method: 'POST',
      path: '/testClock',
      summary: 'Advance the test clock to 00:00 of a day, and bill that day too',
      audited: null,
      right: 'write',
      status: 202,
      query: z.object({ advanceTo: date(), wait: boolean().default(false) }),
      response: testClockCodec,
      waits: true,
      otherStatus: 200,
      async handler({ tenant, query, write }) {
        const answer = await write(
          async (context) => clockDocument(await advance(context, query.advanceTo)),
          { clock: 'none' },
        );
        return query.wait ? arrived(dependencies, tenant, answer) : answer;
      },
    }),
  ];
}

const LOOK_AGAIN_MS = 100;

/** Answers 200 with the clock once it is Ready, or the first answer if that takes too long. */
async function arrived(
  dependencies: RouteDependencies,
  tenant: TenantInfo,
  answer: Answer,
): Promise<Answer> {
  const until = performance.now() + dependencies.paymentWaitSeconds * 1_000;
  for (;;) {
    // The clock is advancing, so the caller gets this answer whatever fails from now on.
    const clock = await readTestClock(dependencies, tenant.id).catch(() => undefined);
    if (clock?.status === 'Ready') {
      const document = clockDocument(clock);
      const { headers } = answer;
      return { ...xmlAnswer(200, testClockCodec.encode(document), document), headers };
    }
    if (performance.now() >= until) return answer;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Whole seconds: nothing ever happens between them on a test clock. */
function clockDocument({ now, waiting, ...clock }: TestClockView) {
  const shown = waiting === 0 ? {} : { waiting };
  return { ...clock, ...shown, now: secondText(now) };
}

/* The time and the target of a tenant's test clock. */

const testClockCodec = compile(
  root(
    'testClock',
    z.strictObject({
      now: dateTime(),
      target: date().nullable(),
      status: enumeration(['Ready', 'Advancing']),
      held: integer(0).meta({ description: 'Customers held from billing by an error.' }),
      waiting: integer(1).optional().meta({
        description: 'Customers for whose taxes the clock waits; absent if there are none.',
      }),
    }),
  ),
);
