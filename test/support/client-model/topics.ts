import type { WireEvent } from '../server/caller';
import type { Channel } from './shapes';

/** A topic with a policy of the user (contract/boot.md section 4.1). */
export interface ChosenTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly last_updated: number;
  readonly visibility_policy: number;
}

/** The part of a client's state with policies of topics. */
interface State {
  user_topics: ChosenTopic[];
  muted_topics: unknown;
  readonly is_guest: boolean;
  readonly streams: readonly Channel[];
  readonly subscriptions: readonly Channel[];
}

const [INHERIT, MUTED] = [0, 1];

/** How a client stores its owner's policies of topics. */
export class ClientTopics {
  /** @throws Error when the two initial lists differ */
  constructor(private readonly state: State) {
    const [received, known] = [state.muted_topics, this.muted()].map((list) => JSON.stringify(list));
    if (received !== known) throw new Error(`muted topics are ${known}, and the older list says ${received}`);
  }

  chose({ stream_id, topic_name, last_updated, visibility_policy }: WireEvent): void {
    const topic = { stream_id, topic_name, last_updated, visibility_policy } as ChosenTopic;
    const others = this.state.user_topics.filter((one) => !isSame(one, topic));
    this.state.user_topics = topic.visibility_policy === INHERIT ? others : [...others, topic];
    this.state.user_topics.sort((a, b) => a.stream_id - b.stream_id || compare(key(a), key(b)));
  }

  policyOf(stream_id: number, topic_name: string): number {
    return this.state.user_topics.find((one) => isSame(one, { stream_id, topic_name }))?.visibility_policy ?? INHERIT;
  }

  /** The older list follows from the newer one: it names channels, and is silent of private ones that the owner is not in. */
  muted(): unknown[] {
    const { user_topics, streams, subscriptions, is_guest } = this.state;
    const isShown = (channel: Channel) =>
      channel['is_web_public'] === true ||
      (channel['invite_only'] === false && !is_guest) ||
      subscriptions.some(({ stream_id }) => stream_id === channel.stream_id);
    return user_topics.flatMap(({ stream_id, topic_name, last_updated, visibility_policy }) => {
      const channel = streams.find((one) => one.stream_id === stream_id);
      if (visibility_policy !== MUTED || !channel || !isShown(channel)) return [];
      return [[channel['name'], topic_name, last_updated]];
    });
  }
}

const key = ({ topic_name }: Pick<ChosenTopic, 'topic_name'>): string => topic_name.toLowerCase();
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const isSame = (
  a: Pick<ChosenTopic, 'stream_id' | 'topic_name'>,
  b: Pick<ChosenTopic, 'stream_id' | 'topic_name'>,
): boolean => a.stream_id === b.stream_id && key(a) === key(b);
