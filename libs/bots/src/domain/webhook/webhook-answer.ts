/** What the program behind a bot answered to a message. */
export type WebhookAnswer =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reply'; readonly content: string }
  | { readonly kind: 'invalid'; readonly reason: string };

const NOTHING: WebhookAnswer = { kind: 'nothing' };
const INVALID_FORMAT: WebhookAnswer = { kind: 'invalid', reason: 'Invalid response format' };

/** Reads the body of a successful answer, which anybody may have written (contract/whole-interface.md section 5). */
export function readAnswer(format: 'generic' | 'slack', body: string): WebhookAnswer {
  if (body.trim() === '') return NOTHING;
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return { kind: 'invalid', reason: 'Invalid JSON in response' };
  }
  // Older programs answer so if they have nothing to say.
  if (answer === '') return NOTHING;
  if (!isObject(answer)) return INVALID_FORMAT;
  if (format === 'slack') return contentOf(answer['text']);
  if (answer['response_not_required']) return NOTHING;
  // `response_string` is the name of older programs.
  return contentOf(answer['response_string'] ?? answer['content']);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function contentOf(value: unknown): WebhookAnswer {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value === 'number' || typeof value === 'boolean') return { kind: 'reply', content: String(value) };
  if (typeof value !== 'string' || !isText(value)) return INVALID_FORMAT;
  return value.trim() === '' ? NOTHING : { kind: 'reply', content: value };
}

/** PostgreSQL stores no other texts. */
const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0');
