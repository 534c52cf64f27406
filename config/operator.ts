/** The variables of the operator's page of all tenants. */

import { z } from 'zod';
import { confidential } from './secret-files.ts';
import { password, url } from './values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Without password and header there is no such page. */
export interface OperatorPage {
  readonly password: string | undefined;
  /** In lower case: the header by which the proxy names who has logged in there. */
  readonly header: string | undefined;
  /** The Temporal Web UI, as the operator's browser reaches it. */
  readonly temporalUiUrl: string | undefined;
}

export const operatorVariables = {
  OPERATOR_PASSWORD: confidential(password.optional()),
  OPERATOR_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header')
    .optional(),
  TEMPORAL_UI_URL: url(['http:', 'https:']).optional(),
};

type Values = { readonly [Name in keyof typeof operatorVariables]?: string | undefined } & {
  readonly TEMPORAL_UI_PORT?: number | undefined;
};

export function operatorPageOf({ TEMPORAL_UI_PORT: uiPort, ...values }: Values): OperatorPage {
  const ownUi = uiPort ? `http://127.0.0.1:${uiPort}` : undefined;
  return Object.freeze({
    password: values.OPERATOR_PASSWORD,
    header: values.OPERATOR_HEADER?.toLowerCase(),
    temporalUiUrl: (values.TEMPORAL_UI_URL ?? ownUi)?.replace(/\/+$/, ''),
  });
}

/** Whoever reaches the API past the proxy could name anybody. */
export const operatorMistakes = (env: Environment): readonly string[] =>
  env['OPERATOR_HEADER'] && env['TRUST_PROXY'] !== 'true'
    ? ['OPERATOR_HEADER is taken from a proxy alone: set TRUST_PROXY=true behind one']
    : [];
