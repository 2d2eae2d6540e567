import type { Kernel } from '@annals/kernel';
import type { Recorded, Subject } from '@annals/kernel/domain';
import type { MessageSent } from '@annals/messages/events';
import type { ClientBase, Pool } from 'pg';

/** Kinds of subjects whose events are kept in order, before all others. */
const FIRST = ['topic', 'conversation'];
/** Kinds that say what becomes of words, and not what an event is about. */
const ABOUT_WORDS: ReadonlySet<string> = new Set(['person', 'quoted']);

/** An event with what it is about. */
export interface EventOnSubjects {
  readonly event: Recorded;
  readonly subjects: readonly Subject[];
}

/** `message/412`; `realm` is the organization itself. */
export const subjectText = ([kind, id]: Subject): string => (kind === 'realm' ? kind : `${kind}/${id}`);

/** What an event is about first. Undefined if it is about nothing. */
export const mainSubject = ({ subjects }: Pick<EventOnSubjects, 'subjects'>): Subject | undefined =>
  subjects.find(([kind]) => !ABOUT_WORDS.has(kind));

/**
 * The partition keys of events, in their order. Events with one key are offered in order. It is the topic or conversation
 * of an event, or the one that its message was sent to, so whatever happens to a message follows it. Otherwise it is what
 * the event is about, or its actor. It depends on the log alone, and never changes.
 */
export async function partitionKeys(
  kernel: Pick<Kernel, 'events'>,
  events: readonly EventOnSubjects[],
  client: Pool | ClientBase,
): Promise<string[]> {
  const messages = new Set(events.flatMap((event) => (ownKey(event) === null ? (messageOf(event) ?? []) : [])));
  const realmId = events[0]?.event.realmId;
  const sent =
    realmId === undefined || messages.size === 0 ? [] : await kernel.events.at(realmId, [...messages], client);
  const places = new Map(sent.filter(isSent).map((event) => [event.position as number, keyOfPlace(event.data.place)]));
  return events.map((event) => ownKey(event) ?? places.get(messageOf(event) ?? 0) ?? otherKey(event));
}

function ownKey({ subjects }: EventOnSubjects): string | null {
  const first = subjects.find(([kind]) => FIRST.includes(kind));
  return first ? subjectText(first) : null;
}

const messageOf = ({ subjects }: EventOnSubjects): number | undefined =>
  subjects.find(([kind]) => kind === 'message')?.[1];

const isSent = (event: Recorded): event is Recorded<MessageSent> => event.type === 'messages.MessageSent';

const keyOfPlace = (place: MessageSent['data']['place']): string =>
  'topicId' in place ? `topic/${place.topicId}` : `conversation/${place.conversationId}`;

function otherKey(event: EventOnSubjects): string {
  const subject = mainSubject(event);
  if (subject) return subjectText(subject);
  const { actorId } = event.event;
  return actorId === null ? 'realm' : `user/${actorId}`;
}

/** Whether an event is about one of these things. */
export const isAboutOne = ({ subjects }: Pick<EventOnSubjects, 'subjects'>, asked: readonly Subject[]): boolean =>
  subjects.some(([kind, id]) => asked.some((one) => one[0] === kind && one[1] === id));
