import type { UserId } from '@annals/kernel/domain';
import { given, recorded } from '../../../../test/support/events/recorded-events';
import type { SnippetEvent } from './events';
import { MAX_SNIPPETS, deleteSnippet, editSnippet, saveSnippet, snippetAggregate } from './snippet';

const ME = 7 as UserId;
const OTHER = 8 as UserId;
const text = { title: 'Hello', content: 'How can I **help**?' };
const saved = saveSnippet(text, ME, 0);
const after = (...facts: SnippetEvent[]) => given(snippetAggregate, saved, ...facts);
const savedAt = recorded(saved).at;
const missing = { code: 'BAD_REQUEST', notFound: true };
const thrown = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a saved snippet', () => {
  it('is an event with sealed texts', () => {
    expect(saved).toEqual({ type: 'personal.SnippetSaved', data: { userId: 7 }, sealed: text });
    expect(after()).toEqual({ id: 1, userId: 7, savedAt, text });
  });

  it('is limited in number', () => {
    expect(saveSnippet(text, ME, MAX_SNIPPETS - 1)).toEqual(saved);
    expect(thrown(() => saveSnippet(text, ME, MAX_SNIPPETS))).toMatchObject({ code: 'BAD_REQUEST', notFound: false });
  });

  it('is edited as a whole', () => {
    const data = { userId: 7, snippetId: 1, savedAt };
    const edited = editSnippet(after(), { title: 'Hi' }, ME);
    expect(edited).toEqual([{ type: 'personal.SnippetEdited', data, sealed: { ...text, title: 'Hi' } }]);
    expect(after(...edited)?.text).toEqual({ ...text, title: 'Hi' });
    expect(editSnippet(after(...edited), { content: '' }, ME)).toMatchObject([
      { sealed: { title: 'Hi', content: '' } },
    ]);
  });

  it('records nothing when nothing changes', () => {
    expect(editSnippet(after(), {}, ME)).toEqual([]);
    expect(editSnippet(after(), { ...text }, ME)).toEqual([]);
  });

  it('is found by its owner, until it is deleted', () => {
    const deleted = deleteSnippet(after(), ME);
    expect(deleted).toEqual([{ type: 'personal.SnippetDeleted', data: { userId: 7, snippetId: 1 }, sealed: null }]);
    for (const [state, who] of [
      [after(), OTHER],
      [after(...deleted), ME],
      [null, ME],
    ] as const) {
      expect(thrown(() => editSnippet(state, { title: 'Mine' }, who))).toMatchObject(missing);
      expect(thrown(() => deleteSnippet(state, who))).toMatchObject(missing);
    }
  });

  it('has no texts once they were erased', () => {
    const [edited] = editSnippet(after(), { title: 'Hi' }, ME);
    for (const event of [saved, edited!]) {
      expect(snippetAggregate.evolve(after(), { ...recorded(event), sealed: 'erased' } as never)?.text).toBeNull();
    }
  });
});
