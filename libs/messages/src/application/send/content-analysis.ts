import { Kernel } from '@annals/kernel';
import type { Actor, ChannelId, FileId, GroupId, RealmId, UserId } from '@annals/kernel/domain';
import { ChannelFacts, channelNameKey, seesContent, seesMetadata } from '@annals/channels';
import { FileAccess } from '@annals/files';
import { ActorReader, GroupFacts, displayName } from '@annals/groups';
import type { References, UserReference } from '@annals/markdown';
import { hasEmoticon, inspect, outsideFencedCode, references } from '@annals/markdown';
import { CustomEmojiFacts, RealmFacts, ServerAddress } from '@annals/realm';
import { AlertWordFacts, OwnSettingsFacts, UserAccess, personKey, UserFacts, usersAlertedBy } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { MessageContentFacts, WrittenNames } from '../../domain/events';
import { NO_MENTIONS } from '../../domain/message/content-facts';
import { inLanguage } from '../../domain/language';
import type { AnalyzedContent } from '../../domain/message/message';
import type { NoticeText } from '../../domain/message/notice-text';
import { NO_WRITTEN_NAMES } from '../../domain/message/notice-text';
import { sentContent } from '../../domain/message/text';
import { newestReadable } from '../../read/visibility/newest-readable';
import { WITHOUT_NAMES, lookupOf } from '../../read/content/rendering';
import { emojiTableOf, withEmojiTable } from './emoji-table';
import { TextContext } from './text-context';

/** The readers of a text: users with access to a channel, or the users of a conversation. */
export type Readers = { readonly channelId: ChannelId } | { readonly userIds: readonly UserId[] };

/** The files of a notice, by their paths, and the account that stored them. */
export interface NoticeFiles {
  readonly by: Actor;
  readonly paths: readonly string[];
}

/** A text and what its names mean; null or nothing for a text without names. */
interface TextWithNames {
  readonly content: string;
  readonly names?: WrittenNames | null;
}

/** Analyzes texts before a decision: which users they mention, and what their names mean for the author. */
@Injectable()
export class ContentAnalysis {
  constructor(
    private readonly kernel: Kernel,
    private readonly users: UserFacts,
    private readonly groups: GroupFacts,
    private readonly channels: ChannelFacts,
    private readonly actors: ActorReader,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
    private readonly emoji: CustomEmojiFacts,
    private readonly files: FileAccess,
    private readonly userAccess: UserAccess,
    private readonly settings: OwnSettingsFacts,
    private readonly alertWords: AlertWordFacts,
    private readonly context: TextContext,
  ) {}

  /** Plain text costs no query. Names of users, links to topics and uploads cost one or two queries each. */
  async of(content: string, author: Actor, readers: Readers): Promise<AnalyzedContent> {
    const names = await this.namesIn(content, author);
    const words = { content, ...(names !== null && { names }) };
    const { mentions, ...facts } = await this.factsOf(words, author.realmId, author);
    const inChannel = 'channelId' in readers;
    const alertedIds = usersAlertedBy(outsideFencedCode(content), await this.alertWords.of(author.realmId));
    return {
      words,
      facts: {
        mentions: {
          userIds: await this.readersAmong(mentions.userIds, author, readers),
          groupIds: mentions.groupIds,
          channelWildcard: mentions.channelWildcard && inChannel,
          topicWildcard: mentions.topicWildcard && inChannel,
          ...(alertedIds.length > 0 && { alertedIds }),
        },
        ...facts,
      },
    };
  }

  /** A text of a notice. Its names are known, and it mentions nobody. @param files to which it may link; null for none */
  async ofNotice(text: NoticeText, realmId: RealmId, files: NoticeFiles | null = null): Promise<AnalyzedContent> {
    const words = withEmojiTable({ ...text, content: sentContent(text.content) });
    const { by = null, paths = [] } = files ?? {};
    return { words, facts: { ...(await this.factsOf(words, realmId, by, paths)), mentions: NO_MENTIONS } };
  }

  /** The uploads that a text links to and its author has access to. */
  async filesIn(words: TextWithNames, author: Actor): Promise<FileId[]> {
    return (await this.factsOf(words, author.realmId, author)).files ?? [];
  }

  /**
   * @param author decides to which files the text may link; null for notices, which link to none
   * @param only the paths of files to which it may link; null for all that the author has access to
   */
  private async factsOf(
    { content, names }: TextWithNames,
    realmId: RealmId,
    author: Actor | null,
    only: readonly string[] | null = null,
  ): Promise<MessageContentFacts> {
    const { subdomain, settings } = await this.realms.of(realmId);
    const options = { realmUrl: this.address.urlOf(subdomain) };
    const found = inspect(content, names ? lookupOf(names, realmId) : WITHOUT_NAMES, options);
    const { userIds, groupIds, channelWildcard, topicWildcard } = found.mentions;
    const paths = found.attachmentPaths.filter((path) => only === null || only.includes(path));
    const files = author ? await this.files.amongPaths(author, paths) : [];
    return {
      mentions: { userIds: userIds as UserId[], groupIds: groupIds as GroupId[], channelWildcard, topicWildcard },
      hasLink: found.hasLink,
      hasImage: found.hasImage,
      hasAttachment: files.length > 0,
      isMe: found.isMeMessage,
      ...inLanguage(settings.default_language),
      ...(files.length > 0 && { files: files.map(({ id }) => id) }),
    };
  }

  /**
   * Finds what a text means for its author now: names, and the settings of the organization that concern it.
   *
   * @returns null when the text has no name that the author has access to, and no setting concerns it
   */
  async namesIn(content: string, author: Actor): Promise<WrittenNames | null> {
    const named = await this.namedIn(content, author);
    const settings = await this.context.of(content, named, author);
    return settings === null ? named : { ...(named ?? NO_WRITTEN_NAMES), ...settings };
  }

  /** The users, groups, channels, topics and emoji that names in a text mean. */
  private async namedIn(content: string, author: Actor): Promise<WrittenNames | null> {
    const emoticons = await this.translatesEmoticons(content, author);
    if (!emoticons && !/[@#:]/.test(content)) return null;
    const custom = content.includes(':') ? await this.emoji.of(author.realmId) : [];
    const written = references(content);
    const emojiTable = emojiTableOf(written.emoji);
    const emoji = custom.filter((one) => one.deactivatedPosition === null && written.emoji.includes(one.name));
    const channels = await this.channelsNamed(author, written.channels);
    const topics = await this.topicsNamed(author, written.topics, channels);
    const names = {
      users: await this.usersNamed(author, written.users),
      groups: await this.groupsNamed(author.realmId, written.groups),
      channels,
      ...(topics.length > 0 && { topics }),
      ...(emoji.length > 0 && { emoji: emoji.map(({ name, file }) => ({ name, file })) }),
      ...emojiTable,
      ...(emoticons && { emoticons: true as const }),
    };
    const found = names.users.length + names.groups.length + names.channels.length + emoji.length;
    return found === 0 && emojiTable === null && !emoticons ? null : names;
  }

  /** Whether the text has emoticons that are emoji, as its author chose. */
  private async translatesEmoticons(content: string, { realmId, userId }: Actor): Promise<boolean> {
    return hasEmoticon(content) && (await this.settings.of(realmId, userId)).translate_emoticons;
  }

  /**
   * Active users with these names whom the author may see. A name that several users have means nobody, unless an id tells them
   * apart.
   */
  private async usersNamed(author: Actor, wanted: References['users']): Promise<WrittenNames['users']> {
    if (wanted.length === 0) return [];
    const names = wanted.flatMap(({ name }) => (name === undefined ? [] : [personKey(name)]));
    const ids = wanted.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const { rows } = await this.kernel.database.pool.query<Found>({
      name: 'messages-people-named',
      text: `SELECT user_id AS id, full_name AS "fullName", name_key AS key FROM view.users
        WHERE realm_id = $1 AND (name_key = ANY($2::text[]) OR user_id = ANY($3::int8[])) AND is_active`,
      values: [author.realmId, names, ids],
    });
    const inaccessible = await this.userAccess.inaccessibleAmong(
      author,
      rows.map(({ id }) => id),
    );
    const known = rows.filter(({ id }) => !inaccessible.has(id));
    return wanted.flatMap((reference) => {
      const [user, another] = known.filter((row) => fits(row, reference));
      return user && !another ? [{ ...asWritten(reference), userId: user.id, fullName: user.fullName }] : [];
    });
  }

  private async groupsNamed(realmId: RealmId, wanted: readonly string[]): Promise<WrittenNames['groups']> {
    if (wanted.length === 0) return [];
    const groups = [...(await this.groups.of(realmId)).values()].filter(({ isDeactivated }) => !isDeactivated);
    return wanted.flatMap((written) => {
      const group = groups.find(({ name }) => name === written);
      return group ? [{ written, groupId: group.groupId, name: displayName(group) }] : [];
    });
  }

  private async channelsNamed(author: Actor, wanted: readonly string[]): Promise<WrittenNames['channels']> {
    if (wanted.length === 0) return [];
    const found = await this.channels.byNames(author.realmId, wanted);
    const own = await this.channels.subscribedBy(author.realmId, author.userId);
    return wanted.flatMap((written) => {
      const channel = found.get(channelNameKey(written));
      if (!channel || !seesMetadata(channel, author, own.has(channel.id))) return [];
      return [{ written, channelId: channel.id, name: channel.name }];
    });
  }

  /** Topics with messages that the author can read. */
  private async topicsNamed(
    author: Actor,
    wanted: References['topics'],
    channels: WrittenNames['channels'],
  ): Promise<NonNullable<WrittenNames['topics']>> {
    const places = wanted.flatMap(({ channel, topic }) => {
      const named = channels.find(({ written }) => written === channel);
      return named ? [{ channelId: named.channelId, name: topic }] : [];
    });
    if (places.length === 0) return [];
    const newest = await newestReadable(this.kernel.database.pool, author, places);
    return places.flatMap(({ channelId, name }, n) => {
      const messageId = newest[n];
      return messageId ? [{ channelId, written: name, messageId }] : [];
    });
  }

  /** Mentioned users without access are not notified (contract/messages.md section 3.1). */
  private async readersAmong(mentioned: readonly UserId[], author: Actor, readers: Readers): Promise<UserId[]> {
    if ('userIds' in readers) return mentioned.filter((user) => readers.userIds.includes(user));
    const channel = await this.channels.byId(author.realmId, readers.channelId);
    const among: UserId[] = [];
    const accounts = await this.users.accounts(author.realmId, mentioned);
    for (const userId of mentioned) {
      if (!accounts.get(userId)?.isActive) continue;
      const person = await this.actors.actor(author.realmId, userId, author.origin);
      const own = await this.channels.subscribedBy(author.realmId, userId);
      if (channel && seesContent(channel, person, own.has(channel.id))) among.push(userId);
    }
    return among;
  }
}

interface Found {
  readonly id: UserId;
  readonly fullName: string;
  readonly key: string;
}

const asWritten = ({ name, id }: UserReference) => ({
  ...(name !== undefined && { name }),
  ...(id !== undefined && { id }),
});

const fits = ({ id, key }: Found, reference: UserReference): boolean =>
  (reference.name === undefined || personKey(reference.name) === key) &&
  (reference.id === undefined || reference.id === id);
