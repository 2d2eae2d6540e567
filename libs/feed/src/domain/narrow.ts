import { reject } from './rejections';

/** One term of a queue's narrow; all of them must hold (contract/realtime.md section 2). */
export interface QueueNarrowTerm {
  readonly operator: 'channel' | 'topic' | 'sender' | 'is';
  /** In lower case. */
  readonly operand: string;
}

/** The fields of a `message` event, as clients receive it, that a term reads. */
export interface MessageEventFields {
  readonly message: {
    readonly type: string;
    readonly display_recipient: unknown;
    readonly subject: string;
    readonly sender_email: string;
  };
  readonly flags: readonly string[];
}

type Test = (event: MessageEventFields) => boolean;

const hasFlag =
  (flag: string): Test =>
  ({ flags }) =>
    flags.includes(flag);
const RESOLVED_PREFIX = '✔ ';
const isDirect: Test = ({ message }) => message.type === 'private';

const IS: Readonly<Record<string, Test>> = {
  dm: isDirect,
  private: isDirect,
  starred: hasFlag('starred'),
  unread: ({ flags }) => !flags.includes('read'),
  alerted: hasFlag('has_alert_word'),
  mentioned: ({ flags }) => flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned')),
  resolved: ({ message }) => message.type === 'stream' && message.subject.startsWith(RESOLVED_PREFIX),
};

const OPERATORS: Readonly<Record<string, QueueNarrowTerm['operator']>> = {
  channel: 'channel',
  stream: 'channel',
  topic: 'topic',
  sender: 'sender',
  is: 'is',
};

/** @throws Rejected for an operator or operand that the narrow of a queue does not support */
export function parseTerm(operator: string, operand: string): QueueNarrowTerm {
  const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!known) throw reject.operatorNotSupported({ operator });
  if (known === 'is' && !Object.hasOwn(IS, operand)) throw reject.operandNotSupported({ operand });
  return { operator: known, operand: operand.toLowerCase() };
}

/**
 * Whether a message event matches all terms.
 *
 * @param emptyTopic the name that old clients see for the empty topic. Both names mean the same topic
 */
export const matchesNarrow = (
  terms: readonly QueueNarrowTerm[],
  event: MessageEventFields,
  emptyTopic: string,
): boolean => terms.every((term) => fitsTerm(term, event, emptyTopic));

function fitsTerm({ operator, operand }: QueueNarrowTerm, event: MessageEventFields, emptyTopic: string): boolean {
  const { message } = event;
  switch (operator) {
    case 'channel':
      return message.type === 'stream' && String(message.display_recipient).toLowerCase() === operand;
    case 'topic':
      return message.type === 'stream' && topicKey(message.subject, emptyTopic) === topicKey(operand, emptyTopic);
    case 'sender':
      return message.sender_email.toLowerCase() === operand;
    case 'is':
      return IS[operand]?.(event) ?? false;
  }
}

function topicKey(name: string, emptyTopic: string): string {
  const key = name.toLowerCase();
  return key === emptyTopic ? '' : key;
}
