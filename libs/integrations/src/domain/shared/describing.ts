import type { Static, TSchema } from '@annals/kernel/domain';
import type { EventMessage } from '../integration';
import { readerOf } from './payload';

/** Makes the message of one type of event, in the wording that the URL asks for. */
export type EventDescriber<Wording> = (payload: unknown, wording: Wording) => EventMessage;

/** Declares how a sender's events are described: the shape of the payload, and the message for a payload of this shape. */
export const describing =
  <Wording>(caller: string) =>
  <T extends TSchema>(
    schema: T,
    describe: (payload: Static<T>, wording: Wording) => EventMessage,
  ): EventDescriber<Wording> => {
    const read = readerOf(caller, schema);
    return (payload, wording) => describe(read(payload), wording);
  };

/** The title of a thing, unless the topic of the message shows it. */
export const titleIn = ({ withTitle }: { readonly withTitle: boolean }, title: string): string | undefined =>
  withTitle ? title : undefined;
