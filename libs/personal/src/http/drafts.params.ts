import type { Instant, Static } from '@annals/kernel/domain';
import { nullable, t, words } from '@annals/kernel/domain';
import { JsonParam, PathId } from '@annals/web';
import type { DraftInput } from '../application/draft-bodies';
import { MAX_DRAFTS } from '../domain/draft';

/** Most recipients of one message. */
const MAX_PEOPLE = 1_000;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

const type = words('', 'private', 'stream');
const to = t.Array(t.Integer(), { maxItems: MAX_PEOPLE, description: 'The id of a channel, or ids of users.' });
const timestamp = t.Integer({ minimum: 0, maximum: LAST_SECOND, description: 'UNIX seconds of the last edit.' });
const texts = { topic: t.String({ description: 'Only of drafts to a channel.' }), content: t.String() };

const draft = t.Object(
  { type, to, ...texts, timestamp: t.Optional(nullable(timestamp)) },
  { additionalProperties: false },
);
type WireDraft = Static<typeof draft>;

/** A draft in answers. */
export const draftShape = t.Object({ id: t.Integer(), type, to, ...texts, timestamp }, { $id: 'Draft' });

export class NewDraftsParams {
  @JsonParam(t.Array(draft, { maxItems: MAX_DRAFTS })) drafts: WireDraft[];
}

export class DraftParams {
  @PathId() draft_id: number;
}

export class EditedDraftParams extends DraftParams {
  @JsonParam(draft) draft: WireDraft;
}

/** The input of a command. */
export const toInput = ({ timestamp: seconds, ...rest }: WireDraft): DraftInput => ({
  ...rest,
  ...(seconds != null && { editedAt: (seconds * 1_000) as Instant }),
});
