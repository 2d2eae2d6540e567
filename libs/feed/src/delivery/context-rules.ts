import type { ChannelId, GroupId, Position, RealmId } from '@annals/kernel/domain';
import { fold } from '@annals/kernel/domain';
import type { EventLog, FeedReader } from '@annals/kernel';
import type { ChannelPrivacy } from '@annals/channels';
import { channelAggregate, seesContent, seesMetadata } from '@annals/channels';
import { readGroupHistory } from '@annals/groups';
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
    const groupsAt =
      asked.access.size + asked.groups.size > 0 ? (await readGroupHistory(reader, asked.users)).groupsOf : noGroups;
    const may =
      (sees: typeof seesMetadata): LoadedRules['mayKnow'] =>
      (channel, person, isMember, on) => {
        const privacy = privacyAt(channel, on);
        return privacy !== null && sees(privacy, { ...person, groups: groupsAt(person, on) }, isMember);
      };
    const mayKnow = may(seesMetadata);
    return {
      mayKnow,
      mayRead: may(seesContent),
      // The same people see who is subscribed (contract/permissions.md section 6).
      maySeeSubscribers: mayKnow,
      isPublic: (channel, on) => privacyAt(channel, on)?.inviteOnly === false,
      isInGroup: (group, person, on) => groupsAt(person, on).has(group),
    };
  }

  private async privacyAt({ realmId }: FeedReader, channels: readonly ChannelId[]): Promise<PrivacyAt> {
    const histories = await Promise.all(channels.map(async (id) => [id, await this.history(realmId, id)] as const));
    const known = new Map(histories);
    return (channel, { position }) => known.get(channel)?.(position) ?? null;
  }

  /** @returns a channel's state right after any position */
  private async history(realmId: RealmId, channel: ChannelId): Promise<(at: Position) => ChannelPrivacy | null> {
    const stored = await this.events.stream(realmId, channelAggregate.stream(channel));
    const events = stored as unknown as Parameters<typeof channelAggregate.evolve>[1][];
    // All who wait are asked about one event before the next.
    let latest: { readonly at: Position; readonly state: ChannelPrivacy | null } | null = null;
    return (at) => {
      if (latest?.at !== at) {
        const until = events.filter(({ position }) => position <= at);
        latest = { at, state: fold(channelAggregate, until) };
      }
      return latest.state;
    };
  }
}

/** Nobody is asked about. */
const noGroups: GroupsAt = () => new Set();
