import type { ChannelId } from '@annals/kernel/domain';
import fc from 'fast-check';
import { granted } from '../server/caller';
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
  /** Users beside the viewers, until they are deactivated. */
  readonly others: number[] = [];
  /** Users and bots whose accounts are deactivated. */
  readonly deactivated: number[] = [];
  /** Groups that people made. */
  readonly groups: number[] = [];
  /** Messages that were sent here. Some of them are deleted. */
  readonly messages: number[] = [];
  /** Viewers whose accounts are deactivated. */
  private readonly away: number[] = [];
  /** Viewers who were deactivated at some time, so that their queues ended. */
  readonly interrupted = new Set<Person>();

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
      // By the placeholder, with which they can log in whatever happens to their emails.
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

  /** Deactivates a viewer until `reactivate`. */
  async deactivate(index: number): Promise<void> {
    const { id } = this.viewer(index);
    if (this.away.includes(index)) return;
    granted(await this.owner.delete(KINDS[index] === 'bot' ? `/bots/${id}` : `/users/${id}`));
    this.away.push(index);
    this.interrupted.add(this.viewer(index));
  }

  /** Restores the account of one of the deactivated viewers, if there is one. */
  async reactivate(which: number): Promise<void> {
    const [index] = this.away.splice(which % Math.max(this.away.length, 1), 1);
    if (index !== undefined) granted(await this.owner.post(`/users/${this.viewer(index).id}/reactivate`));
  }

  /** Restores all accounts of viewers. */
  async reactivateAll(): Promise<void> {
    while (this.away.length > 0) await this.reactivate(0);
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

  /** Value of a group setting: a system group, with a user who may be deactivated if there is one. */
  holders(index: number) {
    const direct_members = this.others.slice(-1);
    const group = this.systemGroup(index);
    return direct_members.length === 0 ? group : { direct_members, direct_subgroups: [group] };
  }
}
