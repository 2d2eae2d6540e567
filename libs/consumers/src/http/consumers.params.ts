import type { Moment } from '@annals/kernel/domain';
import { parseMoment, t } from '@annals/kernel/domain';
import { BooleanParam, CustomParam, JsonParam, PathText, TextParam, WordParam, unquoted } from '@annals/web';
import type { ConsumerView } from '../domain/events';
import { VIEWS } from '../domain/events';
import type { Beginning } from '../read/beginnings';

const LONGEST_NAME = 100;
const MOST = 100;

/** Not only dots: a URL with such a segment names another page. */
const NAME = /^(?!\.+$)[a-z0-9._-]{1,60}$/;

const names = t.Array(t.String({ minLength: 1, maxLength: LONGEST_NAME }), { minItems: 1, maxItems: MOST });
const TYPES =
  'Types of events. `messages.*` means all types of a context. In the view `client`, types are those of `POST /register`.';
const SUBJECTS = 'What events are about: `message:412`, `channel:3`, `topic:9`, `user:7`, or `realm`. One is enough.';
const WORDS = 'Whether events contain what people wrote. In the view `client` they always do.';
const WHERE = '`now`, `beginning` or a moment: a position, UNIX seconds, or an RFC 3339 time.';

const beginning = t.Unsafe<Beginning>({
  type: 'string',
  examples: ['now', 'beginning', 'p1234', '2026-11-23T09:18:52Z'],
});

/** @throws Rejected BAD_MOMENT */
function parseBeginning(text: string): Beginning {
  const word = unquoted(text);
  return word === 'now' || word === 'beginning' ? word : (parseMoment(text) satisfies Moment);
}

export class NewConsumerParams {
  @TextParam({ quoted: true, is: (text) => NAME.test(text), about: '1 to 60 of `a-z0-9-_.`.' }) name: string;
  @WordParam(VIEWS, { quoted: true, about: 'Client events of the owner, or events of the log.' }) view: ConsumerView;
  @JsonParam(names, { optional: true, about: TYPES }) types?: string[];
  @JsonParam(names, { optional: true, about: SUBJECTS }) subjects?: string[];
  @BooleanParam({ optional: true, about: WORDS }) words?: boolean;
  @CustomParam(beginning, 'raw', parseBeginning, { about: `Where it begins: ${WHERE}` }) from: Beginning = 'now';
}

export class ConsumerParams {
  @PathText({ about: 'Its name.' }) name: string;
}

export class ChangedConsumerParams extends ConsumerParams {
  @JsonParam(names, { optional: true, nullable: true, about: `${TYPES} Null for all.` }) types?: string[] | null;
  @JsonParam(names, { optional: true, nullable: true, about: `${SUBJECTS} Null for all.` }) subjects?: string[] | null;
  @BooleanParam({ optional: true, about: WORDS }) words?: boolean;
  @BooleanParam({ optional: true, about: 'Whether nothing is offered to it.' }) paused?: boolean;
}

export class RewoundConsumerParams extends ConsumerParams {
  @CustomParam(beginning, 'raw', parseBeginning, { about: `Where it continues: ${WHERE}` }) to: Beginning;
}
