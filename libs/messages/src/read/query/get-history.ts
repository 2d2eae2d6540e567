import { readFileImages } from '@annals/files';
import { Kernel } from '@annals/kernel';
import type { Actor, RealmId } from '@annals/kernel/domain';
import { readRealm } from '@annals/realm';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/rejections';
import { MessageFinder } from './message-finder';
import { readMessageRows } from '../content/message-row';
import type { Revision } from '../content/revisions';
import { readRevisions, textsOfRevisions } from '../content/revisions';
import type { KnownImages } from '../content/shown-images';
import { filesOf } from '../content/shown-images';
import { EVERYTHING } from '../narrow/compiled-narrow';

/**
 * The revisions of a message that the reader could read, oldest first: the first of them, and those of the latest changes
 * (`latestOf`).
 */
export interface MessageHistory {
  readonly realmId: RealmId;
  readonly imagePreviews: boolean;
  /** Whether changes of the text are shown. */
  readonly showsTexts: boolean;
  readonly revisions: readonly Revision[];
  /** The uploaded images in their texts. */
  readonly images: KnownImages;
}

/**
 * The edit history of a message (contract/messages.md section 4.3).
 *
 * @throws Rejected BAD_REQUEST for a message that the actor cannot see, as for one that does not exist, and where the
 *   organization hides edit history
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
    const revisions = row ? await readRevisions(this.kernel, by, row) : [];
    // It may have been moved meanwhile to where they cannot see it, and edited there.
    if (revisions.length === 0 || (await visible()).length === 0) throw reject.unknownMessage();
    const showsTexts = policy === 'all';
    const shown = showsTexts ? revisions : revisions.filter(({ change }) => change === null || change.move !== null);
    const images = await readFileImages(pool, realmId, filesOf(textsOfRevisions(shown)));
    return { realmId, imagePreviews, showsTexts, revisions: shown, images };
  }
}
