/** Shows the details of a workflow in the Temporal Web UI, with what supervision adds to any kind. */
import { setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { RESTARTED_MEMO } from '../contract/contract.ts';
import { detailsOf } from './story.ts';

type Details = Parameters<typeof detailsOf>;

/** Each workflow has the module for itself. */
let shown: Details | undefined;
let answer: string | undefined;

/** @see detailsOf */
export function setDetails(...details: Details): void {
  shown = details;
  show(details);
}

/** Says something before the facts from now on. */
export function answerInDetails(text: string): void {
  answer = text;
  if (shown !== undefined) show(shown);
  else show([titleOf(), [], []]);
}

function show([heading, facts, story]: Details): void {
  const said = answer === undefined ? [] : [answer];
  setCurrentDetails(detailsOf(heading, [...said, ...facts, restartedBy()], story));
}

/** Why supervision has started the workflow again; null if it has not. */
function restartedBy(): string | null {
  const note: unknown = workflowInfo().memo?.[RESTARTED_MEMO];
  return typeof note === 'string' ? note : null;
}

/** `order/demo/17` */
const titleOf = (): string => workflowInfo().workflowId;
