import { linkedPages } from './linked-pages';
import { NO_NAMES } from './names';
import { render } from './render';

const OURS = { realmUrl: 'https://chat.example.com' };
const pages = (content: string, most = 5) => linkedPages(content, NO_NAMES, OURS, most);

describe('the pages that a text links to', () => {
  it.each([
    ['see https://a.example/x and [b](http://b.example)', ['https://a.example/x', 'http://b.example']],
    ['https://a.example https://a.example', ['https://a.example']],
    ['example.com', ['http://example.com']],
    ['> https://a.example\n\nhttps://b.example', ['https://b.example']],
    ['`https://a.example`\n```\nhttps://b.example\n```', []],
    ['[mail](mailto:a@a.example) [tel](tel:1) [x](javascript:alert(1))', []],
    ['https://chat.example.com/#narrow/x [f](/user_uploads/1/ab/r/a.png)', []],
    ['https://chat.example.com.evil.example/', ['https://chat.example.com.evil.example/']],
    ['https://a.example/cat.png https://a.example/song.mp3 https://a.example/clip.mp4?x', []],
    ['no link', []],
  ])('%j are %j', (content, found) => expect(pages(content)).toEqual(found));

  it('are no more than so many', () => {
    expect(pages('https://a.example https://b.example https://c.example', 2)).toHaveLength(2);
  });
});

describe('what pages say about themselves', () => {
  const url = 'https://a.example/?a="b"&c';
  const shown = (title: string, description: string, address = url) =>
    render('text', NO_NAMES, { linkPreviews: [{ url: address, title, description }] });

  it('is shown below the text, as text', () => {
    const [href, style] = [
      'https://a.example/?a=&quot;b&quot;&amp;c',
      'background-image: url(&quot;/static/images/link-preview.svg&quot;)',
    ];
    expect(shown('<b>Title</b>', 'It’s "so" <script>')).toBe(
      `<p>text</p>\n<div class="message_embed"><a class="message_embed_image" href="${href}" style="${style}"></a>` +
        `<div class="data-container"><div class="message_embed_title">` +
        `<a href="${href}" title="&lt;b&gt;Title&lt;/b&gt;">&lt;b&gt;Title&lt;/b&gt;</a></div>` +
        `<div class="message_embed_description">It’s "so" &lt;script&gt;</div></div></div>`,
    );
  });

  it('has no description if the page has none', () => {
    expect(shown('Title', '')).not.toContain('message_embed_description');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '//a.example', '/api/v1/x'])('is not shown for %s', (address) =>
    expect(shown('Title', '', address)).toBe('<p>text</p>'),
  );
});
