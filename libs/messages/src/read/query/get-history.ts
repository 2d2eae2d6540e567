import { Kernel, feedReader } from '@annals/kernel';
import type { Actor, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import type { Change } from '../content/changes';
import { MAX_EDITS_TOLD, changesOf, latestOf } from '../content/changes';
import { MessageFinder } from './message-finder';
import type { MessageRow } from '../content/message-row';
import { readMessageRows } from '../content/message-row';
import { readPast } from '../history/past';
import { readPlaceHistory } from '../history/place-history';
import { EVERYTHING } from '../narrow/selection';
import type { Text } from '../content/texts';
import { readEdits, readTextAt } from '../content/texts';

/** A message as it was from one change to the next. */
export interface Snapshot {
  readonly by: UserId | null;
  readonly at: Instant;
  /** Null for a direct message. */
  readonly topic: string | null;
  readonly text: Text;
  /** What made it so; null for the message as it was sent. */
  readonly change: Change | null;
}

/**
 * The states of a message, oldest first: how it was sent, or came to where the reader could read it, and of the latest
 * changes, as many as `latestOf` tells, those that they could follow.
 */
export interface MessageHistory {
  readonly realmId: RealmId;
  readonly imagePreviews: boolean;
  /** Whether changes of the text are shown. */
  readonly showsTexts: boolean;
  readonly snapshots: readonly Snapshot[];
}

/**
 * How a message came to be what it is (contract/messages.md section 4.3).
 *
 * @throws Rejected BAD_REQUEST for one the actor may not see, as for one that does not exist, and where the organization
 *   hides what was changed
 */
export class GetMessageHistory extends Query<MessageHistory> {
  constructor(
    readonly by: Actor,
    readonly id: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessageHistory)
export class GetMessageHistoryHandler implements IQueryHandler<GetMessageHistory> {
  constructor(
    private readonly kernel: Kernel,
    private readonly finder: MessageFinder,
  ) {}

  async execute({ by, id }: GetMessageHistory): Promise<MessageHistory> {
    const { realmId } = by;
    const { pool } = this.kernel.database;
    const realm = await readRealm(pool, realmId);
    if (!realm) throw new Error(`realm ${realmId} does not exist`);
    const { message_edit_history_visibility_policy: policy, inline_image_preview: imagePreviews } = realm.settings;
    if (policy === 'none') throw reject.historyHidden();
    const visible = () => this.finder.visible(by, EVERYTHING, [id]);
    const [row] = await readMessageRows(pool, realmId, await visible(), 'now');
    const snapshots = row ? await this.snapshots(by, row) : [];
    // Meanwhile it may have gone where they cannot see it, and been changed there.
    if (snapshots.length === 0 || (await visible()).length === 0) throw reject.unknownMessage();
    const showsTexts = policy === 'all';
    const shown = showsTexts ? snapshots : snapshots.filter(({ change }) => change === null || change.move !== null);
    return { realmId, imagePreviews, showsTexts, snapshots: shown };
  }

  private async snapshots(by: Actor, row: MessageRow): Promise<Snapshot[]> {
    const { database, events } = this.kernel;
    const [{ id, topicId }, { realmId }] = [row, by];
    const edits = (await readEdits(database.pool, realmId, [id], { most: MAX_EDITS_TOLD, bytes: null })).get(id) ?? [];
    const moved = row.wasMoved && topicId !== null ? [{ id, topicId }] : [];
    const places = await readPlaceHistory(database.pool, realmId, moved);
    const past = await database.snapshot((client) => readPast(feedReader(events, realmId, client), by, [row]));
    const changes = latestOf(changesOf(edits, places.moves(id)));
    const since = past.since(id);
    if (since === null) return [];
    const original = row.editedAt === null ? row.text : await readTextAt(database.pool, realmId, id, since);
    const sent: Snapshot = {
      by: row.senderId,
      at: row.sentAt,
      topic: places.at(id, since)?.topic ?? row.topic,
      text: original ?? row.text,
      change: null,
    };
    const first = changes.at(-1);
    let topic = (first && places.at(id, (first.position - 1) as Position)?.topic) ?? row.topic;
    let text = changes.findLast(({ edit }) => edit !== null)?.edit?.previous ?? row.text;
    const snapshots = [sent];
    for (const change of [...changes].reverse()) {
      topic = change.move?.to.topic ?? topic;
      text = change.edit?.current ?? text;
      if (past.tells(id, change)) snapshots.push({ by: change.by, at: change.at, topic, text, change });
    }
    return snapshots;
  }
}
