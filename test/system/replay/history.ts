/**
 * A kept history as readable JSON. The SDK's own `historyToJSON` needs all its packages to share
 * one protobufjs, but npm gives each package its own; these generated converters need none.
 */

import protocol, { type temporal } from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistory;

const { History: Message } = protocol.temporal.api.history.v1;

export function historyToText(history: History): string {
  const plain = Message.toObject(Message.fromObject(history), {
    enums: String,
    longs: String,
    bytes: String,
  });
  return `${JSON.stringify(plain, null, 1)}\n`;
}

export function historyFromText(text: string): temporal.api.history.v1.History {
  return Message.fromObject(JSON.parse(text));
}
