import { historyScope } from '@annals/channels';
import type { ChannelId, ConversationId, TopicId, UserId } from '@annals/kernel/domain';
import type { PastReading } from '../past-reading';
import type { MaybeMatches, PastSource } from './past-candidates';
import { readProtectedChannels } from './past-names';
import type { PastTest, TestedTerm } from './past-tests';
import { maybeArrived, negated } from './past-tests';

/** A narrow as it was at a moment. */
export interface PastNarrow {
  readonly source: PastSource;
  /** Conditions by which candidates of the source are left out. */
  readonly maybe: readonly MaybeMatches[];
  readonly tests: readonly PastTest[];
  /** Whether all readable messages are found, not only those that the account received (`isOwn`). */
  readonly findsAll: boolean;
  /** The only message that can match. Null for any. */
  readonly only: number | null;
}

/** Collects the parts of a narrow from its terms. */
export class NarrowParts {
  channel: ChannelId | null = null;
  topics: readonly TopicId[] | null = null;
  conversation: { readonly id: ConversationId | null } | null = null;
  sender: UserId | null = null;
  only: number | null = null;
  /** Messages of channels that are open to the account are found though it did not receive them. */
  seesAll = false;
  private readonly tests: PastTest[] = [];
  private readonly maybe: MaybeMatches[] = [];

  add({ test, maybe }: TestedTerm, isNegated: boolean): void {
    this.tests.push(isNegated ? negated(test) : test);
    if (!isNegated && maybe) this.maybe.push(maybe);
  }

  /** Which messages are found without having been received is the rule of `NarrowCompiler`. */
  async narrow(reading: PastReading): Promise<PastNarrow> {
    const { channel, only, maybe } = this;
    const then = channel === null ? undefined : reading.channel(channel).then;
    const isShared =
      channel !== null &&
      then !== undefined &&
      historyScope(then, reading.then, reading.isSubscribedThen(channel)) === 'all';
    const findsAll = isShared || this.conversation !== null || this.seesAll;
    const source = await this.source(reading, findsAll);
    const inProtected = !findsAll && (source.kind === 'channel' || (source.kind === 'topics' && channel !== null));
    return {
      source,
      maybe: inProtected ? [...maybe, maybeArrived(reading.userId)] : maybe,
      tests: this.tests,
      findsAll,
      only,
    };
  }

  private async source(reading: PastReading, findsAll: boolean): Promise<PastSource> {
    if (this.conversation) {
      const { id } = this.conversation;
      return id === null ? { kind: 'topics', ids: [] } : { kind: 'conversation', id };
    }
    if (this.topics) return { kind: 'topics', ids: this.topics };
    if (this.sender !== null) return { kind: 'sender', id: this.sender };
    if (this.channel !== null) return { kind: 'channel', id: this.channel };
    if (findsAll) return { kind: 'everything' };
    return { kind: 'received', protectedChannels: await readProtectedChannels(reading) };
  }
}
