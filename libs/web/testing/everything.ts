import { t } from '@annals/kernel/domain';
import { isEmail } from 'class-validator';
import { decodeForm } from '../src/body/form';
import { decodeParams } from '../src/params/decode';
import {
  BooleanParam,
  CustomParam,
  IntegerParam,
  IntegersParam,
  JsonParam,
  TextParam,
  WordParam,
} from '../src/params/decorators';
import { parseInteger } from '../src/params/json';
import { specOf } from '../src/params/spec';

/** Parameters of every kind. */
class Everything {
  @TextParam({ optional: true }) text?: string;
  @TextParam({ optional: true, trim: true, min: 2, max: 5, printable: true }) title?: string;
  @TextParam({ optional: true, aliases: ['subject'] }) topic?: string;
  @TextParam({ optional: true, quoted: true }) plain?: string;
  @TextParam({ optional: true, is: isEmail }) email?: string;
  @WordParam(['inherit', 'never'], { optional: true, quoted: true }) policy?: string;
  @WordParam(['add', 'remove'], { optional: true }) op?: string;
  @BooleanParam({ optional: true }) flag?: boolean;
  @BooleanParam() announce = true;
  @IntegerParam({ optional: true, name: 'stream_id' }) channelId?: number;
  @IntegerParam({ optional: true, min: 1, max: 9 }) digit?: number;
  @IntegerParam({ optional: true, nullable: true }) folder?: number | null;
  @IntegersParam({ optional: true, min: 1, maxItems: 3 }) ids?: readonly number[];
  @JsonParam(t.Array(t.Object({ id: t.Integer() }, { additionalProperties: false })), { optional: true })
  data?: readonly { id: number }[];
  @JsonParam(t.Unknown(), { optional: true }) any?: unknown;
  @CustomParam(t.Union([t.Integer(), t.Literal('mobile')]), 'json', (text, name) =>
    text === 'mobile' ? text : parseInteger(text, name),
  )
  timeout: number | 'mobile' = 600;
}

export const everything = specOf(Everything);
/** Decodes a form and a query as parameters of every kind. */
export const decode = (body: string, query = '') =>
  decodeParams(everything, { path: {}, body: decodeForm(body), query: decodeForm(query) });
/** Decodes one parameter. */
export const one = (name: string, text: string) => decode(`${name}=${encodeURIComponent(text)}`) as unknown as Given;
type Given = Record<string, unknown>;
