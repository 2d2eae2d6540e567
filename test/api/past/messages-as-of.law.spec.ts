import type { RealmId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

const SEEDS = [1, 2];

/** What is not kept with its time: what users marked. */
const MARKS = ['read', 'starred', 'collapsed'];

type Message = Record<string, unknown> & { readonly id: number; readonly flags: string[] };
interface Page {
  readonly messages: Message[];
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/** A random number generator: the same seed gives the same history. */
const randomOf = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

let users: ServerWithUsers;
beforeAll(async () => {
  users = await startWithUsers();
  granted(
    await users.owner.patch('/realm', {
      message_content_edit_limit_seconds: 'unlimited',
      move_messages_within_stream_limit_seconds: 'unlimited',
      move_messages_between_streams_limit_seconds: 'unlimited',
    }),
  );
});
afterAll(() => users.server.close());

const head = async () => (await users.server.kernel.events.heads()).get(1 as RealmId) ?? 0;

/** What an act is about, as far as it needs it. */
interface Chosen {
  readonly someone: Person;
  readonly channel: number;
  readonly id: number;
  readonly n: number;
}

/** A random history of three channels and a conversation, and what users were answered after each act. */
class History {
  readonly channels: number[] = [];
  readonly messages: number[] = [];
  private acts = 0;

  constructor(private readonly random: (below: number) => number) {}

  async begin(): Promise<void> {
    const { server, owner, member, other, guest } = users;
    const shapes = [{}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: true }];
    for (const shape of shapes) {
      this.channels.push(await server.channel(owner, { subscribers: [owner, member, other, guest], ...shape }));
    }
  }

  private pick<One>(from: readonly One[]): One {
    return from[this.random(from.length)] as One;
  }

  /** Refused acts are acts too: they change nothing. */
  async act(): Promise<void> {
    users.server.clock.advance(1_000);
    const { owner, member, other, guest } = users;
    const chosen = {
      someone: this.pick([owner, member, other, guest]),
      channel: this.pick(this.channels),
      id: this.messages.length === 0 ? 0 : this.pick(this.messages),
      n: ++this.acts,
    };
    const kind = this.random(21);
    await (this.ofMessage(kind, chosen) ?? this.ofChannel(kind, chosen) ?? this.sending(chosen));
  }

  private sending({ someone, channel, n }: Chosen): Promise<void> {
    const topic = this.pick(['lunch', 'work', 'plans']);
    const link = `see https://example.com/${n}`;
    const content = this.pick([`text ${n}`, link, `hello @**Mia** ${n}`, `@**all** ${n}`, `/me waves`]);
    return this.sent(someone.post('/messages', { type: 'channel', to: channel, topic, content }));
  }

  /** An act on a message, for kinds that are one. */
  private ofMessage(kind: number, { someone, channel, id, n }: Chosen): Promise<unknown> | null {
    const { owner, member, other } = users;
    switch (kind) {
      case 4: {
        const to = [this.pick([member, other]).id];
        return this.sent(someone.post('/messages', { type: 'direct', to, content: `dm ${n}` }));
      }
      case 5:
        return this.pick([owner, someone]).patch(`/messages/${id}`, { content: `edited ${n}` });
      case 6: {
        const topic = this.pick(['lunch', 'work', 'moved', '✔ lunch']);
        const propagate_mode = this.pick(['change_one', 'change_later', 'change_all']);
        return owner.patch(`/messages/${id}`, { topic, propagate_mode });
      }
      case 7: {
        const propagate_mode = this.pick(['change_one', 'change_all', 'change_all']);
        return owner.patch(`/messages/${id}`, { stream_id: channel, propagate_mode });
      }
      case 8:
        return this.pick([owner, someone]).delete(`/messages/${id}`);
      case 12:
        return someone.post(`/messages/${id}/reactions`, { emoji_name: this.pick(['tada', 'heart']) });
      case 13:
        return someone.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });
      default:
        return null;
    }
  }

  /** An act on a channel or an account, for kinds that are one. */
  private ofChannel(kind: number, { channel, n }: Chosen): Promise<unknown> | null {
    switch (kind) {
      case 9:
        return this.left(channel);
      case 10:
        return this.joined(channel);
      case 11:
        return users.owner.patch(
          `/streams/${channel}`,
          this.pick<Params>([
            { is_private: true, history_public_to_subscribers: false },
            { is_private: true, history_public_to_subscribers: true },
            { is_private: false },
          ]),
        );
      case 14:
        return this.random(3) === 0 ? this.awayOrBack(users.other) : this.renamedOrPromoted(channel, n);
      default:
        return null;
    }
  }

  private async left(channel: number): Promise<void> {
    const by = this.pick([users.member, users.other, users.guest]);
    await by.delete('/users/me/subscriptions', { subscriptions: [await this.nameOf(channel)] });
  }

  private async joined(channel: number): Promise<void> {
    const subscriptions = [{ name: await this.nameOf(channel) }];
    const principals = [this.pick([users.member, users.other, users.guest]).id];
    await users.owner.post('/users/me/subscriptions', { subscriptions, principals });
  }

  private async awayOrBack(person: Person): Promise<void> {
    const { owner } = users;
    const { user } = granted(await owner.get<{ user: { is_active: boolean } }>(`/users/${person.id}`));
    if (user.is_active) granted(await owner.delete(`/users/${person.id}`));
    else granted(await owner.post(`/users/${person.id}/reactivate`));
  }

  private async renamedOrPromoted(channel: number, n: number): Promise<void> {
    const { owner, other, member } = users;
    const acts = [
      () => owner.patch(`/streams/${channel}`, { new_name: `renamed ${this.channels.join()} ${n}` }),
      () => owner.patch(`/users/${other.id}`, { role: this.pick([400, 600, 300]) }),
      () => owner.patch(`/users/${other.id}`, { full_name: `Otto ${n}` }),
      () => member.patch('/settings', { email_address_visibility: this.pick([1, 2, 5]) }),
    ];
    await this.pick(acts)();
  }

  private async nameOf(channel: number): Promise<string> {
    const { stream } = granted(await users.owner.get<{ stream: { name: string } }>(`/streams/${channel}`));
    return stream.name;
  }

  private async sent(sending: ReturnType<Person['post']>): Promise<void> {
    const { id } = (await sending).body as { readonly id?: number };
    if (id !== undefined) this.messages.push(id);
  }

  /** Questions whose answers are recorded. */
  questions(): { path: string; params: Params }[] {
    const narrow = (...terms: [string, unknown][]) => terms.map(([operator, operand]) => ({ operator, operand }));
    const page = (terms: object[], more: Params = {}) => ({
      path: '/messages',
      params: { anchor: 'newest', num_before: 1_000, narrow: terms, ...more },
    });
    const [first = 0, second = 0, third = 0] = this.channels;
    return [
      page([]),
      ...this.channels.map((id) => page(narrow(['channel', id]))),
      page(narrow(['channel', first], ['topic', 'lunch'])),
      page(narrow(['channel', second], ['topic', 'work']), { apply_markdown: false }),
      page(narrow(['is', 'dm'])),
      page(narrow(['dm', [users.member.id]])),
      page(narrow(['sender', users.member.id])),
      page(narrow(['channel', third], ['has', 'link'])),
      page(narrow(['is', 'mentioned'])),
      page(narrow(['has', 'reaction'])),
      page(narrow(['channels', 'public'])),
      page([], { anchor: this.messages[0] ?? 0, num_before: 2, num_after: 3 }),
      ...this.channels.map((id) => ({ path: `/users/me/${id}/topics`, params: {} })),
      ...this.messages.slice(-3).map((id) => ({ path: `/messages/${id}/history`, params: {} })),
    ];
  }
}

/** An answer with what a moment determines. */
function told(body: Params): Params {
  const { as_of_position: _, ignored_parameters_unsupported: __, ...rest } = body;
  const messages = rest['messages'] as Message[] | undefined;
  if (!messages) return rest;
  return {
    ...rest,
    messages: messages.map((one) => ({ ...one, flags: one.flags.filter((flag) => !MARKS.includes(flag)) })),
  };
}

const isActive = async ({ id }: Person) =>
  granted(await users.owner.get<{ user: { is_active: boolean } }>(`/users/${id}`)).user.is_active;

const messagesOf = (body: Params) => (body['messages'] ?? []) as Message[];

describe('an answer about the past', () => {
  it.each(SEEDS)('is what was answered then, as far as the user may read it today: history %i', async (seed) => {
    const history = new History(randomOf(seed * 7_919));
    await history.begin();
    const viewers = [users.owner, users.member, users.other, users.guest];
    const recorded: { position: number; by: Person; path: string; params: Params; status: number; body: Params }[] = [];
    for (let n = 0; n < 40; n++) {
      await history.act();
      if (n % 4 !== 3) continue;
      const by = viewers[(n >> 2) % viewers.length] as Person;
      if (!(await isActive(by))) continue;
      await users.server.settled();
      const position = await head();
      for (const { path, params } of history.questions()) {
        const { status, body } = await by.get<Params>(path, params);
        recorded.push({ position, by, path, params, status, body: told(body) });
      }
      expect(await head()).toBe(position);
    }
    for (const by of viewers) if (!(await isActive(by))) granted(await users.owner.post(`/users/${by.id}/reactivate`));
    const isThere = async (by: Person, ids: readonly number[]) => {
      const { messages } = granted(await by.get<Page>('/messages', { message_ids: ids }));
      return new Set(messages.map(({ id }) => id));
    };
    const there = new Map<Person, Set<number>>();
    const seen = recorded.flatMap(({ body }) => messagesOf(body).map(({ id }) => id));
    const ids = [...new Set([...history.messages, ...seen])];
    for (const by of viewers) there.set(by, await isThere(by, ids));

    for (const { position, by, path, params, status, body } of recorded) {
      const asked = await by.get<Params>(path, { ...params, as_of: `p${position}` });
      const known = [seed, position, by.id, path, JSON.stringify(params)];
      if (asked.status !== 200 || status !== 200) {
        // A channel that the user cannot see today is unknown.
        if (status === 200) expect([...known, asked.status]).toEqual([...known, 400]);
        else expect([...known, asked.body['msg']]).toEqual([...known, body['msg']]);
        continue;
      }
      expect(asked.body['as_of_position']).toBe(position);
      const [then, now] = [body, told(asked.body)];
      const [messages, shown] = [messagesOf(then), messagesOf(now)];
      const isReadable = ({ id }: { readonly id: number }) => there.get(by)?.has(id) ?? false;
      const topics = (body['topics'] ?? []) as { max_id: number }[];
      const listed = [...messages, ...topics.map(({ max_id: id }) => ({ id }))];
      if (listed.every(isReadable)) expect([known, now]).toEqual([known, then]);
      if (params['num_after'] !== undefined) continue;
      const [byId, shownIds] = [new Map(messages.map((one) => [one.id, one])), new Set(shown.map(({ id }) => id))];
      for (const message of shown) expect([known, byId.get(message.id)]).toEqual([known, message]);
      const exists = ({ id }: Message) => viewers.some((one) => there.get(one)?.has(id));
      expect([known, shown.filter((one) => exists(one) && !isReadable(one))]).toEqual([known, []]);
      expect([known, messages.filter((one) => isReadable(one) && !shownIds.has(one.id))]).toEqual([known, []]);
    }
  });
});
