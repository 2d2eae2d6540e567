import type { EventRegistry, TrailFilter } from '@annals/kernel';
import type { Moment, Subject, UserId } from '@annals/kernel/domain';
import { reject } from '../../domain/rejections';

/** What a caller wants to know of the history. */
export interface TrailQuestion {
  readonly actorId?: UserId | undefined;
  /** `realm`, or a kind and an id: `message:412`. */
  readonly subject?: string | undefined;
  /** Names of types, and of contexts: `messages.*`. */
  readonly types?: readonly string[] | undefined;
  readonly client?: string | undefined;
  readonly requestId?: string | undefined;
  /** After this moment. */
  readonly from?: Moment | undefined;
  /** Up to this moment. */
  readonly to?: Moment | undefined;
}

/**
 * The filter of a question.
 *
 * @throws Rejected BAD_SUBJECT, and BAD_REQUEST for a type that does not exist or a request id that is no UUID
 */
export function filterOf(registry: EventRegistry, question: TrailQuestion): TrailFilter {
  const { actorId, subject, types, client, requestId } = question;
  return {
    ...(actorId === undefined ? {} : { actorId }),
    ...(subject === undefined ? {} : { subject: subjectOf(registry, subject) }),
    ...(types === undefined ? {} : { types: typesOf(registry, types) }),
    ...(client === undefined ? {} : { client }),
    ...(requestId === undefined ? {} : { requestId: uuidOf(requestId) }),
  };
}

const SUBJECT = /^([a-z][a-z-]*):([1-9]\d{0,15})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The thing that a text names: `message:412`, or `realm`. @throws Rejected BAD_SUBJECT */
export function subjectOf(registry: EventRegistry, text: string): Subject {
  if (text === 'realm') return ['realm', 0];
  const [, kind = '', digits] = SUBJECT.exec(text) ?? [];
  const id = Number(digits);
  if (kind === 'realm' || !Number.isSafeInteger(id) || registry.typesAbout(kind).length === 0)
    throw reject.badSubject({ subject: text });
  return [kind, id];
}

/** The types that names and prefixes mean: `messages.*`. @throws Rejected BAD_REQUEST for a name that is none */
export function typesOf({ types: known }: Pick<EventRegistry, 'types'>, asked: readonly string[]): string[] {
  const found = asked.flatMap((one) => {
    const these = one.endsWith('.*') ? known.filter((type) => type.startsWith(one.slice(0, -1))) : [one];
    if (these.length === 0 || !these.every((type) => known.includes(type))) throw reject.noSuchType({ type: one });
    return these;
  });
  return [...new Set(found)];
}

function uuidOf(text: string): string {
  if (!UUID.test(text)) throw reject.badRequestId();
  return text.toLowerCase();
}
