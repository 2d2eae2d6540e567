import type { ChannelId, Instant, UserId } from '@annals/kernel/domain';
import { given, recorded } from '../../../../test/support/events/recorded-events';
import type { DraftBody } from './draft';
import { MAX_DRAFTS, deleteDraft, discardDrafts, draftAggregate, editDraft, saveDrafts } from './draft';
import type { DraftEvent } from './events';

const ME = 7 as UserId;
const OTHER = 8 as UserId;
const text = { content: 'not *yet*', topic: 'lunch' };
const target = { channelId: 3 as ChannelId };
const body: DraftBody = { ...text, target, editedAt: 5_000 as Instant };
const [saved] = saveDrafts([body], ME, 0) as [DraftEvent];
const after = (...facts: DraftEvent[]) => given(draftAggregate, saved, ...facts);
const missing = expect.objectContaining({ code: 'BAD_REQUEST', notFound: true }) as Error;

describe('a draft', () => {
  it('is an event with sealed texts', () => {
    expect(saved).toEqual({
      type: 'personal.DraftSaved',
      data: { userId: 7, target, editedAt: 5_000 },
      sealed: text,
    });
    expect(after()).toEqual({ id: 1, userId: 7, target, editedAt: 5_000, text });
  });

  it('is limited in number', () => {
    expect(saveDrafts([body, body], ME, MAX_DRAFTS - 2)).toHaveLength(2);
    const refused = expect.objectContaining({ code: 'BAD_REQUEST', notFound: false }) as Error;
    expect(() => saveDrafts([body, body], ME, MAX_DRAFTS - 1)).toThrow(refused);
  });

  it('is replaced as a whole', () => {
    const people: DraftBody = { content: 'Hi', topic: '', target: { userIds: [OTHER] }, editedAt: 6_000 as Instant };
    const edited = editDraft(after(), people, ME);
    expect(edited).toEqual([
      {
        type: 'personal.DraftEdited',
        data: { draftId: 1, userId: 7, target: { userIds: [8] }, editedAt: 6_000 },
        sealed: { content: 'Hi', topic: '' },
      },
    ]);
    expect(after(...edited)).toMatchObject({ id: 1, target: { userIds: [8] }, text: { content: 'Hi', topic: '' } });
  });

  it.each<[string, Partial<DraftBody>, number]>([
    ['nothing', {}, 0],
    ['the text', { content: 'done' }, 1],
    ['the topic', { topic: 'dinner' }, 1],
    ['the time', { editedAt: 5_001 as Instant }, 1],
    ['the destination', { target: null }, 1],
  ])('is changed by a draft that differs in %s', (_, change, events) => {
    expect(editDraft(after(), { ...body, ...change }, ME)).toHaveLength(events);
  });

  it('is found by its owner, until it is deleted', () => {
    const deleted = deleteDraft(after(), ME);
    expect(deleted).toEqual([{ type: 'personal.DraftDeleted', data: { userId: 7, draftId: 1 }, sealed: null }]);
    for (const [state, who] of [
      [after(), OTHER],
      [after(...deleted), ME],
      [null, ME],
    ] as const) {
      expect(() => editDraft(state, body, who)).toThrow(missing);
      expect(() => deleteDraft(state, who)).toThrow(missing);
    }
  });

  it('has no texts once they were erased', () => {
    const edited = editDraft(after(), { ...body, topic: 'dinner' }, ME);
    for (const event of [saved, ...edited]) {
      expect(draftAggregate.evolve(after(), { ...recorded(event), sealed: 'erased' } as never)?.text).toBeNull();
    }
  });

  it('is discarded with all others, if there are any', () => {
    expect(discardDrafts(ME, [])).toEqual([]);
    expect(discardDrafts(ME, [4, 9])).toMatchObject([{ data: { userId: 7, draftIds: [4, 9] } }]);
  });
});
