import { names } from './spec-support/examples';
import { render, renderDescription } from './render';

const IAGO = '<span class="user-mention" data-user-id="12">@Iago</span>';
const SILENT_IAGO = '<span class="user-mention silent" data-user-id="12">Iago</span>';
const CAT = '/user_uploads/2/ab/r4nd0m/cat.png';

type Row = [markdown: string, html: string];

describe('text', () => {
  test.each<Row>([
    ['', ''],
    ['hello', '<p>hello</p>'],
    ['one\ntwo', '<p>one<br>\ntwo</p>'],
    ['one\r\n\r\ntwo', '<p>one</p>\n<p>two</p>'],
    ['one  \n  two', '<p>one  <br>\n  two</p>'],
    ['it\'s "quoted" & <b>raw</b> &amp; &lt;', '<p>it\'s "quoted" &amp; &lt;b&gt;raw&lt;/b&gt; &amp; &lt;</p>'],
    ['# One\n###### Six\n####### Seven\n#none', '<h1>One</h1>\n<h6>Six</h6>\n<p>####### Seven<br>\n#none</p>'],
    ['#\n##\n# #', '<p>#<br>\n##<br>\n# #</p>'],
    ['above\n---\nbelow', '<p>above</p>\n<hr>\n<p>below</p>'],
    ['See [there]\n\n[there]: nowhere', '<p>See [there]</p>\n<p>[there]: nowhere</p>'],
    ['/me waves', '<p>/me waves</p>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});

describe('mentions', () => {
  test.each<Row>([
    ['@**Iago**, hi', `<p>${IAGO}, hi</p>`],
    ['(@**Iago|12**) @**|12**', `<p>(${IAGO}) ${IAGO}</p>`],
    ['@_**Iago**', `<p>${SILENT_IAGO}</p>`],
    ['**see @**Iago** now** *and @**Iago***', `<p><strong>see ${IAGO} now</strong> <em>and ${IAGO}</em></p>`],
    ['"@**Iago**" {@**Iago** [@**Iago** /@**Iago**', `<p>"${IAGO}" {${IAGO} [${IAGO} /${IAGO}</p>`],
    ['-@**Iago** .@*support* *@**all**', '<p>-@<strong>Iago</strong> .@<em>support</em> *@<strong>all</strong></p>'],
    [
      '@**Othello, the <b>Moor</b>**',
      '<p><span class="user-mention" data-user-id="14">@Othello, the &lt;b&gt;Moor&lt;/b&gt;</span></p>',
    ],
    ['@**Iago|13** @**Nobody**', '<p>@<strong>Iago|13</strong> @<strong>Nobody</strong></p>'],
    ['mail@**Iago**', '<p>mail@<strong>Iago</strong></p>'],
    ['`@**Iago**`', '<p><code>@**Iago**</code></p>'],
    ['@*support*', '<p><span class="user-group-mention" data-user-group-id="5">@support</span></p>'],
    [
      '@_*role:administrators*',
      '<p><span class="user-group-mention silent" data-user-group-id="2">Administrators</span></p>',
    ],
    ['@*nobody*', '<p>@<em>nobody</em></p>'],
    ['@**all**', '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>'],
    [
      '@_**stream**',
      '<p><span class="user-mention channel-wildcard-mention silent" data-user-id="*">stream</span></p>',
    ],
    ['@**topic**', '<p><span class="topic-mention">@topic</span></p>'],
    ['> @**Iago**\n\n@**Iago**', `<blockquote>\n<p>${SILENT_IAGO}</p>\n</blockquote>\n<p>${IAGO}</p>`],
    [
      '```quote\n> @**topic**\n```',
      '<blockquote>\n<blockquote>\n<p><span class="topic-mention silent">topic</span></p>\n</blockquote>\n</blockquote>',
    ],
    [
      '| to |\n|-|\n| @**Iago\\|12** |',
      `<table>\n<thead>\n<tr>\n<th>to</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>${IAGO}</td>\n</tr>\n</tbody>\n</table>`,
    ],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});

describe('channels, topics and messages', () => {
  const link = (href: string, text: string): string =>
    `<p><a class="stream-topic" data-stream-id="9" href="/#narrow/channel/${href}">${text}</a></p>`;
  test.each<Row>([
    ['#**announce**', '<p><a class="stream" data-stream-id="9" href="/#narrow/channel/9-announce">#announce</a></p>'],
    [
      '#**big talk (v1.2)**',
      '<p><a class="stream" data-stream-id="10" href="/#narrow/channel/10-big-talk-.28v1.2E2.29">#big talk (v1.2)</a></p>',
    ],
    ['#**announce>updates**', link('9-announce/topic/updates/with/214', '#announce &gt; updates')],
    [
      '#**announce>no one > wrote**',
      link('9-announce/topic/no.20one.20.3E.20wrote', '#announce &gt; no one &gt; wrote'),
    ],
    ['#**announce>**', link('9-announce/topic//with/214', '#announce &gt; <em>general chat</em>')],
    [
      '#**announce>a b@71**',
      '<p><a class="message-link" href="/#narrow/channel/9-announce/topic/a.20b/near/71">#announce &gt; a b @ 💬</a></p>',
    ],
    [
      '#**announce>@71**',
      '<p><a class="message-link" href="/#narrow/channel/9-announce/topic//near/71">#announce &gt; <em>general chat</em> @ 💬</a></p>',
    ],
    ['#**secret**', '<p>#<strong>secret</strong></p>'],
    [
      '[see #**announce**](https://example.com)',
      '<p><a href="https://example.com">see #<strong>announce</strong></a></p>',
    ],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));

  test('the empty topic has the name that the organization gives it', () => {
    expect(render('#**announce>**', names, { emptyTopicName: 'allgemein <1>' })).toContain(
      '<em>allgemein &lt;1&gt;</em>',
    );
  });
});

describe('links', () => {
  const a = (href: string, text = href): string => `<a href="${href}">${text}</a>`;
  test.each<Row>([
    ['https://example.com/a_b?c=1&d=(e).', `<p>${a('https://example.com/a_b?c=1&amp;d=(e)')}.</p>`],
    [
      'example.com or a@example.com',
      `<p>${a('http://example.com', 'example.com')} or ${a('mailto:a@example.com', 'a@example.com')}</p>`,
    ],
    ['see https://example.com/a%20b: it', `<p>see ${a('https://example.com/a%20b')}: it</p>`],
    ['https://example.com:80/ http://x.y::', `<p>${a('https://example.com:80/')} ${a('http://x.y')}::</p>`],
    ['README.md, setup.py, wait...what', '<p>README.md, setup.py, wait...what</p>'],
    ['[text](https://example.com "title")', `<p>${a('https://example.com', 'text')}</p>`],
    [
      '[](https://example.com) [ ](https://example.org)',
      `<p>${a('https://example.com')} ${a('https://example.org')}</p>`,
    ],
    [
      '[a](example.com/b) [c](/#narrow/dm/1) [d](tel:+493012345)',
      `<p>${a('http://example.com/b', 'a')} ${a('/#narrow/dm/1', 'c')} ${a('tel:+493012345', 'd')}</p>`,
    ],
    ['[x](itms://example.com) [y](foo:bar)', '<p>[x](itms://example.com) [y](foo:bar)</p>'],
    ['[a]() [](<>) [b]( )', '<p>[a]() []() [b]()</p>'],
    ['//example.com', '<p>//example.com</p>'],
    ['<a src="http://a.bc/d"> href=http://a.bc', '<p>&lt;a src="http://a.bc/d"&gt; href=http://a.bc</p>'],
    ['x = http://a.bc', `<p>x = ${a('http://a.bc')}</p>`],
    ['[x](//example.com)', '<p>[x](//example.com)</p>'],
    ['http://me@example.com/x', `<p>${a('http://me@example.com/x')}</p>`],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});

describe('images', () => {
  const preview = `<div class="message_inline_image"><a href="${CAT}" title="cat.png"><img src="${CAT}"></a></div>`;
  const image = `<img alt="cat *x*" class="inline-image" data-original-src="${CAT}" src="${CAT}">`;
  test.each<Row>([
    [`a ![cat *x*](${CAT}) b`, `<p>a ${image} b</p>`],
    ['![dog](https://example.com/dog.png)', '<p>!<a href="https://example.com/dog.png">dog</a></p>'],
    [`[cat.png](${CAT})\nand text`, `<p><a href="${CAT}">cat.png</a><br>\nand text</p>\n${preview}`],
    [
      `[cat.png](${CAT})\n\n[again](${CAT})`,
      `<p><a href="${CAT}">cat.png</a></p>\n${preview}<p><a href="${CAT}">again</a></p>`,
    ],
    [`* [cat.png](${CAT})`, `<ul>\n<li><a href="${CAT}">cat.png</a>${preview}</li>\n</ul>`],
    [`> [cat.png](${CAT})`, `<blockquote>\n<p><a href="${CAT}">cat.png</a></p>\n</blockquote>`],
    ['[dog](https://example.com/dog.png)', '<p><a href="https://example.com/dog.png">dog</a></p>'],
    ['[list](/user_uploads/2/ab/r/list.txt)', '<p><a href="/user_uploads/2/ab/r/list.txt">list</a></p>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));

  test('an absolute link to an upload of this organization has a preview from this server, and without previews it is a link only', () => {
    const url = `https://chat.example.com${CAT}`;
    expect(render(url, names, { realmUrl: 'https://chat.example.com' })).toContain(
      `<a href="${url}"><img src="${CAT}"></a>`,
    );
    expect(render(`[cat.png](${CAT})`, names, { imagePreviews: false })).toBe(`<p><a href="${CAT}">cat.png</a></p>`);
  });
});

describe('videos and sounds', () => {
  const [clip, song] = ['/user_uploads/2/ab/r/clip.mp4', '/user_uploads/2/ab/r/song.mp3'];
  const preview =
    `<div class="message_inline_image message_inline_video"><a href="${clip}" title="clip.mp4">` +
    `<video preload="metadata" src="${clip}"></video></a></div>`;
  const player = (title: string) => `<audio controls preload="metadata" src="${song}" title="${title}"></audio>`;
  test.each<Row>([
    [`[clip.mp4](${clip})`, `<p><a href="${clip}">clip.mp4</a></p>\n${preview}`],
    [`[a](${clip}) [again](${clip})`, expect.stringMatching(/^(?:(?!<video).)*<video (?:(?!<video).)*$/s) as string],
    [`a ![song.mp3](${song}) b`, `<p>a ${player('song.mp3')} b</p>`],
    [`![a "b" <i>](${song})`, `<p>${player('a &quot;b&quot; &lt;i&gt;')}</p>`],
    [`[song.mp3](${song})`, `<p><a href="${song}">song.mp3</a></p>`],
    ['[clip](https://example.com/clip.mp4)', '<p><a href="https://example.com/clip.mp4">clip</a></p>'],
    ['![song](https://example.com/a.mp3)', '<p>!<a href="https://example.com/a.mp3">song</a></p>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toEqual(html));

  test('a video is a link only if previews are turned off, and a sound keeps its player', () => {
    expect(render(`[a](${clip})`, names, { imagePreviews: false })).toBe(`<p><a href="${clip}">a</a></p>`);
    expect(render(`![a](${song})`, names, { imagePreviews: false })).toBe(`<p>${player('a')}</p>`);
  });
});

describe('emoji and times', () => {
  const time = (datetime: string, text: string): string => `<p><time datetime="${datetime}">${text}</time></p>`;
  test.each<Row>([
    [
      ':smiling_face:',
      '<p><span aria-label="smiling face" class="emoji emoji-263a" role="img" title="smiling face">:smiling_face:</span></p>',
    ],
    [
      ':thumbs_up:',
      '<p><span aria-label="thumbs up" class="emoji emoji-1f44d" role="img" title="thumbs up">:thumbs_up:</span></p>',
    ],
    [':no_such_emoji: `:tada:`', '<p>:no_such_emoji: <code>:tada:</code></p>'],
    ['1:one:!', '<p>1<span aria-label="one" class="emoji emoji-0031-20e3" role="img" title="one">:one:</span>!</p>'],
    [
      ':mascot:',
      '<p><img alt=":mascot:" class="emoji" src="/user_avatars/2/emoji/images/m4sc0t.png" title="mascot"></p>',
    ],
    [
      ':zulip:',
      '<p><img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip"></p>',
    ],
    [':nothing: at 10:30:00 :', '<p>:nothing: at 10:30:00 :</p>'],
    ['<time:2026-11-20T09:30:00+05:30>', time('2026-11-20T04:00:00Z', '2026-11-20T09:30:00+05:30')],
    ['<time:2026-11-20 09:30>', time('2026-11-20T09:30:00Z', '2026-11-20 09:30')],
    ['<time:2026-11-20>', time('2026-11-20T00:00:00Z', '2026-11-20')],
    ['<time:Jun 5th 2017, 10:30PM>', time('2017-06-05T22:30:00Z', 'Jun 5th 2017, 10:30PM')],
    ['<time:1700000000>', time('2023-11-14T22:13:20Z', '1700000000')],
    ['<time:**tomorrow**> <time:2026-13-45>', '<p>&lt;time:<strong>tomorrow</strong>&gt; &lt;time:2026-13-45&gt;</p>'],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});

test('an emoji of the lookup takes precedence over one of the same name that every server has', () => {
  const own = { ...names, emoji: () => ({ src: '/user_avatars/2/emoji/images/0wn.png' }) };
  expect(render(':zulip: :tada:', own)).toBe(
    '<p><img alt=":zulip:" class="emoji" src="/user_avatars/2/emoji/images/0wn.png" title="zulip"> ' +
      '<img alt=":tada:" class="emoji" src="/user_avatars/2/emoji/images/0wn.png" title="tada"></p>',
  );
});

describe('descriptions', () => {
  test.each<Row>([
    ['', ''],
    ['  \n ', ''],
    ['All **news**\n\n- and plans ', '<p>All <strong>news</strong> - and plans</p>'],
    [`[cat](${CAT}) @**Iago**`, `<p><a href="${CAT}">cat</a> @<strong>Iago</strong></p>`],
  ])('%j', (markdown, html) => expect(renderDescription(markdown)).toBe(html));
});
