import type { PatchPath } from '../filter/parse-filter';
import { parsePatchPath } from '../filter/parse-filter';
import type { JsonValue, JsonObject } from '../json';
import { isList, isObject } from '../json';
import { quotedStart } from '../attribute-path';
import { comparisonsIn } from '../filter/filter';
import { reject } from '../rejections';

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const KINDS = ['add', 'remove', 'replace'] as const;
/** Most changes of one request. Each attribute of an object is a change. */
const MAX_OPERATIONS = 1_000;
/** Most comparisons in the brackets of all paths of one request. */
const MAX_COMPARISONS = 1_000;

/** A change of one attribute (RFC 7644 section 3.5.2). */
export interface Operation {
  readonly kind: (typeof KINDS)[number];
  readonly target: PatchPath;
  /** Undefined if there is none. */
  readonly value: JsonValue | undefined;
  /** The request names the attribute in a path, and not as one of several in an object. */
  readonly hasPath: boolean;
}

/**
 * Reads the body of a PATCH. Names of operations have no letter case. One without a path becomes one for each attribute of its
 * value.
 *
 * @throws Rejected INVALID_SYNTAX, INVALID_PATH, NO_TARGET, TOO_MANY
 */
export function operationsOf(body: JsonObject): Operation[] {
  const list = lowered(body, 'operations');
  if (!isList(list) || list.length === 0) throw reject.syntax({ why: 'Operations is a list with at least one entry.' });
  ensureFewChanges(list.length);
  const operations: Operation[] = [];
  for (const entry of list) {
    operations.push(...operationsIn(entry));
    ensureFewChanges(operations.length);
  }
  ensureFewComparisons(operations);
  return operations;
}

/** @throws Rejected TOO_MANY */
function ensureFewChanges(changes: number): void {
  if (changes > MAX_OPERATIONS)
    throw reject.tooMany({ why: `A request changes at most ${MAX_OPERATIONS} attributes.` });
}

/** @throws Rejected TOO_MANY */
function ensureFewComparisons(operations: readonly Operation[]): void {
  const sum = operations.reduce((n, { target }) => n + (target.condition ? comparisonsIn(target.condition) : 0), 0);
  if (sum > MAX_COMPARISONS)
    throw reject.tooMany({ why: `The paths of a request have at most ${MAX_COMPARISONS} comparisons.` });
}

function operationsIn(entry: JsonValue): Operation[] {
  if (!isObject(entry)) throw reject.syntax({ why: 'An operation is an object.' });
  const [op, path, value] = ['op', 'path', 'value'].map((name) => lowered(entry, name));
  const kind = typeof op === 'string' ? KINDS.find((one) => one === op.toLowerCase()) : undefined;
  if (kind === undefined) throw reject.syntax({ why: `An operation is one of ${KINDS.join(', ')}.` });
  if (typeof path === 'string' && path !== '') return [{ kind, target: parsePatchPath(path), value, hasPath: true }];
  if (path !== undefined && path !== null && path !== '') throw reject.path({ why: 'A path is a text.' });
  if (kind === 'remove') throw reject.noTarget({ why: 'An operation that removes needs a path.' });
  if (!isObject(value)) throw reject.value({ why: 'The value of an operation without a path is an object.' });
  return attributesIn(value, kind);
}

/**
 * The attributes of an object. The object of a schema has its URN as name, and attributes inside.
 *
 * @throws Rejected INVALID_PATH, TOO_MANY
 */
export function attributesIn(object: JsonObject, kind: Operation['kind']): Operation[] {
  const entries = Object.entries(object);
  ensureFewChanges(entries.length);
  return entries.flatMap(([name, value]): Operation[] => {
    if (name.toLowerCase() === 'schemas') return [];
    return [{ kind, target: parsePatchPath(name), value, hasPath: false }];
  });
}

/** The value with this name in any letter case. @throws Rejected INVALID_SYNTAX for two of them */
function lowered(object: JsonObject, name: string): JsonValue | undefined {
  const found = Object.keys(object).filter((key) => key.toLowerCase() === name);
  if (found.length > 1) throw reject.syntax({ why: `${quotedStart(name)} is there twice.` });
  return found[0] === undefined ? undefined : object[found[0]];
}
