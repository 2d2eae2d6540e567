import { Rejected } from '@annals/kernel/domain';
import type { Fields, ParamSpec, ParamsSpec } from './spec';

/** The sources of a request's parameters. */
export interface ParamSources {
  /** Percent-decoded path segments by name. */
  readonly path: Fields;
  /** Form body. It takes precedence over the query. */
  readonly body: Fields | undefined;
  readonly query: Fields;
}

const JSON_NULL = /^\s*null\s*$/;
/** Sets the client's name for every endpoint, so it never counts as ignored (contract/boot.md section 1.2). */
const ALWAYS_KNOWN = 'client';

/**
 * Decodes the parameters of a request (contract/conventions.md section 2).
 *
 * @throws Rejected REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR or BAD_REQUEST for the first problem. A missing
 *   parameter is reported before any value is checked
 */
export function decodeParams<T extends object>(spec: ParamsSpec<T>, sources: ParamSources): T {
  const texts = spec.params.map((param) => textOf(param, sources));
  spec.params.forEach((param, index) => refuseMissing(param, texts[index]));
  const values = new spec.create();
  spec.params.forEach((param, index) => {
    const value = decodeParam(param, texts[index]);
    if (value !== undefined) (values as Record<string, unknown>)[param.property] = value;
  });
  return values;
}

/** Names of the request's parameters that the endpoint does not have, each once. */
export function ignoredNames(spec: ParamsSpec | undefined, { body, query }: Omit<ParamSources, 'path'>): string[] {
  const ignored: string[] = [];
  for (const name in query) if (isUnknown(spec, name)) ignored.push(name);
  for (const name in body) if (isUnknown(spec, name) && query[name] === undefined) ignored.push(name);
  return ignored;
}

const isUnknown = (spec: ParamsSpec | undefined, name: string) =>
  name !== ALWAYS_KNOWN && !(spec?.known.has(name) ?? false);

function refuseMissing({ names: [name], optional }: ParamSpec, text: string | undefined): void {
  if (text === undefined && !optional) throw missingParameter(name);
}

/** The refusal of a request without a parameter that it needs. */
export const missingParameter = (name: string): Rejected =>
  new Rejected('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name }, { shown: MISSING });
const MISSING = { name: 'missingValue', values: {} } as const;

function decodeParam(param: ParamSpec, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const isNull = param.encoding === 'json' && JSON_NULL.test(text);
  if (isNull && param.nullable) return null;
  return isNull && param.optional ? undefined : param.decode(text, param.names[0]);
}

function textOf({ names, place }: ParamSpec, sources: ParamSources): string | undefined {
  const { path, body, query } = sources;
  const [name] = names;
  if (place === 'path') return path[name];
  if (place === 'boxes') return tickedIn(body, `${name}_`);
  const text = body?.[name] ?? query[name];
  return names.length === 1 ? text : onlyOneOf(names, sources);
}

/** What follows a beginning in the names of fields, with commas between them. */
function tickedIn(body: Fields | undefined, beginning: string): string | undefined {
  const ticked: string[] = [];
  for (const field in body) if (field.startsWith(beginning)) ticked.push(field.slice(beginning.length));
  return ticked.length === 0 ? undefined : ticked.join(',');
}

function onlyOneOf(names: ParamSpec['names'], { body, query }: ParamSources): string | undefined {
  let found: string | undefined;
  let foundAs = '';
  for (const name of names) {
    const text = body?.[name] ?? query[name];
    if (text === undefined) continue;
    if (found !== undefined) {
      const extra = { var_name1: foundAs, var_name2: name };
      throw new Rejected('REQUEST_CONFUSING_VAR', `Can't decide between '${foundAs}' and '${name}' arguments`, extra);
    }
    found = text;
    foundAs = name;
  }
  return found;
}
