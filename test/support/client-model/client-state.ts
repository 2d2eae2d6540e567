import type { Registered, WireEvent } from '../server/caller';
import { groupsAfter } from './groups';
import type { Channel, Person, State } from './shapes';
import { INHERITED, forget, kept, notSubscribed, withoutFirst } from './shapes';
import { arrived, outOfSight, unknownIn } from './user-access';
import { applyToLists } from './lists';
import { changePerson } from './people';
import { applyToProfile } from './profiles';
import { rightsIn } from './rights';
import { ClientTopics } from './topics';
import type { DeletionEvent, FlagsEvent, MessageEvent, UpdateEvent } from './unread';
import { ClientUnread } from './unread';

/** Keys of a queue or a moment, which are no state of the organization. */
const TRANSIENT = ['result', 'msg', 'queue_id', 'last_event_id', 'idle_queue_timeout_secs', 'server_timestamp'];

/**
 * A client as the contract describes it: it starts with the answer of `POST /register` and then applies events only
 * (contract/realtime.md section 6). It derives what clients derive: flags and permissions of a role, and that
 * deactivated users are removed from group settings.
 */
export class ClientState {
  private readonly state: State;
  private readonly topics: ClientTopics;
  private readonly unread: ClientUnread;
  /** Reactivated users: no event says which group settings contain them. */
  private readonly returned: number[] = [];
  private readonly beganAsGuest: boolean;

  /**
   * @param asked how the queue was registered: with the capabilities `notification_settings_null` and
   *   `include_deactivated_groups`, with the subscribers of channels, with `user_list_incomplete`; an answer without any
   *   does not tell
   */
  constructor(
    readonly queue: Registered,
    private readonly asked: {
      readonly knowsNull: boolean;
      readonly knowsDeactivated: boolean;
      readonly withSubscribers: boolean;
      readonly knowsGaps: boolean;
      /** The default for clients that do not ask for it. */
      readonly makesGravatars?: boolean;
    },
  ) {
    const entries = Object.entries(structuredClone(queue)).filter(([name]) => !TRANSIENT.includes(name));
    this.state = Object.fromEntries(entries) as unknown as State;
    this.beganAsGuest = this.state.is_guest;
    this.topics = new ClientTopics(this.state);
    this.unread = new ClientUnread(this.state, this.topics);
  }

  /** The state in a fixed order, so that two clients can be compared. */
  shown(): Record<string, unknown> {
    const { state } = this;
    const by = <Item, Key extends keyof Item>(items: readonly Item[], key: Key) =>
      [...items].sort((a, b) => Number(a[key]) - Number(b[key]));
    return {
      ...state,
      realm_users: by(state.realm_users, 'user_id'),
      realm_non_active_users: by(state.realm_non_active_users, 'user_id'),
      realm_bots: by(state.realm_bots, 'user_id'),
      realm_user_groups: by(state.realm_user_groups, 'id'),
      channel_folders: by(state.channel_folders, 'order'),
      ...Object.fromEntries(
        (['streams', 'subscriptions'] as const).map((list) => [list, by(state[list], 'stream_id').map(withoutFirst)]),
      ),
      ...notSubscribed(state),
      muted_topics: this.topics.muted(),
      user_status: this.statuses(),
      ...('unread_msgs' in state && { unread_msgs: this.unread.counted() }),
      ...rightsIn(state),
    };
  }

  /** The statuses of active users. */
  private statuses(): unknown {
    const { state } = this;
    const active = new Set(state.realm_users.map(({ user_id }) => String(user_id)));
    return Object.fromEntries(Object.entries(state.user_status).filter(([user]) => active.has(user)));
  }

  receive(events: readonly WireEvent[]): void {
    for (const event of events) this.apply(event);
  }

  /** Reads what events leave open from a client that has just registered. */
  lookUp(now: ClientState): void {
    this.unread.lookUp(now.unread);
    // Guests receive no event when an inaccessible user is deactivated or reactivated, so settings may differ in them.
    const open = [...this.returned, ...unknownIn(this.state), ...unknownIn(now.state)];
    for (const user of open) for (const client of [this, now]) forget(client.state, user);
    // No event has the status of a user who returned, or who became visible to a guest.
    const isGuest = this.beganAsGuest || this.state.is_guest;
    for (const { state } of [this, now]) {
      const known = Object.entries(state.user_status).filter(([user]) => !this.returned.includes(Number(user)));
      state.user_status = isGuest ? {} : Object.fromEntries(known);
    }
  }

  /** See `ClientUnread.starredByAccess`. */
  starredByAccess(now: ClientState, readable: ReadonlySet<number>, unreadable: ReadonlySet<number>): void {
    this.unread.starredByAccess(now.unread, readable, unreadable);
  }

  private apply(event: WireEvent): void {
    switch (event.type) {
      case 'realm_user':
        return this.person(event.op, event['person'] as Person);
      case 'realm_bot':
        return this.bot(event.op, event['bot'] as { user_id: number });
      case 'user_group':
        this.state.realm_user_groups = groupsAfter(event, this.state.realm_user_groups, this.asked.knowsDeactivated);
        return;
      case 'stream':
        return this.channels(event);
      case 'subscription':
        return this.subscription(event);
      case 'user_topic':
        return this.topics.chose(event);
      case 'muted_topics':
        return;
      case 'message':
        return this.unread.received(event as unknown as MessageEvent);
      case 'delete_message':
        return this.unread.deleted(event as unknown as DeletionEvent);
      case 'update_message':
        return this.unread.changed(event as unknown as UpdateEvent);
      case 'update_message_flags':
        return this.unread.flagged(event as unknown as FlagsEvent);
      default:
        return applyToLists(event, this.state);
    }
  }

  private person(op: string | undefined, person: Person): void {
    if (op === 'add') return this.comes(person);
    return op === 'remove' ? outOfSight(this.state, person, this.asked.knowsGaps) : this.changed(person);
  }

  /** A user who becomes visible may have been deactivated and reactivated before. */
  private comes(person: Person): void {
    arrived(this.state, person);
    if (this.beganAsGuest || this.state.is_guest) this.returned.push(person.user_id);
  }

  private changed(received: Person): void {
    const { user_id, ...change } = kept(received);
    const { state } = this;
    const person = [...state.realm_users, ...state.realm_non_active_users].find((one) => one.user_id === user_id);
    if (!person) throw new Error(`somebody unknown changed: ${user_id}`);
    if (change['is_active'] === false) return this.departed(person);
    if (change['is_active'] === true) return this.returns(person);
    if ('custom_profile_field' in change) return applyToProfile(person, change['custom_profile_field']);
    changePerson(state, person, change, this.asked.makesGravatars ?? true);
  }

  private departed(person: Person): void {
    const { state } = this;
    state.realm_users = state.realm_users.filter((one) => one !== person);
    state.realm_non_active_users = [...state.realm_non_active_users.filter((one) => one !== person), person];
    forget(state, person.user_id);
  }

  private returns(person: Person): void {
    const { state } = this;
    state.realm_non_active_users = state.realm_non_active_users.filter((one) => one !== person);
    // A user who became visible meanwhile was shown in the present state, already active.
    state.realm_users = [...state.realm_users.filter((one) => one !== person), person];
    this.returned.push(person.user_id);
  }

  private bot(op: string | undefined, bot: { user_id: number }): void {
    const { realm_bots } = this.state;
    const known = realm_bots.find(({ user_id }) => user_id === bot.user_id);
    const others = realm_bots.filter((one) => one !== known);
    if (op === 'update' && !known) throw new Error(`an unknown bot changed: ${bot.user_id}`);
    this.state.realm_bots = op === 'delete' ? others : [...others, { ...known, ...bot }];
  }

  private channels(event: WireEvent): void {
    const { op, streams, stream_ids } = event;
    const { state } = this;
    if (op === 'update') return this.changedChannel(event);
    if (op === 'delete') return this.without(stream_ids as number[], CHANNEL_LISTS);
    for (const channel of streams as Channel[]) {
      if (this.knows(channel.stream_id)) continue;
      state.streams.push({ ...channel });
      state.never_subscribed.push({ ...channel, ...this.nobody() });
    }
  }

  private changedChannel({ property, value, stream_id, ...event }: WireEvent): void {
    const id = stream_id as number;
    if (!this.knows(id)) throw new Error(`received a change of an unknown channel: ${id}`);
    const { rendered_description, history_public_to_subscribers, is_web_public } = event;
    for (const channel of this.listed(id)) {
      Object.assign(channel, { [property as string]: value });
      if (property === 'description') Object.assign(channel, { rendered_description });
      if (property === 'invite_only') Object.assign(channel, { history_public_to_subscribers, is_web_public });
    }
  }

  private subscription(event: WireEvent): void {
    switch (event.op) {
      case 'add':
        return this.subscribed(event);
      case 'remove':
        for (const { stream_id } of event['subscriptions'] as Channel[]) this.unsubscribed(stream_id);
        return;
      case 'update': {
        const { stream_id, property, value } = event as WireEvent & { property: string };
        const own = this.state.subscriptions.find((one) => one.stream_id === stream_id);
        if (!own) throw new Error(`a setting of a channel one is not subscribed to: ${String(stream_id)}`);
        Object.assign(own, { [property]: value });
        return;
      }
      default:
        return this.peers(event);
    }
  }

  /** No event removes the own user: the client removes itself from the list. */
  private unsubscribed(id: number): void {
    const { state } = this;
    const own = state.subscriptions.find(({ stream_id }) => stream_id === id);
    if (!own) throw new Error(`left a channel one is not subscribed to: ${id}`);
    this.leave(this.listed(id), [state.user_id]);
    state.subscriptions = state.subscriptions.filter((one) => one !== own);
    state.unsubscribed.push(own);
  }

  private leave(channels: readonly Channel[], users: readonly number[]): void {
    for (const channel of channels) {
      channel.subscriber_count -= users.length;
      if (channel.subscribers) channel.subscribers = channel.subscribers.filter((user) => !users.includes(user));
    }
  }

  private subscribed({ subscriptions }: WireEvent): void {
    const added = (subscriptions as Channel[]).map((channel) => ({ ...channel, ...this.inherited(channel) }));
    this.without(
      added.map(({ stream_id }) => stream_id),
      ['subscriptions', 'never_subscribed', 'unsubscribed'],
    );
    for (const channel of added) {
      this.state.subscriptions.push(channel);
      const listed = this.state.streams.find(({ stream_id }) => stream_id === channel.stream_id);
      if (!listed) throw new Error(`subscribed to an unknown channel: ${channel.stream_id}`);
      listed.subscriber_count = channel.subscriber_count;
    }
  }

  /**
   * Clients without support for null received their own settings in its place, and continue with them (boot.md section
   * 6).
   */
  private inherited(channel: Channel): Record<string, unknown> {
    if (this.asked.knowsNull) return {};
    const settings = this.state['user_settings'] as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(INHERITED).map(([name, setting]) => [name, channel[name] ?? settings[setting]]),
    );
  }

  private peers({ op, stream_ids, user_ids }: WireEvent): void {
    const users = user_ids as number[];
    for (const id of stream_ids as number[]) {
      if (!this.knows(id)) throw new Error(`received subscribers of an unknown channel: ${id}`);
      const sign = op === 'peer_add' ? 1 : -1;
      for (const channel of this.listed(id)) {
        channel.subscriber_count += sign * users.length;
        if (!channel.subscribers) continue;
        const others = channel.subscribers.filter((user) => !users.includes(user));
        channel.subscribers = (sign > 0 ? [...others, ...users] : others).sort((a, b) => a - b);
      }
    }
  }

  private readonly knows = (id: number) => this.state.streams.some(({ stream_id }) => stream_id === id);

  private listed(id: number): Channel[] {
    return CHANNEL_LISTS.flatMap((list) => this.state[list]).filter(({ stream_id }) => stream_id === id);
  }

  private without(ids: readonly number[], lists: readonly (typeof CHANNEL_LISTS)[number][]): void {
    for (const list of lists) this.state[list] = this.state[list].filter(({ stream_id }) => !ids.includes(stream_id));
  }

  /** An empty list for clients that asked for subscribers: the next event lists the present ones. */
  private nobody(): { subscribers?: number[] } {
    return this.asked.withSubscribers ? { subscribers: [] } : {};
  }
}

const CHANNEL_LISTS = ['streams', 'subscriptions', 'never_subscribed', 'unsubscribed'] as const;
