import type { ConversationId, UserId } from '@annals/kernel/domain';
import type { NamedPeople } from '../../../domain/recipients';
import type { Condition, Criterion, NarrowTerm } from '../../narrow/narrow-terms';
import { badNarrow } from '../../narrow/narrow-terms';
import type { PastReading } from '../past-reading';
import type { PastTest, TestedTerm } from './past-tests';
import {
  alertedTerm,
  hasReactionTerm,
  hasTerm,
  isResolvedTest,
  mentionedTerm,
  mentionsTerm,
  testOf,
} from './past-tests';

/** Terms with the users and conversations that they name. */
export interface NamedTerms {
  readonly terms: readonly NarrowTerm[];
  readonly people: ReadonlyMap<Condition, readonly UserId[]>;
  readonly conversations: ReadonlyMap<Condition, ConversationId | null>;
}

/** The users whom a term names. */
export function peopleNamedIn(condition: Condition): NamedPeople {
  const one = (named: number | string): NamedPeople => (typeof named === 'number' ? [named] : [named]);
  switch (condition.kind) {
    case 'conversation':
    case 'conversation including':
    case 'group conversation including':
      return condition.people;
    case 'sender':
      return one(condition.sender);
    case 'mentions':
      return one(condition.user);
    default:
      return [];
  }
}

export function personOf({ people }: NamedTerms, condition: Condition): UserId {
  const [id] = people.get(condition) ?? [];
  if (id === undefined) throw badNarrow({ desc: 'unknown user' });
  return id;
}

/** A term that names no place. */
export function termOf(
  reading: PastReading,
  named: NamedTerms,
  condition: Exclude<
    Criterion,
    { kind: 'channel' | 'near' | 'topic' | 'conversation' | 'sender' | 'message' | 'channels' }
  >,
): TestedTerm {
  const { userId } = reading;
  const plain = (test: PastTest): TestedTerm => ({ test, maybe: null });
  switch (condition.kind) {
    case 'conversation including':
    case 'group conversation including':
      return plain(includingTest(userId, named.people.get(condition) ?? [], condition.kind));
    case 'direct':
      return plain(testOf(({ conversationId }) => conversationId !== null));
    case 'resolved':
      return plain(isResolvedTest);
    case 'mentioned':
      return mentionedTerm(userId);
    case 'alerted':
      return alertedTerm(userId);
    case 'mentions':
      return mentionsTerm(personOf(named, condition));
    case 'has':
      return condition.what === 'reaction' ? hasReactionTerm : hasTerm(condition.what);
    case 'in':
      if (condition.view === 'home') throw unknownInPast('in:home');
      return plain(testOf(() => true));
    case 'search':
      throw unknownInPast('search');
    case 'unread':
    case 'starred':
    case 'followed':
    case 'muted':
      throw unknownInPast(`is:${condition.kind}`);
  }
}

/** The refusal of a term about what is not kept with its time. */
const unknownInPast = (term: string) => badNarrow({ desc: `${term} cannot be answered about the past` });

/** Messages of conversations with all of these users; of a group, of three or more. */
function includingTest(
  own: UserId,
  people: readonly UserId[],
  kind: 'conversation including' | 'group conversation including',
): PastTest {
  const least = kind === 'conversation including' ? 1 : 3;
  return testOf(({ userIds }) => userIds.length >= least && people.every((id) => id === own || userIds.includes(id)));
}

/** Messages of channels that were public, on the web, or archived. */
export const ofChannels = (reading: PastReading, which: 'public' | 'web-public' | 'archived'): TestedTerm => ({
  test: testOf(({ channelId }) => {
    const channel = channelId === null ? undefined : reading.channel(channelId).then;
    if (!channel) return false;
    if (which === 'public') return !channel.inviteOnly;
    return which === 'archived' ? channel.isArchived : channel.isWebPublic;
  }),
  maybe: null,
});
