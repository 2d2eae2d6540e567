import type { Static, TSchema } from '@annals/kernel/domain';
import { Shape, nullable, t } from '@annals/kernel/domain';
import type { IncomingDelivery } from '../integration';
import { reject } from '../rejections';

/** A property that senders may leave out or set to null. */
export const maybe = <T extends TSchema>(schema: T) => t.Optional(nullable(schema));

/** Values by name, such as the labels of an alert. */
export const textsByName = t.Record(t.String(), t.String());

/**
 * Reads payloads of one shape. Properties that the schema does not name are ignored.
 *
 * @param caller the sender, for the refusal
 * @throws Rejected ANOMALOUS_WEBHOOK_PAYLOAD from the reader, with the first part that is wrong
 */
export function readerOf<T extends TSchema>(caller: string, schema: T): (payload: unknown) => Static<T> {
  const shape = new Shape(schema);
  return (payload) => {
    if (shape.matches(payload)) return payload;
    const { path, message } = shape.problemIn(payload) ?? { path: '', message: '' };
    throw reject.anomalous(caller, `${path || 'payload'}: ${message}`);
  };
}

/** @throws Rejected MISSING_HTTP_EVENT_HEADER */
export function eventHeader({ header }: Pick<IncomingDelivery, 'header'>, name: string): string {
  const value = header(name);
  if (value === undefined || value === '') throw reject.noEventHeader(name);
  return value;
}

/** The text option with this name. Undefined if the URL has none. */
export function textOption({ options }: Pick<IncomingDelivery, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}
