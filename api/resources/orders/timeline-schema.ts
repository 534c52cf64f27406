/** The document of an order's timeline. */
import { z } from 'zod';
import { compile } from '../../xml/codec.ts';
import { date, enumeration, listOf, root, text } from '../../xml/types.ts';

const entry = z.strictObject({
  date: date(),
  state: enumeration(['happened', 'next']),
  text: text(),
});

export const timelineCodec = compile(root('list', listOf('entry', entry)));
