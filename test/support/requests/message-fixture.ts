import type { Answer, Params } from '../server/caller';
import { granted } from '../server/caller';
import type { ServerWithUsers } from '../server/start-with-users';
import { startWithUsers } from '../server/start-with-users';
import type { Person } from '../server/organization';

const HOUR = 60 * 60 * 1000;

/** The answer of `GET /messages`. */
export interface Found {
  readonly messages: readonly { readonly id: number; readonly flags: readonly string[] }[];
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: boolean;
}

/** An organization in which some messages were sent within two hours, to be found again; their texts are their names. */
export class MessageFixture {
  /** Ids of what was sent, by name. */
  readonly sent: Record<string, number> = {};
  /** Ids of the channels `open` and `far`, and of the private ones `kept` and `shared`, which shares its history. */
  readonly channels: Record<string, number> = {};

  private constructor(readonly users: ServerWithUsers) {}

  /** The owner is in all channels, the member in all but `far`, all others in none. */
  static async create(): Promise<MessageFixture> {
    const users = await startWithUsers();
    const { server, owner, member, other } = users;
    const begun = new MessageFixture(users);
    await begun.open('open', [owner, member]);
    await begun.open('far', [owner]);
    await begun.open('kept', [owner, member], { invite_only: true });
    await begun.open('shared', [owner, member], { invite_only: true, history_public_to_subscribers: true });
    await begun.post('open1', owner, 'open', 'lunch');
    await begun.post('far1', owner, 'far', 'lunch');
    await begun.write('dm1', owner, [member]);
    server.clock.advance(HOUR);
    await begun.post('open2', member, 'open', 'work');
    await begun.post('kept1', owner, 'kept', 'plans');
    await begun.post('shared1', owner, 'shared', 'plans');
    await begun.write('group1', member, [owner, other]);
    server.clock.advance(HOUR);
    await begun.post('open3', owner, 'open', 'Lunch');
    await begun.write('dm2', member, [owner]);
    await begun.post('far2', owner, 'far', '');
    return begun;
  }

  async post(as: string, by: Person, channel: string, topic: string): Promise<void> {
    await this.send(as, by, { type: 'channel', to: this.channels[channel], topic });
  }

  readonly names = (ids: readonly number[]) =>
    ids.map((id) => Object.keys(this.sent).find((name) => this.sent[name] === id));

  readonly fetch = (by: Person, params: Params): Promise<Answer<Found>> => by.get<Found>('/messages', params);

  /** Names of all messages of a narrow that a user finds. */
  readonly all = async (by: Person, narrow: unknown = []) => {
    const { messages } = granted(await this.fetch(by, { anchor: 'newest', num_before: 100, narrow }));
    return this.names(messages.map(({ id }) => id));
  };

  private async open(name: string, subscribers: Person[], more: Params = {}): Promise<void> {
    const { server, owner } = this.users;
    this.channels[name] = await server.channel(owner, { name, subscribers, ...more });
  }

  private async write(as: string, by: Person, to: readonly Person[]): Promise<void> {
    await this.send(as, by, { type: 'direct', to: to.map(({ id }) => id) });
  }

  private async send(as: string, by: Person, params: Params): Promise<void> {
    const sending = by.post<{ id: number }>('/messages', { content: as, read_by_sender: true, ...params });
    this.sent[as] = granted(await sending).id;
  }
}

export const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated });
