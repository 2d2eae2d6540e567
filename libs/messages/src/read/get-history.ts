import { Kernel } from '@annals/kernel';
import type { Actor, Instant, Position, RealmId, UserId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import { reject } from '../domain/rejections';
import type { Change } from './changes';
import { MAX_EDITS_TOLD, changesOf, latestOf } from './changes';
import { MessageFinder } from './message-finder';
import type { MessageRow } from './message-row';
import { readMessageRows } from './message-row';
import { readPlaceHistory } from './place-history';
import { EVERYTHING } from './selection';
import type { Text } from './texts';
import { readEdits } from './texts';

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

/** The states of a message, oldest first: how it was sent, and the latest changes, as many as `latestOf` tells. */
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

  async execute({ by: { realmId, ...by }, id }: GetMessageHistory): Promise<MessageHistory> {
    const { pool } = this.kernel.database;
    const realm = await readRealm(pool, realmId);
    if (!realm) throw new Error(`realm ${realmId} does not exist`);
    const { message_edit_history_visibility_policy: policy, inline_image_preview: imagePreviews } = realm.settings;
    if (policy === 'none') throw reject.historyHidden();
    const visible = () => this.finder.visible({ realmId, ...by }, EVERYTHING, [id]);
    const [row] = await readMessageRows(pool, realmId, await visible(), 'now');
    const snapshots = row ? await this.snapshots(pool, realmId, row) : [];
    // Meanwhile it may have gone where they cannot see it, and been changed there.
    if (snapshots.length === 0 || (await visible()).length === 0) throw reject.unknownMessage();
    const showsTexts = policy === 'all';
    const shown = showsTexts ? snapshots : snapshots.filter(({ change }) => change === null || change.move !== null);
    return { realmId, imagePreviews, showsTexts, snapshots: shown };
  }

  private async snapshots(pool: Pool, realmId: RealmId, row: MessageRow): Promise<Snapshot[]> {
    const { id, topicId } = row;
    const edits = (await readEdits(pool, realmId, [id], MAX_EDITS_TOLD)).get(id) ?? [];
    const places = await readPlaceHistory(pool, realmId, row.wasMoved && topicId !== null ? [{ id, topicId }] : []);
    const told = latestOf(changesOf(edits, places.moves(id)));
    const [original] = row.editedAt === null ? [row] : await readMessageRows(pool, realmId, [id], 'sent');
    const sent: Snapshot = {
      by: row.senderId,
      at: row.sentAt,
      topic: places.at(id, id as number as Position)?.topic ?? row.topic,
      text: original?.text ?? row.text,
      change: null,
    };
    const first = told.at(-1);
    let topic = (first && places.at(id, (first.position - 1) as Position)?.topic) ?? row.topic;
    let text = told.findLast(({ edit }) => edit !== null)?.edit?.previous ?? row.text;
    const snapshots = [sent];
    for (const change of [...told].reverse()) {
      topic = change.move?.to.topic ?? topic;
      text = change.edit?.current ?? text;
      snapshots.push({ by: change.by, at: change.at, topic, text, change });
    }
    return snapshots;
  }
}
