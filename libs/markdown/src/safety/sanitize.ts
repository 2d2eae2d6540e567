import sanitizeHtml from 'sanitize-html';
import { PREVIEW_PICTURE_STYLE } from '../links/link-previews';
import { LINK_SCHEMES } from '../links/links';

const ALIGNMENT = { name: 'style', values: ['text-align: left;', 'text-align: center;', 'text-align: right;'] };

/** Exactly the elements, classes and attributes that the rules write. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'div'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...[
      'a',
      'audio',
      'code',
      'del',
      'em',
      'img',
      'video',
      'span',
      'strong',
      'time',
      'math',
      'semantics',
      'mtext',
      'annotation',
    ],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'data-stream-id', { name: 'style', values: [PREVIEW_PICTURE_STYLE] }],
    annotation: ['encoding'],
    audio: ['controls', 'preload', 'src', 'title'],
    div: ['data-code-language', 'aria-hidden'],
    img: [
      ...['src', 'alt', 'title', 'data-animated', 'data-original-content-type', 'data-original-dimensions'],
      ...['data-original-src', 'data-transcoded-image'],
    ],
    math: ['xmlns', 'display'],
    ol: ['start'],
    span: ['data-user-id', 'data-user-group-id', 'aria-label', 'aria-hidden', 'role', 'title'],
    td: [ALIGNMENT],
    th: [ALIGNMENT],
    time: ['datetime'],
    video: ['preload', 'src'],
  },
  allowedClasses: {
    a: ['stream', 'stream-topic', 'message-link', 'message_embed_image'],
    div: [
      'codehilite',
      'message_inline_image',
      'message_inline_video',
      ...['message_embed', 'data-container', 'message_embed_title', 'message_embed_description'],
      'spoiler-block',
      'spoiler-header',
      'spoiler-content',
    ],
    img: ['emoji', 'inline-image', 'image-loading-placeholder'],
    span: [
      ...['user-mention', 'user-group-mention', 'topic-mention', 'channel-wildcard-mention', 'silent'],
      ...['emoji', /^emoji-[\da-f]+(?:-[\da-f]+)*$/, 'katex', 'katex-display', 'katex-mathml', 'katex-html'],
    ],
  },
  allowedSchemes: LINK_SCHEMES,
  // Images, sounds and videos are on this server only.
  allowedSchemesByTag: { audio: [], img: [], video: [] },
  allowProtocolRelative: false,
  parseStyleAttributes: false,
};

/** The last line of defense after rules that write no foreign markup in the first place. */
export function sanitize(html: string): string {
  // Every `>` of text and attributes is escaped before, so ` />` is only at the end of a void element.
  return sanitizeHtml(html, ALLOWED).replaceAll(' />', '>');
}
