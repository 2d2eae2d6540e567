import type { Message } from '../support/requests/messages';
import { TOPIC } from './conversation';

interface Submessage {
  readonly sender_id: number;
  readonly content: string;
}

interface Reaction {
  readonly emoji_code: string;
}

/** Colours of the classes of Pygments that clients know. */
const COLOURS: Readonly<Record<string, string>> = {
  'k kn kd kc kr ow': '#8250df',
  'nf nc nd fm': '#0550ae',
  'nb bp kt': '#953800',
  's s1 s2 sd sa si se sf': '#0a7d33',
  'mi mf mh nn': '#0550ae',
  'c c1 cm ch': '#6e7781',
};

const STYLE = `
  body { margin: 0; padding: 20px 24px; width: 760px; background: #f6f8fa; color: #1f2328;
    font: 15px/1.45 'DejaVu Sans', sans-serif; }
  h1 { font-size: 15px; margin: 0 0 14px; color: #57606a; }
  article { background: #fff; border: 1px solid #d8dee4; border-radius: 8px; padding: 10px 16px; margin-bottom: 10px; }
  article > b { display: block; margin-bottom: 2px; }
  p { margin: 4px 0; }
  pre { background: #f6f8fa; border-radius: 6px; padding: 10px 12px; margin: 6px 0; font: 13px/1.45 'DejaVu Sans Mono', monospace; }
  table { border-collapse: collapse; margin: 4px 0; }
  th, td { border: 1px solid #d8dee4; padding: 4px 12px; }
  .user-mention { background: #ddf4ff; border-radius: 4px; padding: 0 4px; }
  .message_inline_image img { height: 170px; width: auto; border-radius: 6px; }
  .poll div { margin: 3px 0; }
  .poll span { display: inline-block; min-width: 26px; text-align: center; border: 1px solid #0969da; border-radius: 4px;
    color: #0969da; margin-right: 8px; }
  .reaction { display: inline-block; border: 1px solid #d8dee4; border-radius: 12px; padding: 0 8px; font-size: 13px; }
  ${Object.entries(COLOURS)
    .map(
      ([names, colour]) =>
        `${names
          .split(' ')
          .map((name) => `.${name}`)
          .join()} { color: ${colour}; }`,
    )
    .join('\n')}`;

/** A page that shows messages as their HTML is, with the style sheet of KaTeX and colours for code. */
export const pageOf = (messages: readonly Message[]): string => `<!doctype html><meta charset="utf-8">
  <link rel="stylesheet" href="/katex/katex.min.css"><style>${STYLE}</style>
  <h1># ${TOPIC.to} › ${TOPIC.topic}</h1>${messages.map(articleOf).join('')}`;

function articleOf(message: Message): string {
  const submessages = message['submessages'] as readonly Submessage[];
  const body = submessages.length > 0 ? pollOf(submessages) : String(message['content']);
  const reactions = (message['reactions'] as readonly Reaction[]).map(
    ({ emoji_code: code }) => `<span class="reaction">${characterOf(code)} 1</span>`,
  );
  return `<article><b>${String(message['sender_full_name'])}</b>${body}${reactions.join('')}</article>`;
}

const characterOf = (code: string) => String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));

/** The poll of a message with the votes so far, as clients compute them. */
function pollOf([first, ...changes]: readonly Submessage[]): string {
  const { extra_data } = JSON.parse(first?.content ?? '{}') as { extra_data: { question: string; options: string[] } };
  const votes = changes.map(({ content }) => JSON.parse(content) as { key: string });
  const count = (n: number) => votes.filter(({ key }) => key === `canned,${n}`).length;
  const options = extra_data.options.map((option, n) => `<div><span>${count(n)}</span>${option}</div>`);
  return `<div class="poll"><p><strong>${extra_data.question}</strong></p>${options.join('')}</div>`;
}
