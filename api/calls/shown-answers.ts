/** What a write answers with: its document, or a text alone in its place. */
import type { Encoder } from '../xml/codec.ts';
import { plainAnswer, uncached, xmlAnswer, type Answer } from './answer.ts';
import type { RawCall } from './call.ts';
import { isWithoutFormat } from './parameters.ts';

export interface ShownSpec<Result> {
  readonly response: Encoder<Result>;
  /** Without a format it answers with this text alone; format=xml asks for the document. */
  readonly textOf?: (result: Result) => string;
  /** Its answer holds a secret: kept under an Idempotency-Key it is sealed. */
  readonly keepsSealed?: boolean;
}

export interface ShownAnswers<Result> {
  readonly asDocument: (result: Result, status: number) => Answer;
  /** As the parameters of the call ask for it. */
  readonly asAsked: (parameters: RawCall['parameters'], result: Result, status: number) => Answer;
}

export function shownAnswers<Result>({
  response,
  textOf,
  keepsSealed = false,
}: ShownSpec<Result>): ShownAnswers<Result> {
  const asDocument = (result: Result, status: number): Answer => {
    const answer = xmlAnswer(status, response.encode(result), result);
    return keepsSealed ? uncached(answer) : answer;
  };
  return {
    asDocument,
    asAsked(parameters, result, status) {
      if (textOf === undefined || !isWithoutFormat(parameters)) return asDocument(result, status);
      const answer = plainAnswer(status, textOf(result));
      return keepsSealed ? uncached(answer) : answer;
    },
  };
}
