import { names } from '../spec-support/examples';
import { render } from '../render';

type Row = [markdown: string, html: string];

describe('lists, quotes and tables', () => {
  test.each<Row>([
    ['Things:\n* one\n* two', '<p>Things:</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>'],
    ['- outer\n  - inner\n- last', '<ul>\n<li>outer<ul>\n<li>inner</li>\n</ul>\n</li>\n<li>last</li>\n</ul>'],
    ['* apart\n\n* wide', '<ul>\n<li>\n<p>apart</p>\n</li>\n<li>\n<p>wide</p>\n</li>\n</ul>'],
    ['* a\n- b\n+ c', '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>'],
    ['* a\n\n- b', '<ul>\n<li>a</li>\n</ul>\n<ul>\n<li>b</li>\n</ul>'],
    ['- [ ] to do\n- [x] done', '<ul>\n<li>[ ] to do</li>\n<li>[x] done</li>\n</ul>'],
    ['* a\n  b', '<ul>\n<li>a<br>\n  b</li>\n</ul>'],
    ['* a \n* b  ', '<ul>\n<li>a </li>\n<li>b  </li>\n</ul>'],
    ['- a\n  - b\n    c\n\n    d', '<ul>\n<li>a<ul>\n<li>\n<p>b<br>\n  c</p>\n<p>d</p>\n</li>\n</ul>\n</li>\n</ul>'],
    ['text\n- a\nlazy', '<p>text</p>\n<ul>\n<li>a<br>\nlazy</li>\n</ul>'],
    ['1. a\n  - b\n  - c\n2. d', '<ol>\n<li>a<ul>\n<li>b</li>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ol>'],
    [
      '1. a\n  2. b\n    3. c\n  2. d\n2. e',
      '<ol>\n<li>a<ol start="2">\n<li>b<ol start="3">\n<li>c</li>\n</ol>\n</li>\n<li>d</li>\n</ol>\n</li>\n<li>e</li>\n</ol>',
    ],
    ['1. a\n\n  more', '<ol>\n<li>\n<p>a</p>\n<p>more</p>\n</li>\n</ol>'],
    ['1. a\n\nout\n  in', '<ol>\n<li>a</li>\n</ol>\n<p>out<br>\n  in</p>'],
    ['> 1. a\n>   * b', '<blockquote>\n<ol>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>\n</blockquote>'],
    [
      '1. x\n  > 1. a\n  >   * b',
      '<ol>\n<li>x<blockquote>\n<ol>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>\n</blockquote>\n</li>\n</ol>',
    ],
    ['so\n3. three', '<p>so</p>\n<ol start="3">\n<li>three</li>\n</ol>'],
    ['in\n2026. A year', '<p>in<br>\n2026. A year</p>'],
    ['a\n3.\nb', '<p>a<br>\n3.<br>\nb</p>'],
    ['1) one\n2) two', '<p>1) one<br>\n2) two</p>'],
    ['3. three\n3. four', '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>'],
    ['> one\ntwo\n\nthree', '<blockquote>\n<p>one<br>\ntwo</p>\n</blockquote>\n<p>three</p>'],
    ['>', '<p>&gt;</p>'],
    ['>\n>\ntext\n\nout', '<blockquote>\n<p>text</p>\n</blockquote>\n<p>out</p>'],
    ['* >\n  text\n* b', '<ul>\n<li>\n<blockquote>\n<p>text</p>\n</blockquote>\n</li>\n<li>b</li>\n</ul>'],
    ['>>>', '<blockquote>\n<blockquote>\n<p>&gt;</p>\n</blockquote>\n</blockquote>'],
    [
      'a | b\n:-|-:\n1 | **2**',
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n<td style="text-align: right;"><strong>2</strong></td>\n' +
        '</tr>\n</tbody>\n</table>',
    ],
    [
      '| a | b |\n|-|-|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td></td>\n<td></td>\n</tr>\n</tbody>\n</table>',
    ],
  ])('%j', (markdown, html) => expect(render(markdown, names)).toBe(html));
});
