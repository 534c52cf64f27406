/** The document of hosted self-service: the link to a customer's page. */
import { z } from 'zod';
import { ADDRESS_LENGTH_MAX } from '../../../domain/hosted-pages/address.ts';
import { compile } from '../../xml/codec.ts';
import { root, text } from '../../xml/types.ts';

const linkSchema = z.strictObject({ url: text(ADDRESS_LENGTH_MAX) });
export type WidgetLinkDocument = z.output<typeof linkSchema>;

export const widgetLinkCodec = compile(root('widgetLink', linkSchema));
