import { followup } from './followup';
import { helloworld } from './helloworld';

const author = 'ann@example.com';

describe('the program followup', () => {
  it('posts what it is told in a channel, with a topic for its author', () => {
    expect(followup({ text: 'buy **tea**', author })).toEqual({
      kind: 'post',
      channel: 'followup',
      topic: author,
      content: 'from ann@example.com: buy **tea**',
    });
  });

  it('says what it is for where it is told nothing', () => {
    expect(followup({ text: '', author })).toMatchObject({
      kind: 'reply',
      content: expect.stringContaining('`followup`') as string,
    });
  });
});

describe('the program helloworld', () => {
  it('answers everything alike', () => {
    for (const text of ['', 'hello'])
      expect(helloworld({ text, author })).toEqual({ kind: 'reply', content: 'beep boop' });
  });
});
