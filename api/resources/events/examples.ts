/** Examples: the feed of events, and sending one again. */
import type { Step } from '../../docs/examples/example-step.ts';

export const eventSteps: readonly Step[] = [
  {
    name: 'events',
    summary:
      'The first event: begin with after=0, and continue with the last sequence that you read',
    method: 'GET',
    route: '/events',
    needs: ['customer-create'],
    // An event gets its number within a second of its commit.
    prepares: `until curl -sS -u "$AUTH" "$BASE/events?max=1" | grep -q '<event '; do sleep 0.2; done`,
    path: '/events?after=0&max=1',
    keeps: { event: '<event id="' },
  },
  {
    name: 'event-resend',
    summary: 'Send an event again to the callbacks that subscribe to it',
    method: 'POST',
    route: '/events/:id',
    action: 'resend',
    path: '/events/{event}?action=resend',
    status: 202,
  },
];
