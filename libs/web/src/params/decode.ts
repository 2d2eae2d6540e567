import { Rejected } from '@annals/kernel/domain';
import type { Fields, ParamSpec, ParamsSpec } from './spec';

/** Where the parameters of a request are found. */
export interface ParamSources {
  /** Percent-decoded path segments by name. */
  readonly path: Fields;
  /** Form body; wins over the query. */
  readonly body: Fields | undefined;
  readonly query: Fields;
}

const JSON_NULL = /^\s*null\s*$/;
/** Overrides the client's name everywhere, so it never counts as ignored (contract/boot.md section 1.2). */
const ALWAYS_KNOWN = 'client';

/**
 * Decodes the parameters of a request (contract/conventions.md section 2).
 *
 * @throws Rejected REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR or BAD_REQUEST for the first problem found
 */
export function decodeParams<T extends object>(spec: ParamsSpec<T>, sources: ParamSources): T {
  const values = new spec.create();
  for (const param of spec.params) {
    const value = decodeParam(param, sources);
    if (value !== undefined) (values as Record<string, unknown>)[param.property] = value;
  }
  return values;
}

/** Names of the request's parameters that the endpoint does not take, each once. */
export function ignoredNames(spec: ParamsSpec | undefined, { body, query }: Omit<ParamSources, 'path'>): string[] {
  const ignored: string[] = [];
  for (const name in query) if (isUnknown(spec, name)) ignored.push(name);
  for (const name in body) if (isUnknown(spec, name) && query[name] === undefined) ignored.push(name);
  return ignored;
}

const isUnknown = (spec: ParamsSpec | undefined, name: string) =>
  name !== ALWAYS_KNOWN && !(spec?.known.has(name) ?? false);

function decodeParam(param: ParamSpec, sources: ParamSources): unknown {
  const text = textOf(param, sources);
  const isNull = text !== undefined && param.encoding === 'json' && JSON_NULL.test(text);
  if (isNull && param.nullable) return null;
  if (text === undefined || (isNull && param.optional)) {
    if (param.optional) return undefined;
    const [name] = param.names;
    throw new Rejected('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
  }
  return param.decode(text, param.names[0]);
}

function textOf({ names, place }: ParamSpec, { path, body, query }: ParamSources): string | undefined {
  const [name] = names;
  if (place === 'path') return path[name];
  const text = body?.[name] ?? query[name];
  if (names.length === 1) return text;
  const given = names.filter((alias) => (body?.[alias] ?? query[alias]) !== undefined);
  if (given.length > 1) {
    const [first, second] = given;
    const extra = { var_name1: first, var_name2: second };
    throw new Rejected('REQUEST_CONFUSING_VAR', `Can't decide between '${first}' and '${second}' arguments`, extra);
  }
  const [only] = given;
  return only === undefined ? undefined : (body?.[only] ?? query[only]);
}
