import { followup } from './followup';
import { helloworld } from './helloworld';

const author = 'ann@example.com';

describe('the program followup', () => {
  it('posts the text of the message in a channel, with a topic for its author', () => {
    expect(followup({ text: 'buy **tea**', author })).toEqual({
      kind: 'post',
      channel: 'followup',
      topic: author,
      content: 'from ann@example.com: buy **tea**',
    });
  });

  it('says what it is for if the message has no text', () => {
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
