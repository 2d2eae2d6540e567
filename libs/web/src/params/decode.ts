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

function textOf({ names, place }: ParamSpec, sources: ParamSources): string | undefined {
  const { path, body, query } = sources;
  const [name] = names;
  if (place === 'path') return path[name];
  const text = body?.[name] ?? query[name];
  return names.length === 1 ? text : onlyOneOf(names, sources);
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
