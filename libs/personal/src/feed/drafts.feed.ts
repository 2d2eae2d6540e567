import { defineFeed, definePresenter, translate } from '@annals/kernel';
import type { ClientEvent, Instant, Position, Recorded, UserId } from '@annals/kernel/domain';
import { DraftDeleted, DraftEdited, DraftSaved, idAt } from '../domain/events';
import type { DraftRow } from '../read/drafts';
import { presentDraft } from '../read/drafts';

/** The payload of `drafts` events. Drafts are read from the events of the log. */
type DraftPayload =
  | { readonly op: 'add'; readonly positions: readonly Position[] }
  | { readonly op: 'update' }
  | { readonly op: 'remove'; readonly id: number };

const draftEvent = (userId: UserId, payload: DraftPayload): ClientEvent[] => [
  { type: 'drafts', audience: { kind: 'users', users: [userId] }, payload: { ...payload } },
];

const savedIn = (append: readonly Recorded[]): Position[] =>
  append.filter(({ type }) => type === DraftSaved.type).map(({ position }) => position);

/**
 * All drafts of one request are one event (contract/realtime.md section 6.4). Drafts that are discarded are no event:
 * clients keep them.
 */
export const draftsFeed = defineFeed({
  name: 'drafts',
  translations: [
    translate(DraftSaved, ({ data: { userId }, position }, _, append) => {
      const positions = savedIn(append);
      return positions[0] === position ? draftEvent(userId, { op: 'add', positions }) : [];
    }),
    translate(DraftEdited, ({ data: { userId } }) => draftEvent(userId, { op: 'update' })),
    translate(DraftDeleted, ({ data: { userId, draftId } }) => draftEvent(userId, { op: 'remove', id: draftId })),
  ],
});

/** By the position of the event that contains them. Erased ones are left out. */
type Drafts = ReadonlyMap<Position, DraftRow>;

export const draftsPresenter = definePresenter<Drafts>({
  type: 'drafts',
  load: async (reader, events) => {
    const positions = events.flatMap(({ position, payload }) => {
      const event = payload as unknown as DraftPayload;
      return event.op === 'add' ? event.positions : [position];
    });
    const stored = (await reader.at(positions)) as readonly Recorded<DraftSaved | DraftEdited | DraftDeleted>[];
    return new Map(stored.flatMap((event) => rowsOf(event).map((row) => [event.position, row])));
  },
  present: ({ position, payload }, drafts) => {
    const event = payload as unknown as DraftPayload;
    const at = (places: readonly Position[]) => places.flatMap((place) => drafts.get(place) ?? []).map(presentDraft);
    switch (event.op) {
      case 'add': {
        const added = at(event.positions);
        return added.length === 0 ? [] : [{ type: 'drafts', op: 'add', drafts: added }];
      }
      case 'update':
        return at([position]).map((draft) => ({ type: 'drafts', op: 'update', draft }));
      case 'remove':
        return [{ type: 'drafts', op: 'remove', draft_id: event.id }];
    }
  },
  variant: () => 'all',
});

function rowsOf(event: Recorded<DraftSaved | DraftEdited | DraftDeleted>): DraftRow[] {
  if (event.type === 'personal.DraftDeleted' || event.sealed === 'erased') return [];
  const { target, editedAt } = event.data;
  const id = event.type === 'personal.DraftSaved' ? idAt(event.position) : event.data.draftId;
  return [{ id, target, editedAt: editedAt as Instant, ...event.sealed }];
}
