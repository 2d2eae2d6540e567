import type { Aggregate, ChannelId, Fact, GroupId, Position, RealmId, Recorded } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';
import type { EventLog, FeedReader } from '@annals/kernel';
import type { ChannelPrivacy } from '@annals/channels';
import { channelAggregate, seesMetadata } from '@annals/channels';
import { allSystemGroups, isFullMember } from '@annals/groups';
import { realmAggregate } from '@annals/realm';
import { readUsers } from '@annals/users';
import type { LoadedRules, Person, RulesAsked } from './audience-rules';
import type { Moment } from '../domain/audience';
import { AudienceRules } from './audience-rules';

type PrivacyAt = (channel: ChannelId, on: Moment) => ChannelPrivacy | null;
type GroupsAt = (person: Person, on: Moment) => ReadonlySet<GroupId>;

/**
 * Channels and groups as the contexts that own them saw them right after an event: settings are folded from their
 * streams up to there, so an event is never for those who got access later.
 */
export class ContextRules extends AudienceRules {
  constructor(private readonly events: Pick<EventLog, 'stream'>) {
    super();
  }

  override async load(reader: FeedReader, asked: RulesAsked): Promise<LoadedRules> {
    const privacyAt = await this.privacyAt(reader, [...new Set([...asked.access, ...asked.privacy])]);
    const groupsAt = asked.access.size + asked.groups.size > 0 ? await this.groupsAt(reader, asked) : noGroups;
    const mayKnow: LoadedRules['mayKnow'] = (channel, person, isMember, on) => {
      const privacy = privacyAt(channel, on);
      return privacy !== null && seesMetadata(privacy, { ...person, groups: groupsAt(person, on) }, isMember);
    };
    return {
      mayKnow,
      // The same people see who is subscribed (contract/permissions.md section 6).
      maySeeSubscribers: mayKnow,
      isPublic: (channel, on) => privacyAt(channel, on)?.inviteOnly === false,
      isInGroup: (group, person, on) => groupsAt(person, on).has(group),
    };
  }

  private async privacyAt({ realmId }: FeedReader, channels: readonly ChannelId[]): Promise<PrivacyAt> {
    const histories = await Promise.all(
      channels.map(async (id) => [id, await this.history(realmId, channelAggregate, id)] as const),
    );
    const known = new Map(histories);
    return (channel, { position }) => known.get(channel)?.(position) ?? null;
  }

  /** @returns the state of one aggregate right after any position */
  private async history<State, Event extends Fact, Key extends string | number>(
    realmId: RealmId,
    aggregate: Aggregate<State, Event, Key>,
    key: Key,
  ): Promise<(at: Position) => State> {
    const events = (await this.events.stream(realmId, aggregate.stream(key))) as unknown as readonly Recorded<Event>[];
    // All who wait are asked about one event before the next.
    let latest: { readonly at: Position; readonly state: State } | null = null;
    return (at) => {
      if (latest?.at !== at) {
        const until = events.filter(({ position }) => position <= at);
        latest = { at, state: fold(aggregate, until) };
      }
      return latest.state;
    };
  }

  private async groupsAt({ client, realmId }: FeedReader, { users }: RulesAsked): Promise<GroupsAt> {
    const known = new Map((await readUsers(client, realmId, users)).map((user) => [user.userId, user]));
    const realmAt = await this.history(realmId, realmAggregate, 'realm');
    return ({ userId, role }, on) => {
      const [user, realm] = [known.get(userId), realmAt(on.position)];
      if (!user || !realm || user.isSystemBot) return NO_GROUPS;
      // Who first logged in after the event counted from the creation of the account until then.
      const joinedAt = user.joinedAt > on.at ? user.createdAt : user.joinedAt;
      const isFull = isFullMember({ role, joinedAt }, realm.settings.waiting_period_threshold, on.at);
      return new Set(allSystemGroups(role, isFull).map((name) => realm.systemGroups[name]));
    };
  }
}

const NO_GROUPS: ReadonlySet<GroupId> = new Set();
const noGroups: GroupsAt = () => NO_GROUPS;
