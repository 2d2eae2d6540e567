import type { ChannelId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { withoutDefaultChannels } from '../requests/channels';
import { Person } from '../server/organization';
import type { TestServer } from '../server/server';

const KINDS = ['administrator', 'moderator', 'member', 'guest', 'bot'] as const;
/** System groups that differ in which viewers they hold, the first of them in none. */
const HOLDERS = ['nobody', 'moderators', 'fullmembers', 'members'] as const;

/** Numbers of viewers. */
export const viewer = fc.nat(KINDS.length - 1);

/** The item of a number; lists begin again at their ends. */
export const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

/**
 * An organization with one observing user of each kind. Acts store the ids of what they created, so that later acts can
 * choose by number.
 */
export class World {
  readonly channels: ChannelId[] = [];
  readonly folders: number[] = [];
  readonly bots: number[] = [];
  /** People beside the viewers, as long as they have not left. */
  readonly others: number[] = [];
  /** People and bots whose accounts have ended. */
  readonly gone: number[] = [];
  /** Groups that people made. */
  readonly groups: number[] = [];
  /** Messages that were sent here, some of which are gone. */
  readonly messages: number[] = [];

  private constructor(
    readonly server: TestServer,
    readonly viewers: readonly Person[],
    private readonly system: Readonly<Record<string, number>>,
  ) {}

  static async gather(server: TestServer): Promise<World> {
    const { body } = await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups');
    const system = Object.fromEntries(body.user_groups.map(({ id, name }) => [name, id]));
    // Guests may not see everybody now and then, which makes no difference where all share a channel.
    await withoutDefaultChannels(server.owner);
    const viewers = [];
    for (const kind of KINDS) {
      const { id, key, password } =
        kind === 'bot' ? await server.bot(server.owner) : await server.person({ role: kind });
      // By the placeholder, which logs them in whatever becomes of their addresses.
      viewers.push(new Person(server, server.url, id, `user${id}@annals.invalid`, key, password));
    }
    return new World(server, viewers, system);
  }

  get owner(): Person {
    return this.server.owner;
  }

  viewer(index: number): Person {
    const found = this.viewers[index];
    if (!found) throw new Error(`no viewer ${index}`);
    return found;
  }

  /** The channel of a number, 0 as long as there is none. */
  channel(index: number): ChannelId | 0 {
    return pick(this.channels, index) ?? 0;
  }

  /** One of the newest messages, 0 as long as there is none. */
  message(index: number): number {
    return this.messages.at(-1 - (index % Math.max(this.messages.length, 1))) ?? 0;
  }

  /** Ids of the groups of the system. */
  get systemGroups(): readonly number[] {
    return Object.values(this.system);
  }

  /** One of four groups of the system. */
  systemGroup(index: number): number | undefined {
    return this.system[`role:${pick(HOLDERS, index) ?? 'nobody'}`];
  }

  /** All members, or all people. */
  everyone(butGuests: boolean): number | undefined {
    return this.system[butGuests ? 'role:members' : 'role:everyone'];
  }

  /** Value of a group setting: a group of the system, with a user who may leave where there is one. */
  holders(index: number) {
    const direct_members = this.others.slice(-1);
    const group = this.systemGroup(index);
    return direct_members.length === 0 ? group : { direct_members, direct_subgroups: [group] };
  }
}
