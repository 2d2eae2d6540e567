import type { ChannelId, GroupId, LogPoint } from '@annals/kernel/domain';
import type { FeedReader } from '@annals/kernel';
import type { ChannelPrivacy } from '@annals/channels';
import { readChannelsAt, seesContent, seesMetadata } from '@annals/channels';
import { readGroupHistory } from '@annals/groups';
import { RESTRICTIONS } from '@annals/realm';
import type { LoadedRules, AudiencePerson, RulesAsked } from './audience-rules';
import { AudienceRules } from './audience-rules';

type PrivacyAt = (channel: ChannelId, on: LogPoint) => ChannelPrivacy | null;
type GroupsAt = (person: AudiencePerson, on: LogPoint) => ReadonlySet<GroupId>;

/**
 * Channels and groups as the contexts that own them saw them right after an event. Settings are folded from their
 * streams up to there, so an event is never delivered to users who got access later.
 */
export class ContextRules extends AudienceRules {
  override readonly restrictions = RESTRICTIONS;

  override async load(reader: FeedReader, asked: RulesAsked): Promise<LoadedRules> {
    const channels = [...new Set([...asked.access, ...asked.privacy])];
    const { at } = await readChannelsAt(reader, channels, asked.first);
    const privacyAt: PrivacyAt = (channel, { position }) => at(channel, position) ?? null;
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
      // The same people see the subscriber list (contract/permissions.md section 6).
      maySeeSubscribers: mayKnow,
      isPublic: (channel, on) => privacyAt(channel, on)?.inviteOnly === false,
      isInGroup: (group, person, on) => groupsAt(person, on).has(group),
    };
  }
}

/** For events that need no channel and no group. */
const noGroups: GroupsAt = () => new Set();
