import { names } from '../spec-support/examples';
import { render } from '../render';

const emoji = (name: string, code: string): string => {
  const spoken = name.replaceAll('_', ' ');
  return `<span aria-label="${spoken}" class="emoji emoji-${code}" role="img" title="${spoken}">:${name}:</span>`;
};

describe('emoji that are characters', () => {
  test.each<[markdown: string, html: string]>([
    ['a😀b', `a${emoji('grinning', '1f600')}b`],
    ['🐙🐙', emoji('octopus', '1f419').repeat(2)],
    ['**🎉**\n🎉', `<strong>${emoji('tada', '1f389')}</strong><br>\n${emoji('tada', '1f389')}`],
    ['1️⃣ 🇩🇪', `${emoji('one', '0031-20e3')} ${emoji('flag_germany', '1f1e9-1f1ea')}`],
    ['👨‍👩‍👧', emoji('family_man_woman_girl', '1f468-200d-1f469-200d-1f467')],
    ['☺️', emoji('smiling_face', '263a')],
    ['🐦‍🔥', emoji('phoenix', '1f426-200d-1f525')],
  ])('%s is shown as it would be by its name', (markdown, html) => {
    expect(render(markdown, names)).toBe(`<p>${html}</p>`);
  });

  test.each<[markdown: string, html: string]>([
    ['☺ ↔ © ® ™ 1 # *', '☺ ↔ © ® ™ 1 # *'],
    ['👍🏽', '👍🏽'],
    ['👨🏿‍🦽 🕐', '👨🏿‍🦽 🕐'],
    ['`😀`', '<code>😀</code>'],
    ['[😀](https://example.com)', '<a href="https://example.com">😀</a>'],
    ['https://example.com/😀', '<a href="https://example.com/%F0%9F%98%80">https://example.com/😀</a>'],
    ['$$😀$$', expect.stringContaining('>😀<')],
    ['naïve 漢字', 'naïve 漢字'],
  ])('%s keeps its characters', (markdown, html) => {
    expect(render(markdown, names).replace(/^<p>(.*)<\/p>$/s, '$1')).toEqual(html);
  });
});
