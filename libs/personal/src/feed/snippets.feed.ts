import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Instant, Position, Recorded, UserId } from '@annals/kernel/domain';
import type { SnippetEvent } from '../domain/events';
import { SnippetDeleted, SnippetEdited, SnippetSaved, idAt } from '../domain/events';
import type { SnippetText } from '../domain/snippet';
import { presentSnippet } from '../read/saved-snippets';

/** The payload of `saved_snippets` events. Texts are read from the event of the log. */
type SnippetPayload =
  | { readonly op: 'add' | 'update'; readonly id: number; readonly savedAt: Instant }
  | { readonly op: 'remove'; readonly id: number };

const snippetEvent = (userId: UserId, payload: SnippetPayload): ClientEvent[] => [
  { type: 'saved_snippets', audience: { kind: 'users', users: [userId] }, payload: { ...payload } },
];

/** contract/navigation-snippets-domains.md section 2 */
export const snippetsFeed = defineFeed({
  name: 'saved-snippets',
  translations: [
    translate(SnippetSaved, ({ data, position, at }) =>
      snippetEvent(data.userId, { op: 'add', id: idAt(position), savedAt: at }),
    ),
    translate(SnippetEdited, ({ data: { userId, snippetId, savedAt } }) =>
      snippetEvent(userId, { op: 'update', id: snippetId, savedAt: savedAt as Instant }),
    ),
    translate(SnippetDeleted, ({ data: { userId, snippetId } }) =>
      snippetEvent(userId, { op: 'remove', id: snippetId }),
    ),
  ],
});

export const snippetsPresenter = definePresenter<ReadonlyMap<Position, SnippetText>>({
  type: 'saved_snippets',
  load: async (reader, events) => {
    const stored = (await reader.at(events.map(({ position }) => position))) as readonly Recorded<SnippetEvent>[];
    return new Map(
      stored.flatMap(({ position, sealed }) => (sealed === null || sealed === 'erased' ? [] : [[position, sealed]])),
    );
  },
  present: ({ position, payload }, texts) => {
    const event = payload as unknown as SnippetPayload;
    if (event.op === 'remove') return [{ type: 'saved_snippets', op: event.op, saved_snippet_id: event.id }];
    const { op, id, savedAt } = event;
    const found = texts.get(position);
    return found ? [{ type: 'saved_snippets', op, saved_snippet: presentSnippet({ id, savedAt, ...found }) }] : [];
  },
  variant: () => 'all',
});
