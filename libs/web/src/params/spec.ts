import type { TSchema } from '@annals/kernel/domain';

/** Names and texts of a request's form body or query string. The last value of a repeated name counts. */
export type Fields = Readonly<Record<string, string>>;

/** One declared parameter, for decoding, the list of ignored names and the reference. */
export interface ParamSpec {
  /** Property of the parameter class. */
  readonly property: string;
  /** Name in the API, then its aliases. */
  readonly names: readonly [string, ...string[]];
  /** `boxes`: it has the ids of ticked boxes, which are in the names of the fields (`choices` in form-parts). */
  readonly place: 'path' | 'fields' | 'boxes';
  /** `json` texts are JSON (contract/conventions.md section 2), so the text `null` may mean "missing". */
  readonly encoding: 'raw' | 'json';
  /** Whether the parameter may be left out. */
  readonly optional: boolean;
  /** Whether the text `null` is a value of its own. */
  readonly nullable: boolean;
  /** Value of a missing parameter, for the reference. Undefined if there is none. */
  readonly initial: unknown;
  readonly schema: TSchema;
  readonly about: string | undefined;
  /** Whether it is checked and otherwise ignored, which the answer then reports. */
  readonly noEffect: boolean;
  /** @throws Rejected when the text is no value of this parameter */
  readonly decode: (text: string, name: string) => unknown;
}

/** The compiled declaration of a parameter class. */
export interface ParamsSpec<T extends object = object> {
  readonly create: new () => T;
  readonly params: readonly ParamSpec[];
  /** Names that count as used, also aliases. Parameters without effect are not among them. */
  readonly known: ReadonlySet<string>;
}

/** A parameter as its decorator declares it. Whether it has an initial value is known when the class is complete. */
export type DeclaredParam = Omit<ParamSpec, 'initial' | 'optional'> & { readonly optional: boolean | undefined };

const declared = new WeakMap<object, DeclaredParam[]>();
const compiled = new WeakMap<object, ParamsSpec>();

/** Registers a parameter of the class with this prototype. */
export function declareParam(prototype: object, param: DeclaredParam): void {
  const own = declared.get(prototype);
  if (own) own.push(param);
  else declared.set(prototype, [param]);
}

/** The declaration of a parameter class, with inherited parameters. Compiled once per class. */
export function specOf<T extends object>(create: new () => T): ParamsSpec<T> {
  const known = compiled.get(create);
  if (known) return known as ParamsSpec<T>;
  const initial = new create() as Record<string, unknown>;
  const params = lineage(create.prototype as object)
    .flatMap((prototype) => declared.get(prototype) ?? [])
    .map((param) => ({
      ...param,
      optional: param.optional ?? initial[param.property] !== undefined,
      initial: initial[param.property],
    }));
  const spec: ParamsSpec<T> = { create, params, known: new Set(consumedNames(params)) };
  compiled.set(create, spec);
  return spec;
}

function lineage(prototype: object | null): object[] {
  return prototype === null ? [] : [...lineage(Object.getPrototypeOf(prototype) as object | null), prototype];
}

const consumedNames = (params: readonly ParamSpec[]) =>
  params.filter(({ place, noEffect }) => place === 'fields' && !noEffect).flatMap(({ names }) => names);
