import { defineProjection, on } from '@annals/kernel';
import type { Recorded } from '@annals/kernel/domain';
import { ProfileDeleted } from '@annals/users';
import { DraftDeleted, DraftEdited, DraftSaved, DraftsDiscarded, idAt } from '../domain/events';

/** The drafts of all accounts. */
export const draftsView = defineProjection({
  name: 'drafts',
  version: 1,
  lifecycle: 'inline',
  tables: {
    drafts: {
      columns: {
        user_id: 'int8',
        draft_id: 'int8',
        /** A `DraftDestination`. */
        target: 'jsonb',
        /** Null once they were erased, both of them. */
        content: 'text',
        topic: 'text',
        /** Milliseconds. */
        edited_at: 'int8',
      },
      key: ['user_id', 'draft_id'],
      sealed: ['content', 'topic'],
      changesOften: true,
    },
  },
  handlers: [
    on(DraftSaved, (event, rows) =>
      rows.insert('drafts', { user_id: event.data.userId, draft_id: idAt(event.position), ...columnsOf(event) }),
    ),
    on(DraftEdited, (event, rows) =>
      rows.update('drafts', { user_id: event.data.userId, draft_id: event.data.draftId }, columnsOf(event)),
    ),
    on(DraftDeleted, ({ data: { userId, draftId } }, rows) =>
      rows.delete('drafts', { user_id: userId, draft_id: draftId }),
    ),
    on(DraftsDiscarded, ({ data: { userId } }, rows) => rows.delete('drafts', { user_id: userId })),
    on(ProfileDeleted, ({ data: { userId } }, rows) => rows.delete('drafts', { user_id: userId })),
  ],
});

function columnsOf({ data: { target, editedAt }, sealed }: Recorded<DraftSaved | DraftEdited>) {
  const { content, topic } = sealed === 'erased' ? { content: null, topic: null } : sealed;
  return { target, content, topic, edited_at: editedAt };
}
