/**
 * The one of some media types that an `Accept` header prefers: the greatest quality, then the first in the header.
 * Undefined if it names none of them. A range such as `*` names none, so a server has its own default.
 *
 * @param offered in lower case, without parameters
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | undefined {
  const named = (accept ?? '')
    .toLowerCase()
    .split(',')
    .flatMap((range) => preferenceIn(range, offered));
  const quality = Math.max(0, ...named.map((one) => one.quality));
  return quality > 0 ? named.find((one) => one.quality === quality)?.type : undefined;
}

/** A media type with its quality, as `text/csv;q=0.5` has it. None for one that is not offered. */
function preferenceIn<Type extends string>(
  range: string,
  offered: readonly Type[],
): { readonly type: Type; readonly quality: number }[] {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.flatMap((one) => /^q=([01](?:\.\d{0,3})?)$/.exec(one)?.[1] ?? [])[0];
  const type = offered.find((one) => one === name);
  return type === undefined ? [] : [{ type, quality: Number(quality ?? 1) }];
}
