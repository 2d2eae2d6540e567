import { Kernel, Moments } from '@annals/kernel';
import type { Actor, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import type { MailDraft } from '@annals/mail';
import { MailComposer } from '@annals/mail';
import { GetMessagesById } from '@annals/messages';
import { NotificationReasons } from '@annals/push';
import { UserAccess } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { AddressedMails } from '../application/addressed-mails';
import type { Digest } from '../application/digest-letter';
import { digestContent } from '../application/digest-letter';
import type { MailReader } from '../application/mail-readers';
import { MailReaders } from '../application/mail-readers';
import type { TopicTraffic } from '../domain/hot-topics';
import { hottest } from '../domain/hot-topics';
import { readNewChannels, readNewPeople, readOwnTopics, readTopicTraffic } from '../read/digest-facts';
import { readDigestRun } from './digest-rows';
import { DIGEST } from './digest-sweep';

/** Days that a digest is about. */
const DAYS = 7;
const MOST_CHANNELS = 20;
const MOST_PEOPLE = 100;

/** The time that the digests of an organization are about. */
interface Period {
  readonly since: Instant;
  /** The last position before it. */
  readonly after: Position;
}

/** Writes digests: what happened in the organization while a user was away, as far as the user may see it. */
@Injectable()
export class DigestComposer extends MailComposer {
  readonly kind = DIGEST;
  /** The traffic of an organization is the same for all of its users. */
  private readonly traffic = new LRUCache<string, Promise<TopicTraffic[]>>({ max: 50 });
  private readonly moments: Moments;

  constructor(
    private readonly kernel: Kernel,
    private readonly reasons: NotificationReasons,
    private readonly readers: MailReaders,
    private readonly userAccess: UserAccess,
    private readonly queries: QueryBus,
    private readonly mails: AddressedMails,
  ) {
    super();
    this.moments = new Moments(kernel);
  }

  override async compose(realmId: RealmId, key: string): Promise<MailDraft | null> {
    const [userId, week] = key.split('-').map(Number);
    if (userId === undefined || week === undefined) return null;
    const at = await readDigestRun(this.kernel.database.pool, realmId, week);
    if (at === undefined) return null;
    await this.kernel.fence.reach(realmId);
    const to = await this.readers.of(realmId, userId as UserId);
    if (!to || !wantsDigests(to)) return null;
    const since = (at - DAYS * DAY_MS) as Instant;
    const { position: after } = await this.moments.resolve(realmId, { time: (since - 1) as Instant });
    const by = await this.reasons.actor(realmId, to.user.userId);
    const digest = await this.digest(to, by, { since, after });
    const isEmpty = digest.topics.length === 0 && digest.channels.length === 0;
    return isEmpty ? null : this.mails.to(to, DIGEST, digestContent(digest));
  }

  private async digest(to: MailReader, by: Actor, period: Period): Promise<Digest> {
    const { pool } = this.kernel.database;
    const all = await this.trafficOf(by.realmId, period);
    const own = await readOwnTopics(pool, by.realmId, by.userId, period.after, all);
    const topics = hottest(own);
    const ids = topics.flatMap(({ newest }) => newest).sort((a, b) => a - b);
    const { loaded: seen } = await this.queries.execute(new GetMessagesById(by, [], ids, { asHtml: true }));
    const shown = topics.map(({ messages, senders, newest }) => ({
      ...{ messages, senders },
      newest: [...newest].reverse().flatMap((id) => seen.rows.get(id) ?? []),
    }));
    return {
      ...{ to, seen },
      messages: own.reduce((sum, { messages }) => sum + messages, 0),
      topics: shown.filter(({ newest }) => newest.length > 0),
      channels: await readNewChannels(pool, by, period.after, MOST_CHANNELS),
      people: await this.people(by, period),
    };
  }

  private trafficOf(realmId: RealmId, { after }: Period): Promise<TopicTraffic[]> {
    const key = `${realmId}:${after}`;
    const known = this.traffic.get(key);
    if (known) return known;
    const read = readTopicTraffic(this.kernel.database.pool, realmId, after);
    this.traffic.set(key, read);
    read.catch(() => this.traffic.delete(key));
    return read;
  }

  private async people(by: Actor, { since }: Period): Promise<string[]> {
    const people = await readNewPeople(this.kernel.database.pool, by, since, MOST_PEOPLE);
    const ids = people.map(({ userId }) => userId);
    const hidden = await this.userAccess.inaccessibleAmong(by, ids);
    return people.filter(({ userId }) => !hidden.has(userId)).map(({ fullName }) => fullName);
  }
}

const wantsDigests = ({ settings, organization }: MailReader): boolean =>
  settings.enable_digest_emails && organization.settings.digest_emails_enabled;
