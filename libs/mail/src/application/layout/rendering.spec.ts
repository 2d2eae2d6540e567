import type { MailContent } from '../../domain/mail-draft';
import { TrustedHtml } from '../../domain/mail-draft';
import type { MailFrame } from './rendering';
import { renderMail } from './rendering';

const frame: MailFrame = { language: 'en', organization: { name: 'Ours & <b>', url: 'https://chat.example.com' } };
const content = (blocks: MailContent['blocks'], subject = 'Hello') => ({ subject, blocks });

describe('the two parts of a mail', () => {
  it('have every value, the organization and its address', async () => {
    const blocks = [
      { heading: 'A topic', url: 'https://chat.example.com/#narrow' },
      { text: 'One line\nand another' },
      { quote: { by: 'Ann', html: new TrustedHtml('<p>Hi <em>you</em></p>'), text: 'Hi *you*' } },
      { list: [{ text: 'a place', url: 'https://chat.example.com/a' }, { text: 'nowhere' }] },
      { button: 'Open', url: 'https://chat.example.com/open?x=1&y=2' },
      { small: 'You asked for it.' },
    ];
    const unsubscribe = { url: 'https://chat.example.com/out', label: 'No more mails' };
    const { text, html } = await renderMail(content(blocks), { ...frame, unsubscribe });
    expect(text).toBe(`A topic
https://chat.example.com/#narrow

One line
and another

Ann:
> Hi *you*

* a place https://chat.example.com/a
* nowhere

Open:
https://chat.example.com/open?x=1&y=2

You asked for it.

--\u0020
Ours & <b> https://chat.example.com/
No more mails: https://chat.example.com/out
`);
    expect(html).toContain('<a href="https://chat.example.com/#narrow" style="text-decoration:none">A topic</a>');
    expect(html).toContain('One line<br />and another');
    expect(html).toContain('<strong>Ann</strong><div dir="auto"><p>Hi <em>you</em></p></div>');
    expect(html).toContain('href="https://chat.example.com/open?x&#x3D;1&amp;y&#x3D;2"');
    expect(html).toContain('Ours &amp; &lt;b&gt; <a href="https://chat.example.com/" dir="ltr">');
    expect(html).toContain('<a href="https://chat.example.com/out">No more mails</a>');
    expect(html).not.toContain('{{');
  });

  it('escape what people wrote, and have a subject of one line', async () => {
    const evil = '"><script>alert(1)</script>{{constructor}}';
    const lines = [{ heading: evil }, { text: evil }, { small: evil }, { list: [{ text: evil }] }];
    const { html, subject } = await renderMail(content(lines, 'Hi\r\nBcc: all@example.com'), frame);
    expect(html).not.toContain('<script>');
    expect(html.split('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{constructor}}')).toHaveLength(5);
    expect(subject).toBe('Hi Bcc: all@example.com');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:ann@example.com'])('do not link to %s', async (url) => {
    await expect(renderMail(content([{ button: 'Open', url }]), frame)).rejects.toThrow('cannot link');
  });

  it('are read from the right in languages that are', async () => {
    const { html } = await renderMail(content([{ text: 'مرحبا' }]), { ...frame, language: 'ar' });
    expect(html).toContain('<html lang="ar" dir="rtl"');
    expect(html).toContain('text-align:right');
    expect(html).not.toMatch(/align=""|text-align:;|text-align:left;color/);
    expect([html.includes('direction:ltr'), html.split('direction:rtl').length - 1]).toEqual([false, 4]);
  });
});
